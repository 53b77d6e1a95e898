//! The measures of a game that players compare: 3BV, ZiNi, clicks and time.

use crate::{Action, ClickParts, Outcome, Record, RecordError};

/// How many clicks a board needs, and how many a game on it took.
#[derive(Clone, PartialEq, Debug)]
pub struct GameMeasures {
    /// The fewest left clicks that open the board without chords.
    pub three_bv: usize,
    /// Groups of touching zeros.
    pub openings: usize,
    /// Groups of touching numbers that belong to no opening.
    pub islands: usize,
    /// Greedy ZiNi: clicks that solve the board with flags and chords.
    pub zini: usize,
    /// Human ZiNi: the same, with all openings opened first.
    pub human_zini: usize,
    /// The 3BV of what was opened.
    pub solved_three_bv: usize,
    /// The clicks of the record, those of undone moves included.
    pub clicks: Clicks,
    /// From the start to the last move, in microseconds; none unless every move was timed.
    pub micros: Option<u64>,
    /// Whether the game was won.
    pub won: bool,
}

/// Clicks of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clicks {
    /// Cells opened.
    pub left: usize,
    /// Flags placed and removed.
    pub right: usize,
    /// Chords.
    pub chord: usize,
}

impl Clicks {
    /// All of them.
    pub fn all(&self) -> usize {
        self.left + self.right + self.chord
    }

    fn count(&mut self, action: Action) {
        match action {
            Action::Open(_) => self.left += 1,
            Action::Flag(_) | Action::Unflag(_) => self.right += 1,
            Action::Chord(_) => self.chord += 1,
            Action::Decline => {}
        }
    }
}

impl GameMeasures {
    /// Measures a record; none if its mines are not known, since nothing was opened.
    ///
    /// # Errors
    /// If the record contradicts itself.
    pub fn of(record: &Record) -> Result<Option<Self>, RecordError> {
        let board = record.replay(|_, _, _| {})?;
        let Some(layout) = board.layout().or(record.layout.as_ref()) else { return Ok(None) };
        let parts = ClickParts::of(layout);
        let mut clicks = Clicks::default();
        let undone = record.help.undone.iter().map(|undone| &undone.step);
        for step in record.moves.iter().chain(undone) {
            clicks.count(step.action);
        }
        let times = record.moves.iter().map(|step| step.micros);
        let micros = times.reduce(|sum, micros| Some(sum?.saturating_add(micros?))).flatten();
        Ok(Some(Self {
            three_bv: parts.three_bv(),
            openings: parts.openings.len(),
            islands: parts.islands(layout),
            zini: layout.zini(),
            human_zini: layout.human_zini(),
            solved_three_bv: parts.solved_three_bv(board.view()),
            clicks,
            micros,
            won: record.outcome == Outcome::Won,
        }))
    }

    /// 3BV solved a second; none without a time.
    pub fn three_bv_per_second(&self) -> Option<f64> {
        let seconds = self.micros.filter(|&micros| micros > 0)? as f64 / 1e6;
        Some(self.solved_three_bv as f64 / seconds)
    }

    /// 3BV solved for each click; none without a click.
    pub fn efficiency(&self) -> Option<f64> {
        self.for_each_click(self.solved_three_bv)
    }

    /// ZiNi for each click of a game that was won.
    pub fn zini_efficiency(&self) -> Option<f64> {
        self.for_each_click(self.zini).filter(|_| self.won)
    }

    fn for_each_click(&self, amount: usize) -> Option<f64> {
        let clicks = self.clicks.all();
        (clicks > 0).then(|| amount as f64 / clicks as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameSeed, Help, Layout, Move, Rules, Undone};

    /// One opening that a flag, a click on a number and a chord leave to the last click.
    fn record(micros: Option<u64>) -> Record {
        let layout: Layout = "*....\n.....\n....*".parse().unwrap();
        let cell = |row, column| layout.shape().cell(row, column).unwrap();
        let actions = [
            Action::Flag(cell(0, 0)),
            Action::Open(cell(1, 1)),
            Action::Chord(cell(1, 1)),
            Action::Open(cell(0, 4)),
        ];
        Record {
            player: "someone".into(),
            rules: Rules::new(layout.shape().clone(), 2).unwrap(),
            seed: None,
            moves: actions.iter().map(|&action| Move::new(action, micros)).collect(),
            outcome: Outcome::Won,
            layout: Some(layout),
            help: Help::default(),
        }
    }

    #[test]
    fn a_game_is_measured_by_clicks_and_time() {
        let measures = GameMeasures::of(&record(Some(250_000))).unwrap().unwrap();
        assert_eq!((measures.three_bv, measures.openings, measures.islands), (1, 1, 0));
        assert_eq!(measures.solved_three_bv, 1);
        assert_eq!(measures.clicks, Clicks { left: 2, right: 1, chord: 1 });
        assert_eq!(measures.three_bv_per_second(), Some(1.0));
        assert_eq!((measures.efficiency(), measures.zini_efficiency()), (Some(0.25), Some(0.25)));
    }

    #[test]
    fn undone_clicks_were_clicks_too() {
        let mut record = record(None);
        let step = record.moves[3].clone();
        record.help.undone.push(Undone { at: 3, step });
        let measures = GameMeasures::of(&record).unwrap().unwrap();
        assert_eq!((measures.clicks.all(), measures.efficiency()), (5, Some(0.2)));
        assert_eq!((measures.micros, measures.three_bv_per_second()), (None, None));
    }

    #[test]
    fn a_game_that_opens_nothing_has_no_measures() {
        let mut record = record(None);
        (record.moves, record.layout, record.outcome) = (Vec::new(), None, Outcome::Undecided);
        record.seed = Some(GameSeed { seed: 1, game: 1 });
        assert_eq!(GameMeasures::of(&record).unwrap(), None);
    }
}
