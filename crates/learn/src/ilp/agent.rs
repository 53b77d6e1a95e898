//! Plays a theory: opens what a rule says is safe, else marks what a rule says is a mine, else
//! guesses.
//!
//! Rules are tried in the order of the theory, those about safe cells first; each on the covered
//! cells row by row. Whatever the first rule that applies says of cells is done before any rule is
//! tried again: a cell that is safe stays safe.

use std::borrow::Cow;
use std::sync::Arc;

use deminer_game::{
    Action, Agent, ArtifactKind, BuildError, Cell, CellSet, ClueKind, Decision, Entry, Face, Kind,
    OptionEntry, Options, Premise, Rng, Rules, Supports, Values, View, Why,
};

use super::background::Reach;
use super::clause::Target;
use super::program::Program;
use super::situation::{Situation, Surveyor};
use super::theory::Theory;

/// `mio:paper` and other theories. Who lists it gives [`build`] the guess of `+prob`.
pub const ENTRY: Entry = Entry {
    name: "mio",
    about: "rules learned by induction, then a guess (+prob: the lowest worst-case ratio)",
    kind: Kind::Induction,
    paper: Some(
        "L. Peña Castillo, S. Wrobel, Learning Minesweeper with Multirelational Learning, 2003",
    ),
    options: &[OptionEntry {
        name: "theory",
        values: Values::Rest,
        about: "a shipped theory, or a file made by `train mio`; +prob behind it weighs guesses",
    }],
    supports: Supports { clues: &[ClueKind::Exact, ClueKind::Blind], ..Supports::ALL },
    artifact: Some(ArtifactKind::THEORY),
    build: |options| build(options, Decision::anywhere),
    ..Entry::PLAIN
};

/// A player of the theory that the options name; `weighed` is how it guesses if `+prob` is behind
/// the name.
pub fn build(options: &Options, weighed: Guess) -> Result<Box<dyn Agent>, BuildError> {
    let kind = ArtifactKind::THEORY;
    let read = |bytes: &[u8]| {
        Theory::read(&String::from_utf8_lossy(bytes)).map(|theory| Rulebook::new(&theory))
    };
    let rulebook = options.artifact(kind, "paper", read)?;
    let is_weighed = options.word(kind.name, "").ends_with(kind.suffix);
    Ok(Box::new(MioPlayer::new(rulebook, if is_weighed { weighed } else { Decision::anywhere })))
}

/// What is done where no rule applies.
pub type Guess = fn(&View, &mut Rng) -> Decision;

/// A theory, ready to be played.
#[derive(Clone, Debug)]
pub struct Rulebook {
    rules: Vec<Rule>,
    reach: Reach,
}

#[derive(Clone, Debug)]
struct Rule {
    name: String,
    target: Target,
    program: Program,
}

impl Rulebook {
    /// Makes a theory ready.
    pub fn new(theory: &Theory) -> Self {
        let rule = |(name, clause): (String, &super::Clause)| Rule {
            name,
            target: clause.target(),
            program: Program::new(clause),
        };
        let mut rules: Vec<Rule> = theory.named().map(rule).collect();
        rules.sort_by_key(|rule| rule.target);
        let reach = rules.iter().map(|rule| rule.program.reach).max().unwrap_or(Reach::Near);
        Self { rules, reach }
    }
}

/// Plays a theory. Only cells near a face that changed are tried again, but for rules that ask
/// about the whole board.
pub struct MioPlayer {
    rulebook: Arc<Rulebook>,
    guess: Guess,
    surveyor: Surveyor,
    /// The faces when the rules were last tried.
    faces: Vec<Face>,
    cases: Vec<Option<Case>>,
    /// What the last rule that applied says of further cells, the next one last.
    pending: Vec<(Cell, Decision)>,
}

/// A covered cell and what the rules say of it.
struct Case {
    situation: Situation,
    /// What each rule says, once it was tried.
    said: Vec<Option<bool>>,
}

impl MioPlayer {
    /// A player of these rules.
    pub fn new(rulebook: impl Into<Arc<Rulebook>>, guess: Guess) -> Self {
        Self {
            rulebook: rulebook.into(),
            guess,
            surveyor: Surveyor::default(),
            faces: Vec::new(),
            cases: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// What the first rule that applies does to the first cell it applies to that is not dealt
    /// with.
    pub fn apply(&mut self, view: &View) -> Option<Decision> {
        loop {
            while let Some((cell, decision)) = self.pending.pop() {
                if view.face(cell) == Face::Covered {
                    return Some(decision);
                }
            }
            self.consult(view);
            if self.pending.is_empty() {
                return None;
            }
        }
    }

    /// Finds the first rule that applies, and what it says of all cells.
    fn consult(&mut self, view: &View) {
        self.refresh(view);
        let rulebook = Arc::clone(&self.rulebook);
        let mut remaining = None;
        for (place, rule) in rulebook.rules.iter().enumerate() {
            if rule.program.asks_for_left && remaining.is_none() {
                remaining = Some(self.surveyor.remaining(view));
            }
            for cell in view.openable() {
                let case = self.cases[cell.index()].get_or_insert_with(|| Case {
                    situation: self.surveyor.survey(view, cell, rulebook.reach, None),
                    said: vec![None; rulebook.rules.len()],
                });
                let found = if rule.program.asks_for_left {
                    let now = remaining.expect("counted above");
                    rule.program.witness(&case.situation.with_remaining(now))
                } else {
                    let covers = || rule.program.covers(&case.situation);
                    let holds = *case.said[place].get_or_insert_with(covers);
                    holds.then(|| rule.program.witness(&case.situation)).flatten()
                };
                if let Some(clues) = found {
                    let action = match rule.target {
                        Target::Safe => Action::Open(cell),
                        Target::Mine => Action::Flag(cell),
                    };
                    let premises = premises(view, &clues, rule.program.asks_for_left);
                    let name = Cow::Owned(rule.name.clone());
                    let decision = Decision::new(action, Why::Rule { name, premises });
                    self.pending.push((cell, decision));
                }
            }
            if !self.pending.is_empty() {
                self.pending.reverse();
                return;
            }
        }
    }

    /// Forgets the cells near a face that changed.
    fn refresh(&mut self, view: &View) {
        let shape = view.shape();
        if self.faces.len() != shape.size() {
            self.cases.clear();
            self.cases.resize_with(shape.size(), || None);
        } else {
            // A clue of a zone, and the cells it sees, are no further away.
            let steps = match self.rulebook.reach {
                Reach::Near => 4,
                Reach::Wide => 6,
            };
            let changed = |cell: &Cell| view.face(*cell) != self.faces[cell.index()];
            let mut near: Vec<Cell> = shape.cells().filter(changed).collect();
            let mut reached = CellSet::new(shape.size());
            let mut from = 0;
            for _ in 0..steps {
                let to = near.len();
                for place in from..to {
                    let around = shape.neighbors(near[place]).iter();
                    near.extend(around.copied().filter(|&cell| reached.insert(cell)));
                }
                from = to;
            }
            near.iter().for_each(|cell| self.cases[cell.index()] = None);
        }
        self.faces.clear();
        self.faces.extend_from_slice(view.faces());
    }
}

impl Agent for MioPlayer {
    fn begin(&mut self, _: &Rules) {
        self.pending.clear();
        self.faces.clear();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.apply(view).unwrap_or_else(|| (self.guess)(view, rng))
    }
}

/// The clues, each once, the marks around them, and the number of mines where it was asked for.
fn premises(view: &View, clues: &[Cell], total: bool) -> Vec<Premise> {
    let near = clues.iter().flat_map(|&clue| view.shape().neighbors(clue));
    let marks = near.filter(|&&cell| view.face(cell) == Face::Flagged);
    let all = clues.iter().copied().map(Premise::Clue).chain(marks.copied().map(Premise::Mine));
    let mut premises: Vec<Premise> = Vec::new();
    for premise in all.chain(total.then_some(Premise::MineTotal)) {
        if !premises.contains(&premise) {
            premises.push(premise);
        }
    }
    premises
}
