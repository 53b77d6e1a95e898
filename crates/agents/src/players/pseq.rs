//! Filters cells by exact probabilities, step by step, and plays the endgame optimally.
//!
//! J. Tu, T. Li, S. Chen, C. Zu and Z. Gu, "Exploring Efficient Strategies for Minesweeper"
//! (2017). When nothing is certain, of all cells those are kept that
//!
//! * **P** are least likely to be mines;
//! * **S** are then likeliest to prove at least one other cell safe;
//! * **E** prove the most other cells safe, on average;
//! * **Q** are most informative: their number has the greatest entropy;
//!
//! and one of the rest is taken at random. The first click is a corner. Once at most `d` layouts
//! are left, play is optimal instead (D256 in the paper).
//!
//! S, E and Q are averages over what the cell would show if it is safe. For each such symbol the
//! exact engine is asked what would be certain then; regions that the cell does not touch are
//! remembered. Of cells far from all clues, which differ only by their number of neighbors, one of
//! each kind is looked at.

use deminer_game::{
    Agent, Cell, Decision, Entry, Face, Kind, OptionEntry, Proof, Rng, Rules, Values, View,
};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::{Engine, Layouts, Odds};

use crate::parts::moves;
use crate::parts::risk::{ALIKE, alternatives, least, risk};
use crate::parts::safe_queue::SafeQueue;
use crate::search::endgame::Endgame;
use crate::search::lookahead::symbols;

pub const ENTRY: Entry = Entry {
    name: "pseq",
    about: "lowest risk, then most progress, then most information; optimal in the endgame",
    kind: Kind::Odds,
    paper: Some(
        "J. Tu, T. Li, S. Chen, C. Zu, Z. Gu, Exploring Efficient Strategies for Minesweeper, 2017",
    ),
    options: &[OptionEntry {
        name: "d",
        values: Values::Number(0.0, 65_535.0),
        about: "play is optimal once so few layouts are left; 0 for never; 256 unless given",
    }],
    build: |options| Ok(Box::new(Pseq::new(options.number("d", 256.0) as usize))),
    ..Entry::PLAIN
};

/// Sets of layouts that a search for optimal play may open up.
const NODES: usize = 500_000;

#[derive(Default)]
struct Pseq {
    /// Few enough layouts for optimal play.
    few: usize,
    certain: SafeQueue,
    engine: Engine,
    layouts: Layouts,
    endgame: Endgame,
    prospects: Prospects,
    /// The risk of every cell that may be opened.
    risks: Vec<(Cell, f64)>,
    /// The cells of least risk.
    ties: Vec<Cell>,
}

impl Pseq {
    fn new(few: usize) -> Self {
        Self { few, endgame: Endgame::new(NODES), ..Self::default() }
    }

    fn by_odds(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let odds = self.engine.sampled_odds_knowing(view, self.certain.known(), rng);
        let Ok(odds) = odds else { return Decision::decline() };
        for cell in view.covered().filter(|&cell| odds.fact(cell) == Some(Fact::Safe)) {
            self.certain.keep(cell, Proof::new("all layouts", Vec::new()));
        }
        if let Some(decision) = self.certain.next(view) {
            return decision;
        }
        let known = self.certain.known();
        let listed = self.layouts.list(view, odds, self.few).ok();
        let solved = listed.and_then(|()| self.endgame.solve(view, &self.layouts).ok());
        let decision = solved.map(|solved| solved.decide(view)).unwrap_or_else(|| {
            self.risks.clear();
            self.risks.extend(view.openable().map(|cell| (cell, risk(odds, cell))));
            let least = least(&self.risks, &mut self.ties);
            match self.prospects.best(view, known, odds, &self.ties, rng) {
                Some(cell) => {
                    Decision::risk(cell, least).with_alternatives(alternatives(&self.risks))
                }
                None => Decision::decline(),
            }
        });
        decision.with_estimates(odds.estimates(view))
    }
}

impl Agent for Pseq {
    fn begin(&mut self, rules: &Rules) {
        self.certain.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if view.opened().is_empty() {
            return moves::corner_first(view);
        }
        self.certain.next(view).unwrap_or_else(|| self.by_odds(view, rng))
    }
}

/// What opening a cell promises, provided it is safe.
#[derive(Clone, Copy)]
struct CellProspect {
    cell: Cell,
    /// The probability that some other cell is then certainly safe.
    progress: f64,
    /// How many are, on average.
    safe: f64,
    /// The entropy of what the cell shows, in nats.
    entropy: f64,
}

/// Looks one opening ahead.
#[derive(Default)]
struct Prospects {
    engine: Engine,
    /// Whether each cell touches an open one.
    seen: Vec<bool>,
    list: Vec<CellProspect>,
}

impl Prospects {
    /// The best of some cells by S, then E, then Q, then at random. Of a view without exact odds
    /// nothing is known: any of them.
    fn best(
        &mut self,
        view: &View,
        known: &SinglePoint,
        odds: &Odds,
        cells: &[Cell],
        rng: &mut Rng,
    ) -> Option<Cell> {
        if cells.len() < 2 || !odds.is_exact() {
            return rng.pick(cells).copied();
        }
        self.look_at_all(view, known, odds, cells);
        for value in [
            |of: &CellProspect| of.progress,
            |of: &CellProspect| of.safe,
            |of: &CellProspect| of.entropy,
        ] {
            let most = self.list.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
            self.list.retain(|prospect| value(prospect) >= most - ALIKE);
        }
        rng.pick(&self.list).map(|prospect| prospect.cell)
    }

    /// Looks at cells far from all clues first: there only the number of unknown neighbors and of
    /// known mines matters, and what they promise saves many looks at the others.
    fn look_at_all(&mut self, view: &View, known: &SinglePoint, odds: &Odds, cells: &[Cell]) {
        moves::mark_seen(view, &mut self.seen);
        let unknown = |cell: &&Cell| view.face(**cell).is_covered() && odds.fact(**cell).is_none();
        let mines = |cell| {
            let near = view.shape().neighbors(cell).iter();
            let is_mine =
                |near| view.face(near) == Face::Mine || odds.fact(near) == Some(Fact::Mine);
            near.filter(|&&near| is_mine(near)).count()
        };
        let mut next = view.clone();
        let mut most = 0.0f64;
        let mut at_sea = [[None; 9]; 9];
        self.list.clear();
        for sea in [true, false] {
            for &cell in cells {
                let near = view.shape().neighbors(cell).iter().filter(unknown);
                let far = near.clone().chain([&cell]).all(|near| !self.seen[near.index()]);
                if far != sea {
                    continue;
                }
                // Known mines add to what is shown.
                let alike = &mut at_sea[near.count()][mines(cell)];
                let prospect = match *alike {
                    Some(prospect) if sea => CellProspect { cell, ..prospect },
                    _ => self.look(&mut next, known, cell, most),
                };
                if sea {
                    *alike = Some(prospect);
                }
                most = most.max(prospect.progress);
                self.list.push(prospect);
            }
        }
    }

    /// What opening a cell promises. If it promises less progress than another cell does, perhaps
    /// only a bound that says so.
    fn look(
        &mut self,
        next: &mut View,
        known: &SinglePoint,
        cell: Cell,
        most: f64,
    ) -> CellProspect {
        let mut prospect = CellProspect { cell, progress: 0.0, safe: 0.0, entropy: 0.0 };
        let Ok(counts) = self.engine.around(next, cell) else { return prospect };
        let mut left = 1.0;
        for (shown, chance) in symbols(next, cell, counts) {
            if prospect.progress + left < most - ALIKE {
                prospect.progress += left;
                break;
            }
            left -= chance;
            prospect.entropy -= chance * chance.ln();
            next.suppose(cell, shown);
            let mut known = known.clone();
            known.update(next);
            // What is too wide to be counted shows nothing certain.
            if let Ok(odds) = self.engine.odds_knowing(next, &known) {
                let safe =
                    next.covered().filter(|&cell| odds.fact(cell) == Some(Fact::Safe)).count();
                prospect.progress += if safe > 0 { chance } else { 0.0 };
                prospect.safe += chance * safe as f64;
            }
            next.take_back();
        }
        prospect
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Start, Why};
    use deminer_inference::oracle::Oracle;

    use super::*;
    use crate::parts::pictures::{check_drawn, small_board};

    fn decide(view: &View, few: usize, seed: u64) -> Decision {
        let mut pseq = Pseq::new(few);
        pseq.begin(view.rules());
        pseq.decide(view, &mut Rng::new(seed))
    }

    /// Compares the cells that are opened with different random numbers, `s` in the picture.
    fn check(position: &str, few: usize, expected: &str) {
        let view: View = position.parse().unwrap();
        let opened: Vec<Action> = (0..40).map(|seed| decide(&view, few, seed).action).collect();
        let drawn = |cell| opened.contains(&Action::Open(cell)).then(|| "s".to_owned());
        check_drawn(&view, drawn, expected);
    }

    #[test]
    fn the_corner_comes_first_then_of_equal_risks_one_that_may_prove_something() {
        check("mines 2\n# # #\n# # #", 0, "s # #\n# # #");
        check("mines 2\nF # #\n# # #", 0, "F s #\n# # #");
        check("mines 1\n# # #\n# 1 ?", 0, "s # s\ns 1 ?");
    }

    #[test]
    fn few_layouts_are_played_to_the_best_end() {
        check("mines 1\n# # #\n# 1 ?", 4, "s # #\n# 1 ?");
        let view: View = "mines 1\n# # #\n# 1 ?".parse().unwrap();
        assert_eq!(decide(&view, 4, 0).alternatives[0].win, Some(0.75));
        assert_eq!(decide(&view, 3, 0).alternatives[0].win, None);
    }

    #[test]
    fn what_all_layouts_prove_is_opened_even_under_a_flag() {
        let view: View = "mines 3\n# F # #\n# 1 2 #\n# # # #".parse().unwrap();
        let decision = decide(&view, 0, 0);
        assert_eq!(decision.action, Action::Unflag(view.shape().nth(1).unwrap()));
        assert_eq!(decision.why, Why::Proved(Proof::new("all layouts", Vec::new())));
    }

    /// The cells that the filters leave, by brute force.
    fn plain_choice(view: &View) -> Vec<Cell> {
        let oracle = Oracle::of(view, 1 << 20).unwrap();
        let risk = |cell| oracle.mine(cell).unwrap();
        let least = view.openable().map(risk).fold(f64::INFINITY, f64::min);
        let ties = view.openable().filter(|&cell| risk(cell) <= least + ALIKE);
        let mut weighed: Vec<(Cell, [f64; 3])> = ties
            .map(|cell| {
                let mut values = [0.0; 3];
                for (shown, chance) in oracle.shows(cell).unwrap_or_default() {
                    let mut next = view.clone();
                    next.suppose(cell, shown);
                    let after = Oracle::of(&next, 1 << 20).unwrap();
                    let safe = |&cell: &Cell| after.fact(cell) == Some(Fact::Safe);
                    let safe = next.covered().filter(safe).count();
                    values[0] += if safe > 0 { chance } else { 0.0 };
                    values[1] += chance * safe as f64;
                    values[2] -= chance * chance.ln();
                }
                (cell, values)
            })
            .collect();
        for filter in 0..3 {
            let most = weighed.iter().map(|(_, values)| values[filter]).fold(0.0, f64::max);
            weighed.retain(|(_, values)| values[filter] >= most - ALIKE);
        }
        weighed.into_iter().map(|(cell, _)| cell).collect()
    }

    #[test]
    fn the_filters_keep_what_brute_force_keeps() {
        let mut rng = Rng::new(8);
        let mut guesses = 0;
        while guesses < 150 {
            let clues = ["exact", "blind:0.3", "optimistic"];
            let board = small_board(&mut rng, &clues, Start::Safe);
            let view = board.view();
            if view.opened().is_empty() || view.covered_count() == view.rules().mines() {
                continue;
            }
            let decision = decide(view, 0, rng.bits());
            if let (Action::Open(cell), Why::Risk(_)) = (decision.action, decision.why) {
                let choice = plain_choice(view);
                assert!(choice.contains(&cell), "{cell:?} is none of {choice:?}\n{view}");
                guesses += 1;
            }
        }
    }
}
