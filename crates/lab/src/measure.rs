//! Optional measures of a game beyond its outcome.

use std::borrow::Cow;

use deminer_game::{Action, Cell, Decision, Effect, Face, MovedBy, Rules, Shape, Start, View, Why};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::{Engine, OddsError};

use deminer::chains::Chains;
pub use deminer_formats::wire::Measure;

/// Guesses of one game that were not needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unneeded {
    /// A safe cell existed, by the clues and the mine total.
    pub known: u32,
    /// A safe cell existed by the clues alone.
    pub by_clues: u32,
}

/// How often each rule, stage or kind of guess was used in a game, in the order of their first
/// use.
pub type Usage = Vec<(Cow<'static, str>, u32)>;

/// The chains of influence of one game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChainLengths {
    /// Depth of the deepest conclusion.
    pub longest: u32,
    /// Mean depth of all conclusions.
    pub mean: f64,
    /// Greatest distance from a conclusion to the earliest opening that it rests on.
    pub reach: u32,
}

/// The measures of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measurements {
    /// Unneeded guesses; none where they were not measured or could not be judged.
    pub unneeded: Option<Unneeded>,
    /// Rules used; empty where they were not measured.
    pub usage: Usage,
    /// Chains of influence, where they were measured.
    pub chains: Option<ChainLengths>,
}

/// Watches games and measures them, one after another.
pub struct Watcher {
    measures: Vec<Measure>,
    engine: Engine,
    known: SinglePoint,
    /// None after a view without exact odds: the game's guesses cannot be judged.
    judged: Option<Judged>,
    usage: Usage,
    chains: Option<Chains>,
}

impl Watcher {
    /// One that measures these.
    pub fn new(measures: &[Measure]) -> Self {
        let nothing = Shape::new(Default::default(), 1, 1).expect("one cell makes a board");
        Self {
            measures: measures.to_vec(),
            engine: Engine::default(),
            known: SinglePoint::new(&nothing),
            judged: None,
            usage: Usage::new(),
            chains: None,
        }
    }

    /// Whether there is anything to measure.
    pub fn is_idle(&self) -> bool {
        self.measures.is_empty()
    }

    fn measures(&self, measure: Measure) -> bool {
        self.measures.contains(&measure)
    }

    /// Another game begins.
    pub fn begin(&mut self, rules: &Rules) {
        self.known.reset(rules.shape());
        self.judged = self.measures(Measure::Unneeded).then(Judged::default);
        self.usage.clear();
        self.chains = self.measures(Measure::Chains).then(|| Chains::new(rules.shape()));
    }

    /// Sees a decision, before it is carried out.
    pub fn see(&mut self, view: &View, by: MovedBy, decision: &Decision) {
        if self.measures(Measure::Usage) {
            self.count_use(&decision.why);
        }
        if by == MovedBy::Agent
            && let Some(mut judged) = self.judged
        {
            self.judged = self.judge(view, decision).ok().map(|opening| {
                let Unneeded { known, by_clues } = &mut judged.unneeded;
                judged.guesses += u32::from(opening != Opening::Sure);
                *known += u32::from(opening >= Opening::Unneeded);
                *by_clues += u32::from(opening >= Opening::UnneededByClues);
                judged
            });
        }
    }

    /// Sees what came of a decision, with the view after it.
    pub fn saw(&mut self, view: &View, decision: &Decision, effect: Effect) {
        if let Some(chains) = &mut self.chains {
            chains.see(decision.action, &decision.why, effect, view);
        }
    }

    /// Openings of the game that could have hit a mine, by the exact engine; none where unneeded
    /// guesses are not measured or could not be judged.
    pub fn guesses(&self) -> Option<u32> {
        self.judged.map(|judged| judged.guesses)
    }

    /// What was measured of the game.
    pub fn finish(&mut self) -> Measurements {
        let lengths = |chains: Chains| ChainLengths {
            longest: chains.longest() as u32,
            mean: chains.mean(),
            reach: chains.reach() as u32,
        };
        Measurements {
            unneeded: self.judged.map(|judged| judged.unneeded),
            usage: std::mem::take(&mut self.usage),
            chains: self.chains.take().map(lengths),
        }
    }

    fn count_use(&mut self, why: &Why) {
        let name = match why {
            Why::Proved(proof) => proof.rule.clone(),
            Why::Rule { name, .. } => name.clone(),
            Why::Risk(_) => Cow::Borrowed("guess"),
            Why::Blind => Cow::Borrowed("blind guess"),
            Why::Start => Cow::Borrowed("start"),
            Why::Nothing => return,
        };
        match self.usage.iter_mut().find(|(used, _)| *used == name) {
            Some((_, count)) => *count += 1,
            None => self.usage.push((name, 1)),
        }
    }

    /// Whether a decision opens what may be a mine, and whether something surely safe could have
    /// been opened instead. What an agent calls proved is taken to be.
    fn judge(&mut self, view: &View, decision: &Decision) -> Result<Opening, OddsError> {
        let cells = match decision.action {
            _ if matches!(decision.why, Why::Proved(_)) => return Ok(Opening::Sure),
            Action::Open(cell) => vec![cell],
            Action::Chord(cell) => view.shape().neighbors(cell).to_vec(),
            Action::Flag(_) | Action::Unflag(_) | Action::Decline => return Ok(Opening::Sure),
        };
        if view.opened().is_empty() {
            // Nothing is known before the first opening, but the rules may promise that it is safe.
            let promised = view.rules().start() != Start::Unsafe;
            return Ok(if promised { Opening::Sure } else { Opening::Needed });
        }
        self.known.update(view);
        let opened: Vec<Cell> =
            cells.into_iter().filter(|&cell| view.face(cell) == Face::Covered).collect();
        let is_safe = |fact: Option<Fact>| fact == Some(Fact::Safe);
        if opened.iter().all(|&cell| is_safe(self.known.fact(cell))) {
            return Ok(Opening::Sure);
        }
        let odds = self.engine.odds_knowing(view, &self.known)?;
        if opened.iter().all(|&cell| is_safe(odds.fact(cell))) {
            return Ok(Opening::Sure);
        }
        if !view.covered().any(|cell| is_safe(odds.fact(cell))) {
            return Ok(Opening::Needed);
        }
        let facts = self.engine.facts_of_clues(view)?;
        let by_clues = view.covered().any(|cell| is_safe(facts.get(cell)));
        Ok(if by_clues { Opening::UnneededByClues } else { Opening::Unneeded })
    }
}

/// The guesses of a game so far.
#[derive(Clone, Copy, Default)]
struct Judged {
    guesses: u32,
    unneeded: Unneeded,
}

/// What an opening risks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Opening {
    /// Nothing, or it opens nothing.
    Sure,
    /// A guess where no cell was surely safe.
    Needed,
    /// A guess where one was, by the clues and the mine total together.
    Unneeded,
    /// A guess where one was by the clues alone.
    UnneededByClues,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guesses not needed, by all that is known and by the clues alone, when this cell of the
    /// view is opened for no reason.
    fn check(view: &str, row: usize, column: usize) -> (u32, u32) {
        let unneeded = watch(view, row, column, Decision::blind).finish().unneeded;
        let unneeded = unneeded.expect("the view has exact odds");
        (unneeded.known, unneeded.by_clues)
    }

    fn watch(view: &str, row: usize, column: usize, decide: fn(Cell) -> Decision) -> Watcher {
        let view: View = view.parse().unwrap();
        let mut watcher = Watcher::new(&[Measure::Unneeded]);
        watcher.begin(view.rules());
        let cell = view.shape().cell(row, column).unwrap();
        watcher.see(&view, MovedBy::Agent, &decide(cell));
        watcher
    }

    #[test]
    fn a_guess_is_an_opening_that_may_hit_a_mine_whatever_the_agent_calls_it() {
        let guesses = |row, column| {
            let risk = |cell| Decision::risk(cell, 0.3);
            let blind = watch(TOTAL_TELLS, row, column, Decision::blind).guesses();
            assert_eq!(watch(TOTAL_TELLS, row, column, risk).guesses(), blind);
            blind
        };
        assert_eq!(guesses(0, 1), Some(0), "the mine total makes it safe");
        assert_eq!(guesses(0, 0), Some(1));
        assert_eq!(watch("mines 1\n# 1 #", 0, 0, Decision::blind).guesses(), Some(1));
    }

    const TOTAL_TELLS: &str = "mines 3
                               # # # #
                               # 1 2 #
                               # # # #";

    #[test]
    fn a_guess_is_needed_unless_a_safe_cell_is_known() {
        // The 1 has its mine in the corner, so the rest around it is safe.
        let view = "mines 2
                    # 1 # #
                    1 1 # #
                    # # # #";
        assert_eq!(check(view, 2, 3), (1, 1));
        assert_eq!(check(view, 2, 0), (0, 0), "opening what is safe is no guess");
        assert_eq!(check(TOTAL_TELLS, 1, 0), (1, 0), "only the mine total makes a cell safe");
        assert_eq!(check(TOTAL_TELLS, 0, 1), (0, 0));
        assert_eq!(check("mines 1\n# 1 #", 0, 0), (0, 0));
        assert_eq!(check("mines 1\n# # #", 0, 0), (0, 0), "nothing is known before the start");
    }

    #[test]
    fn rules_and_guesses_are_counted_by_name() {
        let view: View = TOTAL_TELLS.parse().unwrap();
        let mut watcher = Watcher::new(&[Measure::Usage]);
        for _ in 0..2 {
            watcher.begin(view.rules());
            let cell = view.shape().nth(0).unwrap();
            let rule = Decision::new(Action::Open(cell), Why::rule("S-1", Vec::new()));
            for decision in [&rule, &Decision::risk(cell, 0.2), &rule] {
                watcher.see(&view, MovedBy::Agent, decision);
            }
            let usage = vec![("S-1".into(), 2), ("guess".into(), 1)];
            assert_eq!(watcher.finish(), Measurements { usage, ..Measurements::default() });
        }
    }
}
