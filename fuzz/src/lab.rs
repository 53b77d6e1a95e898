//! The laboratory: parts of durable runs, run specs, and the web server without a socket.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use deminer::roster::Roster;
use deminer_lab::durable::{RunDir, RunSpec};
use deminer_web::{App, Options, router};
use http_body_util::BodyExt;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// Any text as a run spec.
pub fn run_specs(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(spec) = RunSpec::parse(text, &Roster::default()) {
        assert!(!spec.fingerprint().is_empty());
        assert!(spec.shards() <= spec.games());
        assert_eq!(spec.games_of(0).start, 0);
    }
}

/// A played run, and one of its parts, which is damaged.
struct Run {
    folder: TempDir,
    part: PathBuf,
    whole: Vec<u8>,
}

fn played() -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        "agents = [\"single-point\", \"random\"]\nboard = \"5x5x4\"\ngames = 20\nshard = 20\n";
    let spec = RunSpec::parse(text, &Roster::default()).expect("a spec");
    let run = RunDir::open(folder.path().join("run"), &spec).expect("a new run");
    run.run(std::num::NonZero::<usize>::MIN, &Default::default(), |_| {}).expect("played");
    let mut found = Vec::new();
    let mut folders = vec![run.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    let is_part = |path: &PathBuf| path.extension().is_some_and(|end| end == "parquet");
    let part = found.into_iter().find(is_part).expect("a part");
    let whole = fs::read(&part).expect("the part");
    Run { folder, part, whole }
}

/// A part with some bytes changed, or any bytes at all: either the rows that were played, or an
/// error.
pub fn durable_parts(bytes: &[u8]) {
    static RUN: OnceLock<Run> = OnceLock::new();
    let run = RUN.get_or_init(played);
    let damaged = match bytes.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        _ => {
            let mut damaged = run.whole.clone();
            for change in bytes.chunks_exact(4) {
                let at = usize::from(change[0]) << 8 | usize::from(change[1]);
                let length = damaged.len();
                match change[3] {
                    0 => damaged.truncate(at),
                    1 if at < length => drop(damaged.remove(at)),
                    2 => damaged.insert(at.min(length), change[2]),
                    _ if length > 0 => damaged[at % length] ^= change[2],
                    _ => {}
                }
            }
            damaged
        }
    };
    fs::write(&run.part, &damaged).expect("a part is written");
    let found = RunDir::existing(run.folder.path().join("run")).expect("the run").rows(0);
    assert!(found.is_err() || damaged == run.whole, "a damaged part was read");
}

/// The server's insides.
struct Server {
    runtime: Runtime,
    router: Router,
    _data: TempDir,
}

/// What is posted; paths that start work which goes on are not among them.
const PATHS: &[&str] = &[
    "analyze",
    "hint",
    "boards",
    "coach",
    "measure",
    "convert",
    "picture",
    "play",
    "artifacts/lowest-risk/walk",
];

/// A body for one of the paths. Answers are never faults of the server.
pub fn http(bytes: &[u8]) {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let server = SERVER.get_or_init(|| {
        let data = tempfile::tempdir().expect("a folder");
        let roster = Roster::new(deminer_artifacts::shipped());
        let options = Options::local(data.path().to_owned(), roster);
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let router = runtime.block_on(async { router(App::open(options).expect("a server")) });
        Server { runtime, router, _data: data }
    });
    let Some((&choice, body)) = bytes.split_first() else { return };
    let path = PATHS[usize::from(choice) % PATHS.len()];
    let request = Request::post(format!("/api/v1/{path}"))
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Body::from(body.to_vec()))
        .expect("a request");
    let status = server.runtime.block_on(async {
        let answer = server.router.clone().oneshot(request).await.expect("routers never fail");
        let (parts, body) = answer.into_parts();
        let _ = body.collect().await;
        parts.status
    });
    assert_ne!(status.as_u16(), 500, "/api/v1/{path}");
}
