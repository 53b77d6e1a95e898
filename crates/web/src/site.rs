//! The site: every file that the page asks for, itself included. `deminer site` writes them to a
//! folder for any static host; `deminer serve` serves the same paths beside the HTTP interface.
//!
//! ```text
//! index.html, assets/…                      the page and the engine it runs
//! guide/…                                   the guide
//! site.json                                 which program made this, and whether a server answers
//! data/agents.json                          the roster
//! data/leaderboard.json                     the arena
//! data/tables.json, data/tables/ID.json     paper tables, their pictures in data/tables/ID/
//! data/artifacts.json, data/artifacts/…     artifacts as documents, with their drawings
//! data/weights.json                         length, hash and agent of every file below weights/
//! weights/FOLDER/FILE                       what agents play with, loaded when it is needed
//! ```

use std::collections::BTreeMap;

use deminer::documents::{AgentsDocument, SCHEMA_VERSION};
use deminer::roster::{self, Roster};
use deminer_game::Artifacts;
use deminer_lab::provenance::Build;
use serde::Serialize;
use twox_hash::XxHash64;

use crate::api::artifacts::{
    ArtifactDocument, ArtifactsDocument, Manner, drawing, player_of, with_published,
};
use crate::api::tables::{Leaderboard, TableDocument, Tables, file_of};
use crate::page;
use crate::problem::Problem;

/// The name of the file by which a site is recognized.
pub const MARK: &str = "site.json";

const AGENTS: &str = "data/agents.json";
const LEADERBOARD: &str = "data/leaderboard.json";
const TABLES: &str = "data/tables.json";
const TABLE: &str = "data/tables/";
const ARTIFACTS: &str = "data/artifacts.json";
const ARTIFACT: &str = "data/artifacts/";
const WEIGHT_LIST: &str = "data/weights.json";
const WEIGHTS: &str = "weights/";

/// The files of a site.
#[derive(Clone)]
pub struct Site {
    roster: Roster,
    shown: Artifacts,
    server: bool,
}

/// Which site this is.
#[derive(Serialize)]
struct Mark {
    schema_version: u32,
    kind: &'static str,
    version: String,
    commit: Option<String>,
    /// How many agents there are.
    agents: usize,
    /// Whether the HTTP interface is there: runs, trainings, saved records.
    server: bool,
}

/// A file below `weights/`.
#[derive(Serialize)]
struct Weight {
    bytes: usize,
    hash: String,
    /// The agent that plays with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// The board it was made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
}

impl Site {
    /// The site of a static host, for these agents.
    pub fn new(roster: Roster) -> Self {
        let shown = with_published(roster.artifacts().clone());
        Self { roster, shown, server: false }
    }

    /// The same site, served beside the HTTP interface.
    pub(crate) fn with_server(self) -> Self {
        Self { server: true, ..self }
    }

    /// The artifacts that can be looked at.
    pub(crate) fn shown(&self) -> &Artifacts {
        &self.shown
    }

    /// The paths of all files, in an order in which they can be written while the site is
    /// visited: the page comes after what it needs.
    pub fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> =
            self.weights().map(|path| format!("{WEIGHTS}{path}")).collect();
        for (id, pictures) in Tables::reproduced().pictures() {
            paths.push(format!("{TABLE}{id}.json"));
            paths.extend(pictures.iter().map(|name| format!("{TABLE}{id}/{name}")));
        }
        for (name, drawings) in ArtifactsDocument::of(&self.shown).drawings() {
            paths.push(format!("{ARTIFACT}{name}.json"));
            paths.extend(drawings.iter().map(|drawing| format!("{ARTIFACT}{name}/{drawing}")));
        }
        paths.extend([AGENTS, LEADERBOARD, TABLES, ARTIFACTS, WEIGHT_LIST].map(str::to_owned));
        paths.extend(page::paths());
        paths.push(MARK.to_owned());
        paths
    }

    /// Whether a path may lead to a file of the site that is not one of the page's own.
    pub(crate) fn is_document(path: &str) -> bool {
        path == MARK || path.starts_with("data/") || path.starts_with(WEIGHTS)
    }

    /// The bytes of a file.
    pub fn file(&self, path: &str) -> Result<Vec<u8>, Problem> {
        if let Some(name) = path.strip_prefix(WEIGHTS) {
            let known = self.weights().any(|path| path == name);
            let bytes = known.then(|| self.shown.get(name)).flatten();
            return bytes.map(<[u8]>::to_vec).ok_or_else(|| missing(path));
        }
        match path {
            MARK => json(&self.mark()),
            AGENTS => json(&AgentsDocument::of(self.roster.artifacts(), roster::entries())),
            LEADERBOARD => json(Leaderboard::of(&self.roster)?),
            TABLES => json(&Tables::reproduced()),
            ARTIFACTS => json(&ArtifactsDocument::of(&self.shown)),
            WEIGHT_LIST => json(&self.weight_list()),
            _ => self.nested(path),
        }
    }

    /// A file of a table, of an artifact, or of the page.
    fn nested(&self, path: &str) -> Result<Vec<u8>, Problem> {
        if let Some(rest) = path.strip_prefix(TABLE) {
            return match (rest.strip_suffix(".json"), rest.split_once('/')) {
                (Some(id), _) => json(&TableDocument::find(id)?),
                (None, Some((id, name))) => file_of(id, name),
                (None, None) => Err(missing(path)),
            };
        }
        if let Some(rest) = path.strip_prefix(ARTIFACT) {
            return match (rest.strip_suffix(".json"), rest.split_once('/')) {
                (Some(name), _) => json(&ArtifactDocument::find(&self.shown, name)?),
                (None, Some((name, part))) => drawing(&self.shown, name, part, &Manner::default()),
                (None, None) => Err(missing(path)),
            };
        }
        page::file(path).ok_or_else(|| missing(path))
    }

    /// The artifacts that agents play with, without the curves beside them.
    fn weights(&self) -> impl Iterator<Item = &str> {
        self.shown.paths().filter(|path| !path.ends_with(".svg"))
    }

    fn weight_list(&self) -> BTreeMap<&str, Weight> {
        let weight = |path| {
            let bytes = self.shown.get(path)?;
            let (agent, board) = player_of(&self.shown, path);
            Some((path, Weight { bytes: bytes.len(), hash: hash(bytes), agent, board }))
        };
        self.weights().filter_map(weight).collect()
    }

    fn mark(&self) -> Mark {
        let Build { version, commit, .. } = Build::here();
        Mark {
            schema_version: SCHEMA_VERSION,
            kind: "site",
            version,
            commit,
            agents: roster::entries().count(),
            server: self.server,
        }
    }
}

/// A hash of a file's bytes, to see whether it changed.
pub(crate) fn hash(bytes: &[u8]) -> String {
    format!("{:016x}", XxHash64::oneshot(0, bytes))
}

fn json(document: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(document).map_err(Problem::fault)
}

fn missing(path: &str) -> Problem {
    Problem::not_found(format!("the site has no file {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site::new(Roster::new(deminer_artifacts::shipped()))
    }

    #[test]
    fn every_listed_file_is_there_and_listed_once() {
        let site = site();
        let mut paths = site.paths();
        // Theories are shown on boards that take long to find without optimization.
        for path in paths.iter().filter(|path| !path.ends_with(".pl.json")) {
            assert!(site.file(path).is_ok_and(|bytes| !bytes.is_empty()), "{path}");
        }
        assert_eq!(paths.last().map(String::as_str), Some(MARK));
        let count = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), count);
        assert!(count > 150, "only {count} files");
    }

    #[test]
    fn unknown_files_are_refused() {
        for path in ["weights/../Cargo.toml", "weights/networks/none.safetensors", "data/x.json"] {
            assert!(site().file(path).is_err(), "{path}");
        }
    }

    #[test]
    fn weights_are_listed_with_their_length() {
        let site = site();
        for (path, weight) in site.weight_list() {
            let bytes = site.file(&format!("weights/{path}")).unwrap();
            assert_eq!((bytes.len(), hash(&bytes)), (weight.bytes, weight.hash), "{path}");
        }
    }

    #[test]
    fn only_a_served_site_says_that_a_server_answers() {
        let says = |site: &Site| {
            let mark: serde_json::Value =
                serde_json::from_slice(&site.file(MARK).unwrap()).unwrap();
            assert_eq!(mark["kind"], "site");
            mark["server"].as_bool()
        };
        assert_eq!(says(&site()), Some(false));
        assert_eq!(says(&site().with_server()), Some(true));
    }
}
