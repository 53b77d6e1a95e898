//! Teachers: any agent that gives estimates, and the exact odds.

use deminer_game::{Agent, Decision, Estimates, GameSeed, Purpose, Rng, Rules, View};
use deminer_inference::odds::Engine;
use deminer_neural::train::EXACT;

use crate::artifact_files;
use crate::train::{OptionError, TrainError};
use deminer::roster::Roster;

/// Plays games and estimates the risks of each position.
pub(crate) struct Teacher {
    player: Box<dyn Agent>,
    /// Counts odds, where they teach.
    engine: Option<Engine>,
    rng: Rng,
}

/// The agent that plays where exact odds teach.
const EXACT_PLAYER: &str = "lowest-risk";

impl Teacher {
    /// The exact odds, or an agent by its spec.
    pub fn new(roster: &Roster, name: &str, rules: &[Rules]) -> Result<Self, TrainError> {
        let exact = name == EXACT;
        let spec = artifact_files::agent(roster, if exact { EXACT_PLAYER } else { name });
        let spec = spec.map_err(|error| {
            let reason = format!("no teacher `{EXACT}` or agent: {error}");
            OptionError::new("teacher", reason)
        })?;
        for rules in rules {
            spec.admit(rules)?;
        }
        let rng = GameSeed { seed: 0, game: 0 }.rng(Purpose::Lab);
        let player = if exact { spec } else { spec.with_estimates() };
        Ok(Self { player: player.build()?, engine: exact.then(Engine::default), rng })
    }

    /// The agent that plays its games.
    pub fn player(&mut self) -> &mut dyn Agent {
        self.player.as_mut()
    }

    /// Its estimates of a position of its own game, where it chose this decision.
    pub fn beliefs(&mut self, view: &View, decision: &Decision) -> Option<Estimates> {
        match &mut self.engine {
            None => decision.estimates.as_deref().cloned(),
            Some(engine) => Some(engine.odds(view).ok()?.estimates(view)),
        }
    }

    /// Its estimates of a position of another agent's game, seen for the first time.
    pub fn judge(&mut self, view: &View) -> Option<Estimates> {
        if let Some(engine) = &mut self.engine {
            return Some(engine.odds(view).ok()?.estimates(view));
        }
        self.player.begin(view.rules());
        self.player.decide(view, &mut self.rng).estimates.map(|estimates| *estimates)
    }
}
