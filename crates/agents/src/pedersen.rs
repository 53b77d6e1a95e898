//! Single clues, then limited search: each cell's risk from the few clues around it.
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
//! * A cell that no clue sees has the risk ρ. The least risk is opened; of equals one at random.
//!
//! Cells seen by the same clues of a zone are interchangeable, so mines go into groups of them.

use arrayvec::ArrayVec;
use deminer_game::{Agent, ClueKind, Decision, Entry, Kind, Proof, Rng, Rules, Supports, View};

use crate::beliefs::Beliefs;
use crate::risk::{LEAST_DENSITY, TELLING};
use deminer_inference::frontier::Frontier;

pub const ENTRY: Entry = Entry {
    name: "pedersen",
    about: "one clue at a time, then risks from limited zones of clues",
    kind: Kind::Odds,
    paper: Some(
        "K. Pedersen, The complexity of Minesweeper and strategies for game playing, University \
         of Warwick, 2004",
    ),
    supports: Supports { clues: &[ClueKind::Exact, ClueKind::Blind], ..Supports::ALL },
    options: &[TELLING],
    build: |options| Ok(Box::new(Pedersen::new(options.flag("estimates")))),
    ..Entry::PLAIN
};

/// The most unknown cells of a zone.
const ZONE: usize = 20;

struct Pedersen {
    beliefs: Beliefs,
    zone: Zone,
    /// Whether every decision tells the risks.
    tells: bool,
}

impl Pedersen {
    fn new(tells: bool) -> Self {
        Self { beliefs: Beliefs::new(), zone: Zone::default(), tells }
    }

    /// Weighs the frontier. What zones prove is opened; else the least risk is.
    fn by_zones(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.weigh(view);
        // A mine found lets the zones around it say more.
        while self.beliefs.risks.contains(&1.0) && !self.beliefs.risks.contains(&0.0) {
            for place in 0..self.beliefs.risks.len() {
                if self.beliefs.risks[place] == 1.0 {
                    self.beliefs.prove_mine(self.beliefs.frontier.cells[place]);
                }
            }
            self.weigh(view);
        }
        let zone = &mut self.zone;
        self.beliefs.act(view, rng, |beliefs, place| {
            zone.gather(&beliefs.frontier, place);
            Proof::new("zone", beliefs.premises(view, zone.clues.iter().copied()).collect())
        })
    }

    /// Finds the risk of each cell of the frontier.
    fn weigh(&mut self, view: &View) {
        self.beliefs.look(view);
        let Beliefs { frontier, risks, density, .. } = &mut self.beliefs;
        risks.fill(f64::NAN);
        for place in 0..risks.len() {
            if !risks[place].is_nan() {
                continue;
            }
            self.zone.gather(frontier, place);
            let risk = self.zone.risk(frontier, *density);
            // Whatever the same clues see is alike.
            let seen_by = &frontier.seen_by[place];
            for &other in &frontier.clues[usize::from(seen_by[0])].cells {
                if frontier.seen_by[usize::from(other)] == *seen_by {
                    risks[usize::from(other)] = risk;
                }
            }
        }
    }
}

impl Agent for Pedersen {
    fn begin(&mut self, rules: &Rules) {
        self.beliefs.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Some(decision) = self.beliefs.certain.next(view) else {
            return self.by_zones(view, rng);
        };
        if !self.tells {
            return decision;
        }
        self.weigh(view);
        decision.with_estimates(self.beliefs.estimates(view))
    }
}

/// The clues around a cell, and the groups of cells that they see.
#[derive(Default)]
struct Zone {
    /// The clues, by their numbers.
    clues: Vec<u16>,
    /// The cells, by their places; the one in question first.
    cells: Vec<u16>,
    /// The groups, that of the cell in question first.
    groups: ArrayVec<Group, ZONE>,
    asks: Vec<Ask>,
}

/// Cells seen by the same clues of the zone.
#[derive(Clone, Copy)]
struct Group {
    size: u8,
    /// The clues, one bit each by their places in the zone.
    clues: u64,
}

/// A clue of the zone while groups are filled.
#[derive(Clone, Copy)]
struct Ask {
    mines: u8,
    /// Its cells in groups not filled yet.
    open: u8,
}

impl Zone {
    /// Gathers the zone of a cell of the frontier.
    fn gather(&mut self, frontier: &Frontier, place: usize) {
        self.clues.clear();
        self.cells.clear();
        self.cells.push(place as u16);
        for &clue in &frontier.seen_by[place] {
            self.take_in(frontier, clue);
        }
        for near in 0..self.clues.len() {
            for &cell in &frontier.clues[usize::from(self.clues[near])].cells {
                for &clue in &frontier.seen_by[usize::from(cell)] {
                    self.take_in(frontier, clue);
                }
            }
        }
    }

    /// Adds a clue, unless it brings too many cells.
    fn take_in(&mut self, frontier: &Frontier, clue: u16) {
        if self.clues.contains(&clue) || self.clues.len() == u64::BITS as usize {
            return;
        }
        let cells = frontier.clues[usize::from(clue)].cells.iter();
        let new: ArrayVec<u16, 8> =
            cells.filter(|cell| !self.cells.contains(cell)).copied().collect();
        if self.cells.len() + new.len() <= ZONE {
            self.clues.push(clue);
            self.cells.extend(new);
        }
    }

    /// The risk of the cell in question: 0 or 1 if it is proved.
    fn risk(&mut self, frontier: &Frontier, density: f64) -> f64 {
        self.group(frontier);
        let density = density.clamp(LEAST_DENSITY, 1.0 - LEAST_DENSITY);
        let odds = density / (1.0 - density);
        let size = self.groups[0].size;
        let (mut mine, mut safe) = (0.0, 0.0);
        for (mines, weight) in (0..=size).zip(self.fill(frontier, 0, odds)) {
            mine += weight * f64::from(mines);
            safe += weight * f64::from(size - mines);
        }
        // Nothing fits a contradictory view: no risk is better than another.
        if mine + safe == 0.0 { 0.5 } else { mine / (mine + safe) }
    }

    /// Puts cells seen by the same clues together.
    fn group(&mut self, frontier: &Frontier) {
        self.groups.clear();
        for &cell in &self.cells {
            let seen_by = &frontier.seen_by[usize::from(cell)];
            let mut clues = 0;
            for (bit, clue) in self.clues.iter().enumerate() {
                clues |= u64::from(seen_by.contains(clue)) << bit;
            }
            match self.groups.iter_mut().find(|group| group.clues == clues) {
                Some(group) => group.size += 1,
                None => self.groups.push(Group { size: 1, clues }),
            }
        }
        self.asks.clear();
        let clues = self.clues.iter().map(|&clue| &frontier.clues[usize::from(clue)]);
        self.asks.extend(clues.map(|clue| Ask { mines: 0, open: clue.cells.len() as u8 }));
    }

    /// What all ways to fill the groups from this one on weigh together, by the mines in this
    /// one.
    ///
    /// Weights are positive and far from the least number there is, so only what cannot be
    /// weighs nothing.
    fn fill(&mut self, frontier: &Frontier, at: usize, odds: f64) -> [f64; 9] {
        let mut weights = [0.0; 9];
        let Some(&Group { size, clues }) = self.groups.get(at) else {
            weights[0] = 1.0;
            return weights;
        };
        let mut ways = 1.0;
        for mines in 0..=size {
            if self.place(frontier, clues, size, mines) {
                let rest: f64 = self.fill(frontier, at + 1, odds).iter().sum();
                weights[usize::from(mines)] = ways * rest;
            }
            self.lift(clues, size, mines);
            ways *= odds * f64::from(size - mines) / f64::from(mines + 1);
        }
        weights
    }

    /// Puts mines into a group; whether all clues admit them.
    fn place(&mut self, frontier: &Frontier, clues: u64, size: u8, mines: u8) -> bool {
        let mut fits = true;
        for place in bits(clues) {
            let ask = &mut self.asks[place];
            ask.mines += mines;
            ask.open -= size;
            fits &= frontier.clues[usize::from(self.clues[place])].admits(ask.mines, ask.open);
        }
        fits
    }

    /// Takes mines out of a group.
    fn lift(&mut self, clues: u64, size: u8, mines: u8) {
        for place in bits(clues) {
            self.asks[place].mines -= mines;
            self.asks[place].open += size;
        }
    }
}

/// The places of the bits set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(place)
    })
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, GameSeed, Premise, Why};
    use deminer_inference::deduce::SinglePoint;

    use super::*;

    fn decide(position: &str) -> (View, Decision) {
        let view: View = position.parse().unwrap();
        let mut pedersen = Pedersen::new(false);
        pedersen.begin(view.rules());
        let decision = pedersen.decide(&view, &mut Rng::new(1));
        (view, decision)
    }

    #[test]
    fn a_zone_proves_with_its_clues() {
        let (view, decision) = decide("mines 3\n# # # # #\n? 1 2 ? #");
        let cell = |row, column| view.shape().cell(row, column).unwrap();
        assert_eq!(decision.action, Action::Open(cell(0, 0)));
        let premises = vec![Premise::Clue(cell(1, 1)), Premise::Clue(cell(1, 2))];
        assert_eq!(decision.why, Why::Proved(Proof::new("zone", premises)));
        let estimates = decision.estimates.unwrap();
        let risks = view.shape().cells().take(4).map(|cell| estimates.mine(cell).unwrap());
        assert_eq!(risks.collect::<Vec<_>>(), [0.0, 0.5, 0.5, 1.0]);
    }

    /// Compares the risks in percent, row by row, `-` where a cell is open.
    fn check(position: &str, percent: &str) {
        let (view, decision) = decide(position);
        let estimates = decision.estimates.expect("a guess is weighed");
        let risk = |cell| match estimates.mine(cell) {
            Some(risk) => format!("{:.0}", 100.0 * risk),
            None => "-".to_owned(),
        };
        let found: Vec<String> = view.shape().cells().map(risk).collect();
        assert_eq!(found, percent.split_whitespace().collect::<Vec<_>>(), "{position}");
    }

    #[test]
    fn few_mines_are_likelier_than_many() {
        // With two mines on seven cells, a mine weighs 2/5: one in the middle, two outside 4/25.
        check("mines 2\n# 1 # 1 # ? # # # #", "29 - 71 - 29 - 29 29 29 29");
    }

    #[test]
    fn the_zone_ends_two_clues_away() {
        let view: View = "mines 4\n# # # # # # #\n1 2 1 1 2 2 1".parse().unwrap();
        let mut frontier = Frontier::default();
        frontier.read(&view, |_| None);
        let mut zone = Zone::default();
        zone.gather(&frontier, 0);
        zone.clues.sort_unstable();
        zone.cells.sort_unstable();
        assert_eq!((&zone.clues[..], &zone.cells[..]), (&[0, 1, 2, 3][..], &[0, 1, 2, 3, 4][..]));
    }

    /// The risk by trying every way to put mines on the zone's cells.
    fn plain_risk(zone: &Zone, frontier: &Frontier, density: f64) -> f64 {
        let place = |cell: &u16| zone.cells.iter().position(|held| held == cell).unwrap();
        let (mut mine, mut all) = (0.0, 0.0);
        for mines in 0u32..1 << zone.cells.len() {
            let fits = |&clue: &u16| {
                let clue = &frontier.clues[usize::from(clue)];
                let around = clue.cells.iter().filter(|cell| mines >> place(cell) & 1 == 1);
                around.count() == usize::from(clue.need)
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
        let (mut frontier, mut zone) = (Frontier::default(), Zone::default());
        let mut compared = 0;
        for game in 0..60 {
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 2, game });
            for cell in rules.shape().cells().step_by(4) {
                if !board.hides_mine(cell) {
                    board.act(Action::Open(cell));
                }
            }
            let known = SinglePoint::of(board.view());
            frontier.read(board.view(), |cell| known.fact(cell));
            for place in 0..frontier.cells.len() {
                zone.gather(&frontier, place);
                assert!(zone.cells.len() <= ZONE);
                if zone.cells.len() <= 14 {
                    let (found, plain) =
                        (zone.risk(&frontier, 0.3), plain_risk(&zone, &frontier, 0.3));
                    assert!((found - plain).abs() < 1e-12, "{}", board.view());
                    assert_eq!((found == 0.0, found == 1.0), (plain == 0.0, plain == 1.0));
                    compared += 1;
                }
            }
        }
        assert!(compared > 200, "{compared}");
    }
}
