//! Embeds the built page and the guide, each file as gzip: most browsers get it as it is.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use deminer_guide::Book;
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
    let guide = Path::new(&package).join("../../docs/book");
    println!("cargo:rerun-if-changed={}", guide.display());
    // The guide includes them.
    println!("cargo:rerun-if-changed=../deminer/examples");
    // A fault in the guide is for the tests of `deminer-guide`; the program works without it.
    match Book::read(&guide).and_then(|book| book.files(Some("../"))) {
        Ok(files) => {
            for (path, bytes) in files {
                list += &embed_file(&format!("guide/{path}"), &bytes, &out)?;
            }
        }
        Err(error) => println!("cargo:warning=built without the guide: {error:#}"),
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
        *list += &embed_file(&path, &fs::read(entry.path())?, out)?;
    }
    Ok(())
}

/// Compresses a file; the line that embeds it.
fn embed_file(path: &str, bytes: &[u8], out: &Path) -> io::Result<String> {
    let small = out.join(path.replace('/', "-") + ".gz");
    let mut encoder = GzEncoder::new(File::create(&small)?, Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()?;
    Ok(format!("({path:?}, include_bytes!({small:?})),\n"))
}
