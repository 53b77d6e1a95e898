//! All agents by name, and the specs that choose one: `name[:option[,option…]]`.

mod learned;

use std::fmt;
use std::str::FromStr;

use deminer_game::{Agent, BuildError, Entry, OptionEntry, Options, Rules, Size, Value, Values};
use thiserror::Error;

use learned::{LEARNED, RunArtifact};

/// Every agent there is.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let agents = deminer_agents::ROSTER.iter().chain(LEARNED);
    #[cfg(feature = "neural")]
    let agents = agents.chain(deminer_neural::ROSTER);
    agents
}

/// An agent with its options, as in `single-point:flag`.
#[derive(Clone, Debug)]
pub struct Spec {
    text: String,
    entry: &'static Entry,
    options: Options,
    /// What it plays with, where a run made that: `tree:run-000007`.
    made: Option<RunArtifact>,
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
        match &self.made {
            Some(made) => made.build(self.entry),
            None => (self.entry.build)(&self.options),
        }
    }

    /// The run whose artifact the agent plays with.
    pub fn run(&self) -> Option<&str> {
        self.made.as_ref().map(RunArtifact::run)
    }

    /// The same agent with the artifact of its run.
    pub fn with_artifact(mut self, bytes: Vec<u8>) -> Result<Self, BuildError> {
        if let Some(made) = &mut self.made {
            made.take(self.entry, bytes)?;
        }
        Ok(self)
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
        let lacks = match &self.made {
            Some(made) => made.lacks(self.entry, rules),
            None => (self.entry.lacks)(&self.options, rules),
        };
        match lacks {
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
        let made = rest.and_then(|rest| RunArtifact::parse(entry, rest));
        let options = match made {
            Some(_) => Options::default(),
            None => read_options(entry, rest.unwrap_or_default())?,
        };
        Ok(Self { text: text.to_owned(), entry, options, made })
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

    /// Artifacts as runs make them: the agent, a shipped file, and a board it plays.
    const MADE: &[(&str, &str, &str)] = &[
        ("tree", "trees/lowest-risk-depth-8.tree", "9x9x10"),
        ("gp", "genomes/play.genome", "9x9x10"),
        ("quartetti", "genomes/one-mine.genome", "6x6x1"),
        ("q-table", "q-tables/4x4x3.q", "4x4x3"),
        ("mio", "theories/paper.pl", "9x9x10"),
        #[cfg(feature = "neural")]
        ("cnn-5x5", "networks/cnn-5x5-7x7x5.safetensors", "9x9x10"),
        #[cfg(feature = "neural")]
        ("mlp-full", "networks/mlp-full-orig-7x7x5.safetensors", "7x7x5"),
        #[cfg(feature = "neural")]
        ("msla", "networks/msla-exact.safetensors", "9x9x10"),
    ];

    #[test]
    fn what_a_run_made_plays_once_it_is_at_hand() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts");
        for (agent, file, board) in MADE {
            let named: Spec = format!("{agent}:run-000007").parse().unwrap();
            assert_eq!(named.run(), Some("run-000007"));
            let missing = named.build().map(|_| ()).unwrap_err().to_string();
            assert!(missing.contains("run-000007"), "{missing}");
            let spec = named.clone().with_artifact(std::fs::read(folder.join(file)).unwrap());
            let spec = spec.unwrap_or_else(|error| panic!("{agent}: {error}"));
            assert_eq!(spec.to_string(), format!("{agent}:run-000007"));
            let rules = Rules::of(board.parse().unwrap()).unwrap();
            spec.admit(&rules).unwrap();
            let seed = deminer_game::GameSeed { seed: 1, game: 0 };
            let mut game = deminer_game::Match::new(rules, deminer_game::At::Corner, seed);
            game.play(spec.build().unwrap().as_mut());
            let wrong = named.with_artifact(b"nothing of the kind".to_vec()).unwrap_err();
            assert!(wrong.to_string().starts_with("run-000007: "), "{wrong}");
        }
    }

    #[test]
    fn what_a_run_made_for_one_board_refuses_others() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts");
        let table: Spec = "q-table:run-000001".parse().unwrap();
        let table = table.with_artifact(std::fs::read(folder.join("q-tables/4x4x3.q")).unwrap());
        let rules = Rules::of("5x5x5".parse().unwrap()).unwrap();
        assert!(table.unwrap().admit(&rules).unwrap_err().to_string().contains("no table for it"));
    }

    #[test]
    fn only_learned_agents_come_from_runs() {
        assert!(error("single-point:run-000001").contains("has no option"));
        assert_eq!("tree:run-1x".parse::<Spec>().unwrap().run(), None, "that is a file");
    }

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
