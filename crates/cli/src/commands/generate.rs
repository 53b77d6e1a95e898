//! `deminer generate`: boards from seeds, any or those that need no guess.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::ArgGroup;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use deminer_formats::{Document, Format};
use deminer_game::{At, Cell, GameSeed, Layout, Match, Purpose, Rules, Start};
use deminer_lab::no_guess::{Difficulty, Generator, NoGuessBoard, NoGuessError};
use serde::Serialize;

use crate::commands::convert::format_named;
use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION};
use crate::proof_shape::{Position, ProofShape};
use crate::rule_args::RuleArgs;

/// Deal boards from a seed, in any format that holds one.
///
/// Board i of a seed is the board of game i: what `play --seed S --game i` plays with the same
/// rules.
///
/// With --no-guess it is another board: its first click opens, whatever --start promises, and
/// from there on the clues and the mine total always prove some cell safe. How hard that is, the
/// hardest rule needed tells: one clue (easy), two that share cells (medium), several (hard),
/// the mine total or case analysis (extreme).
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("solvable").args(["no_guess", "difficulty"]).multiple(true),
    after_help = "Examples:
  deminer generate --board expert --seed 7
  deminer generate --count 5 --to link
  deminer generate --board intermediate --count 100 --to mbf --out boards/
  deminer generate --board expert --difficulty hard --at 8,15 --proofs proofs.json

Exit codes: 4 no board as wished was found within --tries; those found are written."
)]
pub struct Args {
    /// How many boards.
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,

    /// The seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The number of the first board; later ones follow.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first_game: u64,

    /// The format; `deminer convert --list` names them.
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

    /// Only those of this difficulty; implies --no-guess.
    #[arg(long, value_name = "DIFFICULTY", help_heading = "Boards without guesses",
          value_parser = PossibleValuesParser::new(Difficulty::ALL.map(Difficulty::name)).map(difficulty))]
    difficulty: Option<Difficulty>,

    /// Keep what is proved of each cell, in the order of play, as JSON.
    #[arg(
        long,
        value_name = "FILE",
        requires = "solvable",
        help_heading = "Boards without guesses"
    )]
    proofs: Option<PathBuf>,

    /// Layouts to try for each board.
    #[arg(long, value_name = "N", default_value_t = Generator::TRIES, requires = "solvable",
          help_heading = "Boards without guesses",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    tries: usize,

    #[command(flatten)]
    rules: RuleArgs,
}

fn difficulty(word: String) -> Difficulty {
    let mut all = Difficulty::ALL.into_iter();
    all.find(|difficulty| difficulty.name() == word).expect("a listed word")
}

#[derive(Serialize)]
struct DocumentShape<Board> {
    schema_version: u32,
    board: String,
    shape: &'static str,
    start: &'static str,
    boards: Vec<Board>,
}

#[derive(Serialize)]
struct BoardShape {
    seed: u64,
    game: u64,
    /// The cell the start rule kept free.
    first: Position,
    three_bv: usize,
    #[serde(flatten)]
    no_guess: Option<NoGuessShape>,
    rows: Vec<String>,
}

#[derive(Serialize)]
struct NoGuessShape {
    difficulty: &'static str,
    hardest: &'static str,
    tries: usize,
    repaired: bool,
}

#[derive(Serialize)]
struct ProvedShape {
    seed: u64,
    game: u64,
    first: Position,
    #[serde(flatten)]
    no_guess: NoGuessShape,
    log: Vec<ProofShape>,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let (mut rules, at) = self.rules.resolve()?;
        if at == At::Agent {
            let message = "a board needs its first click: use --at corner, random or ROW,COLUMN";
            return Err(Failure::usage(anyhow!(message)));
        }
        let format = format_named(&self.to)?;
        if format.binary && self.count > 1 && self.out.is_none() {
            let message = format!("several boards as {} need --out DIR", format.name);
            return Err(Failure::usage(anyhow!(message)));
        }
        let end = self
            .first_game
            .checked_add(self.count)
            .context("--first-game and --count exceed the number of boards a seed has")
            .map_err(Failure::usage)?;
        let mut generator = self.generator(&mut rules)?;
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }

        let bar = output.progress(self.count, "boards", generator.is_none() || self.count == 1);
        let (mut shapes, mut proofs) = (Vec::new(), Vec::new());
        let mut missed = Vec::new();
        for game in self.first_game..end {
            let seed = GameSeed { seed: self.seed, game };
            match deal(&rules, at, seed, generator.as_mut()) {
                Ok(board) => {
                    bar.suspend(|| self.write(output, format, &board))?;
                    if self.json {
                        shapes.push(board.shape());
                    }
                    if self.proofs.is_some() {
                        proofs.extend(board.proved());
                    }
                }
                Err(error @ NoGuessError::OutOfTries { .. }) => missed.push((seed, error)),
                Err(error) => return Err(Failure::usage(error)),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();

        if self.json {
            output.json(&document(&rules, shapes))?;
        }
        if let Some(path) = &self.proofs {
            let text = serde_json::to_string_pretty(&document(&rules, proofs))?;
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

    /// What finds boards without guesses, if they are wished for; their first click opens.
    fn generator(&self, rules: &mut Rules) -> Result<Option<Generator>, Failure> {
        if !self.no_guess && self.difficulty.is_none() {
            return Ok(None);
        }
        if rules.start() == Start::Unsafe {
            let message = "the first click of a board without guesses opens: leave --start out \
                           or use --start open";
            return Err(Failure::usage(anyhow!(message)));
        }
        *rules = rules.clone().with_start(Start::Open).map_err(Failure::usage)?;
        Generator::new(rules, self.difficulty, self.tries).map(Some).map_err(Failure::usage)
    }

    /// Writes a board where it belongs, unless all go into one document.
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
        // Blocks of rows need names to be told apart; links have a line each.
        if self.count > 1 && format.name == "text" {
            output.print(format_args!("> seed {seed} game {game}\n"))?;
        }
        output.document(format, &bytes)
    }
}

fn document<Board>(rules: &Rules, boards: Vec<Board>) -> DocumentShape<Board> {
    DocumentShape {
        schema_version: SCHEMA_VERSION,
        board: rules.size().to_string(),
        shape: rules.shape().form().name(),
        start: rules.start().name(),
        boards,
    }
}

struct Dealt {
    seed: GameSeed,
    board: Found,
}

enum Found {
    Any { first: Cell, layout: Layout },
    NoGuess(NoGuessBoard),
}

fn deal(
    rules: &Rules,
    at: At,
    seed: GameSeed,
    generator: Option<&mut Generator>,
) -> Result<Dealt, NoGuessError> {
    let game = Match::new(rules.clone(), at, seed);
    let first = game.first_click().expect("only agents choose their own first cell");
    let board = match generator {
        None => {
            let layout = Layout::deal(rules, seed.derive(Purpose::Layout), first);
            Found::Any { first, layout }
        }
        Some(generator) => Found::NoGuess(generator.generate(first, seed)?),
    };
    Ok(Dealt { seed, board })
}

impl Dealt {
    fn layout(&self) -> &Layout {
        match &self.board {
            Found::Any { layout, .. } => layout,
            Found::NoGuess(board) => &board.layout,
        }
    }

    fn shape(&self) -> BoardShape {
        let layout = self.layout();
        let (first, no_guess) = match &self.board {
            Found::Any { first, .. } => (*first, None),
            Found::NoGuess(board) => (board.first, Some(no_guess(board))),
        };
        let text = layout.to_string();
        let rows = text.lines().filter(|line| line.trim_start().starts_with(['*', '.']));
        BoardShape {
            seed: self.seed.seed,
            game: self.seed.game,
            first: layout.shape().position(first),
            three_bv: layout.three_bv(),
            no_guess,
            rows: rows.map(|row| row.replace(' ', "")).collect(),
        }
    }

    /// The board's proofs, if it needs no guess.
    fn proved(&self) -> Option<ProvedShape> {
        let Found::NoGuess(board) = &self.board else { return None };
        let place = |cell| board.layout.shape().position(cell);
        let shape = board.layout.shape();
        let log = board.proofs.iter().map(|proof| ProofShape::of(proof, shape, None));
        Some(ProvedShape {
            seed: self.seed.seed,
            game: self.seed.game,
            first: place(board.first),
            no_guess: no_guess(board),
            log: log.collect(),
        })
    }
}

fn no_guess(board: &NoGuessBoard) -> NoGuessShape {
    NoGuessShape {
        difficulty: board.difficulty().name(),
        hardest: board.hardest.name(),
        tries: board.tries,
        repaired: board.repaired,
    }
}
