//! Real sockets: the end in good order, slow clients, crowds, streams.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use deminer::roster::Roster;
use deminer_web::{Limits, Options, Server};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A server on a port of its own.
struct Running {
    address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
    _data: TempDir,
}

impl Running {
    fn start(limits: Limits) -> Self {
        let data = tempfile::tempdir().unwrap();
        let options =
            Options::local(data.path().to_owned(), Roster::new(deminer_artifacts::shipped()));
        let (end, ended) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let server = Server::bind(options, limits).await.unwrap();
                tell.send(server.address()).unwrap();
                server.run(async { drop(ended.await) }).await;
            });
        });
        let address = told.recv().unwrap();
        Self { address, end: Some(end), thread: Some(thread), _data: data }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// One request on a connection of its own; everything that comes back.
    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(head(self.address, method, path, body.len()).as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        rest(stream)
    }

    fn is_well(&self) -> bool {
        self.ask("GET", "/healthz", "").ends_with("ok")
    }

    /// Ends the server; how long that took.
    fn end(mut self) -> Duration {
        let since = Instant::now();
        let _ = self.end.take().unwrap().send(());
        self.thread.take().unwrap().join().unwrap();
        since.elapsed()
    }
}

/// Everything that still comes, until the server closes the connection or breaks it.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn head(address: SocketAddr, method: &str, path: &str, length: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
}

fn short() -> Limits {
    let millis = Duration::from_millis;
    Limits {
        connections: 64,
        head: millis(500),
        write: millis(500),
        end: millis(1500),
        ..Limits::default()
    }
}

#[test]
fn it_answers_and_ends_in_good_order() {
    let server = Running::start(short());
    assert!(server.is_well());
    let body = serde_json::json!({"rows": ["####", "#12#", "####"], "mines": 3}).to_string();
    assert!(server.ask("POST", "/api/v1/analyze", &body).starts_with("HTTP/1.1 200"));
    let idle = server.connect();
    let took = server.end();
    assert!(took < Duration::from_secs(2), "{took:?}");
    drop(idle);
}

#[test]
fn a_taken_port_is_told() {
    let server = Running::start(short());
    let data = tempfile::tempdir().unwrap();
    let mut options =
        Options::local(data.path().to_owned(), Roster::new(deminer_artifacts::shipped()));
    options.listen = server.address;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let error = runtime.block_on(Server::bind(options, short())).err().unwrap();
    assert!(error.to_string().contains("--port"), "{error}");
}

#[test]
fn heads_that_never_end_are_cut_off() {
    let server = Running::start(short());
    let mut slow = server.connect();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost:").unwrap();
    let since = Instant::now();
    rest(slow);
    assert!(since.elapsed() < Duration::from_secs(5));
    assert!(server.is_well());
}

#[test]
fn a_silent_crowd_does_not_lock_others_out() {
    let limits = Limits { head: Duration::from_secs(60), ..short() };
    let server = Running::start(limits);
    // Three thousand in all, but few enough at once for the files that one process may have.
    for wave in 0..10 {
        let mut crowd = Vec::new();
        for number in 0..300 {
            let mut stream = server.connect();
            if number % 2 == 0 {
                let _ = stream.write_all(b"POST /api/v1/analyze HTTP/1.1\r\n");
            }
            crowd.push(stream);
        }
        let since = Instant::now();
        assert!(server.is_well(), "{wave}");
        assert!(since.elapsed() < Duration::from_secs(3));
    }
}

#[test]
fn bodies_that_trickle_delay_no_other_client() {
    let server = Running::start(short());
    let head = head(server.address, "POST", "/api/v1/analyze", 1000);
    let slow: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(b"{").unwrap();
            stream
        })
        .collect();
    let body = serde_json::json!({"rows": ["####", "#12#", "####"], "mines": 3}).to_string();
    let since = Instant::now();
    assert!(server.ask("POST", "/api/v1/analyze", &body).starts_with("HTTP/1.1 200"));
    assert!(since.elapsed() < Duration::from_secs(3));
    drop(slow);
}

#[test]
fn clients_that_take_nothing_are_left() {
    let server = Running::start(short());
    let body = r#"{"agent":"lowest-risk","rules":{"board":"30x16x99"},"seed":1}"#;
    let mut lazy = server.connect();
    lazy.write_all(head(server.address, "POST", "/api/v1/play", body.len()).as_bytes()).unwrap();
    lazy.write_all(body.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(server.is_well());
    let took = server.end();
    assert!(took < Duration::from_secs(3), "{took:?}");
}

#[test]
fn garbage_and_giants_are_refused_while_others_are_served() {
    let server = Running::start(short());
    for garbage in [&b"\x16\x03\x01\x02\x00"[..], b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n\r\n"] {
        let mut stream = server.connect();
        let _ = stream.write_all(garbage);
        rest(stream);
    }
    let path = format!("/{}", "a".repeat(1_000_000));
    let mut giant = server.connect();
    let _ = giant.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes());
    rest(giant);
    let mut long = server.connect();
    long.write_all(head(server.address, "POST", "/api/v1/analyze", 1 << 40).as_bytes()).unwrap();
    let answer = rest(long);
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(server.is_well());
}

#[test]
fn a_stream_that_broke_goes_on() {
    let server = Running::start(short());
    let body = r#"{"agent":"single-point","rules":{"board":"9x9x10"},"seed":4}"#;
    let all = server.ask("POST", "/api/v1/play", body);
    let ids = |text: &str| text.lines().filter(|line| line.starts_with("id: ")).count();
    let mut stream = server.connect();
    let head = head(server.address, "POST", "/api/v1/play", body.len());
    let head = head.replace("\r\n\r\n", "\r\nLast-Event-ID: 1\r\n\r\n");
    stream.write_all((head + body).as_bytes()).unwrap();
    let rest = rest(stream);
    assert_eq!(ids(&rest) + 2, ids(&all));
    assert!(rest.contains("event: end"));
}

/// A server whose limits are small.
fn crowded() -> Running {
    let limits = Limits {
        connections: 48,
        connections_per_client: 40,
        bodies_per_client: 8,
        streams_per_client: 8,
        head: Duration::from_secs(60),
        write: Duration::from_secs(60),
        ..short()
    };
    Running::start(limits)
}

const POSITION: &str = r#####"{"rows":["####","#12#","####"],"mines":3}"#####;

/// More slow bodies than there are places: requests are answered all the same, and of the slow
/// ones all that are still connected are answered too.
#[test]
fn slow_bodies_do_not_lock_others_out() {
    let server = crowded();
    let mut slow = Vec::new();
    for number in 0..200 {
        let mut stream = server.connect();
        let large = number % 3 == 0;
        let length = if large { 4 << 20 } else { 1000 };
        let path = if large { "/api/v1/records" } else { "/api/v1/analyze" };
        stream.write_all(head(server.address, "POST", path, length).as_bytes()).unwrap();
        let _ = stream.write_all(b"{");
        slow.push(stream);
        if number % 20 == 19 {
            let since = Instant::now();
            assert!(server.is_well(), "{number}");
            assert!(server.ask("POST", "/api/v1/analyze", POSITION).starts_with("HTTP/1.1 200"));
            assert!(since.elapsed() < Duration::from_secs(3));
        }
    }
    let mut refused = 0;
    for stream in slow.drain(..150) {
        refused += usize::from(rest(stream).starts_with("HTTP/1.1 408"));
    }
    assert!(refused > 140, "{refused} of 150 were told");
}

/// More watchers than there are places.
#[test]
fn watchers_do_not_lock_others_out() {
    let server = crowded();
    let run =
        r#"{"kind":"tournament","spec":{"agents":["best"],"board":"expert","games":1000000}}"#;
    assert!(server.ask("POST", "/api/v1/runs", run).starts_with("HTTP/1.1 201"));
    let mut watchers = Vec::new();
    let mut refused = 0;
    for number in 0..100 {
        let mut stream = server.connect();
        let head = head(server.address, "GET", "/api/v1/runs/run-000001/events", 0);
        stream.write_all(head.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        refused += usize::from(&first == b"HTTP/1.1 503");
        watchers.push(stream);
        if number % 10 == 9 {
            assert!(server.is_well(), "{number}");
            assert!(server.ask("POST", "/api/v1/analyze", POSITION).starts_with("HTTP/1.1 200"));
        }
    }
    assert_eq!(refused, 92, "eight are watched at once");
    server.ask("POST", "/api/v1/runs/run-000001/stop", "");
    assert!(server.end() < Duration::from_secs(4));
}

/// Two long analyses whose clients left do not delay other clients.
#[test]
fn abandoned_analyses_delay_no_other_client() {
    let server = Running::start(short());
    let mut rows = vec![vec![b'#'; 100]; 100];
    for (at, cell) in rows.iter_mut().flatten().enumerate() {
        if at % 3 == 0 {
            *cell = b'1' + (at % 2) as u8;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
    let body = serde_json::json!({"rows": rows, "mines": 2000, "why": true}).to_string();
    for _ in 0..4 {
        let mut stream = server.connect();
        let head = head(server.address, "POST", "/api/v1/analyze", body.len());
        stream.write_all((head + &body).as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(100));
        drop(stream);
    }
    let since = Instant::now();
    for _ in 0..5 {
        assert!(server.ask("POST", "/api/v1/analyze", POSITION).starts_with("HTTP/1.1 200"));
    }
    assert!(since.elapsed() < Duration::from_secs(3), "{:?}", since.elapsed());
}
