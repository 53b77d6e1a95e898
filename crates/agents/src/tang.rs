//! Logic, then all arrangements of each region, then samples where they are too many.
//!
//! Y. Tang, T. Jiang and Y. Hu, "A Minesweeper Solver Using Logic Inference, CSP and Sampling"
//! (2018). The paper allows five seconds a move; here limits count steps, so that games repeat.
//!
//! * Logic: single clues, then pairs of clues that share cells.
//! * Otherwise the cells that clues see are cut into regions tied by clues, and every arrangement
//!   of mines that a region's clues admit is found by backtracking. A cell with a mine in none of
//!   them, or in all, is proved; else its risk is the share of those that have one there, all
//!   arrangements counting alike.
//! * A region that takes more than `nodes` steps is sampled: `samples` arrangements are found by
//!   backtracking that tries a mine first at random, as often as the clues around the cell still
//!   need mines. Its risks are shares of those, drawn a little towards one half, since samples
//!   prove nothing. Not all arrangements are as likely to be found, so these risks lean; they
//!   play about as well.
//! * A cell that no clue sees has the share of mines among all unknown cells as its risk.
//!
//! The least risk is opened; of equals one at random. The first click is a corner. The mine total
//! comes in twice, as in the authors' program: an arrangement may not have more mines than are
//! left, and it gives the risk far from clues. Unlike there, that risk is no upper bound for the
//! others, which would make bad cells look as good as any.

use deminer_game::{
    Action, Agent, ClueKind, Decision, Entry, Kind, OptionEntry, Premise, Proof, Rng, Rules,
    Supports, Values, View, Why,
};
use deminer_inference::deduce::{Conclusion, Fact, Facts, RULES, Rung};

use crate::arrangement::Arrangement;
use crate::beliefs::Beliefs;
use deminer_inference::frontier::{Frontier, Region};

pub const ENTRY: Entry = Entry {
    name: "tang",
    about: "logic, all arrangements of each region, samples where they are too many",
    kind: Kind::Logic,
    paper: Some(
        "Y. Tang, T. Jiang, Y. Hu, A Minesweeper Solver Using Logic Inference, CSP and Sampling, \
         2018",
    ),
    options: &[
        OptionEntry {
            name: "nodes",
            values: Values::Number(0.0, 1e9),
            about: "steps to find all arrangements of a region; 65536 unless given",
        },
        OptionEntry {
            name: "samples",
            values: Values::Number(1.0, 1e6),
            about: "arrangements drawn of a region with too many; 500 unless given",
        },
    ],
    supports: Supports { clues: &[ClueKind::Exact, ClueKind::Blind], ..Supports::ALL },
    build: |options| {
        let nodes = options.number("nodes", 65_536.0) as usize;
        Ok(Box::new(Tang::new(nodes, options.number("samples", 500.0) as usize)))
    },
    ..Entry::PLAIN
};

/// Steps to find one sample.
const SAMPLE_NODES: usize = 65_536;

struct Tang {
    nodes: usize,
    samples: usize,
    beliefs: Beliefs,
    search: Search,
}

impl Tang {
    fn new(nodes: usize, samples: usize) -> Self {
        Self { nodes, samples, beliefs: Beliefs::new(), search: Search::default() }
    }

    /// What pairs of clues prove, until a cell is safe or nothing more follows.
    fn by_logic(&mut self, view: &View) -> Option<Decision> {
        let mut facts = Facts::of(view);
        for cell in view.covered() {
            if let Some(fact) = self.beliefs.known(cell) {
                facts.learn(cell, fact);
            }
        }
        loop {
            let mut more = false;
            for rule in RULES.iter().filter(|rule| rule.rung <= Rung::Pair) {
                for Conclusion { cell, fact, premises } in (rule.find)(view, &facts) {
                    more |= facts.learn(cell, fact);
                    match fact {
                        Fact::Mine => self.beliefs.prove_mine(cell),
                        Fact::Safe => {
                            self.beliefs.certain.keep(cell, Proof::new(rule.name, premises));
                        }
                    }
                }
            }
            let decision = self.beliefs.certain.next(view);
            if decision.is_some() || !more {
                return decision;
            }
        }
    }

    /// What all arrangements say, or samples of them.
    fn by_search(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.beliefs.look(view);
        let Beliefs { frontier, risks, mines_left, .. } = &mut self.beliefs;
        // Each region, and whether the mine total ruled out some of its arrangements.
        let mut regions: Vec<(Region, bool)> = Vec::new();
        for region in frontier.regions() {
            let search = &mut self.search;
            search.begin(frontier, &region, *mines_left);
            let all = search.find_all(frontier, &region, self.nodes);
            if !all {
                search.begin(frontier, &region, *mines_left);
                search.draw(frontier, &region, self.samples, rng);
            }
            for (&cell, &mined) in region.cells.iter().zip(&search.mined) {
                // Samples are drawn towards one half, and so is a view that nothing fits.
                let (mined, found) = match all && search.found > 0 {
                    true => (mined, search.found),
                    false => (mined + 1, search.found + 2),
                };
                risks[usize::from(cell)] = mined as f64 / found as f64;
            }
            regions.push((region, search.capped));
        }
        self.beliefs.act(view, rng, |beliefs, place| {
            let of = |(region, _): &&(Region, bool)| region.cells.contains(&(place as u16));
            let (region, capped) = regions.iter().find(of).expect("every cell is in a region");
            let clues = beliefs.premises(view, region.clues.iter().copied());
            let total = capped.then_some(Premise::MineTotal);
            Proof::new("all arrangements", clues.chain(total).collect())
        })
    }
}

impl Agent for Tang {
    fn begin(&mut self, rules: &Rules) {
        self.beliefs.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if view.opened().is_empty() {
            let first = |cell| Decision::new(Action::Open(cell), Why::rule("corner first", vec![]));
            return view.openable().next().map_or(Decision::decline(), first);
        }
        (self.beliefs.certain.next(view))
            .or_else(|| self.by_logic(view))
            .unwrap_or_else(|| self.by_search(view, rng))
    }
}

/// Backtracking over the cells of a region, one after another.
#[derive(Default)]
struct Search {
    arrangement: Arrangement,
    /// What its cells have been tried with.
    tries: Vec<Try>,
    /// The most mines there may be.
    most: usize,
    /// Whether a mine was refused because there are no more.
    capped: bool,
    /// Arrangements found, and how many of them have a mine in each cell of the region.
    found: u64,
    mined: Vec<u64>,
}

/// What has been put into a cell.
#[derive(Clone, Copy)]
struct Try {
    mine: bool,
    /// Whether the opposite has been tried before.
    last: bool,
    /// How many arrangements had been found then.
    before: u64,
}

/// How a search for the next arrangement ends.
enum End {
    Found,
    NoMore,
    TooLong,
}

impl Search {
    fn begin(&mut self, frontier: &Frontier, region: &Region, most: usize) {
        self.clear(frontier);
        self.most = most;
        self.capped = false;
        self.found = 0;
        self.mined.clear();
        self.mined.resize(region.cells.len(), 0);
    }

    /// Takes everything out of the cells.
    fn clear(&mut self, frontier: &Frontier) {
        self.arrangement.clear(frontier);
        self.tries.clear();
    }

    /// Finds all arrangements; false if that takes too many steps.
    fn find_all(&mut self, frontier: &Frontier, region: &Region, mut nodes: usize) -> bool {
        loop {
            match self.find(frontier, region, &mut nodes, None) {
                End::Found => self.found += 1,
                End::NoMore => return true,
                End::TooLong => return false,
            }
        }
    }

    /// Finds so many arrangements, each from the start at random; fewer if one takes too many
    /// steps.
    fn draw(&mut self, frontier: &Frontier, region: &Region, samples: usize, rng: &mut Rng) {
        for _ in 0..samples {
            self.clear(frontier);
            let mut nodes = SAMPLE_NODES;
            let End::Found = self.find(frontier, region, &mut nodes, Some(rng)) else { return };
            self.found += 1;
            for (mined, tried) in self.mined.iter_mut().zip(&self.tries) {
                *mined += u64::from(tried.mine);
            }
        }
    }

    /// Goes on to the next arrangement. Given random numbers, a mine is tried first in a cell as
    /// often as it looks likely; otherwise always last.
    fn find(
        &mut self,
        frontier: &Frontier,
        region: &Region,
        nodes: &mut usize,
        mut rng: Option<&mut Rng>,
    ) -> End {
        let mut back = self.tries.len() == region.cells.len();
        loop {
            if back {
                let Some(tried) = self.tries.pop() else { return End::NoMore };
                let place = self.tries.len();
                self.arrangement.lift(frontier, region.cells[place], tried.mine);
                if tried.mine {
                    self.mined[place] += self.found - tried.before;
                }
                back = tried.last || !self.put(frontier, region.cells[place], !tried.mine, true);
                continue;
            }
            let Some(&cell) = region.cells.get(self.tries.len()) else { return End::Found };
            let Some(left) = nodes.checked_sub(1) else { return End::TooLong };
            *nodes = left;
            let lucky = |rng: &mut &mut Rng| rng.unit() < self.arrangement.share(frontier, cell);
            let first = rng.as_mut().is_some_and(lucky);
            back =
                !self.put(frontier, cell, first, false) && !self.put(frontier, cell, !first, true);
        }
    }

    /// Puts a mine or none into a cell, if clues and mine total admit it.
    fn put(&mut self, frontier: &Frontier, cell: u16, mine: bool, last: bool) -> bool {
        if mine && self.arrangement.mines == self.most {
            self.capped = true;
            return false;
        }
        let fits = self.arrangement.admits(frontier, cell, mine);
        if fits {
            self.arrangement.put(frontier, cell, mine);
            self.tries.push(Try { mine, last, before: self.found });
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{At, GameSeed, Match};

    use super::*;

    const SAMPLES: usize = 200;

    fn decide(position: &str, nodes: usize) -> (View, Decision) {
        let view: View = position.parse().unwrap();
        let mut tang = Tang::new(nodes, SAMPLES);
        tang.begin(view.rules());
        let decision = tang.decide(&view, &mut Rng::new(1));
        (view, decision)
    }

    /// Compares the cell opened and the rule that proves it.
    fn check(position: &str, (row, column): (usize, usize), rule: &str) {
        let (view, decision) = decide(position, 1000);
        assert_eq!(decision.action, Action::Open(view.shape().cell(row, column).unwrap()));
        let Why::Proved(proof) = decision.why else { panic!("not proved: {decision:?}") };
        assert_eq!(proof.rule, rule, "{position}");
    }

    /// Compares the risks in percent, row by row, `-` where a cell is open.
    fn check_risks(position: &str, percent: &str) {
        let (view, decision) = decide(position, 1000);
        let estimates = decision.estimates.expect("a guess is weighed");
        let risk = |cell| match estimates.mine(cell) {
            Some(risk) => format!("{:.0}", 100.0 * risk),
            None => "-".to_owned(),
        };
        let found: Vec<String> = view.shape().cells().map(risk).collect();
        assert_eq!(found, percent.split_whitespace().collect::<Vec<_>>(), "{position}");
    }

    #[test]
    fn logic_comes_first() {
        check("mines 2\n# 1 . .\n1 1 1 1\n# # # #", (2, 2), "single clue");
        check("mines 3\n# # # # #\n? 1 2 ? #", (0, 0), "pair");
    }

    #[test]
    fn arrangements_prove_what_pairs_cannot() {
        check("mines 4\n# # # #\n2 3 # #\n# 2 # #", (0, 2), "all arrangements");
    }

    #[test]
    fn an_arrangement_has_no_more_mines_than_are_left() {
        let position = "mines 1\n# 1 # 1 #";
        check(position, (0, 0), "all arrangements");
        let Why::Proved(proof) = decide(position, 1000).1.why else { panic!("not proved") };
        assert!(proof.premises.contains(&Premise::MineTotal));
    }

    #[test]
    fn all_arrangements_count_alike() {
        // The 1s share a mine in the middle, or have one each.
        check_risks("mines 3\n# 1 # 1 # ? # #", "50 - 50 - 50 - 60 60");
    }

    #[test]
    fn every_sample_satisfies_every_clue() {
        let (view, decision) = decide("mines 6\n# # # # # # #\n# 2 ? 1 ? 3 #\n# # # # # # #", 0);
        let estimates = decision.estimates.unwrap();
        for (place, need) in [(8, 2.0), (10, 1.0), (12, 3.0)] {
            let near = view.shape().neighbors(view.shape().nth(place).unwrap());
            let risks: Vec<f64> = near.iter().filter_map(|&near| estimates.mine(near)).collect();
            let (cells, samples) = (risks.len() as f64, SAMPLES as f64);
            let expected = (need * samples + cells) / (samples + 2.0);
            assert!((risks.iter().sum::<f64>() - expected).abs() < 1e-9, "{risks:?}");
        }
    }

    #[test]
    fn sampled_games_come_to_an_end() {
        let rules = Rules::of("9x7x10".parse().unwrap()).unwrap();
        for game in 0..20 {
            let mut game = Match::new(rules.clone(), At::Corner, GameSeed { seed: 1, game });
            game.play(&mut Tang::new(0, 50));
        }
    }
}
