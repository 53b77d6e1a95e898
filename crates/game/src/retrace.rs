//! Replays a record in order of time, including moves that were undone.

use crate::{Action, Board, Effect, Layout, Move, Record, RecordError, View};

/// The most work that undoing may take: moves to play again and cells to cover again, added up.
const MOST_WORK: usize = 100_000_000;

/// A move of a record, by its place in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Played {
    /// This one of [`Record::moves`].
    Kept(usize),
    /// This one of [`Help::undone`](crate::Help::undone).
    Undone(usize),
}

/// A move as it was made.
#[derive(Clone, Copy, Debug)]
pub struct Retraced<'a> {
    /// Which one it is.
    pub played: Played,
    /// How many moves came before it in its line.
    pub at: usize,
    /// The move.
    pub step: &'a Move,
    /// What the player saw before it.
    pub before: &'a View,
    /// What it did.
    pub effect: Effect,
}

/// All moves of a record in the order of time, cut where moves were undone.
pub(crate) struct Course {
    /// The moves up to the first undo.
    first: Vec<Played>,
    /// The moves after each undo, up to the next.
    then: Vec<Vec<Played>>,
}

impl Course {
    /// Whether the first opening of all was undone.
    pub(crate) fn begins_undone(&self, record: &Record) -> bool {
        let mut all = self.first.iter().chain(self.then.iter().flatten());
        let first = all.find(|played| matches!(record.step(**played).action, Action::Open(_)));
        matches!(first, Some(Played::Undone(_)))
    }
}

impl Record {
    /// Goes through all moves in the order of time, undone ones included, and hands over each with
    /// the board after it.
    ///
    /// # Errors
    /// If an undone move cannot have been made. What else may be wrong, [`Record::replay`] finds.
    pub fn retrace(&self, mut see: impl FnMut(&Retraced, &Board)) -> Result<(), RecordError> {
        let course = self.course()?;
        let mut walk = Walk::new(self)?;
        walk.play(&course.first, &mut see)?;
        for moves in &course.then {
            walk.undo();
            // Only the last of several undos in a row needs its board.
            if !moves.is_empty() {
                walk.rebuild()?;
                walk.play(moves, &mut see)?;
            }
        }
        Ok(())
    }

    /// Puts all moves into the order of time, from the last undo to the first: the line before an
    /// undo is as much of the line before the next as `at` says, and the undone move.
    pub(crate) fn course(&self) -> Result<Course, RecordError> {
        let mut line: Vec<Played> = (0..self.moves.len()).map(Played::Kept).collect();
        let mut then = Vec::with_capacity(self.help.undone.len());
        for (number, undone) in self.help.undone.iter().enumerate().rev() {
            if undone.at > line.len() {
                let few = "fewer moves than its `at` were there when it was undone";
                return Err(RecordError::undone(number, few));
            }
            then.push(line.split_off(undone.at));
            line.push(Played::Undone(number));
        }
        then.reverse();
        Ok(Course { first: line, then })
    }

    fn step(&self, played: Played) -> &Move {
        match played {
            Played::Kept(number) => &self.moves[number],
            Played::Undone(number) => &self.help.undone[number].step,
        }
    }
}

/// A record on its way.
struct Walk<'a> {
    record: &'a Record,
    board: Board,
    before: View,
    /// The moves that stand.
    line: Vec<Played>,
    /// The first opening of all, and the layout dealt for it.
    opening: Option<(Played, Layout)>,
    /// Whether that opening was undone; the mines stay where they are.
    opening_undone: bool,
    work: usize,
}

impl<'a> Walk<'a> {
    fn new(record: &'a Record) -> Result<Self, RecordError> {
        let board = record.dealt()?;
        let before = board.view().clone();
        let (line, opening, opening_undone, work) = (Vec::new(), None, false, 0);
        Ok(Self { record, board, before, line, opening, opening_undone, work })
    }

    fn play(
        &mut self,
        moves: &[Played],
        see: &mut impl FnMut(&Retraced, &Board),
    ) -> Result<(), RecordError> {
        for &played in moves {
            self.before.clone_from(self.board.view());
            let effect = self.make(played)?;
            if let (Played::Undone(number), Effect::Nothing(idle)) = (played, effect) {
                let nothing = format!("the move changes nothing, since {idle}");
                return Err(RecordError::undone(number, nothing));
            }
            let (step, at, before) = (self.record.step(played), self.line.len(), &self.before);
            see(&Retraced { played, at, step, before, effect }, &self.board);
            self.line.push(played);
        }
        Ok(())
    }

    fn make(&mut self, played: Played) -> Result<Effect, RecordError> {
        let step = self.record.step(played);
        if let Some(layout) = &step.redrawn {
            let (Played::Kept(number) | Played::Undone(number)) = played;
            self.board.redraw(layout.clone()).map_err(|_| RecordError::redraw(number))?;
        }
        let effect = self.board.act(step.action);
        if let (None, Some(layout)) = (&self.opening, self.board.layout()) {
            let other = self.record.layout.as_ref().is_some_and(|stored| stored != layout);
            if other && step.redrawn.is_none() {
                return Err(RecordError::layout());
            }
            self.opening = Some((played, layout.clone()));
        }
        Ok(effect)
    }

    fn undo(&mut self) {
        let last = self.line.pop();
        let opening = self.opening.as_ref().map(|(opening, _)| *opening);
        self.opening_undone |= opening.is_some() && last == opening;
    }

    /// Plays the moves that stand on a covered board.
    fn rebuild(&mut self) -> Result<(), RecordError> {
        self.work += self.line.len() + self.board.view().shape().size();
        if self.work > MOST_WORK {
            let message = "too many moves were undone to go through them all";
            return Err(RecordError(message.into()));
        }
        self.board = match &self.opening {
            Some((_, layout)) if self.opening_undone => self.record.laid(layout)?,
            _ => self.record.dealt()?,
        };
        for index in 0..self.line.len() {
            self.make(self.line[index])?;
        }
        Ok(())
    }
}
