//! Records: everything needed to replay a match.

use std::fmt::Display;

use thiserror::Error;

use crate::{Action, Board, Effect, GameSeed, Help, Layout, Outcome, Purpose, Rules, Turn, Why};

/// Who made a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MovedBy {
    /// The match: its first click.
    Start,
    /// The player.
    Agent,
}
crate::words!(MovedBy, "a mover": Start = "start", Agent = "agent");

/// One action of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// Who made it.
    pub by: MovedBy,
    /// What was done.
    pub action: Action,
    /// Why.
    pub why: Why,
    /// How long the player took to decide, in microseconds, where it was measured.
    pub micros: Option<u64>,
    /// The layout put in place just before the action, where the lab redrew it.
    pub redrawn: Option<Layout>,
}

impl Move {
    /// A move of the player, without a reason.
    pub fn new(action: Action, micros: Option<u64>) -> Self {
        Self { by: MovedBy::Agent, action, why: Why::Nothing, micros, redrawn: None }
    }

    /// The move of a turn, without times.
    pub fn of(turn: &Turn) -> Self {
        let why = turn.decision.why.clone();
        Self { by: turn.by, why, ..Self::new(turn.decision.action, None) }
    }
}

/// A finished match: rules, seed, moves with their reasons, outcome. It replays exactly.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Who played, as an agent spec or a person's name.
    pub player: String,
    /// The rules.
    pub rules: Rules,
    /// The seed the board was dealt from; none if its layout came from elsewhere.
    pub seed: Option<GameSeed>,
    /// The layout of the first opening; none if nothing was opened.
    pub layout: Option<Layout>,
    /// The moves, the first click included.
    pub moves: Vec<Move>,
    /// How it ended.
    pub outcome: Outcome,
    /// Help that the player took.
    pub help: Help,
}

/// A record describes a match that cannot happen, and why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct RecordError(pub(crate) String);

impl RecordError {
    /// The seed deals another layout.
    pub(crate) fn layout() -> Self {
        Self("the record's seed deals another layout than the one it stores".into())
    }

    /// It opens cells, but does not say where the mines are.
    pub fn no_layout() -> Self {
        Self("the record opens cells but has neither a seed nor a layout".into())
    }

    /// Its layout is not one of its rules.
    pub fn other_rules() -> Self {
        Self("the record's layout has another shape or number of mines than its rules".into())
    }

    /// A redrawn layout does not fit.
    pub(crate) fn redraw(number: usize) -> Self {
        Self(format!("move {number}: the redrawn layout does not fit what was seen"))
    }

    /// A fault of an undone move.
    pub(crate) fn undone(number: usize, fault: impl Display) -> Self {
        Self(format!("help.undone[{number}]: {fault}"))
    }
}

impl Record {
    /// The board before the first move.
    ///
    /// # Errors
    /// If the record says nothing of its mines, or undoes moves that were not there.
    pub fn board(&self) -> Result<Board, RecordError> {
        match &self.layout {
            // The mines stay where they were dealt for the first opening of all.
            Some(layout) if self.seed.is_some() && self.course()?.begins_undone(self) => {
                self.laid(layout)
            }
            _ => self.dealt(),
        }
    }

    pub(crate) fn dealt(&self) -> Result<Board, RecordError> {
        match (self.seed, &self.layout) {
            (Some(seed), _) => Ok(Board::dealt(self.rules.clone(), seed)),
            (None, Some(layout)) => self.laid(layout),
            (None, None) => Err(RecordError::no_layout()),
        }
    }

    pub(crate) fn laid(&self, layout: &Layout) -> Result<Board, RecordError> {
        let noise = self.seed.map_or(0, |seed| seed.derive(Purpose::ClueNoise));
        let board = Board::laid(self.rules.clone(), layout.clone(), noise);
        board.map_err(|_| RecordError::other_rules())
    }

    /// Plays the record again and hands over the board after each move, with what the move did.
    /// Returns the last board.
    ///
    /// # Errors
    /// If the record contradicts itself: seed and layout, or moves and outcome.
    pub fn replay(&self, mut see: impl FnMut(&Move, Effect, &Board)) -> Result<Board, RecordError> {
        let mut board = self.board()?;
        let mut dealt = false;
        for (number, step) in self.moves.iter().enumerate() {
            if let Some(layout) = &step.redrawn {
                board.redraw(layout.clone()).map_err(|_| RecordError::redraw(number))?;
            }
            let effect = board.act(step.action);
            if !dealt && board.layout().is_some() {
                dealt = true;
                if step.redrawn.is_none() && board.layout() != self.layout.as_ref() {
                    return Err(RecordError::layout());
                }
            }
            see(step, effect, &board);
        }
        let said = self.outcome;
        let done = match board.state().outcome() {
            None if matches!(said, Outcome::Stuck | Outcome::Undecided) => return Ok(board),
            Some(outcome) if outcome == said => return Ok(board),
            Some(Outcome::Won) => "win",
            Some(_) => "lose",
            None => "leave the game open",
        };
        Err(RecordError(format!("the record says {said}, but its moves {done}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, HintTaken, Played, Size, Start, Undone};

    const SEED: GameSeed = GameSeed { seed: 4, game: 0 };

    fn rules() -> Rules {
        Rules::of("9x9x10".parse::<Size>().unwrap()).unwrap()
    }

    fn cell(row: usize, column: usize) -> Cell {
        rules().shape().cell(row, column).unwrap()
    }

    fn step(action: Action) -> Move {
        Move::new(action, None)
    }

    /// A game as a page plays it: every action is made, `None` undoes the last one that stands.
    fn played(start: Start, actions: &[Option<Action>]) -> Record {
        let rules = rules().with_start(start).unwrap();
        let mut line: Vec<Move> = Vec::new();
        let mut help = Help::default();
        let mut layout: Option<Layout> = None;
        let replayed = |line: &[Move], layout: &Option<Layout>| {
            let mut board = match layout {
                Some(layout) => Board::laid(rules.clone(), layout.clone(), 0).unwrap(),
                None => Board::dealt(rules.clone(), SEED),
            };
            for step in line {
                board.act(step.action);
            }
            board
        };
        for action in actions {
            match action {
                Some(action) => line.push(step(*action)),
                None => {
                    let step = line.pop().expect("there is something to undo");
                    help.undone.push(Undone { at: line.len(), step });
                }
            }
            layout = layout.clone().or(replayed(&line, &layout).layout().cloned());
        }
        let end = replayed(&line, &layout).state().outcome();
        let outcome = end.unwrap_or(Outcome::Undecided);
        let player = "someone".into();
        Record { player, rules, seed: Some(SEED), layout, moves: line, outcome, help }
    }

    /// All moves in the order of time, as letters with the number of moves before each.
    fn course(record: &Record) -> Vec<(Played, usize)> {
        let mut course = Vec::new();
        record.retrace(|made, _| course.push((made.played, made.at))).unwrap();
        course
    }

    fn flag(column: usize) -> Option<Action> {
        Some(Action::Flag(cell(0, column)))
    }

    #[test]
    fn lines_are_rebuilt_from_what_was_undone() {
        let record = played(
            Start::Safe,
            &[flag(0), flag(1), flag(2), None, None, flag(3), flag(4), None, flag(5)],
        );
        let at: Vec<usize> = record.help.undone.iter().map(|undone| undone.at).collect();
        assert_eq!(at, [2, 1, 2]);
        use Played::{Kept, Undone};
        let first = [(Kept(0), 0), (Undone(1), 1), (Undone(0), 2)];
        assert_eq!(course(&record)[..3], first);
        assert_eq!(course(&record)[3..], [(Kept(1), 1), (Undone(2), 2), (Kept(2), 2)]);
    }

    #[test]
    fn a_first_click_that_was_undone_leaves_the_mines_where_they_are() {
        let open = |row, column| Some(Action::Open(cell(row, column)));
        for start in Start::ALL {
            let first = played(start, &[open(4, 4)]);
            let mine = first.layout.as_ref().and_then(|layout| layout.mines().next()).unwrap();
            let later = [Some(Action::Flag(cell(8, 8))), Some(Action::Open(mine))];
            let again = played(start, &[open(4, 4), None, later[0], later[1]]);
            assert_eq!((first.layout, again.outcome), (again.layout.clone(), Outcome::Lost));
            again.replay(|_, _, _| {}).unwrap();
            assert_eq!(course(&again).len(), 3);
            let mut last = None;
            again.retrace(|made, board| last = Some((made.at, board.view().to_string()))).unwrap();
            let seen = again.replay(|_, _, _| {}).unwrap().view().to_string();
            assert_eq!(last, Some((1, seen)), "both ways end alike");
            // Nothing stands, and yet something was opened.
            let none = played(start, &[open(4, 4), None]);
            none.replay(|_, _, _| {}).unwrap();
            assert_eq!(course(&none), [(Played::Undone(0), 0)]);
        }
    }

    #[test]
    fn what_was_undone_is_what_was_played() {
        // Random games with random undos: each move of the course is seen in the position in
        // which it was made.
        let mut rng = crate::Rng::new(3);
        for _ in 0..200 {
            let mut actions: Vec<Option<Action>> = Vec::new();
            let mut line: Vec<Action> = Vec::new();
            let mut lines: Vec<Vec<Action>> = Vec::new();
            for _ in 0..rng.below(30) {
                if rng.below(3) == 0 && !line.is_empty() {
                    line.pop();
                    actions.push(None);
                } else {
                    let flagged = |cell| line.contains(&Action::Flag(cell));
                    let free =
                        rules().shape().cells().filter(|&cell| !flagged(cell)).collect::<Vec<_>>();
                    let action = Action::Flag(*rng.pick(&free).unwrap());
                    line.push(action);
                    lines.push(line.clone());
                    actions.push(Some(action));
                }
            }
            let record = played(Start::Open, &actions);
            let mut seen = Vec::new();
            let mut see = |made: &crate::Retraced, board: &Board| {
                seen.push((made.step.action, made.at + 1, board.view().flag_count()));
            };
            record.retrace(&mut see).unwrap();
            let made: Vec<_> =
                lines.iter().map(|line| (*line.last().unwrap(), line.len(), line.len())).collect();
            assert_eq!(seen, made);
        }
    }

    #[test]
    fn undone_moves_must_have_been_possible() {
        let mut record = played(Start::Safe, &[flag(0), flag(1), None]);
        record.help.hints.push(HintTaken { at: 1, level: 2 });
        record.retrace(|_, _| {}).unwrap();
        let fault = |record: &Record| record.retrace(|_, _| {}).unwrap_err().to_string();
        let mut late = record.clone();
        late.help.undone[0].at = 2;
        let few = "fewer moves than its `at` were there when it was undone";
        assert_eq!(fault(&late), format!("help.undone[0]: {few}"));
        let mut idle = record.clone();
        idle.help.undone[0].step = step(Action::Open(cell(0, 0)));
        let flagged = "the move changes nothing, since the cell carries a flag";
        assert_eq!(fault(&idle), format!("help.undone[0]: {flagged}"));
        let mut other = played(Start::Safe, &[Some(Action::Open(cell(4, 4))), None]);
        other.layout = Layout::new(rules().shape().clone(), rules().shape().cells().take(10)).ok();
        assert_eq!(other.retrace(|_, _| {}), Err(RecordError::layout()));
    }
}
