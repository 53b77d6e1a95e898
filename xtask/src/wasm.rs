//! Builds the WebAssembly engine of the npm package and checks the package.
//!
//! The engine is committed in `npm/wasm` with a hash of the sources that it was built from, so
//! building deminer needs no WebAssembly toolchain, and an outdated engine fails the tests.
//! Building it takes rustup's target `wasm32-unknown-unknown`; without that, Debian's compiler for
//! browsers is unpacked into `target/wasm-toolchain`, and nothing is installed.

use std::ffi::OsString;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use twox_hash::XxHash64;

use crate::page::{install_packages, output, step, target};
use crate::{cargo, cargo_command, root, succeed};

const TARGET: &str = "wasm32-unknown-unknown";

/// The crates that the engine is made of.
const CRATES: &[&str] =
    &["agents", "deminer", "formats", "game", "inference", "learn", "neural", "wasm"];

/// Builds the engine into `npm/wasm`.
pub fn run(options: &[&str]) -> Result<()> {
    match options {
        [] => {
            build_into(&engine())?;
            fs::write(engine().join(HASH), source_hash()? + "\n")?;
            print_sizes(&engine())
        }
        ["--ratios"] => ratios(None),
        [option, ..] => bail!("wasm takes only --ratios, not `{option}`"),
    }
}

/// The package: the engine is that of the sources, types, tests in Node.
pub fn check() -> Result<()> {
    let recorded = fs::read_to_string(engine().join(HASH)).unwrap_or_default();
    if recorded.trim() != source_hash()? {
        bail!(
            "npm/wasm is older than the sources: run `cargo xtask wasm` and commit what it builds"
        );
    }
    install_packages(&npm())?;
    step("types", "npm run check", || in_npm("npm", &["run", "--silent", "check"], &[]))?;
    step("the native odds of the corpus", "cargo build --example pace", native_odds)?;
    step("the package in Node", "npm test", || in_npm("npm", &["run", "--silent", "test"], &[]))?;
    match toolchain_at_hand() {
        false => {
            println!("-- no WebAssembly toolchain at hand: the engine is not built again");
            Ok(())
        }
        true => step("the engine, built again", "npm test with the new one", || {
            let again = target().join("wasm-again");
            build_into(&again)?;
            in_npm("npm", &["run", "--silent", "test"], &[("DEMINER_ENGINE", again.into())])
        }),
    }
}

/// How many times slower the engine is in Node than this machine's own code; a file gets the rows
/// of `cargo xtask bench-all`.
pub fn ratios(rows: Option<&str>) -> Result<()> {
    install_packages(&npm())?;
    native_pace()?;
    in_npm("node", &["build.js"], &[])?;
    let mut words = vec!["tests/pace.js"];
    words.extend(rows);
    in_npm("node", &words, &[])
}

/// Writes the native answers for the corpus, by the program that the tests of the workspace built.
fn native_odds() -> Result<()> {
    cargo(&["build", "--locked", "--workspace", "--example", "pace"], &[])?;
    let program = format!("pace{}", std::env::consts::EXE_SUFFIX);
    let program = target().join("debug/examples").join(program);
    succeed(&mut Command::new(program), "the example pace")
}

/// Writes the native answers for the corpus, and how long they take in a release build.
fn native_pace() -> Result<()> {
    cargo(&["run", "--release", "--locked", "-p", "deminer", "--example", "pace"], &[])
}

const HASH: &str = "sources.hash";

/// A hash of all sources of the engine.
fn source_hash() -> Result<String> {
    let mut files = Vec::new();
    for name in CRATES {
        let folder = root().join("crates").join(name);
        files.push(folder.join("Cargo.toml"));
        collect(&folder.join("src"), &mut files)?;
    }
    files.sort();
    let mut hasher = XxHash64::with_seed(0);
    for file in files {
        let name = file.strip_prefix(root()).expect("a file of the workspace");
        hasher.write(name.to_string_lossy().as_bytes());
        hasher.write(&fs::read(&file)?);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Builds the engine and its glue into a folder.
fn build_into(folder: &Path) -> Result<()> {
    install_packages(&npm())?;
    let built = target().join("wasm-build");
    step("the engine", "cargo build --profile wasm", || compile(&built))?;
    let file = built.join(TARGET).join("wasm/deminer_wasm.wasm");
    step("its glue", "wasm-bindgen", || {
        let paths = [file.to_string_lossy(), folder.to_string_lossy()];
        let run = ["run", "--quiet", "--locked", "-p", "xtask", "--no-default-features"];
        let run = [&run[..], &["--features", "bindgen", "--"]].concat();
        cargo(&[&run[..], &["bindgen", &paths[0], &paths[1]]].concat(), &[])
    })?;
    let _ = fs::remove_file(folder.join("engine_bg.wasm.d.ts"));
    step("smaller", "wasm-opt", || {
        let file = folder.join("engine_bg.wasm");
        let file = file.to_string_lossy();
        let strip = ["--strip-debug", "--strip-producers", "--strip-target-features"];
        let rest = ["-Oz", "--converge", &file, "-o", &file];
        in_npm(
            "node",
            &[&["node_modules/binaryen/bin/wasm-opt"], FEATURES, &strip, &rest].concat(),
            &[],
        )
    })
}

/// What the engine may use: all of it is in Node 20 and in browsers since 2023.
const FEATURES: &[&str] = &[
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-reference-types",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-multivalue",
    "--enable-extended-const",
];

/// Compiles with rustup's target, or else with Debian's compiler.
fn compile(built: &Path) -> Result<()> {
    let build =
        ["build", "--locked", "--profile", "wasm", "--target", TARGET, "-p", "deminer-wasm"];
    let mut environment = vec![
        ("CARGO_TARGET_DIR", built.as_os_str().to_owned()),
        ("CARGO_ENCODED_RUSTFLAGS", rustc_flags()?),
    ];
    if !has_rustup_target() {
        environment.extend(debian_toolchain()?);
    }
    succeed(cargo_command().args(build).envs(environment), &format!("cargo {}", build.join(" ")))
}

/// With 128-bit instructions the networks need no second kernel. Code that is vectorized by the
/// compiler would be larger and no faster. Panics name files without the folders of this machine.
fn rustc_flags() -> Result<OsString> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let crates = home.context("cargo has no home")?.join("registry/src");
    let library = toolchain().join("tree/usr/lib/rustlib/src/rust");
    let path = |from: &Path| format!("--remap-path-prefix={}/=", from.display());
    let flags = [
        "-Ctarget-feature=+simd128".to_owned(),
        "-Cno-vectorize-loops".to_owned(),
        "-Cno-vectorize-slp".to_owned(),
        path(&crates),
        path(&library),
    ];
    // Encoded, so that a path may hold spaces.
    Ok(flags.join("\x1f").into())
}

fn has_rustup_target() -> bool {
    let folder = output("rustc", &["--print", "target-libdir", "--target", TARGET]);
    folder.is_some_and(|folder| Path::new(&folder).exists())
}

fn toolchain_at_hand() -> bool {
    has_rustup_target() || toolchain().join("rustc").exists()
}

fn toolchain() -> PathBuf {
    target().join("wasm-toolchain")
}

/// Debian's compiler for browsers, unpacked once. The standard library is built with the engine.
fn debian_toolchain() -> Result<Vec<(&'static str, OsString)>> {
    let rustc = toolchain().join("rustc");
    if !rustc.exists() {
        println!(
            "-- rustup has no target {TARGET} (`rustup target add {TARGET}` gets it): \
             unpacking Debian's compiler into {} (137 MB to load)",
            toolchain().display()
        );
        unpack().context(
            "no WebAssembly toolchain: add rustup's target, or run this on Debian with apt-get",
        )?;
    }
    let sysroot = output("rustc", &["--print", "sysroot"]).context("cannot start rustc")?;
    let version = output("rustc", &["-vV"]).context("cannot start rustc")?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc names no host")?;
    let linker = Path::new(&sysroot).join("lib/rustlib").join(host).join("bin/rust-lld");
    Ok(vec![
        ("RUSTC", rustc.into()),
        ("RUSTC_BOOTSTRAP", "1".into()),
        ("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort".into()),
        ("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size".into()),
        ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker.into()),
    ])
}

/// Loads and unpacks the packages; the versions are those of the archive today, whatever list of
/// packages this machine has.
fn unpack() -> Result<()> {
    let folder = toolchain();
    let packages = folder.join("packages");
    fs::create_dir_all(packages.join("lists/partial"))?;
    let own = [
        format!("Dir::State::Lists={}", packages.join("lists").display()),
        format!("Dir::Cache={}", packages.display()),
        // Loads as the user who runs this, who may write here.
        "APT::Sandbox::User=".to_owned(),
    ];
    let apt = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(&packages).args(own.iter().flat_map(|option| ["-o", option]));
        command.args(arguments);
        command
    };
    let load = |arguments: &[&str]| {
        succeed(&mut apt("apt-get", arguments), &format!("apt-get {}", arguments.join(" ")))
    };
    load(&["update", "--quiet"])?;
    let depends = |package: &str, prefix: &str| {
        let shown = apt("apt-cache", &["depends", package]).output()?.stdout;
        let shown = String::from_utf8_lossy(&shown).into_owned();
        let names = shown.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
        let found = names.map(str::to_owned).find(|name| name.starts_with(prefix));
        found.with_context(|| format!("{package} depends on no {prefix}…"))
    };
    let library = depends("libstd-rust-web-dev", "libstd-rust-web-")?;
    let llvm = depends(&library, "libllvm")?;
    load(&["download", "rustc-web", "libstd-rust-web-dev", &library, "rust-web-src", &llvm])?;
    for package in fs::read_dir(&packages)? {
        let package = package?.path();
        if package.extension().is_none_or(|extension| extension != "deb") {
            continue;
        }
        let mut unpack = Command::new("dpkg");
        succeed(unpack.arg("-x").arg(package).arg(folder.join("tree")), "dpkg -x")?;
    }
    fs::remove_dir_all(&packages)?;
    let rustc = folder.join("rustc");
    fs::write(&rustc, RUSTC)?;
    let mut chmod = Command::new("chmod");
    succeed(chmod.arg("+x").arg(&rustc), "chmod")
}

/// Runs the unpacked compiler with its own libraries.
const RUSTC: &str = r#"#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
for libraries in "$here"/tree/usr/lib/*-linux-gnu; do :; done
LD_LIBRARY_PATH="$libraries" exec "$here/tree/usr/bin/rustc" "$@"
"#;

fn print_sizes(folder: &Path) -> Result<()> {
    for name in ["engine_bg.wasm", "engine.js"] {
        let bytes = fs::metadata(folder.join(name))?.len();
        println!("{name}: {} kB", bytes / 1000);
    }
    Ok(())
}

fn in_npm(program: &str, arguments: &[&str], environment: &[(&str, OsString)]) -> Result<()> {
    let mut command = Command::new(program);
    command.current_dir(npm()).args(arguments).envs(environment.iter().cloned());
    succeed(&mut command, &format!("{program} {}", arguments.join(" ")))
}

fn npm() -> PathBuf {
    root().join("npm")
}

fn engine() -> PathBuf {
    npm().join("wasm")
}
