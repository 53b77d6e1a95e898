//! What is shipped in the program: what was learned (networks, trees, rules, genomes, tables, and
//! the learning curves beside them), and the reproduced tables of papers.

use std::borrow::Cow;
use std::io::Read;

use deminer_game::Artifacts;
use flate2::read::DeflateDecoder;

struct File {
    path: &'static str,
    deflated: bool,
    bytes: &'static [u8],
}

static ARTIFACTS: &[File] = include!(concat!(env!("OUT_DIR"), "/artifacts.rs"));
static RESULTS: &[File] = include!(concat!(env!("OUT_DIR"), "/results.rs"));

impl File {
    fn bytes(&self) -> Cow<'static, [u8]> {
        match self.deflated {
            true => Cow::Owned(inflate(self.bytes)),
            false => Cow::Borrowed(self.bytes),
        }
    }
}

/// The paths of all reproduced tables and their pictures, such as `arena/table.json`.
pub fn result_paths() -> impl Iterator<Item = &'static str> {
    RESULTS.iter().map(|file| file.path)
}

/// A file of a reproduced table.
pub fn result(path: &str) -> Option<Cow<'static, [u8]>> {
    RESULTS.iter().find(|file| file.path == path).map(File::bytes)
}

/// Every shipped artifact. Compressed ones are inflated when they are first needed.
pub fn shipped() -> Artifacts {
    let mut artifacts = Artifacts::default();
    for file in ARTIFACTS {
        artifacts.insert_lazy(file.path, || file.bytes());
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
