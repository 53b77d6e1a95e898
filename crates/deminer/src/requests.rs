//! The requests that every door accepts, and their answers.
//!
//! A door reads a request with [`read_json`], calls [`Request::answer`] and writes the answer;
//! [`answer_json`] does all of it by name. HTTP and WebAssembly add only their transport. What
//! goes wrong is a [`RequestError`]: its kind, its words, and the field it is about.

mod analyze;
mod artifacts;
mod boards;
mod decide;
mod error;
mod files;
mod film;
mod game;
mod hint;
mod lesson;
mod lists;
mod measure;
mod play;
mod position;
mod review;
#[cfg(feature = "schema")]
mod schema;
mod tournament;
#[cfg(feature = "learn")]
mod walk;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer_formats::Fault;
use deminer_formats::wire::{WireRecord, WireRules};
use deminer_game::{FirstClick, Record, Rules, Shape, stop};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::roster::{Roster, Spec};

pub use self::analyze::AnalyzeRequest;
pub use self::artifacts::{ArtifactPaths, ArtifactsRequest};
pub use self::boards::{BoardAnswer, BoardRequest};
pub use self::decide::DecideRequest;
pub use self::error::{RequestError, RequestErrorKind, RequestErrorWord, read_json};
pub use self::files::{
    FileContent, FileRequest, LayoutDocument, MouseReplay, ReadAnswer, WriteRequest, Written,
    find_format,
};
pub use self::film::{FilmDocument, FilmRequest};
pub use self::game::{GameRequest, GameState, GameStateWord};
pub use self::hint::{HintDocument, HintRequest};
pub use self::lesson::{LessonRequest, LessonsRequest};
pub use self::lists::{AgentsRequest, FormatsRequest};
pub use self::measure::{MeasureAnswer, MeasureRequest};
pub use self::play::{Begin, End, PlayEvent, PlayRequest, Player};
pub use self::position::check_view;
pub use self::review::ReviewRequest;
#[cfg(feature = "schema")]
pub use self::schema::describe;
pub use self::tournament::{SliceDocument, Tournament, TournamentRequest};
#[cfg(feature = "learn")]
pub use self::walk::{WalkRequest, WindowRequest};

/// The longest side of a board.
pub const LONGEST_SIDE: usize = 100;

/// A request with one answer.
pub trait Request: DeserializeOwned {
    /// What it is called where requests have names.
    const NAME: &'static str;
    /// The document that answers it.
    type Answer: Serialize;

    /// Finds the answer, or anything well formed once the work is no longer wanted.
    ///
    /// # Errors
    /// If a value is not valid, or a limit stopped the work.
    fn work(self, context: &Context) -> Result<Self::Answer, RequestError>;

    /// Answers it, unless the caller raises the flag of the context.
    ///
    /// # Errors
    /// If a value is not valid, or a limit or the caller stopped the work.
    fn answer(self, context: &Context) -> Result<Self::Answer, RequestError> {
        stop::unless(context.stop, || {
            let answer = self.work(context)?;
            match stop::is_raised() {
                true => Err(RequestError::stopped("the answer is no longer wanted")),
                false => Ok(answer),
            }
        })
    }
}

/// What a door provides for the answers.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Finds agents by their text.
    pub agents: &'a dyn AgentSource,
    /// Raised when the answer is no longer wanted.
    pub stop: &'a Arc<AtomicBool>,
    /// Draws a seed where the request names none.
    pub any_seed: fn() -> u64,
    /// Reads a clock in microseconds, to time decisions.
    pub clock: fn() -> u64,
}

/// Agents by the text that names them.
pub trait AgentSource {
    /// The agent; a fault is one of this field.
    ///
    /// # Errors
    /// If there is no such agent, or it cannot be had here.
    fn agent(&self, text: &str, field: &str) -> Result<Spec, RequestError>;

    /// All agents, with the artifacts that they play with.
    fn roster(&self) -> &Roster;
}

impl AgentSource for Roster {
    /// An agent with an artifact of this roster: requests never name files.
    fn agent(&self, text: &str, field: &str) -> Result<Spec, RequestError> {
        if text.len() > 200 {
            return Err(RequestError::invalid("an agent is not so long").at(field));
        }
        let spec = Roster::agent(self, text);
        let spec = spec.map_err(|error| RequestError::invalid(error).at(field))?;
        let plain = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '-';
        match spec.artifact_name() {
            Some(name) if !name.chars().all(plain) => {
                let detail = format!(
                    "agent `{}` takes only shipped names and runs of this server (run-000001) here",
                    spec.entry().name
                );
                Err(RequestError::invalid(detail).at(field))
            }
            _ => Ok(spec),
        }
    }

    fn roster(&self) -> &Roster {
        self
    }
}

impl Context<'_> {
    /// An agent that plays these rules.
    fn agent_for(&self, text: &str, rules: &Rules, field: &str) -> Result<Spec, RequestError> {
        let spec = self.agents.agent(text, field)?;
        spec.admit(rules).map_err(|error| RequestError::invalid(error).at(field))?;
        Ok(spec)
    }
}

type Answer = fn(&[u8], &Context) -> Result<Vec<u8>, RequestError>;

/// All requests with one answer, by name.
const REQUESTS: &[(&str, Answer)] = &[
    named::<AgentsRequest>(),
    named::<AnalyzeRequest>(),
    named::<ArtifactsRequest>(),
    named::<BoardRequest>(),
    named::<DecideRequest>(),
    named::<FileRequest>(),
    named::<FilmRequest>(),
    named::<FormatsRequest>(),
    named::<HintRequest>(),
    named::<LessonRequest>(),
    named::<LessonsRequest>(),
    named::<MeasureRequest>(),
    named::<ReviewRequest>(),
    #[cfg(feature = "learn")]
    named::<WalkRequest>(),
    named::<WriteRequest>(),
];

const fn named<R: Request>() -> (&'static str, Answer) {
    (R::NAME, |json, context| {
        let answer = read_json::<R>(json)?.answer(context)?;
        Ok(serde_json::to_vec(&answer).expect("documents are plain values"))
    })
}

/// Answers the request of this name, JSON in and JSON out.
///
/// # Errors
/// If there is no such request, it is not valid, or it was stopped.
pub fn answer_json(name: &str, json: &[u8], context: &Context) -> Result<Vec<u8>, RequestError> {
    let found = REQUESTS.iter().find(|(known, _)| *known == name);
    let names = || REQUESTS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let (_, answer) = found.ok_or_else(|| {
        RequestError::invalid(format!("there is no request `{name}`; there are {}", names()))
    })?;
    answer(json, context)
}

/// The rules of a request, if the board is not too large.
fn read_rules(wire: &WireRules) -> Result<Rules, RequestError> {
    let size = wire.board.0;
    check_size(size.width, size.height).map_err(|error| error.at("rules.board"))?;
    Ok(wire.rules().map_err(|error| error.within("rules"))?)
}

/// Refuses boards that are too large.
///
/// # Errors
/// If a side is longer than [`LONGEST_SIDE`].
pub fn check_size(width: usize, height: usize) -> Result<(), RequestError> {
    if width > LONGEST_SIDE || height > LONGEST_SIDE {
        let most = format!("{LONGEST_SIDE}x{LONGEST_SIDE}");
        return Err(RequestError::too_large(format!("a board has at most {most} cells here")));
    }
    Ok(())
}

/// The game that a request holds in a field.
///
/// # Errors
/// If the board is too large, or the record is not one of a possible game.
pub fn read_record(wire: WireRecord, field: &str) -> Result<Record, RequestError> {
    let size = wire.rules.board.0;
    check_size(size.width, size.height).map_err(|error| error.at(field))?;
    wire.record().map_err(|fault| match fault {
        Fault::Field(error) => error.within(field).into(),
        fault => RequestError::invalid(fault).at(field),
    })
}

/// Where the first click goes; the corner unless it is said.
fn first_click(text: Option<&str>, shape: &Shape) -> Result<FirstClick, RequestError> {
    let at = FirstClick::parse(text.unwrap_or("corner"), shape);
    at.map_err(|error| RequestError::invalid(error).at("at"))
}

#[cfg(test)]
mod testing {
    use std::sync::LazyLock;

    use super::*;

    /// A context without clock, with a fixed seed.
    pub fn context(roster: &Roster) -> Context<'_> {
        static NEVER: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
        Context { agents: roster, stop: &NEVER, any_seed: || 7, clock: || 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_never_read_files() {
        let agent = |text| AgentSource::agent(&Roster::default(), text, "agent");
        assert!(agent("tree:lowest-risk-depth-8").is_ok());
        assert!(agent("tree").is_ok());
        assert!(agent("mio:paper+prob").is_ok());
        for path in ["tree:/etc/passwd", "tree:../Cargo.toml", "tree:Cargo.toml"] {
            assert!(agent(path).is_err(), "{path}");
        }
        // The name of a folder here; nothing is shipped under it.
        let folder = agent("tree:src").unwrap().build();
        assert!(folder.is_err_and(|error| error.to_string().contains("no tree `src`")));
    }
}
