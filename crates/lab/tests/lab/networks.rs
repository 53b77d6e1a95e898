//! The files of networks are safetensors: the library of that name reads the same numbers, and what
//! it writes is read.

use deminer_game::ArtifactKind;
use deminer_neural::artifact;
use deminer_neural::weights::plan;
use safetensors::{Dtype, SafeTensors};

#[test]
fn the_library_reads_and_writes_the_same() {
    let shipped = deminer_artifacts::shipped();
    let mut arrays = 0;
    for name in shipped.names(ArtifactKind::NETWORK) {
        let file = shipped.get(&ArtifactKind::NETWORK.path(name)).unwrap();
        let (_, net, weights) = artifact::read(file).unwrap();
        let library = SafeTensors::deserialize(file).unwrap();
        let slots = plan(&net);
        assert_eq!(library.len(), slots.len(), "{name}");
        for (slot, ours) in slots.iter().zip(&weights.0) {
            let array = library.tensor(&slot.name).unwrap();
            assert_eq!(array.shape(), slot.shape, "{name}: {}", slot.name);
            let theirs: Vec<f32> = match array.dtype() {
                Dtype::F16 => array.data().as_chunks().0.iter().map(|&two| half(two)).collect(),
                Dtype::F32 => array
                    .data()
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&four| f32::from_le_bytes(four))
                    .collect(),
                other => panic!("{name}: {other:?}"),
            };
            assert_eq!(*ours, theirs, "{name}: {}", slot.name);
            arrays += 1;
        }
        let (_, header) = SafeTensors::read_metadata(file).unwrap();
        let again = safetensors::serialize(library.tensors(), header.metadata().clone()).unwrap();
        assert_eq!(
            artifact::read(&again).unwrap().2.0,
            weights.0,
            "{name}, written by the library"
        );
    }
    assert!(arrays > 100, "{arrays}");
}

/// A number of two bytes, by its definition.
fn half(bytes: [u8; 2]) -> f32 {
    let bits = u16::from_le_bytes(bytes);
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    let size = match exponent {
        0 => fraction * 2f32.powi(-14),
        _ => (1.0 + fraction) * 2f32.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}
