//! A web service of your own: POST a position as text, get its analysis as JSON.
//!
//! `cargo run -p deminer --example web_embedding -- 127.0.0.1:8080`, then
//! `curl --data-binary $'mines 1\n# 1\n# 1' 127.0.0.1:8080`.
//! Without an address it serves one request of its own and ends.

use std::env;
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use deminer::documents::AnalysisDocument;
use deminer::{View, analyze};

/// The longest body that is read.
const LONGEST: usize = 100_000;

/// The analysis of a position as JSON, or what is wrong with the text.
fn answer(body: &str) -> Result<String, Box<dyn Error>> {
    let view: View = body.parse()?;
    Ok(serde_json::to_string(&AnalysisDocument::of(&view, &analyze(&view)))?)
}

fn serve(mut stream: TcpStream) -> Result<(), Box<dyn Error>> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse::<usize>()?.min(LONGEST);
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (status, text) = match answer(&String::from_utf8_lossy(&body)) {
        Ok(json) => ("200 OK", json),
        Err(error) => ("422 Unprocessable Content", error.to_string()),
    };
    let size = text.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-length: {size}\r\nconnection: close\r\n\r\n{text}"
    )?;
    Ok(())
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // Inside a test the arguments belong to the test runner.
    if let Some(address) = env::args().nth(1).filter(|_| !cfg!(test)) {
        for stream in TcpListener::bind(address)?.incoming() {
            let _ = thread::spawn(|| stream.map(|stream| serve(stream).is_ok()));
        }
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server =
        thread::spawn(move || listener.accept().is_ok_and(|(stream, _)| serve(stream).is_ok()));
    let mut client = TcpStream::connect(address)?;
    let position = "mines 1\n# 1\n# 1";
    write!(client, "POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{position}", position.len())?;
    let mut reply = String::new();
    client.read_to_string(&mut reply)?;
    println!("{reply}");
    assert!(server.join().unwrap_or(false) && reply.contains("\"mine_probability\":[[0.5,null]"));
    Ok(())
}
