//! The state that all endpoints share, and the options of the server.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use deminer::requests::{Context, Request};
use deminer::roster::Roster;
use deminer_game::Artifacts;
use deminer_lab::disk::{Claim, Disk};
use deminer_lab::tournament::{any_seed, thread_micros};

use crate::jobs::Jobs;
use crate::problem::Problem;
use crate::records::Records;
use crate::site::Site;
use crate::work::{Client, Lane, Stop};

/// The options of the server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The agents, with the artifacts they play with.
    pub roster: Roster,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The folder for runs and records.
    pub data: PathBuf,
    /// Whether other machines may start runs and save records too.
    pub allow_jobs: bool,
    /// Host names of this server, besides addresses and `localhost`.
    pub names: Vec<String>,
    /// The program that trains: `deminer` itself.
    pub program: PathBuf,
    /// How files are kept.
    pub disk: Disk,
}

impl Options {
    /// For this machine only, on a free port.
    pub fn local(data: PathBuf, roster: Roster) -> Self {
        Self {
            roster,
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data,
            allow_jobs: false,
            names: Vec::new(),
            program: "deminer".into(),
            disk: Disk::default(),
        }
    }
}

/// Computations that wait in a lane at most: a burst of clients waits instead of being refused,
/// and all that wait in both lanes have room among the connections.
const WAITING: usize = 96;

/// How long a server waits for the one before it to leave the data folder.
const PATIENCE: Duration = Duration::from_secs(2);

/// The state of the server; clones share it.
#[derive(Clone)]
pub struct App {
    shared: Arc<Shared>,
    /// Whose request this is for.
    client: Client,
}

struct Shared {
    options: Options,
    quick: Lane,
    slow: Lane,
    jobs: Jobs,
    records: Records,
    site: Site,
}

/// The state, for the client of a request.
impl FromRequestParts<App> for App {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let client = parts.extensions.get::<Client>().copied().unwrap_or(Client::HERE);
        Ok(Self { shared: Arc::clone(&app.shared), client })
    }
}

/// A lane, for one client.
pub(crate) struct ClientLane<'a> {
    lane: &'a Lane,
    client: Client,
}

impl ClientLane<'_> {
    /// Runs `work` on its own thread, as [`Lane::run`] does.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.lane.run(self.client, work).await
    }
}

impl App {
    /// Creates the data folder and resumes the runs in it. An error if another server has it.
    pub fn open(options: Options) -> io::Result<Self> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let wrong = |doing: &str, path: &Path, error: io::Error| {
            let message = format!("cannot {doing} {}: {error}", path.display());
            io::Error::new(error.kind(), message)
        };
        let disk = &options.disk;
        let folder = |name: &str| -> io::Result<PathBuf> {
            let path = options.data.join(name);
            disk.make_folders(&path).map_err(|error| wrong("create the folder", &path, error))?;
            Ok(path)
        };
        let (runs, records) = (folder("runs")?, folder("records")?);
        let server = options.data.join("server");
        let claim = Claim::take_within(disk, &server, PATIENCE)
            .map_err(|error| wrong("lock the folder", &options.data, error))?;
        let claim = claim.map_err(|holder| {
            io::Error::other(format!(
                "{} is in use by another deminer ({holder}); stop it, or name another folder with \
                 --data",
                options.data.display()
            ))
        })?;
        let jobs = Jobs::open(runs, &options, claim)?;
        let records = Records::new(disk.clone(), records);
        let shared = Arc::new(Shared {
            quick: Lane::new(cores, WAITING, Duration::from_secs(20)),
            slow: Lane::new(cores, WAITING, Duration::from_secs(60)),
            site: Site::new(options.roster.clone()).with_server(),
            jobs,
            records,
            options,
        });
        Ok(Self { shared, client: Client::HERE })
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// The agents, with the artifacts they play with.
    pub(crate) fn roster(&self) -> &Roster {
        &self.shared.options.roster
    }

    /// The artifacts that can be looked at.
    pub(crate) fn shown(&self) -> &Artifacts {
        self.shared.site.shown()
    }

    /// The page, and what it asks for.
    pub(crate) fn site(&self) -> &Site {
        &self.shared.site
    }

    /// The lane for work that takes milliseconds, for this client.
    pub(crate) fn quick(&self) -> ClientLane<'_> {
        ClientLane { lane: &self.shared.quick, client: self.client }
    }

    /// The lane for agents and large boards, which can take long, for this client.
    pub(crate) fn slow(&self) -> ClientLane<'_> {
        ClientLane { lane: &self.shared.slow, client: self.client }
    }

    /// Runs and trainings.
    pub(crate) fn jobs(&self) -> &Jobs {
        &self.shared.jobs
    }

    /// Saved games.
    pub(crate) fn records(&self) -> &Records {
        &self.shared.records
    }

    /// Answers a request in a lane.
    pub(crate) async fn answer<R: Request<Answer: Send + 'static> + Send + 'static>(
        &self,
        lane: ClientLane<'_>,
        request: R,
    ) -> Result<Json<R::Answer>, Problem> {
        let app = self.clone();
        let answer = lane.run(move |stop| request.answer(&app.context(stop)));
        Ok(Json(answer.await??))
    }

    /// What the answers of requests are made with.
    pub(crate) fn context<'a>(&'a self, stop: &'a Stop) -> Context<'a> {
        Context { agents: self.jobs(), stop, any_seed, clock: thread_micros }
    }

    /// Refuses changes if other machines can reach the server, unless they are allowed.
    pub(crate) fn may_keep(&self) -> Result<(), Problem> {
        let options = self.options();
        match options.allow_jobs || options.listen.ip().is_loopback() {
            true => Ok(()),
            false => Err(Problem::forbidden(
                "this server is open to other machines: start it with --allow-jobs to allow runs and records",
            )),
        }
    }
}
