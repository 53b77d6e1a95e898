//! `deminer generate`: boards from seeds.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use deminer_formats::{Document, Format};
use deminer_game::{At, Cell, GameSeed, Layout, Match, Purpose, Rules};
use serde::Serialize;

use crate::commands::convert::format_named;
use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION};
use crate::rule_args::RuleArgs;

/// Deal boards from a seed, in any format that holds one.
///
/// Board i of a seed is the board of game i: what `play --seed S --game i` plays with the same
/// rules.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer generate --board expert --seed 7
  deminer generate --count 5 --to link
  deminer generate --board intermediate --count 100 --to mbf --out boards/")]
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

    #[command(flatten)]
    rules: RuleArgs,
}

#[derive(Serialize)]
struct DocumentShape {
    schema_version: u32,
    board: String,
    shape: &'static str,
    start: &'static str,
    boards: Vec<BoardShape>,
}

#[derive(Serialize)]
struct BoardShape {
    seed: u64,
    game: u64,
    /// The cell the start rule kept free.
    first: (usize, usize),
    three_bv: usize,
    rows: Vec<String>,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let (rules, at) = self.rules.resolve()?;
        if at == At::Agent {
            let message = "a board needs its first click: use --at corner, random or ROW,COLUMN";
            return Err(Failure::usage(anyhow!(message)));
        }
        let format = format_named(&self.to)?;
        let end = self
            .first_game
            .checked_add(self.count)
            .context("--first-game and --count exceed the number of boards a seed has")
            .map_err(Failure::usage)?;
        let boards = (self.first_game..end).map(|game| deal(&rules, at, self.seed, game));

        if self.json {
            return output.json(&DocumentShape {
                schema_version: SCHEMA_VERSION,
                board: rules.size().to_string(),
                shape: rules.shape().form().name(),
                start: rules.start().name(),
                boards: boards.map(|board| board.shape()).collect(),
            });
        }
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            for board in boards {
                let GameSeed { seed, game } = board.seed;
                let extension = format.extensions.first().copied().unwrap_or("txt");
                let path = folder.join(format!("seed-{seed}-game-{game}.{extension}"));
                output.file(&path, &board.write(format)?)?;
            }
            return Ok(());
        }
        if format.binary && self.count > 1 {
            let message = format!("several boards as {} need --out DIR", format.name);
            return Err(Failure::usage(anyhow!(message)));
        }
        for board in boards {
            // Blocks of rows need names to be told apart; links have a line each.
            if self.count > 1 && format.name == "text" {
                let GameSeed { seed, game } = board.seed;
                output.print(format_args!("> seed {seed} game {game}\n"))?;
            }
            output.document(format, &board.write(format)?)?;
        }
        Ok(())
    }
}

struct Dealt {
    seed: GameSeed,
    first: Cell,
    layout: Layout,
}

fn deal(rules: &Rules, at: At, seed: u64, game: u64) -> Dealt {
    let seed = GameSeed { seed, game };
    let game = Match::new(rules.clone(), at, seed);
    let first = game.first_click().expect("only agents choose their own first cell");
    let layout = Layout::deal(rules, seed.derive(Purpose::Layout), first);
    Dealt { seed, first, layout }
}

impl Dealt {
    fn write(&self, format: &Format) -> Result<Vec<u8>, Failure> {
        format.write(&Document::Layout(self.layout.clone())).map_err(Failure::usage)
    }

    fn shape(self) -> BoardShape {
        let text = self.layout.to_string();
        let rows = text.lines().filter(|line| line.trim_start().starts_with(['*', '.']));
        BoardShape {
            seed: self.seed.seed,
            game: self.seed.game,
            first: self.layout.shape().position(self.first),
            three_bv: self.layout.three_bv(),
            rows: rows.map(|row| row.replace(' ', "")).collect(),
        }
    }
}
