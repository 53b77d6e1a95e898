//! The contract between a game and its player.

use std::borrow::Cow;

use crate::{Cell, Rng, Rules, View};

/// A player.
///
/// An agent may keep state within a game; [`begin`](Agent::begin) resets it. Same history and
/// same random numbers, same decision.
pub trait Agent: Send {
    /// Called before the first decision of each game.
    fn begin(&mut self, rules: &Rules) {
        let _ = rules;
    }

    /// What to do next. To open several cells in one turn, keep them and return one a call.
    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision;
}

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Action {
    /// Open a covered cell without a flag.
    Open(Cell),
    /// Put a flag on a covered cell.
    Flag(Cell),
    /// Take a flag away.
    Unflag(Cell),
    /// Open everything around an open cell that shows as many mines as it has flags around.
    Chord(Cell),
    /// Give up: the agent cannot or will not decide.
    #[default]
    Decline,
}

impl Action {
    /// The cell acted on.
    #[inline]
    pub const fn cell(self) -> Option<Cell> {
        match self {
            Action::Open(cell)
            | Action::Flag(cell)
            | Action::Unflag(cell)
            | Action::Chord(cell) => Some(cell),
            Action::Decline => None,
        }
    }

    /// Whether it opens cells; flags are not moves in survival statistics.
    #[inline]
    pub const fn opens(self) -> bool {
        matches!(self, Action::Open(_) | Action::Chord(_))
    }

    /// The verb, as in files and sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Action::Open(_) => "open",
            Action::Flag(_) => "flag",
            Action::Unflag(_) => "unflag",
            Action::Chord(_) => "chord",
            Action::Decline => "decline",
        }
    }
}

/// An action with its reason and what the agent knew.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// What to do.
    pub action: Action,
    /// Why.
    pub why: Why,
    /// Estimated mine probabilities, if the agent has any.
    pub estimates: Option<Box<Estimates>>,
    /// The cells the agent considered, best first, with the chosen cell.
    pub alternatives: Vec<Alternative>,
    /// Numbers about how it decided, by name: for example the rounds of a search.
    pub effort: Vec<(&'static str, f64)>,
}

impl Decision {
    /// A decision with nothing but its reason.
    #[inline]
    pub fn new(action: Action, why: Why) -> Self {
        Self { action, why, estimates: None, alternatives: Vec::new(), effort: Vec::new() }
    }

    /// Opens a cell that a proof shows safe.
    #[inline]
    pub fn proved(cell: Cell, proof: Proof) -> Self {
        Self::new(Action::Open(cell), Why::Proved(proof))
    }

    /// Opens a cell with this mine probability.
    #[inline]
    pub fn risk(cell: Cell, risk: f64) -> Self {
        Self::new(Action::Open(cell), Why::Risk(risk))
    }

    /// Opens a cell for no reason at all.
    #[inline]
    pub fn blind(cell: Cell) -> Self {
        Self::new(Action::Open(cell), Why::Blind)
    }

    /// Opens any covered cell without a flag, each equally likely; gives up if there is none.
    pub fn anywhere(view: &View, rng: &mut Rng) -> Self {
        match view.covered_count() - view.flag_count() {
            0 => Self::decline(),
            count => {
                let chosen = view.openable().nth(rng.below(count));
                Self::blind(chosen.expect("as many as counted"))
            }
        }
    }

    /// Gives up.
    pub fn decline() -> Self {
        Self::new(Action::Decline, Why::Nothing)
    }

    /// Adds estimated mine probabilities.
    pub fn with_estimates(self, estimates: Estimates) -> Self {
        Self { estimates: Some(Box::new(estimates)), ..self }
    }

    /// Adds the cells the agent considered.
    pub fn with_alternatives(self, alternatives: Vec<Alternative>) -> Self {
        Self { alternatives, ..self }
    }

    /// Adds numbers about how it was made.
    pub fn with_effort(self, effort: Vec<(&'static str, f64)>) -> Self {
        Self { effort, ..self }
    }
}

/// The reason for an action. It is data: pages show it, the lab counts it, tests assert it.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// It follows from what is seen.
    Proved(Proof),
    /// The mine probability, as the agent estimates it.
    Risk(f64),
    /// A rule or stage of the agent's own, sound or not.
    Rule {
        /// The rule's name.
        name: Cow<'static, str>,
        /// What it rests on.
        premises: Vec<Premise>,
    },
    /// The first click, made by the match.
    Start,
    /// A guess without any reason.
    Blind,
    /// No reason is known: a person's move, or none at all.
    Nothing,
}

impl Why {
    /// A rule of the agent's own.
    pub const fn rule(name: &'static str, premises: Vec<Premise>) -> Self {
        Why::Rule { name: Cow::Borrowed(name), premises }
    }

    /// What it rests on.
    pub fn premises(&self) -> &[Premise] {
        match self {
            Why::Proved(Proof { premises, .. }) | Why::Rule { premises, .. } => premises,
            Why::Risk(_) | Why::Start | Why::Blind | Why::Nothing => &[],
        }
    }

    /// The rule or stage that concluded it; none of a guess.
    pub fn rule_name(&self) -> Option<&Cow<'static, str>> {
        match self {
            Why::Proved(Proof { rule: name, .. }) | Why::Rule { name, .. } => Some(name),
            Why::Risk(_) | Why::Start | Why::Blind | Why::Nothing => None,
        }
    }

    /// Whether the agent itself takes it for a guess.
    #[inline]
    pub fn is_guess(&self) -> bool {
        match self {
            Why::Risk(risk) => *risk > 0.0,
            Why::Blind => true,
            Why::Proved(_) | Why::Rule { .. } | Why::Start | Why::Nothing => false,
        }
    }
}

/// Why something must be so: a sound rule and what it was applied to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Proof {
    /// The rule's name.
    pub rule: Cow<'static, str>,
    /// What it rests on.
    pub premises: Vec<Premise>,
}

impl Proof {
    /// A proof by a rule from its premises.
    #[inline]
    pub const fn new(rule: &'static str, premises: Vec<Premise>) -> Self {
        Self { rule: Cow::Borrowed(rule), premises }
    }
}

/// One thing that a conclusion rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Premise {
    /// The clue of an open cell.
    Clue(Cell),
    /// An earlier conclusion: this cell is a mine.
    Mine(Cell),
    /// An earlier conclusion: this cell is safe.
    Safe(Cell),
    /// The number of mines on the whole board.
    MineTotal,
}

impl Premise {
    /// The cell it is about; none of the number of mines.
    pub const fn cell(self) -> Option<Cell> {
        match self {
            Premise::Clue(cell) | Premise::Mine(cell) | Premise::Safe(cell) => Some(cell),
            Premise::MineTotal => None,
        }
    }
}

/// The mine probability of each cell as an agent estimates it. Cells may have none.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimates(Vec<f64>);

/// Marks a cell without an estimate.
const NO_BELIEF: f64 = -1.0;

impl Estimates {
    /// No estimates, for a board with this number of cells.
    #[inline]
    pub fn new(cells: usize) -> Self {
        Self(vec![NO_BELIEF; cells])
    }

    /// These estimates, for a board with this number of cells.
    pub fn of(cells: usize, risks: impl IntoIterator<Item = (Cell, f64)>) -> Self {
        let mut estimates = Self::new(cells);
        risks.into_iter().for_each(|(cell, mine)| estimates.believe(cell, mine));
        estimates
    }

    /// Sets the mine probability of a cell.
    #[inline]
    pub fn believe(&mut self, cell: Cell, mine: f64) {
        self.0[cell.index()] = mine;
    }

    /// The estimated mine probability of a cell.
    #[inline]
    pub fn mine(&self, cell: Cell) -> Option<f64> {
        self.0.get(cell.index()).copied().filter(|&mine| mine != NO_BELIEF)
    }
}

/// One of the cells an agent considered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Alternative {
    /// The cell.
    pub cell: Cell,
    /// The probability that it is safe.
    pub safety: f64,
    /// The probability of winning after opening it, where the agent estimates it.
    pub win: Option<f64>,
}
