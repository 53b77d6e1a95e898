//! Tournaments as durable runs.

use std::num::NonZero;
use std::{fs, thread};

use deminer::requests::check_size;
use deminer::roster::Spec;
use deminer_formats::wire::{Text, WireRunSpec};
use deminer_lab::durable::{self, RunDir, RunSpec};
use deminer_lab::totals::agent_totals;

use super::{Ended, Job, Progress, Shared, State};
use crate::problem::Problem;

/// Games of a shard, unless asked for otherwise: a stop loses at most these.
const SHARD: u64 = 500;
/// The longest run that is taken.
const MOST_GAMES: u64 = 100_000_000;
/// The most agents of a run.
const MOST_AGENTS: usize = 32;

/// The run that a request describes, if it is one that is taken here.
pub(super) fn run_spec(wire: &WireRunSpec, jobs: &Shared) -> Result<RunSpec, Problem> {
    if wire.agents.len() > MOST_AGENTS {
        let detail = format!("a run has at most {MOST_AGENTS} agents here");
        return Err(Problem::unfit(detail).at("spec.agents"));
    }
    let agents = wire.agents.iter().map(|text| jobs.agent(text, "spec.agents"));
    let agents: Vec<Spec> = agents.collect::<Result<_, _>>()?;
    if wire.games > MOST_GAMES {
        let detail = format!("a run has at most {MOST_GAMES} games here");
        return Err(Problem::unfit(detail).at("spec.games"));
    }
    if let Some(Text(size)) = wire.board {
        check_size(size.width, size.height).map_err(|error| error.at("spec.board"))?;
    }
    let shard = wire.shard.unwrap_or(SHARD.max(wire.games.div_ceil(100_000)));
    let wire = WireRunSpec { shard: Some(shard), ..wire.clone() };
    Ok(RunSpec::of(&wire, agents).map_err(|error| error.within("spec"))?)
}

/// What earlier servers did.
pub(super) fn recall(job: &Job, wire: &WireRunSpec) {
    let text = fs::read_to_string(job.folder.join("run").join("totals.json"));
    // Totals that cannot be read are sealed again, like those that are not there yet.
    let Some(totals) = text.ok().and_then(|text| serde_json::from_str(&text).ok()) else { return };
    job.tell(|document| {
        document.state = State::Finished;
        document.progress = Progress::new(wire.games, wire.games);
        document.totals = Some(totals);
    });
}

/// Plays the remaining games, and counts all games at the end.
pub(super) fn play(job: &Job, wire: &WireRunSpec, jobs: &Shared) -> Result<Ended, String> {
    let spec = run_spec(wire, jobs).map_err(|problem| problem.detail().to_owned())?;
    let run = RunDir::open_on(&job.disk, job.folder.join("run"), &spec)
        .map_err(|error| error.to_string())?;
    let tournament = &spec.tournament;
    // One core is left to those who play and analyze meanwhile.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = NonZero::new(cores - 1).unwrap_or(NonZero::<usize>::MIN);
    let show = |progress: &durable::Progress| {
        let tallies = tournament.agents.iter().zip(&progress.tallies);
        let agents = tallies.map(|(spec, tally)| agent_totals(tournament, spec, tally)).collect();
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
