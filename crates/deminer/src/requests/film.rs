//! A recorded game as a film: what each move changed on the board.

use deminer_formats::wire::{WireRecord, Word, layout_rows};
use deminer_game::{Layout, State};
use serde::{Deserialize, Serialize};

use super::game::GameStateWord;
use super::{Context, Request, RequestError, read_record};
use crate::session::{face_code, face_codes};

/// A game to show.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FilmRequest {
    /// A record.
    pub record: WireRecord,
}

/// What each move of a game changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FilmDocument {
    /// For each move, the cells that look different after it, counted row by row, each with the
    /// code of its face: 0 to 8 a clue, 9 covered, 10 flag, 11 no clue, 12 mine, 13 exploded,
    /// 14 wrong flag. After the last move of a game that is over, also the mines.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<Vec<u16>>>))]
    pub changes: Vec<Vec<(u16, u8)>>,
    /// How the game stands after the last move.
    pub state: GameStateWord,
    /// Where the mines lie, if that is known.
    pub layout: Option<Vec<String>>,
    /// The fewest left clicks that open the board without chords, if its mines are known.
    pub three_bv: Option<usize>,
}

impl Request for FilmRequest {
    const NAME: &'static str = "film";
    type Answer = FilmDocument;

    fn work(self, _: &Context) -> Result<FilmDocument, RequestError> {
        let record = read_record(self.record, "record")?;
        let mut before = vec![face_code::COVERED; record.rules.shape().size()];
        let mut changes = Vec::with_capacity(record.moves.len());
        let board = record.replay(|_, _, board| {
            let after = face_codes(board);
            let cells = (0..).zip(before.iter().zip(&after));
            let changed = cells.filter(|(_, (before, after))| before != after);
            changes.push(changed.map(|(cell, (_, &after))| (cell, after)).collect());
            before = after;
        });
        let board = board.map_err(|error| RequestError::invalid(error).at("record"))?;
        let layout = board.layout().filter(|_| board.state() != State::Fresh);
        Ok(FilmDocument {
            changes,
            state: Word(board.state().into()),
            layout: layout.map(layout_rows),
            three_bv: layout.map(Layout::three_bv),
        })
    }
}
