//! Compares 3BV, openings, islands and ZiNi with ms_toollib, the library of the Minesweeper world
//! ranking, on random boards.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use deminer_game::{ClickParts, GameSeed, Layout, Purpose, Rules, Size};

use crate::number;

/// The default number of boards of each size.
const BOARDS: u64 = 1000;
/// Boards whose numbers `--golden` prints, of each size.
const GOLDEN: u64 = 12;
const SIZES: [&str; 3] = ["9x9x10", "16x16x40", "30x16x99"];

/// Reads boards as rows joined by slashes, one a line; prints their numbers.
const SCRIPT: &str = r#"
import sys
try:
    import ms_toollib
except ImportError:
    sys.exit(7)
for line in sys.stdin:
    rows = line.strip().split("/")
    board = [[-1 if cell == "*" else 0 for cell in row] for row in rows]
    board = ms_toollib.cal_board_numbers(board)
    more = ms_toollib.Board(board)
    print(more.bbbv, more.op, more.isl, ms_toollib.cal_zini(board), ms_toollib.cal_hzini(board))
"#;
/// The exit code of the script if the library is missing.
const MISSING: i32 = 7;

/// A board of a size and its number.
struct Dealt {
    size: &'static str,
    seed: u64,
    layout: Layout,
}

pub fn run(options: &[&str]) -> Result<()> {
    let (golden, boards) = match options {
        [] => (false, BOARDS),
        ["--golden"] => (true, GOLDEN),
        ["--boards", rest @ ..] if rest.len() <= 1 => {
            (false, number("--boards", rest.first().copied(), 1)?)
        }
        [unknown, ..] => bail!("zini takes no `{unknown}`"),
    };
    let mut dealt = Vec::new();
    for size in SIZES {
        let rules = Rules::of(size.parse::<Size>()?)?;
        for seed in 0..boards {
            let source = GameSeed { seed, game: 0 }.derive(Purpose::Layout);
            let first = rules.shape().nth(0).context("a board has cells")?;
            dealt.push(Dealt { size, seed, layout: Layout::deal(&rules, source, first) });
        }
    }
    let theirs = ask(&dealt)?;
    ensure!(theirs.len() == dealt.len(), "ms_toollib answered {} boards", theirs.len());
    for (board, theirs) in dealt.iter().zip(&theirs) {
        let Dealt { size, seed, layout } = board;
        let ours = numbers(layout);
        ensure!(
            ours == *theirs,
            "{size}, seed {seed}: 3BV, openings, islands, ZiNi and human ZiNi are {ours:?} here, \
             {theirs:?} there\n{layout}"
        );
        if golden {
            println!("{size} {seed} {}", theirs.map(|number| number.to_string()).join(" "));
        }
    }
    if !golden {
        println!("{} boards: all numbers agree with ms_toollib", dealt.len());
    }
    Ok(())
}

fn numbers(layout: &Layout) -> [usize; 5] {
    let parts = ClickParts::of(layout);
    let islands = parts.islands(layout);
    [parts.three_bv(), parts.openings.len(), islands, layout.zini(), layout.human_zini()]
}

/// The numbers of ms_toollib for the boards.
fn ask(dealt: &[Dealt]) -> Result<Vec<[usize; 5]>> {
    let mut input = String::new();
    for Dealt { layout, .. } in dealt {
        let shape = layout.shape();
        let row = |row: usize| -> String {
            let cells = (0..shape.width()).filter_map(|column| shape.cell(row, column));
            cells.map(|cell| if layout.is_mine(cell) { '*' } else { '.' }).collect()
        };
        let rows: Vec<String> = (0..shape.height()).map(row).collect();
        writeln!(input, "{}", rows.join("/"))?;
    }
    let mut python = Command::new("python3")
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start python3: this check needs Python and `pip install ms-toollib`")?;
    let mut stdin = python.stdin.take().context("python3 has no input")?;
    // The script may end early; its exit code gives the reason.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = python.wait_with_output()?;
    let _ = writer.join();
    match output.status.code() {
        Some(0) => {}
        Some(MISSING) => bail!("ms_toollib is not installed: `pip install ms-toollib`"),
        _ => bail!("python3 ended with {}", output.status),
    }
    let read = |line: &str| -> Option<[usize; 5]> {
        let numbers: Vec<usize> = line.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        numbers.try_into().ok()
    };
    let text = String::from_utf8(output.stdout)?;
    text.lines()
        .map(|line| read(line).with_context(|| format!("ms_toollib says `{line}`")))
        .collect()
}
