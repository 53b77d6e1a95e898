//! All agents by name, and the specs that choose one: `name[:option[,option…]]`.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;

use deminer_game::{Agent, BuildError, Entry, OptionEntry, Options, Rules, Size, Value, Values};
use deminer_learn::evolve;
use deminer_learn::ilp::{self, MioPlayer, Rulebook, Theory};
use deminer_learn::q_table;
use deminer_learn::trees::{Artifact, TreePlayer};
use thiserror::Error;

/// Every agent there is.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let agents = deminer_agents::ROSTER.iter().chain(LEARNED);
    #[cfg(feature = "neural")]
    let agents = agents.chain(deminer_neural::ROSTER);
    agents
}

/// Learned agents that are shipped, or read from a file.
const LEARNED: &[Entry] = &[
    evolve::ga::ENTRY,
    evolve::ga_plus::ENTRY,
    Entry { build: gp, ..evolve::gp::ENTRY },
    Entry { build: mio, ..ilp::ENTRY },
    Entry { build: q_table_player, lacks: q_table_lacks, ..q_table::ENTRY },
    Entry { build: quartetti, ..evolve::quartetti::ENTRY },
    Entry { build: tree, ..deminer_learn::trees::ENTRY },
];

/// The theory in the file of this name, or the shipped one; with `+prob` behind it, guesses are
/// weighed.
fn mio(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let name = options.word("theory", "");
    let (name, guess): (&str, ilp::Guess) = match name.strip_suffix("+prob") {
        Some(name) => (name, deminer_agents::guess_by_greatest_ratio),
        None => (name, ilp::blind),
    };
    let read = |bytes: &[u8]| {
        let theory = Theory::read(&String::from_utf8_lossy(bytes)).map_err(as_build_error)?;
        Ok(Arc::new(Rulebook::new(&theory)))
    };
    let rulebook = file_or_shipped(name, read, || ilp::shipped(name))?;
    Ok(Box::new(MioPlayer::new(rulebook, guess)))
}

/// The genome in the file of this name, or the shipped one.
fn gp(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    genome(options, evolve::gp::ENTRY, |genome| Ok(Box::new(evolve::gp::GpPlayer::of(genome)?)))
}

fn quartetti(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    genome(options, evolve::quartetti::ENTRY, |genome| {
        Ok(Box::new(evolve::quartetti::QuartettiPlayer::of(genome)?))
    })
}

fn genome(
    options: &Options,
    shipped: Entry,
    player: fn(&evolve::Artifact) -> Result<Box<dyn Agent>, evolve::ReadGenomeError>,
) -> Result<Box<dyn Agent>, BuildError> {
    let read = |bytes: &[u8]| {
        let genome = evolve::Artifact::read(&String::from_utf8_lossy(bytes));
        genome.and_then(|genome| player(&genome)).map_err(as_build_error)
    };
    file_or_shipped(options.word("genome", ""), read, || (shipped.build)(options))
}

/// The tree in the file of this name, or the shipped one.
fn tree(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let read = |bytes: &[u8]| -> Result<Box<dyn Agent>, BuildError> {
        let artifact = Artifact::read(bytes).map_err(as_build_error)?;
        Ok(Box::new(TreePlayer::new(artifact.tree)))
    };
    let shipped = || (deminer_learn::trees::ENTRY.build)(options);
    file_or_shipped(options.word("tree", ""), read, shipped)
}

/// The table in the file of this name, or the shipped ones.
fn q_table_player(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let read = |bytes: &[u8]| -> Result<Box<dyn Agent>, BuildError> {
        let table = read_q_table(bytes).map_err(as_build_error)?;
        Ok(Box::new(q_table::Player::new(vec![Arc::new(table)])))
    };
    file_or_shipped(options.word("table", ""), read, || (q_table::ENTRY.build)(options))
}

/// A file that holds no table is told of when it is built.
fn q_table_lacks(options: &Options, rules: &Rules) -> Option<String> {
    match std::fs::read(options.word("table", "")) {
        Ok(bytes) => q_table::lacks(std::iter::once(&read_q_table(&bytes).ok()?), rules),
        Err(_) => (q_table::ENTRY.lacks)(options, rules),
    }
}

fn read_q_table(bytes: &[u8]) -> Result<q_table::Table, q_table::ArtifactError> {
    Ok(q_table::Artifact::read(&String::from_utf8_lossy(bytes))?.table)
}

/// What the file of this name holds, or else what is shipped under the name.
fn file_or_shipped<T>(
    name: &str,
    read: impl FnOnce(&[u8]) -> Result<T, BuildError>,
    shipped: impl FnOnce() -> Result<T, BuildError>,
) -> Result<T, BuildError> {
    match std::fs::read(name) {
        Ok(bytes) => read(&bytes).map_err(|error| as_build_error(format!("{name}: {error}"))),
        Err(error) => shipped().map_err(|unknown| {
            as_build_error(match error.kind() {
                io::ErrorKind::NotFound => format!("there is no file `{name}`, and {unknown}"),
                _ => format!("cannot read `{name}` ({error}), and {unknown}"),
            })
        }),
    }
}

fn as_build_error(error: impl fmt::Display) -> BuildError {
    BuildError(error.to_string().into())
}

/// An agent with its options, as in `single-point:flag`.
#[derive(Clone, Debug)]
pub struct Spec {
    text: String,
    entry: &'static Entry,
    options: Options,
}

/// The text chooses no agent.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SpecError {
    /// No agent has this name.
    #[error("there is no agent `{name}`{}; there are {}", did_you_mean(nearest), names.join(", "))]
    Agent {
        /// The name given.
        name: String,
        /// The name it resembles most.
        nearest: Option<String>,
        /// All names.
        names: Vec<String>,
    },
    /// The agent has no such option.
    #[error(
        "agent `{agent}` has no option `{option}`{}; {}",
        did_you_mean(nearest),
        list_options(options)
    )]
    Option {
        /// The agent.
        agent: &'static str,
        /// The option given.
        option: String,
        /// The option it resembles most.
        nearest: Option<String>,
        /// How its options are written.
        options: Vec<String>,
    },
    /// The option takes no such value.
    #[error("agent `{agent}`: `{value}` does not fit the option {option}")]
    Value {
        /// The agent.
        agent: &'static str,
        /// The value given.
        value: String,
        /// How the option is written.
        option: String,
    },
    /// An option twice.
    #[error("agent `{agent}`: the option `{option}` is given twice")]
    Twice {
        /// The agent.
        agent: &'static str,
        /// The option.
        option: &'static str,
    },
}

pub(crate) fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

fn list_options(options: &[String]) -> String {
    if options.is_empty() {
        "it takes none".into()
    } else {
        format!("it takes {}", options.join(", "))
    }
}

/// Why an agent cannot play some rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RefusalError {
    /// It is not made for them.
    #[error("agent `{agent}` cannot play {refused}; these can: {}", able.join(", "))]
    Unfit {
        /// The agent.
        agent: String,
        /// What it is not made for.
        refused: String,
        /// Agents that are.
        able: Vec<&'static str>,
    },
    /// Something it needs for them is not at hand.
    #[error("agent `{agent}` cannot play {size}: {lacks}")]
    Lacking {
        /// The agent.
        agent: String,
        /// The board.
        size: Size,
        /// What it is, and how to get it.
        lacks: String,
    },
}

impl Spec {
    /// The roster entry chosen.
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// Makes the agent.
    pub fn build(&self) -> Result<Box<dyn Agent>, BuildError> {
        (self.entry.build)(&self.options)
    }

    /// The same agent telling what it believes at every decision, where it has the option
    /// `estimates` for that: for whoever learns from it.
    pub fn telling(&self) -> Spec {
        let flag = |option: &OptionEntry| {
            option.name == "estimates" && matches!(option.values, Values::Flag)
        };
        if !self.entry.options.iter().any(flag) || self.options.flag("estimates") {
            return self.clone();
        }
        let mark = if self.text.contains(':') { ',' } else { ':' };
        format!("{}{mark}estimates", self.text).parse().expect("one more flag fits")
    }

    /// Whether the agent can play these rules; if not, the error lists those that can, or tells
    /// what is missing.
    pub fn admit(&self, rules: &Rules) -> Result<(), RefusalError> {
        let agent = self.text.clone();
        if let Some(refused) = self.entry.supports.refusal(rules) {
            let able = entries().filter(|entry| entry.supports.admits(rules));
            let able = able.map(|entry| entry.name).collect();
            return Err(RefusalError::Unfit { agent, refused, able });
        }
        match (self.entry.lacks)(&self.options, rules) {
            Some(lacks) => Err(RefusalError::Lacking { agent, size: rules.size(), lacks }),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let entry = entries().find(|entry| entry.name == name).ok_or_else(|| SpecError::Agent {
            name: name.to_owned(),
            nearest: nearest(name, entries().map(|entry| entry.name)),
            names: entries().map(|entry| entry.name.to_owned()).collect(),
        })?;
        let options = read_options(entry, rest.unwrap_or_default())?;
        Ok(Self { text: text.to_owned(), entry, options })
    }
}

/// The name most like the one given, if any is like it at all.
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    names
        .map(|name| (strsim::jaro_winkler(given, name), name))
        .filter(|&(likeness, _)| likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.to_owned())
}

/// How an option is written, as in `margin=NUMBER`.
pub fn usage(option: &OptionEntry) -> String {
    let name = option.name;
    match option.values {
        Values::Flag => name.to_owned(),
        Values::OneOf(words) => format!("{name}={}", words.join("|")),
        Values::ListOf(words) => format!("{name}=WORD+WORD… of {}", words.join(" ")),
        Values::Number(low, high) => format!("{name}=NUMBER from {low} to {high}"),
        Values::Rest => format!("<{name}>"),
    }
}

fn read_options(entry: &'static Entry, text: &str) -> Result<Options, SpecError> {
    if let Some(option) = entry.options.iter().find(|option| matches!(option.values, Values::Rest))
    {
        return Ok(Options::new(vec![(option.name, Value::Word(text.to_owned()))]));
    }
    let mut values: Vec<(&'static str, Value)> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (option, value) = read_option(entry, part)?;
        if values.iter().any(|(given, _)| *given == option.name) {
            return Err(SpecError::Twice { agent: entry.name, option: option.name });
        }
        values.push((option.name, value));
    }
    Ok(Options::new(values))
}

/// Reads `flag`, `word` (one of an option's words) or `name=value`.
fn read_option(
    entry: &'static Entry,
    part: &str,
) -> Result<(&'static OptionEntry, Value), SpecError> {
    let (name, value) = match part.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (part, None),
    };
    let by_word = || {
        entry.options.iter().find(|option| match option.values {
            Values::OneOf(words) => value.is_none() && words.contains(&name),
            _ => false,
        })
    };
    if let Some(option) = entry.options.iter().find(|option| option.name == name) {
        let wrong = || SpecError::Value {
            agent: entry.name,
            value: part.to_owned(),
            option: usage(option),
        };
        let value = read_value(option.values, value).ok_or_else(wrong)?;
        return Ok((option, value));
    }
    if let Some(option) = by_word() {
        return Ok((option, Value::Word(name.to_owned())));
    }
    let words = entry.options.iter().flat_map(|option| match option.values {
        Values::OneOf(words) => words.to_vec(),
        _ => Vec::new(),
    });
    let names = entry.options.iter().map(|option| option.name).chain(words);
    Err(SpecError::Option {
        agent: entry.name,
        option: name.to_owned(),
        nearest: nearest(name, names),
        options: entry.options.iter().map(usage).collect(),
    })
}

fn read_value(values: Values, text: Option<&str>) -> Option<Value> {
    match (values, text) {
        (Values::Flag, None) => Some(Value::Flag),
        (Values::OneOf(words), Some(text)) if words.contains(&text) => {
            Some(Value::Word(text.into()))
        }
        (Values::ListOf(words), Some(text)) => {
            let list: Vec<String> =
                text.split('+').filter(|word| !word.is_empty()).map(str::to_owned).collect();
            list.iter().all(|word| words.contains(&word.as_str())).then_some(Value::List(list))
        }
        (Values::Number(low, high), Some(text)) => {
            text.parse().ok().filter(|number| (low..=high).contains(number)).map(Value::Number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Spec>().unwrap_err().to_string()
    }

    #[test]
    fn unknown_names_list_the_valid_ones_and_the_nearest() {
        let message = error("single-pont");
        let start = "there is no agent `single-pont` (did you mean `single-point`?); there are ";
        let names = message.strip_prefix(start).expect("the nearest first");
        assert!(entries().all(|entry| names.split(", ").any(|name| name == entry.name)));
        assert_eq!(
            error("single-point:flags"),
            "agent `single-point` has no option `flags` (did you mean `flag`?); it takes flag"
        );
        assert_eq!(error("random:fast"), "agent `random` has no option `fast`; it takes none");
        assert_eq!(
            error("single-point:flag=yes"),
            "agent `single-point`: `flag=yes` does not fit the option flag"
        );
        assert_eq!(
            error("single-point:flag,flag"),
            "agent `single-point`: the option `flag` is given twice"
        );
    }

    #[test]
    fn files_that_are_missing_or_no_use_are_told() {
        let build_error = |text: &str| match text.parse::<Spec>().unwrap().build() {
            Ok(_) => panic!("{text} is built"),
            Err(error) => error.to_string(),
        };
        for (agent, kind, shipped) in [
            ("mio", "theory", "paper, beyond"),
            ("tree", "tree", "lowest-risk, lowest-risk-depth-8, cnn-5x5"),
            ("gp", "genome", "play, fields"),
            ("quartetti", "genome", "one-mine"),
            ("q-table", "table", "4x4x3, 5x5x5"),
        ] {
            assert_eq!(
                build_error(&format!("{agent}:no/file")),
                format!(
                    "there is no file `no/file`, and no {kind} `no/file` is shipped, only {shipped}"
                )
            );
            let error = build_error(&format!("{agent}:Cargo.toml"));
            assert!(error.starts_with("Cargo.toml: "), "{error}");
            let error = build_error(&format!("{agent}:src"));
            assert!(error.starts_with("cannot read `src` ("), "{error}");
        }
    }

    const ENTRY: Entry = Entry {
        name: "test",
        options: &[
            OptionEntry { name: "mode", values: Values::OneOf(&["slow", "fast"]), about: "" },
            OptionEntry { name: "stages", values: Values::ListOf(&["a", "b"]), about: "" },
            OptionEntry { name: "margin", values: Values::Number(0.0, 1.0), about: "" },
        ],
        ..Entry::PLAIN
    };

    #[test]
    fn options_are_words_lists_and_numbers() {
        let entry: &'static Entry = &ENTRY;
        let options = read_options(entry, "fast,stages=a+b,margin=0.25").unwrap();
        assert_eq!(options.word("mode", "slow"), "fast");
        assert_eq!(options.list("stages").unwrap(), ["a", "b"]);
        assert_eq!(options.number("margin", 0.0), 0.25);
        assert_eq!(read_options(entry, "mode=slow").unwrap().word("mode", "fast"), "slow");
        assert_eq!(read_options(entry, "stages=").unwrap().list("stages").unwrap().len(), 0);
        for wrong in ["mode=quick", "stages=a+c", "margin=2", "margin=x", "mode", "slow=1"] {
            assert!(read_options(entry, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn agents_are_asked_to_tell_where_they_can() {
        let telling = |text: &str| text.parse::<Spec>().unwrap().telling().to_string();
        assert_eq!(telling("lowest-risk"), "lowest-risk:estimates");
        assert_eq!(telling("lowest-risk:estimates"), "lowest-risk:estimates");
        assert_eq!(telling("single-point:flag"), "single-point:flag");
    }

    #[test]
    fn every_name_and_option_can_be_written_in_a_spec() {
        for entry in entries() {
            let plain = |text: &str| !text.contains([':', ',', '=', '+', ' ']) && !text.is_empty();
            assert!(plain(&entry.name.replace('+', "")), "{}", entry.name);
            assert!(!entry.about.is_empty(), "{}", entry.name);
            assert!(entry.options.iter().all(|option| plain(option.name)), "{}", entry.name);
            assert_eq!(entries().filter(|other| other.name == entry.name).count(), 1);
        }
    }
}
