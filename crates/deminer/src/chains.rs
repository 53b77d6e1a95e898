//! Chains of influence: how many conclusions each conclusion depends on.
//!
//! A conclusion, the opening or flagging of a cell for a reason, rests on premises: clues, which
//! are seen once their cells are open, and earlier conclusions. Its depth is one more than that
//! of its deepest premise. What is opened without premises, a guess or the first click, has
//! depth 0; so has the mine total, and whatever a player knew but never acted on.
//!
//! ```text
//! * 1 . .      - 2 1 0     the depths of a game that began at the upper right: a zero clears its
//! . 2 . .  ->  4 2 1 1     neighbors, the zeros among them their own; the 2 and the 1 above it
//! * 1 . .      3 2 2 2     make out a mine, and that makes the 1 below clear the last cell
//! ```
//!
//! After H. Zhang, H. Wu, S. Li and Z. Xu, "MineSweeper, Inference-Informed Action" (2018), who
//! ask what the length of such chains depends on. Time and memory follow the premises.

use std::borrow::Cow;
use std::collections::VecDeque;

use deminer_game::{Action, Cell, Effect, Face, Premise, Record, RecordError, Shape, View, Why};

/// The chains of one game, followed move by move. They are those of any player that gives
/// premises.
#[derive(Clone, Debug)]
pub struct Chains {
    shape: Shape,
    links: Vec<Option<Link>>,
    /// Cells opened so far.
    opened: u32,
    conclusions: usize,
    /// The depths of all conclusions in sum.
    depths: usize,
    /// The first conclusion of greatest depth, and that depth.
    deepest: Option<(Cell, u32)>,
    reach: usize,
    stages: Vec<(Cow<'static, str>, usize)>,
}

/// A cell that was opened or flagged.
#[derive(Clone, Copy, Debug)]
struct Link {
    depth: u32,
    /// The deepest premise.
    from: Option<Cell>,
    /// The earliest opening that it rests on, with its number; its own if it rests on none.
    origin: Option<(u32, Cell)>,
}

impl Link {
    /// Rests on nothing.
    const FREE: Link = Link { depth: 0, from: None, origin: None };
}

/// The stage of cells that were opened because they touch a zero.
const CASCADE: Cow<'static, str> = Cow::Borrowed("cascade");

impl Chains {
    /// Of a game that is about to begin.
    pub fn new(shape: &Shape) -> Self {
        Self {
            shape: shape.clone(),
            links: vec![None; shape.size()],
            opened: 0,
            conclusions: 0,
            depths: 0,
            deepest: None,
            reach: 0,
            stages: Vec::new(),
        }
    }

    /// Of a finished game.
    ///
    /// # Errors
    /// If the record contradicts itself.
    pub fn of(record: &Record) -> Result<Self, RecordError> {
        let mut chains = Self::new(record.rules.shape());
        record.replay(|step, effect, board| {
            chains.see(step.action, &step.why, effect, board.view());
        })?;
        Ok(chains)
    }

    /// Takes in a move: what was done and why, what came of it, and the view after it.
    pub fn see(&mut self, action: Action, why: &Why, effect: Effect, view: &View) {
        match (action, effect) {
            (Action::Open(_) | Action::Chord(_), Effect::Opened(count)) => {
                let cells = &view.opened()[view.opened().len() - count..];
                self.open(action, why, cells, view);
            }
            (Action::Flag(cell), Effect::Flagged) => {
                let link = self.resting_on(why.premises());
                self.enter(cell, link, why.rule_name());
            }
            (Action::Unflag(cell), Effect::Flagged) => self.links[cell.index()] = None,
            _ => {}
        }
    }

    /// The cells that were meant rest on the premises given, those that a cascade has opened on
    /// the zero that was nearest to them.
    fn open(&mut self, action: Action, why: &Why, cells: &[Cell], view: &View) {
        let shape = self.shape.clone();
        let around = |center: Cell, cell: &Cell| shape.neighbors(center).contains(cell);
        let meant = |cell: &Cell| match action {
            Action::Chord(center) => around(center, cell),
            action => action.cell() == Some(*cell),
        };
        let link = self.resting_on(why.premises());
        for cell in cells {
            self.links[cell.index()] = None;
        }
        let mut waiting = VecDeque::new();
        for &cell in cells.iter().filter(|cell| meant(cell)) {
            self.uncover(cell, link, why.rule_name());
            waiting.push_back(cell);
        }
        while let Some(cell) = waiting.pop_front() {
            let is_zero = view.face(cell).clue().and_then(|clue| clue.exact()) == Some(0);
            // Where nothing cascades, the cells around a zero are not opened by it.
            if !is_zero || !view.rules().cascade() {
                continue;
            }
            for &near in shape.neighbors(cell) {
                let is_open = matches!(view.face(near), Face::Open { .. });
                if is_open && self.links[near.index()].is_none() {
                    let link = self.resting_on(&[Premise::Clue(cell)]);
                    self.uncover(near, link, Some(&CASCADE));
                    waiting.push_back(near);
                }
            }
        }
    }

    /// What rests on these premises; none for a guess.
    fn resting_on(&self, premises: &[Premise]) -> Link {
        let mut link = Link { depth: u32::from(!premises.is_empty()), ..Link::FREE };
        for cell in premises.iter().filter_map(|premise| premise.cell()) {
            let Some(known) = self.links[cell.index()] else { continue };
            if link.from.is_none() || known.depth >= link.depth {
                link.depth = known.depth + 1;
                link.from = Some(cell);
            }
            link.origin = match (link.origin, known.origin) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        link
    }

    /// Enters a cell that was opened.
    fn uncover(&mut self, cell: Cell, link: Link, stage: Option<&Cow<'static, str>>) {
        let origin = link.origin.or(Some((self.opened, cell)));
        self.opened += 1;
        self.enter(cell, Link { origin, ..link }, stage);
    }

    /// Enters a cell; with the stage that concluded it, unless it was a guess.
    fn enter(&mut self, cell: Cell, link: Link, stage: Option<&Cow<'static, str>>) {
        self.links[cell.index()] = Some(link);
        let Some(stage) = stage else { return };
        self.conclusions += 1;
        self.depths += link.depth as usize;
        if self.deepest.is_none_or(|(_, depth)| depth < link.depth) {
            self.deepest = Some((cell, link.depth));
        }
        if let Some((_, origin)) = link.origin {
            self.reach = self.reach.max(self.shape.distance(origin, cell));
        }
        match self.stages.iter_mut().find(|(name, _)| name == stage) {
            Some((_, count)) => *count += 1,
            None => self.stages.push((stage.clone(), 1)),
        }
    }

    /// How many cells were opened or flagged for a reason.
    pub fn conclusions(&self) -> usize {
        self.conclusions
    }

    /// The depth of the deepest conclusion.
    pub fn longest(&self) -> usize {
        self.deepest.map_or(0, |(_, depth)| depth as usize)
    }

    /// The mean depth of all conclusions; 0 if there is none.
    pub fn mean(&self) -> f64 {
        self.depths as f64 / self.conclusions.max(1) as f64
    }

    /// The greatest distance from a conclusion to the earliest opening that it rests on, in
    /// steps from neighbor to neighbor.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// How many conclusions each stage or rule has made, in the order of their first ones.
    pub fn stages(&self) -> &[(Cow<'static, str>, usize)] {
        &self.stages
    }

    /// The longest chain: from the opening it starts with to its last conclusion, each cell the
    /// deepest premise of the next.
    pub fn longest_chain(&self) -> Vec<Cell> {
        self.deepest.map_or(Vec::new(), |(cell, _)| self.chain_to(cell))
    }

    /// The chain that ends with this cell: each cell is the deepest premise of the next.
    pub fn chain_to(&self, cell: Cell) -> Vec<Cell> {
        let before = |cell: &Cell| self.links[cell.index()].and_then(|link| link.from);
        let mut chain: Vec<Cell> = std::iter::successors(Some(cell), before).collect();
        chain.reverse();
        chain
    }

    /// The depth of a cell that was opened or flagged.
    pub fn depth(&self, cell: Cell) -> Option<usize> {
        self.links[cell.index()].map(|link| link.depth as usize)
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Board, FirstClick, GameSeed, Layout, Match, Rules};

    use super::*;
    use crate::play::record_game;
    use crate::roster::Roster;

    /// Plays on a layout from a cell on and compares the depths of all cells, `-` where nothing
    /// was done. Returns the chains.
    fn check(agent: &str, layout: &str, at: (usize, usize), cascade: bool, depths: &str) -> Chains {
        let layout: Layout = layout.parse().unwrap();
        let (shape, mines) = (layout.shape().clone(), layout.total());
        let rules = Rules::new(shape.clone(), mines).unwrap().with_cascade(cascade);
        let board = Board::laid(rules, layout, 0).unwrap();
        let at = FirstClick::Cell(shape.cell(at.0, at.1).unwrap());
        let game = Match::on(board, at, GameSeed { seed: 1, game: 0 });
        let mut chains = Chains::new(&shape);
        let record = record_game(&Roster::default().agent(agent).unwrap(), game, |turn, board| {
            chains.see(turn.decision.action, &turn.decision.why, turn.effect, board.view());
        });
        assert!(record.is_ok());
        let drawn = shape
            .cells()
            .map(|cell| chains.depth(cell).map_or("-".into(), |depth| depth.to_string()));
        assert_eq!(drawn.collect::<Vec<_>>(), depths.split_whitespace().collect::<Vec<_>>());
        chains
    }

    fn positions(chains: &Chains) -> Vec<(usize, usize)> {
        chains.longest_chain().into_iter().map(|cell| chains.shape.position(cell)).collect()
    }

    #[test]
    fn depth_is_one_more_than_that_of_the_deepest_premise() {
        let chains = check(
            "cs520",
            "* . . .
             . . . .
             * . . .",
            (0, 3),
            false,
            "- 2 1 0
             4 2 1 1
             3 2 2 2",
        );
        assert_eq!(positions(&chains), [(0, 3), (0, 2), (1, 1), (2, 0), (1, 0)]);
        assert_eq!((chains.longest(), chains.conclusions(), chains.reach()), (4, 10, 3));
        assert_eq!(chains.mean(), (3.0 * 1.0 + 5.0 * 2.0 + 3.0 + 4.0) / 10.0);
        assert_eq!(chains.stages(), [("step-by-step".into(), 9), ("step-aside".into(), 1)]);
    }

    #[test]
    fn a_cascade_is_as_deep_as_its_zeros_are_far() {
        let chains = check(
            "cs520",
            "* . . . . .
             . . . . . .
             . . . . . .",
            (2, 5),
            true,
            "- 4 3 2 2 2
             5 4 3 2 1 1
             5 4 3 2 1 0",
        );
        assert_eq!(chains.stages(), [(CASCADE, 16)]);
        assert_eq!(chains.reach(), 5);
    }

    #[test]
    fn guesses_start_chains_of_their_own() {
        // The first clue decides nothing; a leap to the middle finds the zeros.
        let chains = check("cs520", "* . . . . .", (0, 1), false, "- 0 1 0 1 2");
        assert_eq!(positions(&chains), [(0, 3), (0, 4), (0, 5)]);
        assert_eq!(chains.reach(), 2);
    }

    #[test]
    fn nothing_done_is_nothing_deep() {
        let shape = Shape::new(Default::default(), 3, 2).unwrap();
        let chains = Chains::new(&shape);
        assert_eq!((chains.longest(), chains.mean(), chains.longest_chain()), (0, 0.0, vec![]));
    }

    #[test]
    fn a_record_has_the_chains_of_its_game() {
        for (agent, board) in [("cs520", "16x12x30"), ("single-point:flag", "beginner")] {
            let rules = Rules::of(board.parse().unwrap()).unwrap();
            for game in 0..20 {
                let game =
                    Match::new(rules.clone(), FirstClick::Random, GameSeed { seed: 4, game });
                let mut live = Chains::new(rules.shape());
                let record =
                    record_game(&Roster::default().agent(agent).unwrap(), game, |turn, board| {
                        live.see(
                            turn.decision.action,
                            &turn.decision.why,
                            turn.effect,
                            board.view(),
                        );
                    })
                    .unwrap();
                let replayed = Chains::of(&record).unwrap();
                assert_eq!(live.longest_chain(), replayed.longest_chain());
                assert_eq!(
                    live.longest_chain().len(),
                    live.longest() + usize::from(live.longest() > 0)
                );
                assert_eq!((live.mean(), live.reach()), (replayed.mean(), replayed.reach()));
                assert_eq!(live.stages(), replayed.stages());
                let sum: usize = live.stages().iter().map(|(_, count)| count).sum();
                assert_eq!(sum, live.conclusions());
            }
        }
    }
}
