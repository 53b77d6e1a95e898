//! Clues: what an open cell says about the mines around it.
//!
//! A clue rule is a likelihood: how likely a cell with a given count shows a given symbol. For
//! exact clues it is 0 or 1. An engine that takes likelihoods as data is exact for every rule.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::rng::unit;

/// The symbol an open cell shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    /// A number, 0 to 8.
    Number(u8),
    /// No number: the cell is safe, but its count is not shown.
    Blank,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Number(0) => f.write_str("."),
            Shown::Number(number) => write!(f, "{number}"),
            Shown::Blank => f.write_str("?"),
        }
    }
}

/// The mine counts, 0 to 8, that an open cell admits around it.
///
/// Exact clues admit one count. Blind, optimistic and cautious clues admit more; proofs need not
/// know which rule is played. [`ClueRule::likelihood`] says how likely each admitted count is.
/// A clue that no count fits, such as an 8 in a corner, admits none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clue(u16);

impl Clue {
    /// Admits exactly these counts. Ignores counts above 8: no cell has more neighbors.
    #[inline]
    pub fn of(counts: impl IntoIterator<Item = u8>) -> Self {
        Self(
            counts.into_iter().filter(|&count| count <= 8).fold(0, |mask, count| mask | 1 << count),
        )
    }

    /// Whether this many mines around fit the clue.
    #[inline]
    pub const fn admits(self, count: u8) -> bool {
        count <= 8 && self.0 >> count & 1 == 1
    }

    /// The least and the greatest count admitted, none if no count is.
    #[inline]
    pub const fn range(self) -> Option<(u8, u8)> {
        if self.0 == 0 {
            return None;
        }
        Some((self.0.trailing_zeros() as u8, 15 - self.0.leading_zeros() as u8))
    }

    /// The count, when only one is admitted.
    #[inline]
    pub const fn exact(self) -> Option<u8> {
        if self.0.is_power_of_two() { Some(self.0.trailing_zeros() as u8) } else { None }
    }

    /// The admitted counts, one bit each, 0 in the lowest.
    #[inline]
    pub const fn mask(self) -> u16 {
        self.0
    }

    /// The counts admitted, smallest first.
    #[inline]
    pub fn counts(self) -> impl Iterator<Item = u8> {
        (0..=8).filter(move |&count| self.admits(count))
    }
}

impl fmt::Debug for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.counts()).finish()
    }
}

/// The kinds of clue rules, without their parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClueKind {
    /// [`ClueRule::Exact`]
    Exact,
    /// [`ClueRule::Blind`]
    Blind,
    /// [`ClueRule::Optimistic`]
    Optimistic,
    /// [`ClueRule::Cautious`]
    Cautious,
    /// [`ClueRule::CautiousDegree`]
    CautiousDegree,
}
crate::words!(
    ClueKind, "a kind of clue":
    Exact = "exact", Blind = "blind", Optimistic = "optimistic", Cautious = "cautious",
    CautiousDegree = "cautious:degree",
);

/// How an opened cell's true count becomes what it shows.
///
/// The uncertain rules are those of Zhang, Wu, Li and Xu, "MineSweeper, Inference-Informed
/// Action" (2018).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum ClueRule {
    /// The count itself.
    #[default]
    Exact,
    /// Nothing with this probability, else the count. The first cell always shows its count.
    Blind(f64),
    /// A number from 0 to the count, each equally likely.
    Optimistic,
    /// A number from the count to 8, each equally likely, at the border too.
    Cautious,
    /// A number from the count to the number of neighbors, each equally likely.
    CautiousDegree,
}

impl ClueRule {
    /// The rule without its parameters.
    #[inline]
    pub const fn kind(self) -> ClueKind {
        match self {
            ClueRule::Exact => ClueKind::Exact,
            ClueRule::Blind(_) => ClueKind::Blind,
            ClueRule::Optimistic => ClueKind::Optimistic,
            ClueRule::Cautious => ClueKind::Cautious,
            ClueRule::CautiousDegree => ClueKind::CautiousDegree,
        }
    }

    /// The probability that a cell with `degree` neighbors, `count` of them mines, shows this.
    ///
    /// A count above the degree is impossible, so its likelihood is 0.
    #[inline]
    pub fn likelihood(self, shown: Shown, count: u8, degree: u8) -> f64 {
        if count > degree {
            return 0.0;
        }
        let one_of = |low: u8, high: u8, shown: u8| {
            if (low..=high).contains(&shown) { 1.0 / f64::from(high - low + 1) } else { 0.0 }
        };
        match (self, shown) {
            (ClueRule::Exact, Shown::Number(number)) => f64::from(u8::from(number == count)),
            (ClueRule::Blind(hidden), Shown::Number(number)) if number == count => 1.0 - hidden,
            (ClueRule::Blind(_), Shown::Number(_)) => 0.0,
            (ClueRule::Blind(hidden), Shown::Blank) => hidden,
            (ClueRule::Optimistic, Shown::Number(number)) => one_of(0, count, number),
            (ClueRule::Cautious, Shown::Number(number)) => one_of(count, 8, number),
            (ClueRule::CautiousDegree, Shown::Number(number)) => one_of(count, degree, number),
            // A position may hold `?` under any rule: a cell known to be safe, its clue not read.
            (_, Shown::Blank) => 1.0,
        }
    }

    /// The counts a cell with `degree` neighbors may have when it shows this.
    #[inline]
    pub fn clue(self, shown: Shown, degree: u8) -> Clue {
        let upto = |high: u8| (1u16 << (high + 1)) - 1;
        let all = upto(degree.min(8));
        Clue(match (self, shown) {
            (_, Shown::Blank) => all,
            (_, Shown::Number(number)) if number > 8 => 0,
            (ClueRule::Exact | ClueRule::Blind(_), Shown::Number(number)) => all & 1 << number,
            (ClueRule::Optimistic, Shown::Number(number)) => all & !(upto(number) >> 1),
            (ClueRule::Cautious, Shown::Number(number)) => all & upto(number),
            (ClueRule::CautiousDegree, Shown::Number(number)) if number > degree => 0,
            (ClueRule::CautiousDegree, Shown::Number(number)) => all & upto(number),
        })
    }

    /// What a cell shows, given 64 random bits that belong to it.
    #[inline]
    pub(crate) fn show(self, count: u8, degree: u8, draw: u64) -> Shown {
        let one_of =
            |low: u8, high: u8| low + ((u128::from(draw) * u128::from(high - low + 1)) >> 64) as u8;
        match self {
            ClueRule::Exact => Shown::Number(count),
            ClueRule::Blind(hidden) if unit(draw) < hidden => Shown::Blank,
            ClueRule::Blind(_) => Shown::Number(count),
            ClueRule::Optimistic => Shown::Number(one_of(0, count)),
            ClueRule::Cautious => Shown::Number(one_of(count, 8)),
            ClueRule::CautiousDegree => Shown::Number(one_of(count, degree)),
        }
    }
}

impl fmt::Display for ClueRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClueRule::Blind(hidden) => write!(f, "blind:{hidden}"),
            other => f.write_str(other.kind().name()),
        }
    }
}

/// The text names no [`ClueRule`], or `blind` has no rate that is a probability.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ParseClueRuleError(String);

impl FromStr for ClueRule {
    type Err = ParseClueRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |fault| Err(ParseClueRuleError(format!("`{text}`{fault}")));
        let rate = text.strip_prefix("blind:").and_then(|rate| rate.parse().ok());
        match text {
            "exact" => Ok(ClueRule::Exact),
            "optimistic" => Ok(ClueRule::Optimistic),
            "cautious" => Ok(ClueRule::Cautious),
            "cautious:degree" => Ok(ClueRule::CautiousDegree),
            _ => match rate.filter(|rate| (0.0..=1.0).contains(rate)) {
                Some(rate) => Ok(ClueRule::Blind(rate)),
                None if text.starts_with("blind") => {
                    wrong(": blind needs the share of hidden clues, from 0 to 1, such as blind:0.1")
                }
                None => wrong(
                    " is not a clue rule (use exact, blind:R, optimistic, cautious or cautious:degree)",
                ),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [ClueRule; 5] = [
        ClueRule::Exact,
        ClueRule::Blind(0.25),
        ClueRule::Optimistic,
        ClueRule::Cautious,
        ClueRule::CautiousDegree,
    ];

    fn symbols(rule: ClueRule) -> impl Iterator<Item = Shown> {
        let blank = matches!(rule, ClueRule::Blind(_)).then_some(Shown::Blank);
        (0..=8).map(Shown::Number).chain(blank)
    }

    #[test]
    fn the_symbols_of_a_count_have_probabilities_that_sum_to_one() {
        for rule in RULES {
            for degree in 0..=8 {
                for count in 0..=degree {
                    let sum: f64 =
                        symbols(rule).map(|shown| rule.likelihood(shown, count, degree)).sum();
                    assert!((sum - 1.0).abs() < 1e-12, "{rule} {count} of {degree}: {sum}");
                }
            }
        }
    }

    #[test]
    fn a_clue_admits_just_the_counts_with_a_likelihood() {
        for rule in RULES {
            for degree in 0..=8 {
                for shown in symbols(rule) {
                    let clue = rule.clue(shown, degree);
                    for count in 0..=8 {
                        let likely = rule.likelihood(shown, count, degree) > 0.0;
                        assert_eq!(clue.admits(count), likely, "{rule} {shown} {count}/{degree}");
                    }
                }
            }
        }
    }

    #[test]
    fn cells_show_symbols_as_often_as_their_likelihood_says() {
        const DRAWS: usize = 40_000;
        for rule in RULES {
            for (count, degree) in [(0, 3), (2, 5), (3, 8), (6, 6)] {
                let mut seen = std::collections::HashMap::new();
                for index in 0..DRAWS {
                    let draw = crate::rng::nth_draw(9, index);
                    *seen.entry(rule.show(count, degree, draw)).or_insert(0.0) +=
                        1.0 / DRAWS as f64;
                }
                for shown in symbols(rule) {
                    let (want, got) =
                        (rule.likelihood(shown, count, degree), seen.remove(&shown).unwrap_or(0.0));
                    // Five standard deviations of a share.
                    let slack = 5.0 * (want * (1.0 - want) / DRAWS as f64).sqrt() + 1e-9;
                    assert!((want - got).abs() <= slack, "{rule} {shown}: {want} {got}");
                }
                assert!(seen.is_empty());
            }
        }
    }

    #[test]
    fn rules_read_back_as_written() {
        for rule in RULES {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for (text, message) in [
            ("exakt", "is not a clue rule"),
            ("blind", "share of hidden clues"),
            ("blind:1.5", "share of hidden clues"),
            ("blind:nan", "share of hidden clues"),
        ] {
            assert!(text.parse::<ClueRule>().unwrap_err().to_string().contains(message), "{text}");
        }
    }
}
