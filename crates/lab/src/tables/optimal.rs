//! How often small boards can be won at all, by exhaustive search.

use deminer_agents::search::endgame::Endgame;
use deminer_game::{Board, Cell, FirstClick, GameSeed, Layout, Match, Outcome, Rules, Size, View};
use deminer_inference::odds::{Engine, Layouts};

use super::{Findings, Found, Goal, Line, Measured, Study, Table, Target, Work};
use crate::paper::pivot;

pub const TABLE: Table = Table {
    id: "optimal",
    title: "Small boards, won as often as can be",
    about: "Every way to play a board up to 5x5 is tried, as far as that can be done: how often \
            the best play wins, with a first click that is safe, in the corner or where it is \
            best. These rates are exact, not measured: every layout counts once. Beside them \
            `best` plays every layout from the corner, of boards with at most 30 000; a tenth of a \
            point is allowed between the two.",
    plan: |plan| {
        for size in boards() {
            let name = size.to_string();
            let study = plan.study(Study::new(&name, NODES, move |work| solve(work, size)));
            let exact = move |key: &'static str| {
                move |found: &Found| Ok(Measured::exact(found.last(key)?, ways(&size) as u64))
            };
            let mut add = |agent, measure, key, target: Goal| {
                plan.found(study, [&name, agent, measure], exact(key), target).optional = true;
            };
            add("optimal", "won", "best", Target::None.into());
            add("optimal", "won, corner", "corner", Target::None.into());
            if ways(&size) <= PLAYED {
                let near = Goal::Measured(Box::new(move |played| {
                    Ok(Target::at_least(played.found(study).last("corner")? - 0.001))
                }));
                add(PLAYER, "won, corner", "player", near);
            }
        }
        plan.remark(|played, reading| {
            let unsolved = played.studies.iter().filter(|found| found.findings.numbers.is_empty());
            let unsolved: Vec<&str> = unsolved.map(|found| found.study.name.as_str()).collect();
            if !unsolved.is_empty() {
                reading.notes.push(format!("Given up: {}.", unsolved.join(", ")));
            }
            Ok(())
        });
    },
    digest: Some(overview),
    ..Table::EMPTY
};

/// Sets of layouts that a search may open up, in ten thousands.
const NODES: u64 = 3_000;

/// Layouts of the largest boards that are tried.
const MOST: usize = 45_000;

/// Layouts of the largest boards that are played, layout by layout.
const PLAYED: usize = played(NODES);

/// Short studies play smaller boards only.
const fn played(nodes: u64) -> usize {
    10 * nodes as usize
}

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

/// The exact rates of a board; empty where the search was given up.
fn solve(work: &Work<'_>, size: Size) -> Option<Findings> {
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
    if ways(&size) <= played(work.amount) {
        findings.push("player", play_all(&view, &layouts, work)?);
    }
    Some(findings)
}

/// The share of layouts that the player wins from the corner.
fn play_all(view: &View, layouts: &Layouts, work: &Work<'_>) -> Option<f64> {
    let mut agent = work.agent(PLAYER);
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
        let outcome = Match::on(board, FirstClick::Corner, seed).play(agent.as_mut());
        games += 1;
        won += u64::from(outcome == Outcome::Won);
    }
    Some(won as f64 / games as f64)
}

/// The rates from the best first click: a row for each number of mines, a column for each board.
fn overview(lines: &[Line]) -> String {
    let sizes = || lines.iter().filter_map(|line| line.setting.rsplit_once('x'));
    let mut boards: Vec<String> = sizes().map(|(board, _)| board.to_owned()).collect();
    boards.dedup();
    let most = sizes().filter_map(|(_, mines)| mines.parse::<u32>().ok()).max().unwrap_or(0);
    let mines: Vec<String> = (1..=most).map(|mines| mines.to_string()).collect();
    let table = pivot("mines", &mines, &boards, |mines, board| {
        let setting = format!("{board}x{mines}");
        let line = lines.iter().find(|line| line.setting == setting && line.measure == "won")?;
        Some(format!("{:.3}", 100.0 * line.ours.value))
    });
    format!("Games won by the best play from the best first click, in percent:\n\n{table}")
}
