//! A run that ends: iterations, rows to plot, a champion by fields held out, checkpoints.

use std::num::NonZero;

use serde::{Deserialize, Serialize};

use super::breeding::Breeding;
use super::check::Node;
use super::field::Field;
use crate::evolve::engine::{Evolution, EvolutionState, Row, Settings};
use crate::evolve::tree::Tree;

/// How long a run goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingPlan {
    /// The most iterations.
    pub iterations: u64,
    /// Iterations from row to row, and from one look at the fields held out to the next.
    pub every: u64,
    /// Fields held out; without any the fittest tree is the champion.
    pub held_out: Vec<Field>,
    /// Looks without a better champion after which a run ends.
    pub patience: u64,
}

/// A run of genetic programming.
#[derive(Clone, Debug)]
pub struct Training {
    /// The population.
    pub evolution: Evolution<Breeding>,
    plan: TrainingPlan,
    /// What has come of it so far.
    pub log: Log,
}

/// Where a run stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingState {
    evolution: EvolutionState<Tree<Node>>,
    #[serde(flatten)]
    log: Log,
}

/// What has come of a run so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Log {
    /// Rows to plot, the first before any iteration.
    pub rows: Vec<Row>,
    /// The best tree: on the fields held out, or else on its own.
    pub champion: Tree<Node>,
    /// The champion's mean score on the fields held out.
    held_out: Option<f64>,
    /// Looks since the champion changed.
    waited: u64,
}

impl Training {
    /// A run at its beginning.
    pub fn new(
        breeding: Breeding,
        settings: Settings,
        plan: TrainingPlan,
        threads: NonZero<usize>,
    ) -> Self {
        let evolution = Evolution::new(breeding, settings, threads);
        let champion = evolution.state().best.genome.clone();
        let log = Log { rows: Vec::new(), champion, held_out: None, waited: 0 };
        let mut run = Self { evolution, plan, log };
        run.look();
        run
    }

    /// Whether the run is over.
    pub fn done(&self) -> bool {
        let alone = self.plan.held_out.is_empty();
        self.evolution.state().iteration >= self.plan.iterations
            || self.evolution.perfect()
            || !alone && self.log.waited >= self.plan.patience
    }

    /// One iteration; true if it made a row.
    pub fn step(&mut self, threads: NonZero<usize>) -> bool {
        self.evolution.step(threads);
        let due = self.evolution.state().iteration.is_multiple_of(self.plan.every) || self.done();
        if due {
            self.look();
        }
        due
    }

    /// Makes a row, and judges the best tree on the fields held out.
    fn look(&mut self) {
        self.log.rows.push(self.evolution.row());
        let best = &self.evolution.state().best.genome;
        if self.plan.held_out.is_empty() {
            self.log.champion.clone_from(best);
            return;
        }
        let breeding = self.evolution.problem();
        let (score, _) = breeding.scores(best, &self.plan.held_out, None);
        if self.log.held_out.is_none_or(|champion| score > champion) {
            self.log.champion.clone_from(best);
            self.log.held_out = Some(score);
            self.log.waited = 0;
        } else {
            self.log.waited += 1;
        }
    }

    /// Where the run stands.
    pub fn state(&self) -> TrainingState {
        TrainingState { evolution: self.evolution.state().clone(), log: self.log.clone() }
    }

    /// Continues a run as if it had never stopped. A state of another run is refused with a
    /// reason.
    pub fn resume(
        breeding: Breeding,
        settings: Settings,
        plan: TrainingPlan,
        state: TrainingState,
    ) -> Result<Self, String> {
        let evolution = Evolution::resume(breeding, settings, state.evolution)?;
        Ok(Self { evolution, plan, log: state.log })
    }
}
