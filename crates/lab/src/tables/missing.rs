//! Networks that a table needs but that are not shipped: how to make them.

use deminer::roster::Roster;
use deminer_game::Size;
use deminer_neural::artifact::Header;
use deminer_neural::models;
use deminer_neural::nets::Variant;

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
        let net = agent.split(':').next().unwrap_or(agent);
        let variant = if agent.ends_with(":orig") { Variant::Orig } else { Variant::Repaired };
        let teacher = agent.split_once("teacher=").map(|(_, teacher)| teacher);
        let is_it = |header: &Header| {
            header.net == net
                && header.variant == variant
                && board.is_none_or(|board| header.board == board)
                && teacher.is_none_or(|teacher| header.teacher == teacher)
        };
        let headers = models::described(roster.artifacts()).filter_map(|(_, header)| header.ok());
        let known = headers.into_iter().find(is_it);
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
