//! Lubarski, Samujło and Wszeborowski, tables 5 to 10: five networks on three boards.

use deminer_game::{FirstClick, Outcome, Start};
use deminer_neural::nets::Variant;

use super::{Games, LUBARSKI, Measured, Plan, Run, RunId, Table, Target, UNSTATED};

pub const TABLE_5: Table = table("s000-t5", "table 5", "Networks on the whole 7x7 board", |plan| {
    let nets = [
        ("mlp-full", [82.3, 1.5, 0.4, 0.4]),
        ("cnn-full", [71.0, 38.7, 16.5, 3.5]),
        ("enn-full", [83.1, 4.4, 0.4, 0.4]),
    ];
    plan_nets(plan, "7x7x5", 10_000, &nets);
});

pub const TABLE_6: Table = table("s000-t6", "table 6", "Networks on windows, 7x7 board", |plan| {
    let nets = [("mlp-5x5", [84.5, 56.0, 31.3, 8.3]), ("cnn-5x5", [88.6, 63.8, 49.2, 21.0])];
    plan_nets(plan, "7x7x5", 10_000, &nets);
});

pub const TABLE_7: Table =
    table("s000-t7", "table 7", "Networks on the whole 10x10 board", |plan| {
        let nets = [
            ("mlp-full", [88.7, 0.1, 0.0, 0.0]),
            ("cnn-full", [67.4, 37.2, 18.1, 0.0]),
            ("enn-full", [86.1, 0.3, 0.0, 0.0]),
        ];
        plan_nets(plan, "10x10x10", 5_000, &nets);
    });

pub const TABLE_8: Table =
    table("s000-t8", "table 8", "Networks on windows, 10x10 board", |plan| {
        let nets = [("mlp-5x5", [89.7, 64.2, 42.9, 1.3]), ("cnn-5x5", [93.8, 78.7, 64.5, 6.5])];
        plan_nets(plan, "10x10x10", 10_000, &nets);
    });

pub const TABLE_9: Table =
    table("s000-t9", "table 9", "Networks on the whole 20x20 board", |plan| {
        let nets = [
            ("mlp-full", [94.8, 0.0, 0.0, 0.0]),
            ("cnn-full", [59.3, 20.6, 5.6, 0.0]),
            ("enn-full", [95.6, 0.0, 0.0, 0.0]),
        ];
        plan_nets(plan, "20x20x20", 1_000, &nets);
    });

pub const TABLE_10: Table =
    table("s000-t10", "table 10", "Networks on windows, 20x20 board", |plan| {
        let nets = [("mlp-5x5", [69.6, 36.5, 17.3, 0.7]), ("cnn-5x5", [96.4, 90.4, 81.7, 26.1])];
        plan_nets(plan, "20x20x20", 2_000, &nets);
    });

const fn table(
    id: &'static str,
    place: &'static str,
    title: &'static str,
    plan: fn(&mut Plan),
) -> Table {
    Table { id, place, title, plan, ..SHARED }
}

const SHARED: Table = Table {
    about: "Networks that learned the risks a solver computes, as their authors had them (`:orig`: \
            inputs scaled in training but not in play, open cells among the choices of the dense \
            ones, a network trained on fifty games) and repaired. Rows show the share of games not \
            lost after 1, 3 and 5 moves, and the share won. A network that opens the same cell \
            again is stuck, which counts as a loss at the second time, as in the paper. All boards \
            are new to the networks; the paper's were not. The originals must fail as the paper's \
            did, the repaired ones must win more full games. Networks that are not shipped for \
            this board do not play; `deminer agents` says how to train them.",
    ..Table::of(&LUBARSKI)
};

/// The share that the repaired `cnn-5x5` must win.
const CNN_5X5_WINS: [(&str, f64); 3] = [("7x7x5", 0.6), ("10x10x10", 0.5), ("20x20x20", 0.8)];

/// The share of stuck games in the authors' log of MLP on 7x7.
const STUCK: f64 = 0.811;

/// Moves after which games are counted.
pub(super) const MOVES: [u32; 3] = [1, 3, 5];

/// Networks on a board, and the paper's percentages after 1, 3 and 5 moves and at the end.
fn plan_nets(plan: &mut Plan, board: &str, games: u64, nets: &[(&str, [f64; 4])]) {
    for &(net, paper) in nets {
        let variants =
            [(Variant::Orig, format!("{net}:orig")), (Variant::Repaired, net.to_owned())];
        let shipped = variants.iter().filter(|(_, agent)| plan.can_play(agent, board));
        let shipped: Vec<_> = shipped.collect();
        if shipped.is_empty() {
            continue;
        }
        let run = Run::new(net, board, games).measuring(&[]);
        let run = plan.run(run.start(Start::Open, FirstClick::Random));
        for (variant, agent) in shipped {
            let paper = paper.map(|percent| percent / 100.0);
            plan_net(plan, run, board, agent, *variant, paper);
        }
    }
    plan.chart(&format!("Networks on {board}"));
}

/// A network as its authors had it must fail as theirs did; a repaired one must win more games
/// than theirs.
fn plan_net(
    plan: &mut Plan,
    run: RunId,
    board: &str,
    agent: &str,
    variant: Variant,
    paper: [f64; 4],
) {
    let net = agent.trim_end_matches(":orig");
    // The authors' second ENN was five points off their first.
    let tolerance = if net == "enn-full" { 0.08 } else { 0.06 };
    for (moves, paper) in MOVES.into_iter().zip(paper) {
        let target = match (variant, moves) {
            (Variant::Orig, 1) => Target::Within { paper, tolerance },
            _ => Target::Beside { paper },
        };
        let lasts = move |games: &Games<'_>| lasts(games, moves);
        plan.row(run, agent, &lasting(moves), lasts, target).setting(board);
    }
    let (paper, dense) = (paper[3], ["mlp-full", "enn-full"].contains(&net));
    let asked = CNN_5X5_WINS.iter().find(|(asked, _)| *asked == board && net == "cnn-5x5");
    let least = asked.map_or(paper + f64::EPSILON, |(_, share)| *share);
    let wins = match variant {
        Variant::Orig if dense => Target::Between { paper, low: 0.0, high: 0.02 },
        Variant::Orig => Target::Beside { paper },
        Variant::Repaired => Target::AtLeast { paper, least },
    };
    plan.won(run, agent, wins).setting(board);
    if variant == Variant::Orig && dense {
        let target = match (net, board) {
            ("mlp-full", "7x7x5") => Target::Same { paper: STUCK, games: UNSTATED },
            _ => Target::at_least(0.75),
        };
        let stuck = |games: &Games<'_>| games.ended(Outcome::Stuck);
        plan.row(run, agent, "stuck", stuck, target).setting(board);
    }
}

pub(super) fn lasting(moves: u32) -> String {
    format!("not lost after {moves} {}", if moves == 1 { "move" } else { "moves" })
}

/// The share of games not lost after this many moves. An idle move does not lose; the second in a
/// row does.
fn lasts(games: &Games<'_>, moves: u32) -> Measured {
    games.share(|row| {
        let idle = u32::from(row.outcome == Outcome::Stuck);
        row.outcome == Outcome::Won || row.survived + idle >= moves
    })
}
