//! The coach: a game looked at again, move by move, with the judgement of the strongest player.
//!
//! Every opening is compared with the best one that there was in the position before it. What a
//! move gives away is the share of the winning chances that the best move would have kept:
//!
//! ```text
//! best move   wins 40 %
//! this move   wins 36 %   -> a tenth of the chances is given away
//! ```
//!
//! Where chances of winning are not known, which is so with uncertain clues, chances of surviving
//! stand for them. Luck is apart from skill: it is how likely all risks taken so far were to be
//! survived.

use std::sync::atomic::{AtomicBool, Ordering};

use deminer_agents::search::{Judge, Judgement, Settings};
use deminer_game::{
    Action, Cell, Effect, Face, Outcome, Record, RecordError, Rng, Shape, Start, View,
};
use deminer_inference::count::Engine;
use thiserror::Error;

/// A game that was looked at again.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// Who played.
    pub player: String,
    /// Every move of the record, flags included.
    pub moves: Vec<Reviewed>,
    /// How it ended.
    pub outcome: Outcome,
    /// The share of all safe cells that were opened.
    pub cleared: f64,
}

/// A move, and what there is to say about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reviewed {
    /// Its number, from 1.
    pub number: usize,
    /// What was done.
    pub action: Action,
    /// How likely it was to hit a mine; none of moves that open nothing.
    pub risk: Option<f64>,
    /// The least risk that could be taken instead.
    pub safest: Option<f64>,
    /// The best cell to open; the one opened where none was better.
    pub best: Option<Cell>,
    /// The chances of winning before it, with the best play; 1 only where that is certain.
    pub win_before: Option<f64>,
    /// The chances of winning after it, when it was known what it opened.
    pub win_after: Option<f64>,
    /// The chances of winning that it gave away, before it was known what it opened.
    pub cost: Option<f64>,
    /// The share of the chances that it gave away.
    pub given_away: f64,
    /// Whether it was a guess while some cell was certainly safe.
    pub unneeded: bool,
    /// What to think of it.
    pub verdict: Verdict,
    /// That in words.
    pub sentence: String,
}

/// What to think of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The first click, at which nothing is known.
    Start,
    /// It opened nothing, or cannot be judged.
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
    /// It gave away a quarter of the chances or more, or opened a certain mine.
    Blunder,
}

impl Verdict {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Start => "start",
            Verdict::None => "none",
            Verdict::Proved => "proved",
            Verdict::Best => "best",
            Verdict::Good => "good",
            Verdict::Inaccuracy => "inaccuracy",
            Verdict::Mistake => "mistake",
            Verdict::Blunder => "blunder",
        }
    }

    /// By the share of the chances that a guess gave away.
    fn of_guess(given_away: f64) -> Self {
        match given_away {
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

/// Estimates of chances that differ by less are taken for equal.
const ALIKE: f64 = 0.005;

/// The most that an estimate promises: only what is certain is 1.
const SUREST: f64 = 0.999;

/// Calls a win certain only where it is.
fn temper(judged: Judgement) -> Judgement {
    let most = if judged.solved { 1.0 } else { SUREST };
    Judgement { win: judged.win.map(|win| win.min(most)), ..judged }
}

impl Review {
    /// Looks at every move: about a millisecond for each on boards of the usual sizes. Ends early
    /// once the flag is raised.
    pub fn of(record: &Record, stop: &AtomicBool) -> Result<Self, ReviewError> {
        let mut coach = Coach { judge: Judge::new(Settings::default()), engine: Engine::default() };
        let mut before = record.board()?.view().clone();
        let mut moves: Vec<Reviewed> = Vec::with_capacity(record.moves.len());
        let last = record.replay(|step, effect, board| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let number = moves.len() + 1;
            moves.push(coach.look(number, step.action, effect, &before));
            before.clone_from(board.view());
        })?;
        if stop.load(Ordering::Relaxed) {
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
        let rules = last.view().rules();
        let safe = rules.shape().size() - rules.mines();
        let (player, outcome) = (record.player.clone(), record.outcome);
        let cleared = last.view().opened().len() as f64 / safe.max(1) as f64;
        Ok(Self { player, moves, outcome, cleared })
    }

    /// Openings that might have hit a mine, after the first click.
    pub fn guesses(&self) -> impl Iterator<Item = &Reviewed> {
        let guess = |reviewed: &&Reviewed| {
            reviewed.verdict > Verdict::Proved && reviewed.risk.is_some_and(|risk| risk > 0.0)
        };
        self.moves.iter().filter(guess)
    }

    /// How likely all risks that were survived were to be survived.
    pub fn luck(&self) -> f64 {
        let lost = match self.outcome {
            Outcome::Lost => self.moves.iter().rev().find(|reviewed| reviewed.risk.is_some()),
            _ => None,
        };
        let survived = self.guesses().filter(|guess| lost.is_none_or(|lost| *guess != lost));
        survived.filter_map(|guess| guess.risk).map(|risk| 1.0 - risk).product()
    }

    /// The share of the chances that all moves together kept: 1 is perfect play.
    pub fn kept(&self) -> f64 {
        self.moves.iter().map(|reviewed| 1.0 - reviewed.given_away).product()
    }

    /// How many guesses were made while some cell was certainly safe.
    pub fn unneeded(&self) -> usize {
        self.moves.iter().filter(|reviewed| reviewed.unneeded).count()
    }

    /// How many moves were blunders.
    pub fn blunders(&self) -> usize {
        self.moves.iter().filter(|reviewed| reviewed.verdict == Verdict::Blunder).count()
    }

    /// What there is to say about the game as a whole, a sentence each.
    pub fn summary(&self) -> Vec<String> {
        let mut lines = vec![self.ending()];
        let (guesses, unneeded) = (self.guesses().count(), self.unneeded());
        lines.push(match (guesses, unneeded) {
            (0, _) => "Not one guess: every cell was certainly safe when it was opened.".into(),
            (1, 0) => "One guess, and it was needed.".into(),
            (_, 0) => format!("{guesses} guesses, and every one was needed."),
            (1, _) => "One guess, and it was not needed: some cell was certainly safe.".into(),
            _ if unneeded == guesses => {
                format!("{guesses} guesses, and none was needed: some cell was certainly safe.")
            }
            _ => format!(
                "{guesses} guesses, of which {unneeded} {} not needed: some cell was certainly \
                 safe.",
                if unneeded == 1 { "was" } else { "were" }
            ),
        });
        let luck = self.luck();
        if luck < 1.0 {
            lines.push(format!(
                "Luck: the risks that were survived go well {} of the time{}.",
                percent(luck),
                match luck {
                    luck if luck < 0.1 => ", a lucky day",
                    luck if luck > 0.7 => ", as one may expect",
                    _ => "",
                }
            ));
        }
        if guesses > 0 {
            let kept = self.kept();
            lines.push(match kept {
                kept if kept > 0.995 => {
                    "Skill: every choice was as good as the strongest player's.".into()
                }
                0.0 => "Skill: one choice gave away all chances that there were.".into(),
                kept => format!(
                    "Skill: the choices kept {} of the chances that the best play had.",
                    percent(kept)
                ),
            });
        }
        let costly = self.moves.iter().max_by(|a, b| a.given_away.total_cmp(&b.given_away));
        if let Some(costly) = costly.filter(|costly| costly.verdict >= Verdict::Inaccuracy) {
            lines.push(format!(
                "The costliest move was number {}, which gave away {} of the chances. {}",
                costly.number,
                percent(costly.given_away),
                costly.sentence
            ));
        }
        lines
    }

    fn ending(&self) -> String {
        let moves = self.moves.len();
        let last = self.moves.iter().rev().find(|reviewed| reviewed.risk.is_some());
        match (self.outcome, last) {
            (Outcome::Won, _) => format!("Won in {moves} moves."),
            (Outcome::Lost, Some(last)) => {
                let how = match last.verdict {
                    Verdict::Start => "by the first click".to_owned(),
                    Verdict::Best | Verdict::Good => {
                        format!("by a fair guess at {}", percent(last.risk.unwrap_or(0.0)))
                    }
                    _ if last.risk == Some(1.0) => "by opening a certain mine".to_owned(),
                    _ => format!("by a risk of {}", percent(last.risk.unwrap_or(0.0))),
                };
                let cleared = percent(self.cleared);
                format!("Lost at move {moves}, {how}, with {cleared} of the board cleared.")
            }
            (outcome, _) => {
                let cleared = percent(self.cleared);
                format!("Left {outcome} after {moves} moves, with {cleared} of the board cleared.")
            }
        }
    }
}

/// What the moves of a game are judged with.
struct Coach {
    judge: Judge,
    engine: Engine,
}

impl Coach {
    fn judge(&mut self, view: &View, asked: &[Cell]) -> Option<Judgement> {
        self.judge.judge(view, asked, &mut Rng::new(0)).ok().map(temper)
    }

    /// Looks at a move in the position before it.
    fn look(&mut self, number: usize, action: Action, effect: Effect, view: &View) -> Reviewed {
        let reviewed = Reviewed {
            number,
            action,
            risk: None,
            safest: None,
            best: None,
            win_before: None,
            win_after: None,
            cost: None,
            given_away: 0.0,
            unneeded: false,
            verdict: Verdict::None,
            sentence: String::new(),
        };
        match (action, effect) {
            (_, Effect::Nothing(idle)) => {
                Reviewed { sentence: format!("It changed nothing, since {idle}."), ..reviewed }
            }
            (Action::Flag(cell), _) => self.look_at_flag(reviewed, cell, view),
            (Action::Open(cell), effect) => self.look_at_opening(reviewed, &[cell], effect, view),
            (Action::Chord(clue), effect) => {
                let near = view.shape().neighbors(clue).iter().copied();
                let opened: Vec<Cell> =
                    near.filter(|&cell| view.face(cell) == Face::Covered).collect();
                self.look_at_opening(reviewed, &opened, effect, view)
            }
            (Action::Unflag(_), _) => {
                Reviewed { sentence: "A flag is taken back.".into(), ..reviewed }
            }
            (Action::Decline, _) => Reviewed { sentence: "No move.".into(), ..reviewed },
        }
    }

    fn look_at_flag(&mut self, reviewed: Reviewed, cell: Cell, view: &View) -> Reviewed {
        let judged = self.judge(view, &[]);
        let risk = judged.as_ref().and_then(|judged| judged.estimates.mine(cell));
        let safe = judged.as_ref().is_some_and(|judged| judged.safe.contains(&cell));
        let (verdict, sentence) = match risk {
            _ if safe => (Verdict::Inaccuracy, "A wrong flag: no mine can be there.".into()),
            Some(1.0) => (Verdict::None, "A flag on a certain mine.".into()),
            Some(risk) => {
                (Verdict::None, format!("A flag on a cell that is a mine with {}.", percent(risk)))
            }
            None => (Verdict::None, "A flag.".into()),
        };
        Reviewed { verdict, sentence, ..reviewed }
    }

    fn look_at_opening(
        &mut self,
        reviewed: Reviewed,
        opened: &[Cell],
        effect: Effect,
        view: &View,
    ) -> Reviewed {
        if view.opened().is_empty() {
            return first_click(reviewed, view, effect);
        }
        let Some(judged) = self.judge(view, opened) else {
            return Reviewed { sentence: "Too much is open to be judged.".into(), ..reviewed };
        };
        let shape = view.shape();
        let mine = |cell: Cell| judged.estimates.mine(cell).unwrap_or(0.0);
        let least = view.openable().map(mine).fold(1.0, f64::min);
        let safest = if judged.safe.is_empty() { least } else { 0.0 };
        let certain = opened.iter().all(|cell| judged.safe.contains(cell));
        let risk = match opened {
            _ if certain => 0.0,
            &[cell] => mine(cell),
            _ => self.risk_together(opened, reviewed.action, view).unwrap_or_else(|| {
                1.0 - opened.iter().map(|&cell| 1.0 - mine(cell)).product::<f64>()
            }),
        };
        let win = match opened {
            _ if certain => judged.win,
            &[cell] => judged.of(cell).and_then(|own| own.win),
            // What several cells together would tell is not known: they survive so much less.
            _ => judged.win.map(|win| win * (1.0 - risk) / (1.0 - safest)),
        };
        // Nobody wins more often than he survives, whatever estimates say.
        let win = win.map(|win| win.min(1.0 - risk));
        let cost = judged.win.zip(win).map(|(best, own)| (best - own).max(0.0));
        let alike = if judged.exact { 1e-9 } else { ALIKE };
        let cost = cost.map(|cost| if cost < alike { 0.0 } else { cost });
        let given_away = match (judged.win, cost) {
            (Some(best), Some(cost)) if best > 0.0 => (cost / best).min(1.0),
            _ => 1.0 - (1.0 - risk) / (1.0 - safest),
        };
        let given_away = if certain { 0.0 } else { given_away };
        // Where nothing helps, a guess may as well be made before what is safe.
        let harmless = judged.exact && cost == Some(0.0);
        let unneeded = !certain && !judged.safe.is_empty() && !harmless;
        let verdict = match Verdict::of_guess(given_away) {
            _ if certain => Verdict::Proved,
            _ if risk == 1.0 => Verdict::Blunder,
            verdict if unneeded => verdict.max(Verdict::Inaccuracy),
            verdict => verdict,
        };
        let best = match (verdict, judged.moves.first()) {
            (Verdict::Proved | Verdict::Best, _) => opened.first().copied(),
            (_, Some(best)) => Some(best.cell),
            (_, None) => None,
        };
        let mut sentence = words(&judged, verdict, risk, safest, win, best, shape);
        if let Effect::Exploded(_) = effect {
            sentence += match verdict {
                Verdict::Best => " It was a mine: bad luck.",
                _ if risk == 1.0 => "",
                _ => " It was a mine.",
            };
        }
        Reviewed {
            risk: Some(risk),
            safest: Some(safest),
            best,
            win_before: judged.win,
            cost,
            given_away,
            unneeded,
            verdict,
            sentence,
            ..reviewed
        }
    }

    /// How likely some of several cells is a mine, where a chord opens them. Under an exact clue
    /// they are all safe just if all flags around it are mines, which is counted flag by flag.
    fn risk_together(&mut self, opened: &[Cell], action: Action, view: &View) -> Option<f64> {
        let Action::Chord(clue) = action else { return None };
        let exact = usize::from(view.face(clue).clue()?.exact()?);
        let shape = view.shape();
        let near = shape.neighbors(clue);
        let known = near.iter().filter(|&&cell| view.face(cell) == Face::Mine).count();
        let flags: Vec<Cell> =
            near.iter().copied().filter(|&cell| view.face(cell) == Face::Flagged).collect();
        if flags.len() + known != exact {
            return None;
        }
        let mut faces = view.faces().to_vec();
        let mut all = 1.0;
        for flag in flags {
            let supposed = View::from_faces(view.rules().clone(), faces.clone()).ok()?;
            let odds = self.engine.sampled_odds(&supposed, &mut Rng::new(0)).ok()?;
            all *= odds.mine(flag)?;
            if all == 0.0 {
                break;
            }
            faces[flag.index()] = Face::Mine;
        }
        Some(1.0 - all).filter(|_| !opened.is_empty())
    }
}

fn first_click(reviewed: Reviewed, view: &View, effect: Effect) -> Reviewed {
    let rules = view.rules();
    let risk = match rules.start() {
        Start::Unsafe => rules.mines() as f64 / rules.shape().size() as f64,
        Start::Safe | Start::Open => 0.0,
    };
    let mut sentence = match risk {
        0.0 => "The first click, which is always safe.".to_owned(),
        risk => format!("The first click: a mine with {}.", percent(risk)),
    };
    if let Effect::Exploded(_) = effect {
        sentence += " It was one: bad luck.";
    }
    Reviewed { risk: Some(risk), safest: Some(risk), verdict: Verdict::Start, sentence, ..reviewed }
}

/// What there is to say of an opening.
fn words(
    judged: &Judgement,
    verdict: Verdict,
    risk: f64,
    safest: f64,
    win: Option<f64>,
    best: Option<Cell>,
    shape: &Shape,
) -> String {
    let place = |cell: Cell| {
        let (row, column) = shape.position(cell);
        format!("row {row}, column {column}")
    };
    let better = best.map_or(String::new(), place);
    if verdict == Verdict::Proved {
        return "Certainly safe.".into();
    }
    if risk == 1.0 {
        let instead = match judged.safe.is_empty() {
            true => String::new(),
            false => format!(", while {better} was certainly safe"),
        };
        return format!("This was certainly a mine{instead}.");
    }
    if !judged.safe.is_empty() && verdict == Verdict::Best {
        let risk = percent(risk);
        return format!(
            "A guess at {risk} risk that had to be made some time: no safe cell helps."
        );
    }
    if !judged.safe.is_empty() {
        let others = match judged.safe.len() - 1 {
            0 => String::new(),
            1 => ", and one cell more".into(),
            more => format!(", and {more} cells more"),
        };
        let risk = percent(risk);
        return format!("A guess at {risk} risk, though {better} was certainly safe{others}.");
    }
    if verdict == Verdict::Best {
        let why = match risk > safest + 0.002 {
            true => " There were safer ones, but they tell less.",
            false => "",
        };
        let risk = percent(risk);
        return format!(
            "No cell was certainly safe; this was the best guess, at {risk} risk.{why}"
        );
    }
    let other = judged.moves.first().map_or(0.0, |best| 1.0 - best.safety);
    let risks = match other < risk {
        true => format!("its risk was {} instead of {}", percent(other), percent(risk)),
        false => "it would have told more".to_owned(),
    };
    match judged.win.zip(win) {
        Some((most, own)) => format!(
            "{} was better: {risks}, and it wins {} instead of {}.",
            capital(&better),
            percent(most),
            percent(own)
        ),
        None => format!("{} was better: {risks}.", capital(&better)),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A share in words that never round to certainty.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".into(),
        100.0 => "100 %".into(),
        value if value < 0.1 => "less than 0.1 %".into(),
        value if value > 99.9 => "more than 99.9 %".into(),
        value => format!("{value:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deminer_game::{Board, By, Estimates, GameSeed, Layout, Move, Rules, Why};

    /// A game on a layout; actions by letter and place: `o00` opens, `f00` flags, `c00` chords.
    fn review(layout: &str, start: Start, actions: &str, outcome: Outcome) -> Review {
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
        let step = |text| Move {
            by: By::Agent,
            action: action(text),
            why: Why::Nothing,
            micros: None,
            redrawn: None,
        };
        let record = Record {
            player: "someone".into(),
            rules,
            seed: None,
            layout: Some(layout),
            moves: actions.split(' ').map(step).collect(),
            outcome,
        };
        Review::of(&record, &AtomicBool::new(false)).unwrap()
    }

    fn verdicts(review: &Review) -> Vec<Verdict> {
        review.moves.iter().map(|reviewed| reviewed.verdict).collect()
    }

    #[test]
    fn only_wins_that_were_seen_are_certain() {
        let told = |win, solved| {
            let (safe, moves, estimates) = (Vec::new(), Vec::new(), Estimates::new(0));
            temper(Judgement { safe, moves, win, solved, exact: false, estimates }).win
        };
        assert_eq!(told(Some(1.0), true), Some(1.0));
        assert_eq!(told(Some(1.0), false), Some(SUREST));
        assert_eq!(told(Some(0.5), false), Some(0.5));
        assert_eq!(told(None, false), None);
    }

    #[test]
    fn estimates_are_never_certain() {
        let rules = Rules::of("9x9x10".parse().unwrap()).unwrap();
        let rules = rules.with_start(Start::Open).unwrap();
        let mut coach = Coach { judge: Judge::new(Settings::QUICK), engine: Engine::default() };
        let mut estimated = 0;
        for game in 0..100 {
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 1, game });
            board.act(Action::Open(rules.shape().cell(4, 4).unwrap()));
            let Some(judged) = coach.judge(board.view(), &[]) else { continue };
            let win = judged.win.unwrap_or(0.0);
            assert!(judged.solved || win <= SUREST, "game {game}: {win}");
            estimated += usize::from(!judged.solved && win > 0.9);
        }
        assert!(estimated > 0, "some games are nearly won, by estimate");
    }

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
        assert_eq!(verdicts(&review), [Verdict::Start, Verdict::None, Verdict::Proved]);
        assert_eq!((review.luck(), review.kept(), review.unneeded()), (1.0, 1.0, 0));
        assert_eq!(review.moves[2].win_before, Some(1.0));
        assert_eq!(review.moves[2].win_after, Some(1.0));
        let summary = review.summary();
        assert_eq!(summary[0], "Won in 3 moves.");
        assert!(summary[1].starts_with("Not one guess"), "{summary:?}");
        assert_eq!(review.moves[1].sentence, "A flag on a certain mine.");
    }

    #[test]
    fn a_guess_while_a_cell_is_safe_is_not_needed() {
        // The mine touches the 1 that is opened first, on one side or the other; the safe cells
        // at the right would have told on which.
        let review = review("* . . . .", Start::Safe, "o01 o02", Outcome::Won);
        let guess = &review.moves[1];
        assert!(guess.unneeded && guess.verdict == Verdict::Blunder, "{guess:?}");
        assert_eq!((guess.risk, guess.safest, guess.cost), (Some(0.5), Some(0.0), Some(0.5)));
        let sentence = "A guess at 50.0 % risk, though row 0, column 3 was certainly safe, and \
                        one cell more.";
        assert_eq!(guess.sentence, sentence);
        assert_eq!((review.unneeded(), review.luck(), review.kept()), (1, 0.5, 0.5));
        assert!(review.summary()[1].contains("not needed"), "{:?}", review.summary());
    }

    #[test]
    fn a_guess_that_nothing_helps_may_be_made_at_once() {
        // What is safe at the right never tells the two cells at the left apart.
        let review = review(
            "* . . . .
             . . . . .",
            Start::Safe,
            "o01 o10",
            Outcome::Undecided,
        );
        let guess = &review.moves[1];
        assert_eq!((guess.verdict, guess.unneeded), (Verdict::Best, false), "{guess:?}");
        assert!(guess.sentence.ends_with("no safe cell helps."), "{}", guess.sentence);
    }

    #[test]
    fn a_certain_mine_is_a_blunder() {
        let review = review(". * . *", Start::Safe, "o02 o01", Outcome::Lost);
        let last = &review.moves[1];
        assert_eq!((last.verdict, review.blunders()), (Verdict::Blunder, 1));
        let sentence = "This was certainly a mine, while row 0, column 0 was certainly safe.";
        assert_eq!(last.sentence, sentence);
        assert_eq!((last.win_after, review.luck()), (Some(0.0), 1.0));
        assert!(review.summary()[0].contains("a certain mine"), "{:?}", review.summary());
    }

    #[test]
    fn luck_is_the_product_of_the_risks_survived() {
        // Two pairs that nothing tells apart, each with one mine.
        let review = review(
            "* . . . *
             . . . . .",
            Start::Safe,
            "o02 o10 o14",
            Outcome::Won,
        );
        assert_eq!(verdicts(&review), [Verdict::Start, Verdict::Best, Verdict::Best]);
        assert!((review.luck() - 0.25).abs() < 1e-12, "{}", review.luck());
        assert!(review.summary().iter().any(|line| line.starts_with("Luck")));
    }

    #[test]
    fn a_chord_is_as_safe_as_its_flags() {
        let right = review(
            "* . . .
             . . . .",
            Start::Safe,
            "o03 f00 c01",
            Outcome::Won,
        );
        assert_eq!(right.moves[2].risk, Some(0.5));
        let wrong = review(
            "* . . .
             . . . .",
            Start::Safe,
            "o03 f10 c01",
            Outcome::Lost,
        );
        assert_eq!(wrong.moves[2].risk, Some(0.5));
        assert!(wrong.moves[2].sentence.ends_with("bad luck."), "{}", wrong.moves[2].sentence);
    }

    #[test]
    fn shares_never_round_to_certainty() {
        let told = [0.0, 1e-6, 0.125, 1.0 - 1e-9, 1.0].map(percent);
        assert_eq!(told, ["0 %", "less than 0.1 %", "12.5 %", "more than 99.9 %", "100 %"]);
    }
}
