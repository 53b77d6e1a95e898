//! Embeds the files of `artifacts/` and `results/`, compressed. Text shrinks to a quarter. The
//! numbers of networks shrink by a seventh once their bytes are sorted by place: the upper ones
//! hold sign and exponent, which repeat. Networks keep their headers as they are, because
//! those are read often.

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
        // What this program is faster than is for readers of the repository.
        if !folder.file_type()?.is_dir() || folder.file_name() == "speed" {
            continue;
        }
        for file in fs::read_dir(folder.path())? {
            let file = file?.path();
            let path = file.strip_prefix(root).expect("a file below the root");
            let path = path.to_str().expect("names are plain").replace('\\', "/");
            list += &embed(&file, &path, out)?;
        }
    }
    Ok(list)
}

/// Writes the head and the compressed rest of a file; the line that embeds them.
fn embed(file: &Path, path: &str, out: &Path) -> io::Result<String> {
    let bytes = fs::read(file)?;
    let (head, width) = match file.extension().is_some_and(|extension| extension == "safetensors") {
        true => network(&bytes),
        false => (0, 1),
    };
    let (head, numbers) = bytes.split_at(head);
    let places = (0..width).flat_map(|place| numbers.iter().skip(place).step_by(width).copied());
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&places.collect::<Vec<_>>())?;
    let name = path.replace('/', "-");
    let (start, name) = (out.join(format!("{name}.head")), out.join(name));
    fs::write(&name, encoder.finish()?)?;
    fs::write(&start, head)?;
    Ok(format!(
        "File {{ path: {path:?}, head: include_bytes!({start:?}), width: {width}, \
         deflated: include_bytes!({name:?}) }},\n"
    ))
}

/// The length of the header of a safetensors file, and how many bytes a number has.
fn network(bytes: &[u8]) -> (usize, usize) {
    let (length, rest) = bytes.split_first_chunk().expect("a length");
    let length = u64::from_le_bytes(*length) as usize;
    let half = String::from_utf8_lossy(&rest[..length]).contains("\"F16\"");
    (8 + length, if half { 2 } else { 4 })
}
