//! One number of a table: the paper's beside ours, and the verdict.

use serde::{Deserialize, Serialize};

use super::Measured;
use crate::stats;

/// One number of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Line {
    /// The board or other setting.
    pub setting: String,
    /// The agent, as its spec.
    pub agent: String,
    /// What is measured, such as `won`.
    pub measure: String,
    /// How it is written.
    pub unit: Unit,
    /// The target.
    pub target: Target,
    /// Our number.
    pub ours: Measured,
    /// How the two compare.
    pub verdict: Verdict,
}

impl Line {
    /// Judges a number.
    pub fn new(
        setting: impl Into<String>,
        agent: impl Into<String>,
        measure: impl Into<String>,
        target: Target,
        ours: Measured,
    ) -> Self {
        Self {
            setting: setting.into(),
            agent: agent.into(),
            measure: measure.into(),
            unit: Unit::Percent,
            target,
            verdict: target.judge(&ours),
            ours,
        }
    }

    /// The same, written as a plain number.
    pub(super) fn in_numbers(self) -> Self {
        Self { unit: Unit::Number, ..self }
    }
}

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A share, in percent.
    Percent,
    /// A plain number.
    Number,
}

impl Unit {
    /// The number as text.
    pub fn write(self, value: f64) -> String {
        match self {
            Unit::Percent => format!("{:.2} %", 100.0 * value),
            Unit::Number => format!("{value:.3}"),
        }
    }

    /// The interval of a number as text.
    pub fn write_interval(self, measured: &Measured) -> String {
        let bare = |value: f64| self.write(value).trim_end_matches(" %").to_owned();
        format!("{} - {}", bare(measured.low), bare(measured.high))
    }
}

/// The target of a number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// At least the paper's rate, less two standard errors.
    Reach {
        /// The paper's rate.
        paper: f64,
        /// Its games; 1000 where it does not say.
        games: u64,
    },
    /// The paper's own player: its rate within three standard errors, better or worse.
    Same {
        /// The paper's rate.
        paper: f64,
        /// Its games; 1000 where it does not say.
        games: u64,
    },
    /// No further from the paper's number than this.
    Within {
        /// The paper's number.
        paper: f64,
        /// The greatest difference that is near enough.
        tolerance: f64,
    },
    /// Between these two.
    Between {
        /// The paper's number.
        paper: f64,
        /// The least value that is near enough.
        low: f64,
        /// The greatest value that is near enough.
        high: f64,
    },
    /// At least this much.
    AtLeast {
        /// The paper's number.
        paper: f64,
        /// The least value that we must reach.
        least: f64,
    },
    /// At least as much as another player in the same table.
    Outdo {
        /// The other's number.
        other: f64,
    },
    /// The paper's number is shown but not judged.
    Beside {
        /// The paper's number.
        paper: f64,
    },
    /// There is no number to compare with.
    None,
}

/// The games of a paper that does not state them.
pub const UNSTATED: u64 = 1000;

impl Target {
    /// The paper's number, if it has one.
    pub fn paper(self) -> Option<f64> {
        match self {
            Target::Reach { paper, .. }
            | Target::Same { paper, .. }
            | Target::Within { paper, .. }
            | Target::Between { paper, .. }
            | Target::AtLeast { paper, .. }
            | Target::Beside { paper } => Some(paper),
            Target::Outdo { .. } | Target::None => None,
        }
    }

    /// The target in words.
    pub fn words(self, unit: Unit) -> String {
        match self {
            Target::Reach { games, .. } => format!("reach it ({games} games)"),
            Target::Same { games, .. } => format!("the same ({games} games)"),
            Target::Within { tolerance, .. } => format!("within {}", unit.write(tolerance)),
            Target::Between { low, high, .. } => {
                format!("{} to {}", unit.write(low), unit.write(high))
            }
            Target::AtLeast { least, .. } => format!("at least {}", unit.write(least)),
            Target::Outdo { other } => format!("more than {}", unit.write(other)),
            Target::Beside { .. } | Target::None => "-".into(),
        }
    }

    /// How our number compares.
    pub fn judge(self, ours: &Measured) -> Verdict {
        let met = |met: bool, verdict: Verdict| if met { verdict } else { Verdict::Missed };
        match self {
            Target::Reach { paper, .. } if ours.low > paper => Verdict::Beat,
            Target::Reach { paper, games } => {
                met(ours.value >= paper - 2.0 * standard_error(paper, games, ours), Verdict::Match)
            }
            Target::Same { paper, games } => {
                let far = (ours.value - paper).abs();
                met(far <= 3.0 * standard_error(paper, games, ours), Verdict::Faithful)
            }
            Target::Within { paper, tolerance } => {
                met((ours.value - paper).abs() <= tolerance, Verdict::Faithful)
            }
            Target::Between { low, high, .. } => {
                met((low..=high).contains(&ours.value), Verdict::Faithful)
            }
            Target::AtLeast { paper, .. } if ours.low > paper => Verdict::Beat,
            Target::AtLeast { least, .. } => met(ours.value >= least, Verdict::Match),
            Target::Outdo { other } if ours.low > other => Verdict::Beat,
            Target::Outdo { other } => met(ours.value >= other, Verdict::Match),
            Target::Beside { .. } | Target::None => Verdict::Shown,
        }
    }
}

/// The standard error of the difference between a paper's rate and ours.
fn standard_error(paper: f64, games: u64, ours: &Measured) -> f64 {
    let variance = |rate: f64, games: u64| rate * (1.0 - rate) / games.max(1) as f64;
    (variance(paper, games) + variance(ours.value, ours.games)).sqrt()
}

/// How our number compares with the target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PaperVerdict))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As good as the paper's within chance.
    Match,
    /// Better than the paper's: our whole interval lies above it.
    Beat,
    /// The same as the paper's player within chance.
    Faithful,
    /// Below the target or, for the paper's own player, too far from it.
    Missed,
    /// Not judged.
    Shown,
}

deminer_game::words!(
    Verdict, "a verdict": Match = "match", Beat = "beat", Faithful = "faithful", Missed = "missed",
    Shown = "-",
);

impl Verdict {
    /// The verdicts of numbers that have a target.
    pub const JUDGED: [Verdict; 4] =
        [Verdict::Match, Verdict::Beat, Verdict::Faithful, Verdict::Missed];
}

impl Line {
    /// A note on a missed rate: how often a player of our strength reaches the paper's rate by
    /// chance.
    pub(crate) fn excuse(&self) -> Option<String> {
        let Target::Reach { paper, games } = self.target else { return None };
        if self.verdict != Verdict::Missed {
            return None;
        }
        let hits = (paper * games as f64).round() as u64;
        let chance = stats::at_least(hits, games, self.ours.value);
        Some(format!(
            "{}: a player that wins {} would win at least {hits} of {games} games with \
             probability {:.1} %.",
            format_args!("`{}` on {}", self.agent, self.setting),
            self.unit.write(self.ours.value),
            100.0 * chance
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_meet_or_miss_their_targets() {
        let rate = Measured::share;
        let exactly = |value: f64| Measured::exact(value, 1);
        let reach = Target::Reach { paper: 0.5, games: 1000 };
        // The same player may not be better either.
        let same = Target::Same { paper: 0.5, games: 1000 };
        let within = Target::Within { paper: 0.45, tolerance: 0.2 };
        let never = Target::Within { paper: 0.0, tolerance: 0.0 };
        let floor = Target::AtLeast { paper: 0.6, least: 0.59 };
        let between = Target::Between { paper: 54.0, low: 40.0, high: 90.0 };
        let outdo = Target::Outdo { other: 0.5 };
        for (target, ours, verdict) in [
            (reach, rate(5200, 10_000), Verdict::Beat),
            (reach, rate(5000, 10_000), Verdict::Match),
            // Two standard errors are 2 · sqrt(0.25/1000 + 0.25/10 000) = 3.3 points.
            (reach, rate(4680, 10_000), Verdict::Match),
            (reach, rate(4650, 10_000), Verdict::Missed),
            (same, rate(5400, 10_000), Verdict::Faithful),
            (same, rate(5600, 10_000), Verdict::Missed),
            (same, rate(4400, 10_000), Verdict::Missed),
            (within, rate(640, 1000), Verdict::Faithful),
            (within, rate(660, 1000), Verdict::Missed),
            (never, rate(0, 10), Verdict::Faithful),
            (never, rate(1, 10_000), Verdict::Missed),
            (floor, rate(592, 1000), Verdict::Match),
            (floor, rate(700, 1000), Verdict::Beat),
            (floor, rate(580, 1000), Verdict::Missed),
            (between, exactly(39.9), Verdict::Missed),
            (between, exactly(40.0), Verdict::Faithful),
            (between, exactly(90.0), Verdict::Faithful),
            (between, exactly(90.1), Verdict::Missed),
            (outdo, exactly(0.499), Verdict::Missed),
            (outdo, exactly(0.5), Verdict::Match),
            (outdo, exactly(0.501), Verdict::Beat),
            // 52 of 100 may be luck: the interval begins below one half.
            (outdo, rate(52, 100), Verdict::Match),
            (Target::None, rate(1, 2), Verdict::Shown),
            (Target::Beside { paper: 0.9 }, rate(1, 2), Verdict::Shown),
        ] {
            assert_eq!(target.judge(&ours), verdict, "{target:?}, {ours:?}");
        }
    }
}
