//! Five stages, from one clue at a time to a leap of faith.
//!
//! After H. Zhang, H. Wu, S. Li and Z. Xu, "MineSweeper, Inference-Informed Action" (2018). The
//! player keeps an estimate of a mine for each unresolved cell and each hint that sees it, and
//! goes through its stages until one of them decides a cell:
//!
//! | stage | looks at | costs |
//! |---|---|---|
//! | [`step`]-by-step | one hint | a constant for each move |
//! | step-[`aside`] | hints whose cells are among another's, 5x5 cells | the hints that changed |
//! | [`keep`]-in-step | two hints side by side | the hints that changed |
//! | [`elixir`] | all hints in 9x9 cells, by contradiction | exponential but for its limits |
//! | [`leap`] of faith | every estimate | all cells |
//!
//! It plays on flags: a wrong one, put by a leap, misleads it for the rest of the game. Where the
//! paper stops because all mines are flagged, this player opens the rest.
//!
//! Uncertain clues are taken for the count they make likely, and nearly certain estimates for
//! certain ones; a cell without a clue is one more safe cell that tells nothing.
//!
//! What is ours: exact fractions, where the authors' 16-bit numbers miss thirds; a contradiction
//! by constraints instead of by all combinations, with the same answer; queues instead of sets.

pub(crate) mod aside;
pub(crate) mod elixir;
pub(crate) mod keep;
pub(crate) mod knowledge;
pub(crate) mod leap;
pub(crate) mod step;
#[cfg(test)]
mod tests;

use deminer_game::{
    Action, Agent, Cell, Decision, Entry, Kind, OptionEntry, Options, Premise, Rng, Rules, Start,
    Values, View, Why,
};

use self::aside::{Aside, Reckoning};
use self::elixir::Elixir;
use self::keep::Keep;
use self::knowledge::{Knowledge, Status};
use self::leap::Leap;
use self::step::{Order, Queues};

pub const ENTRY: Entry = Entry {
    name: "cs520",
    about: "five stages of inference, then a leap of faith by averaged estimates",
    kind: Kind::Logic,
    paper: Some(PAPER),
    options: &[STAGES, KNOW_MINES, ASIDE, MARGIN],
    build: |options| Ok(Box::new(Cs520::new(Config::of(options)))),
    ..Entry::PLAIN
};

pub(crate) const PAPER: &str = "H. Zhang, H. Wu, S. Li, Z. Xu, \
    MineSweeper, Inference-Informed Action, 2018";

const STAGES: OptionEntry = OptionEntry {
    name: "stages",
    values: Values::ListOf(&["step", "aside", "keep", "elixir", "leap"]),
    about: "the stages that are used; all unless told otherwise",
};

const KNOW_MINES: OptionEntry = OptionEntry {
    name: "know-mines",
    values: Values::OneOf(&["on", "off"]),
    about: "whether the number of mines on the board is used",
};

const ASIDE: OptionEntry = OptionEntry {
    name: "aside",
    values: Values::OneOf(&["average", "sound"]),
    about: "whether step-aside averages, as in the paper, or is always right",
};

/// Uncertain estimates nearer to 0 or 1 than the margin count as such.
pub(crate) const MARGIN: OptionEntry = OptionEntry {
    name: "margin",
    values: Values::Number(0.0, 0.5),
    about: "how near to 0 or 1 an estimate from uncertain clues counts as such (0.05)",
};

pub(crate) const USUAL_MARGIN: f64 = 0.05;

/// Which stages are used, and how.
#[derive(Clone, Copy, Debug)]
struct Config {
    step: bool,
    aside: bool,
    keep: bool,
    elixir: bool,
    leap: bool,
    know_mines: bool,
    reckoning: Reckoning,
    margin: f64,
}

impl Config {
    fn of(options: &Options) -> Self {
        let stages = options.list("stages");
        let used =
            |stage: &str| stages.is_none_or(|stages| stages.iter().any(|name| name == stage));
        Self {
            step: used("step"),
            aside: used("aside"),
            keep: used("keep"),
            elixir: used("elixir"),
            leap: used("leap"),
            know_mines: options.word("know-mines", "on") == "on",
            reckoning: match options.word("aside", "average") {
                "sound" => Reckoning::Sound,
                _ => Reckoning::Average,
            },
            margin: options.number("margin", USUAL_MARGIN),
        }
    }
}

/// Where the player is in its round of stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// Leaps until the first cell is decided.
    #[default]
    Opening,
    /// Moves that are decided, then the stages one after another.
    Round,
    /// Has just leapt after a round in vain, and tries the stages at once.
    Leapt,
}

struct Cs520 {
    config: Config,
    phase: Phase,
    known: Knowledge,
    queues: Queues,
    aside: Aside,
    keep: Keep,
    elixir: Elixir,
    leap: Leap,
    /// The flag put by the last decision.
    flag: Option<Cell>,
}

impl Cs520 {
    fn new(config: Config) -> Self {
        Self {
            config,
            phase: Phase::default(),
            known: Knowledge::new(),
            queues: Queues::default(),
            aside: Aside::default(),
            keep: Keep::default(),
            elixir: Elixir::default(),
            leap: Leap::default(),
            flag: None,
        }
    }

    /// Forgets what the stages remember; the knowledge stays.
    fn begin_stages(&mut self) {
        let shape = self.known.shape();
        self.phase = Phase::Opening;
        self.queues.begin(shape.size());
        self.aside.begin(shape.size());
        self.keep.begin(shape.size());
        self.elixir.begin(shape);
        self.leap.begin(shape);
    }

    fn next(&mut self, view: &View, rng: &mut Rng) -> Option<Decision> {
        if self.known.opened() == 0 {
            return self.first_step(view);
        }
        if let Some(decision) = rest(&self.known) {
            return Some(decision);
        }
        if self.phase == Phase::Opening {
            if self.queues.is_empty() && self.config.leap {
                return self.leap.decide(&self.known);
            }
            self.phase = Phase::Round;
        }
        if self.phase == Phase::Leapt {
            self.combine(rng, elixir::NARROW);
            if self.queues.is_empty() {
                return self.leap_on();
            }
            self.phase = Phase::Round;
        }
        loop {
            if let Some(decision) = self.queues.next(&self.known, Order::Queue) {
                return Some(decision);
            }
            if !self.combine(rng, elixir::WIDE) {
                self.phase = Phase::Leapt;
                return self.leap_on();
            }
        }
    }

    fn first_step(&mut self, view: &View) -> Option<Decision> {
        let cell = self.leap.first()?;
        if !self.known.is_unresolved(cell) {
            return self.leap_on();
        }
        let rules = view.rules();
        let risk = match rules.start() {
            Start::Unsafe => rules.mines() as f64 / rules.shape().size() as f64,
            Start::Safe | Start::Open => 0.0,
        };
        Some(Decision::risk(cell, risk))
    }

    /// The stages that combine hints, up to the first that decides something; whether one does.
    fn combine(&mut self, rng: &mut Rng, radius: u8) -> bool {
        let Self { config, known, queues, .. } = self;
        let aside = aside::Config { reckoning: config.reckoning, ..aside::Config::PLAIN };
        config.aside && self.aside.solve(known, queues, aside)
            || config.keep && self.keep.solve(known, queues, true)
            || config.elixir && self.elixir.solve(known, queues, rng, radius)
    }

    fn leap_on(&mut self) -> Option<Decision> {
        self.config.leap.then(|| self.leap.decide(&self.known)).flatten()
    }
}

/// Once all mines are flagged, the first of the other cells.
pub(crate) fn rest(known: &Knowledge) -> Option<Decision> {
    if known.mines_left() != Some(0) {
        return None;
    }
    let cells = || known.shape().cells();
    let cell = cells().find(|&cell| known.is_unresolved(cell))?;
    let flagged = cells().filter(|&cell| known.status(cell) == Status::Flagged);
    let premises = std::iter::once(Premise::MineTotal).chain(flagged.map(Premise::Mine)).collect();
    Some(Decision::new(Action::Open(cell), Why::rule("rest", premises)))
}

impl Agent for Cs520 {
    fn begin(&mut self, rules: &Rules) {
        self.known.begin(rules, self.config.know_mines, self.config.margin);
        self.begin_stages();
        self.flag = None;
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if !self.known.follow(view, self.flag.take()) {
            self.begin_stages();
        }
        let decided = self.known.take_decided();
        if self.config.step {
            self.queues.take(&self.known, decided);
        }
        let decision = self.next(view, rng).unwrap_or_else(Decision::decline);
        if let Action::Flag(cell) = decision.action {
            self.flag = Some(cell);
        }
        decision
    }
}
