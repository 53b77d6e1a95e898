//! A part: the games of one shard as a Parquet file with a checksum.
//!
//! Any Parquet reader can read parts. Their metadata contains the run, the games, the build that
//! played them, and a checksum of the whole file.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use deminer_game::Outcome;
use parquet::basic::Encoding;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, Type};
use thiserror::Error;
use twox_hash::XxHash64;

use super::RunSpec;
use crate::measure::{Measured, Usage};
use crate::provenance::Build;
use crate::tournament::GameRow;
use deminer::roster::Spec;

/// A column: its name and its values in a row.
struct Column {
    name: &'static str,
    values: Values,
}

/// The field of a row that a column reads and writes.
enum Values {
    Count(fn(&mut GameRow) -> &mut u32),
    Nanos(fn(&mut GameRow) -> &mut u64),
    Weight(fn(&mut GameRow) -> &mut f64),
    Outcome(fn(&mut GameRow) -> &mut Outcome),
    /// A number that only some runs measure.
    Measure(fn(&GameRow) -> Option<f64>, fn(&mut GameRow, f64)),
    /// The rules used: a text such as `S-1=12;guess=3`.
    Usage,
}

/// The columns of a row, after `agent` and `game`.
const COLUMNS: &[Column] = &[
    Column { name: "outcome", values: Values::Outcome(|row| &mut row.outcome) },
    Column { name: "weight", values: Values::Weight(|row| &mut row.weight) },
    Column { name: "survived", values: Values::Count(|row| &mut row.survived) },
    Column { name: "actions", values: Values::Count(|row| &mut row.actions) },
    Column { name: "guesses", values: Values::Count(|row| &mut row.guesses) },
    Column { name: "opened", values: Values::Count(|row| &mut row.opened) },
    Column { name: "flags", values: Values::Count(|row| &mut row.flags) },
    Column { name: "wrong_flags", values: Values::Count(|row| &mut row.wrong_flags) },
    Column {
        name: "unneeded",
        values: Values::Measure(
            |row| Some(row.measured.unneeded?.known.into()),
            |row, value| row.measured.unneeded.get_or_insert_default().known = value as u32,
        ),
    },
    Column {
        name: "unneeded_by_clues",
        values: Values::Measure(
            |row| Some(row.measured.unneeded?.by_clues.into()),
            |row, value| row.measured.unneeded.get_or_insert_default().by_clues = value as u32,
        ),
    },
    Column {
        name: "longest_chain",
        values: Values::Measure(
            |row| Some(row.measured.chains?.longest.into()),
            |row, value| row.measured.chains.get_or_insert_default().longest = value as u32,
        ),
    },
    Column {
        name: "mean_chain",
        values: Values::Measure(
            |row| Some(row.measured.chains?.mean),
            |row, value| row.measured.chains.get_or_insert_default().mean = value,
        ),
    },
    Column {
        name: "reach",
        values: Values::Measure(
            |row| Some(row.measured.chains?.reach.into()),
            |row, value| row.measured.chains.get_or_insert_default().reach = value as u32,
        ),
    },
    Column { name: "usage", values: Values::Usage },
    Column { name: "nanos", values: Values::Nanos(|row| &mut row.nanos) },
];

/// A row before its columns are read.
const BLANK: GameRow = GameRow {
    outcome: Outcome::Undecided,
    weight: 0.0,
    survived: 0,
    actions: 0,
    guesses: 0,
    opened: 0,
    flags: 0,
    wrong_flags: 0,
    measured: Measured { unneeded: None, usage: Vec::new(), chains: None },
    nanos: 0,
};

fn schema() -> Type {
    let mut text =
        "message games { required binary agent (UTF8); required int64 game (INTEGER(64,false));"
            .to_owned();
    for column in COLUMNS {
        let name = column.name;
        text += &match column.values {
            Values::Count(_) => format!("required int32 {name} (INTEGER(32,false));"),
            Values::Nanos(_) => format!("required int64 {name} (INTEGER(64,false));"),
            Values::Weight(_) => format!("required double {name};"),
            Values::Outcome(_) | Values::Usage => format!("required binary {name} (UTF8);"),
            Values::Measure(..) => format!("optional double {name};"),
        };
    }
    parse_message_type(&(text + "}")).expect("the columns make a schema")
}

/// Names in the metadata of a part.
mod name {
    pub const FINGERPRINT: &str = "deminer.fingerprint";
    pub const SPEC: &str = "deminer.spec";
    pub const GAMES: &str = "deminer.games";
    pub const ROWS: &str = "deminer.rows";
    pub const BUILD: &str = "deminer.build";
    pub const CHECKSUM: &str = "deminer.checksum";
}

/// Precedes the digits of the checksum in the file.
const MARK: &[u8] = b"deminer-xxh64:";
const DIGITS: usize = 16;

/// A part that was read and checked.
pub(super) struct Part {
    /// For each agent of the spec, its games in order.
    pub rows: Vec<Vec<GameRow>>,
    /// The build that played them.
    pub build: Build,
    /// The checksum of the file.
    pub checksum: u64,
}

/// Why a file is not a valid part.
#[derive(Debug, Error)]
pub(super) enum PartError {
    #[error("it is truncated, or not a part of a run")]
    NoChecksum,
    #[error("its bytes have changed since it was written")]
    Checksum,
    #[error("it has no `{0}`")]
    NoEntry(&'static str),
    #[error("it belongs to another run (fingerprint {there}, not {here})")]
    OtherRun { there: String, here: String },
    #[error("it contains games {there}, not {here}")]
    OtherGames { there: String, here: String },
    #[error("its columns are not those that this version of deminer writes")]
    OtherColumns,
    #[error("it has {there} rows, not {here}")]
    Rows { there: usize, here: usize },
    #[error("row {row} is game {game} of {agent}, but should be game {due_game} of {due_agent}")]
    Row { row: usize, agent: String, game: u64, due_agent: String, due_game: u64 },
    #[error("row {row} has the unknown outcome `{word}`")]
    Outcome { row: usize, word: String },
    #[error("row {row} has `{word}` for the rules used (it should be like S-1=12;guess=3)")]
    Usage { row: usize, word: String },
    #[error(transparent)]
    Parquet(#[from] ParquetError),
}

/// Writes the file for some games.
pub(super) fn encode(
    spec: &RunSpec,
    games: Range<u64>,
    rows: &[Vec<GameRow>],
    build: &Build,
) -> Result<Vec<u8>, ParquetError> {
    let count = rows.iter().map(Vec::len).sum();
    table(&spec.tournament.agents, games.clone(), rows, label(spec, &games, count, build))
}

/// The metadata of a part, with room for the checksum.
pub(super) fn label(
    spec: &RunSpec,
    games: &Range<u64>,
    rows: usize,
    build: &Build,
) -> Vec<KeyValue> {
    let build = serde_json::to_string(build).expect("a build is plain text");
    let blank = [MARK, &[b'0'; DIGITS]].concat();
    [
        (name::FINGERPRINT, spec.fingerprint()),
        (name::SPEC, spec.to_string()),
        (name::GAMES, name_games(games)),
        (name::ROWS, rows.to_string()),
        (name::BUILD, build),
        (name::CHECKSUM, String::from_utf8(blank).expect("digits are text")),
    ]
    .map(|(name, value)| KeyValue::new(name.to_owned(), value))
    .to_vec()
}

/// Writes all rows of the first agent, then those of the second, and so on, with metadata.
pub(super) fn table(
    agents: &[Spec],
    games: Range<u64>,
    rows: &[Vec<GameRow>],
    label: Vec<KeyValue>,
) -> Result<Vec<u8>, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(label));
    // Numbers that rarely repeat are shorter as differences than in a dictionary.
    for path in ["game", "nanos"].map(ColumnPath::from) {
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }

    let mut file =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema()), Arc::new(properties.build()))?;
    let mut group = file.next_row_group()?;
    let named = agents.iter().zip(rows).flat_map(|(spec, rows)| {
        let name = ByteArray::from(spec.to_string().into_bytes());
        std::iter::repeat_n(name, rows.len())
    });
    write::<ByteArrayType>(&mut group, named)?;
    let numbered = rows.iter().flat_map(|_| games.clone().map(|game| game as i64));
    write::<Int64Type>(&mut group, numbered)?;
    let outcomes = Outcome::ALL.map(|outcome| ByteArray::from(outcome.name().as_bytes().to_vec()));
    let all = || rows.iter().flatten().cloned();
    for column in COLUMNS {
        match column.values {
            Values::Count(of) => {
                write::<Int32Type>(&mut group, all().map(|mut row| *of(&mut row) as i32))
            }
            Values::Nanos(of) => {
                write::<Int64Type>(&mut group, all().map(|mut row| *of(&mut row) as i64))
            }
            Values::Weight(of) => {
                write::<DoubleType>(&mut group, all().map(|mut row| *of(&mut row)))
            }
            Values::Outcome(of) => write::<ByteArrayType>(
                &mut group,
                all().map(|mut row| outcomes[*of(&mut row) as usize].clone()),
            ),
            Values::Measure(get, _) => write_some(&mut group, all().map(|row| get(&row))),
            Values::Usage => {
                let texts = all().map(|row| write_usage(&row.measured.usage).into_bytes().into());
                write::<ByteArrayType>(&mut group, texts)
            }
        }?;
    }
    group.close()?;
    let mut bytes = file.into_inner()?;
    let (digits, checksum) = checksum(&bytes).expect("the metadata has a place for the checksum");
    bytes[digits].copy_from_slice(format!("{checksum:0DIGITS$x}").as_bytes());
    Ok(bytes)
}

fn write<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: impl Iterator<Item = T::T>,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = values.collect();
    let mut column = group.next_column()?.expect("the schema has a column for it");
    column.typed::<T>().write_batch(&values, None, None)?;
    column.close()
}

/// Writes numbers that only some rows have.
fn write_some(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: impl Iterator<Item = Option<f64>>,
) -> Result<(), ParquetError> {
    let values: Vec<Option<f64>> = values.collect();
    let there: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<f64> = values.into_iter().flatten().collect();
    let mut column = group.next_column()?.expect("the schema has a column for it");
    column.typed::<DoubleType>().write_batch(&values, Some(&there), None)?;
    column.close()
}

fn write_usage(usage: &Usage) -> String {
    let used = |(name, count): &(_, u32)| format!("{name}={count}");
    usage.iter().map(used).collect::<Vec<_>>().join(";")
}

fn read_usage(text: &str) -> Option<Usage> {
    let used = |word: &str| {
        let (name, count) = word.rsplit_once('=')?;
        Some((Cow::Owned(name.to_owned()), count.parse().ok()?))
    };
    text.split(';').filter(|word| !word.is_empty()).map(used).collect()
}

/// Reads the part of some games. The checksum is verified before anything is parsed, and the part
/// must have every game of every agent exactly once.
pub(super) fn decode(bytes: Vec<u8>, spec: &RunSpec, games: Range<u64>) -> Result<Part, PartError> {
    let (digits, checksum) = checksum(&bytes).ok_or(PartError::NoChecksum)?;
    if bytes[digits] != *format!("{checksum:0DIGITS$x}").as_bytes() {
        return Err(PartError::Checksum);
    }
    let file = SerializedFileReader::new(Bytes::from(bytes))?;
    let metadata = file.metadata().file_metadata();
    let entry = |name: &'static str| {
        let entries = metadata.key_value_metadata().into_iter().flatten();
        let mut named = entries.filter(|entry| entry.key == name);
        named.find_map(|entry| entry.value.clone()).ok_or(PartError::NoEntry(name))
    };
    let (there, here) = (entry(name::FINGERPRINT)?, spec.fingerprint());
    if there != here {
        return Err(PartError::OtherRun { there, here });
    }
    let (there, here) = (entry(name::GAMES)?, name_games(&games));
    if there != here {
        return Err(PartError::OtherGames { there, here });
    }
    let build =
        serde_json::from_str(&entry(name::BUILD)?).map_err(|_| PartError::NoEntry(name::BUILD))?;
    if *metadata.schema() != schema() {
        return Err(PartError::OtherColumns);
    }
    let due = spec.tournament.agents.len() * (games.end - games.start) as usize;
    let there = metadata.num_rows() as usize;
    if there != due || file.num_row_groups() != 1 || entry(name::ROWS)? != due.to_string() {
        return Err(PartError::Rows { there, here: due });
    }

    let group = file.get_row_group(0)?;
    let per_agent = due / spec.tournament.agents.len();
    check_order(&*group, spec, games, due)?;
    let mut all = vec![BLANK; due];
    for (column, index) in COLUMNS.iter().zip(2..) {
        match column.values {
            Values::Count(of) => {
                let values = read::<Int32Type>(&*group, index, due)?;
                all.iter_mut().zip(values).for_each(|(row, value)| *of(row) = value as u32);
            }
            Values::Nanos(of) => {
                let values = read::<Int64Type>(&*group, index, due)?;
                all.iter_mut().zip(values).for_each(|(row, value)| *of(row) = value as u64);
            }
            Values::Weight(of) => {
                let values = read::<DoubleType>(&*group, index, due)?;
                all.iter_mut().zip(values).for_each(|(row, value)| *of(row) = value);
            }
            Values::Outcome(of) => {
                let values = read::<ByteArrayType>(&*group, index, due)?;
                for (number, (row, word)) in all.iter_mut().zip(values).enumerate() {
                    let named = |outcome: &Outcome| outcome.name().as_bytes() == word.data();
                    *of(row) = Outcome::ALL
                        .into_iter()
                        .find(named)
                        .ok_or_else(|| PartError::Outcome { row: number, word: text(&word) })?;
                }
            }
            Values::Measure(_, set) => {
                let values = read_some(&*group, index, due)?;
                for (row, value) in all.iter_mut().zip(values) {
                    value.into_iter().for_each(|value| set(row, value));
                }
            }
            Values::Usage => {
                let values = read::<ByteArrayType>(&*group, index, due)?;
                for (number, (row, word)) in all.iter_mut().zip(values).enumerate() {
                    row.measured.usage = read_usage(&text(&word))
                        .ok_or_else(|| PartError::Usage { row: number, word: text(&word) })?;
                }
            }
        }
    }
    let rows = all.chunks(per_agent).map(<[GameRow]>::to_vec).collect();
    Ok(Part { rows, build, checksum })
}

/// Checks that the rows are all games of the first agent, then all of the second, and so on.
fn check_order(
    group: &dyn RowGroupReader,
    spec: &RunSpec,
    games: Range<u64>,
    due: usize,
) -> Result<(), PartError> {
    let agents = read::<ByteArrayType>(group, 0, due)?;
    let numbers = read::<Int64Type>(group, 1, due)?;
    let names: Vec<String> = spec.tournament.agents.iter().map(ToString::to_string).collect();
    let expected = names.iter().flat_map(|name| games.clone().map(move |game| (name, game)));
    for (row, ((agent, number), (name, game))) in
        agents.iter().zip(numbers).zip(expected).enumerate()
    {
        if agent.data() != name.as_bytes() || number as u64 != game {
            return Err(PartError::Row {
                row,
                agent: text(agent),
                game: number as u64,
                due_agent: name.clone(),
                due_game: game,
            });
        }
    }
    Ok(())
}

fn read<T: DataType>(
    group: &dyn RowGroupReader,
    column: usize,
    rows: usize,
) -> Result<Vec<T::T>, PartError> {
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column)?);
    let mut values = Vec::with_capacity(rows);
    reader.read_records(rows, None, None, &mut values)?;
    if values.len() != rows {
        return Err(PartError::Rows { there: values.len(), here: rows });
    }
    Ok(values)
}

fn read_some(
    group: &dyn RowGroupReader,
    column: usize,
    rows: usize,
) -> Result<Vec<Option<f64>>, PartError> {
    let mut reader = get_typed_column_reader::<DoubleType>(group.get_column_reader(column)?);
    let (mut values, mut there) = (Vec::new(), Vec::with_capacity(rows));
    reader.read_records(rows, Some(&mut there), None, &mut values)?;
    if there.len() != rows {
        return Err(PartError::Rows { there: there.len(), here: rows });
    }
    let mut values = values.into_iter();
    Ok(there.iter().map(|&level| if level > 0 { values.next() } else { None }).collect())
}

fn text(word: &ByteArray) -> String {
    String::from_utf8_lossy(word.data()).into_owned()
}

/// The games in metadata and messages: first and last.
fn name_games(games: &Range<u64>) -> String {
    format!("{} to {}", games.start, games.end.saturating_sub(1))
}

/// The position of the digits, and the checksum of all other bytes of the file.
fn checksum(bytes: &[u8]) -> Option<(Range<usize>, u64)> {
    let mark = bytes.windows(MARK.len()).rposition(|window| window == MARK)?;
    let digits = mark + MARK.len()..mark + MARK.len() + DIGITS;
    let (head, tail) = (&bytes[..digits.start], bytes.get(digits.end..)?);
    Some((digits, XxHash64::oneshot(XxHash64::oneshot(0, head), tail)))
}
