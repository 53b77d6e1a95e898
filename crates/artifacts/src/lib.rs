//! What is shipped in the program: what was learned (networks, trees, rules, genomes, tables, and
//! the learning curves beside them), and the reproduced tables of papers.

use std::io::Read;

use deminer_game::Artifacts;
use flate2::read::DeflateDecoder;

struct File {
    path: &'static str,
    /// The header of a network; empty for other files.
    head: &'static [u8],
    /// How many bytes a number of the rest has.
    width: usize,
    /// The rest: the first bytes of all numbers, then the second ones, and so on.
    deflated: &'static [u8],
}

static ARTIFACTS: &[File] = include!(concat!(env!("OUT_DIR"), "/artifacts.rs"));
static RESULTS: &[File] = include!(concat!(env!("OUT_DIR"), "/results.rs"));

impl File {
    fn bytes(&self) -> Vec<u8> {
        let mut places = Vec::new();
        let read = DeflateDecoder::new(self.deflated).read_to_end(&mut places);
        read.expect("the build script compressed it");
        let mut bytes = self.head.to_vec();
        bytes.resize(self.head.len() + places.len(), 0);
        for (place, column) in places.chunks((places.len() / self.width).max(1)).enumerate() {
            let numbers = bytes[self.head.len() + place..].iter_mut().step_by(self.width);
            numbers.zip(column).for_each(|(byte, &known)| *byte = known);
        }
        bytes
    }
}

/// The paths of all reproduced tables and their pictures, such as `arena/table.json`.
pub fn result_paths() -> impl Iterator<Item = &'static str> {
    RESULTS.iter().map(|file| file.path)
}

/// A file of a reproduced table.
pub fn result(path: &str) -> Option<Vec<u8>> {
    RESULTS.iter().find(|file| file.path == path).map(File::bytes)
}

/// Every shipped artifact. Each is inflated when it is first needed.
pub fn shipped() -> Artifacts {
    let mut artifacts = Artifacts::default();
    for file in ARTIFACTS {
        let head = Some(file.head).filter(|head| !head.is_empty());
        artifacts.insert_with_head(file.path, head, || file.bytes().into());
    }
    artifacts
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_comes_back_as_it_is_on_disk() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let artifacts = shipped();
        assert_eq!(artifacts.paths().count(), ARTIFACTS.len());
        assert!(ARTIFACTS.len() > 80, "only {} files", ARTIFACTS.len());
        for path in artifacts.paths() {
            let bytes = fs::read(root.join("artifacts").join(path)).unwrap();
            assert!(artifacts.get(path) == Some(bytes.as_slice()), "{path}");
        }
        assert!(RESULTS.len() > 100, "only {} files", RESULTS.len());
        for path in result_paths() {
            let bytes = fs::read(root.join("results").join(path)).unwrap();
            assert!(result(path).unwrap() == bytes, "{path}");
        }
    }
}
