//! `deminer train gp`: evolves a tree of checks that fills in fields.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::ValueEnum;
use deminer_game::{Rng, Rules, Size};
use deminer_lab::evolution::positions;
use deminer_lab::provenance::Provenance;
use deminer_learn::evolve::gp::{Breeding, Check, Field, Growth, Lessons, Reach, Training};
use deminer_learn::evolve::{Artifact, Branch, Replacement, Scheme, Settings};

use super::checkpoint::{Checkpoint, standing};
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::{ThreadArgs, stop_on_interrupt};

/// Evolve a tree of checks that tells mines from empty cells where all numbers are seen.
///
/// The defaults are the paper's: one field, trees of depth 3 to 15, offsets as far as the field,
/// 40 trees, 1500 pairs of children. Training on many fields at once with a short reach, proofs
/// kept and fields held out makes trees that are right on fields they have never seen.
/// `deminer bench --agent gp:FILE` plays one; `deminer genome FILE` shows it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer train gp --out mine.genome
  deminer train gp --fields 20 --reach 3 --held-out 20 --saturated --memory --out general.genome
  deminer train gp --positions --board 9x9x10 --fields 60 --reach 3 --saturated --memory")]
pub struct Args {
    /// The fields: width, height and mines.
    #[arg(long, value_name = "WxHxM", default_value = "30x16x48")]
    board: Size,

    /// How many fields every tree is judged on.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    fields: u64,

    /// Positions of games with these rules instead of fields whose numbers are all seen.
    #[arg(long)]
    positions: bool,

    /// The greatest depth of first trees.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u64).range(3..=100))]
    depth: u64,

    /// Offsets reach fewer rows and columns than this; as far as the field unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i8).range(2..=127))]
    reach: Option<i8>,

    /// How the population changes.
    #[arg(long, value_name = "SCHEME", default_value = "steady")]
    scheme: SchemeWord,

    /// Whose place a child takes in a steady state.
    #[arg(long, value_name = "WHOSE", default_value = "closest")]
    replacement: ReplacementWord,

    /// Trees of the population.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    population: u64,

    /// The most iterations.
    #[arg(long, value_name = "N", default_value_t = 1500)]
    iterations: u64,

    /// What leaving every cell unknown would cost, as a share of the score.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    coverage: f64,

    /// What every node costs.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    parsimony: f64,

    /// Keep what full and saturated numbers prove.
    #[arg(long)]
    memory: bool,

    /// Also use the check of saturated numbers.
    #[arg(long)]
    saturated: bool,

    /// Toss coins anew at every evaluation, as the original does.
    #[arg(long)]
    stochastic: bool,

    /// Fields as in the original: mines are visited first, one cell is shown, offsets wrap.
    #[arg(long)]
    orig: bool,

    /// Fields held out: the champion is the tree that is best on them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    held_out: u64,

    /// End after so many looks at the fields held out without a better champion.
    #[arg(long, value_name = "N", default_value_t = 20)]
    patience: u64,

    /// The seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Keep the champion in a file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    checkpoint: Checkpoint,

    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum SchemeWord {
    /// A pair of children at a time.
    Steady,
    /// Every pair has six children, and the best two of each family survive.
    Mulambda,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReplacementWord {
    /// That of the tree of nearest fitness, if the child is not worse.
    Closest,
    /// That of the worst, or of one that is just as good.
    Worst,
}

impl Args {
    fn deal(&self, count: u64, rng: &mut Rng) -> Result<Vec<Field>, Failure> {
        let Size { width, height, mines } = self.board;
        let rules = Rules::of(self.board).map_err(Failure::usage)?;
        if self.positions {
            return Ok(positions(&rules, count as usize, rng.bits()));
        }
        let deal = |_| {
            let field = Field::deal(height, width, mines, rng);
            if self.orig { field.original() } else { field }
        };
        Ok((0..count).map(deal).collect())
    }

    /// How far a tree looks.
    fn reach(&self) -> Result<Reach, Failure> {
        let Size { width, height, .. } = self.board;
        let side = |side: usize| {
            i8::try_from(side)
                .map_err(|_| Failure::usage(anyhow!("fields are at most 127 cells wide and high")))
        };
        Ok(match self.reach {
            Some(reach) => Reach { rows: reach, columns: reach },
            None => Reach { rows: side(height)?, columns: side(width)? },
        })
    }

    fn breeding(&self, rng: &mut Rng) -> Result<Breeding, Failure> {
        let reach = self.reach()?;
        let fields = self.deal(self.fields, rng)?;
        let paper = Breeding::paper(fields[0].clone(), self.depth as usize);
        Ok(Breeding {
            fields,
            checks: if self.saturated { Check::ALL.to_vec() } else { Check::PAPER.to_vec() },
            reach,
            growth: Growth { least: 3, most: self.depth as usize },
            coverage: self.coverage,
            parsimony: self.parsimony,
            memory: self.memory,
            stochastic: self.stochastic,
            ..paper
        })
    }

    /// Refuses boards that cannot be dealt or are too large for a tree of checks.
    pub fn check(&self) -> Done {
        Rules::of(self.board).map_err(Failure::usage)?;
        self.reach().map(|_| ())
    }

    pub fn run(self, output: &Output) -> Done {
        let threads = self.threads.count();
        let mut rng = Rng::new(self.seed);
        let breeding = self.breeding(&mut rng)?;
        let settings = Settings {
            scheme: match self.scheme {
                SchemeWord::Steady => Scheme::Steady(match self.replacement {
                    ReplacementWord::Closest => Replacement::Closest,
                    ReplacementWord::Worst => Replacement::Worst,
                }),
                SchemeWord::Mulambda => Scheme::MuPlusLambda { children: 6 },
            },
            population: self.population as usize,
            distinct: true,
            seed: self.seed,
        };
        let lessons = Lessons {
            iterations: self.iterations,
            every: self.checkpoint.every.get(),
            held_out: self.deal(self.held_out, &mut rng)?,
            patience: self.patience,
        };
        let run = self.description();
        let stop = stop_on_interrupt()?;
        let mut training = match self.checkpoint.read()? {
            Some(text) => Training::resume(breeding, settings, lessons, &run, &text)
                .map_err(|error| self.checkpoint.unreadable(error))?,
            None => Training::new(breeding, settings, lessons, threads),
        };
        let bar = output.progress(self.iterations, "iterations", false);
        while !training.done() {
            if training.step(threads) {
                bar.set_position(training.evolution().iteration());
                bar.set_message(standing(training.rows().last().expect("a step made a row")));
                self.checkpoint.write(|| training.checkpoint(&run))?;
            }
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                self.checkpoint.write(|| training.checkpoint(&run))?;
                return Err(Failure::interrupted(self.checkpoint.farewell()));
            }
        }
        bar.finish_and_clear();
        self.checkpoint.write_rows(training.rows(), output)?;
        self.report(&training, output)
    }

    /// All that the run depends on.
    fn description(&self) -> String {
        let Size { width, height, mines } = self.board;
        let scheme = match (self.scheme, self.replacement) {
            (SchemeWord::Mulambda, _) => "mulambda",
            (_, ReplacementWord::Closest) => "closest",
            (_, ReplacementWord::Worst) => "worst",
        };
        let words = [
            ("positions", self.positions),
            ("memory", self.memory),
            ("saturated", self.saturated),
            ("stochastic", self.stochastic),
            ("orig", self.orig),
        ];
        let words: Vec<&str> = words.iter().filter(|(_, on)| *on).map(|(word, _)| *word).collect();
        format!(
            "{width}x{height}x{mines}, {} fields, {} held out, patience {}, depth {}, reach {}, \
             {scheme}, population {}, coverage {}, parsimony {}, every {}, seed {}; {}",
            self.fields,
            self.held_out,
            self.patience,
            self.depth,
            self.reach.map_or("all".into(), |reach| reach.to_string()),
            self.population,
            self.coverage,
            self.parsimony,
            self.checkpoint.every,
            self.seed,
            words.join(" "),
        )
    }

    fn report(&self, training: &Training, output: &Output) -> Done {
        /// Fields that neither trained nor chose the champion.
        const FRESH: u64 = 30;
        let breeding = training.evolution().problem();
        let champion = training.champion();
        let (own, _) = breeding.scores(champion, &breeding.fields, None);
        let fresh = self.deal(FRESH, &mut Rng::new(!self.seed))?;
        let (score, unknown) = breeding.scores(champion, &fresh, None);
        let artifact = Artifact {
            kind: "gp".into(),
            about: self.description(),
            seed: self.seed,
            score,
            options: if self.memory { "memory" } else { "" }.into(),
            command: Provenance::here().command,
            branches: vec![Branch::of("main", champion)],
        };
        if let Some(path) = &self.out {
            output.file(path, artifact.write().as_bytes())?;
        }
        let row = training.rows().last().expect("a run has rows");
        output.print(format_args!(
            "{} iterations, {} trees judged, {} nodes\nscore {own:.5} on its own fields, \
             {score:.5} on {FRESH} fresh ones ({:.2} % of the cells left unknown)\n",
            row.iteration,
            row.evaluations,
            champion.nodes().len(),
            100.0 * unknown,
        ))?;
        if self.out.is_none() {
            output.print(champion.pretty())?;
        }
        Ok(())
    }
}
