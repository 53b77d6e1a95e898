//! `cargo xtask corpus`: the positions on which the exact engine is measured.
//!
//! Two kinds. Positions of games, taken at moments when no covered cell is proved safe, so that
//! the player must guess. And adversarial ones that no game would reach, made to be wide: cells
//! opened at random without any deduction, and patterns of isolated clues. Everything follows
//! from fixed seeds; `--check` checks that the file in the repository is what this command writes.

use std::collections::HashSet;

use anyhow::{Context, Result, bail};
use deminer_game::{
    Action, Board, Cell, GameSeed, Layout, Purpose, Rules, Shape, Size, Start, State, View,
};
use deminer_inference::deduce::Fact;
use deminer_inference::odds::Engine;

const FILE: &str = "boards/corpus/positions.txt";

/// The run whose games give the positions.
const SEED: u64 = 20_260_101;

/// Writes the file, or with `--check` compares it.
pub fn run(words: &[&str]) -> Result<()> {
    if !matches!(words, [] | ["--check"]) {
        bail!("usage: cargo xtask corpus [--check]");
    }
    let text = corpus()?;
    crate::keep(FILE, text.as_bytes(), !words.is_empty(), "corpus")?;
    let positions = text.lines().filter(|line| line.starts_with('>')).count();
    println!("{FILE}: {positions} positions, {} kB", text.len() / 1000);
    Ok(())
}

fn corpus() -> Result<String> {
    let mut text = String::new();
    for level in LEVELS {
        for (number, view) in guess_positions(level)?.iter().enumerate() {
            text += &block(&format!("{}_guess_{number:03}", level.name), view);
        }
    }
    for family in REVEALS {
        for number in 0..family.positions {
            text += &block(&format!("{}_{number}", family.name), &revealed(family, number)?);
        }
    }
    for pattern in PATTERNS {
        for &(width, height) in pattern.sizes {
            for number in 0..PER_PATTERN {
                let name = format!("hard_{}{width}x{height}_{number}", pattern.name);
                text += &block(&name, &patterned(pattern, width, height, number)?);
            }
        }
    }
    Ok(text)
}

/// A position under its name, its rows without spaces.
fn block(name: &str, view: &View) -> String {
    let mut text = format!("> {name}\nmines {}\n", view.rules().mines());
    for row in view.to_string().lines().skip(1) {
        text.extend(row.chars().filter(|&symbol| symbol != ' '));
        text.push('\n');
    }
    text
}

/// Games on one board, and how many positions they give.
struct Level {
    name: &'static str,
    size: Size,
    positions: usize,
}

const LEVELS: &[Level] = &[
    Level { name: "expert", size: size(30, 16, 99), positions: 200 },
    Level { name: "inter", size: size(16, 16, 40), positions: 40 },
    Level { name: "beginner", size: size(9, 9, 10), positions: 30 },
    Level { name: "dense", size: size(30, 16, 130), positions: 30 },
    Level { name: "big64", size: size(64, 64, 819), positions: 30 },
];

const fn size(width: usize, height: usize, mines: usize) -> Size {
    Size { width, height, mines }
}

/// One position of each game in turn, no position twice.
fn guess_positions(level: &Level) -> Result<Vec<View>> {
    let rules = Rules::of(level.size)?;
    let mut engine = Engine::default();
    let mut seen = HashSet::new();
    let mut views = Vec::new();
    for game in 0.. {
        if views.len() == level.positions {
            break;
        }
        let seed = GameSeed { seed: SEED, game };
        let guesses = guesses(&rules, seed, &mut engine);
        if let Some(view) = seed.rng(Purpose::Agent).pick(&guesses)
            && seen.insert(view.to_string())
        {
            views.push(view.clone());
        }
    }
    Ok(views)
}

/// The positions of one game in which nothing is proved safe and a tenth of the safe cells is
/// open: before that, most positions are a few clues in a sea.
///
/// The player starts at a safe corner, opens all that is proved safe, and otherwise the cell of
/// lowest risk. The game ends early at a view that the engine cannot count.
fn guesses(rules: &Rules, seed: GameSeed, engine: &mut Engine) -> Vec<View> {
    let mut board = Board::dealt(rules.clone(), seed);
    board.act(Action::Open(rules.shape().nth(0).expect("boards have cells")));
    let mut guesses = Vec::new();
    while board.state() == State::Live {
        let Ok(odds) = engine.odds(board.view()) else { break };
        let proved = |&cell: &Cell| odds.fact(cell) == Some(Fact::Safe);
        let safe: Vec<Cell> = board.view().covered().filter(proved).collect();
        if safe.is_empty() {
            if board.view().opened().len() * 10 >= rules.safe_cells() {
                guesses.push(board.view().clone());
            }
            // Rounded, so that the last bits of equal risks do not decide how the game goes on.
            let risk = |&cell: &Cell| odds.mine(cell).map(|mine| (mine * 1e9).round() as u64);
            let guess = board.view().covered().min_by_key(risk);
            board.act(Action::Open(guess.expect("a live game has covered cells")));
        }
        for cell in safe {
            board.act(Action::Open(cell));
        }
    }
    guesses
}

/// Boards with a share of their safe cells open, chosen at random; zeros open nothing else.
struct Reveal {
    name: &'static str,
    size: Size,
    percent: usize,
    positions: u64,
}

const REVEALS: &[Reveal] = &[
    Reveal { name: "hard_reveal05", size: size(30, 16, 99), percent: 5, positions: 4 },
    Reveal { name: "hard_reveal10", size: size(30, 16, 99), percent: 10, positions: 4 },
    Reveal { name: "hard_reveal20", size: size(30, 16, 99), percent: 20, positions: 4 },
    Reveal { name: "hard_reveal35", size: size(30, 16, 99), percent: 35, positions: 4 },
    Reveal { name: "hard_reveal40", size: size(30, 16, 99), percent: 40, positions: 4 },
    Reveal { name: "hard_reveal64x64p15", size: size(64, 64, 819), percent: 15, positions: 4 },
    Reveal { name: "hard_reveal64x64p40", size: size(64, 64, 819), percent: 40, positions: 4 },
    Reveal { name: "hard_reveal100x100p15", size: size(100, 100, 2000), percent: 15, positions: 2 },
    Reveal { name: "hard_reveal100x100p40", size: size(100, 100, 2000), percent: 40, positions: 2 },
];

fn revealed(family: &Reveal, number: u64) -> Result<View> {
    showing(family.size, number, |_, mut cells| {
        GameSeed { seed: SEED, game: number }.rng(Purpose::Agent).shuffle(&mut cells);
        cells.truncate(cells.len() * family.percent / 100);
        cells
    })
}

/// Boards on which the safe cells of a regular pattern are open.
struct Pattern {
    name: &'static str,
    sizes: &'static [(usize, usize)],
    open: fn(shape: &Shape, row: usize, column: usize) -> bool,
}

/// Mines of a patterned board, in percent of its cells.
const PATTERN_MINES: usize = 30;

/// Positions of each pattern and size.
const PER_PATTERN: u64 = 2;

const PATTERNS: &[Pattern] = &[
    // Every other cell of every other row.
    Pattern {
        name: "lattice",
        sizes: &[(8, 8), (10, 10), (12, 12), (16, 16), (20, 6), (30, 8), (30, 16)],
        open: |_, row, column| row % 2 == 0 && column % 2 == 0,
    },
    // Every other cell, as the dark fields of a chess board.
    Pattern {
        name: "checker",
        sizes: &[(8, 8), (21, 10), (30, 30)],
        open: |_, row, column| (row + column) % 2 == 0,
    },
    // Every other cell of the first row and of every third column.
    Pattern {
        name: "comb",
        sizes: &[(9, 8), (21, 10), (30, 30)],
        open: |_, row, column| (row == 0 && column % 2 == 0) || (column % 3 == 0 && row % 2 == 0),
    },
    // One closed ring of clues, a cell away from the border.
    Pattern {
        name: "ring",
        sizes: &[(9, 9), (30, 16), (64, 64)],
        open: |shape, row, column| from_border(shape, row, column) == 1,
    },
    // Rings within rings; every covered ring between two of them ties both.
    Pattern {
        name: "rings",
        sizes: &[(9, 9), (16, 16), (30, 16)],
        open: |shape, row, column| from_border(shape, row, column) % 2 == 1,
    },
];

/// How many cells lie between this one and the nearest border.
fn from_border(shape: &Shape, row: usize, column: usize) -> usize {
    let (last_row, last_column) = (shape.height() - 1, shape.width() - 1);
    row.min(column).min(last_row - row).min(last_column - column)
}

fn patterned(pattern: &Pattern, width: usize, height: usize, number: u64) -> Result<View> {
    let mines = width * height * PATTERN_MINES / 100;
    showing(size(width, height, mines), number, |shape, mut cells| {
        cells.retain(|&cell| {
            let (row, column) = shape.position(cell);
            (pattern.open)(shape, row, column)
        });
        cells
    })
}

/// A board without cascade on which exactly those safe cells are open that are chosen.
fn showing(
    size: Size,
    number: u64,
    choose: impl FnOnce(&Shape, Vec<Cell>) -> Vec<Cell>,
) -> Result<View> {
    let rules = Rules::of(size)?.with_cascade(false).with_start(Start::Unsafe)?;
    let corner = rules.shape().nth(0).context("a board without cells")?;
    let seed = GameSeed { seed: SEED, game: number }.derive(Purpose::Layout);
    let layout = Layout::deal(&rules, seed, corner);
    let safe = layout.shape().cells().filter(|&cell| !layout.is_mine(cell)).collect();
    let cells = choose(layout.shape(), safe);
    let mut board = Board::laid(rules, layout, 0)?;
    for cell in cells {
        board.act(Action::Open(cell));
    }
    Ok(board.view().clone())
}

#[cfg(test)]
mod tests {
    use super::{PATTERNS, patterned, run};

    fn check(pattern: &str, width: usize, height: usize, picture: &str) {
        let pattern = PATTERNS.iter().find(|entry| entry.name == pattern).expect("a pattern");
        let view = patterned(pattern, width, height, 0).expect("a board");
        let picture: Vec<&str> = picture.split_whitespace().collect();
        for cell in view.shape().cells().filter(|&cell| !view.face(cell).is_covered()) {
            let (row, column) = view.shape().position(cell);
            assert_eq!(&picture[row][column..=column], "o", "row {row}, column {column}");
        }
        assert!(!view.opened().is_empty());
    }

    #[test]
    fn patterns_open_no_other_cells() {
        check("lattice", 5, 3, "o#o#o ##### o#o#o");
        check("checker", 5, 3, "o#o#o #o#o# o#o#o");
        check("comb", 6, 3, "o#ooo# ###### o##o##");
        check("ring", 5, 4, "##### #ooo# #ooo# #####");
        check("rings", 7, 7, "####### #ooooo# #o###o# #o#o#o# #o###o# #ooooo# #######");
    }

    #[test]
    fn the_corpus_is_what_its_command_writes() {
        run(&["--check"]).unwrap();
    }
}
