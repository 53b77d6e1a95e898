//! A run that ends: iterations, rows to plot, a champion by fields held out, checkpoints.

use std::num::NonZero;

use serde::{Deserialize, Serialize};

use super::breeding::Breeding;
use super::check::Node;
use super::field::Field;
use crate::evolve::checkpoint::{EvolutionState, StateError};
use crate::evolve::engine::{Evolution, Row, Settings};
use crate::evolve::tree::{ReadTreeError, Tree};

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
    evolution: Evolution<Breeding>,
    plan: TrainingPlan,
    rows: Vec<Row>,
    champion: Tree<Node>,
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
        let champion = evolution.best().genome.clone();
        let mut run =
            Self { evolution, plan, rows: Vec::new(), champion, held_out: None, waited: 0 };
        run.look();
        run
    }

    /// The population.
    pub fn evolution(&self) -> &Evolution<Breeding> {
        &self.evolution
    }

    /// Rows to plot, the first before any iteration.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The best tree: on the fields held out, or else on its own.
    pub fn champion(&self) -> &Tree<Node> {
        &self.champion
    }

    /// The champion's mean score on the fields held out.
    pub fn held_out(&self) -> Option<f64> {
        self.held_out
    }

    /// Whether the run is over.
    pub fn done(&self) -> bool {
        let alone = self.plan.held_out.is_empty();
        self.evolution.iteration() >= self.plan.iterations
            || self.evolution.perfect()
            || !alone && self.waited >= self.plan.patience
    }

    /// One iteration; true if it made a row.
    pub fn step(&mut self, threads: NonZero<usize>) -> bool {
        self.evolution.step(threads);
        let due = self.evolution.iteration().is_multiple_of(self.plan.every) || self.done();
        if due {
            self.look();
        }
        due
    }

    /// Makes a row, and judges the best tree on the fields held out.
    fn look(&mut self) {
        self.rows.push(self.evolution.row());
        let best = &self.evolution.best().genome;
        if self.plan.held_out.is_empty() {
            self.champion.clone_from(best);
            return;
        }
        let breeding = self.evolution.problem();
        let (score, _) = breeding.scores(best, &self.plan.held_out, None);
        if self.held_out.is_none_or(|champion| score > champion) {
            self.champion.clone_from(best);
            self.held_out = Some(score);
            self.waited = 0;
        } else {
            self.waited += 1;
        }
    }

    /// Where the run stands.
    pub fn state(&self) -> TrainingState {
        TrainingState {
            evolution: self.evolution.state(),
            rows: self.rows.clone(),
            champion: self.champion.to_string(),
            held_out: self.held_out,
            waited: self.waited,
        }
    }

    /// Continues a run: it goes on as if it had never stopped.
    pub fn resume(
        breeding: Breeding,
        settings: Settings,
        plan: TrainingPlan,
        state: TrainingState,
    ) -> Result<Self, StateError> {
        let TrainingState { evolution, rows, champion, held_out, waited } = state;
        let champion = match Tree::read(&champion) {
            Ok(champion) => champion,
            Err(ReadTreeError { column, fault, .. }) => {
                return Err(StateError::Genome { genome: champion, column, fault });
            }
        };
        let evolution = Evolution::resume(breeding, settings, evolution)?;
        Ok(Self { evolution, plan, rows, champion, held_out, waited })
    }
}

/// Where a run stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingState {
    evolution: EvolutionState,
    rows: Vec<Row>,
    champion: String,
    held_out: Option<f64>,
    waited: u64,
}
