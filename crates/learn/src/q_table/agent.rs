//! Plays a table: opens the cell that is worth most.

use std::sync::{Arc, LazyLock};

use deminer_game::{
    Action, Agent, Cell, ClueKind, Decision, Entry, Form, Kind, OptionEntry, Options, Rng, Rules,
    Supports, Values, View, Why,
};

use super::artifact::Artifact;
use super::table::{MOST_CELLS, Table};
use crate::not_shipped;

/// The tables that are shipped, and those in files.
pub const ENTRY: Entry = Entry {
    name: "q-table",
    about: "a table of what each cell of each view of a tiny board is worth, learned by trying",
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
    lacks: |options, rules| match options.word("table", "") {
        "" => lacks(TABLES.iter().map(|(_, table)| &**table), rules),
        name => lacks(TABLES.iter().filter(|(board, _)| *board == name).map(|(_, t)| &**t), rules),
    },
    build: |options: &Options| {
        let tables = match options.word("table", "") {
            "" => TABLES.iter().map(|(_, table)| Arc::clone(table)).collect(),
            name => {
                let shipped = TABLES.iter().find(|(board, _)| *board == name);
                let (_, table) = shipped.ok_or_else(|| not_shipped("table", name, SHIPPED))?;
                vec![Arc::clone(table)]
            }
        };
        Ok(Box::new(Player::new(tables)))
    },
};

/// What is missing if none of these tables is for the board.
pub fn lacks<'a>(mut tables: impl Iterator<Item = &'a Table>, rules: &Rules) -> Option<String> {
    let size = rules.size();
    if size.width * size.height > MOST_CELLS {
        return Some(format!("tables are for boards of {MOST_CELLS} cells at most"));
    }
    let none = !tables.any(|table| table.size() == size);
    none.then(|| format!("no table for it; `deminer train q-table --board {size}` makes one"))
}

/// The tables that are shipped: their board and their text.
pub const SHIPPED: &[(&str, &str)] = &[
    ("4x4x3", include_str!("../../../../artifacts/q-tables/4x4x3.q")),
    ("5x5x5", include_str!("../../../../artifacts/q-tables/5x5x5.q")),
];

/// The shipped tables, read once.
static TABLES: LazyLock<Vec<(&str, Arc<Table>)>> = LazyLock::new(|| {
    let read = |&(board, text): &(&'static str, &str)| {
        let artifact = Artifact::read(text).expect("shipped tables are whole");
        (board, Arc::new(artifact.table))
    };
    SHIPPED.iter().map(read).collect()
});

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
    use deminer_game::{At, GameSeed, Match, Outcome};

    use super::*;

    #[test]
    fn shipped_tables_play_their_boards_and_no_others() {
        for (board, _) in SHIPPED {
            let rules = Rules::of(board.parse().unwrap()).unwrap();
            let options = Options::new(Vec::new());
            assert_eq!((ENTRY.lacks)(&options, &rules), None);
            let mut player = (ENTRY.build)(&options).unwrap();
            let mut won = 0;
            for game in 0..200 {
                let mut game = Match::new(rules.clone(), At::Corner, GameSeed { seed: 9, game });
                won += u32::from(game.play(&mut *player) == Outcome::Won);
            }
            assert!(won > 20, "{board}: {won} of 200");
        }
        let other = Rules::of("4x4x4".parse().unwrap()).unwrap();
        assert_eq!(
            (ENTRY.lacks)(&Options::new(Vec::new()), &other).unwrap(),
            "no table for it; `deminer train q-table --board 4x4x4` makes one"
        );
        let large = Rules::of("8x8x10".parse().unwrap()).unwrap();
        assert_eq!(
            (ENTRY.lacks)(&Options::new(Vec::new()), &large).unwrap(),
            "tables are for boards of 32 cells at most"
        );
    }
}
