//! deminer for WebAssembly. Requests come in as JSON, documents go out as JSON; the npm package
//! around it turns them into typed values.
//!
//! Errors of requests are thrown as strings of JSON (`RequestError`). A panic is thrown as an
//! `Error` with its message; the instance must not be used after that.

mod game;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer::requests::{
    self, AgentSource, Context, PlayRequest, Player as AgentGame, RequestError, read_json,
};
use deminer::roster::Roster;
use deminer_game::{ArtifactKind, Artifacts};
use serde::Serialize;
use wasm_bindgen::prelude::*;

pub use self::game::Game;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
    #[wasm_bindgen(js_namespace = Math)]
    fn random() -> f64;
}

/// Throws panics as errors with their message.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Answers requests; keeps the artifacts that learned agents play with.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    roster: Roster,
    stop: Arc<AtomicBool>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without artifacts.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers the request of this name.
    ///
    /// # Errors
    /// If the request has no answer.
    pub fn answer(&self, name: &str, json: &str) -> Result<String, String> {
        let answer =
            requests::answer_json(name, json.as_bytes(), &self.context()).map_err(thrown)?;
        Ok(String::from_utf8(answer).expect("JSON is text"))
    }

    /// Adds an artifact under its path, such as `trees/lowest-risk.tree`.
    ///
    /// # Errors
    /// If the path names no kind of artifact.
    #[wasm_bindgen(js_name = addArtifact)]
    pub fn add_artifact(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), String> {
        let folder = path.split('/').next().unwrap_or_default();
        if !ArtifactKind::ALL.iter().any(|kind| kind.folder == folder) {
            let folders = ArtifactKind::ALL.map(|kind| kind.folder).join(", ");
            let detail = format!("`{path}` is not the path of an artifact; they are in {folders}");
            return Err(thrown(RequestError::invalid(detail).at("path")));
        }
        let mut artifacts: Artifacts = self.roster.artifacts().clone();
        artifacts.insert(path, bytes);
        self.roster = Roster::new(artifacts);
        Ok(())
    }

    /// Begins or continues a person's game.
    ///
    /// # Errors
    /// If the request is not valid.
    pub fn game(&self, json: &str) -> Result<Game, String> {
        let request: requests::GameRequest = read_json(json.as_bytes()).map_err(thrown)?;
        request.begin(&self.context()).map(Game::from).map_err(thrown)
    }

    /// Begins a game of an agent.
    ///
    /// # Errors
    /// If the request is not valid.
    pub fn play(&self, json: &str) -> Result<Player, String> {
        let request: PlayRequest = read_json(json.as_bytes()).map_err(thrown)?;
        request.begin(&self.context()).map(Player).map_err(thrown)
    }

    /// Begins a tournament.
    ///
    /// # Errors
    /// If the request is not valid.
    pub fn tournament(&self, json: &str) -> Result<Tournament, String> {
        let request: requests::TournamentRequest = read_json(json.as_bytes()).map_err(thrown)?;
        request.begin(&self.context()).map(Tournament).map_err(thrown)
    }
}

impl Engine {
    fn context(&self) -> Context<'_> {
        Context { agents: &self.roster as &dyn AgentSource, stop: &self.stop, any_seed, clock }
    }
}

/// A game of an agent, event by event.
#[wasm_bindgen]
pub struct Player(AgentGame);

#[wasm_bindgen]
impl Player {
    /// Up to this many next events, as a list; an empty one after the end.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn next(&mut self, most: usize) -> Result<String, String> {
        let events = self.0.by_ref().take(most).collect::<Result<Vec<_>, _>>();
        events.map(|events| json(&events)).map_err(thrown)
    }
}

/// A tournament in slices.
#[wasm_bindgen]
pub struct Tournament(requests::Tournament);

#[wasm_bindgen]
impl Tournament {
    /// Plays up to this many more games with each agent.
    pub fn play(&mut self, games: u32) {
        self.0.play(games.into());
    }

    /// The totals of the games so far.
    pub fn totals(&self) -> String {
        json(&self.0.totals())
    }
}

fn thrown(error: RequestError) -> String {
    json(&error)
}

fn json<T: Serialize>(document: &T) -> String {
    serde_json::to_string(document).expect("documents are plain values")
}

/// A seed that is short enough to type.
fn any_seed() -> u64 {
    (random() * 1e6) as u64
}

fn clock() -> u64 {
    (now() * 1000.0) as u64
}
