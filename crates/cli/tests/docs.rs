//! The documentation keeps up with the tree.

use std::fs;
use std::path::Path;

#[test]
fn the_architecture_names_every_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let mut crates: Vec<String> = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|folder| format!("`crates/{}`", folder.unwrap().file_name().display()))
        .collect();
    crates.push("`xtask`".to_owned());
    crates.sort();
    assert!(crates.len() >= 7, "{crates:?}");
    let missing: Vec<_> = crates.iter().filter(|name| !text.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "docs/ARCHITECTURE.md does not name {missing:?}");
}
