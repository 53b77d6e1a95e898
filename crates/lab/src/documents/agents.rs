//! The roster.

use deminer_game::{Entry, OptionEntry};
use serde::Serialize;

use super::SCHEMA_VERSION;
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
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let agents = entries.into_iter().map(AgentDocument::of).collect();
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
    pub kind: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Author, title and year of its paper.
    pub paper: Option<&'static str>,
    /// What can be chosen.
    pub options: Vec<OptionDocument>,
    /// The shapes it plays.
    pub shapes: Vec<&'static str>,
    /// The kinds of clues it plays.
    pub clues: Vec<&'static str>,
    /// Whether it plays without cascade.
    pub cascade_off: bool,
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
    /// What the roster tells of an agent.
    pub fn of(entry: &Entry) -> Self {
        let option = |option: &OptionEntry| OptionDocument {
            name: option.name,
            usage: roster::usage(option),
            about: option.about,
        };
        Self {
            name: entry.name,
            kind: entry.kind.name(),
            about: entry.about,
            paper: entry.paper,
            options: entry.options.iter().map(option).collect(),
            shapes: entry.supports.forms.iter().map(|form| form.name()).collect(),
            clues: entry.supports.clues.iter().map(|kind| kind.name()).collect(),
            cascade_off: entry.supports.no_cascade,
        }
    }
}
