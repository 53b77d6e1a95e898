//! Lists the consequences of opening a cell, to explain why one guess is better than another.
//!
//! Each opening is tried, symbol by symbol, as the judge does for its candidates.

use deminer_game::{Cell, View};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::{Odds, OddsError};

use super::lookahead::{CandidateSearch, NextPosition};

/// An opening, and what speaks for and against it.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighed {
    /// The cell.
    pub cell: Cell,
    /// The probability that it is safe.
    pub safety: f64,
    /// The probability of winning with it, where it is known or estimated.
    pub win: Option<f64>,
    /// What it leads to; only for guesses, and where it can be counted.
    pub prospect: Option<Prospect>,
    /// 50/50s that it decides, each by two of its cells.
    pub settles: Vec<[Cell; 2]>,
    /// About how likely it avoids a 50/50 that would arise later; 0 where play to the end is known.
    pub avoids: f64,
}

impl Weighed {
    /// An opening of which nothing is known yet.
    pub fn unknown(cell: Cell) -> Self {
        let settles = Vec::new();
        Self { cell, safety: 0.0, win: None, prospect: None, settles, avoids: 0.0 }
    }
}

/// What follows an opening that turned out safe.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prospect {
    /// The probability that some other cell is certainly safe then, or the game is won.
    pub progress: f64,
    /// How safe the safest cell is then, on average; 1 where the game is won.
    pub next_safety: f64,
}

impl Prospect {
    /// What follows an opening. `odds` are those of the view.
    pub(super) fn of(
        ahead: &mut CandidateSearch,
        view: &mut View,
        known: &SinglePoint,
        odds: &Odds,
        cell: Cell,
    ) -> Result<Self, OddsError> {
        let mut thought = ahead.begin(view, odds, cell)?;
        let mut sum = ProspectSum::default();
        while let Some(outcome) =
            ahead.see(&mut thought, view, known, |seen| Outcome::of(&seen, odds))?
        {
            sum.add(outcome);
        }
        Ok(sum.prospect())
    }
}

/// What follows one symbol.
pub(super) struct Outcome {
    chance: f64,
    /// Whether some other cell is certainly safe then, or the game is won.
    moves_on: bool,
    /// How safe the safest cell is then.
    safest: f64,
}

impl Outcome {
    /// What follows a symbol; `before` are the odds before it.
    pub fn of(seen: &NextPosition, before: &Odds) -> Self {
        let was_safe = |cell: Cell| before.fact(cell) == Some(Fact::Safe);
        let is_new = |cell| seen.odds.fact(cell) == Some(Fact::Safe) && !was_safe(cell);
        let is_won = is_won(seen.view);
        let moves_on = is_won || seen.view.covered().any(is_new);
        let safest = if is_won { 1.0 } else { seen.odds.safest_two()[0] };
        Self { chance: seen.chance, moves_on, safest }
    }
}

/// What follows the symbols seen so far.
#[derive(Default)]
pub(super) struct ProspectSum {
    all: f64,
    progress: f64,
    next_safety: f64,
}

impl ProspectSum {
    /// Adds what follows the next symbol.
    pub fn add(&mut self, outcome: Outcome) {
        let Outcome { chance, moves_on, safest } = outcome;
        self.all += chance;
        self.progress += if moves_on { chance } else { 0.0 };
        self.next_safety += chance * safest;
    }

    /// What follows on average. The least likely symbols are not looked at.
    pub fn prospect(&self) -> Prospect {
        Prospect { progress: self.progress / self.all, next_safety: self.next_safety / self.all }
    }
}

/// Whether every safe cell is open.
fn is_won(view: &View) -> bool {
    view.covered_count() + view.shown_mines().count() == view.rules().mines()
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, ClueRule, Rng, Shown, Start};
    use deminer_inference::oracle::Oracle;

    use super::*;
    use crate::parts::pictures::small_board;
    use crate::search::{Judge, Settings};

    /// The same by brute force: every symbol, every layout.
    fn by_trying_everything(view: &View, cell: Cell) -> Prospect {
        let before = Oracle::of(view, 100_000).unwrap();
        let safe = before.weight() * (1.0 - before.mine(cell).unwrap());
        let (mut progress, mut next_safety) = (0.0, 0.0);
        // A position may hold a blank under any rule, but only this one makes them.
        let blank = matches!(view.rules().clues(), ClueRule::Blind(_)).then_some(Shown::Blank);
        for shown in (0..=8).map(Shown::Number).chain(blank) {
            let mut next = view.clone();
            next.suppose(cell, shown);
            let after = Oracle::of(&next, 100_000).unwrap();
            if after.layouts() == 0 || after.weight() == 0.0 {
                continue;
            }
            let chance = after.weight() / safe;
            let is_safe = |cell: Cell| after.fact(cell) == Some(Fact::Safe);
            let safety = |cell: Cell| 1.0 - after.mine(cell).unwrap();
            if is_won(&next) || next.covered().any(is_safe) {
                progress += chance;
            }
            let safest = next.covered().map(safety).fold(0.0, f64::max);
            next_safety += chance * if is_won(&next) { 1.0 } else { safest };
        }
        Prospect { progress, next_safety }
    }

    #[test]
    fn prospects_are_what_trying_everything_finds() {
        let mut rng = Rng::new(5);
        let mut judge = Judge::new(Settings::QUICK);
        let mut guesses = 0;
        for _ in 0..400 {
            let clues = ["exact", "exact", "blind:0.3", "optimistic"];
            let mut board = small_board(&mut rng, &clues, Start::Unsafe);
            let covered: Vec<Cell> = board.view().covered().collect();
            if let Some(&cell) = rng.pick(&covered).filter(|_| covered.len() > 12) {
                board.act(Action::Flag(cell));
            }
            let view = board.view();
            let (judged, weighed) = judge.compare(view, &[], 4, &mut Rng::new(0)).unwrap();
            for one in weighed {
                assert_eq!(one.win.is_some(), judged.win.is_some(), "{view}");
                let Some(found) = one.prospect else { continue };
                let expected = by_trying_everything(view, one.cell);
                let is_near = |a: f64, b: f64| (a - b).abs() < 1e-6;
                assert!(
                    is_near(found.progress, expected.progress)
                        && is_near(found.next_safety, expected.next_safety),
                    "{found:?} instead of {expected:?} for {:?} in\n{view}",
                    one.cell
                );
                guesses += 1;
            }
        }
        assert!(guesses > 300, "{guesses}");
    }

    #[test]
    fn every_rival_has_a_win_on_boards_too_large_to_solve() {
        let mut rows = vec!["mines 40".to_owned(), format!("1 {}", "# ".repeat(15))];
        rows.extend((1..16).map(|_| "# ".repeat(16)));
        let view: View = rows.join("\n").parse().unwrap();
        let compare = |asked: &[Cell], rivals| {
            let mut judge = Judge::new(Settings::QUICK);
            judge.compare(&view, asked, rivals, &mut Rng::new(0)).unwrap()
        };
        let (judged, weighed) = compare(&[], 6);
        assert!(!judged.solved && weighed.len() > 1, "{weighed:?}");
        assert!(weighed.iter().all(|one| one.win.is_some() && one.prospect.is_some()));
        assert_eq!(weighed[0].win, judged.win);
        // A bad guess that the caller asks for is compared with the best one too.
        let bad = view.shape().nth(1).unwrap();
        let (_, weighed) = compare(&[bad], 1);
        assert_eq!((weighed.len(), weighed[1].cell), (2, bad));
    }

    #[test]
    fn a_guess_settles_its_own_fifty_fifty_only() {
        let view: View = "mines 2\n# 1 1 #\n# 1 1 #".parse().unwrap();
        let (_, weighed) =
            Judge::new(Settings::QUICK).compare(&view, &[], 4, &mut Rng::new(0)).unwrap();
        for one in weighed {
            let column = one.cell.index() % 4;
            let pair: Vec<usize> = one.settles[0].iter().map(|cell| cell.index()).collect();
            assert_eq!((one.settles.len(), pair), (1, vec![column, column + 4]));
        }
    }
}
