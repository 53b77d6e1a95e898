//! Many clients at once: how long they wait, and what becomes of those that behave badly.
//!
//! ```text
//! cargo run --release -p deminer-web --example load -- [CLIENTS] [REQUESTS]
//! cargo run --release -p deminer-web --example load -- --minutes N
//! ```
//!
//! The first form measures analyses alone: sixteen clients, each on a connection of its own, send
//! expert positions of the corpus one after another to a server in this process. Round trips are
//! printed as p50, p99 and the longest.
//!
//! The second form (on Linux) adds slow, hostile and greedy clients, each group with addresses of
//! its own on the loopback network, to a server in another process, and prints what the honest ones
//! see, the answers that the others get, and the memory of the server over time. It fails if an honest
//! request is not answered.

mod siege;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use deminer::roster::Roster;
use deminer_game::View;
use deminer_web::{Limits, Options, Server};

const USAGE: &str = "usage: cargo xtask load [CLIENTS] [REQUESTS]
       cargo xtask load --minutes N";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let ordered = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [siege::SERVE, data] => return siege::serve(data.into()),
        ["--minutes", minutes] => match minutes.parse() {
            Ok(minutes @ 1..=600) => return siege::run(minutes),
            _ => Err(format!("--minutes is a whole number from 1 to 600, not `{minutes}`")),
        },
        _ => amounts(&words),
    };
    match ordered {
        Ok((clients, requests)) => {
            measure(clients, requests);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// How many clients there are, and how many requests each of them sends.
fn amounts(words: &[String]) -> Result<(usize, usize), String> {
    if let Some(word) = words.get(2) {
        return Err(format!("`{word}` is one argument too many"));
    }
    let amount = |at: usize, name: &str, usual: usize, most: usize| {
        let Some(word) = words.get(at) else { return Ok(usual) };
        let fits = word.parse().ok().filter(|amount| (1..=most).contains(amount));
        fits.ok_or_else(|| format!("{name} is a whole number from 1 to {most}, not `{word}`"))
    };
    Ok((amount(0, "CLIENTS", 16, 1000)?, amount(1, "REQUESTS", 200, 1_000_000)?))
}

/// Prints how long the clients waited.
fn measure(clients: usize, requests: usize) {
    let data = std::env::temp_dir().join(format!("deminer-load-{}", std::process::id()));
    let address = serve(data.clone());
    let bodies = bodies();
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let client = |number: usize| {
            let bodies = &bodies;
            scope.spawn(move || ask(address, bodies, number, requests))
        };
        let clients: Vec<_> = (0..clients).map(client).collect();
        clients.into_iter().flat_map(|client| client.join().expect("clients end well")).collect()
    });
    let _ = std::fs::remove_dir_all(data);
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{clients} clients, {} analyses of {} expert positions: p50 {:.2} ms, p99 {:.2} ms, \
         longest {:.2} ms",
        times.len(),
        bodies.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn serve(data: PathBuf) -> SocketAddr {
    let options = Options::local(data, Roster::new(deminer_artifacts::shipped()));
    let (tell, told) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("threads");
        runtime.block_on(async {
            let server = Server::bind(options, Limits::default()).await.expect("a free port");
            tell.send(server.address()).expect("someone waits");
            server.run(std::future::pending()).await;
        });
    });
    told.recv().expect("the server starts")
}

/// Expert positions of the corpus as requests.
fn bodies() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../boards/corpus/positions.txt");
    let text = std::fs::read_to_string(path).expect("boards/corpus/positions.txt");
    let blocks = text.split(">").filter_map(|block| block.split_once('\n'));
    let expert = blocks.filter(|(name, _)| name.trim().starts_with("expert"));
    let views = expert.map(|(_, rows)| rows.parse::<View>().expect("a position of the corpus"));
    let body = |view: View| {
        let rows = deminer::documents::rows(view.shape(), |cell| view.face(cell).to_string());
        let rows: Vec<String> = rows.into_iter().map(|row| row.concat()).collect();
        serde_json::json!({"rows": rows, "mines": view.rules().mines()}).to_string()
    };
    views.map(body).collect()
}

/// The times of one client's requests.
fn ask(address: SocketAddr, bodies: &[String], first: usize, requests: usize) -> Vec<Duration> {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_nodelay(true).expect("a socket");
    let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
    let mut times = Vec::with_capacity(requests);
    for number in 0..requests {
        let body = &bodies[(first * 7919 + number) % bodies.len()];
        let request = format!(
            "POST /api/v1/analyze HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let since = Instant::now();
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("the server answers");
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
            assert!(!line.starts_with("HTTP/1.1 5"), "{line}");
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).expect("the whole answer");
        times.push(since.elapsed());
    }
    times
}
