//! How often small boards can be won at all, by trying everything.

use deminer_agents::search::endgame::Endgame;
use deminer_game::{Agent, At, Board, Cell, GameSeed, Layout, Match, Outcome, Rules, Size, View};
use deminer_inference::count::{Engine, Layouts};

use super::{Findings, Line, Measured, Played, Reading, Study, Table, Target, Work};
use crate::report::markdown_table;
use crate::roster::Spec;

pub const TABLE: Table = Table {
    id: "optimal",
    title: "Small boards, won as often as can be",
    paper: None,
    about: "Every way to play a board up to 5x5 is tried, as far as that can be done: how often \
            the best play wins, with a first click that is safe, in the corner or where it is \
            best. These rates are exact, not measured: every layout counts once. Beside them \
            `best` plays every layout from the corner, of boards with at most 30 000; a tenth of a \
            point is allowed between the two.",
    trials: Vec::new,
    studies: || boards().map(|board| Study::new(board.to_string(), NODES, solve)).collect(),
    read,
    digest: Some(overview),
};

/// Sets of layouts that a search may open up, in ten thousands.
const NODES: u64 = 3_000;

/// Layouts of the largest boards that are tried.
const MOST: usize = 45_000;

/// Layouts of the largest boards that are played, layout by layout.
const PLAYED: usize = 30_000;

/// The player that is compared.
const PLAYER: &str = "best";

fn boards() -> impl Iterator<Item = Size> {
    let sizes = (2..=5).flat_map(|width| (2..=width).map(move |height| (width, height)));
    sizes.flat_map(|(width, height)| {
        let mines = 1..width * height;
        mines.map(move |mines| Size { width, height, mines }).filter(|board| ways(board) <= MOST)
    })
}

/// Layouts with the first cell safe.
fn ways(board: &Size) -> usize {
    let cells = board.width * board.height - 1;
    (0..board.mines.min(cells - board.mines))
        .fold(1, |ways, taken| ways * (cells - taken) / (taken + 1))
}

/// The exact rates of a board: none where the search was given up.
fn solve(work: &Work<'_>) -> Option<Findings> {
    let size: Size = work.name.parse().expect("a board of this table");
    let view = View::new(Rules::of(size).expect("a board of this table"));
    let mut findings = Findings::default();
    let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
    let odds = engine.odds(&view).expect("a fresh board has layouts");
    let all = usize::MAX >> 16;
    layouts.list(&view, odds, all).expect("a small board has few layouts");
    let nodes = work.amount as usize * 10_000;
    let Ok(solved) = Endgame::new(nodes).solve(&view, &layouts) else { return Some(findings) };
    let corner = solved.alternatives.iter().find(|weighed| weighed.cell.index() == 0)?;
    findings.push("best", solved.win);
    findings.push("corner", corner.win?);
    if ways(&size) <= PLAYED {
        findings.push("player", play_all(&view, &layouts, work)?);
    }
    Some(findings)
}

/// The share of layouts that the player wins from the corner.
fn play_all(view: &View, layouts: &Layouts, work: &Work<'_>) -> Option<f64> {
    let spec: Spec = PLAYER.parse().expect("in the roster");
    let mut agent: Box<dyn Agent> = spec.build().expect("it needs nothing");
    let cells: Vec<Cell> = view.shape().cells().collect();
    let (mut games, mut won) = (0u64, 0u64);
    for layout in 0..layouts.len() {
        if work.is_stopped() {
            return None;
        }
        let is_mine = |cell: &Cell| {
            layouts.is_common_mine(*cell)
                || layouts.place(*cell).is_some_and(|place| layouts.is_mine(layout, place))
        };
        if is_mine(&cells[0]) {
            continue;
        }
        let mines = cells.iter().copied().filter(is_mine);
        let laid = Layout::new(view.shape().clone(), mines).expect("each cell once");
        let board = Board::laid(view.rules().clone(), laid, 0).expect("a layout of the rules");
        let seed = GameSeed { seed: work.seed, game: layout as u64 };
        let outcome = Match::on(board, At::Corner, seed).play(agent.as_mut());
        games += 1;
        won += u64::from(outcome == Outcome::Won);
    }
    Some(won as f64 / games as f64)
}

fn read(played: &Played) -> Reading {
    let mut reading = Reading::default();
    let mut unsolved = Vec::new();
    for (study, findings) in played.studies() {
        let size: Size = study.name.parse().expect("a board of this table");
        let exact = |name: &str| {
            let value = findings.numbers(name)[0];
            Measured { value, low: value, high: value, games: ways(&size) as u64 }
        };
        if findings.numbers.is_empty() {
            unsolved.push(study.name.clone());
            continue;
        }
        let corner = exact("corner");
        let target = Target::AtLeast { paper: corner.value, least: corner.value - 0.001 };
        let line =
            |agent, measure, target, ours| Line::new(&study.name, agent, measure, target, ours);
        reading.lines.push(line("optimal", "won", Target::None, exact("best")));
        reading.lines.push(line("optimal", "won, corner", Target::None, corner));
        if findings.numbers.contains_key("player") {
            reading.lines.push(line(PLAYER, "won, corner", target, exact("player")));
        }
    }
    if !unsolved.is_empty() {
        reading.notes.push(format!("Given up: {}.", unsolved.join(", ")));
    }
    reading
}

/// The rates from the best first click: a row for each number of mines, a column for each board.
fn overview(lines: &[Line]) -> String {
    let mut shapes: Vec<String> = Vec::new();
    let mut most = 0;
    let parse = |line: &Line| line.setting.parse::<Size>().expect("a board of this table");
    let shape = |size: &Size| format!("{}x{}", size.width, size.height);
    for line in lines {
        let size = parse(line);
        most = most.max(size.mines);
        if !shapes.contains(&shape(&size)) {
            shapes.push(shape(&size));
        }
    }
    let rate = |at: &String, mines: usize| {
        let own = |line: &&Line| {
            let size = parse(line);
            shape(&size) == *at && size.mines == mines && line.measure == "won"
        };
        lines.iter().find(own).map_or("-".into(), |line| format!("{:.3}", 100.0 * line.ours.value))
    };
    let header: Vec<&str> =
        ["mines"].into_iter().chain(shapes.iter().map(String::as_str)).collect();
    let row = |mines: usize| {
        let cells = shapes.iter().map(|at| rate(at, mines));
        [mines.to_string()].into_iter().chain(cells).collect::<Vec<String>>()
    };
    let table = markdown_table(&header, (1..=most).map(row));
    format!("Games won by the best play from the best first click, in percent:\n\n{table}")
}
