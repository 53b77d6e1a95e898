//! Estimates the win chance of positions with too many layouts for a complete search.
//!
//! Two things matter. The first is the next opening: safe cells, the more the better, or else a
//! cell at some risk. This is the [`promise`] of a position, and openings are chosen by it. The
//! second is the rest of the game, which hardly depends on the next opening: cells, edges and
//! corners still covered, their mine density, regions that cannot be solved without a guess. This
//! is the [`outlook`]. The product of both estimates the probability of winning.
//!
//! The outlook is a logistic regression on a few numbers, fitted by `cargo xtask outlook` to games
//! that were played on after every guess; the page about the strongest player in docs/book has it.

use deminer_game::{Cell, Form, View};
use deminer_inference::odds::Odds;

/// The weight of the second safest opening: the safest one may show nothing new.
const SECOND: f64 = 0.2;

/// What twice as many safe cells are worth more, in parts of two safe cells, on a dense board.
const MORE: f64 = 0.035;

/// How often more safe cells are worth more, after the first two.
const DOUBLINGS: f64 = 1.35;

/// The density of mines up to which more safe cells are worth nothing: the next guess is cheap. And
/// that from which they are worth all.
const SPARSE_TO_DENSE: (f64, f64) = (0.125, 0.2);

/// What twice as many safe cells are worth more on this board.
fn more(view: &View) -> f64 {
    let density = view.rules().mines() as f64 / view.shape().size() as f64;
    let (sparse, dense) = SPARSE_TO_DENSE;
    MORE * ((density - sparse) / (dense - sparse)).clamp(0.0, 1.0)
}

/// The greatest promise of a position on this board.
pub fn greatest_promise(view: &View) -> f64 {
    1.0 + more(view) * DOUBLINGS
}

/// What the next opening of a position promises, by its two safest cells that may show something
/// new: 1 if both are safe, and a little more if there are more of them. Cells of the sea always
/// may; dead cells count where there are no others.
pub fn promise(view: &View, odds: &Odds) -> f64 {
    promise_and_safe(view, odds).0
}

/// The same, and the first safe cell that may show something new, with how many there are (at most
/// [`ENOUGH`] are counted).
pub(super) fn promise_and_safe(view: &View, odds: &Odds) -> (f64, Option<(Cell, usize)>) {
    let risks = odds.risks();
    let sea = if odds.sea() > 0 { 1.0 - risks[Odds::SEA] } else { 0.0 };
    let (mut first, mut second, mut safe) = (sea, sea, 0);
    let mut one = None;
    for cell in view.shape().cells() {
        let safety = 1.0 - risks[odds.class(cell)];
        if (safety <= second && safety < 1.0) || safety.is_nan() || is_dead(view, odds, cell) {
            continue;
        }
        (first, second) = if safety > first { (safety, first) } else { (first, safety) };
        if safety == 1.0 {
            safe += 1;
            one = one.or(Some(cell));
        }
        if safe == ENOUGH {
            break;
        }
    }
    let one = one.map(|one| (one, safe as usize));
    if safe > 1 {
        return (1.0 + more(view) * (f64::from(safe).log2() - 1.0).min(DOUBLINGS), one);
    }
    let [safest, next] = odds.safest_two();
    first = if first == 0.0 { safest } else { first };
    second = if second == 0.0 { next.min(first) } else { second };
    ((1.0 - SECOND) * first + SECOND * second, one)
}

/// More safe cells than this promise nothing more.
const ENOUGH: u32 = 11;

/// Whether opening a covered cell cannot show anything new: nothing around it is undecided, or
/// just the cells of a clue that touches nothing else undecided, but perhaps the cell itself.
///
/// ```text
/// # a 1 .      the 2 has one mine among a and b, so whatever touches both and nothing else that is
/// 2 b 2 1      undecided, shows the same wherever that mine is
/// ```
pub fn is_dead(view: &View, odds: &Odds, cell: Cell) -> bool {
    let shape = view.shape();
    let risks = odds.risks();
    let is_undecided = |cell: Cell| {
        let risk = risks[odds.class(cell)];
        risk > 0.0 && risk < 1.0
    };
    let near = shape.neighbors(cell);
    let mut undecided = near.iter().copied().filter(|&near| is_undecided(near));
    let Some(one) = undecided.next() else { return true };
    let count = 1 + undecided.count();
    // A clue that touches all of them touches this one.
    shape.neighbors(one).iter().any(|&clue| {
        let is_exact = view.face(clue).clue().is_some_and(|clue| clue.exact().is_some());
        let others = shape.neighbors(clue).iter().filter(|&&other| other != cell);
        let mut others = others.copied().filter(|&other| is_undecided(other));
        is_exact && others.clone().count() == count && others.all(|other| near.contains(&other))
    })
}

/// What the outlook depends on.
pub const TRAITS: usize = 15;

/// What each trait adds to the logit of the outlook.
pub const WEIGHTS: [f64; TRAITS] = [
    4.8420, -11.3871, 7.5479, 0.0527, 0.7674, 0.7403, 0.3890, -5.8883, -0.1774, 1.3769, -1.2178,
    -0.1581, 0.1033, -1.6410, -0.1174,
];

/// How likely a position is won whose promise is 1.
pub fn outlook(view: &View, odds: &Odds) -> f64 {
    let sum: f64 =
        traits(view, odds).iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The traits of a position.
pub fn traits(view: &View, odds: &Odds) -> [f64; TRAITS] {
    let shape = view.shape();
    let risks = odds.risks();
    let risk = |cell: Cell| risks[odds.class(cell)];
    let is_undecided = |cell: Cell| risk(cell) > 0.0 && risk(cell) < 1.0;
    let inside = if shape.form() == Form::Hex { 6 } else { 8 };
    let (mut undecided, mut mines, mut edges, mut corners) = (0.0, 0.0, 0.0, 0.0);
    let (mut fringe, mut entropy) = (0.0, 0.0);
    let mut touches_sea = vec![false; risks.len()];
    for cell in shape.cells().filter(|&cell| is_undecided(cell)) {
        let (class, risk) = (odds.class(cell), risk(cell));
        let near = shape.neighbors(cell);
        undecided += 1.0;
        mines += risk;
        if near.len() <= 3 {
            corners += 1.0;
        } else if near.len() < inside {
            edges += 1.0;
        }
        if class != Odds::SEA {
            fringe += 1.0;
            entropy -= risk * risk.ln() + (1.0 - risk) * (1.0 - risk).ln();
            touches_sea[class] |= near.iter().any(|&near| odds.class(near) == Odds::SEA);
        }
    }
    let (mut regions, mut cost, mut closed) = (0.0, 0.0, 0.0);
    for region in odds.regions() {
        let unsure = risks[region.clone()].iter().filter(|risk| **risk > 0.0 && **risk < 1.0);
        let Some(least) = unsure.copied().min_by(f64::total_cmp) else { continue };
        regions += 1.0;
        cost += least;
        if !touches_sea[region.clone()].contains(&true) {
            closed += least;
        }
    }
    let density = mines / f64::max(undecided, 1.0);
    let (many, edges) = (undecided / 100.0, edges / 20.0);
    let start = (-(view.opened().len() as f64) / 15.0).exp();
    [
        1.0,
        density,
        density * density,
        many,
        many * density,
        many * density * density,
        edges,
        edges * density,
        corners,
        fringe / 20.0,
        entropy / 10.0,
        regions,
        cost,
        closed,
        start,
    ]
}
