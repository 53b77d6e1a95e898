//! Servers as processes: the laboratory, which trains in a program of its own and goes on after it
//! was killed, and the example server of `train mio` with its clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

fn deminer(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deminer"));
    command.args(arguments);
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A server that is ended with the test.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    /// The laboratory; it prints its address.
    fn laboratory(data: &Path) -> Self {
        let mut child = deminer(&["serve", "--listen", "127.0.0.1:0", "--no-open", "--data"])
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

    /// The example server; it notes its address.
    fn of_examples() -> Self {
        let mut child = mio(&["--server", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut line).unwrap();
        // What it says later is of no interest, but must not fill the pipe.
        thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        Self { child, address }
    }

    /// What the example server answers to these lines.
    fn ask_lines(&self, lines: &[&str]) -> Vec<String> {
        let mut stream = BufReader::new(TcpStream::connect(&self.address).unwrap());
        let answer = |line: &&str| {
            stream.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_line(&mut answer).unwrap();
            answer
        };
        lines.iter().map(answer).collect()
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

fn mio(arguments: &[&str]) -> Command {
    deminer(&[&["train", "mio", "--threads", "1"], arguments].concat())
}

#[test]
fn a_training_survives_a_kill_of_the_server() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::laboratory(data.path());
    let long = r#"{"kind":"train","learner":"tree","options":{"games":200000,"depth":4}}"#;
    let begun = served.ask("POST", "/api/v1/runs", long);
    assert!(begun.starts_with("HTTP/1.1 201"), "{begun}");
    served.wait("run-000001", &[r#""state":"running""#, r#""total":200000"#]);
    drop(served);

    let served = Served::laboratory(data.path());
    served.wait("run-000001", &[r#""state":"running""#, r#""total":200000"#]);
    served.ask("POST", "/api/v1/runs/run-000001/stop", "");
    served.wait("run-000001", &[r#""state":"stopped""#]);
    let short = r#"{"kind":"train","learner":"tree","options":{"games":20,"depth":3}}"#;
    served.ask("POST", "/api/v1/runs", short);
    served.wait("run-000002", &[r#""state":"finished""#, r#""artifact":"artifact.tree""#]);
    let tree = served.ask("GET", "/api/v1/runs/run-000002/artifact", "");
    assert!(tree.contains("deminer tree 1"), "{tree}");
}

/// The process that has a lock file.
#[cfg(target_os = "linux")]
fn holder(lock: &Path) -> u32 {
    let since = Instant::now();
    loop {
        let text = std::fs::read_to_string(lock).unwrap_or_default();
        if let Some(process) = text.trim().strip_prefix("process ") {
            return process.parse().unwrap();
        }
        assert!(since.elapsed() < Duration::from_secs(60), "{}: {text}", lock.display());
        sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_training_ends_with_its_server() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::laboratory(data.path());
    let long = r#"{"kind":"train","learner":"mio","options":{"beyond":true}}"#;
    let begun = served.ask("POST", "/api/v1/runs", long);
    assert!(begun.starts_with("HTTP/1.1 201"), "{begun}");
    let training = holder(&data.path().join("runs/run-000001/artifact.checkpoint.lock"));
    assert_ne!(training, served.child.id());
    drop(served);
    let since = Instant::now();
    while Path::new(&format!("/proc/{training}")).exists() {
        assert!(since.elapsed() < Duration::from_secs(10), "process {training} lives on");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn networks_save_what_they_learned_when_they_are_stopped() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::laboratory(data.path());
    for (number, learner) in (1..).zip(["cnn-5x5", "convnet"]) {
        let order = format!(
            r#"{{"kind":"train","learner":"{learner}","options":{{"board":"16x16x40","games":30,"batch":64}}}}"#
        );
        let begun = served.ask("POST", "/api/v1/runs", &order);
        assert!(begun.starts_with("HTTP/1.1 201"), "{begun}");
        let run = format!("run-{number:06}");
        served.wait(&run, &[r#""total":10000"#]);
        served.ask("POST", &format!("/api/v1/runs/{run}/stop"), "");
        let since = Instant::now();
        served.wait(&run, &[r#""state":"stopped""#]);
        println!("{learner} stopped after {:.2} s", since.elapsed().as_secs_f64());
        let checkpoint = data.path().join(format!("runs/{run}/artifact.checkpoint"));
        assert!(checkpoint.exists(), "{learner} was ended before it had saved");
    }
}

#[test]
fn a_second_server_is_told_who_has_the_data() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::laboratory(data.path());
    let again = deminer(&["serve", "--no-open", "--port", "0", "--data"]).arg(data.path()).output();
    let again = again.unwrap();
    assert_eq!(again.status.code(), Some(1));
    let message = stderr(&again);
    let holder = format!("in use by another deminer (process {})", served.child.id());
    assert!(message.contains(&holder) && message.contains("--data"), "{message}");
}

#[test]
fn the_page_is_there_within_a_second() {
    let start = || {
        let data = tempfile::tempdir().unwrap();
        let since = Instant::now();
        let served = Served::laboratory(data.path());
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
    let served = Served::laboratory(data.path());
    let again = ["serve", "--no-open", "--listen", &served.address, "--data"];
    let again = deminer(&again).arg(data.path()).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    let message = stderr(&again);
    assert!(message.contains("choose another port with --port"), "{message}");
}

#[cfg(unix)]
#[test]
fn an_order_to_end_is_followed_in_good_order() {
    let data = tempfile::tempdir().unwrap();
    let mut served = Served::laboratory(data.path());
    assert!(served.ask("GET", "/healthz", "").ends_with("ok"));
    let order = Command::new("kill").arg(served.child.id().to_string()).status().unwrap();
    assert!(order.success());
    assert!(served.child.wait().unwrap().success());
}

#[test]
fn a_server_answers_and_corrects_its_clients() {
    let server = Served::of_examples();
    let begin =
        r#"{"version":1,"seed":1,"labels":"content","target":"safe","ask":{"begin":{"count":3}}}"#;
    let judge = |rule: &str| {
        format!(
            r#"{{"version":1,"seed":1,"labels":"content","target":"safe","ask":{{"judge":{{"round":1,"rules":["{rule}"]}}}}}}"#
        )
    };
    let answers = server.ask_lines(&[
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
    assert_eq!(server.ask_lines(&[begin])[0], answers[5]);
}

/// What a client says whose server writes this and hangs up.
fn hang_up(answer: &'static str) -> Output {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        stream.read_line(&mut String::new()).unwrap();
        stream.get_mut().write_all(answer.as_bytes()).unwrap();
    });
    let output = mio(&["--client", &address]).output().unwrap();
    server.join().unwrap();
    output
}

#[test]
fn a_client_tells_how_its_server_was_lost() {
    let check = |answer, expected: &str| {
        let output = hang_up(answer);
        let message = stderr(&output);
        assert!(message.contains(expected), "{message}");
        assert!(!output.status.success());
    };
    check("", "closed the connection before it answered");
    check("{\"examples\":[{\"board\":", "in the middle of its answer (line 1, column 23)");
    check("{\"examples\":3}\n", "answers in no known way: invalid type");
    check("{\"error\":\"no\"}\n", "says: no");
    let bad = "{\"examples\":[{\"board\":\"mines 1\\n# 1\",\"cell\":[0,1],\"label\":\"safe\"}]}\n";
    check(bad, "cell [0, 1] of an example is not covered");
    let message = stderr(&mio(&["--client", "127.0.0.1:1"]).output().unwrap());
    assert!(message.contains("cannot reach an example server at 127.0.0.1:1"), "{message}");
}

#[test]
fn a_broken_theory_is_told_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.pl");
    std::fs::write(&path, "safe(T, B) :-\n  zone(T, B, Z).\n").unwrap();
    let agent = format!("mio:{}", path.display());
    let bench = ["bench", "--agent", &agent, "--board", "4x4x2", "--games", "1"];
    let output = deminer(&bench).output().unwrap();
    let message = stderr(&output);
    assert!(message.contains("line 2, column 3: there is no predicate `zone`"), "{message}");
    assert!(!output.status.success());
}
