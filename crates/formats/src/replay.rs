//! Replays: games recorded as mouse events.

use deminer_game::{
    Action, Board, Cell, CellSet, ClueRule, Effect, Face, Form, Help, Layout, Move, Outcome,
    Record, Start,
};

use crate::WriteError;
use crate::document::{final_layout, rules_of};

/// A game as mouse programs store it.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// Where the mines lie.
    pub layout: Layout,
    /// What the mouse did, in order.
    pub events: Vec<Event>,
    /// The side of a cell in pixels, at least 1.
    pub cell_size: u16,
    /// Who played.
    pub player: String,
    /// The program played on.
    pub program: String,
    /// Whether a second right click turns a flag into a question mark.
    pub marks: bool,
    /// Whether a left click on an open number chords.
    pub left_chords: bool,
    /// The time of the game in milliseconds, where the file says it.
    pub time: Option<u64>,
    /// How the game ended according to the file; [`Replay::to_record`] plays it to find out.
    pub claimed: Option<Outcome>,
}

/// One thing the mouse did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Milliseconds since the game began; negative before.
    pub time: i64,
    /// What was done.
    pub input: Input,
    /// Pixels from the left border of the board.
    pub x: i32,
    /// Pixels from the top border of the board.
    pub y: i32,
}

/// What a mouse can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// Moves.
    Move,
    /// The left button goes down.
    LeftPress,
    /// The left button goes up.
    LeftRelease,
    /// The right button goes down.
    RightPress,
    /// The right button goes up.
    RightRelease,
    /// The middle button goes down.
    MiddlePress,
    /// The middle button goes up.
    MiddleRelease,
    /// A flag set before recording began.
    PreFlag,
    /// The left button goes down with the shift key: its release chords.
    ShiftPress,
    /// The player turns question marks on or off.
    ToggleMarks,
}
deminer_game::words!(
    Input, "a mouse event":
    Move = "mv", LeftPress = "lc", LeftRelease = "lr", RightPress = "rc", RightRelease = "rr",
    MiddlePress = "mc", MiddleRelease = "mr", PreFlag = "pf", ShiftPress = "sc", ToggleMarks = "mt",
);

impl Replay {
    /// Plays the mouse on the board and keeps every action that changed something.
    ///
    /// As on Windows: a cell opens when the left button is released over it; the right button
    /// flags when pressed; a chord is made when one of both buttons, or the middle one, is
    /// released, and the button still down then does nothing more. A left release whose press
    /// was not recorded, which some programs leave out at the start, counts as a click. Events
    /// after the end are left out.
    pub fn to_record(&self) -> Record {
        let rules = rules_of(&self.layout).with_start(Start::Unsafe);
        let rules = rules.expect("an unsafe start has room for every mine");
        let board = Board::laid(rules.clone(), self.layout.clone(), 0);
        let mut board = board.expect("the rules were made for the layout");
        let mut mouse = Mouse::new(self);
        let mut moves = Vec::new();
        let mut last = 0;
        for event in &self.events {
            let Some(action) = mouse.action(event, self.cell_under(event), &board) else {
                continue;
            };
            if let Effect::Nothing(_) = board.act(action) {
                continue;
            }
            let millis = event.time.saturating_sub(last).max(0) as u64;
            last = last.max(event.time);
            moves.push(Move::new(action, Some(millis.saturating_mul(1000))));
        }
        let outcome = board.state().outcome().unwrap_or(Outcome::Undecided);
        let layout = Some(self.layout.clone());
        let (player, help) = (self.player.clone(), Help::default());
        Record { player, rules, seed: None, layout, moves, outcome, help }
    }

    /// One press and release for each action of a record that changed something, in the middle
    /// of its cell. A chord takes the middle button.
    ///
    /// # Errors
    /// If the record contradicts itself, lays no mines, or has other than plain rules.
    pub fn from_record(record: &Record) -> Result<Self, WriteError> {
        let rules = &record.rules;
        let plain = rules.shape().form() == Form::Rect
            && rules.cascade()
            && rules.clues() == ClueRule::Exact;
        if !plain {
            let plain = "standard rules (rectangle, cascade, exact clues)";
            return Err(WriteError(format!("replays are only for {plain}, not for {rules}")));
        }
        let layout = final_layout(record)?;
        let mut events = Vec::new();
        let mut micros: u64 = 0;
        let replayed = record.replay(|step, effect, _| {
            micros = micros.saturating_add(step.micros.unwrap_or(0));
            let (press, release) = match step.action {
                Action::Open(_) => (Input::LeftPress, Input::LeftRelease),
                Action::Flag(_) | Action::Unflag(_) => (Input::RightPress, Input::RightRelease),
                Action::Chord(_) => (Input::MiddlePress, Input::MiddleRelease),
                Action::Decline => return,
            };
            let changed = !matches!(effect, Effect::Nothing(_));
            let Some(cell) = step.action.cell().filter(|_| changed) else { return };
            let (row, column) = rules.shape().position(cell);
            let side = i32::from(Self::CELL_SIZE);
            let [x, y] = [column, row].map(|place| place as i32 * side + side / 2);
            let time = (micros / 1000) as i64;
            events.extend([press, release].map(|input| Event { time, input, x, y }));
        });
        replayed.map_err(WriteError::of)?;
        if micros / 1000 > Self::LONGEST {
            let days = Self::LONGEST / 86_400_000;
            return Err(WriteError(format!(
                "the moves take more than {days} days, the longest replay"
            )));
        }
        let decided = matches!(record.outcome, Outcome::Won | Outcome::Lost);
        Ok(Self {
            events,
            player: record.player.clone(),
            program: "deminer".to_owned(),
            time: Some(micros / 1000),
            claimed: decided.then_some(record.outcome),
            ..Self::new(layout)
        })
    }

    /// A replay without events, with cells of the usual size.
    pub fn new(layout: Layout) -> Self {
        Self {
            layout,
            events: Vec::new(),
            cell_size: Self::CELL_SIZE,
            player: String::new(),
            program: String::new(),
            marks: false,
            left_chords: false,
            time: None,
            claimed: None,
        }
    }

    /// The longest game that a replay can tell, in milliseconds: files have nine digits for seconds.
    pub const LONGEST: u64 = 999_999_999_999;

    /// The side of a cell where a file does not say it.
    pub const CELL_SIZE: u16 = 16;

    /// The cell under the mouse.
    pub fn cell_under(&self, event: &Event) -> Option<Cell> {
        let place = |pixels: i32| {
            usize::try_from(pixels).ok().map(|pixels| pixels / usize::from(self.cell_size.max(1)))
        };
        self.layout.shape().cell(place(event.y)?, place(event.x)?)
    }
}

/// Which buttons are down, and what their release will do.
#[derive(Default)]
struct Mouse {
    left: bool,
    right: bool,
    /// Both buttons, or left with shift, are down: the next release chords.
    chording: bool,
    /// The left button has chorded: its release opens nothing.
    spent: bool,
    /// A left press has been seen.
    pressed: bool,
    marks: bool,
    left_chords: bool,
    questions: CellSet,
}

impl Mouse {
    fn new(replay: &Replay) -> Self {
        let questions = CellSet::new(replay.layout.shape().size());
        let &Replay { marks, left_chords, .. } = replay;
        Self { marks, left_chords, questions, ..Self::default() }
    }

    /// What the event asks for on the cell under it.
    fn action(&mut self, event: &Event, cell: Option<Cell>, board: &Board) -> Option<Action> {
        match event.input {
            Input::Move => None,
            Input::LeftPress | Input::ShiftPress => {
                (self.left, self.pressed, self.spent) = (true, true, false);
                self.chording = self.right || event.input == Input::ShiftPress;
                None
            }
            Input::RightPress => {
                self.right = true;
                if self.left {
                    self.chording = true;
                    return None;
                }
                self.flag(cell?, board)
            }
            Input::LeftRelease => {
                let unseen = !std::mem::replace(&mut self.pressed, true);
                let clicked = (std::mem::take(&mut self.left) && !self.spent) || unseen;
                if std::mem::take(&mut self.chording) {
                    return cell.map(Action::Chord);
                }
                let cell = cell.filter(|_| clicked)?;
                match board.view().face(cell) {
                    Face::Open { .. } if self.left_chords => Some(Action::Chord(cell)),
                    _ => Some(Action::Open(cell)),
                }
            }
            Input::RightRelease => {
                self.right = false;
                if self.left && std::mem::take(&mut self.chording) {
                    self.spent = true;
                    return cell.map(Action::Chord);
                }
                None
            }
            Input::MiddlePress => {
                self.spent = true;
                None
            }
            Input::MiddleRelease => cell.map(Action::Chord),
            Input::PreFlag => cell.map(Action::Flag),
            Input::ToggleMarks => {
                self.marks = !self.marks;
                None
            }
        }
    }

    /// Covered, flag, question mark where they are on, covered again.
    fn flag(&mut self, cell: Cell, board: &Board) -> Option<Action> {
        match board.view().face(cell) {
            Face::Covered if self.questions.remove(cell) => None,
            Face::Covered => Some(Action::Flag(cell)),
            Face::Flagged => {
                if self.marks {
                    self.questions.insert(cell);
                }
                Some(Action::Unflag(cell))
            }
            Face::Mine | Face::Open { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays inputs at cells, each as in `lc ROW COLUMN`, on `*...` over `....`, and compares the
    /// view at the end.
    fn check(inputs: &str, view: &str) -> Record {
        check_with(inputs, view, |_| {})
    }

    fn check_with(inputs: &str, view: &str, change: impl Fn(&mut Replay)) -> Record {
        let event = |(number, input): (i64, &str)| {
            let words: Vec<&str> = input.split_whitespace().collect();
            let place = |word: &str| word.parse::<i32>().unwrap() * 16;
            let (x, y) = (place(words[2]) + 3, place(words[1]) + 15);
            Event { time: number * 10, input: words[0].parse().unwrap(), x, y }
        };
        let mut replay = Replay {
            events: (0..).zip(inputs.split(", ")).map(event).collect(),
            player: "someone".to_owned(),
            ..Replay::new("*...\n....".parse().unwrap())
        };
        change(&mut replay);
        let record = replay.to_record();
        let board = record.replay(|_, _, _| {}).unwrap();
        assert_eq!(board.view().to_string(), format!("mines 1\n{view}\n"));
        let again = Replay::from_record(&record).unwrap().to_record();
        assert_eq!(again, record);
        record
    }

    #[test]
    fn a_left_release_opens_and_a_right_press_flags() {
        check("lc 0 3, lr 1 1, rc 0 0, rr 1 0", "F # # #\n# 1 # #");
        // A second right press takes the flag away.
        check("rc 0 0, rr 0 0, rc 0 0", "# # # #\n# # # #");
        let thrice = "rc 0 0, rr 0 0, rc 0 0, rr 0 0, rc 0 0";
        check(thrice, "F # # #\n# # # #");
        check_with(thrice, "# # # #\n# # # #", |replay| replay.marks = true);
        // A first release without its press counts.
        let record = check("lr 0 3, lr 0 0", "# 1 . .\n# 1 . .");
        assert_eq!(record.outcome, Outcome::Undecided);
        // A mine ends the game, and what follows is left out.
        let record = check("lc 0 0, lr 0 0, rc 1 1, lr 1 1", "* # # #\n# # # #");
        assert_eq!((record.outcome, record.moves.len()), (Outcome::Lost, 1));
        // Nothing happens outside the board.
        check("lc 9 0, lr 2 0, rc 0 4, mr 7 7", "# # # #\n# # # #");
    }

    #[test]
    fn both_buttons_or_the_middle_one_chord() {
        let start = "lc 1 1, lr 1 1, rc 0 0, rr 0 0";
        let won = "F 1 . .\n1 1 . .";
        for chord in [
            "lc 1 1, rc 1 1, lr 1 1, rr 1 1",
            "rc 1 1, lc 1 1, rr 1 1, lr 1 1",
            "mc 0 0, mr 1 1",
            "sc 1 1, lr 1 1",
        ] {
            let record = check(&format!("{start}, {chord}"), won);
            assert_eq!(record.outcome, Outcome::Won);
            assert!(matches!(record.moves.last().unwrap().action, Action::Chord(_)));
        }
        let clicks = format!("{start}, lc 1 1, lr 1 1");
        check(&clicks, "F # # #\n# 1 # #");
        check_with(&clicks, won, |replay| replay.left_chords = true);
        // The button left down after a chord opens nothing.
        check("lc 1 1, rc 1 1, rr 1 1, lr 0 2", "# # # #\n# # # #");
    }
}
