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

use std::borrow::Cow;

use deminer_game::{
    Action, By, Cell, ClueRule, Form, GameSeed, Help, HintTaken, Layout, Move, Outcome, Premise,
    Proof, Record, Rules, Shape, Size, Start, Undone, Why,
};
use serde::{Deserialize, Serialize};

use crate::bytes::text;
use crate::{Document, Fault, Format, Kind, Place, ReadError, WriteError};

pub(crate) const ENTRY: Format = Format {
    name: "record",
    about: "our own records of games, as JSON",
    extensions: &["json"],
    holds: &[Kind::Record],
    binary: false,
    detect,
    read,
    encode: Some(encode),
};

const VERSION: u32 = 1;
const KIND: &str = "record";
/// The greatest number up to which JavaScript counts by ones.
const JAVASCRIPT: u64 = 1 << 53;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordJson {
    schema_version: u32,
    kind: String,
    player: String,
    rules: RulesJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<Count>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<Count>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layout: Option<Vec<String>>,
    moves: Vec<MoveJson>,
    outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    help: Option<HelpJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HelpJson {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    undone: Vec<UndoneJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hints: Vec<HintJson>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    odds: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UndoneJson {
    at: usize,
    #[serde(rename = "move")]
    step: MoveJson,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HintJson {
    at: usize,
    level: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesJson {
    board: String,
    shape: String,
    start: String,
    cascade: String,
    clues: String,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Count {
    Number(u64),
    Text(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveJson {
    by: String,
    action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cell: Option<CellJson>,
    why: WhyJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    micros: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    redrawn: Option<Vec<String>>,
}

/// Row and column, from 0.
pub type CellJson = [usize; 2];

/// A reason as records have it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum WhyJson {
    /// It follows from what is seen.
    Proved {
        /// By this rule.
        rule: String,
        /// From these.
        premises: Vec<PremiseJson>,
    },
    /// A guess that was weighed.
    Risk {
        /// The probability of a mine, as the agent believes.
        risk: f64,
    },
    /// A rule of the agent's own.
    Rule {
        /// Its name.
        name: String,
        /// What it rests on.
        premises: Vec<PremiseJson>,
    },
    /// The first click.
    Start {},
    /// A guess without any reason.
    Blind {},
    /// No reason is known.
    Nothing {},
}

/// A premise as records have it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PremiseJson {
    /// The clue of an open cell.
    Clue(CellJson),
    /// A cell known to be a mine.
    Mine(CellJson),
    /// A cell known to be safe.
    Safe(CellJson),
    /// The number of mines on the whole board.
    MineTotal,
}

impl WhyJson {
    /// A reason, its cells as rows and columns of this shape.
    pub fn of(why: &Why, shape: &Shape) -> Self {
        let place = |cell: Cell| {
            let (row, column) = shape.position(cell);
            [row, column]
        };
        let premise = |premise: &Premise| match *premise {
            Premise::Clue(cell) => PremiseJson::Clue(place(cell)),
            Premise::Mine(cell) => PremiseJson::Mine(place(cell)),
            Premise::Safe(cell) => PremiseJson::Safe(place(cell)),
            Premise::MineTotal => PremiseJson::MineTotal,
        };
        let premises = |premises: &[Premise]| premises.iter().map(premise).collect();
        match why {
            Why::Proved(proof) => WhyJson::Proved {
                rule: proof.rule.clone().into_owned(),
                premises: premises(&proof.premises),
            },
            Why::Risk(risk) => WhyJson::Risk { risk: *risk },
            Why::Rule { name, premises: list } => {
                WhyJson::Rule { name: name.clone().into_owned(), premises: premises(list) }
            }
            Why::Start => WhyJson::Start {},
            Why::Blind => WhyJson::Blind {},
            Why::Nothing => WhyJson::Nothing {},
        }
    }
}

fn detect(bytes: &[u8]) -> bool {
    text(bytes)
        .is_ok_and(|text| text.trim_start().starts_with('{') && text.contains("\"schema_version\""))
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let json: RecordJson = serde_json::from_str(text(bytes)?).map_err(|error| {
        let message = error.to_string();
        // The place is told by the error's own fields.
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        Fault::Json(message).at(Place::LineColumn(error.line(), error.column()))
    })?;
    let record = parse(json).map_err(|fault| fault.at(Place::File))?;
    let played = record.replay(|_, _, _| {}).and_then(|_| match record.help.undone.as_slice() {
        [] => Ok(()),
        _ => record.retrace(|_, _| {}),
    });
    played.map_err(|error| Fault::Record(error).at(Place::File))?;
    Ok(Document::Record(record))
}

fn parse(json: RecordJson) -> Result<Record, Fault> {
    if json.schema_version != VERSION {
        return Err(Fault::value("schema_version", json.schema_version, VERSION.to_string()));
    }
    if json.kind != KIND {
        return Err(Fault::value("kind", json.kind, KIND));
    }
    let rules = parse_rules(&json.rules)?;
    let shape = rules.shape();
    let seed = match (json.seed, json.game) {
        (Some(seed), Some(game)) => {
            Some(GameSeed { seed: count("seed", seed)?, game: count("game", game)? })
        }
        (None, None) => None,
        (Some(_), None) => return Err(Fault::Missing("game, which belongs to seed,")),
        (None, Some(_)) => return Err(Fault::Missing("seed, which belongs to game,")),
    };
    let layout = json.layout.map(|rows| parse_layout("layout", &rows, shape)).transpose()?;
    let moves = json.moves.into_iter().enumerate();
    let moves: Vec<Move> = moves
        .map(|(number, step)| parse_move(&format!("moves[{number}]"), step, shape))
        .collect::<Result<_, _>>()?;
    let outcome = named("outcome", &json.outcome, Outcome::ALL, Outcome::name)?;
    let help = json.help.map(|help| parse_help(help, moves.len(), shape)).transpose()?;
    let help = help.unwrap_or_default();
    Ok(Record { player: json.player, rules, seed, layout, moves, outcome, help })
}

fn parse_help(json: HelpJson, moves: usize, shape: &Shape) -> Result<Help, Fault> {
    let parse_undone = |(number, undone): (usize, UndoneJson)| {
        let step = parse_move(&format!("help.undone[{number}].move"), undone.step, shape)?;
        Ok(Undone { at: undone.at, step })
    };
    let undone: Vec<Undone> =
        json.undone.into_iter().enumerate().map(parse_undone).collect::<Result<_, Fault>>()?;
    let longest = undone.iter().map(|undone| undone.at.saturating_add(1)).fold(moves, usize::max);
    let parse_hint = |(number, HintJson { at, level }): (usize, HintJson)| {
        let what = |part: &str| format!("help.hints[{number}].{part}");
        if at > longest {
            let right = format!("at most {longest}, the most moves that there ever were");
            return Err(Fault::value(what("at"), at, right));
        }
        if !(1..=Help::HINT_LEVELS).contains(&level) {
            let right = format!("a step from 1 to {}", Help::HINT_LEVELS);
            return Err(Fault::value(what("level"), level, right));
        }
        Ok(HintTaken { at, level })
    };
    let hints = json.hints.into_iter().enumerate().map(parse_hint).collect::<Result<_, _>>()?;
    Ok(Help { undone, hints, odds: json.odds })
}

fn parse_rules(json: &RulesJson) -> Result<Rules, Fault> {
    let size: Size = json.board.parse().map_err(|_| {
        Fault::value("rules.board", &json.board, "WIDTHxHEIGHTxMINES, such as 30x16x99")
    })?;
    let form = named("rules.shape", &json.shape, Form::ALL, Form::name)?;
    let start = named("rules.start", &json.start, Start::ALL, Start::name)?;
    let cascade = match json.cascade.as_str() {
        "on" => true,
        "off" => false,
        other => return Err(Fault::value("rules.cascade", other, "on or off")),
    };
    let clues: ClueRule = json.clues.parse().map_err(|_| {
        Fault::value(
            "rules.clues",
            &json.clues,
            "exact, blind:R, optimistic, cautious or cautious:degree",
        )
    })?;
    let shape = Shape::new(form, size.width, size.height)?;
    Ok(Rules::new(shape, size.mines)?.with_start(start)?.with_cascade(cascade).with_clues(clues))
}

/// The value that goes by a word.
fn named<T: Copy>(
    what: &str,
    word: &str,
    all: impl IntoIterator<Item = T>,
    name: impl Fn(T) -> &'static str,
) -> Result<T, Fault> {
    let all: Vec<T> = all.into_iter().collect();
    all.iter().copied().find(|&value| name(value) == word).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&value| name(value)).collect();
        Fault::value(what, word, format!("one of {}", names.join(", ")))
    })
}

fn count(what: &str, count: Count) -> Result<u64, Fault> {
    match count {
        Count::Number(number) => Ok(number),
        Count::Text(text) => {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|_| digits)
                .ok_or_else(|| Fault::value(what, text, "a number below 2^64"))
        }
    }
}

fn parse_layout(what: &str, rows: &[String], shape: &Shape) -> Result<Layout, Fault> {
    let mut mines = Vec::new();
    if rows.len() != shape.height() {
        return Err(Fault::value(
            format!("the number of rows of {what}"),
            rows.len(),
            shape.height().to_string(),
        ));
    }
    for (row, content) in rows.iter().enumerate() {
        let found = content.chars().count();
        if found != shape.width() {
            return Err(Fault::value(
                format!("the length of {what}[{row}]"),
                found,
                shape.width().to_string(),
            ));
        }
        for (column, symbol) in content.chars().enumerate() {
            match symbol {
                '*' => mines.extend(shape.cell(row, column)),
                '.' => {}
                _ => {
                    return Err(Fault::value(
                        format!("a cell of {what}[{row}]"),
                        symbol,
                        "* for a mine or .",
                    ));
                }
            }
        }
    }
    Ok(Layout::new(shape.clone(), mines).expect("each cell of the shape once at most"))
}

fn parse_move(name: &str, json: MoveJson, shape: &Shape) -> Result<Move, Fault> {
    let what = |part: &str| format!("{name}.{part}");
    let by = named(&what("by"), &json.by, [By::Start, By::Agent], by_name)?;
    let on = |place: Option<CellJson>| {
        let place = place.ok_or_else(|| Fault::value(what("cell"), "null", "[row, column]"))?;
        parse_cell(&what("cell"), place, shape)
    };
    let action = match json.action.as_str() {
        "open" => Action::Open(on(json.cell)?),
        "flag" => Action::Flag(on(json.cell)?),
        "unflag" => Action::Unflag(on(json.cell)?),
        "chord" => Action::Chord(on(json.cell)?),
        "decline" => Action::Decline,
        other => {
            return Err(Fault::value(
                what("action"),
                other,
                "open, flag, unflag, chord or decline",
            ));
        }
    };
    let premises = |premises: Vec<PremiseJson>| -> Result<Vec<Premise>, Fault> {
        let cell = |place| parse_cell(&what("why.premises"), place, shape);
        let premise = |premise| {
            Ok(match premise {
                PremiseJson::Clue(place) => Premise::Clue(cell(place)?),
                PremiseJson::Mine(place) => Premise::Mine(cell(place)?),
                PremiseJson::Safe(place) => Premise::Safe(cell(place)?),
                PremiseJson::MineTotal => Premise::MineTotal,
            })
        };
        premises.into_iter().map(premise).collect()
    };
    let why = match json.why {
        WhyJson::Proved { rule, premises: list } => {
            Why::Proved(Proof { rule: Cow::Owned(rule), premises: premises(list)? })
        }
        WhyJson::Risk { risk } => Why::Risk(risk),
        WhyJson::Rule { name, premises: list } => {
            Why::Rule { name: Cow::Owned(name), premises: premises(list)? }
        }
        WhyJson::Start {} => Why::Start,
        WhyJson::Blind {} => Why::Blind,
        WhyJson::Nothing {} => Why::Nothing,
    };
    let redrawn =
        json.redrawn.map(|rows| parse_layout(&what("redrawn"), &rows, shape)).transpose()?;
    Ok(Move { by, action, why, micros: json.micros, redrawn })
}

fn by_name(by: By) -> &'static str {
    match by {
        By::Start => "start",
        By::Agent => "agent",
    }
}

fn parse_cell(what: &str, [row, column]: CellJson, shape: &Shape) -> Result<Cell, Fault> {
    shape.cell(row, column).ok_or_else(|| {
        let right =
            format!("a cell of {} rows of {}, counted from 0", shape.height(), shape.width());
        Fault::value(what, format!("[{row}, {column}]"), right)
    })
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let record = document.record()?;
    let shape = record.rules.shape();
    let number = |number: u64| match number {
        0..=JAVASCRIPT => Count::Number(number),
        _ => Count::Text(number.to_string()),
    };
    let moves = record.moves.iter().enumerate();
    let json = RecordJson {
        schema_version: VERSION,
        kind: KIND.to_owned(),
        player: record.player.clone(),
        rules: RulesJson {
            board: record.rules.size().to_string(),
            shape: shape.form().name().to_owned(),
            start: record.rules.start().name().to_owned(),
            cascade: if record.rules.cascade() { "on" } else { "off" }.to_owned(),
            clues: record.rules.clues().to_string(),
        },
        seed: record.seed.map(|seed| number(seed.seed)),
        game: record.seed.map(|seed| number(seed.game)),
        layout: record.layout.as_ref().map(rows),
        moves: moves.map(|(at, step)| move_json(at, step, shape)).collect::<Result<_, _>>()?,
        outcome: record.outcome.name().to_owned(),
        help: help_json(&record.help, shape)?,
    };
    let mut bytes = serde_json::to_vec(&json).expect("the structure has only string keys");
    bytes.push(b'\n');
    Ok(bytes)
}

fn rows(layout: &Layout) -> Vec<String> {
    let shape = layout.shape();
    let mine = |row, column| shape.cell(row, column).is_some_and(|cell| layout.is_mine(cell));
    let symbol = |row, column| if mine(row, column) { '*' } else { '.' };
    (0..shape.height())
        .map(|row| (0..shape.width()).map(|column| symbol(row, column)).collect())
        .collect()
}

fn move_json(number: usize, step: &Move, shape: &Shape) -> Result<MoveJson, WriteError> {
    if matches!(step.why, Why::Risk(risk) if !risk.is_finite()) {
        return Err(WriteError::NotFinite(number));
    }
    let place = |cell: Cell| {
        let (row, column) = shape.position(cell);
        [row, column]
    };
    Ok(MoveJson {
        by: by_name(step.by).to_owned(),
        action: step.action.name().to_owned(),
        cell: step.action.cell().map(place),
        why: WhyJson::of(&step.why, shape),
        micros: step.micros,
        redrawn: step.redrawn.as_ref().map(rows),
    })
}

fn help_json(help: &Help, shape: &Shape) -> Result<Option<HelpJson>, WriteError> {
    let undone = help.undone.iter().enumerate().map(|(number, undone)| {
        Ok(UndoneJson { at: undone.at, step: move_json(number, &undone.step, shape)? })
    });
    let hints = help.hints.iter().map(|&HintTaken { at, level }| HintJson { at, level });
    let json = HelpJson {
        undone: undone.collect::<Result<_, WriteError>>()?,
        hints: hints.collect(),
        odds: help.odds,
    };
    Ok((!help.is_none()).then_some(json))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fault;

    const GAME: &str = r#"{"schema_version":1,"kind":"record","player":"me","rules":{"board":"4x2x1","shape":"rect","start":"unsafe","cascade":"on","clues":"exact"},"layout":["*...","...."],"moves":[{"by":"start","action":"open","cell":[0,3],"why":{"kind":"start"},"micros":12},{"by":"agent","action":"flag","cell":[0,0],"why":{"kind":"proved","rule":"single clue","premises":[{"clue":[0,1]},"mine_total"]}},{"by":"agent","action":"decline","why":{"kind":"risk","risk":0.1}}],"outcome":"undecided"}
"#;

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
            "seed is `7x`, but should be a number below 2^64"
        );
    }

    #[test]
    fn faults_say_what_would_be_right() {
        let broken = |from: &str, to: &str| fault(&ENTRY, GAME.replacen(from, to, 1).as_bytes());
        assert_eq!(
            broken("[0,3]", "[2,3]"),
            "moves[0].cell is `[2, 3]`, but should be a cell of 2 rows of 4, counted from 0"
        );
        assert_eq!(
            broken("\"unsafe\"", "\"hard\""),
            "rules.start is `hard`, but should be one of unsafe, safe, open"
        );
        assert_eq!(
            broken("schema_version\":1", "schema_version\":2"),
            "schema_version is `2`, but should be 1"
        );
        assert_eq!(broken("*...", "*.."), "the length of layout[0] is `3`, but should be 4");
        assert_eq!(
            broken("\"undecided\"", "\"won\""),
            "the record says won, but its moves leave the game open"
        );
        assert_eq!(
            broken("4x2x1", "4x2x2"),
            "the record's layout has another shape or number of mines than its rules"
        );
        assert_eq!(
            broken(",\"cell\":[0,3]", ""),
            "moves[0].cell is `null`, but should be [row, column]"
        );
        assert!(
            broken("\"player\"", "\"playre\"")
                .starts_with("line 1, column 44: unknown field `playre`, expected one of")
        );
        assert!(
            broken("\"kind\":\"start\"", "\"kind\":\"start\",\"x\":1")
                .contains("unknown field `x`")
        );
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
        assert_eq!(
            (help.hints.as_slice(), help.odds),
            (&[HintTaken { at: 2, level: 4 }][..], true)
        );
        assert!(check(GAME).help.is_none());
        let empty = GAME.replace(r#""undecided"}"#, r#""undecided","help":{"undone":[]}}"#);
        assert!(read(empty.as_bytes()).unwrap().record().unwrap().help.is_none());
    }

    #[test]
    fn faults_of_help_say_what_would_be_right() {
        let broken = |from: &str, to: &str| {
            let json = helped();
            assert!(json.contains(from));
            fault(&ENTRY, json.replacen(from, to, 1).as_bytes())
        };
        assert_eq!(
            broken(r#""at":1"#, r#""at":4"#),
            "help.undone[0]: fewer moves than its `at` were there when it was undone"
        );
        assert_eq!(
            broken(
                r#""at":1,"move":{"by":"agent","action":"open","cell":[0,0]"#,
                r#""at":1,"move":{"by":"agent","action":"open","cell":[0,3]"#
            ),
            "help.undone[0]: the move changes nothing, since the cell is already open"
        );
        assert_eq!(
            broken(
                r#""cell":[0,0],"why":{"kind":"nothing"}"#,
                r#""cell":[5,0],"why":{"kind":"nothing"}"#
            ),
            "help.undone[0].move.cell is `[5, 0]`, but should be a cell of 2 rows of 4, counted from 0"
        );
        assert_eq!(
            broken(r#"{"at":2,"level":4}"#, r#"{"at":4,"level":4}"#),
            "help.hints[0].at is `4`, but should be at most 3, the most moves that there ever were"
        );
        assert_eq!(
            broken(r#""level":4"#, r#""level":5"#),
            "help.hints[0].level is `5`, but should be a step from 1 to 4"
        );
        assert!(broken(r#""odds":true"#, r#""oods":true"#).contains("unknown field `oods`"));
    }
}
