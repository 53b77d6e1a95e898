//! Uses single clues, then estimates each cell's risk from the few clues around it.
//!
//! K. Pedersen, "The complexity of Minesweeper and strategies for game playing" (2004), rebuilt
//! from its abstract: the best strategy there searches a limited zone around a cell and assists
//! guesses by probability estimates. Our reading:
//!
//! * The zone of a cell has the clues that see it, and those that share an unknown cell with one
//!   of these, as far as they see at most 20 unknown cells together.
//!
//! ```text
//! a b c d e f g      The first 1 and the 2 see a. The 1s beside them share b and c with these;
//! 1 2 1 1 2 2 1      so the zone of a has the first four clues, and the cells a to e.
//! ```
//!
//! * All arrangements of mines on the zone's cells that its clues admit are found. If none or all
//!   have a mine in the cell, that is proved. Otherwise the share of those that have one is its
//!   risk, an arrangement of k mines weighing (ρ / (1 - ρ))ᵏ; ρ is the share of mines among all
//!   unknown cells.
//! * A cell that no clue sees has the risk ρ. It opens a cell with the lowest risk; of several one
//!   at random.
//!
//! Cells seen by the same clues of a zone are interchangeable, so mines go into groups of them.

use arrayvec::ArrayVec;
use deminer_game::stop;
use deminer_game::{Agent, Decision, Entry, Kind, Proof, Rng, Rules, Supports, View};

use deminer_inference::constraints::{Constraints, Filling};

use crate::parts::local_odds::LocalOdds;
use crate::parts::risk::{ESTIMATES, LEAST_DENSITY};

pub const ENTRY: Entry = Entry {
    name: "pedersen",
    about: "one clue at a time, then risks from limited zones of clues",
    kind: Kind::Odds,
    paper: Some(
        "K. Pedersen, The complexity of Minesweeper and strategies for game playing, University \
         of Warwick, 2004",
    ),
    supports: Supports::NUMBERS,
    options: &[ESTIMATES],
    build: |options| {
        let always_estimates = options.flag("estimates");
        Ok(Box::new(Pedersen { always_estimates, ..Default::default() }))
    },
    ..Entry::PLAIN
};

/// The most unknown cells of a zone.
const ZONE: usize = 20;

/// The most clues of a zone.
const MOST_CLUES: usize = 64;

#[derive(Default)]
struct Pedersen {
    odds: LocalOdds,
    zone: SearchZone,
    /// Whether every decision carries estimates.
    always_estimates: bool,
}

impl Pedersen {
    /// Opens a cell that zones prove safe, or a cell with the lowest risk.
    fn by_zones(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.estimate(view);
        // With a new mine the zones around it may prove more.
        while self.odds.risks.contains(&1.0) && !self.odds.risks.contains(&0.0) {
            for place in 0..self.odds.risks.len() {
                if self.odds.risks[place] == 1.0 {
                    self.odds.prove_mine(self.odds.constraints.cells[place]);
                }
            }
            self.estimate(view);
        }
        let zone = &mut self.zone;
        self.odds.act(view, rng, |odds, place| {
            zone.gather(&odds.constraints, place);
            Proof::new("zone", odds.premises(view, zone.clues.iter().copied()).collect())
        })
    }

    /// Estimates the risk of each cell that clues see.
    fn estimate(&mut self, view: &View) {
        self.odds.read(view);
        let LocalOdds { constraints, risks, density, .. } = &mut self.odds;
        risks.fill(f64::NAN);
        for place in 0..risks.len() {
            if !risks[place].is_nan() {
                continue;
            }
            self.zone.gather(constraints, place);
            let risk = if stop::is_raised() { 0.5 } else { self.zone.risk(constraints, *density) };
            // Cells seen by the same clues have the same risk.
            let seen_by = &constraints.seen_by[place];
            for &other in &constraints.clues[usize::from(seen_by[0])].cells {
                if constraints.seen_by[usize::from(other)] == *seen_by {
                    risks[usize::from(other)] = risk;
                }
            }
        }
    }
}

impl Agent for Pedersen {
    fn begin(&mut self, rules: &Rules) {
        self.odds.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Some(decision) = self.odds.safe.next(view) else {
            return self.by_zones(view, rng);
        };
        if !self.always_estimates {
            return decision;
        }
        self.estimate(view);
        decision.with_estimates(self.odds.estimates(view))
    }
}

/// The clues around a cell, and the groups of cells that they see.
#[derive(Default)]
struct SearchZone {
    /// The indices of the clues.
    clues: Vec<u16>,
    /// The places of the cells; the cell in question first.
    cells: Vec<u16>,
    /// The groups; the group of the cell in question first.
    groups: ArrayVec<ZoneGroup, ZONE>,
    filling: Filling,
}

/// Cells seen by the same clues of the zone.
#[derive(Clone)]
struct ZoneGroup {
    size: u8,
    clues: ArrayVec<u16, 8>,
}

impl SearchZone {
    /// Collects the zone of a cell.
    fn gather(&mut self, constraints: &Constraints, place: usize) {
        self.clues.clear();
        self.cells.clear();
        self.cells.push(place as u16);
        for &clue in &constraints.seen_by[place] {
            self.take_in(constraints, clue);
        }
        for near in 0..self.clues.len() {
            for &cell in &constraints.clues[usize::from(self.clues[near])].cells {
                for &clue in &constraints.seen_by[usize::from(cell)] {
                    self.take_in(constraints, clue);
                }
            }
        }
    }

    /// Adds a clue, unless it brings too many cells.
    fn take_in(&mut self, constraints: &Constraints, clue: u16) {
        if self.clues.contains(&clue) || self.clues.len() == MOST_CLUES {
            return;
        }
        let cells = constraints.clues[usize::from(clue)].cells.iter();
        let new: ArrayVec<u16, 8> =
            cells.filter(|cell| !self.cells.contains(cell)).copied().collect();
        if self.cells.len() + new.len() <= ZONE {
            self.clues.push(clue);
            self.cells.extend(new);
        }
    }

    /// The risk of the cell in question: 0 or 1 if it is proved.
    fn risk(&mut self, constraints: &Constraints, density: f64) -> f64 {
        self.group(constraints);
        let density = density.clamp(LEAST_DENSITY, 1.0 - LEAST_DENSITY);
        let odds = density / (1.0 - density);
        let size = self.groups[0].size;
        let (mut mine, mut safe) = (0.0, 0.0);
        for (mines, weight) in (0..=size).zip(self.fill(constraints, 0, odds)) {
            mine += weight * f64::from(mines);
            safe += weight * f64::from(size - mines);
        }
        // No filling fits a contradictory view: all risks are equal.
        if mine + safe == 0.0 { 0.5 } else { mine / (mine + safe) }
    }

    /// Puts cells seen by the same clues together.
    fn group(&mut self, constraints: &Constraints) {
        self.groups.clear();
        for &cell in &self.cells {
            let seen_by = constraints.seen_by[usize::from(cell)].iter().copied();
            let clues: ArrayVec<u16, 8> =
                seen_by.filter(|clue| self.clues.contains(clue)).collect();
            match self.groups.iter_mut().find(|group| group.clues == clues) {
                Some(group) => group.size += 1,
                None => self.groups.push(ZoneGroup { size: 1, clues }),
            }
        }
        self.filling.clear(constraints);
    }

    /// The weights of all ways to fill the groups from this one on, by the mines in this one.
    ///
    /// Weights are positive and far from the smallest number, so only impossible fillings weigh
    /// nothing.
    fn fill(&mut self, constraints: &Constraints, at: usize, odds: f64) -> [f64; 9] {
        let mut weights = [0.0; 9];
        let Some(ZoneGroup { size, clues }) = self.groups.get(at).cloned() else {
            weights[0] = 1.0;
            return weights;
        };
        let mut ways = 1.0;
        for mines in 0..=size {
            self.filling.add(&clues, size, mines);
            let fits = |&clue: &u16| !self.filling.need(constraints, clue).is_impossible();
            if clues.iter().all(fits) {
                let rest: f64 = self.fill(constraints, at + 1, odds).iter().sum();
                weights[usize::from(mines)] = ways * rest;
            }
            self.filling.remove(&clues, size, mines);
            ways *= odds * f64::from(size - mines) / f64::from(mines + 1);
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, GameSeed, Premise, Why};
    use deminer_inference::deduce::SinglePoint;

    use super::*;
    use crate::parts::pictures::decide;

    #[test]
    fn a_zone_proves_with_its_clues() {
        let decided = decide(&ENTRY, &[], "mines 3\n# # # # #\n? 1 2 ? #");
        decided.does("o # # # #\n? 1 2 ? #");
        let clues = [6, 7].map(|place| Premise::Clue(decided.view.shape().nth(place).unwrap()));
        assert_eq!(decided.decision.why, Why::Proved(Proof::new("zone", clues.to_vec())));
        decided.believes("0.00 0.50 0.50 1.00 0.50\n? 1 2 ? 0.50");
    }

    #[test]
    fn few_mines_are_likelier_than_many() {
        // With two mines on seven cells, a mine weighs 2/5: one in the middle, two outside 4/25.
        let decided = decide(&ENTRY, &[], "mines 2\n# 1 # 1 # ? # # # #");
        decided.believes("0.29 1 0.71 1 0.29 ? 0.29 0.29 0.29 0.29");
    }

    #[test]
    fn the_zone_ends_two_clues_away() {
        let view: View = "mines 4\n# # # # # # #\n1 2 1 1 2 2 1".parse().unwrap();
        let mut constraints = Constraints::default();
        constraints.read(&view, |_| None);
        let mut zone = SearchZone::default();
        zone.gather(&constraints, 0);
        zone.clues.sort_unstable();
        zone.cells.sort_unstable();
        assert_eq!((&zone.clues[..], &zone.cells[..]), (&[0, 1, 2, 3][..], &[0, 1, 2, 3, 4][..]));
    }

    /// The risk by trying every way to put mines on the zone's cells.
    fn plain_risk(zone: &SearchZone, constraints: &Constraints, density: f64) -> f64 {
        let place = |cell: &u16| zone.cells.iter().position(|held| held == cell).unwrap();
        let (mut mine, mut all) = (0.0, 0.0);
        for mines in 0u32..1 << zone.cells.len() {
            let fits = |&clue: &u16| {
                let clue = &constraints.clues[usize::from(clue)];
                let around = clue.cells.iter().filter(|cell| mines >> place(cell) & 1 == 1);
                around.count() == usize::from(clue.need.low())
            };
            if zone.clues.iter().all(fits) {
                let weight = (density / (1.0 - density)).powi(mines.count_ones() as i32);
                all += weight;
                mine += weight * f64::from(mines & 1);
            }
        }
        mine / all
    }

    #[test]
    fn groups_weigh_what_all_arrangements_do() {
        let rules = Rules::of("6x5x7".parse().unwrap()).unwrap();
        let (mut constraints, mut zone) = (Constraints::default(), SearchZone::default());
        let mut compared = 0;
        for game in 0..60 {
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 2, game });
            for cell in rules.shape().cells().step_by(4) {
                if !board.hides_mine(cell) {
                    board.act(Action::Open(cell));
                }
            }
            let known = SinglePoint::of(board.view());
            constraints.read(board.view(), |cell| known.fact(cell));
            for place in 0..constraints.cells.len() {
                zone.gather(&constraints, place);
                assert!(zone.cells.len() <= ZONE);
                if zone.cells.len() <= 14 {
                    let (found, plain) =
                        (zone.risk(&constraints, 0.3), plain_risk(&zone, &constraints, 0.3));
                    assert!((found - plain).abs() < 1e-12, "{}", board.view());
                    assert_eq!((found == 0.0, found == 1.0), (plain == 0.0, plain == 1.0));
                    compared += 1;
                }
            }
        }
        assert!(compared > 200, "{compared}");
    }
}
