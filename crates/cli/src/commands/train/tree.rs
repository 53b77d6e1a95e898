//! `deminer train tree`: a decision tree that imitates an agent.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use deminer_game::{Form, HexWindowError};
use deminer_lab::distill::{Lessons, Watch, WatchError};
use deminer_lab::provenance::Provenance;
use deminer_lab::roster::Spec;
use deminer_lab::stats;
use deminer_learn::trees::{self, Artifact, Criterion, Features, Growth, Origin};

use crate::commands::tree::Views;
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::rule_args::RuleArgs;
use crate::tournament::stop_on_interrupt;

/// Grow a decision tree that imitates an agent, and read it.
///
/// The agent plays; what it believes of each fringe cell, in four classes of risk, is what the
/// tree learns to tell from the 5x5 window around the cell. One board in five is held out and
/// judges the tree: its fidelity is the share of windows it puts into the agent's class.
/// `deminer bench --agent tree:FILE` plays it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer train tree --of lowest-risk --board 10x10x10 --start open --at random --out mine.tree
  deminer train tree --of lowest-risk --features clues --depth 4 --rules-depth 4
  deminer bench --agent tree:mine.tree --board 10x10x10 --start open --at random")]
pub struct Args {
    /// The agent to imitate, as `name[:option,…]`; it must tell estimates.
    #[arg(long, value_name = "AGENT", default_value = "lowest-risk")]
    of: Spec,

    /// How many games are watched in each round; one in five is held out.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(5..=1_000_000_000))]
    games: u64,

    /// The run's seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The most questions on a path.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=64))]
    depth: u8,

    /// What the tree may ask: the 25 codes by their order, one code at a time, the window turned
    /// to its standard position, or what the numbers around still want.
    #[arg(long, value_name = "FEATURES", default_value = "raw",
          value_parser = PossibleValuesParser::new(Features::ALL.map(Features::name)).map(|word| word.parse::<Features>().expect("a listed word")))]
    features: Features,

    /// What it tells apart: the four classes, or risks, which makes it a better player.
    #[arg(long, value_name = "CRITERION", default_value = "class",
          value_parser = PossibleValuesParser::new(Criterion::ALL.map(Criterion::name)).map(criterion))]
    criterion: Criterion,

    /// The fewest samples that a leaf may rest on.
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: u64,

    /// Take back questions that do not help on a further fifth of the boards.
    #[arg(long)]
    prune: bool,

    /// How many rounds of games are watched: after the first the tree so far plays, and the agent
    /// is asked what it believes there. The tree plays better and stays as faithful.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// Watch only so many decisions of each game.
    #[arg(long, value_name = "N")]
    turns: Option<u32>,

    /// Also grow five trees, each judged on another fifth of the boards.
    #[arg(long)]
    cross_validate: bool,

    /// Keep the tree in a file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// How many threads play; all cores unless given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    views: Views,

    #[command(flatten)]
    rules: RuleArgs,
}

fn criterion(word: String) -> Criterion {
    let named = |criterion: &Criterion| criterion.name() == word;
    Criterion::ALL.into_iter().find(named).expect("a listed word")
}

impl Args {
    /// Refuses rules that the agent to imitate does not play, and boards without windows.
    pub fn check(&self) -> Done {
        let (rules, _) = self.rules.resolve()?;
        self.of.admit(&rules).map_err(Failure::usage)?;
        if rules.shape().form() == Form::Hex {
            return Err(Failure::usage(HexWindowError));
        }
        self.of.telling().build().map(|_| ()).map_err(Failure::usage)
    }

    pub fn run(self, output: &Output) -> Done {
        self.check()?;
        let (rules, at) = self.rules.resolve()?;
        let threads = self
            .threads
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN);
        let watch = Watch {
            teacher: self.of.clone(),
            rules: rules.clone(),
            at,
            seed: self.seed,
            turns: self.turns,
        };
        let stop = stop_on_interrupt()?;
        let growth = Growth {
            features: self.features,
            criterion: self.criterion,
            depth: self.depth.into(),
            least: self.least,
        };
        let (games, rounds) = (self.games, self.rounds);
        let lessons = Lessons { growth, prune: self.prune, games, rounds };
        let bar = output.progress(games.saturating_mul(rounds.into()), "games", false);
        let taught = watch.teach(&lessons, threads, &stop, |done| bar.set_position(done));
        bar.finish_and_clear();
        let (distilled, parts) = taught.map_err(|error| match error {
            WatchError::Stopped => Failure::interrupted("interrupted: no tree was grown"),
            error => Failure::usage(error),
        })?;
        let by_depth = trees::fidelity_by_depth(&distilled.tree, &parts[0]);
        let deepest = by_depth.len() as u64 - 1;
        for (questions, fidelity) in (0..).zip(&by_depth) {
            let measure = format!("fidelity {:.5}", fidelity.rate());
            output.standing(questions, deepest, "questions", measure);
        }
        let artifact = Artifact {
            origin: Origin {
                agent: self.of.to_string(),
                rules: rules.to_string(),
                games: games * u64::from(rounds),
                seed: self.seed,
                samples: distilled.samples,
                fidelity: (distilled.fidelity.agreed(), distilled.fidelity.samples()),
                command: Provenance::here().command,
            },
            tree: distilled.tree,
        };
        if let Some(path) = &self.out {
            output.file(path, artifact.write().as_bytes())?;
        }
        if self.cross_validate {
            let rates: Vec<f64> =
                trees::cross_validate(&parts, &growth).iter().map(trees::Fidelity::rate).collect();
            let interval = stats::bootstrap(&rates);
            let list: Vec<String> = rates.iter().map(|rate| format!("{rate:.4}")).collect();
            output.note(format_args!(
                "five-fold fidelity {} (mean {:.4}, {:.4} to {:.4}), without pruning",
                list.join(" "),
                rates.iter().sum::<f64>() / rates.len() as f64,
                interval.low,
                interval.high,
            ));
        }
        self.views.show(&artifact, output)
    }
}
