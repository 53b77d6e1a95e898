//! The embedded page is looked at again when files come or go.

use std::path::Path;

fn main() {
    let folder = "../../page/dist";
    // A folder that is not there would make every build a new one.
    if Path::new(folder).exists() {
        println!("cargo:rerun-if-changed={folder}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
