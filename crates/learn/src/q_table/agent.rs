//! Plays a table: opens the cell with the greatest value.

use std::sync::Arc;

use deminer_game::{
    Action, Agent, ArtifactKind, BuildError, Cell, ClueKind, Decision, Entry, Form, Kind,
    OptionEntry, Options, Rng, Rules, Supports, Values, View, Why,
};

use super::artifact::Artifact;
use super::table::{MOST_CELLS, Table};

/// The tables that are shipped, and those in files.
pub const ENTRY: Entry = Entry {
    name: "q-table",
    about: "a learned table of the value of each cell in each view of a tiny board",
    kind: Kind::Baseline,
    paper: Some(
        "L. Gardea, G. Koontz, R. Silva, Training a Minesweeper Solver, Stanford University 2015",
    ),
    options: &[OptionEntry {
        name: "table",
        values: Values::Rest,
        about: "a file made by `train q-table`, or one that is shipped: 4x4x3, 5x5x5",
    }],
    supports: Supports { forms: &[Form::Rect], clues: &[ClueKind::Exact], ..Supports::ALL },
    artifact: Some(ArtifactKind::Q_TABLE),
    missing_artifact: |options, rules| missing_artifact(&tables(options).ok()?, rules),
    build: |options| Ok(Box::new(Player::new(tables(options)?))),
};

/// The table that the options name, or else all tables.
fn tables(options: &Options) -> Result<Vec<Arc<Table>>, BuildError> {
    let kind = ArtifactKind::Q_TABLE;
    let read = |bytes: &[u8]| {
        Artifact::read(&String::from_utf8_lossy(bytes)).map(|artifact| artifact.table)
    };
    match options.artifact_name(kind) {
        "" => {
            options.artifacts().names(kind).map(|name| options.artifact(kind, name, read)).collect()
        }
        name => Ok(vec![options.artifact(kind, name, read)?]),
    }
}

/// What is missing if none of these tables is for the board.
fn missing_artifact(tables: &[Arc<Table>], rules: &Rules) -> Option<String> {
    let size = rules.size();
    if size.width * size.height > MOST_CELLS {
        return Some(format!("tables are for boards of {MOST_CELLS} cells at most"));
    }
    let none = !tables.iter().any(|table| table.size() == size);
    none.then(|| format!("no table for it; `deminer train q-table --board {size}` makes one"))
}

/// Plays whichever of its tables is for the board.
pub struct Player {
    tables: Vec<Arc<Table>>,
    playing: Option<usize>,
}

impl Player {
    /// A player of these tables.
    pub fn new(tables: Vec<Arc<Table>>) -> Self {
        Self { tables, playing: None }
    }
}

impl Agent for Player {
    fn begin(&mut self, rules: &Rules) {
        self.playing = self.tables.iter().position(|table| table.size() == rules.size());
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Some(playing) = self.playing else { return Decision::decline() };
        let openable = |cell: Cell| view.openable().any(|openable| openable == cell);
        let mut values = self.tables[playing].values(view).unwrap_or_default();
        values.retain(|&(cell, _)| openable(cell));
        let best = values.iter().map(|&(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
        let ties = values.iter().filter(|(_, value)| *value == best).map(|(cell, _)| *cell);
        if let Some(&cell) = rng.pick(&ties.collect::<Vec<Cell>>()) {
            return Decision::new(Action::Open(cell), Why::rule("worth most", Vec::new()));
        }
        let any: Vec<Cell> = view.openable().collect();
        rng.pick(&any).map_or_else(Decision::decline, |&cell| Decision::blind(cell))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{FirstClick, GameSeed, Match, Outcome};

    use super::*;

    #[test]
    fn shipped_tables_play_their_boards_and_no_others() {
        let artifacts = deminer_artifacts::shipped();
        let options = Options::default().with_artifacts(artifacts.clone());
        for board in artifacts.names(ArtifactKind::Q_TABLE) {
            let rules = Rules::of(board.parse().unwrap()).unwrap();
            assert_eq!((ENTRY.missing_artifact)(&options, &rules), None);
            let mut player = (ENTRY.build)(&options).unwrap();
            let mut won = 0;
            for game in 0..200 {
                let mut game =
                    Match::new(rules.clone(), FirstClick::Corner, GameSeed { seed: 9, game });
                won += u32::from(game.play(&mut *player) == Outcome::Won);
            }
            assert!(won > 20, "{board}: {won} of 200");
        }
        for (board, missing) in [
            ("4x4x4", "no table for it; `deminer train q-table --board 4x4x4` makes one"),
            ("8x8x10", "tables are for boards of 32 cells at most"),
        ] {
            let rules = Rules::of(board.parse().unwrap()).unwrap();
            assert_eq!((ENTRY.missing_artifact)(&options, &rules).unwrap(), missing);
        }
    }
}
