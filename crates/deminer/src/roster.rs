//! All agents by name, and the specs that choose one: `name[:option[,option…]]`.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use deminer_game::{
    Agent, ArtifactKind, Artifacts, BuildError, Entry, OptionEntry, Options, Rules, Size, Value,
    Values, is_run,
};
use thiserror::Error;

#[cfg(feature = "learn")]
const LEARNED: &[Entry] = {
    use deminer_learn::{evolve, ilp, q_table, trees};
    &[
        evolve::ga::ENTRY,
        evolve::ga_plus::ENTRY,
        evolve::gp::ENTRY,
        Entry {
            build: |options| ilp::build(options, deminer_agents::players::guess_by_greatest_ratio),
            ..ilp::ENTRY
        },
        q_table::ENTRY,
        evolve::quartetti::ENTRY,
        trees::ENTRY,
    ]
};

/// All agents.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let agents = deminer_agents::ROSTER.iter();
    #[cfg(feature = "learn")]
    let agents = agents.chain(LEARNED);
    #[cfg(feature = "neural")]
    let agents = agents.chain(deminer_neural::ROSTER);
    agents
}

/// All agents by name, with the artifacts that learned agents play with. Clones are cheap.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    artifacts: Artifacts,
}

impl Roster {
    /// Agents that play with these artifacts.
    pub fn new(artifacts: Artifacts) -> Self {
        Self { artifacts }
    }

    /// The artifacts.
    pub fn artifacts(&self) -> &Artifacts {
        &self.artifacts
    }

    /// The agent that a spec chooses, such as `single-point:flag` or `tree:lowest-risk`.
    pub fn agent(&self, text: &str) -> Result<Spec, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let entry = entries().find(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<&str> = entries().map(|entry| entry.name).collect();
            let (hint, names) =
                (did_you_mean(&nearest(name, entries().map(|entry| entry.name))), names.join(", "));
            SpecError(format!("there is no agent `{name}`{hint}; there are {names}"))
        })?;
        let options = read_options(entry, rest, &self.artifacts)?;
        let options = options.with_artifacts(self.artifacts.clone());
        Ok(Spec { text: text.to_owned(), entry, options, own: None })
    }
}

/// An agent that needs no learned files, by its name and options: `best`, `single-point:flag`.
///
/// # Errors
/// If there is no such agent or option; the message lists the valid ones and the nearest.
pub fn agent(text: &str) -> Result<Spec, SpecError> {
    Roster::default().agent(text)
}

/// An agent with its options and artifacts, as in `single-point:flag`.
#[derive(Clone, Debug)]
pub struct Spec {
    text: String,
    entry: &'static Entry,
    options: Options,
    own: Option<OwnAgent>,
}

/// Makes an agent that is not in the roster.
#[derive(Clone)]
struct OwnAgent(Arc<BuildOwn>);

type BuildOwn = dyn Fn() -> Result<Box<dyn Agent>, BuildError> + Send + Sync;

impl fmt::Debug for OwnAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnAgent")
    }
}

/// The entry of agents that are not in the roster.
const OWN: &Entry = &Entry { name: "own", about: "an agent of your own", ..Entry::PLAIN };

/// The text chooses no agent: what is wrong and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SpecError(String);

/// A hint with the nearest name, for error messages.
pub fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
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
    /// An artifact that it needs for them is missing.
    #[error("agent `{agent}` cannot play {size}: {missing_artifact}")]
    Lacking {
        /// The agent.
        agent: String,
        /// The board.
        size: Size,
        /// Which artifact, and how to get it.
        missing_artifact: String,
    },
}

impl Spec {
    /// An agent of your own, which is not in the roster; `build` makes one for each thread.
    pub fn own(
        name: impl Into<String>,
        build: impl Fn() -> Result<Box<dyn Agent>, BuildError> + Send + Sync + 'static,
    ) -> Self {
        let own = Some(OwnAgent(Arc::new(build)));
        Self { text: name.into(), entry: OWN, options: Options::default(), own }
    }

    /// The roster entry chosen.
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// Makes the agent.
    pub fn build(&self) -> Result<Box<dyn Agent>, BuildError> {
        match &self.own {
            Some(OwnAgent(build)) => build(),
            None => (self.entry.build)(&self.options),
        }
    }

    /// The artifact that the text names: a shipped one, a file, or a training run of the web
    /// server, as in `tree:run-000007`.
    pub fn artifact_name(&self) -> Option<&str> {
        let name = self.options.artifact_name(self.entry.artifact?);
        (!name.is_empty()).then_some(name)
    }

    /// The training run of the web server that the text names.
    pub fn run(&self) -> Option<&str> {
        self.artifact_name().filter(|name| is_run(name))
    }

    /// The same agent with these bytes as the artifact that it names.
    pub fn with_artifact(mut self, bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        if let (Some(kind), Some(name)) = (self.entry.artifact, self.artifact_name()) {
            let mut artifacts = self.options.artifacts().clone();
            artifacts.insert(kind.path(name), bytes);
            self.options = self.options.with_artifacts(artifacts);
        }
        self
    }

    /// The same agent, giving its estimates at every decision if it has the option `estimates`.
    pub fn with_estimates(&self) -> Spec {
        const ESTIMATES: &str = "estimates";
        let flag = |option: &OptionEntry| {
            option.name == ESTIMATES && matches!(option.values, Values::Flag)
        };
        if !self.entry.options.iter().any(flag) || self.options.flag(ESTIMATES) {
            return self.clone();
        }
        let mark = if self.text.contains(':') { ',' } else { ':' };
        Spec {
            text: format!("{}{mark}{ESTIMATES}", self.text),
            entry: self.entry,
            options: self.options.clone().with(ESTIMATES, Value::Flag),
            own: None,
        }
    }

    /// Whether the agent can be built and plays these rules.
    pub fn can_play(&self, rules: &Rules) -> bool {
        self.admit(rules).is_ok() && self.build().is_ok()
    }

    /// Whether the agent plays these rules; if not, the error lists agents that do, or what is
    /// missing.
    pub fn admit(&self, rules: &Rules) -> Result<(), RefusalError> {
        let agent = self.text.clone();
        if let Some(refused) = self.entry.supports.refusal(rules) {
            let able = entries().filter(|entry| entry.supports.admits(rules));
            let able = able.map(|entry| entry.name).collect();
            return Err(RefusalError::Unfit { agent, refused, able });
        }
        match (self.entry.missing_artifact)(&self.options, rules) {
            Some(missing_artifact) => {
                Err(RefusalError::Lacking { agent, size: rules.size(), missing_artifact })
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
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

/// Reads the options of a spec: words and numbers, or the name of an artifact.
fn read_options(
    entry: &'static Entry,
    text: &str,
    artifacts: &Artifacts,
) -> Result<Options, SpecError> {
    if let Some(option) = entry.options.iter().find(|option| matches!(option.values, Values::Rest))
    {
        return Ok(Options::default().with(option.name, Value::Word(text.to_owned())));
    }
    let is_artifact =
        |kind: &ArtifactKind| is_run(text) || artifacts.get(&kind.path(text)).is_some();
    if let Some(kind) = entry.artifact.filter(is_artifact) {
        return Ok(Options::default().with(kind.name, Value::Word(text.to_owned())));
    }
    let mut values: Vec<(&'static str, Value)> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (option, value) = read_option(entry, part)?;
        if values.iter().any(|(given, _)| *given == option.name) {
            let (agent, option) = (entry.name, option.name);
            return Err(SpecError(format!(
                "agent `{agent}`: the option `{option}` is given twice"
            )));
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
    let has_word = |option: &&OptionEntry| match option.values {
        Values::OneOf(words) => value.is_none() && words.contains(&name),
        _ => false,
    };
    let agent = entry.name;
    if let Some(option) = entry.options.iter().find(|option| option.name == name) {
        let wrong =
            || format!("agent `{agent}`: `{part}` does not fit the option {}", usage(option));
        let value = read_value(option.values, value).ok_or_else(|| SpecError(wrong()))?;
        return Ok((option, value));
    }
    if let Some(option) = entry.options.iter().find(has_word) {
        return Ok((option, Value::Word(name.to_owned())));
    }
    let words = entry.options.iter().flat_map(|option| match option.values {
        Values::OneOf(words) => words,
        _ => &[],
    });
    let names = entry.options.iter().map(|option| option.name).chain(words.copied());
    let hint = did_you_mean(&nearest(name, names));
    let options: Vec<String> = entry.options.iter().map(usage).collect();
    let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
    Err(SpecError(format!("agent `{agent}` has no option `{name}`{hint}; it takes {options}")))
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
        Roster::default().agent(text).unwrap_err().to_string()
    }

    fn shipped() -> Roster {
        Roster::new(deminer_artifacts::shipped())
    }

    fn build_error(spec: &Spec) -> String {
        spec.build().err().unwrap_or_else(|| panic!("{spec} is built")).to_string()
    }

    #[test]
    fn unknown_names_list_the_valid_ones_and_the_nearest() {
        let message = error("single-pont");
        let start = "there is no agent `single-pont` (did you mean `single-point`?); there are ";
        let names = message.strip_prefix(start).expect("the nearest first");
        assert!(entries().all(|entry| names.split(", ").any(|name| name == entry.name)));
        let flags = "has no option `flags` (did you mean `flag`?); it takes flag";
        assert_eq!(error("single-point:flags"), format!("agent `single-point` {flags}"));
        assert_eq!(error("random:fast"), "agent `random` has no option `fast`; it takes none");
        for (options, fault) in [
            ("flag=yes", "`flag=yes` does not fit the option flag"),
            ("flag,flag", "the option `flag` is given twice"),
        ] {
            let spec = format!("single-point:{options}");
            assert_eq!(error(&spec), format!("agent `single-point`: {fault}"));
        }
    }

    #[test]
    fn an_agent_of_your_own_is_built_by_its_function_and_plays_all_rules() {
        let spec = Spec::own("mine", || agent("random").expect("it is in the roster").build());
        assert_eq!((spec.to_string().as_str(), spec.entry().name), ("mine", "own"));
        let rules = Rules::of("9x9x10".parse().unwrap()).unwrap();
        assert!(spec.can_play(&rules) && spec.clone().with_estimates().build().is_ok());
        let broken = Spec::own("broken", || Err(BuildError("no network".into())));
        assert_eq!(build_error(&broken), "no network");
    }

    #[cfg(feature = "learn")]
    #[test]
    fn a_missing_artifact_is_named_with_those_that_are_shipped() {
        for (agent, kind, shipped_names) in [
            ("mio", "theory", "beyond, paper"),
            ("tree", "tree", "cnn-5x5, lowest-risk-depth-8, lowest-risk"),
            ("gp", "genome", "fields, one-mine, play, six-by-six"),
            ("quartetti", "genome", "fields, one-mine, play, six-by-six"),
            ("q-table", "table", "4x4x3, 5x5x5"),
        ] {
            let spec = shipped().agent(&format!("{agent}:no/file")).unwrap();
            assert_eq!(
                build_error(&spec),
                format!(
                    "there is no file `no/file`, and no {kind} `no/file` is shipped, only \
                     {shipped_names}"
                )
            );
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

    /// An agent, a shipped artifact it plays with, and a board it plays.
    const LEARNED: &[(&str, &str, &str)] = &[
        #[cfg(feature = "learn")]
        ("tree", "trees/lowest-risk-depth-8.tree", "9x9x10"),
        #[cfg(feature = "learn")]
        ("gp", "genomes/play.genome", "9x9x10"),
        #[cfg(feature = "learn")]
        ("quartetti", "genomes/one-mine.genome", "6x6x1"),
        #[cfg(feature = "learn")]
        ("q-table", "q-tables/4x4x3.q", "4x4x3"),
        #[cfg(feature = "learn")]
        ("mio", "theories/paper.pl", "9x9x10"),
        #[cfg(feature = "neural")]
        ("cnn-5x5", "networks/cnn-5x5-7x7x5.safetensors", "9x9x10"),
        #[cfg(feature = "neural")]
        ("mlp-full", "networks/mlp-full-orig-7x7x5.safetensors", "7x7x5"),
        #[cfg(feature = "neural")]
        ("msla", "networks/msla-exact.safetensors", "9x9x10"),
    ];

    #[test]
    fn agents_play_with_the_artifact_of_a_run_once_they_have_it() {
        let shipped = shipped();
        for (agent, file, board) in LEARNED {
            let named = Roster::default().agent(&format!("{agent}:run-000007")).unwrap();
            assert_eq!(named.run(), Some("run-000007"));
            assert!(build_error(&named).starts_with("what run-000007 learned is missing"));
            let bytes = shipped.artifacts().get(file).unwrap().to_vec();
            let spec = named.clone().with_artifact(bytes);
            assert_eq!(spec.to_string(), format!("{agent}:run-000007"));
            let rules = Rules::of(board.parse().unwrap()).unwrap();
            spec.admit(&rules).unwrap();
            let seed = deminer_game::GameSeed { seed: 1, game: 0 };
            let mut game = deminer_game::Match::new(rules, deminer_game::FirstClick::Corner, seed);
            game.play(spec.build().unwrap().as_mut());
            let wrong = build_error(&named.with_artifact(b"nothing of the kind".to_vec()));
            assert!(wrong.starts_with("run-000007: "), "{wrong}");
        }
    }

    #[cfg(feature = "learn")]
    #[test]
    fn an_artifact_for_one_board_refuses_others() {
        let bytes = shipped().artifacts().get("q-tables/4x4x3.q").unwrap().to_vec();
        let table = Roster::default().agent("q-table:run-000001").unwrap().with_artifact(bytes);
        let rules = Rules::of("5x5x5".parse().unwrap()).unwrap();
        assert!(table.admit(&rules).unwrap_err().to_string().contains("no table for it"));
    }

    #[cfg(all(feature = "learn", feature = "neural"))]
    #[test]
    fn only_learned_agents_come_from_runs() {
        assert!(error("single-point:run-000001").contains("has no option"));
        assert!(error("cnn-5x5:run-1x").contains("has no option"));
        let roster = shipped();
        assert_eq!(roster.agent("tree:run-1x").unwrap().run(), None, "that is a file");
        let theory = roster.agent("mio:beyond+prob").unwrap();
        assert_eq!(theory.artifact_name(), Some("beyond"));
        let bytes = roster.artifacts().get("networks/convnet.safetensors").unwrap().to_vec();
        let other = roster.agent("cnn-5x5:run-000001").unwrap().with_artifact(bytes);
        let message = "run-000001: this is a network of `convnet`, not of `cnn-5x5`";
        assert_eq!(build_error(&other), message);
    }

    #[cfg(feature = "neural")]
    #[test]
    fn networks_are_chosen_by_name_where_they_are_present() {
        let named = "cnn-5x5:cnn-5x5-orig-7x7x5";
        let spec = shipped().agent(named).unwrap();
        assert_eq!((spec.artifact_name(), spec.run()), (Some("cnn-5x5-orig-7x7x5"), None));
        spec.build().map(drop).unwrap();
        assert!(error(named).contains("has no option"));
        let other = shipped().agent("mlp-5x5:cnn-5x5-orig-7x7x5").unwrap();
        assert!(build_error(&other).contains("this is a network of `cnn-5x5`, not of `mlp-5x5`"));
    }

    #[test]
    fn options_are_words_lists_and_numbers() {
        let entry: &'static Entry = &ENTRY;
        let read_options = |entry, text| read_options(entry, text, &Artifacts::default());
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
    fn estimates_are_asked_for_where_an_agent_has_them() {
        let with_estimates =
            |text: &str| Roster::default().agent(text).unwrap().with_estimates().to_string();
        assert_eq!(with_estimates("lowest-risk"), "lowest-risk:estimates");
        assert_eq!(with_estimates("lowest-risk:estimates"), "lowest-risk:estimates");
        assert_eq!(with_estimates("single-point:flag"), "single-point:flag");
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
