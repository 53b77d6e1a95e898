//! `deminer serve`: the web laboratory and the HTTP interface.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use deminer_web::{Options, RefusedTraining};

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::{Cli, Command as Verb};

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
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7654")]
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

impl Args {
    pub fn run(mut self, output: &Output) -> Done {
        if let Some(port) = self.port {
            self.listen.set_port(port);
        }
        let data = match self.data {
            Some(data) => data,
            None => data_folder().context("there is no data folder: name one with --data DIR")?,
        };
        let program = std::env::current_exe().context("cannot find this program")?;
        let open = self.open || (!self.no_open && std::io::stdout().is_terminal());
        let open = open && self.listen.ip().is_loopback();
        if !self.listen.ip().is_loopback() {
            let jobs = if self.allow_jobs { ", and start runs" } else { "" };
            output.note(format_args!(
                "whoever reaches {} can play and analyze here{jobs}",
                self.listen
            ));
        }
        let options = Options {
            listen: self.listen,
            data,
            allow_jobs: self.allow_jobs,
            names: self.names,
            program,
            check_training,
        };
        let mut printed = Ok(());
        let served = deminer_web::serve(options, |address| {
            printed = output.print(format_args!("http://{address}\n"));
            output.note("Ctrl-C ends it");
            if open {
                browse(&format!("http://{address}"));
            }
        });
        printed?;
        served.map_err(Failure::from)
    }
}

/// Checks the arguments of a training as this program would.
fn check_training(words: &[String]) -> Result<(), RefusedTraining> {
    let program = [env!("CARGO_PKG_NAME")].into_iter().map(str::to_owned);
    let cli = Cli::try_parse_from(program.chain(words.iter().cloned())).map_err(refused)?;
    let Verb::Train(args) = cli.command else { unreachable!("the words begin with train") };
    args.check().map_err(|failure| RefusedTraining { option: None, message: failure.to_string() })
}

/// What the reader of arguments says, without its hints for a terminal.
fn refused(error: clap::Error) -> RefusedTraining {
    // Such as `--board <BOARD>`.
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.first().cloned(),
        other => other.map(ToString::to_string),
    };
    let option = option
        .and_then(|text| text.strip_prefix("--")?.split([' ', '=']).next().map(str::to_owned));
    if let (ErrorKind::MissingRequiredArgument, Some(option)) = (error.kind(), &option) {
        let message = format!("the other options need `{option}` too");
        return RefusedTraining { message, option: Some(option.clone()) };
    }
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    let words = || {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        first.trim_start_matches("error: ").to_owned()
    };
    let expected = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => Some(format!("use one of {}", values.join(", "))),
        _ => None,
    };
    RefusedTraining { option, message: cause.or(expected).unwrap_or_else(words) }
}

/// The user's folder for data, by the customs of the system.
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

/// Opens a page in the user's browser, if there is one; the address is printed anyway.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str) -> Result<(), RefusedTraining> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        check_training(&words)
    }

    fn refused_at(words: &str) -> (Option<String>, String) {
        let refused = check(words).expect_err(words);
        assert!(!refused.message.contains("--help"), "{}", refused.message);
        (refused.option, refused.message)
    }

    #[test]
    fn trainings_that_can_be_are_accepted() {
        check("train tree --board=9x9x10 --games=10 --out=artifact.tree").unwrap();
        check("train q-table --board=4x4x3 --out=artifact.q").unwrap();
        check("train gp --board=9x9x10 --out=artifact.genome").unwrap();
        check("train quartetti --population=20 --out=artifact.genome").unwrap();
        check("train mio --beyond --rounds=3 --out=artifact.pl").unwrap();
    }

    #[test]
    fn wrong_options_are_named_before_anything_starts() {
        let (option, message) = refused_at("train tree --board=banana");
        assert_eq!(option.as_deref(), Some("board"));
        assert!(message.contains("banana"), "{message}");
        assert_eq!(refused_at("train tree --depth=200").0.as_deref(), Some("depth"));
        let (option, message) = refused_at("train tree --features=smell");
        assert_eq!(option.as_deref(), Some("features"));
        assert!(message.contains("symmetric"), "{message}");
        let (option, message) = refused_at("train mio --rounds=3");
        assert_eq!((option.as_deref(), message.contains("`beyond`")), (Some("beyond"), true));
        assert_eq!(refused_at("train gp --board=9x9").0.as_deref(), Some("board"));
        assert!(refused_at("train q-table --board=30x16x99").1.contains("too many views"));
        assert!(refused_at("train tree --shape=hex").1.contains("hex"));
    }

    #[cfg(feature = "neural")]
    #[test]
    fn networks_of_several_boards_ask_for_one() {
        let (_, message) = refused_at("train cnn-5x5 --out=artifact.safetensors");
        assert!(message.contains("--board"), "{message}");
        check("train cnn-5x5 --board=7x7x5 --out=artifact.safetensors").unwrap();
        assert!(refused_at("train sla-small --epochs=3").1.contains("--games"));
    }
}
