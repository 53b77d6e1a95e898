//! `deminer coach`: a game looked at again.

use std::path::PathBuf;

use deminer_game::Shape;
use deminer_lab::coach::{Review, ReviewError, Reviewed, Verdict, percent};
use deminer_lab::documents::ReviewDocument;
use deminer_lab::report::{ReviewPicture, Theme};

use crate::commands::convert::{format_named, read_document};
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::stop_on_interrupt;

/// Look at a game again, move by move: what was risked, what was better, what was luck.
///
/// Every opening is compared with the best one that there was, as the strongest player judges it.
/// Of the moves, those are listed that were guesses or gave something away.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer play --agent single-point --seed 3 --record game.json
  deminer coach game.json
  deminer coach game.rmv --all --svg risk.svg")]
pub struct Args {
    /// A record or a replay in any format that `convert` reads; - is stdin.
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// The format of the game; its content decides unless given.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,

    /// List every move.
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// Draw the risk move by move as an SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw on a dark ground.
    #[arg(long, requires = "svg")]
    dark: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let from = self.from.as_deref().map(format_named).transpose()?;
        let record = read_document(&self.game, from)?.record().map_err(Failure::input)?;
        let stop = stop_on_interrupt()?;
        let review = Review::of(&record, &stop).map_err(|error| match error {
            ReviewError::Stopped => Failure::interrupted("interrupted"),
            error => Failure::input(error),
        })?;
        if let Some(path) = &self.svg {
            let theme = if self.dark { Theme::Dark } else { Theme::Light };
            let picture = ReviewPicture { review: &review, theme };
            output.file(path, picture.scene().svg().as_bytes())?;
        }
        let shape = record.rules.shape();
        match self.json {
            true => output.json(&ReviewDocument::of(&review, shape)),
            false => output.print(report(&review, shape, self.all)),
        }
    }
}

fn report(review: &Review, shape: &Shape, all: bool) -> String {
    let told = |reviewed: &&Reviewed| all || reviewed.verdict > Verdict::Proved;
    let mut text = String::new();
    for reviewed in review.moves.iter().filter(told) {
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
        text += &format!("{number:>4}  {what:<26} {verdict:<10}  {}\n", reviewed.sentence);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for line in review.summary() {
        text += &format!("{line}\n");
    }
    if let Some(best) = first_chance(review) {
        text += &format!("After the first click the best play would have won {}.\n", percent(best));
    }
    text
}

/// The chances of winning once the first click was known.
fn first_chance(review: &Review) -> Option<f64> {
    review.moves.iter().find_map(|reviewed| reviewed.win_before)
}
