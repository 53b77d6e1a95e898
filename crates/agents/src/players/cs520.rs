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
//! | [`elixir`] | all hints in 9x9 cells, by contradiction | exponential, within limits |
//! | [`leap`] of faith | every estimate | all cells |
//!
//! It plays on flags: a wrong one, put by a leap, misleads it for the rest of the game. Where the
//! paper stops because all mines are flagged, this player opens the rest.
//!
//! Uncertain clues are taken for the count they make likely, and nearly certain estimates for
//! certain ones; a blank cell is just one more safe cell.
//!
//! What is ours: exact fractions, where the authors' 16-bit numbers miss thirds; a contradiction
//! by constraints instead of by all combinations, with the same answer; queues instead of sets.

pub(crate) mod aside;
pub(crate) mod elixir;
pub(crate) mod keep;
pub(crate) mod knowledge;
pub(crate) mod leap;
#[cfg(test)]
pub(crate) mod pictures;
pub(crate) mod step;

use deminer_game::{
    Action, Agent, Cell, Decision, Entry, Kind, OptionEntry, Options, Rng, Rules, Start, Values,
    View, Why,
};
use deminer_inference::deduce::Fact;

use self::aside::Aside;
use self::elixir::Elixir;
use self::keep::Keep;
use self::knowledge::Knowledge;
use self::leap::Leap;
use self::step::{QueueOrder, Queues};
use crate::players::cs520x::cascaded::Cascaded;
use crate::players::cs520x::exact::Exact;
use crate::players::cs520x::well_paid::WellPaid;

pub const ENTRY: Entry = Entry {
    name: "cs520",
    about: "five stages of inference, then a leap of faith by averaged estimates",
    kind: Kind::Logic,
    paper: Some(PAPER),
    options: &[
        OptionEntry {
            name: "stages",
            values: Values::ListOf(STAGE_NAMES),
            about: "the stages that are used (default: all)",
        },
        OptionEntry {
            name: "know-mines",
            values: Values::OneOf(&["on", "off"]),
            about: "whether the number of mines on the board is used",
        },
        OptionEntry {
            name: "aside",
            values: Values::OneOf(&["average", "sound"]),
            about: "whether step-aside averages, as in the paper, or is always right",
        },
        OptionEntry {
            name: "margin",
            values: Values::Number(0.0, 0.5),
            about: "how near to 0 or 1 an estimate from uncertain clues counts as such (0.05)",
        },
    ],
    build: |options| Ok(Box::new(build(options))),
    ..Entry::PLAIN
};

pub(crate) const PAPER: &str = "H. Zhang, H. Wu, S. Li, Z. Xu, \
    MineSweeper, Inference-Informed Action, 2018";

pub(crate) const STAGE_NAMES: &[&str] = &["step", "aside", "keep", "elixir", "leap"];

const USUAL_MARGIN: f64 = 0.05;

/// What the stages of a round work on.
pub(crate) struct TurnState<'a> {
    pub view: &'a View,
    pub known: &'a mut Knowledge,
    pub queues: &'a mut Queues,
    pub rng: &'a mut Rng,
}

/// How a player of this kind plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    pub uses: Uses,
    pub know_mines: bool,
    pub margin: f64,
    pub order: QueueOrder,
}

/// The stages of the paper, and the improvements of [`cs520x`](crate::players::cs520x) in use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uses {
    step: bool,
    aside: bool,
    keep: bool,
    elixir: bool,
    leap: bool,
    sound: bool,
    shared: bool,
    cascaded: bool,
    cache: bool,
    regions: bool,
    odds: bool,
    well_paid: bool,
    endgame: bool,
    opening: bool,
}

impl Uses {
    /// Those whose names are listed.
    pub fn of(lists: impl Fn(&str) -> bool) -> Self {
        Self {
            step: lists("step"),
            aside: lists("aside"),
            keep: lists("keep"),
            elixir: lists("elixir"),
            leap: lists("leap"),
            sound: lists("sound"),
            shared: lists("shared"),
            cascaded: lists("cascaded"),
            cache: lists("cache"),
            regions: lists("regions"),
            odds: lists("odds"),
            well_paid: lists("well-paid"),
            endgame: lists("endgame"),
            opening: lists("opening"),
        }
    }
}

/// Where a player is in its round of stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// Leaps until the first cell is decided.
    #[default]
    Opening,
    /// Moves that are decided, then the stages one after another.
    Round,
    /// Has just leapt after a round without result, and tries the stages at once.
    Leapt,
}

/// A player that goes through its stages in rounds.
pub(crate) struct Cs520Player {
    habits: Habits,
    stages: Stages,
    phase: Phase,
    known: Knowledge,
    queues: Queues,
    /// What single hints have decided by the last move.
    decided: Vec<(Cell, Fact)>,
    /// The flag put by the last decision.
    flag: Option<Cell>,
}

impl Cs520Player {
    pub fn new(habits: Habits) -> Self {
        Self {
            habits,
            stages: Stages::new(habits.uses),
            phase: Phase::default(),
            known: Knowledge::default(),
            queues: Queues::default(),
            decided: Vec::new(),
            flag: None,
        }
    }

    /// Forgets what waits and what the stages remember; the knowledge stays.
    fn begin_stages(&mut self, rules: &Rules) {
        self.phase = Phase::Opening;
        self.queues.begin(rules.shape().size());
        self.stages.begin(rules);
    }

    fn next(&mut self, view: &View, rng: &mut Rng) -> Option<Decision> {
        let Self { habits, stages, phase, known, queues, .. } = self;
        if known.opened() == 0
            && let Some(cell) = stages.leap.first().filter(|&cell| known.is_unresolved(cell))
        {
            return Some(first_step(view.rules(), cell));
        }
        if let Some(decision) = rest(known) {
            return Some(decision);
        }
        let mut turn = TurnState { view, known, queues, rng };
        if *phase == Phase::Opening {
            if stages.begins_with_leaps() && turn.queues.is_empty() {
                return stages.leap(&mut turn);
            }
            *phase = Phase::Round;
        }
        if *phase == Phase::Leapt {
            stages.combine(&mut turn, true);
            if turn.queues.is_empty() {
                return stages.leap(&mut turn);
            }
            *phase = Phase::Round;
        }
        loop {
            if let Some(decision) = turn.queues.next(turn.known, habits.order) {
                return Some(decision);
            }
            if !stages.combine(&mut turn, false) {
                *phase = Phase::Leapt;
                return stages.leap(&mut turn);
            }
        }
    }
}

fn first_step(rules: &Rules, cell: Cell) -> Decision {
    let risk = match rules.start() {
        Start::Unsafe => rules.mines() as f64 / rules.shape().size() as f64,
        Start::Safe | Start::Open => 0.0,
    };
    Decision::risk(cell, risk)
}

/// Once all mines are flagged, the first of the other cells.
fn rest(known: &Knowledge) -> Option<Decision> {
    if known.mines_left() != Some(0) {
        return None;
    }
    let cell = known.shape().cells().find(|&cell| known.is_unresolved(cell))?;
    Some(Decision::new(Action::Open(cell), Why::rule("rest", known.total().collect())))
}

impl Agent for Cs520Player {
    fn begin(&mut self, rules: &Rules) {
        self.known.begin(rules, self.habits.know_mines, self.habits.margin);
        self.begin_stages(rules);
        self.flag = None;
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if !self.known.follow(view, self.flag.take()) {
            self.begin_stages(view.rules());
        }
        self.known.take_decided(&mut self.decided);
        if self.habits.uses.step {
            self.queues.take(&self.known, &self.decided);
        }
        let decision = self.next(view, rng).unwrap_or_else(Decision::decline);
        if let Action::Flag(cell) = decision.action {
            self.flag = Some(cell);
        }
        decision
    }
}

fn build(options: &Options) -> Cs520Player {
    let listed = options.list("stages");
    let uses = |name: &str| match name {
        // It changes no decision.
        "cache" => true,
        "sound" => options.word("aside", "average") == "sound",
        _ if !STAGE_NAMES.contains(&name) => false,
        stage => listed.is_none_or(|listed| listed.iter().any(|name| name == stage)),
    };
    Cs520Player::new(Habits {
        uses: Uses::of(uses),
        know_mines: options.word("know-mines", "on") == "on",
        margin: options.number("margin", USUAL_MARGIN),
        order: QueueOrder::Queue,
    })
}

/// The stages that combine hints or leap.
struct Stages {
    uses: Uses,
    aside: Aside,
    cascaded: Cascaded,
    keep: Keep,
    elixir: Elixir,
    exact: Exact,
    well_paid: WellPaid,
    leap: Leap,
}

impl Stages {
    fn new(uses: Uses) -> Self {
        Self {
            uses,
            aside: Aside::default(),
            cascaded: Cascaded::default(),
            keep: Keep::default(),
            elixir: Elixir::default(),
            exact: Exact::new(),
            well_paid: WellPaid::new(),
            leap: Leap::default(),
        }
    }

    /// Forgets everything, for a new game.
    fn begin(&mut self, rules: &Rules) {
        let shape = rules.shape();
        self.aside.begin(shape.size());
        self.cascaded.begin(shape.size());
        self.keep.begin();
        self.elixir.begin(shape);
        self.exact.begin(shape);
        self.well_paid.begin(rules);
        self.leap.begin(shape);
        if self.uses.opening {
            self.leap.prefer_corners();
        }
    }

    /// Whether a game begins with leaps until a single hint decides something.
    fn begins_with_leaps(&self) -> bool {
        self.uses.leap && !self.uses.opening
    }

    /// The stages that combine hints, one after another up to the first that decides a cell;
    /// whether one does. `leapt` is true right after a leap.
    fn combine(&mut self, turn: &mut TurnState, leapt: bool) -> bool {
        let Uses { sound, shared, cascaded, cache, regions, .. } = self.uses;
        let TurnState { known, queues, .. } = turn;
        if self.uses.aside
            && self.aside.solve(known, queues, aside::Config { sound, shared, cache })
            || cascaded && self.cascaded.solve(known, queues, cache)
            || self.uses.keep && self.keep.solve(known, queues, cache)
        {
            return true;
        }
        if regions {
            return self.exact.solve(turn, &mut self.elixir);
        }
        let radius = if leapt { elixir::NARROW } else { elixir::WIDE };
        self.uses.elixir && self.elixir.solve(turn.known, turn.queues, turn.rng, radius)
    }

    /// What to do when nothing is decided; none if nothing can be done.
    fn leap(&mut self, turn: &mut TurnState) -> Option<Decision> {
        let Uses { odds, well_paid, endgame, .. } = self.uses;
        if !self.uses.leap {
            return None;
        }
        if let Some(best) = endgame.then(|| self.exact.finish(turn)).flatten() {
            return Some(best);
        }
        let well_paid = well_paid.then_some(&mut self.well_paid);
        let by_odds = odds.then(|| self.exact.leap(turn, well_paid)).flatten();
        by_odds.or_else(|| self.leap.decide(turn.known))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{
        Board, FirstClick, GameSeed, Layout, Match, Outcome, Premise, Shape, Value,
    };

    use super::*;
    use crate::players::cs520x::tests::{is_right, spec};

    fn cs520(options: Vec<(&'static str, Value)>) -> Box<dyn Agent> {
        (ENTRY.build)(&Options::new(options)).unwrap()
    }

    fn word(name: &'static str, word: &str) -> (&'static str, Value) {
        (name, Value::Word(word.to_owned()))
    }

    fn stages(names: &[&str]) -> (&'static str, Value) {
        ("stages", Value::List(names.iter().map(|&name| name.to_owned()).collect()))
    }

    /// Plays on a layout; the picture has a letter for each move, flags in capitals.
    fn moves(agent: &mut dyn Agent, layout: &str) -> (Vec<String>, Outcome, Why) {
        let layout: Layout = layout.parse().unwrap();
        let width = layout.shape().width();
        let rules = Rules::new(layout.shape().clone(), layout.total()).unwrap();
        let board = Board::laid(rules.with_cascade(false), layout, 0).unwrap();
        let mut drawn = vec!['-'; board.view().shape().size()];
        let mut game = Match::on(board, FirstClick::Agent, GameSeed { seed: 1, game: 0 });
        let mut letters = 'a'..='z';
        let mut why = Why::Nothing;
        while let Some(turn) = game.turn(agent) {
            let letter = letters.next().unwrap();
            match turn.decision.action {
                Action::Open(cell) => drawn[cell.index()] = letter,
                Action::Flag(cell) => drawn[cell.index()] = letter.to_ascii_uppercase(),
                _ => {}
            }
            why = turn.decision.why;
        }
        let rows = drawn.chunks(width).map(|row| row.iter().collect()).collect();
        (rows, game.outcome().unwrap(), why)
    }

    #[test]
    fn safe_cells_are_opened_far_and_wide_before_any_mine_is_flagged() {
        let (rows, outcome, _) = moves(cs520(vec![]).as_mut(), "*....\n.....\n....*\n.....");
        assert_eq!(rows, ["Rmnop", "ghilq", "jbcdS", "keaft"]);
        assert_eq!(outcome, Outcome::Won);
    }

    #[test]
    fn the_rest_is_opened_once_all_mines_are_flagged() {
        // No hint sees the corner behind the mines.
        let layout = ".*...\n**...\n.....\n.....";
        let (rows, outcome, why) = moves(cs520(vec![]).as_mut(), layout);
        assert_eq!(rows, ["tSnop", "RQghi", "lbcdj", "meafk"]);
        let cell = |index| Shape::new(Default::default(), 5, 4).unwrap().nth(index).unwrap();
        let flags = [1, 5, 6].map(|index| Premise::Mine(cell(index)));
        let premises = std::iter::once(Premise::MineTotal).chain(flags).collect();
        assert_eq!((outcome, why), (Outcome::Won, Why::rule("rest", premises)));
        // Who does not know how many mines there are has to leap into it.
        let unknown = vec![word("know-mines", "off")];
        let (_, outcome, why) = moves(cs520(unknown).as_mut(), layout);
        assert!(outcome == Outcome::Won && why.is_guess(), "{why:?}");
    }

    #[test]
    fn without_a_leap_it_declines() {
        let agent = &mut *cs520(vec![stages(&["step", "aside", "keep", "elixir"])]);
        let (rows, outcome, _) = moves(agent, "*.*.*\n.*.*.\n.....");
        assert_eq!(rows, ["-----", "-----", "--a--"]);
        assert_eq!(outcome, Outcome::Undecided);
    }

    #[test]
    fn asked_again_about_the_same_position_it_answers_again() {
        let view: View = "mines 2\n# # #\n1 2 ?".parse().unwrap();
        for mut agent in [cs520(vec![]), spec(vec![("with", &[])], vec![])] {
            agent.begin(view.rules());
            let mut rng = Rng::new(1);
            let actions = [(); 3].map(|()| agent.decide(&view, &mut rng).action);
            assert!(actions.iter().all(|action| action.cell().is_some()), "{actions:?}");
        }
    }

    #[test]
    fn when_everything_is_flagged_it_declines() {
        let view: View = "mines 1\nF F\n1 1".parse().unwrap();
        let mut agent = cs520(vec![]);
        agent.begin(view.rules());
        assert_eq!(agent.decide(&view, &mut Rng::new(1)), Decision::decline());
    }

    fn decisions(agent: &mut dyn Agent, rules: &Rules, game: u64) -> Vec<Decision> {
        let mut game = Match::new(rules.clone(), FirstClick::Agent, GameSeed { seed: 2, game });
        std::iter::from_fn(|| game.turn(agent)).map(|turn| turn.decision).collect()
    }

    fn rules(width: usize, height: usize, mines: usize, clues: &str) -> Rules {
        let shape = Shape::new(Default::default(), width, height).unwrap();
        Rules::new(shape, mines).unwrap().with_cascade(false).with_clues(clues.parse().unwrap())
    }

    /// Relations that are not looked at again because nothing has changed would tell nothing:
    /// the whole game is the same without that. And without any improvement the improved player
    /// is this one.
    #[test]
    fn what_is_remembered_changes_no_move() {
        let mut plain = cs520(vec![]);
        let margin = ("margin", Value::Number(USUAL_MARGIN));
        let mut cached = spec(vec![("with", &["cache"])], vec![margin.clone()]);
        let mut forgetful = spec(vec![("with", &[])], vec![margin]);
        for game in 0..60 {
            let clues = ["exact", "blind:0.1", "cautious"][game as usize % 3];
            let rules = rules(20, 17, 40 + game as usize, clues);
            let played = decisions(plain.as_mut(), &rules, game);
            for other in [&mut cached, &mut forgetful] {
                let same = decisions(other.as_mut(), &rules, game);
                let differs = played.iter().zip(&same).find(|(one, other)| one != other);
                assert_eq!(differs, None, "{rules}, game {game}");
                assert_eq!(played.len(), same.len(), "{rules}, game {game}");
            }
        }
    }

    /// Every stage is right unless a leap or an average has misled it before.
    #[test]
    fn what_is_decided_is_so_as_long_as_no_leap_went_wrong() {
        let mut agent = cs520(vec![word("aside", "sound")]);
        let mut by_stage = std::collections::BTreeMap::new();
        for game in 0..150 {
            let rules = rules(24, 20, 70 + game as usize / 3, "exact");
            let mut game = Match::new(rules, FirstClick::Agent, GameSeed { seed: 5, game });
            while let Some(turn) = game.turn(agent.as_mut()) {
                let right = is_right(&turn, &game);
                match &turn.decision.why {
                    Why::Rule { name, .. } => {
                        assert!(right, "{turn:?}\n{}", game.board().view());
                        *by_stage.entry(name.to_string()).or_insert(0) += 1;
                    }
                    _ if right => {}
                    _ => break,
                }
            }
        }
        let stages = [step::NAME, aside::NAME, keep::NAME, elixir::NAME, "rest"];
        assert!(stages.iter().all(|&stage| by_stage.contains_key(stage)), "{by_stage:?}");
    }
}
