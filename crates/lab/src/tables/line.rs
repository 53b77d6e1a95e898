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

/// The target of a number: one that the paper prints, or one that we ask for.
///
/// Only [`Target::Reach`] and [`Target::AtLeast`] can be beaten, and only where the paper's number
/// is no trivial bar. The paper's own system has one of [`Target::Same`], [`Target::Within`] and
/// [`Target::Between`]: better than the paper's would be something else.
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
    /// At least this much, where standard errors do not say what is near enough.
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
    /// A demand of ours, which the paper does not make.
    Asked {
        /// The paper's number, where it prints one.
        paper: Option<f64>,
        /// The least value that is asked.
        least: Option<f64>,
        /// The greatest value that is asked.
        most: Option<f64>,
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

/// A rate below this is a trivial bar: nothing is proved by beating it.
const TRIVIAL: f64 = 0.01;

/// With fewer games in the paper than this, nearby rates cannot be distinguished.
const ENOUGH_GAMES: u64 = 100;

impl Target {
    /// Our demand of at least this much.
    pub fn at_least(least: f64) -> Self {
        Target::Asked { paper: None, least: Some(least), most: None }
    }

    /// Our demand of at most this much.
    pub fn at_most(most: f64) -> Self {
        Target::Asked { paper: None, least: None, most: Some(most) }
    }

    /// Our demand to be no further than this from a number that is not the paper's.
    pub fn near(other: f64, tolerance: f64) -> Self {
        let (least, most) = (Some(other - tolerance), Some(other + tolerance));
        Target::Asked { paper: None, least, most }
    }

    /// Our demand of at most this much, beside what the paper needs.
    pub fn at_most_beside(most: f64, paper: f64) -> Self {
        Target::Asked { paper: Some(paper), least: None, most: Some(most) }
    }

    /// The paper's number, if it has one.
    pub fn paper(self) -> Option<f64> {
        match self {
            Target::Reach { paper, .. }
            | Target::Same { paper, .. }
            | Target::Within { paper, .. }
            | Target::Between { paper, .. }
            | Target::AtLeast { paper, .. }
            | Target::Beside { paper } => Some(paper),
            Target::Asked { paper, .. } => paper,
            Target::Outdo { .. } | Target::None => None,
        }
    }

    /// The target in words.
    pub fn words(self, unit: Unit) -> String {
        let write = |value: f64| unit.write(value);
        match self {
            Target::Reach { games, .. } => format!("reach it ({games} games)"),
            Target::Same { games, .. } => format!("the same ({games} games)"),
            Target::Within { tolerance, .. } => format!("within {}", write(tolerance)),
            Target::Between { low, high, .. }
            | Target::Asked { least: Some(low), most: Some(high), .. } => {
                format!("{} to {}", write(low), write(high))
            }
            Target::AtLeast { least, .. }
            | Target::Outdo { other: least }
            | Target::Asked { least: Some(least), most: None, .. } => {
                format!("at least {}", write(least))
            }
            Target::Asked { most: Some(most), .. } => format!("at most {}", write(most)),
            Target::Asked { .. } | Target::Beside { .. } | Target::None => "-".into(),
        }
    }

    /// How our number compares.
    pub fn judge(self, ours: &Measured) -> Verdict {
        let met = |met: bool, verdict: Verdict| if met { verdict } else { Verdict::Missed };
        let better = |paper: f64| match paper >= TRIVIAL && ours.low > paper {
            true => Verdict::Beat,
            false => Verdict::Match,
        };
        match self {
            Target::Reach { paper, games } => {
                let least = paper - 2.0 * standard_error(paper, games, ours);
                met(ours.value >= least, better(paper))
            }
            Target::Same { paper, games } => {
                let near = match games < ENOUGH_GAMES {
                    true => Verdict::TooFew,
                    false => Verdict::Faithful,
                };
                let far = (ours.value - paper).abs();
                met(far <= 3.0 * standard_error(paper, games, ours), near)
            }
            Target::Within { paper, tolerance } => {
                met((ours.value - paper).abs() <= tolerance, Verdict::Faithful)
            }
            Target::Between { low, high, .. } => {
                met((low..=high).contains(&ours.value), Verdict::Faithful)
            }
            Target::AtLeast { paper, least } => met(ours.value >= least, better(paper)),
            Target::Outdo { other } => met(ours.value >= other, Verdict::Match),
            Target::Asked { least, most, .. } => {
                let enough = least.is_none_or(|least| ours.value >= least);
                met(enough && most.is_none_or(|most| ours.value <= most), Verdict::Match)
            }
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
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As good as the paper's within chance, or as good as we ask.
    Match,
    /// Better than a paper's number that is no trivial bar: our whole interval lies above it.
    Beat,
    /// The same as the paper's own system within chance.
    Faithful,
    /// Near the paper's own system, whose games are too few to tell it from others.
    TooFew,
    /// Below the target or, for the paper's own system, too far from it.
    Missed,
    /// Not judged.
    Shown,
}

deminer_game::words!(
    Verdict, "a verdict": Match = "match", Beat = "beat", Faithful = "faithful",
    TooFew = "too few games to tell", Missed = "missed", Shown = "-",
);

impl Verdict {
    /// The verdicts of numbers that have a target.
    pub const JUDGED: [Verdict; 5] =
        [Verdict::Match, Verdict::Beat, Verdict::Faithful, Verdict::TooFew, Verdict::Missed];
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

    /// The verdicts of one target for numbers of ours.
    fn check(target: Target, verdicts: &[(Measured, Verdict)]) {
        for (ours, verdict) in verdicts {
            assert_eq!(target.judge(ours), *verdict, "{target:?}, {ours:?}");
        }
    }

    fn exactly(value: f64) -> Measured {
        Measured::exact(value, 1)
    }

    use Measured as Rate;
    use Verdict::{Beat, Faithful, Match, Missed, Shown, TooFew};

    #[test]
    fn a_rate_of_the_paper_is_beaten_matched_or_missed() {
        check(
            Target::Reach { paper: 0.5, games: 1000 },
            &[
                (Rate::share(5200, 10_000), Beat),
                // 52 of 100 may be luck: the interval begins below one half.
                (Rate::share(52, 100), Match),
                (Rate::share(5000, 10_000), Match),
                // Two standard errors are 2 · sqrt(0.25/1000 + 0.25/10 000) = 3.3 points.
                (Rate::share(4680, 10_000), Match),
                (Rate::share(4650, 10_000), Missed),
            ],
        );
    }

    #[test]
    fn a_trivial_bar_is_never_beaten() {
        let whole = exactly(1.0);
        for paper in [0.0, 0.004, 0.0099] {
            check(Target::Reach { paper, games: 1000 }, &[(whole, Match)]);
            check(Target::AtLeast { paper, least: paper }, &[(whole, Match)]);
        }
        check(Target::Reach { paper: 0.01, games: 1000 }, &[(whole, Beat)]);
        check(Target::AtLeast { paper: 0.01, least: 0.01 }, &[(whole, Beat)]);
    }

    #[test]
    fn the_papers_own_system_may_not_be_better_either() {
        check(
            Target::Same { paper: 0.5, games: 1000 },
            &[
                (Rate::share(5400, 10_000), Faithful),
                (Rate::share(5600, 10_000), Missed),
                (Rate::share(4400, 10_000), Missed),
            ],
        );
        check(
            Target::Within { paper: 0.45, tolerance: 0.2 },
            &[
                (Rate::share(640, 1000), Faithful),
                (Rate::share(660, 1000), Missed),
                (Rate::share(240, 1000), Missed),
            ],
        );
        let never = Target::Within { paper: 0.0, tolerance: 0.0 };
        check(never, &[(Rate::share(0, 10), Faithful), (Rate::share(1, 10_000), Missed)]);
        check(
            Target::Between { paper: 54.0, low: 40.0, high: 90.0 },
            &[
                (exactly(39.9), Missed),
                (exactly(40.0), Faithful),
                (exactly(90.0), Faithful),
                (exactly(90.1), Missed),
            ],
        );
    }

    #[test]
    fn few_games_of_the_paper_tell_nothing_apart() {
        // Three standard errors are 3 · sqrt(0.28 · 0.72/25 + 0.16 · 0.84/200) = 28 points.
        let few = Target::Same { paper: 0.28, games: 25 };
        check(few, &[(Rate::share(32, 200), TooFew), (Rate::share(160, 200), Missed)]);
        check(Target::Same { paper: 0.28, games: 99 }, &[(Rate::share(56, 200), TooFew)]);
        check(Target::Same { paper: 0.28, games: 100 }, &[(Rate::share(56, 200), Faithful)]);
    }

    #[test]
    fn nothing_below_what_is_asked_beats_the_paper() {
        check(
            Target::AtLeast { paper: 0.6, least: 0.59 },
            &[
                (Rate::share(700, 1000), Beat),
                (Rate::share(592, 1000), Match),
                (Rate::share(580, 1000), Missed),
            ],
        );
        // Twice the paper's rate, but less than asked.
        check(
            Target::AtLeast { paper: 0.2, least: 0.6 },
            &[(Rate::share(400, 1000), Missed), (Rate::share(650, 1000), Beat)],
        );
    }

    #[test]
    fn demands_of_ours_are_met_or_missed() {
        for target in [Target::Outdo { other: 0.5 }, Target::at_least(0.5)] {
            check(
                target,
                &[(exactly(0.499), Missed), (exactly(0.5), Match), (exactly(1.0), Match)],
            );
            assert_eq!(target.paper(), None);
            assert_eq!(target.words(Unit::Percent), "at least 50.00 %");
        }
        check(Target::at_most(3.0), &[(exactly(3.0), Match), (exactly(3.1), Missed)]);
        let near = Target::near(0.3, 0.07);
        check(near, &[(exactly(0.22), Missed), (exactly(0.36), Match), (exactly(0.38), Missed)]);
        assert_eq!((near.paper(), &*near.words(Unit::Percent)), (None, "23.00 % to 37.00 %"));
        let faster = Target::at_most_beside(300.0, 3000.0);
        check(faster, &[(exactly(1.0), Match), (exactly(301.0), Missed)]);
        assert_eq!(
            (faster.paper(), &*faster.words(Unit::Number)),
            (Some(3000.0), "at most 300.000")
        );
    }

    #[test]
    fn numbers_without_a_target_are_shown() {
        for target in [Target::None, Target::Beside { paper: 0.2 }] {
            check(target, &[(Rate::share(1, 2), Shown)]);
        }
    }

    #[test]
    fn verdicts_and_targets_read_back() {
        let targets = [Target::at_most_beside(1.0, 2.0), Target::Same { paper: 0.1, games: 10 }];
        for target in targets {
            let text = serde_json::to_string(&target).unwrap();
            assert_eq!(serde_json::from_str::<Target>(&text).unwrap(), target);
        }
        assert_eq!(serde_json::to_string(&TooFew).unwrap(), "\"too-few\"");
    }
}
