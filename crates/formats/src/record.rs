//! Records as JSON: our own format for whole games, with reasons and times.
//!
//! ```json
//! {
//!   "schema_version": 1,
//!   "kind": "record",
//!   "player": "single-point",
//!   "rules": {"board": "3x2x1", "shape": "rect", "start": "safe", "cascade": "on", "clues": "exact"},
//!   "seed": 7,
//!   "game": 0,
//!   "layout": ["..*", "..."],
//!   "moves": [
//!     {"by": "start", "action": "open", "cell": [0, 0], "why": {"kind": "start"}, "micros": 12}
//!   ],
//!   "outcome": "undecided"
//! }
//! ```
//!
//! Cells are `[row, column]` from 0. `seed` and `game` are missing where the layout came from
//! elsewhere; above 2⁵³, which JavaScript cannot count, they are strings. `layout` is missing
//! where nothing was opened. A move may have `redrawn`, the rows of a layout put in place before
//! it. `help`, where the player took any, is
//!
//! ```json
//! {"undone": [{"at": 2, "move": {…}}], "hints": [{"at": 4, "level": 2}], "odds": true}
//! ```
//!
//! with one entry for each move that was undone, in the order of time: `at` is how many moves were
//! left after it was taken back. From the last entry to the first, the line before an undo is the
//! first `at` moves of the line before the next undo (for the last entry, of `moves`) and the move
//! itself. A hint's `level` is the last step that was asked for, 1 to 4. A record is played again
//! when read, undone moves included, so what is read is a possible game.

use crate::bytes::text;
use crate::wire::WireRecord;
use crate::{Document, DocumentKind, Fault, Format, Place, ReadError, WriteError, read_json};

pub(crate) const ENTRY: Format = Format {
    name: "record",
    about: "our own records of games, as JSON",
    extensions: &["json"],
    holds: &[DocumentKind::Record],
    binary: false,
    detect,
    read,
    encode: Some(encode),
};

fn detect(bytes: &[u8]) -> bool {
    text(bytes)
        .is_ok_and(|text| text.trim_start().starts_with('{') && text.contains("\"schema_version\""))
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let wire: WireRecord = read_json(text(bytes)?.as_bytes()).map_err(|error| {
        let message = match error.field {
            Some(field) => format!("{field}: {}", error.message),
            None => error.message,
        };
        Fault::Text(message).at(Place::LineColumn(error.line, error.column))
    })?;
    wire.record().map(Document::Record).map_err(|fault| fault.at(Place::File))
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let wire = WireRecord::of(&document.record()?)?;
    let mut bytes = serde_json::to_vec(&wire).expect("the structure has only string keys");
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use deminer_game::{GameSeed, HintTaken, Record};

    use super::*;
    use crate::tests::{check_faults, fault};

    const GAME: &str = r#"{"schema_version":1,"kind":"record","player":"me","rules":{"board":"4x2x1","shape":"rect","start":"unsafe","cascade":"on","clues":"exact"},"layout":["*...","...."],"moves":[{"by":"start","action":"open","cell":[0,3],"why":{"kind":"start"},"micros":12},{"by":"agent","action":"flag","cell":[0,0],"why":{"kind":"proved","rule":"single clue","premises":[{"clue":[0,1]},"mine_total"]}},{"by":"agent","action":"decline","why":{"kind":"risk","risk":0.1}}],"outcome":"undecided"}
"#;

    /// The document with the first place of one text replaced: `from -> to`.
    fn changed(json: &str, change: &str) -> Vec<u8> {
        let (from, to) = change.split_once(" ->").expect("what is replaced by what");
        assert!(json.contains(from), "{change}");
        json.replacen(from, to.trim_start(), 1).into_bytes()
    }

    fn check(json: &str) -> Record {
        assert!(detect(json.as_bytes()));
        let document = read(json.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(encode(&document).unwrap()).unwrap(), json);
        document.record().unwrap()
    }

    #[test]
    fn a_record_is_written_as_it_is_read() {
        assert_eq!(check(GAME).moves.len(), 3);
    }

    #[test]
    fn seeds_beyond_javascript_are_strings() {
        let json = |seed: &str| {
            let seed = format!(r#""seed":{seed},"game":0,"layout":"#);
            let fresh = GAME.replace(r#""layout":"#, &seed).replace(r#"["*...","...."]"#, "null");
            let (head, tail) = fresh.split_once(r#""moves":["#).unwrap();
            let (_, outcome) = tail.split_once("],\"outcome\"").unwrap();
            format!(r#"{head}"moves":[],"outcome"{outcome}"#).replace(r#""layout":null,"#, "")
        };
        assert_eq!(check(&json("9007199254740992")).seed.unwrap().seed, 1 << 53);
        assert_eq!(check(&json(r#""18446744073709551615""#)).seed.unwrap().seed, u64::MAX);
        let read = read(json(r#""7""#).as_bytes()).unwrap().record().unwrap();
        assert_eq!(read.seed, Some(GameSeed { seed: 7, game: 0 }));
        assert_eq!(
            fault(&ENTRY, json(r#""7x""#).as_bytes()),
            "line 1, column 150: seed: `7x` is not a whole number below 2^64"
        );
    }

    #[test]
    fn faults_say_what_would_be_right() {
        check_faults(
            &ENTRY,
            |change| changed(GAME, change),
            r#"[0,3] -> [2,3] => moves[0].cell: row 2, column 3 is outside the board (2 rows of 4, counted from 0)
               "unsafe" -> "hard" => line 1, column 104: rules.start: `hard` is not a start (use unsafe, safe or open)
               schema_version":1 -> schema_version":2 => schema_version is `2`, but should be 1
               *... -> *.. => layout[0]: this row has 3 cells, but should have 4
               "undecided" -> "won" => the record says won, but its moves leave the game open
               4x2x1 -> 4x2x2 => the record's layout has another shape or number of mines than its rules
               ,"cell":[0,3] -> => moves[0].cell: this action needs a cell, [row, column]"#,
        );
        let broken = |change: &str| fault(&ENTRY, &changed(GAME, change));
        let unknown = broken(r#""player" -> "playre""#);
        let at = "line 1, column 44: playre: unknown field `playre`,";
        assert!(unknown.starts_with(at), "{unknown}");
        let unknown = broken(r#""kind":"start" -> "kind":"start","x":1"#);
        assert!(unknown.contains("unknown field `x`"), "{unknown}");
    }

    /// Opened on the right, opened a mine, undone; then a hint and a flag.
    fn helped() -> String {
        let help = r#","help":{"undone":[{"at":1,"move":{"by":"agent","action":"open","cell":[0,0],"why":{"kind":"nothing"},"micros":9}}],"hints":[{"at":2,"level":4}],"odds":true}}"#;
        GAME.replace(r#""undecided"}"#, &format!(r#""undecided"{help}"#))
    }

    #[test]
    fn help_is_written_as_it_is_read() {
        let help = check(&helped()).help;
        assert_eq!((help.undone[0].at, help.undone[0].step.micros), (1, Some(9)));
        assert_eq!((help.hints, help.odds), (vec![HintTaken { at: 2, level: 4 }], true));
        assert!(check(GAME).help.is_none());
        let empty = GAME.replace(r#""undecided"}"#, r#""undecided","help":{"undone":[]}}"#);
        assert!(read(empty.as_bytes()).unwrap().record().unwrap().help.is_none());
    }

    #[test]
    fn faults_of_help_say_what_would_be_right() {
        check_faults(
            &ENTRY,
            |change| changed(&helped(), change),
            r#""at":1 -> "at":4 => help.undone[0]: fewer moves than its `at` were there when it was undone
               "open","cell":[0,0] -> "open","cell":[0,3] => help.undone[0]: the move changes nothing, since the cell is already open
               "open","cell":[0,0] -> "open","cell":[5,0] => help.undone[0].move.cell: row 5, column 0 is outside the board (2 rows of 4, counted from 0)
               {"at":2,"level":4} -> {"at":4,"level":4} => help.hints[0].at: 4 is more than the 3 moves there were
               "level":4 -> "level":5 => help.hints[0].level: 5 is not a step from 1 to 4"#,
        );
        let unknown = fault(&ENTRY, &changed(&helped(), r#""odds":true -> "oods":true"#));
        assert!(unknown.contains("unknown field `oods`"), "{unknown}");
    }
}
