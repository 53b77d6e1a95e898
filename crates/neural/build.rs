//! Lists the trained networks that are shipped in the program, and the descriptions of those that are
//! too large for it.

use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let folder = Path::new(&root).join("../../artifacts/networks");
    println!("cargo::rerun-if-changed={}", folder.display());
    let list = |extension: &str, include: &str| -> String {
        let mut files: Vec<_> = fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .collect();
        files.sort();
        let line = |path: &std::path::PathBuf| {
            let name = path.file_stem().unwrap_or_default();
            format!("    ({name:?}, {include}!({path:?})),\n")
        };
        files.iter().map(line).collect()
    };
    let text = format!(
        "static SHIPPED: &[(&str, &[u8])] = &[\n{}];\nstatic DESCRIBED: &[(&str, &str)] = &[\n{}];\n",
        list("safetensors", "include_bytes"),
        list("json", "include_str"),
    );
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("shipped.rs"), text).expect("the output folder takes files");
}
