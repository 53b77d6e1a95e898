//! Roster entries: what an agent is, its options, and how it is built.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use thiserror::Error;

use crate::{Agent, ArtifactKind, Artifacts, ClueKind, Form, Rules};

/// An agent as the roster lists it. The agent's file holds it as `ENTRY`:
///
/// ```
/// # use deminer_game::*;
/// # struct Timid;
/// # impl Agent for Timid {
/// #     fn decide(&mut self, _: &View, _: &mut Rng) -> Decision { Decision::decline() }
/// # }
/// pub const ENTRY: Entry = Entry {
///     name: "timid",
///     about: "opens nothing that is not proved",
///     build: |_| Ok(Box::new(Timid)),
///     ..Entry::PLAIN
/// };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in agent specs.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What it is made of.
    pub kind: Kind,
    /// Author, title and year of the paper it comes from.
    pub paper: Option<&'static str>,
    /// The options it takes.
    pub options: &'static [OptionEntry],
    /// The shapes and rules it can play.
    pub supports: Supports,
    /// The kind of artifact it plays with, if it learned.
    pub artifact: Option<ArtifactKind>,
    /// The artifact that an agent with these options lacks for these rules, in words, and how to
    /// get it.
    pub missing_artifact: fn(&Options, &Rules) -> Option<String>,
    /// Makes one. The options have been checked against [`Entry::options`].
    pub build: fn(&Options) -> Result<Box<dyn Agent>, BuildError>,
}

impl Entry {
    /// An entry to fill in: a baseline without paper or options that plays everything.
    pub const PLAIN: Entry = Entry {
        name: "",
        about: "",
        kind: Kind::Baseline,
        paper: None,
        options: &[],
        supports: Supports::ALL,
        artifact: None,
        missing_artifact: |_, _| None,
        build: |_| Err(BuildError("this entry builds nothing".into())),
    };
}

/// What an agent is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A yardstick for the others.
    Baseline,
    /// Hand-made rules.
    Logic,
    /// Exact probabilities.
    Odds,
    /// Looks ahead.
    Search,
    /// A neural network.
    Network,
    /// Rules learned by induction.
    Induction,
    /// A decision tree.
    Tree,
    /// Genetic algorithms and programs.
    Evolution,
}
crate::words!(
    Kind, "a kind of agent":
    Baseline = "baseline", Logic = "logic", Odds = "odds", Search = "search", Network = "network",
    Induction = "induction", Tree = "tree", Evolution = "evolution",
);

/// The shapes and rules an agent can play. Every start rule is fine for everyone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Supports {
    /// Shapes.
    pub forms: &'static [Form],
    /// Clue rules.
    pub clues: &'static [ClueKind],
    /// Whether it can play without cascade.
    pub no_cascade: bool,
    /// The most layouts that a board may have, for agents that try them all.
    pub layouts: Option<u64>,
}

impl Supports {
    /// Plays everything.
    pub const ALL: Supports =
        Supports { forms: &Form::ALL, clues: &ClueKind::ALL, no_cascade: true, layouts: None };

    /// Clues that are numbers or nothing.
    pub const NUMBERS: Supports =
        Supports { clues: &[ClueKind::Exact, ClueKind::Blind], ..Supports::ALL };

    /// Whether these rules are among them.
    pub fn admits(&self, rules: &Rules) -> bool {
        self.refusal(rules).is_none()
    }

    /// Which of the rules the agent cannot play, as words, such as `shape hex`.
    pub fn refusal(&self, rules: &Rules) -> Option<String> {
        if !self.forms.contains(&rules.shape().form()) {
            return Some(format!("shape {}", rules.shape().form()));
        }
        if !self.clues.contains(&rules.clues().kind()) {
            return Some(format!("clues {}", rules.clues()));
        }
        if !self.no_cascade && !rules.cascade() {
            return Some("cascade off".to_owned());
        }
        let most = self.layouts.filter(|&most| rules.has_more_layouts(most, 0))?;
        Some(format!("boards of more than {most} layouts"))
    }
}

/// An option of an agent.
#[derive(Clone, Copy, Debug)]
pub struct OptionEntry {
    /// The word in the spec.
    pub name: &'static str,
    /// What may follow it.
    pub values: Values,
    /// What it does, in one line.
    pub about: &'static str,
}

/// The values an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// None: the word alone turns it on.
    Flag,
    /// One of these: `name=word`, or the word alone.
    OneOf(&'static [&'static str]),
    /// Some of these: `name=word+word`.
    ListOf(&'static [&'static str]),
    /// A number from the first to the second: `name=0.05`.
    Number(f64, f64),
    /// Everything after `name:`, as in `tree:cnn-5x5`.
    Rest,
}

/// An option's value, checked against its [`Values`].
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// The flag is given.
    Flag,
    /// One of the words.
    Word(String),
    /// Some of the words.
    List(Vec<String>),
    /// A number.
    Number(f64),
}

/// The options of one agent, checked against its entry, and the artifacts it may use.
#[derive(Clone, Debug, Default)]
pub struct Options {
    values: Vec<(&'static str, Value)>,
    artifacts: Artifacts,
}

impl Options {
    /// The options as given, without artifacts.
    pub fn new(values: Vec<(&'static str, Value)>) -> Self {
        Self { values, artifacts: Artifacts::default() }
    }

    /// The same options with one more.
    pub fn with(mut self, name: &'static str, value: Value) -> Self {
        self.values.push((name, value));
        self
    }

    /// The same options with these artifacts.
    pub fn with_artifacts(self, artifacts: Artifacts) -> Self {
        Self { artifacts, ..self }
    }

    /// The artifacts that the agent may use.
    pub fn artifacts(&self) -> &Artifacts {
        &self.artifacts
    }

    /// The name of the artifact that is asked for; empty if none is.
    pub fn artifact_name(&self, kind: ArtifactKind) -> &str {
        let name = self.word(kind.name, "");
        name.strip_suffix(kind.suffix).unwrap_or(name)
    }

    /// The artifact that is asked for, or else the default, parsed once.
    pub fn artifact<T: Send + Sync + 'static, E: Display>(
        &self,
        kind: ArtifactKind,
        default: &str,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<Arc<T>, BuildError> {
        let name = match self.artifact_name(kind) {
            "" => default,
            name => name,
        };
        match self.artifacts.read(&kind.path(name), parse) {
            Some(read) => read.map_err(|error| BuildError(format!("{name}: {error}").into())),
            None => Err(self.missing(kind, name)),
        }
    }

    fn missing(&self, kind: ArtifactKind, name: &str) -> BuildError {
        if is_run(name) {
            let message = format!(
                "what {name} learned is missing: only the server that keeps the run has it"
            );
            return BuildError(message.into());
        }
        let shipped: Vec<&str> = self.artifacts.names(kind).collect();
        let (kind, shipped) = (kind.name, shipped.join(", "));
        BuildError(
            format!("there is no file `{name}`, and no {kind} `{name}` is shipped, only {shipped}")
                .into(),
        )
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// Whether the flag is given.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The word given, or the default.
    pub fn word<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        match self.get(name) {
            Some(Value::Word(word)) => word,
            _ => default,
        }
    }

    /// The words given, if any.
    pub fn list(&self, name: &str) -> Option<&[String]> {
        match self.get(name) {
            Some(Value::List(words)) => Some(words),
            _ => None,
        }
    }

    /// The number given, or the default.
    pub fn number(&self, name: &str, default: f64) -> f64 {
        match self.get(name) {
            Some(&Value::Number(number)) => number,
            _ => default,
        }
    }
}

/// Whether an artifact is named after a training run of the web server, such as `run-000007`.
pub fn is_run(name: &str) -> bool {
    let digits = name.strip_prefix("run-").unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// An agent could not be built, though its options are well-formed: an artifact is missing or
/// damaged, say.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct BuildError(pub Cow<'static, str>);
