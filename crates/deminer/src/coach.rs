//! The coach: a game looked at again, move by move, with the judgment of the strongest player.
//!
//! Every opening is compared with the best one that there was in the position before it. The cost
//! of a move is the share of the win chance that it gave away:
//!
//! ```text
//! best move   wins 40 %
//! this move   wins 36 %   -> a tenth of the win chance is given away: cost 10 %
//! ```
//!
//! Where win chances are not known, which is so with uncertain clues, chances of surviving stand
//! for them. Luck is apart from skill: it is how likely the risks that were taken were to be
//! survived. Moves that were undone are looked at in the position in which they were made, and
//! count as moves.

mod look;
mod words;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer_game::{Action, Cell, GameMeasures, Outcome, Played, Record, RecordError, stop};
use thiserror::Error;

use self::look::Coach;
pub use self::words::percent;

/// Reviews a finished game move by move.
///
/// # Errors
/// If the record contradicts itself.
pub fn review(record: &Record) -> Result<Review, ReviewError> {
    Review::looked_at(record)
}

/// A game that was looked at again.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// Who played.
    pub player: String,
    /// Every move of the record, flags included.
    pub moves: Vec<Reviewed>,
    /// Moves that were undone, in the order in which they were undone. Their numbers are those
    /// that they had in their lines.
    pub undone: Vec<Reviewed>,
    /// How many hints were asked for.
    pub hints: usize,
    /// Whether the odds were shown.
    pub odds: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// The share of all safe cells that were opened.
    pub cleared: f64,
    /// How likely the risks that were survived were to be survived; none where there were none.
    /// After the first undo the player may know what lies where, so later risks do not count.
    pub luck: Option<f64>,
    /// 3BV, clicks and the like; none where nothing was opened.
    pub measures: Option<GameMeasures>,
}

/// A move, and what there is to say about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reviewed {
    /// Its number, from 1.
    pub number: usize,
    /// What was done.
    pub action: Action,
    /// When, in microseconds since the start; none unless all moves up to it were timed.
    pub micros: Option<u64>,
    /// How likely it was to hit a mine; none of moves that open nothing.
    pub risk: Option<f64>,
    /// The least risk that could be taken instead.
    pub safest: Option<f64>,
    /// The best cell to open; the one opened where none was better.
    pub best: Option<Cell>,
    /// The win chance before it, with best play; 1 only where a win is certain.
    pub win_before: Option<f64>,
    /// The win chance of this move, before it was known what it opened.
    pub win: Option<f64>,
    /// The win chance after it, when it was known what it opened.
    pub win_after: Option<f64>,
    /// The share of the win chance that it gave away; none of moves that are not judged.
    pub cost: Option<f64>,
    /// Whether it was a guess while some cell was certainly safe.
    pub unneeded: bool,
    /// Whether it hit a mine.
    pub exploded: bool,
    /// What to think of it.
    pub verdict: Verdict,
    /// That in words.
    pub sentence: String,
    /// Of a guess where no cell was certainly safe: why the best guess was the best, a sentence
    /// each.
    pub reasons: Vec<String>,
}

/// What to think of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Verdict {
    /// The first click, at which nothing is known.
    Start,
    /// It opened nothing, or cannot be judged.
    #[default]
    None,
    /// It was certainly safe.
    Proved,
    /// A guess, and the best one.
    Best,
    /// Nearly the best.
    Good,
    /// It gave something away.
    Inaccuracy,
    /// It gave much away.
    Mistake,
    /// It gave away a quarter of the win chance or more, or opened a certain mine.
    Blunder,
}
deminer_game::words!(
    Verdict, "a verdict":
    Start = "start", None = "none", Proved = "proved", Best = "best", Good = "good",
    Inaccuracy = "inaccuracy", Mistake = "mistake", Blunder = "blunder",
);

impl Verdict {
    /// By the cost of a guess.
    fn of_guess(cost: f64) -> Self {
        match cost {
            share if share <= 0.01 => Verdict::Best,
            share if share <= 0.03 => Verdict::Good,
            share if share <= 0.10 => Verdict::Inaccuracy,
            share if share < 0.25 => Verdict::Mistake,
            _ => Verdict::Blunder,
        }
    }
}

/// A game cannot be reviewed.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ReviewError {
    /// The record contradicts itself.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The flag was raised.
    #[error("stopped before every move was looked at")]
    Stopped,
}

impl Reviewed {
    /// Whether it might have hit a mine, and might not; the first click is not one.
    pub fn is_guess(&self) -> bool {
        let uncertain = self.risk.is_some_and(|risk| 0.0 < risk && risk < 1.0);
        uncertain && self.verdict > Verdict::Proved
    }

    /// Whether it certainly hit a mine.
    fn opened_certain_mine(&self) -> bool {
        self.risk == Some(1.0) && self.verdict > Verdict::Proved
    }
}

impl Review {
    /// Looks at every move: about a millisecond for each on boards of the usual sizes. Ends early
    /// once the flag is raised.
    pub fn of(record: &Record, flag: &Arc<AtomicBool>) -> Result<Self, ReviewError> {
        stop::unless(flag, || Self::looked_at(record))
    }

    fn looked_at(record: &Record) -> Result<Self, ReviewError> {
        let mut coach = Coach::default();
        let last = record.replay(|_, _, _| {})?;
        let mut moves: Vec<Reviewed> = Vec::with_capacity(record.moves.len());
        let mut undone: Vec<(usize, Reviewed)> = Vec::with_capacity(record.help.undone.len());
        let mut clock: Vec<Option<u64>> = Vec::new();
        let mut luck = None;
        record.retrace(|made, _| {
            if stop::is_raised() {
                return;
            }
            clock.truncate(made.at);
            let before = clock.last().copied().unwrap_or(Some(0));
            let micros = before.zip(made.step.micros).map(|(sum, more)| sum.saturating_add(more));
            clock.push(micros);
            let reviewed = Reviewed { micros, ..coach.look(made) };
            let nothing_undone_yet = made.at == moves.len() + undone.len();
            if nothing_undone_yet && reviewed.is_guess() && !reviewed.exploded {
                let survival = 1.0 - reviewed.risk.unwrap_or(0.0);
                luck = Some(luck.unwrap_or(1.0) * survival);
            }
            match made.played {
                Played::Kept(_) => moves.push(reviewed),
                Played::Undone(number) => undone.push((number, reviewed)),
            }
        })?;
        if stop::is_raised() {
            return Err(ReviewError::Stopped);
        }
        let at_last = match record.outcome {
            Outcome::Won => Some(1.0),
            Outcome::Lost => Some(0.0),
            Outcome::Stuck | Outcome::Undecided => {
                coach.judge(last.view(), &[]).and_then(|judged| judged.win)
            }
        };
        let mut after = at_last;
        for reviewed in moves.iter_mut().rev().filter(|reviewed| reviewed.risk.is_some()) {
            reviewed.win_after = after;
            after = reviewed.win_before;
        }
        undone.sort_by_key(|(number, _)| *number);
        let rules = last.view().rules();
        let safe = rules.shape().size() - rules.mines();
        Ok(Self {
            player: record.player.clone(),
            moves,
            undone: undone.into_iter().map(|(_, reviewed)| reviewed).collect(),
            hints: record.help.hints.len(),
            odds: record.help.odds,
            outcome: record.outcome,
            cleared: last.view().opened().len() as f64 / safe.max(1) as f64,
            luck,
            measures: GameMeasures::of(record)?,
        })
    }

    /// Whether moves were undone: the game was practice.
    pub fn practice(&self) -> bool {
        !self.undone.is_empty()
    }

    /// All moves, undone ones last.
    pub fn all_moves(&self) -> impl Iterator<Item = &Reviewed> {
        self.moves.iter().chain(&self.undone)
    }

    /// Openings that might have hit a mine, after the first click; undone ones too. Opening a
    /// certain mine is no guess.
    pub fn guesses(&self) -> impl Iterator<Item = &Reviewed> {
        self.all_moves().filter(|reviewed| reviewed.is_guess())
    }

    /// The share of the win chance that all moves together kept: 1 is perfect play. None where
    /// nothing was risked.
    pub fn kept(&self) -> Option<f64> {
        let risked = |reviewed: &Reviewed| reviewed.is_guess() || reviewed.opened_certain_mine();
        let costs = self.all_moves().filter_map(|reviewed| reviewed.cost);
        self.all_moves().any(risked).then(|| costs.map(|cost| 1.0 - cost).product())
    }

    /// How many guesses were made while some cell was certainly safe.
    pub fn unneeded(&self) -> usize {
        self.all_moves().filter(|reviewed| reviewed.unneeded).count()
    }

    /// How many moves were blunders.
    pub fn blunders(&self) -> usize {
        self.all_moves().filter(|reviewed| reviewed.verdict == Verdict::Blunder).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deminer_game::{Help, HintTaken, Layout, Move, Rules, Start, Undone};

    /// A game on a layout; actions by letter and place: `o00` opens, `f00` flags, `c00` chords,
    /// `u` undoes the last move. Each takes a second.
    fn record(layout: &str, start: Start, actions: &str, outcome: Outcome) -> Record {
        let layout: Layout = layout.parse().unwrap();
        let shape = layout.shape().clone();
        let rules = Rules::new(shape.clone(), layout.total()).unwrap().with_start(start).unwrap();
        let digit = |text: &str, at: usize| text[at..=at].parse::<usize>().unwrap();
        let action = |text: &str| {
            let cell = shape.cell(digit(text, 1), digit(text, 2)).unwrap();
            match &text[..1] {
                "f" => Action::Flag(cell),
                "c" => Action::Chord(cell),
                _ => Action::Open(cell),
            }
        };
        let (mut moves, mut help): (Vec<Move>, Help) = Default::default();
        for text in actions.split(' ') {
            if text == "u" {
                let step = moves.pop().expect("a move to undo");
                help.undone.push(Undone { at: moves.len(), step });
                continue;
            }
            moves.push(Move::new(action(text), Some(1_000_000)));
        }
        let player = "someone".into();
        Record { player, rules, seed: None, layout: Some(layout), moves, outcome, help }
    }

    fn reviewed(record: &Record) -> Review {
        super::review(record).unwrap()
    }

    fn review(layout: &str, start: Start, actions: &str, outcome: Outcome) -> Review {
        reviewed(&record(layout, start, actions, outcome))
    }

    fn verdicts(moves: &[Reviewed]) -> Vec<Verdict> {
        moves.iter().map(|reviewed| reviewed.verdict).collect()
    }

    /// The mine touches the 1 that is opened first, on one side or the other; the safe cells at
    /// the right would show on which.
    const ROW: &str = "* . . . .";

    #[test]
    fn what_is_proved_costs_nothing() {
        // The zeros at the left leave a column of which three clues see all.
        let review = review(
            ". . . .
             . . . *
             . . . .
             . . . .",
            Start::Safe,
            "o00 f13 o03",
            Outcome::Won,
        );
        assert_eq!(verdicts(&review.moves), [Verdict::Start, Verdict::None, Verdict::Proved]);
        assert_eq!((review.luck, review.kept(), review.unneeded()), (None, None, 0));
        let last = &review.moves[2];
        assert_eq!((last.win_before, last.win_after, last.cost), (Some(1.0), Some(1.0), Some(0.0)));
        assert_eq!(last.micros, Some(3_000_000));
        let summary = review.summary();
        let told = "No guesses: every cell was certainly safe when it was opened.";
        assert_eq!(summary, ["Won in 3 moves.", told]);
        assert_eq!(review.moves[1].sentence, "A flag on a certain mine.");
        assert_eq!(review.measures.as_ref().unwrap().clicks.all(), 3);
    }

    #[test]
    fn a_guess_while_a_cell_is_safe_is_not_needed() {
        let review = review(ROW, Start::Safe, "o01 o02", Outcome::Won);
        let guess = &review.moves[1];
        assert!(guess.unneeded && guess.verdict == Verdict::Blunder, "{guess:?}");
        assert_eq!((guess.risk, guess.safest, guess.cost), (Some(0.5), Some(0.0), Some(0.5)));
        assert_eq!((guess.win_before, guess.win), (Some(1.0), Some(0.5)));
        let sentence = "This cell had a 50.0 % chance of being a mine. Not needed: row 0, column 3 \
                        was certainly safe, and one more cell.";
        assert_eq!(guess.sentence, sentence);
        assert_eq!((review.unneeded(), review.luck, review.kept()), (1, Some(0.5), Some(0.5)));
        let told = [
            "Won in 2 moves.",
            "One guess, and it was not needed: another cell was certainly safe.",
            "Luck: you would survive these risks 50.0 % of the time.",
            "Skill: all moves together kept 50.0 % of the win chance of best play.",
            &format!(
                "The costliest move was number 2: it gave away 50.0 % of the win chance. {sentence}"
            ),
        ];
        assert_eq!(review.summary(), told);
    }

    #[test]
    fn a_guess_that_nothing_helps_may_be_made_at_once() {
        // The safe cells at the right never distinguish the two cells at the left.
        let review = review(
            "* . . . .
             . . . . .",
            Start::Safe,
            "o01 o10",
            Outcome::Undecided,
        );
        let guess = &review.moves[1];
        assert_eq!((guess.verdict, guess.unneeded), (Verdict::Best, false), "{guess:?}");
        assert!(guess.sentence.contains("No safe cell helps"), "{}", guess.sentence);
    }

    #[test]
    fn cost_is_the_share_of_the_win_chance_everywhere() {
        // Games of a weak player: numbers, verdicts and sentences agree.
        use deminer_game::{FirstClick, GameSeed, Match};
        let rules = Rules::of("9x9x10".parse().unwrap()).unwrap();
        let spec = crate::roster::Roster::default().agent("random").unwrap();
        let mut costly = 0;
        for game in 0..40 {
            let game = Match::new(rules.clone(), FirstClick::Corner, GameSeed { seed: 2, game });
            let review = reviewed(&crate::play::record_game(&spec, game, |_, _| {}).unwrap());
            for reviewed in review.moves.iter().filter(|reviewed| reviewed.is_guess()) {
                let cost = reviewed.cost.unwrap();
                if let Some((best, win)) = reviewed.win_before.zip(reviewed.win) {
                    assert!((cost - (1.0 - win / best)).abs() < 1e-9, "{reviewed:?}");
                }
                assert!(reviewed.verdict >= Verdict::of_guess(cost), "{reviewed:?}");
                costly += usize::from(reviewed.sentence.contains("cost"));
            }
        }
        assert!(costly > 10, "{costly}");
    }

    #[test]
    fn a_certain_mine_is_a_blunder_and_no_guess() {
        let review = review(". * . *", Start::Safe, "o02 o01", Outcome::Lost);
        let last = &review.moves[1];
        assert_eq!((last.verdict, review.blunders()), (Verdict::Blunder, 1));
        let sentence = "This cell was certainly a mine, while row 0, column 0 was certainly safe.";
        assert_eq!(last.sentence, sentence);
        assert_eq!((last.win, last.win_after, last.cost), (Some(0.0), Some(0.0), Some(1.0)));
        assert_eq!((review.guesses().count(), review.unneeded()), (0, 0));
        assert_eq!((review.luck, review.kept()), (None, Some(0.0)));
        let told = [
            "Lost at move 2 by opening a certain mine, with 50.0 % of the board cleared.",
            "No guesses.",
            "Skill: one move threw the game away.",
            &format!(
                "The costliest move was number 2: it gave away 100 % of the win chance. {sentence}"
            ),
        ];
        assert_eq!(review.summary(), told);
    }

    #[test]
    fn luck_is_the_product_of_the_risks_survived() {
        // Two 50/50s that no clue decides, each with one mine.
        let review = review(
            "* . . . *
             . . . . .",
            Start::Safe,
            "o02 o10 o14",
            Outcome::Won,
        );
        assert_eq!(verdicts(&review.moves), [Verdict::Start, Verdict::Best, Verdict::Best]);
        let luck = review.luck.unwrap();
        assert!((luck - 0.25).abs() < 1e-12, "{luck}");
        assert_eq!(review.kept(), Some(1.0));
        assert!(review.summary().iter().any(|line| line.starts_with("Luck: you would")));
    }

    #[test]
    fn a_chord_is_as_safe_as_its_flags() {
        let layout = "* . . .
                      . . . .";
        let right = review(layout, Start::Safe, "o03 f00 c01", Outcome::Won);
        assert_eq!(right.moves[2].risk, Some(0.5));
        let wrong = review(layout, Start::Safe, "o03 f10 c01", Outcome::Lost);
        assert_eq!((wrong.moves[2].risk, wrong.moves[2].exploded), (Some(0.5), true));
        let sentence = &wrong.moves[2].sentence;
        assert!(sentence.starts_with("This chord had a 50.0 % chance"), "{sentence}");
        assert!(sentence.ends_with("bad luck."), "{sentence}");
    }

    #[test]
    fn undone_moves_are_moves() {
        // A certain mine is opened and undone, then the game is won.
        let mut record = record(". * . *", Start::Safe, "o02 o01 u o00", Outcome::Won);
        record.help.hints = vec![HintTaken { at: 1, level: 3 }; 3];
        record.help.odds = true;
        let review = reviewed(&record);
        assert_eq!(verdicts(&review.moves), [Verdict::Start, Verdict::Proved]);
        assert_eq!(verdicts(&review.undone), [Verdict::Blunder]);
        let undone = &review.undone[0];
        assert_eq!((undone.number, undone.exploded, undone.win_after), (2, true, Some(0.0)));
        assert_eq!((review.blunders(), review.kept(), review.practice()), (1, Some(0.0), true));
        let summary = review.summary();
        assert_eq!(summary[1], "Practice: 1 move was undone, 3 hints were used, odds were shown.");
        let costliest = summary.last().unwrap();
        assert!(
            costliest.starts_with("The costliest move was number 2 (later undone)"),
            "{costliest}"
        );
        let mut helped = record.clone();
        helped.help.undone.clear();
        helped.help.odds = false;
        assert_eq!(reviewed(&helped).summary()[1], "Help: 3 hints were used.");
    }

    #[test]
    fn luck_ends_with_the_first_undo() {
        // The right side is a guess that goes well; the left one is lost, undone and known then.
        let layout = "* . . . *
                      . . . . .";
        let review = review(layout, Start::Safe, "o02 o14 o00 u o10", Outcome::Won);
        assert_eq!((review.guesses().count(), review.luck), (3, Some(0.5)));
        assert_eq!(review.kept(), Some(1.0), "all were fair guesses");
        assert_eq!(review.undone[0].micros, Some(3_000_000));
        assert_eq!(review.moves[2].number, 3);
    }
}
