//! `deminer serve`: the web laboratory and the HTTP interface.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;
use deminer::roster::Roster;
use deminer_lab::disk::Disk;
use deminer_web::Options;

use crate::failure::{Done, Failure};
use crate::output::Output;

/// Open the laboratory in the browser: play, analyze, review, watch, measure; serve the HTTP API.
///
/// Prints the address. Only this machine can reach it unless --listen says otherwise. Ctrl-C
/// stops it; tournaments and trainings resume at the next start.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer serve
  deminer serve --port 8080
  deminer serve --listen 127.0.0.1:8080 --data lab --no-open
  curl http://127.0.0.1:7654/api/v1/agents")]
pub struct Args {
    /// The address to listen on; port 0 picks a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7654", value_parser = address)]
    listen: SocketAddr,

    /// The port to listen on, on this machine only; 0 picks a free port.
    #[arg(long, value_name = "PORT", conflicts_with = "listen")]
    port: Option<u16>,

    /// The folder for runs and records; default: your user data folder.
    #[arg(long, value_name = "DIR", env = "DEMINER_DATA")]
    data: Option<PathBuf>,

    /// Let other machines start runs and save records too (with --listen).
    #[arg(long)]
    allow_jobs: bool,

    /// Another host name of this server, besides its address and localhost.
    #[arg(long = "host", value_name = "NAME")]
    names: Vec<String>,

    /// Open the page in a browser; the default on a terminal.
    #[arg(long, overrides_with = "no_open")]
    open: bool,

    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "use IP:PORT, such as 0.0.0.0:7654".to_owned())
}

impl Args {
    pub fn run(mut self, roster: &Roster, output: &Output) -> Done {
        if let Some(port) = self.port {
            self.listen.set_port(port);
        }
        let data = match self.data {
            Some(data) => data,
            None => data_folder().context("found no user data folder: name one with --data DIR")?,
        };
        let program = std::env::current_exe().context("cannot find this program")?;
        let open = self.open || (!self.no_open && std::io::stdout().is_terminal());
        let open = open && self.listen.ip().is_loopback();
        if !self.listen.ip().is_loopback() {
            let jobs = if self.allow_jobs { ", and start runs" } else { "" };
            output.note(format_args!(
                "every machine that can reach {} can play and analyze here{jobs}",
                self.listen
            ));
        }
        let options = Options {
            roster: roster.clone(),
            listen: self.listen,
            data,
            allow_jobs: self.allow_jobs,
            names: self.names,
            program,
            disk: Disk::default(),
        };
        let mut printed = Ok(());
        let served = deminer_web::serve(options, |address| {
            printed = output.print(format_args!("http://{address}\n"));
            output.note("Ctrl-C stops the server");
            if open {
                browse(&format!("http://{address}"));
            }
        });
        printed?;
        served.map_err(Failure::from)
    }
}

/// The data folder of the user, according to the operating system.
fn data_folder() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let data = match std::env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("HOME").map(|home| home.join("Library/Application Support")),
        _ => {
            let home = || folder("HOME").map(|home| home.join(".local/share"));
            folder("XDG_DATA_HOME").filter(|folder| folder.is_absolute()).or_else(home)
        }
    };
    data.map(|data| data.join("deminer"))
}

/// Opens the page in a browser. Failure is ignored: the address is printed anyway.
fn browse(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "windows" => ("cmd", &["/C", "start", ""]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let quiet = Stdio::null;
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet());
    let _ = command.spawn();
}
