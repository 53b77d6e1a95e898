//! A run of evolution as plain data, to continue it later.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::engine::{Evolution, Member, Problem, Settings};

/// Where a run stands: counters, and genomes as text with their fitness.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EvolutionState {
    iteration: u64,
    evaluations: u64,
    stalled: u64,
    best: (f64, String),
    members: Vec<(f64, String)>,
}

/// A state from which this run cannot continue. Columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StateError {
    /// A genome cannot be read.
    #[error("`{genome}`, column {column}: {fault}")]
    Genome {
        /// The genome.
        genome: String,
        /// Where it is wrong.
        column: usize,
        /// What is wrong and what would be right.
        fault: String,
    },
    /// The population has another size.
    #[error("the population has {found} members, not {expected}")]
    Population {
        /// Members found.
        found: usize,
        /// Members of the run.
        expected: usize,
    },
}

impl<P: Problem> Evolution<P> {
    /// Where the run stands.
    pub fn state(&self) -> EvolutionState {
        let save =
            |member: &Member<P::Genome>| (member.fitness, self.problem().write(&member.genome));
        EvolutionState {
            iteration: self.iteration,
            evaluations: self.evaluations,
            stalled: self.stalled,
            best: save(&self.best),
            members: self.members.iter().map(save).collect(),
        }
    }

    /// Continues a run: it goes on as if it had never stopped.
    pub fn resume(
        problem: P,
        settings: Settings,
        state: EvolutionState,
    ) -> Result<Self, StateError> {
        let EvolutionState { iteration, evaluations, stalled, best, members } = state;
        let (found, expected) = (members.len(), settings.population);
        if found != expected {
            return Err(StateError::Population { found, expected });
        }
        let read = |(fitness, genome): (f64, String)| match problem.read(&genome) {
            Ok(genome) => Ok(Member { genome, fitness }),
            Err((column, fault)) => Err(StateError::Genome { genome, column, fault }),
        };
        let best = read(best)?;
        let members = members.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::of(problem, settings, members, Some(best), [iteration, evaluations, stalled]))
    }
}
