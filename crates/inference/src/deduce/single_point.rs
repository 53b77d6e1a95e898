//! One clue at a time: a clue whose mines are all known clears the rest around it, and a clue
//! that needs all its unknown cells makes them mines.

use deminer_game::{Cell, Face, Premise, Proof, Shape, View};

use super::need::{Need, earlier};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};

pub(super) const RULE: Rule = Rule {
    name: "single clue",
    rung: Rung::SingleClue,
    about: "a clue whose mines are all known clears the rest; one that needs all its cells mines them",
    find,
};

/// What each clue proves by itself, from the facts given and not from one another.
fn find(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let mut findings = Findings::new(view);
    for need in Need::all(view, facts) {
        let fact = match need.counts {
            1 => Fact::Safe,
            counts if counts == 1 << need.cells.len() => Fact::Mine,
            _ => continue,
        };
        findings.add(&need.cells, fact, || premises(view, facts, &need, fact));
    }
    findings.list
}

/// The clue, and of the cells proved around it those that matter: mines where the greatest count
/// is reached, safe cells where the least leaves no choice.
fn premises(view: &View, facts: &Facts, need: &Need, fact: Fact) -> Vec<Premise> {
    let near = view.shape().neighbors(need.clue);
    let mines = near.iter().filter(|&&cell| facts.get(cell) == Some(Fact::Mine)).count();
    let range = view.face(need.clue).clue().and_then(|clue| clue.range());
    let (low, high) = range.map_or((0, 8), |(low, high)| (usize::from(low), usize::from(high)));
    let matters = |premise: &Premise| match premise {
        Premise::Safe(_) => fact == Fact::Mine || high > mines,
        Premise::Mine(_) => fact == Fact::Safe || low < mines + need.cells.len(),
        Premise::Clue(_) | Premise::MineTotal => true,
    };
    let proved = near.iter().filter_map(|&cell| earlier(view, facts, cell)).filter(matters);
    std::iter::once(Premise::Clue(need.clue)).chain(proved).collect()
}

/// What single clues prove, kept up to date as cells are opened.
///
/// ```text
/// # 1 . .      * 1 . .    the 1 on top has one covered cell, a mine; it satisfies the two 1s
/// 1 1 1 1  ->  1 1 1 1    below it, which clear the cells under them; that leaves the next 1
/// # # # #      s s s *    one cell, a mine
/// ```
///
/// Each clue is looked at again only when something around it has become known, so following
/// a whole game costs time in proportion to its cells.
///
/// Flags are the player's beliefs and prove nothing here.
#[derive(Clone, Debug)]
pub struct SinglePoint {
    facts: Vec<Option<Fact>>,
    /// The clue that proved each cell; meaningless where nothing is proved.
    by: Vec<Cell>,
    /// How many of [`View::opened`] are taken in.
    seen: usize,
    /// Clues around which something has become known.
    stale: Vec<Cell>,
    /// Cells proved since they were last asked for, in the order of their proofs.
    fresh: Vec<(Cell, Fact)>,
    unknown: usize,
}

impl SinglePoint {
    /// Nothing seen, nothing proved.
    pub fn new(shape: &Shape) -> Self {
        let mut known = Self {
            facts: Vec::new(),
            by: Vec::new(),
            seen: 0,
            stale: Vec::new(),
            fresh: Vec::new(),
            unknown: 0,
        };
        known.reset(shape);
        known
    }

    /// All that single clues prove in a view.
    pub fn of(view: &View) -> Self {
        let mut known = Self::new(view.shape());
        for cell in view.shape().cells().filter(|&cell| view.face(cell) == Face::Mine) {
            known.learn(view, cell, Fact::Mine, cell);
        }
        known.update(view);
        known
    }

    /// Forgets everything, for a new game; keeps its buffers.
    pub fn reset(&mut self, shape: &Shape) {
        self.facts.clear();
        self.facts.resize(shape.size(), None);
        self.by.clear();
        self.by.extend(shape.cells());
        self.seen = 0;
        self.stale.clear();
        self.fresh.clear();
        self.unknown = shape.size();
    }

    /// Takes in the cells opened since the last update and concludes all that follows.
    pub fn update(&mut self, view: &View) {
        let opened = view.opened();
        for &cell in &opened[self.seen..] {
            self.learn(view, cell, Fact::Safe, cell);
            self.stale.push(cell);
        }
        self.seen = opened.len();
        while let Some(clue) = self.stale.pop() {
            self.look(view, clue);
        }
    }

    /// Concludes what one clue proves by itself.
    fn look(&mut self, view: &View, at: Cell) {
        let clue = view.face(at).clue().expect("only open cells are looked at");
        let (mut mines, mut unknown) = (0u8, 0u8);
        for near in view.shape().neighbors(at) {
            match self.facts[near.index()] {
                Some(Fact::Mine) => mines += 1,
                Some(Fact::Safe) => {}
                None => unknown += 1,
            }
        }
        if unknown == 0 {
            return;
        }
        let possible = clue.mask() & (((2u16 << unknown) - 1) << mines);
        let fact = if possible == 1 << mines {
            Fact::Safe
        } else if possible == 1 << (mines + unknown) {
            Fact::Mine
        } else {
            return;
        };
        for &near in view.shape().neighbors(at) {
            if self.facts[near.index()].is_none() {
                self.learn(view, near, fact, at);
            }
        }
    }

    /// Notes a fact and the clues that it may concern.
    fn learn(&mut self, view: &View, cell: Cell, fact: Fact, by: Cell) {
        if self.facts[cell.index()].replace(fact).is_some() {
            return;
        }
        self.unknown -= 1;
        self.by[cell.index()] = by;
        if view.face(cell).is_covered() {
            self.fresh.push((cell, fact));
        }
        let shape = view.shape();
        self.stale
            .extend(shape.neighbors(cell).iter().filter(|near| view.face(**near).clue().is_some()));
    }

    /// What is proved of a cell; open cells are safe.
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        self.facts[cell.index()]
    }

    /// How many cells are neither open nor proved.
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// Hands over the covered cells proved since the last call, in the order of their proofs.
    pub fn fresh(&mut self) -> std::vec::Drain<'_, (Cell, Fact)> {
        self.fresh.drain(..)
    }

    /// Why a covered cell is proved: the clue, and the cells around it that were known without
    /// being open.
    pub fn proof(&self, view: &View, cell: Cell) -> Option<Proof> {
        let fact = self.fact(cell)?;
        let clue = self.by[cell.index()];
        let mut premises = vec![Premise::Clue(clue)];
        for &near in view.shape().neighbors(clue) {
            match (fact, self.fact(near)) {
                (Fact::Safe, Some(Fact::Mine)) => premises.push(Premise::Mine(near)),
                (Fact::Mine, Some(Fact::Safe)) if view.face(near).is_covered() => {
                    premises.push(Premise::Safe(near));
                }
                _ => {}
            }
        }
        Some(Proof::new("single clue", premises))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::{self, Block};

    /// Compares what is proved, `s` safe and `*` mine, with the picture of the answer.
    fn check(block: &Block) {
        let view: View = block.position.parse().unwrap();
        let known = SinglePoint::of(&view);
        let symbol = |cell| match (view.face(cell), known.fact(cell)) {
            (face, Some(Fact::Safe)) if face.is_covered() => "s".to_owned(),
            (face, Some(Fact::Mine)) if face.is_covered() => "*".to_owned(),
            (face, _) => face.to_string(),
        };
        let found: String = view.shape().cells().map(symbol).collect();
        let expected: String = block.answers["single clue"].split_whitespace().collect();
        assert_eq!(found, expected, "{}\n{}", block.name, block.position);
    }

    #[test]
    fn single_clues_prove_what_the_boards_say() {
        boards::small().iter().for_each(check);
    }

    #[test]
    fn a_proof_names_its_clue_and_the_mines_it_counts() {
        let view: View = "mines 2\n# 1 . .\n1 1 1 1\n# # # #".parse().unwrap();
        let cell = |row, column| view.shape().cell(row, column).unwrap();
        let known = SinglePoint::of(&view);
        let proof = known.proof(&view, cell(2, 0)).unwrap();
        let clue = Premise::Clue(cell(1, 1));
        let mine = Premise::Mine(cell(0, 0));
        assert_eq!(proof, Proof::new("single clue", vec![clue, mine]));
        assert_eq!(known.proof(&view, cell(0, 0)).unwrap().premises, [Premise::Clue(cell(0, 1))]);
    }

    #[test]
    fn following_a_game_proves_what_one_look_does() {
        use deminer_game::{Action, Board, GameSeed, Layout, Rules};
        let rules = Rules::of("9x7x10".parse().unwrap()).unwrap();
        for game in 0..200 {
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 4, game });
            let mut known = SinglePoint::new(rules.shape());
            for cell in rules.shape().cells() {
                if !board.layout().is_some_and(|layout: &Layout| layout.is_mine(cell)) {
                    board.act(Action::Open(cell));
                }
                known.update(board.view());
                assert_eq!(known.facts, SinglePoint::of(board.view()).facts, "{}", board.view());
                let layout = board.layout().unwrap();
                for cell in rules.shape().cells() {
                    let fact = if layout.is_mine(cell) { Fact::Mine } else { Fact::Safe };
                    assert!(known.fact(cell).is_none_or(|found| found == fact), "unsound");
                }
            }
        }
    }
}
