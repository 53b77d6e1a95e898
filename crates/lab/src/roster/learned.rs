//! Learned agents: shipped, read from a file, or made by a run of the web laboratory.

use std::fmt;
use std::io;
use std::sync::Arc;

#[cfg(feature = "neural")]
use deminer_game::Kind;
use deminer_game::{Agent, BuildError, Entry, Options, Rules};
use deminer_learn::evolve;
use deminer_learn::ilp::{self, MioPlayer, Rulebook, Theory};
use deminer_learn::q_table;
use deminer_learn::trees::{Artifact, TreePlayer};
#[cfg(feature = "neural")]
use deminer_neural::shelf::Model;

/// Learned agents that are shipped, or read from a file.
pub(super) const LEARNED: &[Entry] = &[
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
    let (name, guess) = guess_of(options.word("theory", ""));
    let rulebook = file_or_shipped(name, read_rulebook, || ilp::shipped(name))?;
    Ok(Box::new(MioPlayer::new(rulebook, guess)))
}

/// A theory's name without `+prob`, and how it guesses.
fn guess_of(name: &str) -> (&str, ilp::Guess) {
    match name.strip_suffix(WEIGHED) {
        Some(name) => (name, deminer_agents::guess_by_greatest_ratio),
        None => (name, ilp::blind),
    }
}

const WEIGHED: &str = "+prob";

fn read_rulebook(bytes: &[u8]) -> Result<Arc<Rulebook>, BuildError> {
    let theory = Theory::read(&String::from_utf8_lossy(bytes)).map_err(as_build_error)?;
    Ok(Arc::new(Rulebook::new(&theory)))
}

/// The genome in the file of this name, or the shipped one.
fn gp(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let shipped = || (evolve::gp::ENTRY.build)(options);
    file_or_shipped(options.word("genome", ""), read_gp, shipped)
}

fn read_gp(bytes: &[u8]) -> Result<Box<dyn Agent>, BuildError> {
    Ok(Box::new(evolve::gp::GpPlayer::of(&read_genome(bytes)?).map_err(as_build_error)?))
}

fn quartetti(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let shipped = || (evolve::quartetti::ENTRY.build)(options);
    file_or_shipped(options.word("genome", ""), read_quartetti, shipped)
}

fn read_quartetti(bytes: &[u8]) -> Result<Box<dyn Agent>, BuildError> {
    let player = evolve::quartetti::QuartettiPlayer::of(&read_genome(bytes)?);
    Ok(Box::new(player.map_err(as_build_error)?))
}

fn read_genome(bytes: &[u8]) -> Result<evolve::Artifact, BuildError> {
    evolve::Artifact::read(&String::from_utf8_lossy(bytes)).map_err(as_build_error)
}

/// The tree in the file of this name, or the shipped one.
fn tree(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let shipped = || (deminer_learn::trees::ENTRY.build)(options);
    file_or_shipped(options.word("tree", ""), read_tree, shipped)
}

fn read_tree(bytes: &[u8]) -> Result<Box<dyn Agent>, BuildError> {
    let artifact = Artifact::read(bytes).map_err(as_build_error)?;
    Ok(Box::new(TreePlayer::new(artifact.tree)))
}

/// The table in the file of this name, or the shipped ones.
fn q_table_player(options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let shipped = || (q_table::ENTRY.build)(options);
    file_or_shipped(options.word("table", ""), read_q_table_player, shipped)
}

fn read_q_table_player(bytes: &[u8]) -> Result<Box<dyn Agent>, BuildError> {
    let table = read_q_table(bytes).map_err(as_build_error)?;
    Ok(Box::new(q_table::Player::new(vec![Arc::new(table)])))
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

/// What a training run made, by the name of the run. The bytes are handed over by the server that
/// keeps the run, so no client names a file.
#[derive(Clone, Debug)]
pub(super) struct RunArtifact {
    run: String,
    /// Rules learned by induction guess by weighed ratios.
    weighed: bool,
    bytes: Option<Arc<[u8]>>,
}

impl RunArtifact {
    /// Reads `run-` and digits, for agents that play with what they learned.
    pub(super) fn parse(entry: &Entry, text: &str) -> Option<Self> {
        let (run, weighed) =
            match text.strip_suffix(WEIGHED).filter(|_| entry.name == ilp::ENTRY.name) {
                Some(run) => (run, true),
                None => (text, false),
            };
        let digits = run.strip_prefix("run-")?;
        let named = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let artifact = Self { run: run.to_owned(), weighed, bytes: None };
        (named && reader(entry).is_some()).then_some(artifact)
    }

    pub(super) fn run(&self) -> &str {
        &self.run
    }

    /// Takes the artifact, if the agent can play with it.
    pub(super) fn take(&mut self, entry: &Entry, bytes: Vec<u8>) -> Result<(), BuildError> {
        self.bytes = Some(bytes.into());
        self.build(entry).map(|_| ())
    }

    pub(super) fn build(&self, entry: &Entry) -> Result<Box<dyn Agent>, BuildError> {
        let (Some(bytes), Some(read)) = (&self.bytes, reader(entry)) else {
            let run = &self.run;
            let message = format!(
                "what {run} learned is not at hand: only the server that keeps the run has it"
            );
            return Err(as_build_error(message));
        };
        let named = |error| as_build_error(format!("{}: {error}", self.run));
        if self.weighed {
            let rulebook = read_rulebook(bytes).map_err(named)?;
            return Ok(Box::new(MioPlayer::new(rulebook, guess_of(WEIGHED).1)));
        }
        read(entry, bytes).map_err(named)
    }

    /// What is missing for these rules: some artifacts are made for one board.
    pub(super) fn lacks(&self, entry: &Entry, rules: &Rules) -> Option<String> {
        let bytes = self.bytes.as_ref()?;
        if entry.name == q_table::ENTRY.name {
            return q_table::lacks(std::iter::once(&read_q_table(bytes).ok()?), rules);
        }
        #[cfg(feature = "neural")]
        if entry.kind == Kind::Network {
            let model = Arc::new(Model::read(bytes).ok()?);
            return deminer_neural::unfit(&model, rules.size());
        }
        None
    }
}

/// Makes an agent of what it learned.
type Reader = fn(&Entry, &[u8]) -> Result<Box<dyn Agent>, BuildError>;

/// How an agent reads what it learned; none for agents that learn nothing.
fn reader(entry: &Entry) -> Option<Reader> {
    const READERS: &[(Entry, Reader)] = &[
        (evolve::gp::ENTRY, |_, bytes| read_gp(bytes)),
        (evolve::quartetti::ENTRY, |_, bytes| read_quartetti(bytes)),
        (deminer_learn::trees::ENTRY, |_, bytes| read_tree(bytes)),
        (q_table::ENTRY, |_, bytes| read_q_table_player(bytes)),
        (ilp::ENTRY, |_, bytes| Ok(Box::new(MioPlayer::new(read_rulebook(bytes)?, ilp::blind)))),
    ];
    #[cfg(feature = "neural")]
    if entry.kind == Kind::Network {
        return Some(read_network);
    }
    READERS.iter().find(|(learned, _)| learned.name == entry.name).map(|(_, reader)| *reader)
}

#[cfg(feature = "neural")]
fn read_network(entry: &Entry, bytes: &[u8]) -> Result<Box<dyn Agent>, BuildError> {
    let model = Model::read(bytes).map_err(as_build_error)?;
    let net = &model.header().net;
    if net != entry.name {
        let message = format!("this is a network of `{net}`, not of `{}`", entry.name);
        return Err(as_build_error(message));
    }
    Ok(deminer_neural::player_of(Arc::new(model)))
}
