//! `deminer agents`: lists the agents.

use comfy_table::ContentArrangement;
use deminer::documents::{AgentsDocument, NetworkDocument, NetworksDocument};
use deminer::roster::{self, Roster};
use deminer_game::{Artifacts, ClueKind, Entry, Form, Supports};

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::text_table;

/// List the agents: name, kind, what they do, options and supported rules; or show one in detail.
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

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        let artifacts = roster.artifacts();
        let chosen: Vec<&Entry> = match &self.name {
            None => roster::entries().collect(),
            Some(name) => vec![roster.agent(name).map_err(Failure::usage)?.entry()],
        };
        if self.json {
            return output.json(&AgentsDocument::of(artifacts, chosen));
        }
        match (&self.name, &chosen[..]) {
            (Some(_), [entry]) => output.print(describe(artifacts, entry)),
            _ => output.print(table(artifacts, &chosen)),
        }
    }
}

fn table(artifacts: &Artifacts, entries: &[&Entry]) -> String {
    let mut table = text_table("agent | kind | what it does | options | plays");
    table.set_content_arrangement(ContentArrangement::Dynamic);
    for entry in entries {
        let options: Vec<&str> = entry.options.iter().map(|option| option.name).collect();
        table.add_row([
            entry.name.to_owned(),
            entry.kind.name().to_owned(),
            about(artifacts, entry),
            options.join(" "),
            plays(&entry.supports),
        ]);
    }
    format!(
        "{}\n\n`deminer agents NAME` shows the options and paper of an agent.\n",
        table.trim_fmt()
    )
}

/// What an agent does; a network without trained weights also names the command to train it.
fn about(artifacts: &Artifacts, entry: &Entry) -> String {
    let networks = NetworksDocument::of(artifacts, entry.name);
    match networks.filter(|networks| networks.present.is_empty()) {
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

fn describe(artifacts: &Artifacts, entry: &Entry) -> String {
    let mut text = format!("{} ({}): {}\n", entry.name, entry.kind.name(), entry.about);
    text += &format!("plays {}\n", plays(&entry.supports));
    if let Some(paper) = entry.paper {
        text += &format!("from {paper}\n");
    }
    for option in entry.options {
        text += &format!("  {}  {}\n", roster::usage(option), option.about);
    }
    if let Some(networks) = NetworksDocument::of(artifacts, entry.name) {
        text += &describe_networks(&networks);
    }
    text
}

fn describe_networks(networks: &NetworksDocument) -> String {
    let mut text = match networks.present.is_empty() {
        true => format!("no trained network is available; train one: {}\n", networks.train),
        false => "trained networks:\n".to_owned(),
    };
    networks.present.iter().for_each(|network| text += &describe_network(network));
    if !networks.described.is_empty() {
        text += "trained, but too large to ship:\n";
    }
    networks.described.iter().for_each(|network| text += &describe_network(network));
    if !networks.present.is_empty() {
        text += &format!("for another board: {} --board WIDTHxHEIGHTxMINES\n", networks.train);
    }
    text
}

fn describe_network(network: &NetworkDocument) -> String {
    let says = network.fault.as_ref().or(network.command.as_ref()).map_or("", String::as_str);
    let mut text = format!("  {}: {says}\n", network.name);
    let metrics: Vec<String> =
        network.metrics.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if !metrics.is_empty() {
        text += &format!("    {}\n", metrics.join(", "));
    }
    text
}
