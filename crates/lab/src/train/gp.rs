//! Trees of checks that fill in fields, evolved.

use std::num::NonZero;

use deminer_game::{FirstClick, GameSeed, Match, Purpose, Rng, Rules, Size};
use deminer_learn::evolve::gp::{Breeding, Check, Field, Growth, Reach, Training, TrainingPlan};
use deminer_learn::evolve::{Artifact, Branch, Replacement, Row, Scheme, Settings};

use super::choices::{ANY, KEEPING, options};
use super::{
    CheckpointError, Choices, Context, Learner, LearnerEntry, LearnerOption, Made, MadeFile,
    OptionError, Progress, Step, Takes, TrainError, Unit, pack, unpack,
};
use crate::tables::PARK;
use deminer::roster;

pub(super) const ENTRY: LearnerEntry = LearnerEntry {
    name: "gp",
    about: "a tree of checks that evolves",
    details: "Evolves a tree of checks that separates mines from empty cells where all numbers are \
              seen. The defaults are the paper's: one field, trees of depth 3 to 15, offsets as \
              far as the field, 40 trees, 1500 pairs of children. Training on many fields at once \
              with a short reach, proofs kept and fields held out makes trees that are right on \
              fields they have never seen. `deminer bench --agent gp:FILE` plays one; `deminer \
              genome FILE` shows it.",
    examples: "\
  deminer train gp --out mine.genome
  deminer train gp --fields 20 --reach 3 --held-out 20 --saturated --memory --out general.genome
  deminer train gp --positions --board 9x9x10 --fields 60 --reach 3 --saturated --memory",
    paper: Some(PARK.full),
    options: &[OPTIONS, EVOLVING, KEEPING],
    extension: "genome",
    small: &[
        ("board", "7x6x5"),
        ("fields", "2"),
        ("held-out", "3"),
        ("depth", "5"),
        ("population", "10"),
        ("iterations", "60"),
        ("every", "10"),
        ("memory", "true"),
    ],
    split: |choices| Ok(vec![(choices.entry.name.to_owned(), choices.clone())]),
    check: |choices| {
        Rules::of(choices.get("board"))?;
        reach(choices).map(|_| ())
    },
    begin: |choices, saved, context| {
        Ok(Box::new(GpLearner::begin(choices.clone(), saved, context.threads)?))
    },
};

const OPTIONS: &[LearnerOption] = options! {
    "board" = "30x16x48", Takes::Board, "The fields: width, height and mines.";
    "fields" = "1", Takes::Whole(1, 100_000), "How many fields every tree is scored on.";
    "positions", Takes::Flag,
        "Positions of games with these rules instead of fields whose numbers are all seen.";
    "depth" = "15", Takes::Whole(3, 100), "The greatest depth of first trees.";
    "reach", Takes::Whole(2, 127),
        "Offsets reach fewer rows and columns than this; as far as the field unless given.";
    "scheme" = "steady", Takes::OneOf(&["steady", "mulambda"]),
        "How the population changes: a pair of children at a time, or every pair has six children \
         and the best two of each family survive.";
    "replacement" = "closest", Takes::OneOf(&["closest", "worst"]),
        "Which tree a child replaces in a steady state: the one of the nearest fitness, if the \
         child is not worse, or the worst one.";
    "population" = "40", Takes::Whole(2, 1_000_000), "Trees of the population.";
    "iterations" = "1500", ANY, "The most iterations.", free;
    "coverage" = "0", Takes::Number(-1e9, 1e9),
        "How much leaving every cell unknown would cost, as a share of the score.";
    "parsimony" = "0", Takes::Number(-1e9, 1e9), "How much every node costs.";
    "memory", Takes::Flag, "Keep what full and saturated numbers prove.";
    "saturated", Takes::Flag, "Also use the check of saturated numbers.";
    "stochastic", Takes::Flag, "Toss coins again at every evaluation, as the original does.";
    "orig", Takes::Flag,
        "Fields as in the original: mines are visited first, one cell is shown, offsets wrap.";
    "held-out" = "0", ANY, "Fields held out: the champion is the tree that is best on them.";
    "patience" = "20", ANY,
        "End after this many looks at the fields held out without a better champion.";
    "seed" = "1", ANY, "The seed of the run.";
};

/// Rows of a run of evolution.
pub(super) const EVOLVING: &[LearnerOption] = options! {
    "every" = "100", Takes::Whole(1, u64::MAX), "Iterations between two rows.";
    "rows", Takes::Text,
        "Write what a plot of the run needs as CSV: fitness, diversity and size over time.", local;
};

/// Rows as CSV, where they are asked for.
pub(super) fn rows_file(choices: &Choices, rows: &[Row]) -> Option<(MadeFile, Vec<u8>)> {
    let path = choices.text("rows")?.to_owned();
    let lines = rows.iter().map(|row| row.csv() + "\n");
    let text: String = [Row::COLUMNS.join(",") + "\n"].into_iter().chain(lines).collect();
    Some((MadeFile::At(path), text.into_bytes()))
}

/// A population in numbers.
pub(super) fn progress_of(row: &Row, total: u64, things: &str) -> Progress {
    Progress::new(row.iteration, total, things)
        .with("best", row.best, Unit::Plain)
        .with("mean", row.mean, Unit::Plain)
        .with("diversity", row.diversity, Unit::Share)
        .with("size", row.size, Unit::Count)
        .with("best size", row.best_size as f64, Unit::Count)
}

/// How far a tree looks.
fn reach(choices: &Choices) -> Result<Reach, TrainError> {
    let Size { width, height, .. } = choices.get("board");
    let side = |side: usize| {
        let reason = "fields are at most 127 cells wide and high";
        i8::try_from(side).map_err(|_| OptionError::new("board", reason))
    };
    Ok(match choices.find::<i8>("reach") {
        Some(reach) => Reach { rows: reach, columns: reach },
        None => Reach { rows: side(height)?, columns: side(width)? },
    })
}

/// Fields, or positions of games.
fn deal(choices: &Choices, count: u64, rng: &mut Rng) -> Result<Vec<Field>, TrainError> {
    let size @ Size { width, height, mines } = choices.get("board");
    let rules = Rules::of(size)?;
    if choices.has("positions") {
        return Ok(positions(&rules, count as usize, rng.bits()));
    }
    let deal = |_| {
        let field = Field::deal(height, width, mines, rng);
        if choices.has("orig") { field.original() } else { field }
    };
    Ok((0..count).map(deal).collect())
}

fn breeding(choices: &Choices, rng: &mut Rng) -> Result<Breeding, TrainError> {
    let depth = choices.get("depth");
    let fields = deal(choices, choices.get("fields"), rng)?;
    let paper = Breeding::paper(fields[0].clone(), depth);
    Ok(Breeding {
        fields,
        checks: if choices.has("saturated") { Check::ALL.to_vec() } else { Check::PAPER.to_vec() },
        reach: reach(choices)?,
        growth: Growth { least: 3, most: depth },
        coverage: choices.get("coverage"),
        parsimony: choices.get("parsimony"),
        memory: choices.has("memory"),
        stochastic: choices.has("stochastic"),
        ..paper
    })
}

/// A population of trees that learns.
struct GpLearner {
    choices: Choices,
    training: Training,
}

impl GpLearner {
    fn begin(
        choices: Choices,
        saved: Option<&[u8]>,
        threads: NonZero<usize>,
    ) -> Result<Self, TrainError> {
        let mut rng = Rng::new(choices.get("seed"));
        let breeding = breeding(&choices, &mut rng)?;
        let settings = Settings {
            scheme: match (choices.text("scheme"), choices.text("replacement")) {
                (Some("mulambda"), _) => Scheme::MuPlusLambda(6),
                (_, Some("worst")) => Scheme::Steady(Replacement::Worst),
                _ => Scheme::Steady(Replacement::Closest),
            },
            population: choices.get("population"),
            distinct: true,
            seed: choices.get("seed"),
        };
        let plan = TrainingPlan {
            iterations: choices.get("iterations"),
            every: choices.get("every"),
            held_out: deal(&choices, choices.get("held-out"), &mut rng)?,
            patience: choices.get("patience"),
        };
        let training = match saved {
            Some(saved) => Training::resume(breeding, settings, plan, unpack(saved)?)
                .map_err(CheckpointError::damaged)?,
            None => Training::new(breeding, settings, plan, threads),
        };
        Ok(Self { choices, training })
    }
}

impl Learner for GpLearner {
    fn step(&mut self, context: &mut Context) -> Result<Step, TrainError> {
        let is_mark = !self.training.done() && self.training.step(context.threads);
        Ok(match self.training.done() {
            true => Step::Over,
            false if is_mark => Step::Mark,
            false => Step::Going,
        })
    }

    fn progress(&self) -> Progress {
        let row = self.training.log.rows.last().expect("a run has rows");
        let done = self.training.evolution.state().iteration;
        let total = self.choices.get("iterations");
        Progress { done, ..progress_of(row, total, "iterations") }
    }

    fn checkpoint(&self) -> Vec<u8> {
        pack(&self.training.state())
    }

    fn finish(&self, _: &mut Context) -> Result<Made, TrainError> {
        /// Fields that neither trained nor chose the champion.
        const FRESH: u64 = 30;
        let (choices, seed) = (&self.choices, self.choices.get::<u64>("seed"));
        let breeding = self.training.evolution.problem();
        let champion = &self.training.log.champion;
        let (own, _) = breeding.scores(champion, &breeding.fields, None);
        let fresh = deal(choices, FRESH, &mut Rng::new(!seed))?;
        let (score, unknown) = breeding.scores(champion, &fresh, None);
        let artifact = Artifact {
            kind: "gp".into(),
            about: format!("{}, {}", choices.get::<Size>("board"), choices.run()),
            seed,
            score,
            options: if choices.has("memory") { "memory" } else { "" }.into(),
            command: choices.command.clone(),
            branches: vec![Branch::of("main", champion)],
        };
        let row = self.training.log.rows.last().expect("a run has rows");
        let report = format!(
            "{} iterations, {} trees judged, {} nodes\nscore {own:.5} on its own fields, \
             {score:.5} on {FRESH} fresh ones ({:.2} % of the cells left unknown)\n",
            row.iteration,
            row.evaluations,
            champion.nodes().len(),
            100.0 * unknown,
        );
        let files = rows_file(choices, &self.training.log.rows).into_iter().collect();
        let artifact = artifact.write().into_bytes();
        Ok(Made { artifact, files, report, text: champion.pretty() })
    }
}

/// Positions of games with these rules, each as a field that asks for the cells next to open
/// ones. Every game gives one, at a moment drawn at random; the lowest risk is played, so the
/// moments reach deep into games.
fn positions(rules: &Rules, count: usize, seed: u64) -> Vec<Field> {
    let spec = roster::agent("lowest-risk").expect("it is in the roster");
    let mut agent = spec.build().expect("it needs no options");
    let mut fields = Vec::with_capacity(count);
    let mut game = 0;
    while fields.len() < count {
        let seed = GameSeed { seed, game };
        game += 1;
        let mut play = Match::new(rules.clone(), FirstClick::Corner, seed);
        let turns = 1 + seed.rng(Purpose::Lab).below(rules.safe_cells() / 2 + 1);
        for _ in 0..turns {
            if play.turn(agent.as_mut()).is_none() {
                break;
            }
        }
        let Some(layout) = play.board().layout().filter(|_| play.outcome().is_none()) else {
            continue;
        };
        let field = Field::of_position(play.board().view(), layout);
        if field.unknown() > 0 {
            fields.push(field);
        }
    }
    fields
}
