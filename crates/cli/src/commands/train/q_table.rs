//! `deminer train q-table`: what each cell of each view is worth, learned by trying.

use std::path::PathBuf;

use anyhow::anyhow;
use deminer_game::{GameSeed, Match, Outcome, Rules};
use deminer_lab::provenance::Provenance;
use deminer_lab::report::{Axis, Chart, ChartPoint, Series, Source};
use deminer_lab::stats;
use deminer_learn::q_table::{Artifact, Lessons, MOST_CELLS, Origin, Player, Rewards, Standing};

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::rule_args::RuleArgs;
use crate::tournament::stop_on_interrupt;

/// Learn by trying what opening each cell of each view is worth.
///
/// Q-learning with a table: for tiny boards, whose views can all be met. A pupil plays, mostly
/// what it holds best and now and then anything; every step is worth what it is paid and what the
/// best step of the next view is worth. `deminer bench --agent q-table:FILE` plays it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer train q-table --board 4x4x3 --out mine.q
  deminer train q-table --board 5x5x5 --games 3000000 --out mine.q
  deminer bench --agent q-table:mine.q --agent optimal --board 4x4x3")]
pub struct Args {
    /// Games the pupil plays.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,

    /// The run's seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// What a safe step is paid.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = pay, allow_negative_numbers = true)]
    safe: f32,

    /// What the step that wins is paid.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = pay, allow_negative_numbers = true)]
    won: f32,

    /// What a mine is paid.
    #[arg(long, value_name = "X", default_value_t = -1.0, value_parser = pay, allow_negative_numbers = true)]
    mine: f32,

    /// How much the next step counts beside what a step is paid.
    #[arg(long, value_name = "X", default_value_t = 0.9, value_parser = fraction)]
    discount: f32,

    /// How often anything is tried at the start; it falls to a tenth of that.
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = fraction)]
    curiosity: f32,

    /// How much of a difference is learned at the start; it falls to a tenth of that.
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = fraction)]
    rate: f32,

    /// Keep only views that were met so often.
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: u32,

    /// Games on other boards, played at the end.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    trial: u64,

    /// Keep the table in a file, and its learning curve beside it (.svg).
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    rules: RuleArgs,
}

fn fraction(text: &str) -> Result<f32, String> {
    let fraction = text.parse().ok().filter(|fraction| (0.0..=1.0).contains(fraction));
    fraction.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn pay(text: &str) -> Result<f32, String> {
    let pay = text.parse().ok().filter(|pay: &f32| pay.abs() <= 1000.0);
    pay.ok_or_else(|| "expected a number from -1000 to 1000".to_owned())
}

/// Points of the learning curve.
const MARKS: u64 = 50;

/// Of the games from mark to mark, the share won.
fn share(before: &Standing, mark: &Standing) -> f64 {
    (mark.won - before.won) as f64 / (mark.games - before.games) as f64
}

fn curve(rules: &Rules, marks: &[Standing]) -> Chart {
    let befores = [Standing::default()].into_iter().chain(marks.iter().copied());
    let point = |(before, mark): (Standing, &Standing)| ChartPoint {
        across: mark.games as f64 / 1e6,
        up: share(&before, mark),
        interval: None,
    };
    let points = befores.zip(marks).map(point).collect();
    Chart {
        title: format!("A table learns {rules}"),
        across: Axis::Number("million games".into()),
        up: Axis::Percent("games won, with all that was tried in them".into()),
        series: vec![Series { name: "q-table".into(), source: Source::Ours, points }],
    }
}

/// Boards of the trial have other seeds than those learned from.
const TRIAL_SEED: u64 = 0x7472_6961_6c00_0000;

impl Args {
    /// Refuses boards with more views than a table can hold, and rules it does not know.
    pub fn check(&self) -> Done {
        let (rules, _) = self.rules.resolve()?;
        if !Lessons::fits(rules.size()) {
            let message = format!(
                "{} has too many views for a table: {MOST_CELLS} cells at most, such as --board 4x4x3",
                rules.size()
            );
            return Err(Failure::usage(anyhow!(message)));
        }
        if let Some(refused) = deminer_learn::q_table::ENTRY.supports.refusal(&rules) {
            return Err(Failure::usage(anyhow!("tables are not made for {refused}")));
        }
        Ok(())
    }

    pub fn run(self, output: &Output) -> Done {
        self.check()?;
        let (rules, at) = self.rules.resolve()?;
        let stop = stop_on_interrupt()?;
        let bar = output.progress(self.games, "games", false);
        let lessons = Lessons {
            rules: rules.clone(),
            at,
            seed: self.seed,
            games: self.games,
            rewards: Rewards { safe: self.safe, won: self.won, mine: self.mine },
            discount: self.discount,
            curiosity: self.curiosity.into(),
            rate: self.rate,
        };
        let mut marks: Vec<Standing> = Vec::new();
        let table = lessons.learn(&stop, |standing| {
            bar.set_position(standing.games);
            let last = marks.last().copied().unwrap_or_default();
            let since = standing.games - last.games;
            if since >= self.games.div_ceil(MARKS) || standing.games == self.games {
                let won = share(&last, standing);
                bar.set_message(format!("won {won:.4}, {} views", standing.views));
                marks.push(*standing);
            }
        });
        bar.finish_and_clear();
        let table = table
            .ok_or_else(|| Failure::interrupted("interrupted: nothing is kept of a table"))?
            .without_rare(self.least);
        let mut artifact = Artifact {
            origin: Origin {
                rules: rules.to_string(),
                games: self.games,
                seed: self.seed,
                won: (0, 0),
                command: Provenance::here().command,
            },
            table,
        };
        let player = Artifact::read(&artifact.write()).expect("what is written is read").table;
        let views = player.len();
        let mut player = Player::new(vec![player.into()]);
        let mut won = 0;
        for game in 0..self.trial {
            let seed = GameSeed { seed: self.seed ^ TRIAL_SEED, game };
            let outcome = Match::new(rules.clone(), at, seed).play(&mut player);
            won += u64::from(outcome == Outcome::Won);
        }
        artifact.origin.won = (won, self.trial);
        if let Some(path) = &self.out {
            output.file(path, artifact.write().as_bytes())?;
            output.file(&path.with_extension("svg"), curve(&rules, &marks).svg().as_bytes())?;
        }
        let interval = stats::wilson(won, self.trial);
        output.print(format_args!(
            "{views} views of {rules}; won {:.2} % ({:.2} to {:.2}) of {} games on other boards\n",
            100.0 * won as f64 / self.trial.max(1) as f64,
            100.0 * interval.low,
            100.0 * interval.high,
            self.trial,
        ))
    }
}
