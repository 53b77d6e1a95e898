//! A person's game: actions, undo, the help that was used, and its record.

use deminer_game::{
    Action, Board, Effect, Face, GameSeed, Help, HintTaken, Idle, Layout, Move, MovedBy, Outcome,
    Purpose, Record, RecordError, Rules, Shown, State, Undone, View, Why,
};

/// A game in progress that remembers its moves, so that they can be undone and recorded.
///
/// The mines are dealt at the first opening. Once dealt they stay, even if that opening is undone.
#[derive(Clone, Debug)]
pub struct Session {
    rules: Rules,
    seed: Option<GameSeed>,
    layout: Option<Layout>,
    board: Board,
    played: Vec<Played>,
    help: Help,
}

/// A move with its time.
#[derive(Clone, Debug)]
struct Played {
    action: Action,
    /// Milliseconds on the clock when it was made.
    at: f64,
}

impl Session {
    /// A game on the board that the seed deals.
    pub fn dealt(rules: Rules, seed: GameSeed) -> Self {
        let board = Board::dealt(rules.clone(), seed);
        let (played, help) = (Vec::new(), Help::default());
        Self { rules, seed: Some(seed), layout: None, board, played, help }
    }

    /// A game on a given layout. With a seed the layout is the one that the seed deals.
    ///
    /// # Errors
    /// If the layout has another shape or number of mines than the rules.
    pub fn laid(rules: Rules, layout: Layout, seed: Option<GameSeed>) -> Result<Self, RecordError> {
        let board = laid(&rules, &layout, seed)?;
        let (played, help) = (Vec::new(), Help::default());
        Ok(Self { rules, seed, layout: Some(layout), board, played, help })
    }

    /// Continues a recorded game.
    ///
    /// # Errors
    /// If the record says nothing of its mines, or contradicts itself.
    pub fn of(record: &Record) -> Result<Self, RecordError> {
        let mut session = match (&record.layout, record.seed) {
            (Some(layout), seed) => Self::laid(record.rules.clone(), layout.clone(), seed)?,
            (None, Some(seed)) => Self::dealt(record.rules.clone(), seed),
            (None, None) => return Err(RecordError::no_layout()),
        };
        let mut at = 0.0;
        for step in &record.moves {
            at += step.micros.unwrap_or(0) as f64 / 1000.0;
            // A non-move of an agent leaves no trace.
            let _ = session.act(step.action, at);
        }
        session.help = record.help.clone();
        Ok(session)
    }

    /// What the player sees.
    pub fn view(&self) -> &View {
        self.board.view()
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How far the game has come.
    pub fn state(&self) -> State {
        self.board.state()
    }

    /// Where the mines lie, once that is known.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// The help that was taken.
    pub fn help(&self) -> &Help {
        &self.help
    }

    /// How many moves there are.
    pub fn moves(&self) -> usize {
        self.played.len()
    }

    /// Mines without a flag; negative with more flags than mines. A won game has none left.
    pub fn mines_left(&self) -> i64 {
        match self.state() {
            State::Won => 0,
            _ => self.rules.mines() as i64 - self.view().flag_count() as i64,
        }
    }

    /// Whether the action would change anything, and if not, why.
    ///
    /// # Errors
    /// If it would change nothing.
    pub fn legal(&self, action: Action) -> Result<(), Idle> {
        self.board.legal(action)
    }

    /// Makes a move at this time in milliseconds on the clock.
    ///
    /// # Errors
    /// If it would change nothing; it is not kept then.
    pub fn act(&mut self, action: Action, at: f64) -> Result<Effect, Idle> {
        self.board.legal(action)?;
        let effect = self.board.act(action);
        if self.layout.is_none() {
            self.layout = self.board.layout().cloned();
        }
        self.played.push(Played { action, at });
        Ok(effect)
    }

    /// Undoes the last move, also one that lost the game; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.played.len().checked_sub(1).map(|last| self.step(last)) else {
            return false;
        };
        self.played.pop();
        self.help.undone.push(Undone { at: self.played.len(), step });
        self.board = match (&self.layout, self.seed) {
            (Some(layout), seed) => laid(&self.rules, layout, seed).expect("it was played on"),
            (None, seed) => {
                Board::dealt(self.rules.clone(), seed.expect("a game has a seed or a layout"))
            }
        };
        for played in &self.played {
            self.board.act(played.action);
        }
        true
    }

    /// Begins again on the same mines, without help.
    pub fn restart(&mut self) {
        while self.undo() {}
        self.help = Help::default();
    }

    /// A hint was asked for, or a deeper step of the last one: its steps count as one hint.
    pub fn took_hint(&mut self, level: u8) {
        let at = self.played.len();
        match self.help.hints.last_mut() {
            Some(last) if level > 1 || last.at == at => last.level = last.level.max(level),
            _ => self.help.hints.push(HintTaken { at, level }),
        }
    }

    /// The odds were shown.
    pub fn saw_odds(&mut self) {
        self.help.odds = true;
    }

    /// The game so far.
    pub fn record(&self, player: &str) -> Record {
        let opens = |undone: &Undone| matches!(undone.step.action, Action::Open(_));
        let was_opened = self.state() != State::Fresh || self.help.undone.iter().any(opens);
        Record {
            player: player.to_owned(),
            rules: self.rules.clone(),
            seed: self.seed,
            layout: self.layout.clone().filter(|_| was_opened || self.seed.is_none()),
            moves: (0..self.played.len()).map(|number| self.step(number)).collect(),
            outcome: match self.state() {
                State::Won => Outcome::Won,
                State::Lost(_) => Outcome::Lost,
                State::Fresh | State::Live => Outcome::Undecided,
            },
            help: self.help.clone(),
        }
    }

    /// A move as records have it.
    fn step(&self, number: usize) -> Move {
        let Played { action, at } = self.played[number];
        let before = number.checked_sub(1).map_or(0.0, |before| self.played[before].at);
        let starts = number == 0 && matches!(action, Action::Open(_));
        let (by, why) = match starts {
            true => (MovedBy::Start, Why::Start),
            false => (MovedBy::Agent, Why::Nothing),
        };
        let micros = ((at - before) * 1000.0).max(0.0).round() as u64;
        Move { by, action, why, micros: Some(micros), redrawn: None }
    }

    /// What each cell looks like, as a small number; after the end also the mines.
    pub fn face_codes(&self) -> Vec<u8> {
        face_codes(&self.board)
    }
}

fn laid(rules: &Rules, layout: &Layout, seed: Option<GameSeed>) -> Result<Board, RecordError> {
    let noise = seed.map_or(0, |seed| seed.derive(Purpose::ClueNoise));
    Board::laid(rules.clone(), layout.clone(), noise).map_err(|_| RecordError::other_rules())
}

/// What a cell looks like as a small number: 0 to 8 a clue, then these.
pub mod face_code {
    /// Covered.
    pub const COVERED: u8 = 9;
    /// A flag.
    pub const FLAGGED: u8 = 10;
    /// Open without a clue.
    pub const BLANK: u8 = 11;
    /// A mine that is shown.
    pub const MINE: u8 = 12;
    /// The mine that ended the game.
    pub const EXPLODED: u8 = 13;
    /// A flag that was wrong, shown after the end.
    pub const WRONG_FLAG: u8 = 14;
}

/// The code of a face.
pub fn face_code(face: Face) -> u8 {
    match face {
        Face::Covered => face_code::COVERED,
        Face::Flagged => face_code::FLAGGED,
        Face::Mine => face_code::MINE,
        Face::Open { shown: Shown::Number(number), .. } => number,
        Face::Open { shown: Shown::Blank, .. } => face_code::BLANK,
    }
}

/// What each cell of a board looks like; after the end also the mines and the wrong flags.
pub fn face_codes(board: &Board) -> Vec<u8> {
    let view = board.view();
    let over = matches!(board.state(), State::Won | State::Lost(_));
    let Some(layout) = board.layout().filter(|_| over) else {
        return view.faces().iter().map(|&face| face_code(face)).collect();
    };
    let shown = |cell| match (view.face(cell), layout.is_mine(cell)) {
        (Face::Flagged, false) => face_code::WRONG_FLAG,
        (Face::Covered, true) if board.state() == State::Won => face_code::FLAGGED,
        (Face::Covered, true) => face_code::MINE,
        (Face::Mine, _) => face_code::EXPLODED,
        (face, _) => face_code(face),
    };
    view.shape().cells().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use deminer_game::{Cell, Start};

    use super::*;

    const SEED: GameSeed = GameSeed { seed: 4, game: 0 };

    fn session() -> Session {
        let rules = Rules::of("9x9x10".parse().unwrap()).unwrap();
        Session::dealt(rules.with_start(Start::Open).unwrap(), SEED)
    }

    fn cell(session: &Session, row: usize, column: usize) -> Cell {
        session.rules().shape().cell(row, column).unwrap()
    }

    #[test]
    fn an_undone_opening_keeps_its_mines_and_the_record_is_possible() {
        let mut session = session();
        let center = cell(&session, 4, 4);
        session.act(Action::Flag(cell(&session, 0, 0)), 5.0).unwrap();
        session.act(Action::Open(center), 20.0).unwrap();
        let layout = session.layout().cloned();
        assert!(session.undo());
        assert_eq!((session.state(), session.layout().cloned()), (State::Fresh, layout.clone()));
        session.act(Action::Open(cell(&session, 4, 5)), 31.5).unwrap();
        let record = session.record("me");
        assert_eq!((record.help.undone.len(), record.layout.clone()), (1, layout));
        assert_eq!(record.moves[1].micros, Some(26_500));
        assert!(record.replay(|_, _, _| {}).is_ok());
        let again = Session::of(&record).unwrap();
        assert_eq!(again.record("me"), record);
        assert_eq!(again.face_codes(), session.face_codes());
    }

    #[test]
    fn a_loss_shows_the_mines_and_can_be_undone() {
        let mut session = session();
        let center = cell(&session, 4, 4);
        session.act(Action::Open(center), 0.0).unwrap();
        let layout = session.layout().unwrap().clone();
        let mine = layout.mines().next().unwrap();
        let safe = |cell: &Cell| session.view().face(*cell).is_covered() && !layout.is_mine(*cell);
        let wrong = session.rules().shape().cells().find(safe).unwrap();
        session.act(Action::Flag(wrong), 1.0).unwrap();
        session.act(Action::Open(mine), 2.0).unwrap();
        let codes = session.face_codes();
        let count = |code| codes.iter().filter(|&&face| face == code).count();
        assert_eq!((count(face_code::EXPLODED), count(face_code::MINE)), (1, 9));
        assert_eq!(codes[wrong.index()], face_code::WRONG_FLAG);
        assert_eq!(session.act(Action::Open(center), 3.0), Err(Idle::Over));
        assert!(session.undo());
        assert_eq!((session.state(), session.mines_left()), (State::Live, 9));
        session.restart();
        assert_eq!(
            (session.state(), session.moves(), session.help().is_none()),
            (State::Fresh, 0, true)
        );
        assert_eq!(session.layout(), Some(&layout));
    }

    #[test]
    fn steps_of_a_hint_are_one_hint() {
        let mut session = session();
        session.took_hint(1);
        session.took_hint(3);
        session.took_hint(2);
        session.act(Action::Open(cell(&session, 4, 4)), 0.0).unwrap();
        session.took_hint(4);
        session.took_hint(1);
        let hints: Vec<(usize, u8)> =
            session.help().hints.iter().map(|hint| (hint.at, hint.level)).collect();
        assert_eq!(hints, [(0, 4), (1, 1)]);
    }
}
