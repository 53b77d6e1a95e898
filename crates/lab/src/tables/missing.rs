//! Networks that a table needs but that are not shipped: how to make them.

use deminer::roster::Roster;
use deminer_game::Size;
use deminer_neural::artifact::Header;
use deminer_neural::models;
use deminer_neural::nets::Variant;

use super::Plan;

/// A network that an agent of a table lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The agent.
    pub agent: String,
    /// The board, where each has a network of its own.
    pub board: Option<Size>,
    /// The command that trains it into the folder `DIR/networks`.
    pub command: String,
    /// What it learned from when we trained it, if we did.
    pub data: Option<String>,
}

impl Missing {
    /// What an agent lacks on a board. The command is that of the network's description, or the
    /// usual one where it was never trained.
    pub(super) fn new(agent: &str, board: Option<Size>, roster: &Roster) -> Self {
        let kind = Kind::of(agent);
        let is_it =
            |header: &Header| kind.is_of(header) && board.is_none_or(|board| header.board == board);
        let headers = models::described(roster.artifacts()).filter_map(|(_, header)| header.ok());
        let known = headers.into_iter().find(is_it);
        let Kind { net, variant, teacher } = kind;
        let command = known.as_ref().map_or_else(
            || {
                let board = board.map_or(String::new(), |board| format!(" --board {board}"));
                format!("{}{board} --out {FOLDER}", models::train_command(net, variant, teacher))
            },
            |header| header.command.replace("artifacts/networks", FOLDER),
        );
        let agent = agent.to_owned();
        Self { agent, board, command, data: known.map(|header| header.data) }
    }
}

impl Plan {
    /// Notes which networks of a design are not there for a board: originals and repaired ones,
    /// and others that are known by their descriptions.
    pub(super) fn lack_networks(&mut self, net: &str, board: Size, present: &[Variant]) {
        let artifacts = self.roster.artifacts();
        let headers = models::described(artifacts)
            .filter_map(|(name, header)| Some((name, header.ok()?)))
            .filter(|(_, header)| (&header.net[..], header.board) == (net, board));
        let others: Vec<Missing> = headers
            .filter(|(_, header)| present.contains(&header.variant))
            .map(|(name, header)| Missing {
                agent: format!("{net}:{name}"),
                board: Some(board),
                command: header.command.replace("artifacts/networks", FOLDER),
                data: Some(header.data),
            })
            .collect();
        for (variant, agent) in
            [(Variant::Orig, format!("{net}:orig")), (Variant::Repaired, net.into())]
        {
            let exists = variant == Variant::Repaired || !net.ends_with(WIDE);
            if exists && !present.contains(&variant) {
                self.lack(Missing::new(&agent, Some(board), &self.roster));
            }
        }
        others.into_iter().for_each(|missing| self.lack(missing));
    }

    /// A note on what the networks of these agents learned from, by their headers.
    pub(super) fn note_training(&mut self, agents: &[&str]) {
        let headers: Vec<Header> = models::present(self.roster.artifacts())
            .filter_map(|(_, header)| header.ok())
            .collect();
        for agent in agents {
            let kind = Kind::of(agent);
            let own = headers.iter().filter(|header| kind.is_of(header));
            let learned: Vec<String> =
                own.map(|header| format!("{}, seed {}", header.data, header.seed)).collect();
            if !learned.is_empty() {
                self.note(format!("`{agent}` learned from {}.", learned.join("; and from ")));
            }
        }
    }
}

/// What the spec of an agent says of its network.
struct Kind<'a> {
    net: &'a str,
    variant: Variant,
    teacher: Option<&'a str>,
}

impl<'a> Kind<'a> {
    fn of(agent: &'a str) -> Self {
        let (net, options) = agent.split_once(':').unwrap_or((agent, ""));
        let mut options = options.split(',');
        let is_orig = options.clone().any(|option| option == "orig");
        let variant = if is_orig { Variant::Orig } else { Variant::Repaired };
        let teacher = options.find_map(|option| option.strip_prefix("teacher="));
        Self { net, variant, teacher }
    }

    fn is_of(&self, header: &Header) -> bool {
        header.net == self.net
            && header.variant == self.variant
            && self.teacher.is_none_or(|teacher| header.teacher == teacher)
    }
}

/// How names of networks end that are not in the paper.
pub(super) const WIDE: &str = "-wide";

const FOLDER: &str = "DIR/networks";

/// How to make what a table lacks, in Markdown.
pub fn note(table: &str, missing: &[Missing]) -> String {
    let mut text = format!(
        "Not shipped, because the files are too large or were never trained. Make the folder \
         DIR/networks, train them there, and play with `deminer --artifacts DIR reproduce \
         {table}`; a training prints how far it is, and the same command continues one that was \
         stopped:\n\n"
    );
    for Missing { agent, board, command, data } in missing {
        let board = board.map_or(String::new(), |board| format!(" on {board}"));
        let data = data.as_ref().map_or(String::new(), |data| format!(" ({data})"));
        text += &format!("- `{agent}`{board}{data}: `{command}`\n");
    }
    text + "\nOn one core, networks that learn from a solver take 2 to 20 minutes each, those that learn \
            from their own games up to an hour."
}
