//! The committed inputs, without a fuzzer: seeds, and what once failed.

use std::fs;
use std::path::Path;

#[test]
fn the_committed_inputs_pass() {
    for (name, target) in deminer_fuzz::TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let mut seen = 0;
        for entry in fs::read_dir(folder).expect("every target has inputs") {
            let path = entry.expect("a file").path();
            println!("{}", path.display());
            target(&fs::read(path).expect("an input"));
            seen += 1;
        }
        assert!(seen > 0, "{name}");
    }
}
