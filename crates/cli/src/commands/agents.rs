//! `deminer agents`: the roster.

use std::collections::BTreeMap;

use comfy_table::{ContentArrangement, Table, presets};
use deminer_game::{ClueKind, Entry, Form, Supports};
use deminer_lab::roster;
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION};

/// List the agents: name, kind, what they do, their options and the rules they play; or tell all
/// about one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer agents
  deminer agents cs520
  deminer agents --json | jq '.agents[].name'")]
pub struct Args {
    /// One agent only, with its options explained.
    name: Option<String>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema_version: u32,
    agents: Vec<AgentShape>,
}

#[derive(Serialize)]
struct AgentShape {
    name: &'static str,
    kind: &'static str,
    about: &'static str,
    paper: Option<&'static str>,
    options: Vec<OptionShape>,
    shapes: Vec<&'static str>,
    clues: Vec<&'static str>,
    cascade_off: bool,
    /// The trained networks at hand; none where none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    networks: Option<NetworksShape>,
}

#[derive(Serialize)]
struct NetworksShape {
    present: Vec<NetworkShape>,
    train: String,
}

#[derive(Serialize)]
struct NetworkShape {
    name: String,
    board: Option<String>,
    variant: Option<&'static str>,
    teacher: Option<String>,
    command: Option<String>,
    metrics: BTreeMap<String, f64>,
    fault: Option<String>,
}

/// The trained networks at hand for an agent; none for one that needs none.
#[cfg(feature = "neural")]
fn networks(agent: &str) -> Option<NetworksShape> {
    let (found, train) = deminer_lab::artifacts::of(agent)?;
    let network = |(name, read): deminer_lab::artifacts::Found| match read {
        Ok(header) => NetworkShape {
            name,
            board: Some(header.board.to_string()),
            variant: Some(header.variant.name()),
            teacher: Some(header.teacher),
            command: Some(header.command),
            metrics: header.metrics,
            fault: None,
        },
        Err(error) => NetworkShape {
            name,
            board: None,
            variant: None,
            teacher: None,
            command: None,
            metrics: BTreeMap::new(),
            fault: Some(error.to_string()),
        },
    };
    Some(NetworksShape { present: found.into_iter().map(network).collect(), train })
}

/// Built without networks, no agent needs one.
#[cfg(not(feature = "neural"))]
fn networks(_: &str) -> Option<NetworksShape> {
    None
}

#[derive(Serialize)]
struct OptionShape {
    name: &'static str,
    usage: String,
    about: &'static str,
}

impl AgentShape {
    fn of(entry: &Entry) -> Self {
        let option = |option: &deminer_game::OptionEntry| OptionShape {
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
            networks: networks(entry.name),
        }
    }
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let chosen: Vec<&Entry> = match &self.name {
            None => roster::entries().collect(),
            Some(name) => {
                let spec: roster::Spec = name.parse().map_err(Failure::usage)?;
                vec![spec.entry()]
            }
        };
        if self.json {
            let agents = chosen.into_iter().map(AgentShape::of).collect();
            return output.json(&Document { schema_version: SCHEMA_VERSION, agents });
        }
        match (&self.name, &chosen[..]) {
            (Some(_), [entry]) => output.print(describe(entry)),
            _ => output.print(table(&chosen)),
        }
    }
}

fn table(entries: &[&Entry]) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(["agent", "kind", "what it does", "options", "plays"]);
    for entry in entries {
        let options: Vec<&str> = entry.options.iter().map(|option| option.name).collect();
        table.add_row([
            entry.name.to_owned(),
            entry.kind.name().to_owned(),
            about(entry),
            options.join(" "),
            plays(&entry.supports),
        ]);
    }
    format!("{}\n\n`deminer agents NAME` tells an agent's options and paper.\n", table.trim_fmt())
}

/// What an agent does, and whether it can: a network must be trained first.
fn about(entry: &Entry) -> String {
    let missing = networks(entry.name).filter(|networks| networks.present.is_empty());
    match missing {
        None => entry.about.to_owned(),
        Some(networks) => format!("{}; not trained: `{}`", entry.about, networks.train),
    }
}

fn plays(supports: &Supports) -> String {
    if *supports == Supports::ALL {
        return "everything".into();
    }
    let mut limits = Vec::new();
    if supports.forms.len() < Form::ALL.len() {
        limits.push(supports.forms.iter().map(|form| form.name()).collect::<Vec<_>>().join(", "));
    }
    if supports.clues.len() < ClueKind::ALL.len() {
        let clues: Vec<&str> = supports.clues.iter().map(|kind| kind.name()).collect();
        limits.push(format!("{} clues", clues.join(", ")));
    }
    if !supports.no_cascade {
        limits.push("cascade on".into());
    }
    limits.join("; ")
}

fn describe(entry: &Entry) -> String {
    let mut text = format!("{} ({}): {}\n", entry.name, entry.kind.name(), entry.about);
    text += &format!("plays {}\n", plays(&entry.supports));
    if let Some(paper) = entry.paper {
        text += &format!("from {paper}\n");
    }
    for option in entry.options {
        text += &format!("  {}  {}\n", roster::usage(option), option.about);
    }
    if let Some(networks) = networks(entry.name) {
        text += &describe_networks(&networks);
    }
    text
}

fn describe_networks(networks: &NetworksShape) -> String {
    let mut text = match networks.present.is_empty() {
        true => format!("no trained network is at hand; make one: {}\n", networks.train),
        false => "trained networks:\n".to_owned(),
    };
    for network in &networks.present {
        text += &format!("  {}", network.name);
        match (&network.fault, &network.command) {
            (Some(fault), _) => text += &format!(": {fault}\n"),
            (None, command) => text += &format!(": {}\n", command.as_deref().unwrap_or_default()),
        }
        let metrics: Vec<String> =
            network.metrics.iter().map(|(name, value)| format!("{name} {value}")).collect();
        if !metrics.is_empty() {
            text += &format!("    {}\n", metrics.join(", "));
        }
    }
    text
}
