//! Programs that play boards with one mine, evolved.

use std::num::NonZero;

use deminer_learn::evolve::quartetti::{Breeding, Genome, Grid};
use deminer_learn::evolve::{Artifact, Branch, Evolution, EvolutionState, Row, Scheme, Settings};
use serde::{Deserialize, Serialize};

use super::choices::{ANY, KEEPING, options};
use super::gp::{EVOLVING, progress_of, rows_file};
use super::{
    CheckpointError, Choices, Context, Learner, LearnerEntry, LearnerOption, Made, Progress, Step,
    Takes, TrainError, pack, unpack,
};
use crate::tables::PARK;

pub(super) const ENTRY: LearnerEntry = LearnerEntry {
    name: "quartetti",
    about: "a program that walks over boards, evolved",
    details: "Evolves a program that walks over a board, marks and uncovers. Fitness is play on \
              all boards of 6x6 with one mine; with `--others`, a program that clears them all is \
              then judged on squares of other sides too. Nine in ten programs are children of \
              two, crossed at functions eight times in nine, the others copies; nothing mutates.",
    examples: "\
  deminer train quartetti --out mine.genome
  deminer train quartetti --population 5000 --others 5,7 --parsimony 0.00002 --checkpoint run.txt",
    paper: Some(PARK.full),
    options: &[OPTIONS, EVOLVING, KEEPING],
    extension: "genome",
    small: &[("population", "30"), ("generations", "6"), ("others", "5,7")],
    split: |choices| Ok(vec![(choices.entry.name.to_owned(), choices.clone())]),
    check: |_| Ok(()),
    begin: |choices, saved, context| {
        Ok(Box::new(QuartettiLearner::begin(choices.clone(), saved, context.threads)?))
    },
};

const OPTIONS: &[LearnerOption] = options! {
    "population" = "50000", Takes::Whole(2, 10_000_000), "Programs of the population.";
    "generations" = "151", ANY, "The most generations.", free;
    "others", Takes::Sides,
        "Once all boards of 6x6 are cleared, judge on squares of these sides as well, and keep the \
         program of the last population that plays squares from 5x5 to 11x11 best.";
    "parsimony" = "0", Takes::Number(-1e9, 1e9), "How much every node costs.";
    "seed" = "1", ANY, "The seed of the run.";
};

/// A population of programs that learns.
struct QuartettiLearner {
    choices: Choices,
    evolution: Evolution<Breeding>,
    rows: Vec<Row>,
}

/// A checkpoint.
#[derive(Serialize, Deserialize)]
struct Saved {
    evolution: EvolutionState<Genome>,
    rows: Vec<Row>,
}

impl QuartettiLearner {
    fn begin(
        choices: Choices,
        saved: Option<&[u8]>,
        threads: NonZero<usize>,
    ) -> Result<Self, TrainError> {
        let square = |side: usize| Grid::new(side, side);
        let others = choices.all("others").into_iter().map(square).collect();
        let parsimony = choices.get("parsimony");
        let breeding = Breeding { others, parsimony, ..Breeding::new(6, 6) };
        let settings = Settings {
            scheme: Scheme::Generational { copied: 0.1, tournament: 7 },
            population: choices.get("population"),
            distinct: false,
            seed: choices.get("seed"),
        };
        let (evolution, rows) = match saved {
            Some(saved) => {
                let Saved { evolution, rows } = unpack(saved)?;
                let evolution = Evolution::resume(breeding, settings, evolution)
                    .map_err(CheckpointError::damaged)?;
                (evolution, rows)
            }
            None => {
                let evolution = Evolution::new(breeding, settings, threads);
                let row = evolution.row();
                (evolution, vec![row])
            }
        };
        Ok(Self { choices, evolution, rows })
    }

    fn is_over(&self) -> bool {
        self.evolution.state().iteration >= self.choices.get("generations")
            || self.evolution.perfect()
    }
}

impl Learner for QuartettiLearner {
    fn step(&mut self, context: &mut Context) -> Result<Step, TrainError> {
        if !self.is_over() {
            self.evolution.step(context.threads);
            self.rows.push(self.evolution.row());
        }
        Ok(if self.is_over() { Step::Over } else { Step::Mark })
    }

    fn progress(&self) -> Progress {
        let row = self.rows.last().expect("a run has rows");
        progress_of(row, self.choices.get("generations"), "generations")
    }

    fn checkpoint(&self) -> Vec<u8> {
        pack(&Saved { evolution: self.evolution.state().clone(), rows: self.rows.clone() })
    }

    fn finish(&self, _: &mut Context) -> Result<Made, TrainError> {
        let (choices, evolution) = (&self.choices, &self.evolution);
        let sides: Vec<Grid> = (5..=11).map(|side| Grid::new(side, side)).collect();
        let members = evolution.state().members.iter().map(|member| &member.genome);
        let general = match choices.has("others") {
            true => Breeding::most_general(members, &Grid::new(6, 6), &sides),
            false => None,
        };
        let genome: &Genome = general.unwrap_or(&evolution.state().best.genome);
        let names = ["main", "first", "second"];
        let artifact = Artifact {
            kind: "quartetti".into(),
            about: format!("boards of 6x6 with one mine, {}", choices.run()),
            seed: choices.get("seed"),
            score: evolution.state().best.fitness,
            options: String::new(),
            command: choices.command.clone(),
            branches: names.iter().zip(genome).map(|(name, tree)| Branch::of(name, tree)).collect(),
        };
        let mut report = format!("{} generations\n", evolution.state().iteration);
        for (side, grid) in (5..=11).zip(&sides) {
            let (cleared, all) = (Breeding::cleared(genome, grid), grid.cells());
            report += &format!("{side}x{side}: {cleared} of {all} boards with one mine cleared\n");
        }
        let files = rows_file(choices, &self.rows).into_iter().collect();
        let text = artifact.write();
        Ok(Made { artifact: text.clone().into_bytes(), files, report, text })
    }
}
