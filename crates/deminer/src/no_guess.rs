//! Boards that can be won without a guess, and how hard that is.
//!
//! The first click opens: the cell and all around it are free. From there on there is always a
//! covered cell that the clues and the mine total prove safe, until every safe cell is open. What
//! is proved here is what players, the coach and `analyze` can prove, since it is the same
//! inference.
//!
//! A board is as hard as its hardest step, if the easiest rule that clears a cell is always the
//! one applied, and all cells it clears are opened before the next. That order matters only
//! above pairs: with more cells open, linear elimination may fail to prove again what it proved
//! before, so a player who forgets may need a harder rule.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer_game::{
    Action, Board, Cell, CellSet, ClueRule, GameSeed, Layout, Purpose, Rng, Rules, RulesError,
    Size, Start, State, View, stop,
};
use deminer_inference::deduce::{Fact, ProofStep, Rung, SinglePoint, prove};
use deminer_inference::odds::Engine;
use deminer_inference::proof::{Explanation, explain_from};
use thiserror::Error;

use crate::reasons::place;

/// A board of this size that can be won from its corner without a guess; the same for the same
/// seed.
///
/// ```
/// let board = deminer::no_guess("16x16x40".parse()?, 7)?;
/// println!("{} ({})", board.layout, board.difficulty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the size is impossible, or no such board is found within [`Generator::TRIES`] layouts.
pub fn no_guess(size: Size, seed: u64) -> Result<NoGuessBoard, NoGuessError> {
    let rules = Rules::of(size)?;
    let corner = rules.shape().nth(0).expect("a board has a cell");
    let seed = GameSeed { seed, game: 0 };
    Generator::new(&rules, None, Generator::TRIES)?.generate(corner, seed)
}

/// How hard a board is to win without a guess: the hardest rung of the ladder that is needed
/// when easier ones are always tried first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Difficulty {
    /// One clue at a time, or nothing but the first click.
    Easy,
    /// Two clues that share cells.
    Medium,
    /// Several clues at once.
    Hard,
    /// The number of mines on the whole board, or case analysis.
    Extreme,
}
deminer_game::words!(
    Difficulty, "a difficulty":
    Easy = "easy", Medium = "medium", Hard = "hard", Extreme = "extreme",
);

impl Difficulty {
    /// The difficulty of a board whose hardest step takes this rung.
    pub const fn of(hardest: Rung) -> Self {
        match hardest {
            Rung::SingleClue => Difficulty::Easy,
            Rung::Pair => Difficulty::Medium,
            Rung::Several => Difficulty::Hard,
            Rung::MineTotal | Rung::Contradiction => Difficulty::Extreme,
        }
    }

    /// The hardest rung that a board so difficult may take.
    pub const fn highest(self) -> Rung {
        match self {
            Difficulty::Easy => Rung::SingleClue,
            Difficulty::Medium => Rung::Pair,
            Difficulty::Hard => Rung::Several,
            Difficulty::Extreme => Rung::Contradiction,
        }
    }
}

/// A board that can be won without a guess, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoGuessBoard {
    /// Where the mines lie.
    pub layout: Layout,
    /// The first click, with no mine in it nor around it.
    pub first: Cell,
    /// What is proved after the first click, in the order of play: safe cells to open and mines.
    /// Each proof rests on clues that are open once the safe cells before it are. Cells that a
    /// zero opens need none.
    pub proofs: Vec<Explanation>,
    /// The hardest rung needed; a single clue even where the first click opens everything.
    pub hardest: Rung,
    /// How many layouts were tried, this one included.
    pub tries: usize,
    /// Whether mines were moved to make it so. If not, it was dealt: every layout as good was as
    /// likely.
    pub repaired: bool,
}

impl NoGuessBoard {
    /// How hard the board is.
    pub fn difficulty(&self) -> Difficulty {
        Difficulty::of(self.hardest)
    }
}

/// Why there is no such board.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum NoGuessError {
    /// The size is impossible.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// No board with these clues or mines and this first click needs no guess.
    #[error("{0}")]
    Impossible(String),
    /// The search was given up.
    #[error("the search was stopped")]
    Stopped,
    /// No try gave what was asked for.
    #[error("{0}")]
    OutOfTries(String),
}

/// Layouts that are dealt before failed ones are repaired. This takes a second or less on expert
/// boards, and is enough for most of them, even for easy ones (one layout in 2400).
const DEALT: usize = 10_000;

/// A layout is given up after this many repairs that open no more of it.
const PATIENCE: usize = 200;

/// Finds boards that can be won without a guess.
///
/// Layouts are dealt until one can be won. Play takes one clue at a time as far as that goes,
/// then asks the exact engine whether any cell is safe at all, and only then the ladder. At 99
/// mines on 30x16 one layout in nine can be won from a corner; so simple a search suffices.
///
/// On crowded boards it does not (none of 100 000 with 140 mines), so after many deals failed
/// layouts are repaired: a mine beside the open cells where play got stuck changes places with a
/// free cell farther off, or the other way round, and the new layout is played from the start;
/// it is kept unless less of it opens. A thousand repairs make a board even of 170 mines.
pub struct Generator {
    rules: Rules,
    difficulty: Option<Difficulty>,
    limit: usize,
    engine: Engine,
    known: SinglePoint,
    stop: Option<Arc<AtomicBool>>,
}

impl Generator {
    /// Tries that suffice for all but the most crowded boards, and end within a minute.
    pub const TRIES: usize = 50_000;

    /// A generator of boards of this difficulty, or of any, that tries at most this many layouts
    /// for each. The start is always open, whatever the rules say.
    pub fn new(
        rules: &Rules,
        difficulty: Option<Difficulty>,
        limit: usize,
    ) -> Result<Self, NoGuessError> {
        if rules.clues() != ClueRule::Exact {
            let message =
                format!("a board without guesses needs exact clues, not {}", rules.clues());
            return Err(NoGuessError::Impossible(message));
        }
        Ok(Self {
            rules: rules.clone(),
            difficulty,
            limit,
            engine: Engine::default(),
            known: SinglePoint::new(rules.shape()),
            stop: None,
        })
    }

    /// The same, given up as soon as the flag is raised.
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The board of a seed for a first click. It is always the same board.
    pub fn generate(&mut self, first: Cell, seed: GameSeed) -> Result<NoGuessBoard, NoGuessError> {
        match self.stop.clone() {
            Some(flag) => stop::unless(&flag, || self.search(first, seed)),
            None => self.search(first, seed),
        }
    }

    fn search(&mut self, first: Cell, seed: GameSeed) -> Result<NoGuessBoard, NoGuessError> {
        let rules = self.open_rules(first)?;
        let mut rng = seed.rng(Purpose::Lab);
        let mut tries = 0;
        while tries < self.limit && !stop::is_raised() {
            let dealt = self.attempt(Layout::deal(&rules, rng.bits(), first), first);
            tries += 1;
            let attempt =
                if tries < DEALT { dealt } else { self.repair(dealt, first, &mut rng, &mut tries) };
            let judged = self.judge(attempt, first, tries);
            if stop::is_raised() {
                return Err(NoGuessError::Stopped);
            }
            if let Some(board) = judged {
                return Ok(board);
            }
        }
        if stop::is_raised() {
            return Err(NoGuessError::Stopped);
        }
        Err(self.out_of_tries(tries))
    }

    /// What no layout was, and what would help.
    fn out_of_tries(&self, tries: usize) -> NoGuessError {
        let wish = match self.difficulty {
            None => "can be won without a guess: allow more tries or fewer mines".to_owned(),
            Some(difficulty) => format!(
                "is a board of difficulty {difficulty}: allow more tries, \
                 another number of mines or any difficulty"
            ),
        };
        NoGuessError::OutOfTries(format!("none of {tries} layouts of {} {wish}", self.rules.size()))
    }

    /// Moves mines of a layout until it can be won, or nothing seems to help.
    fn repair(
        &mut self,
        mut attempt: Attempt,
        first: Cell,
        rng: &mut Rng,
        tries: &mut usize,
    ) -> Attempt {
        let mut idle = 0;
        while !attempt.won && idle < PATIENCE && *tries < self.limit && !stop::is_raised() {
            let Some(layout) = attempt.changed(first, rng) else { break };
            let changed = self.attempt(layout, first);
            *tries += 1;
            idle = if changed.opened > attempt.opened { 0 } else { idle + 1 };
            if changed.opened >= attempt.opened {
                attempt = Attempt { repaired: true, ..changed };
            }
        }
        attempt
    }

    /// The board, if it is won and as hard as asked for.
    fn judge(&self, attempt: Attempt, first: Cell, tries: usize) -> Option<NoGuessBoard> {
        let Attempt { layout, won: true, repaired, .. } = attempt else { return None };
        let waves = self.waves(&layout, first)?;
        let hardest = waves.iter().map(|wave| wave.rung).max().unwrap_or(Rung::SingleClue);
        if self.difficulty.is_some_and(|wanted| wanted != Difficulty::of(hardest)) {
            return None;
        }
        Some(NoGuessBoard { layout, first, proofs: explained(&waves), hardest, tries, repaired })
    }

    /// The rules with a start that opens, if there is room for it.
    fn open_rules(&self, first: Cell) -> Result<Rules, NoGuessError> {
        let shape = self.rules.shape();
        let mines = self.rules.mines();
        let most = shape.size() - 1 - shape.degree(first);
        if mines > most {
            return Err(NoGuessError::Impossible(format!(
                "{mines} mines leave no room for a first click that opens {} and all around it \
                 (at most {most})",
                place(shape, first)
            )));
        }
        let rules = self.rules.clone().with_start(Start::Open);
        Ok(rules.expect("the first click is free of mines"))
    }

    /// The hardest rung that may be taken.
    fn highest(&self) -> Rung {
        self.difficulty.map_or(Rung::Contradiction, Difficulty::highest)
    }

    fn board(&self, layout: &Layout, first: Cell) -> Board {
        let mut board = Board::laid(self.rules.clone(), layout.clone(), 0)
            .expect("layouts are made for these rules");
        board.act(Action::Open(first));
        board
    }

    /// Plays a layout as far as proofs go.
    fn attempt(&mut self, layout: Layout, first: Cell) -> Attempt {
        let mut board = self.board(&layout, first);
        self.known.reset(self.rules.shape());
        while board.state() == State::Live {
            self.known.update(board.view());
            let fresh = self.known.fresh();
            let mut safe: Vec<Cell> =
                fresh.filter(|&(_, fact)| fact == Fact::Safe).map(|(cell, _)| cell).collect();
            if safe.is_empty() {
                safe = self.beyond_single_clues(board.view());
            }
            if safe.is_empty() {
                break;
            }
            safe.into_iter().for_each(|cell| {
                board.act(Action::Open(cell));
            });
        }
        Attempt::new(layout, &board, &self.known)
    }

    /// Safe cells that the rungs allowed prove, where single clues prove none.
    fn beyond_single_clues(&mut self, view: &View) -> Vec<Cell> {
        let highest = self.highest();
        if highest == Rung::SingleClue {
            return Vec::new();
        }
        // A region too wide to be counted makes no board for people.
        let Ok(odds) = self.engine.odds(view) else { return Vec::new() };
        let safe: Vec<Cell> =
            view.covered().filter(|&cell| odds.fact(cell) == Some(Fact::Safe)).collect();
        if safe.is_empty() || highest == Rung::Contradiction {
            return safe;
        }
        easiest(view, highest).map_or(Vec::new(), |wave| safe_cells(&wave.steps).collect())
    }

    /// Plays a layout by the easiest rung that clears a cell, again and again. None if the ladder
    /// does not reach the end, as when case analysis runs out of nodes.
    fn waves(&self, layout: &Layout, first: Cell) -> Option<Vec<Wave>> {
        let mut board = self.board(layout, first);
        let mut waves = Vec::new();
        while board.state() == State::Live && !stop::is_raised() {
            let wave = easiest(board.view(), Rung::Contradiction)?;
            safe_cells(&wave.steps).for_each(|cell| {
                board.act(Action::Open(cell));
            });
            waves.push(wave);
        }
        Some(waves)
    }
}

/// A position, the easiest rung that clears a cell of it, and all that is proved without a
/// harder one.
pub(crate) struct Wave {
    pub(crate) view: View,
    pub(crate) rung: Rung,
    pub(crate) steps: Vec<ProofStep>,
}

/// What is proved by the easiest rung that clears a cell, if one up to the highest does.
pub(crate) fn easiest(view: &View, highest: Rung) -> Option<Wave> {
    let view = as_read(view);
    Rung::ALL
        .into_iter()
        .take_while(|&rung| rung <= highest)
        .map(|rung| (rung, prove(&view, rung)))
        .find(|(_, steps)| safe_cells(steps).next().is_some())
        .map(|(rung, steps)| Wave { view, rung, steps })
}

/// The view as if read from a picture, cells opened row by row: linear elimination takes clues
/// in the order of opening, and what it finds must depend on the position alone.
fn as_read(view: &View) -> View {
    View::from_faces(view.rules().clone(), view.faces().to_vec()).expect("as many faces as before")
}

pub(crate) fn safe_cells(steps: &[ProofStep]) -> impl Iterator<Item = Cell> + '_ {
    let conclusions = steps.iter().map(|step| &step.conclusion);
    conclusions.filter(|found| found.fact == Fact::Safe).map(|found| found.cell)
}

/// Why each cell is what it is, when it is proved for the first time.
fn explained(waves: &[Wave]) -> Vec<Explanation> {
    let mut proofs: Vec<Explanation> = Vec::new();
    let Some(start) = waves.first() else { return proofs };
    let mut seen = CellSet::new(start.view.shape().size());
    for Wave { view, steps, .. } in waves {
        for cell in steps.iter().map(|step| step.conclusion.cell) {
            if stop::is_raised() {
                return proofs;
            }
            if seen.insert(cell) {
                proofs.push(explain_from(view, steps, cell).expect("each step proves its cell"));
            }
        }
    }
    proofs
}

/// A layout and how far proofs went.
struct Attempt {
    layout: Layout,
    repaired: bool,
    won: bool,
    opened: usize,
    /// Covered cells of which single clues prove nothing, with an open neighbor and without.
    fringe: Vec<Cell>,
    sea: Vec<Cell>,
}

impl Attempt {
    fn new(layout: Layout, board: &Board, known: &SinglePoint) -> Self {
        let view = board.view();
        let unclear = view.covered().filter(|&cell| known.fact(cell).is_none());
        let (fringe, sea) = unclear.partition(|&cell| {
            view.shape().neighbors(cell).iter().any(|&near| !view.face(near).is_covered())
        });
        let (won, opened) = (board.state() == State::Won, view.opened().len());
        Self { layout, repaired: false, won, opened, fringe, sea }
    }

    /// The layout with a cell where play got stuck mined if it was free and free if it was
    /// mined, and another cell the other way round: one of the sea if possible, else any that the
    /// first click does not open. None if no mine can move so.
    fn changed(&self, first: Cell, rng: &mut Rng) -> Option<Layout> {
        let layout = &self.layout;
        let shape = layout.shape();
        let cell = *rng.pick(if self.fringe.is_empty() { &self.sea } else { &self.fringe })?;
        let differs = |&other: &Cell| layout.is_mine(other) != layout.is_mine(cell);
        let free = |&other: &Cell| other != first && !shape.neighbors(first).contains(&other);
        let mut others: Vec<Cell> = self.sea.iter().copied().filter(differs).collect();
        if others.is_empty() {
            others = shape.cells().filter(differs).filter(free).collect();
        }
        let other = *rng.pick(&others)?;
        let (from, to) = if layout.is_mine(cell) { (cell, other) } else { (other, cell) };
        let mines = layout.mines().map(|mine| if mine == from { to } else { mine });
        Some(Layout::new(shape.clone(), mines).expect("a mine moved to a free cell"))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Form, Premise};

    use super::*;

    fn rules(form: Form, size: &str) -> Rules {
        Rules::on(form, size.parse().unwrap(), Start::Safe).unwrap()
    }

    fn seed(game: u64) -> GameSeed {
        GameSeed { seed: 3, game }
    }

    /// Plays a board one cell at a time, as long as some cell is proved safe.
    fn play(
        rules: &Rules,
        found: &NoGuessBoard,
        mut safe: impl FnMut(&View) -> Option<Cell>,
    ) -> State {
        let mut board = Board::laid(rules.clone(), found.layout.clone(), 0).unwrap();
        board.act(Action::Open(found.first));
        assert!(board.view().face(found.first).clue().unwrap().admits(0), "the first click opens");
        while board.state() == State::Live {
            let Some(cell) = safe(board.view()) else { break };
            board.act(Action::Open(cell));
        }
        board.state()
    }

    /// Whether the rungs up to one suffice, for a player who remembers what is safe.
    fn suffices(rules: &Rules, found: &NoGuessBoard, highest: Rung) -> bool {
        let mut safe: Vec<Cell> = Vec::new();
        let next = |view: &View| {
            safe.retain(|&cell| view.face(cell).is_covered());
            let mut rungs = Rung::ALL.into_iter().filter(|&rung| rung <= highest);
            while safe.is_empty() {
                safe = safe_cells(&prove(&as_read(view), rungs.next()?)).collect();
            }
            safe.pop()
        };
        play(rules, found, next) == State::Won
    }

    /// Checks a board by players that share nothing with the generator but the inference.
    fn check(rules: &Rules, found: &NoGuessBoard) {
        let told = format!("{rules}, {:?}\n{}", found.hardest, found.layout);
        assert_eq!(found.layout.total(), rules.mines(), "{told}");
        let mut engine = Engine::default();
        let by_odds = |view: &View| {
            let odds = engine.odds(view).unwrap();
            view.covered().find(|&cell| odds.fact(cell) == Some(Fact::Safe))
        };
        assert_eq!(play(rules, found, by_odds), State::Won, "{told}");
        assert!(suffices(rules, found, found.hardest), "{told}");
        if let Some(lower) = Rung::ALL.into_iter().rfind(|&rung| rung < found.hardest) {
            assert!(!suffices(rules, found, lower), "{told}");
        }
        check_proofs(rules, found);
    }

    /// Follows the proofs alone: they are true, rest on open clues, and win.
    fn check_proofs(rules: &Rules, found: &NoGuessBoard) {
        let mut board = Board::laid(rules.clone(), found.layout.clone(), 0).unwrap();
        board.act(Action::Open(found.first));
        let mut proved = CellSet::new(rules.shape().size());
        for proof in &found.proofs {
            assert!(proved.insert(proof.cell), "each cell is proved once");
            assert_eq!(proof.fact == Fact::Mine, found.layout.is_mine(proof.cell));
            assert!(proof.rung <= found.hardest);
            for premise in &proof.premises {
                if let Premise::Clue(clue) = premise {
                    assert!(board.view().face(*clue).clue().is_some(), "a clue yet to be opened");
                }
            }
            if proof.fact == Fact::Safe {
                board.act(Action::Open(proof.cell));
            }
        }
        assert_eq!(board.state(), State::Won);
    }

    #[test]
    fn boards_of_every_shape_are_won_without_a_guess() {
        for form in Form::ALL {
            for cascade in [true, false] {
                let rules = rules(form, "9x7x12").with_cascade(cascade);
                let mut generator = Generator::new(&rules, None, 50_000).unwrap();
                for game in 0..6 {
                    let first = rules.shape().nth(7 * game as usize).unwrap();
                    check(&rules, &generator.generate(first, seed(game)).unwrap());
                }
            }
        }
    }

    #[test]
    fn boards_are_as_hard_as_asked_for() {
        for (size, games) in [("8x7x12", 6), ("16x16x40", 3), ("30x16x99", 1)] {
            let rules = rules(Form::Rect, size);
            for difficulty in Difficulty::ALL {
                let mut generator = Generator::new(&rules, Some(difficulty), 50_000).unwrap();
                for game in 0..games {
                    let first = rules.shape().nth(0).unwrap();
                    let found = generator.generate(first, seed(game)).unwrap();
                    assert_eq!(found.difficulty(), difficulty);
                    assert!(!found.repaired);
                    check(&rules, &found);
                }
            }
        }
    }

    #[test]
    fn crowded_boards_are_repaired() {
        let rules = rules(Form::Rect, "20x12x80");
        for difficulty in [None, Some(Difficulty::Easy)] {
            let mut generator = Generator::new(&rules, difficulty, 50_000).unwrap();
            let found = generator.generate(rules.shape().nth(0).unwrap(), seed(1)).unwrap();
            assert!(found.repaired && found.tries > DEALT);
            check(&rules, &found);
        }
    }

    #[test]
    fn a_seed_is_a_board_whatever_was_generated_before() {
        let rules = rules(Form::Hex, "9x8x14");
        let first = rules.shape().nth(20).unwrap();
        let generator = || Generator::new(&rules, Some(Difficulty::Medium), 50_000).unwrap();
        let mut veteran = generator();
        let boards: Vec<NoGuessBoard> =
            (0..5).map(|game| veteran.generate(first, seed(game)).unwrap()).collect();
        for (game, board) in boards.iter().enumerate().rev() {
            assert_eq!(*board, generator().generate(first, seed(game as u64)).unwrap());
        }
    }

    #[test]
    fn a_board_that_opens_at_once_is_easy() {
        let rules = rules(Form::Rect, "3x2x0");
        let mut generator = Generator::new(&rules, None, 1).unwrap();
        let found = generator.generate(rules.shape().nth(0).unwrap(), seed(0)).unwrap();
        assert_eq!((found.difficulty(), found.proofs.len()), (Difficulty::Easy, 0));
    }

    #[test]
    fn what_cannot_be_is_told() {
        let check = |size: &str, clues, difficulty, message: &str| {
            let rules = rules(Form::Rect, size).with_clues(clues);
            let first = rules.shape().nth(0).unwrap();
            let found = Generator::new(&rules, difficulty, 100)
                .and_then(|mut generator| generator.generate(first, seed(0)));
            assert_eq!(found.unwrap_err().to_string(), message);
        };
        let exact = ClueRule::Exact;
        check(
            "4x3x9",
            exact,
            None,
            "9 mines leave no room for a first click that opens row 0, column 0 and all around it \
             (at most 8)",
        );
        check(
            "9x9x9",
            ClueRule::Blind(0.5),
            None,
            "a board without guesses needs exact clues, not blind:0.5",
        );
        check(
            "5x1x0",
            exact,
            Some(Difficulty::Extreme),
            "none of 100 layouts of 5x1x0 is a board of difficulty extreme: allow more tries, \
             another number of mines or any difficulty",
        );
        check(
            "9x9x60",
            exact,
            None,
            "none of 100 layouts of 9x9x60 can be won without a guess: allow more tries or fewer \
             mines",
        );
    }
}
