//! The spec of a durable run, and its TOML text.

use std::fmt;
use std::num::NonZero;
use std::ops::Range;

use deminer_formats::wire::{Cascade, FieldError, WireRunSpec};
use deminer_game::FirstClick;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_writer::ToTomlValue;
use twox_hash::XxHash64;

use crate::artifact_files;
use crate::provenance::Provenance;
use crate::tournament::{Estimator, Tournament};
use deminer::roster::{Roster, Spec, did_you_mean, nearest};

/// All that decides a durable run: a tournament from game 0 on, cut into shards.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The whole run as one tournament: no agent twice, its first game is game 0.
    pub tournament: Tournament,
    /// Games in a shard; the last one may have fewer. A shard that is not finished is played
    /// again from its first game, so it should take seconds to minutes, not hours.
    pub shard: NonZero<u64>,
}

/// The games of a shard, where nothing else is asked for.
pub const SHARD: NonZero<u64> = NonZero::new(10_000).expect("not zero");

/// A shard is held in memory until it is written.
const LARGEST_SHARD: u64 = 1_000_000;
/// Shards are files of one folder.
const MOST_SHARDS: u64 = 1_000_000;

/// The keys of the text, each with a value that it could have.
const KEYS: [(&str, &str); 12] = [
    ("agents", r#"["single-point", "random"]"#),
    ("board", r#""expert""#),
    ("shape", r#""torus""#),
    ("start", r#""safe""#),
    ("at", r#""corner""#),
    ("cascade", r#""on""#),
    ("clues", r#""exact""#),
    ("seed", "1"),
    ("games", "100000"),
    ("shard", "10000"),
    ("estimator", r#""plain""#),
    ("measures", r#"["unneeded"]"#),
];

/// What a run directory notes beside the keys: who made it. Read over, so that a run's own
/// text starts another run.
const PROVENANCE: &str = "provenance";

/// The text, or a spec made otherwise, describes no run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{message}", line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct RunSpecError {
    /// Where, counted from 1; none for what is about no line of a text.
    pub line: Option<usize>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl RunSpec {
    /// The run that a spec describes, with its agents in the order of their names.
    pub fn of(wire: &WireRunSpec, agents: Vec<Spec>) -> Result<Self, FieldError> {
        let spec = Self::unchecked(wire, agents)?;
        spec.check()?;
        Ok(spec)
    }

    fn unchecked(wire: &WireRunSpec, agents: Vec<Spec>) -> Result<Self, FieldError> {
        let rules = wire.rules()?;
        let at = wire.at.as_deref().map(|text| FirstClick::parse(text, rules.shape()));
        let at = at.transpose().map_err(|error| FieldError::new("at", error))?;
        let shard = wire.shard.map(|shard| {
            let wrong = || FieldError::new("shard", "a shard has at least 1 game");
            NonZero::new(shard).ok_or_else(wrong)
        });
        let measures = wire.measures.iter().flatten();
        Ok(RunSpec {
            tournament: Tournament {
                agents,
                rules,
                at: at.unwrap_or_default(),
                seed: wire.seed.unwrap_or(1),
                games: 0..wire.games,
                estimator: wire.estimator.unwrap_or_default().0,
                measures: measures.map(|measure| measure.0).collect(),
            },
            shard: shard.transpose()?.unwrap_or(SHARD),
        })
    }

    /// How many games each agent plays.
    pub fn games(&self) -> u64 {
        self.tournament.games.end
    }

    /// How many shards there are.
    pub fn shards(&self) -> u64 {
        self.games().div_ceil(self.shard.get())
    }

    /// The games of a shard; none of one that the run does not have.
    pub fn games_of(&self, shard: u64) -> Range<u64> {
        let bound = |shard: u64| self.games().min(shard.saturating_mul(self.shard.get()));
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

    /// The keys in which another spec differs from this one, which a run directory has, in words.
    pub(super) fn differences(&self, other: &RunSpec) -> Vec<String> {
        let pairs = self.fields().into_iter().zip(other.fields());
        pairs
            .filter(|((_, there), (_, here))| there != here)
            .map(|((key, there), (_, here))| format!("{key} is {there} there and {here} here"))
            .collect()
    }

    /// Every key with its value as TOML.
    fn fields(&self) -> [(&'static str, String); KEYS.len()] {
        let word = |text: &str| text.to_toml_value();
        let list = |words: Vec<String>| {
            let words: Vec<String> = words.iter().map(|text| word(text)).collect();
            format!("[{}]", words.join(", "))
        };
        let Tournament { agents, rules, at, seed, games, estimator, measures } = &self.tournament;
        let values = [
            list(agents.iter().map(ToString::to_string).collect()),
            word(&rules.size().to_string()),
            word(rules.shape().form().name()),
            word(rules.start().name()),
            word(&at.text(rules.shape())),
            word(Cascade::from(rules.cascade()).name()),
            word(&rules.clues().to_string()),
            seed.to_string(),
            games.end.to_string(),
            self.shard.to_string(),
            word(estimator.name()),
            list(measures.iter().map(ToString::to_string).collect()),
        ];
        let mut values = values.into_iter();
        KEYS.map(|(key, _)| (key, values.next().expect("one value for each key")))
    }

    /// Whether a run can be made of the spec.
    pub(super) fn check(&self) -> Result<(), FieldError> {
        let wrong = |key, message| Err(FieldError::new(key, message));
        let Tournament { agents, rules, games, estimator, measures, .. } = &self.tournament;
        if agents.is_empty() {
            return wrong("agents", "name at least one agent".to_owned());
        }
        for (place, spec) in agents.iter().enumerate() {
            let name = spec.to_string();
            if agents[..place].iter().any(|other| other.to_string() == name) {
                return wrong("agents", format!("`{name}` is listed twice"));
            }
            spec.admit(rules).map_err(|error| FieldError::new("agents", error))?;
        }
        if games.start != 0 || games.end == 0 {
            return wrong("games", "a run has at least 1 game and begins with game 0".to_owned());
        }
        if *estimator == Estimator::Weighted && !measures.is_empty() {
            let message = "weighted games are not measured; leave this out".to_owned();
            return wrong("measures", message);
        }
        let (games, shard, shards) = (games.end, self.shard.get(), self.shards());
        if shard > LARGEST_SHARD {
            return wrong("shard", format!("{shard} games are too many (at most {LARGEST_SHARD})"));
        }
        if shards > MOST_SHARDS {
            let message = match games.div_ceil(MOST_SHARDS) {
                least @ ..=LARGEST_SHARD => format!(
                    "{games} games make {shards} shards of {shard}, which is too many (use at \
                     least {least})"
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

impl RunSpec {
    /// Reads TOML. Keys other than `agents` and `games` may be left out; they are then what the
    /// flags of the command line are.
    pub fn parse(text: &str, roster: &Roster) -> Result<Self, RunSpecError> {
        let source = Source::parse(text)?;
        let spec = source.spec(roster)?;
        spec.check().map_err(|field| source.wrong(&field.at, None, &field.message))?;
        Ok(spec)
    }

    /// Reads the spec of a run directory, to compare and count: its agents have no artifacts.
    pub(super) fn stored(text: &str) -> Result<Self, RunSpecError> {
        Source::parse(text)?.spec(&Roster::default())
    }
}

/// A spec's text, and its keys and values with their places in it.
struct Source<'a> {
    text: &'a str,
    table: Spanned<DeTable<'a>>,
}

impl<'a> Source<'a> {
    /// Reads the TOML and checks that each key is known and those that must be there are.
    fn parse(text: &'a str) -> Result<Self, RunSpecError> {
        let mut table = DeTable::parse(text).map_err(|error| RunSpecError {
            line: Some(line(text, error.span().unwrap_or_default().start)),
            message: error.message().to_owned(),
        })?;
        table.get_mut().remove(PROVENANCE);
        let known = |name: &str| KEYS.iter().any(|(key, _)| *key == name);
        let unknown = table.get_ref().keys().filter(|key| !known(key.get_ref()));
        if let Some(key) = unknown.min_by_key(|key| key.span().start) {
            let (line, key) = (line(text, key.span().start), key.get_ref());
            let hint = did_you_mean(&nearest(key, KEYS.iter().map(|(key, _)| *key)));
            let names = KEYS.map(|(key, _)| key).join(", ");
            let message = format!("there is no key `{key}`{hint}; there are {names}");
            return Err(RunSpecError { line: Some(line), message });
        }
        let source = Self { text, table };
        let needed = ["agents", "games"].into_iter().find(|key| source.get(key).is_none());
        match KEYS.iter().find(|(key, _)| Some(*key) == needed) {
            Some((name, example)) => Err(RunSpecError {
                line: None,
                message: format!("there is no key `{name}`; write one, such as {name} = {example}"),
            }),
            None => Ok(source),
        }
    }

    /// The values, each of its type.
    fn wire(&self) -> Result<WireRunSpec, RunSpecError> {
        let read = serde_path_to_error::deserialize(toml::Deserializer::from(self.table.clone()));
        read.map_err(|error| {
            let path = error.path().to_string();
            let (key, item) = path.split_once('[').unwrap_or((&path, ""));
            let item = item.trim_end_matches(']').parse().ok();
            let message = error.inner().message();
            match KEYS.iter().find(|(known, _)| *known == key) {
                Some((_, example)) if message.starts_with("invalid") => {
                    // Such as "invalid type: integer `9`, expected a string".
                    let found = message.split_once(": ").map_or(message, |(_, found)| found);
                    let found = found.split(", expected").next().unwrap_or(found);
                    let example = format!("write something like {key} = {example}");
                    self.wrong(key, item, format!("{found} does not fit; {example}"))
                }
                _ => self.wrong(key, item, message),
            }
        })
    }

    fn get(&self, key: &str) -> Option<&Spanned<DeValue<'a>>> {
        self.table.get_ref().get(key)
    }

    fn spec(&self, roster: &Roster) -> Result<RunSpec, RunSpecError> {
        let wire = self.wire()?;
        let agent = |(item, name): (usize, &String)| {
            artifact_files::agent(roster, name)
                .map_err(|error| self.wrong("agents", Some(item), error))
        };
        let agents = wire.agents.iter().enumerate().map(agent).collect::<Result<_, _>>()?;
        RunSpec::unchecked(&wire, agents)
            .map_err(|field| self.wrong(&field.at, None, &field.message))
    }

    /// A wrong value, with the line of its key, or of its item of a list, if the text has it.
    fn wrong(&self, key: &str, item: Option<usize>, message: impl fmt::Display) -> RunSpecError {
        let value = self.get(key);
        let item = match (value.map(Spanned::get_ref), item) {
            (Some(DeValue::Array(list)), Some(item)) => list.get(item),
            _ => None,
        };
        let line = item.or(value).map(|value| line(self.text, value.span().start));
        RunSpecError { line, message: format!("{key}: {message}") }
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

    fn parse(text: &str) -> Result<RunSpec, RunSpecError> {
        RunSpec::parse(text, &Roster::default())
    }

    fn error(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_is_as_the_flags_have_it() {
        let spec = parse(SMALL).unwrap();
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
        let spec = parse(text).unwrap();
        assert_eq!((spec.games(), spec.shards()), (1 << 20, 1049));
        assert_eq!(spec.tournament.seed, u64::MAX);
        assert_eq!(spec.games_of(1048), 1_048_000..1_048_576);
        assert!(spec.games_of(1049).is_empty() && spec.games_of(u64::MAX).is_empty());
        let again = parse(&spec.signed(&Provenance::here())).unwrap();
        assert_eq!(again.to_string(), spec.to_string());
        assert_eq!(again.fingerprint(), spec.fingerprint());
        assert!(spec.differences(&again).is_empty());
    }

    /// Checks a table of texts, `;` between their lines, and their errors; `…` ends a beginning.
    fn check_errors(before: &str, table: &str) {
        for case in table.trim().lines() {
            let (text, message) = case.split_once(" -> ").unwrap();
            let found = error(&format!("{before}{}", text.replace(';', "\n")));
            match message.strip_suffix('…') {
                Some(beginning) => assert!(found.starts_with(beginning), "{text}: {found}"),
                None => assert_eq!(found, message, "{text}"),
            }
        }
    }

    #[test]
    fn wrong_lines_are_told_with_line_key_and_what_would_be_right() {
        let table = r#"
board = "9x9" -> line 3: board: `9x9` is not a board (use beginner, intermediate, expert or WIDTHxHEIGHTxMINES, such as 30x16x99)
board = "3x3x9" -> line 3: board: 9 mines do not fit on 9 cells with start safe (at most 8)
board = 9 -> line 3: board: integer `9` does not fit; write something like board = "expert"
shape = "ring" -> line 3: shape: `ring` is not a shape (use rect, torus or hex)
start = "Safe" -> line 3: start: `Safe` is not a start (use unsafe, safe or open)
at = "9,0" -> line 3: at: row 9, column 0 is outside the board (9 rows of 9, counted from 0)
cascade = "yes" -> line 3: cascade: `yes` is not a cascade (use on or off)
cascade = 1 -> line 3: cascade: integer `1` does not fit; write something like cascade = "on"
clues = "blind" -> line 3: clues: `blind`: blind needs the share of hidden clues, from 0 to 1, such as blind:0.1
seed = -1 -> line 3: seed: integer `-1` does not fit; write something like seed = 1
seed = 1.5 -> line 3: seed: floating point `1.5` does not fit; write something like seed = 1
shard = 0 -> line 3: shard: a shard has at least 1 game
shard = 2_000_000 -> line 3: shard: 2000000 games are too many (at most 1000000)
estimator = "best" -> line 3: estimator: `best` is not an estimator (use plain or weighted)
games = 5 -> line 3: duplicate key
bord = "expert" -> line 3: there is no key `bord` (did you mean `board`?); there are agents, board, shape, start, at, cascade, clues, seed, games, shard, estimator, measures
;[board];width = 3 -> line 4: board: map does not fit;…
qqq = 1;zzz = 2 -> line 3: there is no key `qqq`;…
"#;
        check_errors(SMALL, table);
    }

    #[test]
    fn agents_and_games_must_be_there() {
        let table = r#"
games = 1 -> there is no key `agents`; write one, such as agents = ["single-point", "random"]
agents = ["random"] -> there is no key `games`; write one, such as games = 100000
games = 1;agents = "random" -> line 2: agents: string "random" does not fit; write something like agents = ["single-point", "random"]
games = 1;agents = [] -> line 2: agents: name at least one agent
games = 1;agents = [;  "random",;  "random"] -> line 2: agents: `random` is listed twice
games = 1;agents = [;  "random",;  "rendom"] -> line 4: agents: there is no agent `rendom` (did you mean `random`?)…
shard = 100;games = 10_000_000_000;agents = ["random"] -> line 1: shard: 10000000000 games make 100000000 shards of 100, which is too many (use at least 10000)
games = 10_000_000_000_000;agents = ["random"] -> shard: a run has at most 1000000000000 games
"#;
        check_errors("", table);
    }

    #[test]
    fn differences_name_the_keys() {
        let one = parse(SMALL).unwrap();
        let other = parse(&format!("{SMALL}seed = 7\nstart = \"open\"")).unwrap();
        assert_eq!(
            one.differences(&other),
            ["start is \"safe\" there and \"open\" here", "seed is 1 there and 7 here"]
        );
        assert_ne!(one.fingerprint(), other.fingerprint());
    }

    proptest! {
        #[test]
        fn no_text_crashes_the_reader(text in any::<String>()) {
            let _ = parse(&text);
        }

        #[test]
        fn no_value_crashes_the_reader(
            key in prop::sample::select(KEYS.map(|(key, _)| key).to_vec()),
            value in prop::sample::select(vec![
                "\"\"", "\"9,9\"", "0", "-7", "9e99", "nan", "true", "[]", "[[]]", "{}", "1979-05-27",
                "99999999999999999999999", "\"255x257x1\"", "\"65535x1x65535\"", "[\"random\", 1]",
            ]),
        ) {
            let _ = parse(&format!("{key} = {value}\n"));
            let _ = parse(&format!("{SMALL}{key} = {value}\n"));
        }
    }
}
