//! The roster.

use std::collections::BTreeMap;

use deminer_formats::wire::{FormWord, Word};
use deminer_game::{Artifacts, Entry, OptionEntry};
use serde::Serialize;

use super::{ClueKindWord, KindWord, SCHEMA_VERSION};
use crate::roster;

/// All agents, or some.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgentsDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The agents.
    pub agents: Vec<AgentDocument>,
}

impl AgentsDocument {
    /// These entries of the roster.
    pub fn of<'a>(artifacts: &Artifacts, entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let agents = entries.into_iter().map(|entry| AgentDocument::of(artifacts, entry)).collect();
        Self { schema_version: SCHEMA_VERSION, agents }
    }
}

/// An agent of the roster.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgentDocument {
    /// Its name in specs.
    pub name: &'static str,
    /// What it is made of.
    pub kind: KindWord,
    /// What it does, in a line.
    pub about: &'static str,
    /// Author, title and year of its paper.
    pub paper: Option<&'static str>,
    /// What can be chosen.
    pub options: Vec<OptionDocument>,
    /// The shapes it plays.
    pub shapes: Vec<FormWord>,
    /// The kinds of clues it plays.
    pub clues: Vec<ClueKindWord>,
    /// Whether it plays without cascade.
    pub cascade_off: bool,
    /// The trained networks at hand; none where none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networks: Option<NetworksDocument>,
}

/// The trained networks of an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NetworksDocument {
    /// Those at hand.
    pub present: Vec<NetworkDocument>,
    /// Those that were trained but are too large to be shipped: their commands make them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub described: Vec<NetworkDocument>,
    /// The command that makes one.
    pub train: String,
}

/// A trained network.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NetworkDocument {
    /// Its name.
    pub name: String,
    /// The board it was trained on.
    pub board: Option<String>,
    /// As its authors had it, or repaired.
    pub variant: Option<&'static str>,
    /// Who taught it.
    pub teacher: Option<String>,
    /// The command that made it.
    pub command: Option<String>,
    /// What was measured of it.
    pub metrics: BTreeMap<String, f64>,
    /// Why it cannot be used.
    pub fault: Option<String>,
}

impl NetworksDocument {
    /// The trained networks of an agent; none for an agent that needs no network.
    #[cfg(feature = "neural")]
    pub fn of(artifacts: &Artifacts, agent: &str) -> Option<Self> {
        use deminer_neural::{models, nets};
        nets::find(agent)?;
        let network = |(name, header): models::Named| match header {
            Ok(header) => (header.net == agent).then(|| NetworkDocument {
                name,
                board: Some(header.board.to_string()),
                variant: Some(header.variant.name()),
                teacher: Some(header.teacher),
                command: Some(header.command),
                metrics: header.metrics,
                fault: None,
            }),
            Err(error) => name.starts_with(agent).then(|| NetworkDocument {
                name,
                board: None,
                variant: None,
                teacher: None,
                command: None,
                metrics: BTreeMap::new(),
                fault: Some(error.to_string()),
            }),
        };
        Some(Self {
            present: models::present(artifacts).filter_map(network).collect(),
            described: models::described(artifacts).filter_map(network).collect(),
            train: models::train_command(agent, nets::Variant::Repaired, None),
        })
    }

    /// Built without networks, no agent needs one.
    #[cfg(not(feature = "neural"))]
    pub fn of(_: &Artifacts, _: &str) -> Option<Self> {
        None
    }
}

/// An option of an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OptionDocument {
    /// Its name.
    pub name: &'static str,
    /// How it is written in a spec.
    pub usage: String,
    /// What it does.
    pub about: &'static str,
}

impl AgentDocument {
    /// An entry of the roster, with the networks among the artifacts.
    pub fn of(artifacts: &Artifacts, entry: &Entry) -> Self {
        let option = |option: &OptionEntry| OptionDocument {
            name: option.name,
            usage: roster::usage(option),
            about: option.about,
        };
        Self {
            name: entry.name,
            kind: Word(entry.kind),
            about: entry.about,
            paper: entry.paper,
            options: entry.options.iter().map(option).collect(),
            shapes: entry.supports.forms.iter().copied().map(Word).collect(),
            clues: entry.supports.clues.iter().copied().map(Word).collect(),
            cascade_off: entry.supports.no_cascade,
            networks: NetworksDocument::of(artifacts, entry.name),
        }
    }
}
