//! Embeds the files of `artifacts/` and `results/`. All but networks are text and shrink to a
//! quarter, so they are compressed; networks do not, and their headers are read often.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    for folder in ["artifacts", "results"] {
        let package = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
        let root = Path::new(&package).join("../..").join(folder).canonicalize()?;
        println!("cargo::rerun-if-changed={}", root.display());
        fs::write(out.join(format!("{folder}.rs")), format!("&[\n{}]", list(&root, &out)?))?;
    }
    Ok(())
}

/// The files in the folders of a folder, as Rust.
fn list(root: &Path, out: &Path) -> io::Result<String> {
    let mut list = String::new();
    for folder in fs::read_dir(root)? {
        let folder = folder?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder.path())? {
            let file = file?.path();
            let path = file.strip_prefix(root).expect("a file below the root");
            let path = path.to_str().expect("names are plain").replace('\\', "/");
            let deflated = file.extension().is_none_or(|extension| extension != "safetensors");
            let bytes = if deflated { deflate(&file, &path, out)? } else { file };
            list += &format!(
                "File {{ path: {path:?}, deflated: {deflated}, bytes: include_bytes!({bytes:?}) }},\n"
            );
        }
    }
    Ok(list)
}

/// Writes the compressed file, and returns its path.
fn deflate(file: &Path, path: &str, out: &Path) -> io::Result<PathBuf> {
    let small = out.join(path.replace('/', "-"));
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&fs::read(file)?)?;
    fs::write(&small, encoder.finish()?)?;
    Ok(small)
}
