//! `deminer train NET`: networks that learn.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Subcommand};
use deminer_game::{Size, Start};
use deminer_lab::provenance::Provenance;
use deminer_lab::training::{Checkpoints, Ended, Order, Progress, Trained};
use deminer_neural::artifact::{LARGEST, describe};
use deminer_neural::nets::{self, Boards, Design, Variant};
use deminer_neural::train::Length;

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::{ThreadArgs, stop_on_interrupt};

/// A network to train: one subcommand for each design.
pub struct Net {
    design: &'static Design,
    args: Args,
}

impl Subcommand for Net {
    fn augment_subcommands(command: Command) -> Command {
        nets::DESIGNS.iter().fold(command, |command, design| {
            let entry = deminer_neural::ROSTER.iter().find(|entry| entry.name == design.name);
            let about = entry.expect("every network has its agent").about;
            let long = format!("Train {}: {about}.\n\n{LEARNING}", design.name);
            let own = Args::augment_args(Command::new(design.name));
            command.subcommand(own.about(about).long_about(long))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        nets::find(name).is_some()
    }
}

impl FromArgMatches for Net {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let chosen = matches.subcommand();
        let chosen = chosen.and_then(|(name, own)| Some((nets::find(name)?, own)));
        let (design, own) =
            chosen.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingSubcommand))?;
        Ok(Self { design, args: Args::from_arg_matches(own)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

const LEARNING: &str = "\
What is not given follows the network's recipe. Networks on windows and boards (mlp-full, \
enn-full, cnn-full, mlp-5x5, cnn-5x5, reg-lin, svm-lin, convnet) learn from the games of a teacher; sla-small, \
sla-large-a, sla-large-b and msla from games of their own. The same seed gives the same network. \
Ctrl-C, or a kill, loses at most a minute: --resume goes on.";

#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer train cnn-5x5 --board 10x10x10
  deminer train mlp-full --orig --board 7x7x5
  deminer train sla-small --games 2000 --out sla.safetensors
  deminer train msla --teacher exact
  deminer train sla-small --mixed --games 2000
  deminer train sla-small --resume
  deminer --artifacts . bench --agent sla-small --board intermediate")]
pub struct Args {
    /// As its authors had it, with the flaws of their program.
    #[arg(long)]
    orig: bool,

    /// The board, as WIDTHxHEIGHTxMINES or by name; several times for several. Networks of
    /// windows and of one board size make an artifact for each; self-playing ones take them as
    /// stages; convnet by turns.
    #[arg(long = "board", value_name = "BOARD")]
    boards: Vec<Size>,

    /// Games of the teacher, or of each stage of self-play.
    #[arg(long, value_name = "N")]
    games: Option<NonZero<u64>>,

    /// Boards of self-play take turns, game by game, instead of being stages.
    #[arg(long)]
    mixed: bool,

    /// Who teaches: `exact` for exact odds, or any agent that says what it believes.
    #[arg(long, value_name = "AGENT")]
    teacher: Option<String>,

    /// The run's seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// How often all samples are seen.
    #[arg(long, value_name = "N", conflicts_with = "samples")]
    epochs: Option<NonZero<u64>>,

    /// How many samples are seen, again or for the first time.
    #[arg(long, value_name = "N")]
    samples: Option<NonZero<u64>>,

    /// Samples of a step.
    #[arg(long, value_name = "N")]
    batch: Option<NonZero<usize>>,

    /// The learning rate at the start.
    #[arg(long, value_name = "RATE")]
    rate: Option<f64>,

    /// Samples drawn after each self-played game.
    #[arg(long, value_name = "N")]
    draws: Option<NonZero<usize>>,

    /// What the first opened cell is promised.
    #[arg(long, value_name = "START",
          value_parser = PossibleValuesParser::new(Start::ALL.map(Start::name)).map(|word| word.parse::<Start>().expect("a listed word")))]
    start: Option<Start>,

    /// Games on boards not seen in training, played at the end.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    trial: u64,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Where the network is written; beside it go its learning curve (.svg) and, while it is
    /// being trained, checkpoints (.checkpoint). A folder takes the usual names, and is made if
    /// there is none.
    #[arg(long, value_name = "PATH", default_value = ".")]
    out: PathBuf,

    /// Go on from the checkpoint of a run that was stopped.
    #[arg(long)]
    resume: bool,
}

impl Net {
    /// Refuses options that do not go together.
    pub fn check(&self) -> Done {
        self.orders().map(|_| ())
    }

    /// What is trained, one after another.
    fn orders(&self) -> Result<Vec<Order>, Failure> {
        let Self { design, args } = self;
        let variant = if args.orig { Variant::Orig } else { Variant::Repaired };
        let boards = args.boards(design);
        let orders: Vec<Order> = match design.boards_are {
            Boards::Each => boards.iter().map(|&board| vec![board]).collect(),
            Boards::Stages | Boards::Mixed => vec![boards],
        }
        .into_iter()
        .map(|boards| args.order(design, variant, boards))
        .collect::<Result<_, _>>()
        .map_err(Failure::usage)?;
        if orders.len() > 1 && args.out.extension().is_some() {
            let message = format!(
                "{} is trained for one board at a time: give --board, or a folder as --out",
                design.name
            );
            return Err(Failure::usage(anyhow!(message)));
        }
        Ok(orders)
    }

    pub fn run(self, output: &Output) -> Done {
        let orders = self.orders()?;
        let args = &self.args;
        args.prepare()?;
        let stop = stop_on_interrupt()?;
        orders.iter().try_for_each(|order| args.train(order, &stop, output))
    }
}

impl Args {
    fn boards(&self, design: &Design) -> Vec<Size> {
        let usual = || {
            let parse = |board: &&str| board.parse().expect("a design's boards are well-formed");
            design.boards.iter().map(parse).collect()
        };
        if self.boards.is_empty() { usual() } else { self.boards.clone() }
    }

    /// Makes the folder that is written to, and tries it: better now than after hours.
    fn prepare(&self) -> Done {
        let names_folder = self.out.extension().is_none();
        let folder = match names_folder || self.out.is_dir() {
            true => self.out.as_path(),
            false => self.out.parent().unwrap_or(Path::new("")),
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let trial = folder.join(format!(".deminer-{}.part", std::process::id()));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&trial, ""))
            .and_then(|()| fs::remove_file(&trial))
            .with_context(|| format!("cannot write into {}", folder.display()))
            .map_err(Failure::usage)
    }

    fn order(
        &self,
        design: &'static Design,
        variant: Variant,
        boards: Vec<Size>,
    ) -> anyhow::Result<Order> {
        let mut recipe = (design.recipe)(variant);
        if let Some(teacher) = &self.teacher {
            recipe.teacher.clone_from(teacher);
        }
        match (&mut recipe.curriculum, self.games, self.draws) {
            (Some(curriculum), games, draws) => {
                curriculum.games = games.map_or(curriculum.games, NonZero::get);
                curriculum.draws = draws.map_or(curriculum.draws, NonZero::get);
                curriculum.mixed = self.mixed;
                if self.epochs.is_some() || self.samples.is_some() {
                    return Err(anyhow!(
                        "{} learns from games of its own: give --games",
                        design.name
                    ));
                }
            }
            (None, ..) if self.mixed => {
                return Err(anyhow!(
                    "{} does not play itself: --mixed has no meaning",
                    design.name
                ));
            }
            (None, _, Some(_)) => {
                return Err(anyhow!(
                    "{} does not play itself: --draws has no meaning",
                    design.name
                ));
            }
            (None, games, None) => recipe.games = games.map_or(recipe.games, NonZero::get),
        }
        if let Some(epochs) = self.epochs {
            recipe.length = Length::Epochs(epochs.get());
        }
        if let Some(samples) = self.samples {
            recipe.length = Length::Samples(samples.get());
        }
        recipe.batch = self.batch.map_or(recipe.batch, NonZero::get);
        recipe.rate = self.rate.unwrap_or(recipe.rate);
        recipe.start = self.start.unwrap_or(recipe.start);
        Ok(Order {
            design,
            variant,
            boards,
            recipe,
            seed: self.seed,
            threads: self.threads.count(),
            trial: self.trial,
            // A run that was taken up is the same run.
            command: Provenance::here().command.replace(" --resume", ""),
        })
    }

    fn train(&self, order: &Order, stop: &AtomicBool, output: &Output) -> Done {
        let out = match self.out.is_dir() {
            true => self.out.join(format!("{}.safetensors", order.name())),
            false => self.out.clone(),
        };
        let checkpoint = out.with_extension("checkpoint");
        let resume = self.checkpoint(&checkpoint)?;
        let mut failed = None;
        let mut save = |file: &[u8]| failed = replace(&checkpoint, file).err();
        let mut screen = Screen::new(order, output);
        let checkpoints = Checkpoints { resume, save: &mut save };
        let ended = order.train(checkpoints, stop, &mut |progress| screen.show(progress));
        screen.clear();
        let ended = ended.map_err(Failure::usage)?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        match ended {
            Ended::Stopped => Err(Failure::interrupted("interrupted: --resume goes on")),
            Ended::Trained(trained) => {
                replace(&out, &trained.file)?;
                output.note(format_args!("wrote {}", out.display()));
                if trained.file.len() > LARGEST {
                    let description = describe(&trained.header);
                    output.file(&out.with_extension("json"), description.as_bytes())?;
                }
                output.file(&out.with_extension("svg"), trained.curve.svg().as_bytes())?;
                if checkpoint.exists() {
                    fs::remove_file(&checkpoint)
                        .with_context(|| format!("cannot remove {}", checkpoint.display()))?;
                }
                output.print(report(order, &trained))
            }
        }
    }

    fn checkpoint(&self, path: &Path) -> Result<Option<Vec<u8>>, Failure> {
        match (self.resume, path.exists()) {
            (false, false) => Ok(None),
            (true, false) => {
                let message = format!("there is no checkpoint {} to go on from", path.display());
                Err(Failure::input(anyhow!(message)))
            }
            (false, true) => {
                let path = path.display();
                let message =
                    format!("{path} is of a run that was stopped: --resume goes on, or remove it");
                Err(Failure::usage(anyhow!(message)))
            }
            (true, true) => {
                let file =
                    fs::read(path).with_context(|| format!("cannot read {}", path.display()));
                Ok(Some(file.map_err(Failure::input)?))
            }
        }
    }
}

/// Writes a file whole or not at all.
fn replace(path: &Path, file: &[u8]) -> anyhow::Result<()> {
    let fresh = path.with_extension("part");
    fs::write(&fresh, file)
        .and_then(|()| fs::rename(&fresh, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// How often a line is printed where there is no terminal for a bar.
const LINE_EVERY: Duration = Duration::from_secs(20);

/// The progress of one run.
struct Screen<'a> {
    bar: indicatif::ProgressBar,
    output: &'a Output,
    name: String,
    begun: Instant,
    /// The first report, from which speed is measured.
    first: Option<(Instant, Progress)>,
    said: Instant,
    validation: Option<f64>,
}

/// Parts of the bar.
const PARTS: f64 = 10_000.0;

impl<'a> Screen<'a> {
    fn new(order: &Order, output: &'a Output) -> Self {
        let now = Instant::now();
        let bar = output.progress(PARTS as u64, "parts", false);
        Self {
            bar,
            output,
            name: order.name(),
            begun: now,
            first: None,
            said: now,
            validation: None,
        }
    }

    fn show(&mut self, progress: &Progress) {
        self.validation = progress.validation.or(self.validation);
        let (since, first) = *self.first.get_or_insert((Instant::now(), *progress));
        let seconds = since.elapsed().as_secs_f64().max(1e-9);
        let speed = (progress.samples - first.samples) as f64 / seconds;
        let share = (progress.done - first.done).max(1e-9);
        let left = Duration::from_secs_f64((seconds * (1.0 - progress.done) / share).min(1e8));
        let validation =
            self.validation.map_or(String::new(), |value| format!(", validation {value:.4}"));
        let line = format!("loss {:.4}{validation}, {speed:.0} samples/s", progress.loss);
        self.bar.set_position((progress.done * PARTS) as u64);
        self.bar.set_message(line.clone());
        if self.bar.is_hidden() && self.said.elapsed() > LINE_EVERY {
            self.said = Instant::now();
            let (done, minutes) =
                (100.0 * progress.done, self.begun.elapsed().as_secs_f64() / 60.0);
            self.output.note(format_args!(
                "{}: {done:.1} % after {minutes:.1} min, {:.1} min to go, {line}",
                self.name,
                left.as_secs_f64() / 60.0,
            ));
        }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn report(order: &Order, trained: &Trained) -> String {
    let mut text = format!(
        "{}: {} learned numbers, {} bytes, {}\n",
        order.name(),
        trained.parameters,
        trained.file.len(),
        trained.header.data,
    );
    for (name, value) in &trained.header.metrics {
        text += &format!("  {name}: {value}\n");
    }
    text
}
