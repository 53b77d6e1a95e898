//! The sentences of the coach about moves and games.

use deminer_agents::search::Judgment;
use deminer_game::{Cell, Outcome, Shape};

use super::{Review, Reviewed, Verdict};
use crate::reasons::{capital, place};

/// An opening to be put into words.
pub(super) struct Opened<'a> {
    pub judged: &'a Judgment,
    pub verdict: Verdict,
    pub risk: f64,
    pub safest: f64,
    pub win: Option<f64>,
    pub cost: f64,
    pub best: Option<Cell>,
    pub chord: bool,
    pub exploded: bool,
}

impl Opened<'_> {
    /// What there is to say of it.
    pub(super) fn sentence(&self, shape: &Shape) -> String {
        let better = self.best.map_or(String::new(), |cell| place(shape, cell));
        if self.verdict == Verdict::Proved {
            return "Certainly safe.".into();
        }
        if self.risk == 1.0 {
            return self.certain_mine(&better);
        }
        let mut sentence = match (self.judged.safe.as_slice(), self.verdict) {
            ([], Verdict::Best) => self.best_guess(),
            ([], _) => self.worse_guess(&better),
            (_, Verdict::Best) => {
                format!("{} No safe cell helps, so it may be made at once.", self.chance())
            }
            (safe, _) => {
                let others = match safe.len() - 1 {
                    0 => String::new(),
                    1 => ", and one more cell".into(),
                    more => format!(", and {more} more cells"),
                };
                format!("{} Not needed: {better} was certainly safe{others}.", self.chance())
            }
        };
        if self.exploded {
            sentence += match self.verdict {
                Verdict::Best => " It was a mine: bad luck.",
                _ => " It was a mine.",
            };
        }
        sentence
    }

    fn certain_mine(&self, better: &str) -> String {
        let what = match self.chord {
            true => "This chord was certain to hit a mine",
            false => "This cell was certainly a mine",
        };
        match self.judged.safe.is_empty() || better.is_empty() {
            true => format!("{what}."),
            false => format!("{what}, while {better} was certainly safe."),
        }
    }

    fn chance(&self) -> String {
        let risk = percent(self.risk);
        match self.chord {
            true => format!("This chord had a {risk} chance of hitting a mine."),
            false => format!("This cell had a {risk} chance of being a mine."),
        }
    }

    fn best_guess(&self) -> String {
        let why = match self.risk > self.safest + 0.002 {
            true => " Other cells were safer, but win less often.",
            false => "",
        };
        format!("{} No cell was certainly safe, and this was the best guess.{why}", self.chance())
    }

    fn worse_guess(&self, better: &str) -> String {
        let other = self.judged.moves.first().map_or(0.0, |best| 1.0 - best.safety);
        let mut sentence =
            format!("{} {} was better: {}", self.chance(), capital(better), percent(other));
        if let Some((best, win)) = self.judged.win.zip(self.win) {
            sentence += &format!(
                ", and a win chance of {} instead of {} (cost {})",
                percent(best),
                percent(win),
                percent(self.cost)
            );
        }
        sentence + "."
    }
}

impl Review {
    /// What there is to say about the game as a whole, a sentence each.
    pub fn summary(&self) -> Vec<String> {
        let lines = [
            Some(self.ending()),
            self.help(),
            Some(self.guessing()),
            self.words_on_luck(),
            self.words_on_skill(),
            self.costliest(),
        ];
        lines.into_iter().flatten().collect()
    }

    fn ending(&self) -> String {
        let moves = self.moves.len();
        let last = self.moves.iter().rev().find(|reviewed| reviewed.risk.is_some());
        let cleared = format!("with {} of the board cleared", percent(self.cleared));
        match (self.outcome, last) {
            (Outcome::Won, _) => format!("Won in {}.", counted(moves, "move")),
            (Outcome::Lost, Some(last)) => {
                let risk = percent(last.risk.unwrap_or(0.0));
                let how = match last.verdict {
                    Verdict::Start => "by the first click".to_owned(),
                    Verdict::Best | Verdict::Good => format!("by a fair guess at {risk} risk"),
                    _ if last.risk == Some(1.0) => "by opening a certain mine".to_owned(),
                    _ => format!("by a guess at {risk} risk"),
                };
                format!("Lost at move {moves} {how}, {cleared}.")
            }
            (outcome, _) => {
                let how = match outcome {
                    Outcome::Stuck => "Stuck",
                    _ => "Not finished",
                };
                format!("{how} after {}, {cleared}.", counted(moves, "move"))
            }
        }
    }

    /// The help that was taken.
    fn help(&self) -> Option<String> {
        let were = |number| if number == 1 { "was" } else { "were" };
        let undone = self.undone.len();
        let mut taken = Vec::new();
        if undone > 0 {
            taken.push(format!("{} {} undone", counted(undone, "move"), were(undone)));
        }
        if self.hints > 0 {
            taken.push(format!("{} {} used", counted(self.hints, "hint"), were(self.hints)));
        }
        if self.odds {
            taken.push("odds were shown".to_owned());
        }
        let kind = if self.practice() { "Practice" } else { "Help" };
        (!taken.is_empty()).then(|| format!("{kind}: {}.", taken.join(", ")))
    }

    fn guessing(&self) -> String {
        let (guesses, unneeded) = (self.guesses().count(), self.unneeded());
        match (guesses, unneeded) {
            (0, _) if self.kept().is_some() => "No guesses.".into(),
            (0, _) => "No guesses: every cell was certainly safe when it was opened.".into(),
            (1, 0) => "One guess, and it was needed.".into(),
            (_, 0) => format!("{guesses} guesses, and all were needed."),
            (1, _) => "One guess, and it was not needed: another cell was certainly safe.".into(),
            _ if unneeded == guesses => {
                format!("{guesses} guesses, and none was needed: other cells were certainly safe.")
            }
            _ => format!(
                "{guesses} guesses, {unneeded} of them not needed: other cells were certainly safe."
            ),
        }
    }

    fn words_on_luck(&self) -> Option<String> {
        let when = if self.practice() { " before the first undo" } else { "" };
        let luck = self.luck?;
        let comment = if luck < 0.1 { " That was lucky." } else { "" };
        let luck = percent(luck);
        Some(format!("Luck{when}: you would survive these risks {luck} of the time.{comment}"))
    }

    fn words_on_skill(&self) -> Option<String> {
        Some(match self.kept()? {
            kept if kept > 0.995 => {
                "Skill: every choice was as good as the strongest player's.".into()
            }
            0.0 => "Skill: one move threw the game away.".into(),
            kept => {
                let kept = percent(kept);
                format!("Skill: all moves together kept {kept} of the win chance of best play.")
            }
        })
    }

    fn costliest(&self) -> Option<String> {
        let cost = |reviewed: &&Reviewed| reviewed.cost.unwrap_or(0.0);
        let judged = self.all_moves().filter(|reviewed| reviewed.verdict >= Verdict::Inaccuracy);
        let costliest = judged.max_by(|a, b| cost(a).total_cmp(&cost(b)))?;
        let given = percent(costliest.cost.filter(|&cost| cost > 0.0)?);
        let later = match self.undone.iter().any(|undone| std::ptr::eq(undone, costliest)) {
            true => " (later undone)",
            false => "",
        };
        let (number, sentence) = (costliest.number, &costliest.sentence);
        Some(format!(
            "The costliest move was number {number}{later}: it gave away {given} of the win chance. \
             {sentence}"
        ))
    }
}

fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
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

    #[test]
    fn shares_never_round_to_certainty() {
        let told = [0.0, 1e-6, 0.125, 1.0 - 1e-9, 1.0].map(percent);
        assert_eq!(told, ["0 %", "less than 0.1 %", "12.5 %", "more than 99.9 %", "100 %"]);
    }
}
