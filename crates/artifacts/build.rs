//! Embeds the files of `artifacts/`. All but networks are text and shrink to a quarter, so they are
//! compressed; networks do not, and their headers are read often.

use std::io::Write;
use std::path::Path;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../artifacts")
        .canonicalize()?;
    let out = env::var("OUT_DIR").expect("cargo sets it");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::new();
    for folder in fs::read_dir(&root)? {
        let folder = folder?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder.path())? {
            let file = file?.path();
            let path = file.strip_prefix(&root).expect("a file below the root");
            let path = path.to_str().expect("names are plain").replace('\\', "/");
            list += &match file.extension().is_some_and(|extension| extension == "safetensors") {
                true => format!(
                    "File {{ path: {path:?}, deflated: false, bytes: include_bytes!({file:?}) }},\n"
                ),
                false => {
                    let small = Path::new(&out).join(path.replace('/', "-"));
                    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
                    encoder.write_all(&fs::read(&file)?)?;
                    fs::write(&small, encoder.finish()?)?;
                    format!(
                        "File {{ path: {path:?}, deflated: true, bytes: include_bytes!({small:?}) }},\n"
                    )
                }
            };
        }
    }
    fs::write(Path::new(&out).join("files.rs"), format!("&[\n{list}]"))
}
