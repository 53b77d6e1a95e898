//! Tournaments as durable runs.

use std::num::NonZero;
use std::{fs, thread};

use deminer_lab::durable::{self, RunDir, RunSpec};
use deminer_lab::roster::Spec;
use deminer_lab::totals::AgentTotals;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ended, Job, Progress, Shared, State};
use crate::problem::Problem;
use crate::shapes::fits;

/// What a tournament plays: the keys of the spec of `deminer run`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecShape {
    /// Who plays.
    #[schema(min_items = 1, max_items = 32)]
    pub agents: Vec<String>,
    /// How many games each agent plays.
    #[schema(minimum = 1, maximum = 100_000_000)]
    pub games: u64,
    /// Width, height and mines, or the name of a level; `beginner` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// How the cells lie together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// What the first opened cell is promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Where the first click goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether a zero opens its neighbors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cascade: Option<String>,
    /// What clues show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clues: Option<String>,
    /// The run's seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Games that are played and written together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<u64>,
    /// How win rates are found: `plain` or `weighted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimator: Option<String>,
    /// What else is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Vec<String>>,
}

/// Games of a shard, unless asked for otherwise: a stop loses at most these.
const SHARD: u64 = 500;
/// The longest run that is taken.
const MOST_GAMES: u64 = 100_000_000;
/// The most agents of a run.
const MOST_AGENTS: usize = 32;

impl SpecShape {
    /// The spec, if it describes a run that is taken here.
    pub(super) fn spec(&self, jobs: &Shared) -> Result<RunSpec, Problem> {
        if self.agents.len() > MOST_AGENTS {
            let detail = format!("a run has at most {MOST_AGENTS} agents here");
            return Err(Problem::unfit(detail).at("spec.agents"));
        }
        let agents = self.agents.iter().map(|text| jobs.agent(text, "spec.agents"));
        let agents: Vec<Spec> = agents.collect::<Result<_, _>>()?;
        if self.games > MOST_GAMES {
            let detail = format!("a run has at most {MOST_GAMES} games here");
            return Err(Problem::unfit(detail).at("spec.games"));
        }
        let shard = Some(self.shard.unwrap_or(SHARD.max(self.games.div_ceil(100_000))));
        let spec = Self { shard, ..self.clone() };
        // The keys are those of the text, and so are their values: strings, numbers and lists are
        // written alike in JSON and TOML.
        let fields = serde_json::to_value(&spec).expect("plain values");
        let fields = fields.as_object().expect("a structure");
        let text: String = fields.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        let mut spec: RunSpec =
            text.parse().map_err(|error: durable::RunSpecError| match error {
                durable::RunSpecError::Value { key, message, .. } => {
                    Problem::unfit(message).at(format!("spec.{key}"))
                }
                other => Problem::unfit(other).at("spec"),
            })?;
        let shape = spec.rules.shape();
        fits(shape.width(), shape.height()).map_err(|problem| problem.at("spec.board"))?;
        for agent in &agents {
            let refused = |error| Problem::unfit(error).at("spec.agents");
            agent.admit(&spec.rules).map_err(refused)?;
        }
        spec.agents = agents;
        Ok(spec)
    }
}

/// What earlier servers did.
pub(super) fn recall(job: &Job, shape: &SpecShape) {
    if let Ok(text) = fs::read_to_string(job.folder.join("run").join("totals.json")) {
        job.tell(|document| {
            document.state = State::Finished;
            document.progress = Progress::new(shape.games, shape.games);
            document.totals = serde_json::from_str(&text).ok();
        });
    }
}

/// Plays what is left, and counts all games at the end.
pub(super) fn play(job: &Job, shape: &SpecShape, jobs: &Shared) -> Result<Ended, String> {
    let spec = shape.spec(jobs).map_err(|problem| problem.detail().to_owned())?;
    let run = RunDir::open(job.folder.join("run"), &spec).map_err(|error| error.to_string())?;
    let tournament = spec.tournament();
    // One core is left to those who play and analyze meanwhile.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = NonZero::new(cores - 1).unwrap_or(NonZero::<usize>::MIN);
    let show = |progress: &durable::Progress| {
        let tallies = spec.agents.iter().zip(&progress.tallies);
        let agents =
            tallies.map(|(spec, tally)| AgentTotals::of(&tournament, spec, tally)).collect();
        (Progress::new(progress.tallies[0].games(), progress.games), agents)
    };
    let played = run.run(threads, &job.stop, |progress| {
        job.tell_sometimes(|document| (document.progress, document.agents) = show(progress));
    });
    let progress = played.map_err(|error| error.to_string())?;
    job.tell(|document| (document.progress, document.agents) = show(&progress));
    if !progress.complete() {
        return Ok(Ended::Stopped);
    }
    let sealed = run.seal().map_err(|error| error.to_string())?;
    job.tell(|document| {
        document.totals = serde_json::from_str(&sealed.text).ok();
    });
    Ok(Ended::Finished)
}
