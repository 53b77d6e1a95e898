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
use crate::measure::{Measurements, Usage};
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
    Nanos,
    Weight,
    Outcome,
    /// A number that only some runs measure.
    Measure(fn(&GameRow) -> Option<f64>, fn(&mut GameRow, f64)),
    /// The rules used: a text such as `S-1=12;guess=3`.
    Usage,
}

/// A column of a number that only some runs measure.
macro_rules! measured {
    ($name:literal, $group:ident.$field:ident as $kind:ty) => {
        Column {
            name: $name,
            values: Values::Measure(
                |row| Some(row.measured.$group?.$field.into()),
                |row, value| row.measured.$group.get_or_insert_default().$field = value as $kind,
            ),
        }
    };
}

/// The columns of a row, after `agent` and `game`.
const COLUMNS: &[Column] = &[
    Column { name: "outcome", values: Values::Outcome },
    Column { name: "weight", values: Values::Weight },
    Column { name: "survived", values: Values::Count(|row| &mut row.survived) },
    Column { name: "actions", values: Values::Count(|row| &mut row.actions) },
    Column { name: "guesses", values: Values::Count(|row| &mut row.guesses) },
    Column { name: "opened", values: Values::Count(|row| &mut row.opened) },
    Column { name: "flags", values: Values::Count(|row| &mut row.flags) },
    Column { name: "wrong_flags", values: Values::Count(|row| &mut row.wrong_flags) },
    measured!("unneeded", unneeded.known as u32),
    measured!("unneeded_by_clues", unneeded.by_clues as u32),
    measured!("longest_chain", chains.longest as u32),
    measured!("mean_chain", chains.mean as f64),
    measured!("reach", chains.reach as u32),
    Column { name: "usage", values: Values::Usage },
    Column { name: "nanos", values: Values::Nanos },
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
    measured: Measurements { unneeded: None, usage: Vec::new(), chains: None },
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
            Values::Nanos => format!("required int64 {name} (INTEGER(64,false));"),
            Values::Weight => format!("required double {name};"),
            Values::Outcome | Values::Usage => format!("required binary {name} (UTF8);"),
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
#[error("{0}")]
pub(super) struct PartError(String);

impl From<ParquetError> for PartError {
    fn from(error: ParquetError) -> Self {
        Self(error.to_string())
    }
}

fn fault<T>(message: impl Into<String>) -> Result<T, PartError> {
    Err(PartError(message.into()))
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
            Values::Nanos => write::<Int64Type>(&mut group, all().map(|row| row.nanos as i64)),
            Values::Weight => write::<DoubleType>(&mut group, all().map(|row| row.weight)),
            Values::Outcome => {
                let words = all().map(|row| outcomes[row.outcome as usize].clone());
                write::<ByteArrayType>(&mut group, words)
            }
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
    let Some((digits, checksum)) = checksum(&bytes) else {
        return fault("it is truncated, or not a part of a run");
    };
    if bytes[digits] != *format!("{checksum:0DIGITS$x}").as_bytes() {
        return fault("its bytes have changed since it was written");
    }
    let file = SerializedFileReader::new(Bytes::from(bytes))?;
    let metadata = file.metadata().file_metadata();
    let entry = |name: &'static str| {
        let entries = metadata.key_value_metadata().into_iter().flatten();
        let mut named = entries.filter(|entry| entry.key == name);
        let value = named.find_map(|entry| entry.value.clone());
        value.ok_or_else(|| PartError(format!("it has no `{name}`")))
    };
    let (there, here) = (entry(name::FINGERPRINT)?, spec.fingerprint());
    if there != here {
        return fault(format!("it belongs to another run (fingerprint {there}, not {here})"));
    }
    let (there, here) = (entry(name::GAMES)?, name_games(&games));
    if there != here {
        return fault(format!("it contains games {there}, not {here}"));
    }
    let build = serde_json::from_str(&entry(name::BUILD)?)
        .or_else(|_| fault(format!("it has no `{}`", name::BUILD)))?;
    if *metadata.schema() != schema() {
        return fault("its columns are not those that this version of deminer writes");
    }
    let due = spec.tournament.agents.len() * (games.end - games.start) as usize;
    let there = metadata.num_rows() as usize;
    if there != due || file.num_row_groups() != 1 || entry(name::ROWS)? != due.to_string() {
        return fault(format!("it has {there} rows, not {due}"));
    }

    let group = file.get_row_group(0)?;
    let per_agent = due / spec.tournament.agents.len();
    check_order(&*group, spec, games, due)?;
    let mut all = vec![BLANK; due];
    for (column, index) in COLUMNS.iter().zip(2..) {
        read_column(column, &*group, index, &mut all)?;
    }
    let rows = all.chunks(per_agent).map(<[GameRow]>::to_vec).collect();
    Ok(Part { rows, build, checksum })
}

/// Reads a column into all rows.
fn read_column(
    column: &Column,
    group: &dyn RowGroupReader,
    index: usize,
    all: &mut [GameRow],
) -> Result<(), PartError> {
    let due = all.len();
    let rows = all.iter_mut();
    match column.values {
        Values::Count(of) => {
            let values = read::<Int32Type>(group, index, due)?;
            rows.zip(values).for_each(|(row, value)| *of(row) = value as u32);
        }
        Values::Nanos => {
            let values = read::<Int64Type>(group, index, due)?;
            rows.zip(values).for_each(|(row, value)| row.nanos = value as u64);
        }
        Values::Weight => {
            let values = read::<DoubleType>(group, index, due)?;
            rows.zip(values).for_each(|(row, value)| row.weight = value);
        }
        Values::Measure(_, set) => {
            let values = read_some(group, index, due)?;
            for (row, value) in rows.zip(values) {
                value.into_iter().for_each(|value| set(row, value));
            }
        }
        Values::Outcome => {
            for (number, (row, word)) in rows.zip(read_words(group, index, due)?).enumerate() {
                let named = Outcome::ALL.into_iter().find(|outcome| outcome.name() == word);
                let message = || format!("row {number} has the unknown outcome `{word}`");
                row.outcome = named.ok_or_else(|| PartError(message()))?;
            }
        }
        Values::Usage => {
            let right = "it should be like S-1=12;guess=3";
            for (number, (row, word)) in rows.zip(read_words(group, index, due)?).enumerate() {
                let message = || format!("row {number} has `{word}` for the rules used ({right})");
                row.measured.usage = read_usage(&word).ok_or_else(|| PartError(message()))?;
            }
        }
    }
    Ok(())
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
            let agent = text(agent);
            return fault(format!(
                "row {row} is game {number} of {agent}, but should be game {game} of {name}"
            ));
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
        return fault(format!("it has {} rows, not {rows}", values.len()));
    }
    Ok(values)
}

fn read_words(
    group: &dyn RowGroupReader,
    column: usize,
    rows: usize,
) -> Result<Vec<String>, PartError> {
    Ok(read::<ByteArrayType>(group, column, rows)?.iter().map(text).collect())
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
        return fault(format!("it has {} rows, not {rows}", there.len()));
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
