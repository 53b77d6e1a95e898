//! Teachers: any agent that says what it believes, and the exact odds.

use deminer_game::{Agent, BuildError, Decision, Estimates, GameSeed, Purpose, Rng, Rules, View};
use deminer_inference::count::Engine;
use deminer_neural::train::EXACT;
use thiserror::Error;

use crate::roster::{RefusalError, Spec, SpecError};

/// Who cannot teach.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TeacherError {
    /// There is nobody of this name.
    #[error("no teacher `{EXACT}` or agent: {0}")]
    Spec(#[from] SpecError),
    /// It cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It cannot play these rules.
    #[error(transparent)]
    Refusal(#[from] RefusalError),
}

/// Plays games and says what it believes of each position.
pub(crate) struct Teacher {
    player: Box<dyn Agent>,
    /// For the teacher that knows the odds.
    engine: Option<Engine>,
    rng: Rng,
}

/// Who plays for the odds: itself, it only opens what is likely safe.
const EXACT_PLAYER: &str = "lowest-risk";

impl Teacher {
    /// The exact odds, or an agent by its spec.
    pub fn new(name: &str, rules: &[Rules]) -> Result<Self, TeacherError> {
        let exact = name == EXACT;
        let spec: Spec = if exact { EXACT_PLAYER } else { name }.parse()?;
        for rules in rules {
            spec.admit(rules)?;
        }
        let rng = GameSeed { seed: 0, game: 0 }.rng(Purpose::Lab);
        let player = if exact { spec } else { spec.telling() };
        Ok(Self { player: player.build()?, engine: exact.then(Engine::default), rng })
    }

    /// The agent that plays its games.
    pub fn player(&mut self) -> &mut dyn Agent {
        self.player.as_mut()
    }

    /// What it believes of a position of its own game, where it chose this decision.
    pub fn beliefs(&mut self, view: &View, decision: &Decision) -> Option<Estimates> {
        match &mut self.engine {
            None => decision.estimates.as_deref().cloned(),
            Some(engine) => exact(engine, view),
        }
    }

    /// What it believes of a position of somebody else's game, seen for the first time.
    pub fn judge(&mut self, view: &View) -> Option<Estimates> {
        if let Some(engine) = &mut self.engine {
            return exact(engine, view);
        }
        self.player.begin(view.rules());
        self.player.decide(view, &mut self.rng).estimates.map(|estimates| *estimates)
    }
}

/// The odds of every covered cell; none where they cannot be counted.
fn exact(engine: &mut Engine, view: &View) -> Option<Estimates> {
    let odds = engine.odds(view).ok()?;
    let mut estimates = Estimates::new(view.shape().size());
    for cell in view.covered() {
        estimates.believe(cell, odds.mine(cell)?);
    }
    Some(estimates)
}
