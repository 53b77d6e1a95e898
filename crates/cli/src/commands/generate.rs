//! `deminer generate`: boards from seeds, with or without guesses.

use std::path::PathBuf;

use anyhow::Context;
use clap::ArgGroup;
use clap::builder::RangedU64ValueParser;
use deminer::documents::{BoardDocument, BoardsDocument, Dealt, Found, ProvedDocument};
use deminer::no_guess::{Difficulty, Generator, NoGuessError};
use deminer_formats::{Document, Format};
use deminer_game::{FirstClick, GameSeed, Rules, Start};

use crate::commands::convert::format_named;
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::rule_args::{RuleArgs, seed, word};

/// Generate boards from a seed, in any format for boards.
///
/// Board i of a seed is the board that `play --seed S --game i` plays with the same rules.
///
/// Boards with --no-guess differ: the first click opens an area, and from there on the clues and
/// the mine total always prove some cell safe. The difficulty is the hardest rule needed: one clue
/// (easy), two clues that share cells (medium), several clues (hard), the mine total or case
/// analysis (extreme).
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("solvable").args(["no_guess", "difficulty"]).multiple(true),
    after_help = "Examples:
  deminer generate --board expert --seed 7
  deminer generate --count 5 --to link
  deminer generate --board intermediate --count 100 --to mbf --out boards/
  deminer generate --board expert --difficulty hard --at 8,15 --proofs proofs.json

Exit codes: 4 some boards were not found within --tries; the others are written."
)]
pub struct Args {
    /// Number of boards.
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,

    /// The seed.
    #[arg(long, value_name = "SEED", value_parser = seed, allow_negative_numbers = true, default_value_t = 1)]
    seed: u64,

    /// The number of the first board.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first_game: u64,

    /// The format; `deminer convert --list` lists them.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    to: String,

    /// Write one file for each board into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long, conflicts_with_all = ["to", "out"])]
    json: bool,

    /// Only boards that can be won from the first click without a guess.
    #[arg(long, help_heading = "Boards without guesses")]
    no_guess: bool,

    /// Only boards of this difficulty; implies --no-guess.
    #[arg(long, value_name = "DIFFICULTY", help_heading = "Boards without guesses",
          value_parser = word::<Difficulty>())]
    difficulty: Option<Difficulty>,

    /// Save the proof of each cell as JSON, in the order of play.
    #[arg(
        long,
        value_name = "FILE",
        requires = "solvable",
        help_heading = "Boards without guesses"
    )]
    proofs: Option<PathBuf>,

    /// Number of layouts to try for each board.
    #[arg(long, value_name = "N", default_value_t = Generator::TRIES, requires = "solvable",
          help_heading = "Boards without guesses",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    tries: usize,

    #[command(flatten)]
    rules: RuleArgs,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let (mut rules, at) = self.rules.resolve()?;
        if at == FirstClick::Agent {
            let message = "a board needs its first click: use --at corner, random or ROW,COLUMN";
            return Err(Failure::wrong(message));
        }
        let format = format_named(&self.to)?;
        if format.binary && self.count > 1 && self.out.is_none() {
            let message = format!("several boards in the format {} need --out DIR", format.name);
            return Err(Failure::wrong(message));
        }
        let end = self
            .first_game
            .checked_add(self.count)
            .context("--first-game and --count exceed the number of boards a seed has")
            .map_err(Failure::usage)?;
        let mut generator = self.generator(&mut rules)?;
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }

        let bar = output.progress(self.count, "boards", generator.is_none() || self.count == 1);
        let (mut shapes, mut proofs) = (Vec::new(), Vec::new());
        let mut missed = Vec::new();
        for game in self.first_game..end {
            let seed = GameSeed { seed: self.seed, game };
            match Dealt::deal(&rules, at, seed, generator.as_mut()) {
                Ok(board) => {
                    bar.suspend(|| self.write(output, format, &board))?;
                    if self.json {
                        shapes.push(BoardDocument::of(&board));
                    }
                    if self.proofs.is_some() {
                        proofs.extend(ProvedDocument::of(&board));
                    }
                }
                Err(error @ NoGuessError::OutOfTries { .. }) => missed.push((seed, error)),
                Err(error) => return Err(Failure::usage(error)),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();

        if self.json {
            output.json(&BoardsDocument::of(&rules, shapes))?;
        }
        if let Some(path) = &self.proofs {
            let text = serde_json::to_string_pretty(&BoardsDocument::of(&rules, proofs))?;
            output.file(path, format!("{text}\n").as_bytes())?;
        }
        match missed.first() {
            None => Ok(()),
            Some((GameSeed { seed, game }, error)) => Err(Failure::limit(format!(
                "{} of {} boards not found; seed {seed}, game {game}: {error}",
                missed.len(),
                self.count
            ))),
        }
    }

    /// The generator of boards without guesses, if they are requested; it sets start `open`.
    fn generator(&self, rules: &mut Rules) -> Result<Option<Generator>, Failure> {
        if !self.no_guess && self.difficulty.is_none() {
            return Ok(None);
        }
        if rules.start() == Start::Unsafe {
            let message = "boards without guesses need --start open: remove --start or use \
                           --start open";
            return Err(Failure::wrong(message));
        }
        *rules = rules.clone().with_start(Start::Open).map_err(Failure::usage)?;
        Generator::new(rules, self.difficulty, self.tries).map(Some).map_err(Failure::usage)
    }

    /// Writes a board to its file or to stdout, unless all boards go into one document.
    fn write(&self, output: &Output, format: &Format, board: &Dealt) -> Done {
        if self.json {
            return Ok(());
        }
        let bytes =
            format.write(&Document::Layout(board.layout().clone())).map_err(Failure::usage)?;
        let GameSeed { seed, game } = board.seed;
        if let Found::NoGuess(found) = &board.board {
            let (row, column) = found.layout.shape().position(found.first);
            let (difficulty, hardest) = (found.difficulty(), found.hardest);
            output.note(format_args!(
                "seed {seed}, game {game}: open row {row}, column {column} first; {difficulty} \
                 ({hardest})"
            ));
        }
        if let Some(folder) = &self.out {
            let extension = format.extensions.first().copied().unwrap_or("txt");
            return output
                .file(&folder.join(format!("seed-{seed}-game-{game}.{extension}")), &bytes);
        }
        // Blocks of rows need names between them; links have a line each.
        if self.count > 1 && format.name == "text" {
            output.print(format_args!("> seed {seed} game {game}\n"))?;
        }
        output.document(format, &bytes)
    }
}
