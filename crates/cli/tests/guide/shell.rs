//! Runs the shell blocks of the guide: all ```` ```sh ```` blocks of a page as one script.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::root;

/// Pages whose shell blocks run elsewhere: the Python package's own tests install it.
const ELSEWHERE: [&str; 1] = ["how-to/python.md"];

/// Where the guide says that a server answers.
const ADDRESS: &str = "http://127.0.0.1:7654";

/// Cargo has built the examples of the workspace with these tests; a single test builds them here.
const CARGO: &str = r#"#!/bin/sh
case "$*" in
"run --release -p deminer --example "*)
    name=$6
    shift 6
    [ "$1" != -- ] || shift
    (cd "$ROOT" && [ -x "$EXAMPLES/$name" ] ||
        "$REAL_CARGO" build --locked --package deminer --example "$name") || exit 1
    exec "$EXAMPLES/$name" "$@" ;;
*) echo "the guide's tests do not know: cargo $*" >&2; exit 1 ;;
esac
"#;

/// An array job, one task after another.
const SBATCH: &str = r#"#!/bin/sh
for word; do
    case "$word" in
    --array=*) tasks=${word#--array=} ;;
    esac
    command=$word
done
for task in $(seq "${tasks%-*}" "${tasks#*-}"); do
    SLURM_ARRAY_TASK_ID=$task sh -c "$command" || exit 1
done
"#;

/// A server on a free port, which ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_deminer"))
            .args(["serve", "--listen", "127.0.0.1:0", "--no-open", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
        Self { child, address: address.trim().trim_end_matches('/').to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn shell_blocks_run() {
    let source = root().canonicalize().unwrap().join("docs/book/src");
    let mut count = 0;
    for folder in ["tutorial", "how-to", "explanation"] {
        for entry in fs::read_dir(source.join(folder)).unwrap() {
            let page = entry.unwrap().path();
            let name = page.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
            if page.extension().is_none_or(|extension| extension != "md")
                || ELSEWHERE.contains(&name.as_str())
            {
                continue;
            }
            let script = blocks(&fs::read_to_string(&page).unwrap());
            if script.contains("curl ") && !is_installed("curl") {
                eprintln!("{name} is left out: there is no curl");
                count += 1;
            } else if !script.is_empty() {
                run(&page, &script);
                count += 1;
            }
        }
    }
    assert!(count >= 4, "{count} pages with shell blocks");
}

fn is_installed(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

/// The shell blocks of a page, one after another.
fn blocks(text: &str) -> String {
    let parts = text.split("\n```sh\n").skip(1);
    parts.map(|part| part.split_once("```").expect("a block ends").0).collect()
}

fn run(page: &Path, script: &str) {
    let folder = tempfile::tempdir().unwrap();
    let tools = tempfile::tempdir().unwrap();
    if let Ok(files) = fs::read_dir(page.with_extension("in")) {
        for file in files.map(Result::unwrap) {
            fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
    }
    for (name, text) in [("cargo", CARGO), ("sbatch", SBATCH)] {
        let tool = tools.path().join(name);
        fs::write(&tool, text).unwrap();
        fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let program = PathBuf::from(env!("CARGO_BIN_EXE_deminer"));
    let built = program.parent().unwrap();
    std::os::unix::fs::symlink(&program, tools.path().join("deminer")).unwrap();
    let server = script.contains(ADDRESS).then(|| Server::start(&folder.path().join("lab")));
    let script = match &server {
        Some(server) => script.replace(ADDRESS, &server.address),
        None => script.to_owned(),
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(tools.path().to_owned()).chain(std::env::split_paths(&path)),
    );
    let answer = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(folder.path())
        .env("PATH", path.unwrap())
        .env("EXAMPLES", built.join("examples"))
        .env("REAL_CARGO", env!("CARGO"))
        .env("ROOT", root())
        .output()
        .expect("bash starts");
    assert!(
        answer.status.success(),
        "{}: {}\n{script}\n{}\n{}",
        page.display(),
        answer.status,
        String::from_utf8_lossy(&answer.stdout),
        String::from_utf8_lossy(&answer.stderr)
    );
}
