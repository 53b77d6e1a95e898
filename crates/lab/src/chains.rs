//! Chains of influence: how far conclusions are from what was seen at first.
//!
//! A conclusion, the opening or flagging of a cell for a reason, rests on premises: clues, which
//! are seen once their cells are open, and earlier conclusions. Its depth is one more than that
//! of its deepest premise. What is opened without premises, a guess or the first click, has
//! depth 0; so has the mine total, and whatever a player knew but never acted on.
//!
//! ```text
//! * 1 . 0        F 3 1 0     the depths of a game that began at the upper right: a zero clears
//! 2 2 . .   ->   3 2 1 1     its neighbors, the zeros among these their own, and a 1 that sees
//! * 1 . .        F 3 2 2     one covered cell makes it a mine, here F at depth 4
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
                let link = self.follow(why);
                self.enter(cell, link, stage(why));
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
        let link = self.follow(why);
        for cell in cells {
            self.links[cell.index()] = None;
        }
        let mut waiting = VecDeque::new();
        for &cell in cells.iter().filter(|cell| meant(cell)) {
            self.uncover(cell, link, stage(why));
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
                    self.uncover(near, link, Some(CASCADE));
                    waiting.push_back(near);
                }
            }
        }
    }

    /// What rests on the premises of a reason.
    fn follow(&self, why: &Why) -> Link {
        match why {
            Why::Proved(proof) => self.resting_on(&proof.premises),
            Why::Rule { premises, .. } => self.resting_on(premises),
            Why::Risk(_) | Why::Start | Why::Blind | Why::Nothing => Link::FREE,
        }
    }

    fn resting_on(&self, premises: &[Premise]) -> Link {
        let mut link = Link { depth: u32::from(!premises.is_empty()), ..Link::FREE };
        for premise in premises {
            let cell = match *premise {
                Premise::Clue(cell) | Premise::Mine(cell) | Premise::Safe(cell) => cell,
                Premise::MineTotal => continue,
            };
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
    fn uncover(&mut self, cell: Cell, link: Link, stage: Option<Cow<'static, str>>) {
        let origin = link.origin.or(Some((self.opened, cell)));
        self.opened += 1;
        self.enter(cell, Link { origin, ..link }, stage);
    }

    /// Enters a cell; with the stage that concluded it, unless it was a guess.
    fn enter(&mut self, cell: Cell, link: Link, stage: Option<Cow<'static, str>>) {
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
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, count)) => *count += 1,
            None => self.stages.push((stage, 1)),
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

/// The stage or rule that concluded something; none of a guess.
fn stage(why: &Why) -> Option<Cow<'static, str>> {
    match why {
        Why::Proved(proof) => Some(proof.rule.clone()),
        Why::Rule { name, .. } => Some(name.clone()),
        Why::Risk(_) | Why::Start | Why::Blind | Why::Nothing => None,
    }
}
