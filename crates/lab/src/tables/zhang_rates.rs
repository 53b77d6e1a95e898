//! Zhang, Wu, Li and Xu, figures 11 to 13 and what belongs to them: victories and open rates by
//! density, with exact, hidden and uncertain clues.

use deminer_game::{ClueRule, FirstClick, Start};

use super::{Figure, Games, Goal, Line, Measured, PAPER, Plan, Run, Table, Target, Verdict, ZHANG};
use crate::stats;
use crate::tournament::GameRow;

pub const VICTORY: Table = Table {
    id: "s001-e1",
    title: "Victory against mine density on 64x64",
    place: "figure 11",
    about: "A point of the paper's figure is 10 to 20 boards. Its victories are far more than \
            complete ones, and its text says that about 85 % of the boards at 20 % are not \
            completed although the figure shows 0.45: it most likely counts boards that are \
            nearly done. So the figure is compared with near victory (at least 99 % of the board \
            done without a wrong flag) from 17 to 21 %, and strict victory is shown beside it. So \
            few boards cannot tell players apart; no point of these densities may be more than 0.2 \
            from the figure. `cs520x` must win strictly more often at every density from 10 %.",
    plan: |plan| {
        let title = "Victory against mine density, 64x64";
        let figure = Figure::new("victory", title, "mines, % of cells", "boards");
        let figure = plan.figure(figure.with_paper("paper, Figure 11"));
        for (percent, paper) in DENSITIES.into_iter().zip(VICTORIES) {
            let run = plan.run(run(percent, 2000));
            let target = match (17.0..=21.0).contains(&percent) {
                true => Target::Same { paper, games: BOARDS_A_POINT },
                false => Target::Beside { paper },
            };
            let near = move |games: &Games<'_>| {
                games.share(|row| completion(row, mines_of(SIDE, percent)) >= 0.99)
            };
            let near = plan.row(run, "cs520", "near victory", near, target);
            near.point(figure, "cs520 near victory", percent);
            let strict =
                plan.row(run, "cs520", "strict victory", |games| games.won(), Target::None);
            strict.point(figure, "cs520 strict victory", percent);
            let original = plan.agent(run, "cs520");
            let more = match percent >= 10.0 {
                true => Goal::from_wins(original, |other| Target::Outdo { other }),
                false => Target::None.into(),
            };
            let improved = plan.row(run, "cs520x", "strict victory", |games| games.won(), more);
            improved.point(figure, "cs520x strict victory", percent);
        }
        let labels = ["17 to 21 %", "cs520", "greatest difference to the figure"];
        let greatest = |lines: &[Line]| {
            let is_judged = |line: &&Line| matches!(line.target, Target::Same { .. });
            let all = difference(&lines.iter().filter(is_judged).cloned().collect::<Vec<_>>());
            Measured { value: all.high, ..all }
        };
        plan.show(labels, move |_, lines| Ok(greatest(lines)), Target::at_most(0.2));
        plan.note(DIFFERENCES);
    },
    ..Table::of(&ZHANG)
};

/// The figure's boards a point: 10 to 20.
const BOARDS_A_POINT: u64 = 20;

const DIFFERENCES: &str = "The last line's \"interval\" is the least and the greatest difference; \
                           its \"games\" are points of the paper's figures.";

/// Mine densities in percent, and the figure's victory rates.
const DENSITIES: [f64; 24] = [
    1.0, 3.0, 5.0, 7.0, 9.0, 10.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 17.5, 18.0, 18.5, 19.0,
    19.5, 20.0, 20.5, 21.0, 21.5, 22.0, 23.0, 24.0,
];
const VICTORIES: [f64; 24] = [
    1.0, 1.0, 0.9, 1.0, 1.0, 0.8, 1.0, 0.8, 0.8, 0.9, 0.8, 0.9, 0.9, 0.70, 0.75, 0.65, 0.40, 0.45,
    0.40, 0.2, 0.2, 0.0, 0.1, 0.0,
];

pub(super) const SIDE: usize = 64;

/// The mines of a density on a square board.
pub(super) fn mines_of(side: usize, percent: f64) -> usize {
    ((side * side) as f64 * percent / 100.0).round() as usize
}

/// The paper's game: 64x64, a safe first cell that the agent chooses, no cascade.
pub(super) fn run(percent: f64, games: u64) -> Run {
    square(format!("{percent} %"), SIDE, percent, games)
}

/// The paper's game on a square board.
pub(super) fn square(name: String, side: usize, percent: f64, games: u64) -> Run {
    let board = format!("{side}x{side}x{}", mines_of(side, percent));
    Run::new(name, &board, games).start(Start::Safe, FirstClick::Agent).one_by_one()
}

/// How much of a 64x64 board is done, as the paper measures it: the greatest of the shares of
/// safe cells opened, mines flagged, and both together. After a wrong flag only opened cells count.
fn completion(row: &GameRow, mines: usize) -> f64 {
    let (mines, cells) = (mines as f64, (SIDE * SIDE) as f64);
    let (opened, flags) = (f64::from(row.opened), f64::from(row.flags));
    let open = opened / (cells - mines);
    match row.wrong_flags {
        0 if mines > 0.0 => open.max(flags / mines).max((opened + flags) / cells),
        _ => open,
    }
}

pub const OPEN_RATE: Table = Table {
    id: "s001-e2",
    title: "Open rate at 20 % mines on 64x64",
    about: "The share of safe cells opened, over all boards, and over those of which at least \
            5 % were opened: most of the other boards are lost in the first few guesses. The \
            paper's numbers come from few boards, so 3 and 6 points off are near enough.",
    plan: |plan| {
        let run = plan.run(run(DENSITY, 2_000));
        for agent in ["cs520", "cs520x"] {
            let [begun, all] = OPEN_RATES;
            let rows = [("begun", A_START, begun, 0.03), ("all", 0.0, all, 0.06)];
            for (boards, least, paper, tolerance) in rows {
                let target = match agent {
                    "cs520" => Target::Within { paper, tolerance },
                    _ => Target::Beside { paper },
                };
                let rate = move |games: &Games<'_>| open_rate(games, DENSITY, least);
                plan.row(run, agent, &format!("open rate, {boards}"), rate, target);
            }
        }
        plan.chart("Open rate at 20 % mines");
        let players = ["cs520", "cs520x"].map(|agent| plan.agent(run, agent));
        plan.note_on(move |played| {
            let [begun, all] = OPEN_RATES;
            let mut note = format!(
                "The mean over all boards is nearly the share of boards begun times their mean. \
                 The paper's two numbers mean that {:.1} % of its boards were begun.",
                100.0 * all / begun
            );
            for games in players.map(|player| played.games(player)) {
                let share = begun_share(&games);
                let Measured { value, low, high, .. } = share;
                let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
                let agent = games.agent;
                note += &format!(" `{agent}` begins {value:.1} ({low:.1} to {high:.1}) %.");
            }
            note += " Boards that are not begun are lost in the first openings, at the edge \
                      midpoints and corners that the published program takes in a fixed order, \
                      before its stages have clues to work with. The paper does not say on how \
                      many boards it measured; the order of these openings and the start rule \
                      are those of its program.";
            Ok(note)
        });
    },
    ..Table::of(&ZHANG)
};

const DENSITY: f64 = 20.0;

/// The paper's open rates over boards begun and over all boards.
const OPEN_RATES: [f64; 2] = [0.971389, 0.670673];

/// The share of boards opened enough to count as begun.
fn begun_share(games: &Games<'_>) -> Measured {
    let safe = (SIDE * SIDE - mines_of(SIDE, DENSITY)) as f64;
    games.share(|row| f64::from(row.opened) / safe >= A_START)
}

/// The mean share of safe cells opened, over boards with at least this share.
pub(super) fn open_rate(games: &Games<'_>, percent: f64, least: f64) -> Measured {
    let safe = (SIDE * SIDE - mines_of(SIDE, percent)) as f64;
    let rate = |row: &GameRow| f64::from(row.opened) / safe;
    games.mean(|row| Some(rate(row)).filter(|&rate| rate >= least))
}

/// Boards opened less than this are left out of some means.
pub(super) const A_START: f64 = 0.05;

pub const HIDDEN: Table = Table {
    id: "s001-e3",
    title: "Open rate with hidden clues on 64x64",
    place: "figures 12 and 13",
    about: "After a safe opening the clue is hidden with probability r (the text says shown; the \
            curves say hidden). Means are over boards opened at least 5 %, as the figures are. \
            Each point must be within 10 points of the figure, except r = 0.12 at 20 %, which lies \
            below the curves for 0.13 and 0.14; the curve labeled 0.11 repeats that of 0.10 and \
            is left out. Over all points the mean difference may be 5 points.",
    plan: plan_hidden,
    ..Table::of(&ZHANG)
};

const FIGURE_DENSITIES: [f64; 4] = [16.0, 18.0, 20.0, 22.0];

/// The probability that a clue is hidden, and the figures' open rates at each density.
const FIGURES: [(f64, [f64; 4]); 9] = [
    (0.06, [1.00, 0.96, 0.86, 0.52]),
    (0.07, [1.00, 0.95, 0.72, 0.47]),
    (0.08, [0.99, 0.93, 0.76, 0.50]),
    (0.09, [0.99, 0.95, 0.76, 0.36]),
    (0.10, [0.98, 0.89, 0.65, 0.31]),
    (0.12, [0.98, 0.77, 0.32, 0.20]),
    (0.13, [0.89, 0.66, 0.47, 0.18]),
    (0.14, [0.89, 0.59, 0.35, 0.15]),
    (0.15, [0.84, 0.53, 0.29, 0.16]),
];

/// The figures' point that contradicts its neighbors.
const NOISE: (f64, f64) = (0.12, 20.0);

fn plan_hidden(plan: &mut Plan) {
    let title = "Open rate with hidden clues, 64x64";
    let figure = Figure::new("blind", title, "mines, % of cells", "safe cells opened");
    let figure = plan.figure(figure.with_paper(PAPER));
    for (r, papers) in FIGURES {
        for (percent, paper) in FIGURE_DENSITIES.into_iter().zip(papers) {
            let run = square(setting(r, percent), SIDE, percent, 500);
            let run = plan.run(run.clues(ClueRule::Blind(r)).measuring(&[]));
            let target = match (r, percent) == NOISE {
                true => Target::Beside { paper },
                false => Target::Within { paper, tolerance: 0.10 },
            };
            let rate = move |games: &Games<'_>| open_rate(games, percent, A_START);
            let row = plan.row(run, "cs520", "open rate", rate, target);
            row.point(figure, &format!("r = {r:.2}"), percent);
        }
    }
    let labels = ["all points", "cs520", "mean difference to the figures"];
    plan.show(labels, |_, lines| Ok(difference(lines)), Target::at_most(0.05));
    let at_20 = FIGURE_DENSITIES.iter().position(|&percent| percent == 20.0).expect("among them");
    let scatter: Vec<String> = FIGURES
        .iter()
        .map(|(r, figure)| format!("{:.0} at r = {r:.2}", 100.0 * figure[at_20]))
        .collect();
    plan.note(format!(
        "At 20 % mines the figures read {}. More hidden clues cannot help, so where a later number \
         is larger the figures scatter by at least the difference.",
        scatter.join(", ")
    ));
    plan.remark(|_, reading| {
        let missed = |line: &&Line| line.verdict == Verdict::Missed && line.measure == "open rate";
        let missed: Vec<String> = reading.lines.iter().filter(missed).map(off).collect();
        reading.notes.push(match missed.is_empty() {
            true => "No point is further off than asked.".to_owned(),
            false => format!("Further off than asked: {}.", missed.join("; ")),
        });
        Ok(())
    });
    plan.note(DIFFERENCES);
}

/// A point that is too far off, with the figure's points for the next hiding rates.
fn off(line: &Line) -> String {
    let paper = line.target.paper().unwrap_or(f64::NAN);
    let mut text = format!(
        "{} ({:.1} % against the figure's {:.0} %",
        line.setting,
        100.0 * line.ours.value,
        100.0 * paper
    );
    for (place, (r, _)) in FIGURES.iter().enumerate() {
        for (percent, at) in FIGURE_DENSITIES.iter().zip(0..) {
            if line.setting != setting(*r, *percent) {
                continue;
            }
            let neighbors = [place.checked_sub(1), Some(place + 1)];
            let beside = neighbors.into_iter().flatten().filter_map(|place| FIGURES.get(place));
            let beside =
                beside.map(|(r, papers)| format!("{:.0} at r = {r:.2}", 100.0 * papers[at]));
            text += &format!(", which has {}", beside.collect::<Vec<_>>().join(" and "));
        }
    }
    text + ")"
}

fn setting(r: f64, percent: f64) -> String {
    format!("r {r:.2}, {percent} %")
}

/// The mean difference to the paper's numbers, from the least to the greatest.
fn difference(lines: &[Line]) -> Measured {
    let far = |line: &Line| Some((line.ours.value - line.target.paper()?).abs());
    let differences: Vec<f64> = lines.iter().filter_map(far).collect();
    let low = differences.iter().copied().fold(f64::INFINITY, f64::min);
    let high = differences.iter().copied().fold(0.0, f64::max);
    let (value, games) = (stats::mean(&differences), differences.len() as u64);
    Measured { value, low, high, games }
}

pub const UNCERTAIN: Table = Table {
    id: "s001-uncertain",
    title: "Optimistic and cautious clues on 16x16",
    about: "An optimistic clue is drawn evenly from 0 to the number of mines around, a cautious \
            one from that number to 8 (or to the number of neighbors). `cs520` uses the expected \
            number instead of the clue and takes an estimate within its margin of 0 or 1 for \
            certain; `lowest-risk` plays by the exact posterior, the upper line. The paper asks \
            for these experiments and shows none, so there is nothing to compare with: the share \
            of safe cells opened is shown by density, rule and margin. The board is 16x16, and \
            `lowest-risk` plays only the first fifth of the boards: where all cells depend on each \
            other, the posterior takes seconds a move. Positions too wide to count are sampled.",
    plan: plan_uncertain,
    ..Table::of(&ZHANG)
};

const SMALL_SIDE: usize = 16;
const EXACT: &str = "lowest-risk";

fn plan_uncertain(plan: &mut Plan) {
    let rules = [
        ("optimistic", ClueRule::Optimistic),
        ("cautious", ClueRule::Cautious),
        ("cautious:degree", ClueRule::CautiousDegree),
    ];
    for (word, rule) in rules {
        let title = format!("Open rate with {word} clues, 16x16");
        let file = word.replace(':', "-");
        let figure = Figure::new(&file, &title, "mines, % of cells", "safe cells opened");
        let figure = plan.figure(figure);
        for percent in [2.0, 4.0, 6.0, 8.0, 10.0, 15.0, 20.0] {
            let setting = format!("{rule}, {percent} %");
            let safe_cells = (SMALL_SIDE * SMALL_SIDE - mines_of(SMALL_SIDE, percent)) as f64;
            let rate =
                move |games: &Games<'_>| games.mean(|row| Some(f64::from(row.opened) / safe_cells));
            let mut run = |name: String, games| {
                plan.run(square(name, SMALL_SIDE, percent, games).clues(rule).measuring(&[]))
            };
            let (averages, exact) =
                (run(setting.clone(), 200), run(format!("{setting}, exact"), 40));
            for margin in ["0", "0.01", "0.05", "0.1", "0.2"] {
                let agent = format!("cs520:margin={margin}");
                let row = plan.row(averages, &agent, "open rate", rate, Target::None);
                row.point(figure, &agent, percent);
            }
            let row = plan.row(exact, EXACT, "open rate", rate, Target::None).setting(&setting);
            row.point(figure, EXACT, percent);
            plan.won(exact, EXACT, Target::None).setting(&setting);
        }
    }
}
