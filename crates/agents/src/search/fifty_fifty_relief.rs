//! Credits cells that may turn out to be part of a 50/50.
//!
//! Two neighbors with one mine between them are a 50/50 if every other cell that touches one of
//! them touches both, or is a mine. So are the two diagonals of a square. The cells that must be
//! mines for this are its *walls*. The edge needs none, so edges and corners are dangerous:
//!
//! ```text
//! a b w      with mines at both w, no clue can show whether the mine is at a or at b, and a guess
//! . . w      decides the game. Opening a, b or a w before costs less than its risk
//! . . .
//! ```
//!
//! If a cell is the mine of such a 50/50, half of the games are lost anyway, so its risk is not
//! charged in full. The *relief* of a cell is 1 plus most of that probability, divided by its
//! safety: safety · relief is the chance that opening it costs nothing. Probabilities are those of
//! all facts together, by counting layouts. With uncertain clues, which make layouts differ in
//! weight, only 50/50s that are there already count.

use std::sync::{Arc, Mutex, PoisonError};

use arrayvec::ArrayVec;
use deminer_game::stop;
use deminer_game::{Cell, Face, Shape, View};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::Odds;

use super::endgame::has_exact_clues;
use super::fifty_fifty::fifty_fifties;
use super::lookahead::CandidateSearch;

/// The share of a spared risk that is not charged.
const CREDIT: f64 = 0.9;

/// Potential 50/50s less likely than this, by an upper bound, are left out.
const UNLIKELY: f64 = 0.01;

/// A wall is worth opening only for 50/50s likelier than this.
const WORTH_BREAKING: f64 = 0.025;

/// At most this number of walls may be undecided.
const MOST_MISSING: usize = 3;

/// Finds the potential 50/50s of positions, and what openings spare. Keeps its buffers from position
/// to position.
#[derive(Default)]
pub struct Relief {
    shape: Option<Shape>,
    potentials: Arc<[Potential]>,
    /// For each cell, the probability that it is the mine of a 50/50, or a wall that is a mine and
    /// makes one that is lost.
    spared: Vec<f64>,
}

/// Cells that are a 50/50 if all walls are mines: either side may hold the mines.
#[derive(Clone, Debug)]
struct Potential {
    sides: [ArrayVec<Cell, 2>; 2],
    walls: ArrayVec<Cell, MOST_WALLS>,
}

/// Walls of a pair; a square has at most [`SQUARE_WALLS`].
const MOST_WALLS: usize = 6;
const SQUARE_WALLS: usize = 4;

impl Relief {
    /// Finds what each opening of a position spares. `odds` are those of the view.
    pub fn weigh(
        &mut self,
        ahead: &mut CandidateSearch,
        view: &View,
        known: &SinglePoint,
        odds: &Odds,
    ) {
        self.prepare(view.shape());
        self.spared.clear();
        self.spared.resize(view.shape().size(), 0.0);
        for held in fifty_fifties(view, |cell| odds.mine(cell)) {
            for &cell in held.one.iter().chain(&held.other) {
                self.spared[cell.index()] = odds.mine(cell).unwrap_or(0.0);
            }
        }
        if !odds.is_exact() || !has_exact_clues(view) {
            return;
        }
        for potential in &*self.potentials {
            if stop::is_raised() {
                return;
            }
            let Some(missing) = potential.missing(view, odds) else { continue };
            let joint = [0, 1].map(|side| {
                let supposed = || potential.supposed(side, &missing);
                match bound(odds, supposed()) < UNLIKELY {
                    true => 0.0,
                    false => ahead.joint_probability(view, known, odds, supposed()),
                }
            });
            for (side, joint) in potential.sides.iter().zip(joint) {
                side.iter().for_each(|cell| self.spared[cell.index()] += joint);
            }
            if let ([wall], true) = (&missing[..], joint[0].max(joint[1]) > WORTH_BREAKING) {
                self.spared[wall.index()] += (joint[0] + joint[1]) / 2.0;
            }
        }
    }

    /// How many times likelier the game is won than the safety of an opening says.
    pub fn of(&self, odds: &Odds, cell: Cell) -> f64 {
        let risk = odds.mine(cell).expect("covered cells have odds");
        1.0 + CREDIT * self.spared(risk, cell) / (1.0 - risk)
    }

    /// About how likely the cell is part of a 50/50 that opening it avoids.
    pub fn avoided(&self, odds: &Odds, cell: Cell) -> f64 {
        let risk = odds.mine(cell).expect("covered cells have odds");
        2.0 * self.spared(risk, cell)
    }

    fn spared(&self, risk: f64, cell: Cell) -> f64 {
        self.spared[cell.index()].min(risk).min(1.0 - risk)
    }

    /// Lists the potential 50/50s of a shape.
    fn prepare(&mut self, shape: &Shape) {
        if self.shape.as_ref() != Some(shape) {
            self.potentials = potentials(shape);
            self.shape = Some(shape.clone());
        }
    }
}

/// The potential 50/50s of a shape. Those of the last shape are remembered: listing them takes as
/// long as judging an easy position.
fn potentials(shape: &Shape) -> Arc<[Potential]> {
    static LAST: Mutex<Option<(Shape, Arc<[Potential]>)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = last.as_ref().filter(|(of, _)| of == shape) {
        return known.clone();
    }
    let found: Arc<[Potential]> = list_potentials(shape).into();
    *last = Some((shape.clone(), found.clone()));
    found
}

fn list_potentials(shape: &Shape) -> Vec<Potential> {
    let mut found = Vec::new();
    for one in shape.cells() {
        let near = shape.neighbors(one);
        for &other in near.iter().filter(|&&other| other > one) {
            found.extend(Potential::new(shape, &[one], &[other], MOST_WALLS));
            let both = near.iter().filter(|cell| shape.neighbors(other).contains(cell));
            let both: ArrayVec<Cell, 8> = both.copied().collect();
            // Squares, by their first cell and the one opposite to it.
            for (at, &third) in both.iter().enumerate().filter(|(_, third)| **third > one) {
                found.extend(both[at + 1..].iter().filter_map(|&fourth| {
                    Potential::new(shape, &[one, other], &[third, fourth], SQUARE_WALLS)
                }));
            }
        }
    }
    found
}

impl Potential {
    /// The potential 50/50 of two sets of cells; none if it has too many walls.
    fn new(shape: &Shape, one: &[Cell], other: &[Cell], most_walls: usize) -> Option<Self> {
        let touched = |cell: Cell, side: &[Cell]| {
            shape.neighbors(cell).iter().filter(|near| side.contains(near)).count()
        };
        let mut walls = ArrayVec::new();
        for &near in one.iter().chain(other).flat_map(|&cell| shape.neighbors(cell)) {
            let is_inside = one.contains(&near) || other.contains(&near);
            if is_inside || walls.contains(&near) || touched(near, one) == touched(near, other) {
                continue;
            }
            if walls.len() == most_walls {
                return None;
            }
            walls.push(near);
        }
        let sides = [one, other].map(|side| side.iter().copied().collect());
        Some(Self { sides, walls })
    }

    /// The walls that are not known to be mines; none if this cannot be a 50/50.
    fn missing(&self, view: &View, odds: &Odds) -> Option<ArrayVec<Cell, MOST_MISSING>> {
        let is_undecided =
            |cell: &Cell| odds.mine(*cell).is_some_and(|risk| risk > 0.0 && risk < 1.0);
        if !self.sides.iter().flatten().all(is_undecided) {
            return None;
        }
        let mut missing = ArrayVec::new();
        for wall in &self.walls {
            if is_undecided(wall) {
                missing.try_push(*wall).ok()?;
            } else if view.face(*wall) != Face::Mine && odds.fact(*wall) != Some(Fact::Mine) {
                return None;
            }
        }
        Some(missing)
    }

    /// The facts of a 50/50 with the mines on one side.
    fn supposed<'a>(
        &'a self,
        side: usize,
        missing: &'a [Cell],
    ) -> impl Iterator<Item = (Cell, Fact)> + 'a {
        let mines = self.sides[side].iter().chain(missing).map(|&cell| (cell, Fact::Mine));
        mines.chain(self.sides[1 - side].iter().map(|&cell| (cell, Fact::Safe)))
    }
}

/// About the most that the probability of facts together can be: cells of the sea are nearly
/// independent, others may follow from one another.
fn bound(odds: &Odds, supposed: impl Iterator<Item = (Cell, Fact)>) -> f64 {
    let (mut sea, mut fringe) = (1.0, 1.0f64);
    for (cell, fact) in supposed {
        let risk = odds.mine(cell).expect("covered cells have odds");
        let likely = if fact == Fact::Mine { risk } else { 1.0 - risk };
        if odds.class(cell) == Odds::SEA {
            sea *= likely;
        } else {
            fringe = fringe.min(likely);
        }
    }
    sea * fringe
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Form, GameSeed, Rng, Rules, Start};
    use deminer_inference::odds::{Engine, Layouts};

    use super::*;

    fn weigh(view: &View) -> (Relief, Odds) {
        let odds = Engine::default().odds(view).unwrap().clone();
        let mut relief = Relief::default();
        relief.weigh(&mut CandidateSearch::default(), view, &SinglePoint::of(view), &odds);
        (relief, odds)
    }

    /// The relief of each cell in a row of a position.
    fn reliefs(position: &str, row: usize) -> Vec<f64> {
        let view: View = position.parse().unwrap();
        let (relief, odds) = weigh(&view);
        let width = view.shape().width();
        let cells = view.shape().cells().skip(row * width).take(width);
        cells.map(|cell| odds.mine(cell).map_or(1.0, |_| relief.of(&odds, cell))).collect()
    }

    #[test]
    fn a_pair_walled_in_by_mines_is_nearly_free() {
        // One of the first two is a mine, whatever else is opened.
        let found = reliefs("mines 3\n# # # 2\n1 3 # 2\n. 1 1 1", 0);
        assert_eq!(found[..2], [1.0 + CREDIT; 2]);
    }

    #[test]
    fn a_wall_that_may_be_a_mine_is_worth_opening() {
        // The third cell of the first row is a mine. If the one below it is a mine too, nothing
        // shows which of the first two cells is one.
        let found = reliefs("mines 5\n# # # # #\n1 3 # # #\n. 1 # # #", 1);
        assert!(found[2] > found[3], "{found:?}");
    }

    #[test]
    fn in_the_open_corners_are_dangerous() {
        let rows = ["# # # # # # # # #"; 9].join("\n");
        let found = reliefs(&format!("mines 20\n{rows}"), 0);
        assert!(found[0] > found[4] && found[1] > found[4] && found[4] == 1.0, "{found:?}");
    }

    /// Every probability against a count of all layouts.
    #[test]
    fn joint_probabilities_are_shares_of_the_layouts() {
        let mut rng = Rng::new(9);
        let (mut engine, mut ahead) = (Engine::default(), CandidateSearch::default());
        let (mut layouts, mut relief) = (Layouts::default(), Relief::default());
        let mut checked = 0;
        for game in 0..400 {
            let shape = Shape::new(Form::ALL[rng.below(3)], 3 + rng.below(3), 2 + rng.below(3));
            let shape = shape.unwrap();
            let mines = 1 + rng.below(shape.size() / 2);
            let rules = Rules::starting(shape.clone(), mines, Start::Unsafe).unwrap();
            let mut board = Board::dealt(rules, GameSeed { seed: 4, game });
            for cell in shape.cells().filter(|_| rng.below(2) == 0) {
                if !board.hides_mine(cell) {
                    board.act(Action::Open(cell));
                }
            }
            let view = board.view();
            let odds = engine.odds(view).unwrap().clone();
            layouts.list(view, &odds, 200_000).unwrap();
            let is_mine = |layout, cell| match layouts.place(cell) {
                Some(place) => layouts.is_mine(layout, place),
                None => layouts.is_common_mine(cell),
            };
            relief.prepare(&shape);
            for potential in &*relief.potentials {
                let Some(missing) = potential.missing(view, &odds) else { continue };
                for side in [0, 1] {
                    let holds = |layout: &usize| {
                        let mut facts = potential.supposed(side, &missing);
                        facts.all(|(cell, fact)| is_mine(*layout, cell) == (fact == Fact::Mine))
                    };
                    let all = layouts.len();
                    let expected = (0..all).filter(holds).count() as f64 / all as f64;
                    let known = SinglePoint::of(view);
                    let supposed = potential.supposed(side, &missing);
                    let found = ahead.joint_probability(view, &known, &odds, supposed);
                    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}\n{view}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 500, "{checked}");
    }
}
