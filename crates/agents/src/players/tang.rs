//! Uses logic, then lists all arrangements of each region, or samples them if there are too many.
//!
//! Y. Tang, T. Jiang and Y. Hu, "A Minesweeper Solver Using Logic Inference, CSP and Sampling"
//! (2018). The paper allows five seconds a move; here limits count steps, so that games repeat.
//!
//! * Logic: single clues, then pairs of clues that share cells.
//! * Otherwise the cells that clues see are cut into regions tied by clues, and every arrangement
//!   of mines that a region's clues admit is found by backtracking. A cell with a mine in none of
//!   them, or in all, is proved; otherwise its risk is the share of arrangements with a mine
//!   there. All arrangements have the same weight.
//! * A region that takes more than `nodes` steps is sampled: `samples` arrangements are found by
//!   backtracking that tries a mine first at random, as often as the clues around the cell still
//!   need mines. Its risks are shares of those, drawn a little towards one half, since samples
//!   prove nothing. Not all arrangements are as likely to be found, so these risks lean; they
//!   play about as well.
//! * A cell that no clue sees has the share of mines among all unknown cells as its risk.
//!
//! It opens a cell with the lowest risk; of several one at random. The first click is a corner. The mine total
//! comes in twice, as in the authors' program: an arrangement may not have more mines than are
//! left, and it gives the risk far from clues. Unlike there, that risk is no upper bound for the
//! others, which would make bad cells look as good as any.

use deminer_game::stop;
use deminer_game::{
    Agent, Decision, Entry, Kind, OptionEntry, Premise, Proof, Rng, Rules, Supports, Values, View,
};
use deminer_inference::constraints::{Constraints, Region, RegionSearch, SearchEnd};
use deminer_inference::deduce::{Conclusion, Fact, Facts, RULES, Rung, asking};

use crate::parts::local_odds::LocalOdds;
use crate::parts::moves;

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
    supports: Supports::NUMBERS,
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
    odds: LocalOdds,
    search: RegionSearch,
}

impl Tang {
    fn new(nodes: usize, samples: usize) -> Self {
        Self { nodes, samples, odds: LocalOdds::default(), search: RegionSearch::default() }
    }

    /// What pairs of clues prove, until a cell is safe or nothing more follows.
    fn by_logic(&mut self, view: &View) -> Option<Decision> {
        let mut facts = Facts::of(view);
        for cell in view.covered() {
            if let Some(fact) = self.odds.known(cell) {
                facts.learn(cell, fact);
            }
        }
        loop {
            let mut more = false;
            let clues = asking(view, &facts);
            for rule in RULES.iter().filter(|rule| rule.rung <= Rung::Pair) {
                for Conclusion { cell, fact, premises } in (rule.find)(view, &facts, &clues) {
                    more |= facts.learn(cell, fact);
                    match fact {
                        Fact::Mine => self.odds.prove_mine(cell),
                        Fact::Safe => {
                            self.odds.safe.keep(cell, Proof::new(rule.name, premises));
                        }
                    }
                }
            }
            let decision = self.odds.safe.next(view);
            if decision.is_some() || !more {
                return decision;
            }
        }
    }

    /// What all arrangements say, or samples of them.
    fn by_search(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.odds.read(view);
        let LocalOdds { constraints, risks, mines_left, .. } = &mut self.odds;
        // Each region, and whether the mine total ruled out some of its arrangements.
        let mut regions: Vec<(Region, bool)> = Vec::new();
        for region in constraints.regions() {
            let search = &mut self.search;
            search.begin(constraints, &region, *mines_left);
            let all = find_all(search, constraints, &region, self.nodes);
            if !all {
                search.begin(constraints, &region, *mines_left);
                draw(search, constraints, &region, self.samples, rng);
            }
            for (&cell, &mined) in region.cells.iter().zip(&search.mined) {
                // Samples are drawn towards one half, and so is a view that nothing fits.
                let (mined, found) = match all && search.found > 0 {
                    true => (mined, search.found),
                    false => (mined + 1, search.found + 2),
                };
                risks[usize::from(cell)] = mined as f64 / found as f64;
            }
            regions.push((region, search.reached_limit));
        }
        self.odds.act(view, rng, |odds, place| {
            let of = |(region, _): &&(Region, bool)| region.cells.contains(&(place as u16));
            let (region, by_total) = regions.iter().find(of).expect("every cell is in a region");
            let clues = odds.premises(view, region.clues.iter().copied());
            let total = by_total.then_some(Premise::MineTotal);
            Proof::new("all arrangements", clues.chain(total).collect())
        })
    }
}

impl Agent for Tang {
    fn begin(&mut self, rules: &Rules) {
        self.odds.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if view.opened().is_empty() {
            return moves::corner_first(view);
        }
        (self.odds.safe.next(view))
            .or_else(|| self.by_logic(view))
            .unwrap_or_else(|| self.by_search(view, rng))
    }
}

/// Finds all arrangements of a region; false if that takes too many steps.
fn find_all(
    search: &mut RegionSearch,
    constraints: &Constraints,
    region: &Region,
    mut nodes: usize,
) -> bool {
    let mut end = SearchEnd::Found;
    while end == SearchEnd::Found {
        end = search.next(constraints, region, &mut nodes, |_, _| false);
    }
    end == SearchEnd::NoMore
}

/// Finds this number of arrangements, each by a new random search; fewer if a search takes too
/// many steps. A cell gets a mine first as often as the clues around it still need mines.
fn draw(
    search: &mut RegionSearch,
    constraints: &Constraints,
    region: &Region,
    samples: usize,
    rng: &mut Rng,
) {
    for _ in 0..samples {
        if stop::is_raised() {
            return;
        }
        let end = search.next(constraints, region, &mut { SAMPLE_NODES }, |filling, cell| {
            rng.unit() < filling.share(constraints, cell)
        });
        search.restart(constraints, region);
        if end != SearchEnd::Found {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{FirstClick, GameSeed, Match, Outcome, Value, Why};

    use super::*;
    use crate::parts::pictures::{self, Decided};

    const SAMPLES: f64 = 200.0;

    fn decide(position: &str, nodes: f64) -> Decided {
        let options = [("nodes", Value::Number(nodes)), ("samples", Value::Number(SAMPLES))];
        pictures::decide(&ENTRY, &options, position)
    }

    /// Compares the cell opened, `o` in the picture, and the rule that proves it.
    fn check(position: &str, expected: &str, rule: &str) {
        let decided = decide(position, 1000.0);
        assert_eq!(decided.does(expected).decision.why.rule_name().unwrap(), rule, "{position}");
    }

    #[test]
    fn logic_comes_first_and_arrangements_prove_the_rest() {
        check("mines 2\n# 1 . .\n1 1 1 1\n# # # #", "# 1 . .\n1 1 1 1\n# # o #", "single clue");
        check("mines 3\n# # # # #\n? 1 2 ? #", "o # # # #\n? 1 2 ? #", "pair");
        let position = "mines 4\n# # # #\n2 3 # #\n# 2 # #";
        check(position, "# # o #\n2 3 # #\n# 2 # #", "all arrangements");
    }

    #[test]
    fn an_arrangement_has_no_more_mines_than_are_left() {
        let position = "mines 1\n# 1 # 1 #";
        check(position, "o 1 # 1 #", "all arrangements");
        let why = decide(position, 1000.0).decision.why;
        assert!(matches!(why, Why::Proved(_)) && why.premises().contains(&Premise::MineTotal));
    }

    #[test]
    fn all_arrangements_count_alike() {
        // The 1s share a mine in the middle, or have one each.
        let decided = decide("mines 3\n# 1 # 1 # ? # #", 1000.0);
        decided.believes("0.50 1 0.50 1 0.50 ? 0.60 0.60");
    }

    #[test]
    fn every_sample_satisfies_every_clue() {
        let decided = decide("mines 6\n# # # # # # #\n# 2 ? 1 ? 3 #\n# # # # # # #", 0.0);
        let (shape, estimates) = (decided.view.shape(), decided.decision.estimates.unwrap());
        for (place, need) in [(8, 2.0), (10, 1.0), (12, 3.0)] {
            let near = shape.neighbors(shape.nth(place).unwrap());
            let risks: Vec<f64> = near.iter().filter_map(|&near| estimates.mine(near)).collect();
            let expected = (need * SAMPLES + risks.len() as f64) / (SAMPLES + 2.0);
            assert!((risks.iter().sum::<f64>() - expected).abs() < 1e-9, "{risks:?}");
        }
    }

    #[test]
    fn sampled_games_come_to_an_end() {
        let rules = Rules::of("9x7x10".parse().unwrap()).unwrap();
        for game in 0..20 {
            let mut game =
                Match::new(rules.clone(), FirstClick::Corner, GameSeed { seed: 1, game });
            let outcome = game.play(&mut Tang::new(0, 50));
            assert!(matches!(outcome, Outcome::Won | Outcome::Lost), "{outcome}");
        }
    }
}
