//! What all endpoints share.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use std::{fs, io};

use crate::jobs::{CheckTraining, Jobs};
use crate::problem::Problem;
use crate::records::Records;
use crate::work::Lane;

/// How the laboratory is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where runs and records are kept.
    pub data: PathBuf,
    /// Whether runs may be started and records kept by whoever reaches the server, even if that
    /// is more than this machine.
    pub allow_jobs: bool,
    /// Names that this server goes by, beside addresses and `localhost`.
    pub names: Vec<String>,
    /// The program that trains: `deminer` itself.
    pub program: PathBuf,
    /// Checks the arguments of a training as that program does.
    pub check_training: CheckTraining,
}

impl Options {
    /// For this machine alone, on whatever port is free.
    pub fn local(data: PathBuf) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data,
            allow_jobs: false,
            names: Vec::new(),
            program: "deminer".into(),
            check_training: |_| Ok(()),
        }
    }
}

/// The state of the server; clones are the same.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    options: Options,
    quick: Lane,
    slow: Lane,
    jobs: Jobs,
    records: Records,
}

impl App {
    /// Makes the data folder and goes on with the runs in it.
    pub fn open(options: Options) -> io::Result<Self> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let folder = |name: &str| -> io::Result<PathBuf> {
            let path = options.data.join(name);
            fs::create_dir_all(&path).map_err(|error| {
                let message = format!("cannot make the folder {}: {error}", path.display());
                io::Error::new(error.kind(), message)
            })?;
            Ok(path)
        };
        let jobs = Jobs::open(folder("runs")?, options.program.clone(), options.check_training)?;
        let records = Records::new(folder("records")?);
        // A burst of 16 clients on two cores waits, it is not refused.
        let waiting = 64 * cores;
        Ok(Self(Arc::new(Shared {
            quick: Lane::new(cores, waiting, Duration::from_secs(20)),
            slow: Lane::new(cores, waiting, Duration::from_secs(60)),
            jobs,
            records,
            options,
        })))
    }

    /// How it is served.
    pub fn options(&self) -> &Options {
        &self.0.options
    }

    /// For what takes milliseconds.
    pub(crate) fn quick(&self) -> &Lane {
        &self.0.quick
    }

    /// For agents, which may take as long as they like over a decision.
    pub(crate) fn slow(&self) -> &Lane {
        &self.0.slow
    }

    /// Runs and trainings.
    pub(crate) fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }

    /// Kept games.
    pub(crate) fn records(&self) -> &Records {
        &self.0.records
    }

    /// Refuses to change anything on behalf of other machines.
    pub(crate) fn may_keep(&self) -> Result<(), Problem> {
        let options = self.options();
        match options.allow_jobs || options.listen.ip().is_loopback() {
            true => Ok(()),
            false => Err(Problem::forbidden(
                "this server is open to other machines: runs and records need --allow-jobs",
            )),
        }
    }
}
