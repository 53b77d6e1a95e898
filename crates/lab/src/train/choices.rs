//! Options of learners: described in one place, read from text, checked before work begins.

use std::collections::BTreeMap;
use std::str::FromStr;

use deminer::roster::{self, Roster, Spec};
use deminer_game::{ClueRule, FirstClick, Form, Rules, Size, Start};
use deminer_neural::train::EXACT;
use thiserror::Error;

use super::{LearnerEntry, TrainError};
use crate::artifact_files;

/// An option of a learner.
#[derive(Clone, Copy, Debug)]
pub struct LearnerOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The value where none is given; empty for none.
    pub default: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Whether it belongs to the command line alone: files, threads, sockets.
    pub local: bool,
    /// Whether a training with another value is still the same run.
    pub free: bool,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Takes {
    /// Nothing: it is given or not.
    Flag,
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// A number from the first to the second.
    Number(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A board by name or as WIDTHxHEIGHTxMINES.
    Board,
    /// Boards; the option may be given several times.
    Boards,
    /// An agent.
    Agent,
    /// An agent, or `exact` for exact odds.
    Teacher,
    /// Whole numbers from 1 to 11, with commas between.
    Sides,
    /// The cell of the first click.
    FirstClick,
    /// What clues show.
    Clues,
    /// The name of a file, a folder or an address.
    Text,
}

impl LearnerOption {
    /// An option without a default.
    pub const fn new(name: &'static str, takes: Takes, about: &'static str) -> Self {
        Self { name, takes, default: "", about, local: false, free: false }
    }

    /// The same with a default.
    pub const fn or(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// The same, for the command line alone. It never decides what is learned.
    pub const fn local(self) -> Self {
        Self { local: true, free: true, ..self }
    }

    /// The same, but a training with another value is the same run.
    pub const fn free(self) -> Self {
        Self { free: true, ..self }
    }

    /// Refuses a value that it does not take, with what would be right.
    fn check(&self, text: &str) -> Result<(), OptionError> {
        fn reads<T: FromStr<Err: ToString>>(text: &str) -> Result<(), String> {
            text.parse::<T>().map(|_| ()).map_err(|error| error.to_string())
        }
        let fits = |fits: bool, right: String| if fits { Ok(()) } else { Err(right) };
        let checked = match self.takes {
            Takes::Flag => fits(text == "true", "this takes true or false".into()),
            Takes::Whole(least, most) => {
                let fit = text.parse().is_ok_and(|number: u64| (least..=most).contains(&number));
                let right = match most {
                    u64::MAX if least == 0 => "expected a whole number".to_owned(),
                    u64::MAX => format!("expected a whole number, {least} or more"),
                    _ => format!("expected a whole number from {least} to {most}"),
                };
                fits(fit, right)
            }
            Takes::Number(least, most) => {
                let fit = text.parse().is_ok_and(|number: f64| (least..=most).contains(&number));
                fits(fit, format!("expected a number from {least} to {most}"))
            }
            Takes::OneOf(words) => {
                fits(words.contains(&text), format!("use one of {}", words.join(", ")))
            }
            Takes::Board | Takes::Boards => reads::<Size>(text),
            Takes::Teacher if text == EXACT => Ok(()),
            Takes::Agent | Takes::Teacher => {
                roster::agent(text).map(|_| ()).map_err(|error| error.to_string())
            }
            Takes::Clues => reads::<ClueRule>(text),
            Takes::Sides => {
                let side = |side: &str| side.parse().is_ok_and(|side| (1..=11_u64).contains(&side));
                let right = "expected whole numbers from 1 to 11, with commas between";
                fits(text.split(',').all(side), right.into())
            }
            Takes::FirstClick | Takes::Text => Ok(()),
        };
        checked.map_err(|reason| {
            let reason = match self.takes {
                Takes::Flag => reason,
                _ => format!("`{text}`: {reason}"),
            };
            OptionError { name: self.name.to_owned(), reason }
        })
    }
}

/// An option is unknown, wrong, or does not go with the others.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("--{name}: {reason}")]
pub struct OptionError {
    /// The option.
    pub name: String,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl OptionError {
    /// An error about an option.
    pub fn new(name: &str, reason: impl ToString) -> Self {
        Self { name: name.to_owned(), reason: reason.to_string() }
    }
}

/// The options chosen for a learner.
#[derive(Clone)]
pub struct Choices {
    /// The learner.
    pub entry: &'static LearnerEntry,
    /// The command, for the artifact's header.
    pub command: String,
    /// Agents to learn from, with their artifacts.
    pub roster: Roster,
    given: BTreeMap<&'static str, Vec<String>>,
}

impl Choices {
    /// Checks values by name. A flag that is given has the value `true`.
    pub fn read(
        entry: &'static LearnerEntry,
        command: &str,
        roster: &Roster,
        values: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, OptionError> {
        let mut given: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for (name, value) in values {
            let option = entry.option(&name).ok_or_else(|| {
                let names: Vec<&str> = entry.all_options().map(|option| option.name).collect();
                let reason = format!("there is no such option; there are {}", names.join(", "));
                OptionError { name, reason }
            })?;
            option.check(&value)?;
            given.entry(option.name).or_default().push(value);
        }
        Ok(Self { entry, command: command.to_owned(), roster: roster.clone(), given })
    }

    /// The same with another value.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.given.insert(name, vec![value.to_string()]);
        self
    }

    /// Whether an option is given.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// All values given, or else the default.
    fn texts(&self, name: &str) -> Vec<&str> {
        let option = self.entry.option(name).unwrap_or_else(|| panic!("no option `{name}`"));
        match self.given.get(name) {
            Some(values) => values.iter().map(String::as_str).collect(),
            None => Some(option.default).filter(|text| !text.is_empty()).into_iter().collect(),
        }
    }

    /// The value given, or else the default, if there is one.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts(name).last().copied()
    }

    /// All values given.
    pub fn all<T: FromStr>(&self, name: &str) -> Vec<T> {
        let read = |text: &str| text.parse().ok().expect("options were checked");
        self.texts(name).into_iter().flat_map(|text| text.split(',')).map(read).collect()
    }

    /// The value given, or else the default, if there is one.
    pub fn find<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name).map(|text| text.parse().ok().expect("options were checked"))
    }

    /// The value given, or else the default.
    ///
    /// # Panics
    /// If there is none.
    pub fn get<T: FromStr>(&self, name: &str) -> T {
        self.find(name).unwrap_or_else(|| panic!("option `{name}` has no default"))
    }

    /// The agent that an option names.
    pub fn agent(&self, name: &str) -> Result<Spec, OptionError> {
        let text = self.text(name).unwrap_or_default();
        artifact_files::agent(&self.roster, text).map_err(|error| OptionError::new(name, error))
    }

    /// The rules of games and the first click: the options of `RULES`.
    pub fn rules(&self) -> Result<(Rules, FirstClick), TrainError> {
        let rules = Rules::on(
            self.get::<Form>("shape"),
            self.get::<Size>("board"),
            self.get::<Start>("start"),
        )?
        .with_cascade(self.text("cascade") == Some("on"))
        .with_clues(self.get::<ClueRule>("clues"));
        let at = FirstClick::parse(self.text("at").unwrap_or_default(), rules.shape())
            .map_err(|error| OptionError::new("at", error))?;
        Ok((rules, at))
    }

    /// Refuses options that do not go with another one.
    pub fn refuse(&self, option: &str, others: &[&str]) -> Result<(), OptionError> {
        let other = others.iter().find(|other| self.has(option) && self.has(other));
        let reason = |other: &&str| format!("it cannot be used with `--{other}`");
        other.map_or(Ok(()), |other| Err(OptionError::new(option, reason(other))))
    }

    /// Everything that decides what is learned, in words. A checkpoint of other words belongs to
    /// another run.
    pub fn run(&self) -> String {
        let words = self.entry.all_options().filter(|option| !option.free).filter_map(|option| {
            let texts = self.texts(option.name);
            (!texts.is_empty()).then(|| format!(" {}={}", option.name, texts.join("+")))
        });
        self.entry.name.to_owned() + &words.collect::<String>()
    }
}

impl LearnerEntry {
    /// All options, whatever their group.
    pub fn all_options(&self) -> impl Iterator<Item = &'static LearnerOption> + use<> {
        self.options.iter().flat_map(|group| group.iter())
    }

    /// The option of this name.
    pub fn option(&self, name: &str) -> Option<&'static LearnerOption> {
        self.all_options().find(|option| option.name == name)
    }
}

/// Describes options: the name, the default if there is one, what it takes, what it does, and
/// `local` or `free`.
macro_rules! options {
    ($($name:literal $(= $default:literal)?, $takes:expr, $about:expr $(, $mark:ident)?;)*) => {
        &[$(LearnerOption::new($name, $takes, $about)$(.or($default))?$(.$mark())?),*]
    };
}
pub(super) use options;

/// Any whole number.
pub(super) const ANY: Takes = Takes::Whole(0, u64::MAX);

/// What the first opened cell is promised.
pub(super) const START: Takes = Takes::OneOf(&["unsafe", "safe", "open"]);

/// How a run is kept. The same for all learners.
pub(super) const KEEPING: &[LearnerOption] = options! {
    "out", Takes::Text,
        "Where the artifact is written: a file, or a folder that takes the usual name. Beside it \
         go its learning curve (.svg) and, while it is trained, a checkpoint (.checkpoint).", local;
    "checkpoint", Takes::Text,
        "Keep the run in this file as well after its end; if it exists, continue from it.", local;
    "resume", Takes::Flag, "Continue from a checkpoint; fail if there is none.", local;
    "threads", Takes::Whole(1, 1024), "How many threads work; all cores unless given.", local;
};

/// The same for networks, which are always written.
pub(super) const KEEPING_HERE: &[LearnerOption] =
    &[KEEPING[0].or("."), KEEPING[1], KEEPING[2], KEEPING[3]];

/// The rules of games.
pub(super) const RULES: &[LearnerOption] = options! {
    "board" = "beginner", Takes::Board,
        "beginner, intermediate, expert, or WIDTHxHEIGHTxMINES such as 30x16x99.";
    "shape" = "rect", Takes::OneOf(&["rect", "torus", "hex"]), "How the cells are arranged.";
    "start" = "safe", START,
        "What the first opened cell is promised: nothing, no mine, or no mine around it either.";
    "at" = "corner", Takes::FirstClick,
        "Where the first click goes: corner, random (same cell for all agents), agent (its own \
         choice), or ROW,COLUMN counted from 0.";
    "cascade" = "on", Takes::OneOf(&["on", "off"]), "Whether a zero opens its neighbors.";
    "clues" = "exact", Takes::Clues,
        "What clues show: exact, blind:R (hidden with probability R), optimistic (0 to the count), \
         cautious (the count to 8), or cautious:degree (the count to the neighbors).";
};
