//! Embeds the built page, each file as gzip: most browsers get it as it is.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let package = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let page = Path::new(&package).join("../../page/dist");
    let mut list = String::new();
    // A folder that does not exist would make every build a new one.
    if page.exists() {
        println!("cargo:rerun-if-changed={}", page.display());
        embed(&page, "", &out, &mut list)?;
    }
    println!("cargo:rerun-if-changed=build.rs");
    fs::write(out.join("page.rs"), format!("&[\n{list}]"))
}

/// Compresses the files of a folder and adds them to the list, as Rust.
fn embed(folder: &Path, path: &str, out: &Path, list: &mut String) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().expect("names are plain");
        let path = format!("{path}{name}");
        if entry.file_type()?.is_dir() {
            embed(&entry.path(), &format!("{path}/"), out, list)?;
            continue;
        }
        let small = out.join(path.replace('/', "-") + ".gz");
        let mut encoder = GzEncoder::new(File::create(&small)?, Compression::best());
        encoder.write_all(&fs::read(entry.path())?)?;
        encoder.finish()?;
        *list += &format!("({path:?}, include_bytes!({small:?})),\n");
    }
    Ok(())
}
