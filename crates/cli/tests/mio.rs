//! The example server and its clients: bad peers and broken connections give clear errors.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

fn deminer() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deminer"));
    command.args(["train", "mio", "--threads", "1"]);
    command
}

/// A server that is ended with the test.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn new() -> Self {
        let mut child = deminer()
            .args(["--server", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut line = String::new();
        let stderr = child.stderr.take().expect("it is piped");
        let mut stderr = BufReader::new(stderr);
        stderr.read_line(&mut line).expect("it says where it listens");
        // What it says later is of no interest, but must not fill the pipe.
        thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        let address = line.trim().rsplit(' ').next().expect("an address").to_owned();
        Self { child, address }
    }

    /// What is answered to these lines.
    fn ask(&self, lines: &[&str]) -> Vec<String> {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        let mut stream = BufReader::new(stream);
        let answer = |line: &&str| {
            stream.get_mut().write_all(line.as_bytes()).expect("the server reads");
            stream.get_mut().write_all(b"\n").expect("the server reads");
            let mut answer = String::new();
            stream.read_line(&mut answer).expect("the server answers");
            answer
        };
        lines.iter().map(answer).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_answers_and_corrects_its_clients() {
    let server = Served::new();
    let begin =
        r#"{"version":1,"seed":1,"labels":"content","target":"safe","ask":{"begin":{"count":3}}}"#;
    let judge = |rule: &str| {
        format!(
            r#"{{"version":1,"seed":1,"labels":"content","target":"safe","ask":{{"judge":{{"round":1,"rules":["{rule}"]}}}}}}"#
        )
    };
    let answers = server.ask(&[
        "hello",
        &begin.replace("\"version\":1", "\"version\":2"),
        &begin.replace("safe", "likely"),
        &judge("safe(T, B) :- inSet(T, S)."),
        &judge("safe(T, B)."),
        begin,
    ]);
    assert!(answers[0].contains("the question cannot be read") && answers[0].contains("column"));
    assert!(answers[1].contains("version 2 is asked, version 1 is spoken here"), "{}", answers[1]);
    assert!(answers[2].contains("unknown variant `likely`"), "{}", answers[2]);
    assert!(answers[3].contains("line 1, column 24: inSet asks for a Set"), "{}", answers[3]);
    assert!(answers[4].contains("\"records\":[[") && answers[4].contains("\"counterexamples\":[{"));
    assert_eq!(answers[5].matches("\"board\"").count(), 3, "{}", answers[5]);
    // Another client, later, gets the same.
    assert_eq!(server.ask(&[begin])[0], answers[5]);
}

/// What a client says whose server writes this and hangs up.
fn hang_up(answer: &'static str) -> Output {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let server = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("the client comes");
        let mut stream = BufReader::new(stream);
        stream.read_line(&mut String::new()).expect("the client asks");
        stream.get_mut().write_all(answer.as_bytes()).expect("the client reads");
    });
    let output = deminer().args(["--client", &address]).output().expect("the program runs");
    server.join().expect("the server does not panic");
    output
}

#[test]
fn a_client_tells_how_its_server_was_lost() {
    let check = |answer, expected: &str| {
        let output = hang_up(answer);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(expected), "{message}");
        assert!(!output.status.success());
    };
    check("", "closed the connection before it answered");
    check("{\"examples\":[{\"board\":", "in the middle of its answer (line 1, column 23)");
    check("{\"examples\":3}\n", "answers in no known way: invalid type");
    check("{\"error\":\"no\"}\n", "says: no");
    let bad = "{\"examples\":[{\"board\":\"mines 1\\n# 1\",\"cell\":[0,1],\"label\":\"safe\"}]}\n";
    check(bad, "cell [0, 1] of an example is not covered");
    let output = deminer().args(["--client", "127.0.0.1:1"]).output().expect("the program runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("cannot reach an example server at 127.0.0.1:1"), "{message}");
}

#[test]
fn a_broken_theory_is_told_with_line_and_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.pl");
    std::fs::write(&path, "safe(T, B) :-\n  zone(T, B, Z).\n").expect("a file");
    let agent = format!("mio:{}", path.display());
    let output = Command::new(env!("CARGO_BIN_EXE_deminer"))
        .args(["bench", "--agent", &agent, "--board", "4x4x2", "--games", "1"])
        .output()
        .expect("the program runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("line 2, column 3: there is no predicate `zone`"), "{message}");
    assert!(!output.status.success());
}
