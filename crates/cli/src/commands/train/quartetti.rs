//! `deminer train quartetti`: evolves a program that plays boards with one mine.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use deminer_lab::provenance::Provenance;
use deminer_learn::evolve::quartetti::{Breeding, Genome, Grid};
use deminer_learn::evolve::{Artifact, Branch, Evolution, Row, Scheme, Settings};

use super::checkpoint::{Checkpoint, standing};
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::{ThreadArgs, stop_on_interrupt};

/// Evolve a program that walks over a board, marks and uncovers.
///
/// Fitness is play on all boards of 6x6 with one mine; with `--others`, a program that clears
/// them all is then judged on squares of other sides too. Nine in ten programs are children of two, crossed
/// at functions eight times in nine, the others copies; nothing mutates.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer train quartetti --out mine.genome
  deminer train quartetti --population 5000 --others 5,7 --parsimony 0.00002 --checkpoint run.txt")]
pub struct Args {
    /// Programs of the population.
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    population: u64,

    /// The most generations.
    #[arg(long, value_name = "N", default_value_t = 151)]
    generations: u64,

    /// Once all boards of 6x6 are cleared, judge on squares of these sides as well, and keep the
    /// program of the last population that plays squares from 5x5 to 11x11 best.
    #[arg(long, value_name = "SIDE", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=11))]
    others: Vec<u64>,

    /// What every node costs.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    parsimony: f64,

    /// The seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Keep the best program in a file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    checkpoint: Checkpoint,

    #[command(flatten)]
    threads: ThreadArgs,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let threads = self.threads.count();
        let square = |&side: &u64| Grid::new(side as usize, side as usize);
        let others = self.others.iter().map(square).collect();
        let breeding = Breeding::new(6, 6).with_others(others).with_parsimony(self.parsimony);
        let settings = Settings {
            scheme: Scheme::Generational { copied: 0.1, tournament: 7 },
            population: self.population as usize,
            distinct: false,
            seed: self.seed,
        };
        let run = format!(
            "population {}, others {:?}, parsimony {}, seed {}",
            self.population, self.others, self.parsimony, self.seed
        );
        let stop = stop_on_interrupt()?;
        let (mut evolution, notes) = match self.checkpoint.read()? {
            Some(text) => Evolution::resume(breeding, settings, &run, &text)
                .map_err(|error| self.checkpoint.unreadable(error))?,
            None => (Evolution::new(breeding, settings, threads), Vec::new()),
        };
        let mut rows: Vec<Row> = notes.iter().filter_map(|note| Row::read(note)).collect();
        if rows.is_empty() {
            rows.push(evolution.row());
        }
        let keep = |evolution: &Evolution<Breeding>, rows: &[Row]| {
            let notes: Vec<String> = rows.iter().map(Row::text).collect();
            self.checkpoint.write(|| evolution.checkpoint(&run, &notes))
        };
        let bar = output.progress(self.generations, "generations", false);
        while evolution.iteration() < self.generations && !evolution.perfect() {
            evolution.step(threads);
            rows.push(evolution.row());
            bar.set_position(evolution.iteration());
            bar.set_message(standing(&rows[rows.len() - 1]));
            let interrupted = stop.load(Ordering::Relaxed);
            if interrupted || evolution.iteration().is_multiple_of(self.checkpoint.every.get()) {
                keep(&evolution, &rows)?;
            }
            if interrupted {
                return Err(Failure::interrupted(self.checkpoint.farewell()));
            }
        }
        bar.finish_and_clear();
        self.checkpoint.write_rows(&rows, output)?;
        self.report(&evolution, &run, output)
    }

    fn report(&self, evolution: &Evolution<Breeding>, run: &str, output: &Output) -> Done {
        let sides: Vec<Grid> = (5..=11).map(|side| Grid::new(side, side)).collect();
        let members = evolution.members().iter().map(|member| &member.genome);
        let general = match self.others.is_empty() {
            true => None,
            false => Breeding::most_general(members, &Grid::new(6, 6), &sides),
        };
        let genome: &Genome = general.unwrap_or(&evolution.best().genome);
        let names = ["main", "first", "second"];
        let artifact = Artifact {
            kind: "quartetti".into(),
            about: format!("boards of 6x6 with one mine, {run}"),
            seed: self.seed,
            score: evolution.best().fitness,
            options: String::new(),
            command: Provenance::here().command,
            branches: names.iter().zip(genome).map(|(name, tree)| Branch::of(name, tree)).collect(),
        };
        if let Some(path) = &self.out {
            output.file(path, artifact.write().as_bytes())?;
        }
        output.print(format_args!("{} generations\n", evolution.iteration()))?;
        for (side, grid) in (5..=11).zip(&sides) {
            let cleared = Breeding::cleared(genome, grid);
            output.print(format_args!(
                "{side}x{side}: {cleared} of {} boards with one mine cleared\n",
                grid.cells()
            ))?;
        }
        if self.out.is_none() {
            output.print(artifact.write())?;
        }
        Ok(())
    }
}
