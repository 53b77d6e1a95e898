//! What was learned and is shipped in the program: networks, trees, rules, genomes, tables, and
//! the learning curves beside them.

use std::borrow::Cow;
use std::io::Read;

use deminer_game::Artifacts;
use flate2::read::DeflateDecoder;

struct File {
    path: &'static str,
    deflated: bool,
    bytes: &'static [u8],
}

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Every shipped file. Compressed ones are inflated when they are first needed.
pub fn shipped() -> Artifacts {
    let mut artifacts = Artifacts::default();
    for file in FILES {
        artifacts.insert_lazy(file.path, || match file.deflated {
            true => Cow::Owned(inflate(file.bytes)),
            false => Cow::Borrowed(file.bytes),
        });
    }
    artifacts
}

fn inflate(bytes: &[u8]) -> Vec<u8> {
    let mut inflated = Vec::new();
    let read = DeflateDecoder::new(bytes).read_to_end(&mut inflated);
    read.expect("the build script compressed it");
    inflated
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_comes_back_as_it_is_on_disk() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts");
        let artifacts = shipped();
        assert_eq!(artifacts.paths().count(), FILES.len());
        assert!(FILES.len() > 80, "only {} files", FILES.len());
        for path in artifacts.paths() {
            let bytes = fs::read(root.join(path)).unwrap();
            assert!(artifacts.get(path) == Some(bytes.as_slice()), "{path}");
        }
    }
}
