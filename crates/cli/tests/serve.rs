//! The laboratory as a program: it prints its address, trains in a program of its own, and goes
//! on after it was killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_deminer"))
            .args(["serve", "--listen", "127.0.0.1:0", "--no-open", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().to_owned();
        Self { child, address }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn wait(&self, run: &str, words: &[&str]) -> String {
        let since = Instant::now();
        loop {
            let answer = self.ask("GET", &format!("/api/v1/runs/{run}"), "");
            if words.iter().all(|word| answer.contains(word)) {
                return answer;
            }
            assert!(since.elapsed() < Duration::from_secs(120), "{words:?} never came: {answer}");
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_training_survives_a_kill_of_the_server() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path());
    let long = r#"{"kind":"train","learner":"tree","options":{"games":200000,"depth":4}}"#;
    let begun = served.ask("POST", "/api/v1/runs", long);
    assert!(begun.starts_with("HTTP/1.1 201"), "{begun}");
    served.wait("run-000001", &[r#""state":"running""#, r#""total":200000"#]);
    drop(served);

    let served = Served::start(data.path());
    served.wait("run-000001", &[r#""state":"running""#, r#""total":200000"#]);
    served.ask("POST", "/api/v1/runs/run-000001/stop", "");
    served.wait("run-000001", &[r#""state":"stopped""#]);
    let short = r#"{"kind":"train","learner":"tree","options":{"games":20,"depth":3}}"#;
    served.ask("POST", "/api/v1/runs", short);
    served.wait("run-000002", &[r#""state":"finished""#, r#""artifact":"artifact.tree""#]);
    let tree = served.ask("GET", "/api/v1/runs/run-000002/artifact", "");
    assert!(tree.contains("deminer tree 1"), "{tree}");
}

#[test]
fn the_page_is_there_within_a_second() {
    let start = || {
        let data = tempfile::tempdir().unwrap();
        let since = Instant::now();
        let served = Served::start(data.path());
        let page = served.ask("GET", "/", "");
        assert!(page.contains("<title>deminer") && page.contains("assets/"), "{page}");
        since.elapsed()
    };
    // The best of three is what a machine does that is not busy.
    let took = (0..3).map(|_| start()).min().unwrap();
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn a_taken_port_is_a_clear_error() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path());
    let again = Command::new(env!("CARGO_BIN_EXE_deminer"))
        .args(["serve", "--no-open", "--listen", &served.address, "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(1));
    let message = String::from_utf8_lossy(&again.stderr);
    assert!(message.contains("choose another port with --port"), "{message}");
}

#[cfg(unix)]
#[test]
fn an_order_to_end_is_followed_in_good_order() {
    let data = tempfile::tempdir().unwrap();
    let mut served = Served::start(data.path());
    assert!(served.ask("GET", "/healthz", "").ends_with("ok"));
    let order = Command::new("kill").arg(served.child.id().to_string()).status().unwrap();
    assert!(order.success());
    assert!(served.child.wait().unwrap().success());
}
