//! What a durable run plays, and the TOML text that says so.

use std::fmt;
use std::num::NonZero;
use std::ops::Range;
use std::str::FromStr;

use deminer_game::{At, ClueRule, Form, Rules, Size, Start};
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_writer::ToTomlValue;
use twox_hash::XxHash64;

use crate::measure::Measure;
use crate::provenance::Provenance;
use crate::roster::{Spec, did_you_mean, nearest};
use crate::run::{Estimator, Tournament};

/// All that decides a durable run: a tournament from game 0 on, cut into shards.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// Who plays; nobody twice.
    pub agents: Vec<Spec>,
    /// By which rules.
    pub rules: Rules,
    /// Where the first click goes.
    pub at: At,
    /// The run's seed.
    pub seed: u64,
    /// How many games each agent plays.
    pub games: u64,
    /// Games in a shard; the last one may have fewer. A shard that is not finished is played
    /// again from its first game, so it should take seconds to minutes, not hours.
    pub shard: NonZero<u64>,
    /// How win rates are found.
    pub estimator: Estimator,
    /// What is measured beyond them; plain games only.
    pub measures: Vec<Measure>,
}

/// The games of a shard, where nothing else is asked for.
pub const SHARD: NonZero<u64> = NonZero::new(10_000).expect("not zero");

/// A shard is held in memory until it is written.
const LARGEST_SHARD: u64 = 1_000_000;
/// Shards are files of one folder.
const MOST_SHARDS: u64 = 1_000_000;

/// A key of the text, with a value that it could have.
struct Key {
    name: &'static str,
    example: &'static str,
}

const KEYS: [Key; 12] = [
    Key { name: "agents", example: r#"["single-point", "random"]"# },
    Key { name: "board", example: r#""expert""# },
    Key { name: "shape", example: r#""torus""# },
    Key { name: "start", example: r#""safe""# },
    Key { name: "at", example: r#""corner""# },
    Key { name: "cascade", example: r#""on""# },
    Key { name: "clues", example: r#""exact""# },
    Key { name: "seed", example: "1" },
    Key { name: "games", example: "100000" },
    Key { name: "shard", example: "10000" },
    Key { name: "estimator", example: r#""plain""# },
    Key { name: "measures", example: r#"["unneeded"]"# },
];

/// What a run directory notes beside the keys: who made it. Read over, so that a run's own
/// text starts another run.
const PROVENANCE: &str = "provenance";

/// The text, or a spec made otherwise, describes no run.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RunSpecError {
    /// No TOML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where, counted from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A key that means nothing.
    #[error(
        "line {line}: there is no key `{key}`{}; there are {}",
        did_you_mean(nearest),
        key_names()
    )]
    UnknownKey {
        /// Where, counted from 1.
        line: usize,
        /// The key.
        key: String,
        /// The key it resembles most.
        nearest: Option<String>,
    },
    /// A key that must be there is not.
    #[error("there is no key `{key}`; write one, such as {key} = {example}")]
    Missing {
        /// The key.
        key: &'static str,
        /// What it could be.
        example: &'static str,
    },
    /// A value that its key cannot have.
    #[error("{}{key}: {message}", line.map_or(String::new(), |line| format!("line {line}: ")))]
    Value {
        /// Where, counted from 1; nowhere in a spec that was no text.
        line: Option<usize>,
        /// The key.
        key: &'static str,
        /// What is wrong with it and what would be right.
        message: String,
    },
}

fn key_names() -> String {
    KEYS.map(|key| key.name).join(", ")
}

/// A key that two specs differ in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The key.
    pub key: &'static str,
    /// Its value in the run directory.
    pub there: String,
    /// Its value in the spec given.
    pub here: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} there and {} here", self.key, self.there, self.here)
    }
}

impl RunSpec {
    /// The whole run as one tournament.
    pub fn tournament(&self) -> Tournament {
        Tournament {
            agents: self.agents.clone(),
            rules: self.rules.clone(),
            at: self.at,
            seed: self.seed,
            games: 0..self.games,
            estimator: self.estimator,
            measures: self.measures.clone(),
        }
    }

    /// How many shards there are.
    pub fn shards(&self) -> u64 {
        self.games.div_ceil(self.shard.get())
    }

    /// The games of a shard; none of one that the run does not have.
    pub fn games_of(&self, shard: u64) -> Range<u64> {
        let bound = |shard: u64| self.games.min(shard.saturating_mul(self.shard.get()));
        bound(shard)..bound(shard.saturating_add(1))
    }

    /// A number that only equal specs share; parts of a run carry it.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", XxHash64::oneshot(0, self.to_string().as_bytes()))
    }

    /// The text of a run directory: the spec and who made it.
    pub(super) fn signed(&self, provenance: &Provenance) -> String {
        let mut text = format!("{self}\n[{PROVENANCE}]\n");
        for (name, value) in provenance.fields() {
            text += &format!("{name} = {}\n", value.to_toml_value());
        }
        text
    }

    /// The keys in which another spec differs from this one.
    pub(super) fn differences(&self, other: &RunSpec) -> Vec<Difference> {
        let pairs = self.fields().into_iter().zip(other.fields());
        pairs
            .filter(|((_, there), (_, here))| there != here)
            .map(|((key, there), (_, here))| Difference { key, there, here })
            .collect()
    }

    /// Every key with its value as TOML.
    fn fields(&self) -> [(&'static str, String); KEYS.len()] {
        let word = |text: &str| text.to_toml_value();
        let list = |words: Vec<String>| {
            let words: Vec<String> = words.iter().map(|text| word(text)).collect();
            format!("[{}]", words.join(", "))
        };
        let rules = &self.rules;
        let values = [
            list(self.agents.iter().map(ToString::to_string).collect()),
            word(&rules.size().to_string()),
            word(rules.shape().form().name()),
            word(rules.start().name()),
            word(&self.at.text(rules.shape())),
            word(if rules.cascade() { "on" } else { "off" }),
            word(&rules.clues().to_string()),
            self.seed.to_string(),
            self.games.to_string(),
            self.shard.to_string(),
            word(self.estimator.name()),
            list(self.measures.iter().map(ToString::to_string).collect()),
        ];
        let mut values = values.into_iter();
        KEYS.map(|key| (key.name, values.next().expect("one value for each key")))
    }

    /// Whether a run can be made of it.
    pub(super) fn check(&self) -> Result<(), RunSpecError> {
        let wrong = |key, message| Err(RunSpecError::Value { line: None, key, message });
        if self.agents.is_empty() {
            return wrong("agents", "nobody plays; name at least one agent".into());
        }
        for (place, spec) in self.agents.iter().enumerate() {
            let name = spec.to_string();
            if self.agents[..place].iter().any(|other| other.to_string() == name) {
                return wrong("agents", format!("`{name}` is listed twice"));
            }
            if let Err(error) = spec.admit(&self.rules) {
                return wrong("agents", error.to_string());
            }
        }
        if self.games == 0 {
            return wrong("games", "a run has at least 1 game".into());
        }
        if self.estimator == Estimator::Weighted && !self.measures.is_empty() {
            return wrong("measures", "weighted games are not measured; leave this out".into());
        }
        let shard = self.shard.get();
        if shard > LARGEST_SHARD {
            return wrong("shard", format!("{shard} games are too many (at most {LARGEST_SHARD})"));
        }
        if self.shards() > MOST_SHARDS {
            let message = match self.games.div_ceil(MOST_SHARDS) {
                least @ ..=LARGEST_SHARD => format!(
                    "{} games make {} shards of {shard}, which is too many (use at least {least})",
                    self.games,
                    self.shards()
                ),
                _ => format!("a run has at most {} games", LARGEST_SHARD * MOST_SHARDS),
            };
            return wrong("shard", message);
        }
        Ok(())
    }
}

/// The TOML text, always the same for the same run.
impl fmt::Display for RunSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fields().iter().try_for_each(|(key, value)| writeln!(f, "{key} = {value}"))
    }
}

impl FromStr for RunSpec {
    type Err = RunSpecError;

    /// Reads TOML. Keys other than `agents` and `games` may be left out; they are then what the
    /// flags of the command line are.
    fn from_str(text: &str) -> Result<Self, RunSpecError> {
        let document = Document::parse(text)?;
        let rules = Rules::on(
            document.word("shape", Form::default(), str::parse)?,
            document.word("board", Size::LEVELS[0].1, str::parse)?,
            document.word("start", Start::default(), str::parse)?,
        )
        .map_err(|error| document.wrong("board", error))?
        .with_cascade(document.cascade()?)
        .with_clues(document.word("clues", ClueRule::default(), str::parse)?);
        let spec = RunSpec {
            agents: document.list("agents")?.ok_or_else(|| missing("agents"))?,
            at: document.word("at", At::default(), |text| At::parse(text, rules.shape()))?,
            rules,
            seed: document.number("seed", 0)?.unwrap_or(1),
            games: document.number("games", 1)?.ok_or_else(|| missing("games"))?,
            shard: document.number("shard", 1)?.and_then(NonZero::new).unwrap_or(SHARD),
            estimator: document.word("estimator", Estimator::default(), str::parse)?,
            measures: document.list("measures")?.unwrap_or_default(),
        };
        // What is wrong with the whole is told with the line of the key that it is about.
        spec.check().map_err(|error| match error {
            RunSpecError::Value { key, message, .. } => document.wrong(key, message),
            other => other,
        })?;
        Ok(spec)
    }
}

fn missing(key: &'static str) -> RunSpecError {
    RunSpecError::Missing { key, example: example(key) }
}

fn example(name: &str) -> &'static str {
    KEYS.iter().find(|key| key.name == name).expect("a listed key").example
}

/// Keys and values with their places in the text.
struct Document<'a> {
    text: &'a str,
    table: DeTable<'a>,
}

impl<'a> Document<'a> {
    fn parse(text: &'a str) -> Result<Self, RunSpecError> {
        let table = DeTable::parse(text).map_err(|error| RunSpecError::Syntax {
            line: line(text, error.span().unwrap_or_default().start),
            message: error.message().to_owned(),
        })?;
        let known = |name: &str| name == PROVENANCE || KEYS.iter().any(|key| key.name == name);
        let unknown = table.get_ref().keys().filter(|key| !known(key.get_ref()));
        if let Some(key) = unknown.min_by_key(|key| key.span().start) {
            return Err(RunSpecError::UnknownKey {
                line: line(text, key.span().start),
                key: key.get_ref().to_string(),
                nearest: nearest(key.get_ref(), KEYS.iter().map(|key| key.name)),
            });
        }
        Ok(Self { text, table: table.into_inner() })
    }

    fn get(&self, key: &str) -> Option<&Spanned<DeValue<'a>>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// A wrong value, with its line if the text has it at all.
    fn wrong(&self, key: &'static str, message: impl fmt::Display) -> RunSpecError {
        let line = self.get(key).map(|value| line(self.text, value.span().start));
        RunSpecError::Value { line, key, message: message.to_string() }
    }

    fn wrong_kind(&self, key: &'static str, value: &DeValue<'_>) -> RunSpecError {
        let kind = match value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.wrong(
            key,
            format_args!("this is {kind}; write something like {key} = {}", example(key)),
        )
    }

    /// Reads a text as a flag would be.
    fn word<T, E: fmt::Display>(
        &self,
        key: &'static str,
        default: T,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, RunSpecError> {
        match self.get(key).map(Spanned::get_ref) {
            None => Ok(default),
            Some(DeValue::String(text)) => read(text).map_err(|error| self.wrong(key, error)),
            Some(other) => Err(self.wrong_kind(key, other)),
        }
    }

    /// `on` and `off` as in the flag, or TOML's own words for them.
    fn cascade(&self) -> Result<bool, RunSpecError> {
        if let Some(DeValue::Boolean(on)) = self.get("cascade").map(Spanned::get_ref) {
            return Ok(*on);
        }
        self.word("cascade", true, |text| match text {
            "on" => Ok(true),
            "off" => Ok(false),
            other => Err(format!("`{other}` is neither on nor off")),
        })
    }

    fn number(&self, key: &'static str, least: u64) -> Result<Option<u64>, RunSpecError> {
        match self.get(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::Integer(number)) => u64::from_str_radix(number.as_str(), number.radix())
                .ok()
                .filter(|&number| number >= least)
                .map(Some)
                .ok_or_else(|| {
                    let range = format_args!("from {least} to {}", u64::MAX);
                    self.wrong(key, format_args!("{number} is not a whole number {range}"))
                }),
            Some(other) => Err(self.wrong_kind(key, other)),
        }
    }

    /// Reads a list of texts as flags would be, if there is one.
    fn list<T: FromStr<Err: fmt::Display>>(
        &self,
        key: &'static str,
    ) -> Result<Option<Vec<T>>, RunSpecError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let DeValue::Array(list) = value.get_ref() else {
            return Err(self.wrong_kind(key, value.get_ref()));
        };
        let read = |item: &Spanned<DeValue<'_>>| {
            let line = Some(line(self.text, item.span().start));
            let wrong = |message| RunSpecError::Value { line, key, message };
            match item.get_ref() {
                DeValue::String(text) => text.parse().map_err(|error| wrong(format!("{error}"))),
                _ => Err(wrong(format!("{key} are texts, such as {}", example(key)))),
            }
        };
        list.iter().map(read).collect::<Result<_, _>>().map(Some)
    }
}

/// The line of a place in the text, counted from 1.
fn line(text: &str, place: usize) -> usize {
    1 + text.bytes().take(place).filter(|&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SMALL: &str = "agents = [\"random\"]\ngames = 100\n";

    fn error(text: &str) -> String {
        text.parse::<RunSpec>().unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_is_as_the_flags_have_it() {
        let spec: RunSpec = SMALL.parse().unwrap();
        assert_eq!(
            spec.to_string(),
            r#"agents = ["random"]
board = "9x9x10"
shape = "rect"
start = "safe"
at = "corner"
cascade = "on"
clues = "exact"
seed = 1
games = 100
shard = 10000
estimator = "plain"
measures = []
"#
        );
        assert_eq!((spec.shards(), spec.games_of(0)), (1, 0..100));
    }

    #[test]
    fn a_spec_is_read_as_it_was_written() {
        let text = r#"
            # Comments, order and spelling of numbers do not matter.
            games = 0x10_0000
            shard = 1_000
            estimator = 'weighted'
            agents = [
                "single-point:flag",
                "random",
            ]
            board = "7x5x6"
            shape = "hex"
            start = "open"
            at = "2,3"
            cascade = false
            clues = "blind:0.1"
            seed = 18446744073709551615
        "#;
        let spec: RunSpec = text.parse().unwrap();
        assert_eq!((spec.games, spec.shards(), spec.seed), (1 << 20, 1049, u64::MAX));
        assert_eq!(spec.games_of(1048), 1_048_000..1_048_576);
        assert!(spec.games_of(1049).is_empty() && spec.games_of(u64::MAX).is_empty());
        let again: RunSpec = spec.signed(&Provenance::here()).parse().unwrap();
        assert_eq!(again.to_string(), spec.to_string());
        assert_eq!(again.fingerprint(), spec.fingerprint());
        assert!(spec.differences(&again).is_empty());
    }

    #[test]
    fn unknown_keys_are_told_with_line_and_nearest_key() {
        assert_eq!(
            error(&format!("{SMALL}\nbord = \"expert\"")),
            "line 4: there is no key `bord` (did you mean `board`?); there are agents, board, shape, \
             start, at, cascade, clues, seed, games, shard, estimator, measures"
        );
        assert!(
            error(&format!("{SMALL}\n[board]\nwidth = 3"))
                .starts_with("line 4: board: this is a table")
        );
        assert!(
            error(&format!("{SMALL}qqq = 1\nzzz = 2"))
                .starts_with("line 3: there is no key `qqq`;")
        );
    }

    #[test]
    fn wrong_values_are_told_with_line_key_and_what_would_be_right() {
        let check = |line: &str, message: &str| {
            assert_eq!(error(&format!("{SMALL}{line}\n")), format!("line 3: {message}"));
        };
        check(
            "board = \"9x9\"",
            "board: `9x9` is not a board (use beginner, intermediate, expert or \
             WIDTHxHEIGHTxMINES, such as 30x16x99)",
        );
        check(
            "board = \"3x3x9\"",
            "board: 9 mines do not fit on 9 cells with start safe (at most 8)",
        );
        check("board = 9", "board: this is a number; write something like board = \"expert\"");
        check("shape = \"ring\"", "shape: `ring` is not a shape (use rect, torus or hex)");
        check("start = \"Safe\"", "start: `Safe` is not a start (use unsafe, safe or open)");
        check(
            "at = \"9,0\"",
            "at: row 9, column 0 is outside the board (9 rows of 9, counted from 0)",
        );
        check("cascade = \"yes\"", "cascade: `yes` is neither on nor off");
        check("cascade = 1", "cascade: this is a number; write something like cascade = \"on\"");
        check(
            "clues = \"blind\"",
            "clues: `blind`: blind needs the share of hidden clues, from 0 to 1, such as blind:0.1",
        );
        check("seed = -1", "seed: -1 is not a whole number from 0 to 18446744073709551615");
        check("seed = 1.5", "seed: this is a fraction; write something like seed = 1");
        check("shard = 0", "shard: 0 is not a whole number from 1 to 18446744073709551615");
        check("shard = 2_000_000", "shard: 2000000 games are too many (at most 1000000)");
        check(
            "estimator = \"best\"",
            "estimator: `best` is not an estimator (use plain or weighted)",
        );
        check("games = 5", "duplicate key");
    }

    #[test]
    fn agents_and_games_must_be_there() {
        assert_eq!(
            error("games = 1"),
            "there is no key `agents`; write one, such as agents = [\"single-point\", \"random\"]"
        );
        assert_eq!(
            error("agents = [\"random\"]"),
            "there is no key `games`; write one, such as games = 100000"
        );
        assert_eq!(
            error("games = 1\nagents = \"random\""),
            "line 2: agents: this is a text; write something like agents = [\"single-point\", \"random\"]"
        );
        assert_eq!(
            error("games = 1\nagents = []"),
            "line 2: agents: nobody plays; name at least one agent"
        );
        assert_eq!(
            error("games = 1\nagents = [\n  \"random\",\n  \"random\"]"),
            "line 2: agents: `random` is listed twice"
        );
        assert!(
            error("games = 1\nagents = [\n  \"random\",\n  \"rendom\"]")
                .starts_with("line 4: agents: there is no agent `rendom` (did you mean `random`?)")
        );
        assert!(error("games = 10_000_000_000\nshard = 100\nagents = [\"random\"]").ends_with(
            "shard: 10000000000 games make 100000000 shards of 100, which is too many \
             (use at least 10000)"
        ));
        assert!(
            error("games = 10_000_000_000_000\nagents = [\"random\"]")
                .ends_with("a run has at most 1000000000000 games")
        );
    }

    #[test]
    fn differences_name_the_keys() {
        let one: RunSpec = SMALL.parse().unwrap();
        let other: RunSpec = format!("{SMALL}seed = 7\nstart = \"open\"").parse().unwrap();
        let told: Vec<String> = one.differences(&other).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            ["start is \"safe\" there and \"open\" here", "seed is 1 there and 7 here"]
        );
        assert_ne!(one.fingerprint(), other.fingerprint());
    }

    proptest! {
        #[test]
        fn no_text_crashes_the_reader(text in any::<String>()) {
            let _ = text.parse::<RunSpec>();
        }

        #[test]
        fn no_value_crashes_the_reader(
            key in prop::sample::select(KEYS.map(|key| key.name).to_vec()),
            value in prop::sample::select(vec![
                "\"\"", "\"9,9\"", "0", "-7", "9e99", "nan", "true", "[]", "[[]]", "{}", "1979-05-27",
                "99999999999999999999999", "\"255x257x1\"", "\"65535x1x65535\"", "[\"random\", 1]",
            ]),
        ) {
            let _ = format!("{key} = {value}\n").parse::<RunSpec>();
            let _ = format!("{SMALL}{key} = {value}\n").parse::<RunSpec>();
        }
    }
}
