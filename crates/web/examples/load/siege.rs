//! A server among honest, slow, hostile and greedy clients.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

/// The first word of the process that is the server.
pub const SERVE: &str = "--serve";

const HONEST: usize = 16;
const SLOW: usize = 200;
const HOSTILE: usize = 50;
const GREEDY: usize = 4;

/// The server alone, on a free port that is printed, until it is killed.
pub fn serve(data: PathBuf) -> ExitCode {
    println!("{}", super::serve(data));
    loop {
        std::thread::park();
    }
}

/// The process of the server; it ends with this value.
struct Served(Child, PathBuf);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        let _ = std::fs::remove_dir_all(&self.1);
    }
}

/// Runs all clients for some minutes and prints what they saw.
pub fn run(minutes: u64) -> ExitCode {
    let data = std::env::temp_dir().join(format!("deminer-siege-{}", std::process::id()));
    let program = std::env::current_exe().expect("this program");
    let child = Command::new(program).arg(SERVE).arg(&data).stdout(Stdio::piped()).spawn();
    let mut served = Served(child.expect("a second process"), data);
    let mut line = String::new();
    let output = served.0.stdout.take().expect("it is piped");
    BufReader::new(output).read_line(&mut line).expect("the server prints its address");
    let address = line.trim().parse().expect("an address");
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let server = served.0.id();
    let unanswered = runtime.block_on(besiege(address, server, Duration::from_secs(60 * minutes)));
    match unanswered {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// What the clients of a group saw.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    /// Answers by their status; 0 where there was none.
    statuses: BTreeMap<u16, u64>,
    times: Vec<Duration>,
}

impl Seen {
    fn note(&self, status: u16, took: Duration) {
        let mut counts = self.0.lock().expect("no client panics");
        *counts.statuses.entry(status).or_default() += 1;
        if status == 200 {
            counts.times.push(took);
        }
    }

    fn count(&self, status: u16) -> u64 {
        self.0.lock().expect("no client panics").statuses.get(&status).copied().unwrap_or(0)
    }

    fn print(&self, name: &str) {
        let mut counts = self.0.lock().expect("no client panics");
        counts.times.sort();
        let times = &counts.times;
        let at = |share: f64| match times.len() {
            0 => 0.0,
            len => times[((len - 1) as f64 * share) as usize].as_secs_f64() * 1e3,
        };
        let told = |(status, count): (&u16, &u64)| match status {
            0 => format!("{count} closed without an answer"),
            status => format!("{count} x {status}"),
        };
        let told: Vec<String> = counts.statuses.iter().map(told).collect();
        println!(
            "{name}: {}; answers 200 after p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
            told.join(", "),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}

async fn besiege(address: SocketAddr, server: u32, span: Duration) -> u64 {
    let [honest, pings, slow, hostile, greedy] = [(); 5].map(|()| Seen::default());
    let bodies: Arc<Vec<String>> = Arc::new(super::bodies());
    let job =
        r#"{"kind":"tournament","spec":{"agents":["best"],"board":"expert","games":1000000}}"#;
    let started =
        ask(address, 1, 1, "POST", "/api/v1/runs", job).await.map_or(0, |(status, _)| status);
    assert_eq!(started, 201, "the tournament starts");
    let load = || std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load_before = load();
    let mut tasks = Vec::new();
    for number in 0..HONEST {
        let (seen, bodies) = (honest.clone(), Arc::clone(&bodies));
        tasks.push(tokio::spawn(async move {
            for turn in number * 7919.. {
                let body = &bodies[turn % bodies.len()];
                record(&seen, ask(address, 1, number, "POST", "/api/v1/analyze", body)).await;
                sleep(Duration::from_millis(100)).await;
            }
        }));
    }
    let seen = pings.clone();
    tasks.push(tokio::spawn(async move {
        loop {
            record(&seen, ask(address, 1, 100, "GET", "/healthz", "")).await;
            sleep(Duration::from_millis(500)).await;
        }
    }));
    for number in 0..SLOW {
        let seen = slow.clone();
        tasks.push(tokio::spawn(async move {
            loop {
                record(&seen, trickle(address, number)).await;
                sleep(Duration::from_millis(100)).await;
            }
        }));
    }
    for number in 0..HOSTILE {
        let seen = hostile.clone();
        tasks.push(tokio::spawn(async move {
            for turn in number.. {
                let _ =
                    timeout(Duration::from_secs(30), attack(address, number, turn, &seen)).await;
                sleep(Duration::from_millis(50)).await;
            }
        }));
    }
    for number in 0..GREEDY {
        let seen = greedy.clone();
        tasks.push(tokio::spawn(async move {
            let body = long();
            loop {
                record(&seen, ask(address, 4, number, "POST", "/api/v1/analyze", &body)).await;
            }
        }));
    }
    let mut memory = vec![resident(server)];
    for _ in 0..6 {
        sleep(span / 6).await;
        memory.push(resident(server));
    }
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
    let load_after = load();
    let load = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    println!(
        "{} s, {HONEST} honest clients, {SLOW} slow, {HOSTILE} hostile, {GREEDY} with long \
         analyses, a tournament; load of the machine {} before, {} after",
        span.as_secs(),
        load(&load_before),
        load(&load_after)
    );
    honest.print("honest analyses");
    pings.print("healthz");
    slow.print("slow bodies");
    hostile.print("hostile");
    greedy.print("long analyses");
    let memory: Vec<String> =
        memory.iter().map(|kilobytes| format!("{}", kilobytes >> 10)).collect();
    println!("memory of the server: {} MB", memory.join(", "));
    honest.count(0) + pings.count(0)
}

/// The memory of a process in kilobytes.
fn resident(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

type Asked = std::io::Result<(u16, Vec<u8>)>;

async fn record(seen: &Seen, asked: impl Future<Output = Asked>) {
    let since = Instant::now();
    let status = timeout(Duration::from_secs(90), asked).await;
    let status = status.map_or(0, |asked| asked.map_or(0, |(status, _)| status));
    seen.note(status, since.elapsed());
}

/// A connection from an address of this group.
async fn connect(address: SocketAddr, group: u8, number: usize) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let from = Ipv4Addr::new(127, 0, group, 1 + (number % 200) as u8);
    socket.bind(SocketAddr::from((from, 0)))?;
    socket.connect(address).await
}

fn head(address: SocketAddr, method: &str, path: &str, length: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
}

async fn ask(
    address: SocketAddr,
    group: u8,
    number: usize,
    method: &str,
    path: &str,
    body: &str,
) -> Asked {
    let mut stream = connect(address, group, number).await?;
    stream.write_all((head(address, method, path, body.len()) + body).as_bytes()).await?;
    answer(&mut stream).await
}

/// Reads to the end of the connection.
async fn answer(stream: &mut TcpStream) -> Asked {
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes).await;
    let status = bytes.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    match status {
        Some(status) => Ok((status, bytes)),
        None => Err(read.err().unwrap_or(std::io::ErrorKind::UnexpectedEof.into())),
    }
}

/// Sends a body byte by byte.
async fn trickle(address: SocketAddr, number: usize) -> Asked {
    let mut stream = connect(address, 2, number % 8).await?;
    stream.write_all(head(address, "POST", "/api/v1/analyze", 1000).as_bytes()).await?;
    let (mut reader, mut writer) = stream.split();
    let mut bytes = vec![0; 4096];
    loop {
        tokio::select! {
            read = reader.read(&mut bytes) => {
                let length = read?;
                let digits = bytes[..length].get(9..12).and_then(|digits| std::str::from_utf8(digits).ok());
                let status = digits.and_then(|digits| digits.parse().ok());
                let none = std::io::ErrorKind::UnexpectedEof.into();
                return status.map(|status| (status, Vec::new())).ok_or(none);
            }
            () = sleep(Duration::from_secs(2)) => writer.write_all(b"{").await?,
        }
    }
}

/// One of several bad manners.
async fn attack(
    address: SocketAddr,
    number: usize,
    turn: usize,
    seen: &Seen,
) -> std::io::Result<()> {
    let client = number % 4;
    let mut stream = connect(address, 3, client).await?;
    match turn % 5 {
        0 => stream.write_all(b"\x16\x03\x01 nonsense\r\n\r\n").await?,
        1 => stream.write_all(head(address, "POST", "/api/v1/analyze", 1 << 40).as_bytes()).await?,
        2 => {
            let body = long();
            let request = head(address, "POST", "/api/v1/analyze", body.len()) + &body;
            stream.write_all(request.as_bytes()).await?;
            sleep(Duration::from_millis(200)).await;
            return Ok(());
        }
        3 => {
            let path = "/api/v1/runs/run-000001/events";
            stream.write_all(head(address, "GET", path, 0).as_bytes()).await?;
            let mut bytes = [0; 512];
            let since = Instant::now();
            while since.elapsed() < Duration::from_secs(10) && stream.read(&mut bytes).await? > 0 {}
            return Ok(());
        }
        _ => {
            // Says nothing.
            sleep(Duration::from_secs(5)).await;
            return Ok(());
        }
    }
    record(seen, answer(&mut stream)).await;
    Ok(())
}

/// A position that takes long.
fn long() -> String {
    let cell = |at: usize| match at % 3 {
        0 => ['1', '2'][at % 2],
        _ => '#',
    };
    let rows: Vec<String> =
        (0..100).map(|row| (0..100).map(|column| cell(row * 100 + column)).collect()).collect();
    serde_json::json!({"rows": rows, "mines": 2000, "why": true}).to_string()
}
