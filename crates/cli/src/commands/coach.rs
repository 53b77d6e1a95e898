//! `deminer coach`: reviews a game.

use std::path::PathBuf;

use anyhow::anyhow;
use deminer::coach::{Review, ReviewError, Reviewed, Verdict, percent};
use deminer::documents::ReviewDocument;
use deminer_draw::{ReviewPicture, Theme};
use deminer_game::{GameMeasures, Shape};

use crate::commands::convert::{format_named, read_document, title};
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::stop_on_interrupt;

/// Review a game move by move: its risks, the better moves, and luck.
///
/// Every opened cell is compared with the best one according to the strongest player. The list has
/// all guesses and all moves that lowered the win chance, including undone ones. The cost of a move
/// is the share of the win chance that it lost. A summary follows: luck, skill, help used, 3BV,
/// clicks, efficiency and ZiNi.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer play --agent single-point --seed 3 --record game.json
  deminer coach game.json
  deminer coach game.rmv --why
  deminer coach game.rmv --all --svg risk.svg")]
pub struct Args {
    /// A record or a replay in any format that `convert` reads; - is stdin.
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// The format of the game; default: detected from its content.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,

    /// List every move.
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// Below each guess, explain why the best guess was best.
    #[arg(long, conflicts_with = "json")]
    why: bool,

    /// Draw the risk of each move as an SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw on a dark background.
    #[arg(long, requires = "svg")]
    dark: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let from = self.from.as_deref().map(format_named).transpose()?;
        let document = read_document(&self.game, from)?;
        let record = document.record().map_err(|_| {
            let (name, kind) = (title(&self.game), document.kind().name());
            Failure::input(anyhow!("{name} holds a {kind}, not a game: give a replay or a record"))
        })?;
        let stop = stop_on_interrupt()?;
        let review = Review::of(&record, &stop).map_err(|error| match error {
            ReviewError::Stopped => Failure::interrupted("interrupted"),
            error => Failure::input(error),
        })?;
        if let Some(path) = &self.svg {
            let picture = ReviewPicture { review: &review, theme: Theme::of(self.dark) };
            output.svg(path, &picture.scene())?;
        }
        let shape = record.rules.shape();
        match self.json {
            true => output.json(&ReviewDocument::of(&review, shape)),
            false => output.print(report(&review, shape, self.all, self.why)),
        }
    }
}

fn report(review: &Review, shape: &Shape, all: bool, why: bool) -> String {
    let listed = |reviewed: &&Reviewed| all || reviewed.verdict > Verdict::Proved;
    let mut text = String::new();
    for reviewed in review.moves.iter().filter(listed) {
        text += &line(reviewed, shape, why);
    }
    let undone: String =
        review.undone.iter().filter(listed).map(|reviewed| line(reviewed, shape, why)).collect();
    if !undone.is_empty() {
        text += &format!("\nUndone:\n{undone}");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for line in review.summary() {
        text += &format!("{line}\n");
    }
    if let Some(best) = review.moves.iter().find_map(|reviewed| reviewed.win_before) {
        text += &format!("Win chance of best play after the first click: {}.\n", percent(best));
    }
    if let Some(measures) = &review.measures {
        text += &format!("{}\n", in_words(measures));
    }
    text
}

/// The line of a move; with `why`, also the reasons for the best guess.
fn line(reviewed: &Reviewed, shape: &Shape, why: bool) -> String {
    let place = reviewed.action.cell().map_or(String::new(), |cell| {
        let (row, column) = shape.position(cell);
        format!(" row {row}, column {column}")
    });
    let what = format!("{}{place}", reviewed.action.name());
    let verdict = match reviewed.verdict {
        Verdict::None => "",
        verdict => verdict.name(),
    };
    let number = reviewed.number;
    let mut text = format!("{number:>4}  {what:<26} {verdict:<10}  {}\n", reviewed.sentence);
    for reason in reviewed.reasons.iter().filter(|_| why) {
        text += &format!("{:46}{reason}\n", "");
    }
    text
}

/// The speed of games shorter than this (in seconds) is omitted: these are times of agents.
const SHORTEST: f64 = 0.1;

fn in_words(measures: &GameMeasures) -> String {
    let clicks = measures.clicks;
    let mut text = format!(
        "3BV {} of {}, {} clicks ({} left, {} right, {} chord)",
        measures.solved_three_bv,
        measures.three_bv,
        clicks.all(),
        clicks.left,
        clicks.right,
        clicks.chord
    );
    if let Some(efficiency) = measures.efficiency() {
        text += &format!(", efficiency {:.0} %", 100.0 * efficiency);
    }
    let seconds = measures.micros.unwrap_or(0) as f64 / 1e6;
    let speed = measures.three_bv_per_second().filter(|_| seconds >= SHORTEST);
    if let Some(speed) = speed {
        text += &format!(", {speed:.2} 3BV/s in {seconds:.3} s");
    }
    text += &format!("; ZiNi {}, human ZiNi {}", measures.zini, measures.human_zini);
    if let Some(efficiency) = measures.zini_efficiency() {
        text += &format!(", ZiNi efficiency {:.0} %", 100.0 * efficiency);
    }
    text + "."
}

#[cfg(test)]
mod tests {
    use super::*;
    use deminer_game::Clicks;

    #[test]
    fn measures_are_one_line() {
        let mut measures = GameMeasures {
            three_bv: 30,
            openings: 2,
            islands: 3,
            zini: 20,
            human_zini: 22,
            solved_three_bv: 30,
            clicks: Clicks { left: 30, right: 6, chord: 4 },
            micros: Some(12_500_000),
            won: true,
        };
        assert_eq!(
            in_words(&measures),
            "3BV 30 of 30, 40 clicks (30 left, 6 right, 4 chord), efficiency 75 %, 2.40 3BV/s in \
             12.500 s; ZiNi 20, human ZiNi 22, ZiNi efficiency 50 %."
        );
        (measures.won, measures.micros, measures.clicks) = (false, None, Clicks::default());
        assert_eq!(
            in_words(&measures),
            "3BV 30 of 30, 0 clicks (0 left, 0 right, 0 chord); ZiNi 20, human ZiNi 22."
        );
    }
}
