//! Networks on disk: safetensors with a header that says what they are and how they were made.
//!
//! The header lies in the file's metadata, so any reader of safetensors can open the arrays.
//! What is read is checked: the mark of this program, the design, every array's shape, and a
//! checksum over all of it.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::str::FromStr;

use deminer_game::Size;
use half::f16;
use serde_json::{Map, Value, json};
use thiserror::Error;
use twox_hash::XxHash64;

use crate::nets::{self, Net, Variant};
use crate::train::EXACT;
use crate::weights::{Weights, plan};

/// The mark in the metadata; another layout gets another number.
const MARK: &str = "deminer network 1";

/// The metadata of a file, by name.
pub type Words = BTreeMap<String, String>;

/// What a network is and how it was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// The design's name.
    pub net: String,
    /// Whose it is.
    pub variant: Variant,
    /// The board it was trained for.
    pub board: Size,
    /// Who taught it; `truth` where it learned from layouts.
    pub teacher: String,
    /// The rules and games it learned from, in words.
    pub data: String,
    /// The seed of its training.
    pub seed: u64,
    /// The command that made it.
    pub command: String,
    /// What was measured on boards it had not seen.
    pub metrics: BTreeMap<String, f64>,
}

/// The teacher of a network that learned from layouts.
pub const TRUTH: &str = "truth";

impl Header {
    /// Whether what it says are probabilities: it learned from exact odds or from layouts.
    pub fn is_calibrated(&self) -> bool {
        self.teacher == EXACT || self.teacher == TRUTH
    }
}

/// How numbers are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// 16 bits.
    Half,
    /// 32 bits.
    Single,
}

impl Precision {
    /// As safetensors names it.
    fn name(self) -> &'static str {
        match self {
            Precision::Half => "F16",
            Precision::Single => "F32",
        }
    }
}

/// A file holds no network that can be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ArtifactError {
    /// Not safetensors at all, or cut off.
    #[error("this is no safetensors file, or a damaged one ({0})")]
    Damaged(String),
    /// Not JSON at all, or of another kind.
    #[error("this describes no network ({0})")]
    Description(String),
    /// A file of another program.
    #[error("this safetensors file holds no network of ours (its metadata lacks `{MARK}`)")]
    Foreign,
    /// A word of the header is missing or makes no sense.
    #[error("the header's `{0}` is missing or makes no sense")]
    Header(&'static str),
    /// No design has this name.
    #[error("there is no network `{0}` in this version")]
    Unknown(String),
    /// An array is missing.
    #[error("the array `{0}` is missing")]
    Missing(String),
    /// An array has another shape or type: its name, what it is, what it should be.
    #[error("the array `{0}` is {1}, not {2}")]
    Shape(String, String, String),
    /// An array holds an infinite number or none at all: its name, and where.
    #[error(
        "number {1} of the array `{0}` is not finite: the training has failed or the file is damaged"
    )]
    NotFinite(String, usize),
    /// The numbers are not those that were written: the checksum of the file and of its header.
    #[error("the checksum is {0}, not {1}: the file was changed after it was written")]
    Checksum(String, String),
}

/// Writes a network.
pub fn write(header: &Header, net: &Net, weights: &Weights, precision: Precision) -> Vec<u8> {
    let slots = plan(net);
    let arrays: Vec<(String, Vec<usize>, Vec<u8>)> = (slots.into_iter().zip(&weights.0))
        .map(|(slot, values)| (slot.name, slot.shape, bytes(values, precision)))
        .collect();
    let mut words = header_words(header);
    words.insert("checksum".into(), checksum(&words, arrays.iter().map(|array| &array.2[..])));
    let kind = precision.name();
    pack(&words, arrays.iter().map(|(name, shape, data)| (&name[..], kind, &shape[..], &data[..])))
}

/// Reads the header of a file, and nothing else.
pub fn header(head: &[u8]) -> Result<Header, ArtifactError> {
    read_header(&words(head)?)
}

/// Metadata alone, so that the numbers need not be there; [`read`] checks those.
fn words(head: &[u8]) -> Result<Words, ArtifactError> {
    metadata(&split(head)?.0)
}

/// The header as JSON, by name, and the bytes of all arrays.
fn split(file: &[u8]) -> Result<(Map<String, Value>, &[u8]), ArtifactError> {
    let (length, rest) = file.split_first_chunk().ok_or_else(|| damaged("it has no header"))?;
    let parts = rest.split_at_checked(u64::from_le_bytes(*length) as usize);
    let (text, arrays) = parts.ok_or_else(|| damaged("its header is cut off"))?;
    Ok((serde_json::from_slice(text).map_err(damaged)?, arrays))
}

fn metadata(index: &Map<String, Value>) -> Result<Words, ArtifactError> {
    let words = index.get("__metadata__").and_then(Value::as_object).map(words_of);
    words.filter(is_ours).ok_or(ArtifactError::Foreign)
}

fn is_ours(words: &Words) -> bool {
    words.get("format").is_some_and(|format| format == MARK)
}

fn words_of(values: &Map<String, Value>) -> Words {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    values.iter().map(|(name, value)| (name.clone(), word(value))).collect()
}

/// An array of a file.
struct Array<'a> {
    kind: &'a str,
    shape: Vec<usize>,
    bytes: &'a [u8],
}

impl<'a> Array<'a> {
    /// The array of this entry of the header, if the bytes of all arrays hold it.
    fn of(entry: &'a Value, all: &'a [u8]) -> Option<Self> {
        let whole = |number: &Value| number.as_u64()?.try_into().ok();
        let numbers = |field: &str| -> Option<Vec<usize>> {
            entry.get(field)?.as_array()?.iter().map(whole).collect()
        };
        let [from, to] = numbers("data_offsets")?.try_into().ok()?;
        let (kind, shape) = (entry.get("dtype")?.as_str()?, numbers("shape")?);
        Some(Self { kind, shape, bytes: all.get(from..to)? })
    }
}

fn damaged(error: impl ToString) -> ArtifactError {
    ArtifactError::Damaged(error.to_string())
}

/// Reads a network and checks it.
pub fn read(file: &[u8]) -> Result<(Header, Net, Weights), ArtifactError> {
    let (index, arrays) = split(file)?;
    let words = metadata(&index)?;
    let header = read_header(&words)?;
    let design =
        nets::find(&header.net).ok_or_else(|| ArtifactError::Unknown(header.net.clone()))?;
    let net = (design.build)(header.variant, header.board);
    let mut data = Vec::new();
    let mut weights = Vec::new();
    for slot in plan(&net) {
        let entry = index.get(&slot.name);
        let entry = entry.ok_or_else(|| ArtifactError::Missing(slot.name.clone()))?;
        let lost = || damaged(format!("its header names no bytes of `{}`", slot.name));
        let array = Array::of(entry, arrays).ok_or_else(lost)?;
        let mut kinds = [Precision::Half, Precision::Single].into_iter();
        let precision = kinds.find(|kind| kind.name() == array.kind);
        let Some(precision) = precision.filter(|_| array.shape == slot.shape) else {
            let found = format!("{:?} of {}", array.shape, array.kind);
            let expected = format!("{:?} of F16 or F32", slot.shape);
            return Err(ArtifactError::Shape(slot.name, found, expected));
        };
        let values = numbers(array.bytes, precision);
        if values.len() != slot.shape.iter().product::<usize>() {
            return Err(damaged(format!("`{}` has {} numbers", slot.name, values.len())));
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(ArtifactError::NotFinite(slot.name, at));
        }
        weights.push(values);
        data.push(array.bytes);
    }
    if data.iter().map(|bytes| bytes.len()).sum::<usize>() != arrays.len() {
        return Err(damaged("it has bytes of no array"));
    }
    let mut signed = words.clone();
    let expected = signed.remove("checksum").ok_or(ArtifactError::Header("checksum"))?;
    let found = checksum(&signed, data.into_iter());
    if found != expected {
        return Err(ArtifactError::Checksum(found, expected));
    }
    Ok((header, net, Weights(weights)))
}

/// Larger files are not shipped; their [description](describe) says what they are and what they
/// measured.
pub const LARGEST: usize = 4 << 20;

/// The header alone, as JSON.
pub fn describe(header: &Header) -> String {
    let words = header_words(header).into_iter().map(|(name, word)| match name.as_str() {
        "metrics" => (name, json!(header.metrics)),
        _ => (name, Value::String(word)),
    });
    let description = Value::Object(words.collect());
    serde_json::to_string_pretty(&description).expect("words by name") + "\n"
}

/// Reads a header that stands alone.
pub fn read_description(text: &str) -> Result<Header, ArtifactError> {
    let description = serde_json::from_slice(text.as_bytes());
    let description = description.map_err(|error| ArtifactError::Description(error.to_string()))?;
    let words = words_of(&description);
    match is_ours(&words) {
        true => read_header(&words),
        false => Err(ArtifactError::Header("format")),
    }
}

fn header_words(header: &Header) -> Words {
    let metrics = serde_json::to_string(&header.metrics).expect("numbers by name");
    let words: [(&str, &dyn ToString); 9] = [
        ("format", &MARK),
        ("net", &header.net),
        ("variant", &header.variant),
        ("board", &header.board),
        ("teacher", &header.teacher),
        ("data", &header.data),
        ("seed", &header.seed),
        ("command", &header.command),
        ("metrics", &metrics),
    ];
    words.into_iter().map(|(name, word)| (name.to_owned(), word.to_string())).collect()
}

fn read_header(words: &Words) -> Result<Header, ArtifactError> {
    fn read<T: FromStr>(words: &Words, name: &'static str) -> Result<T, ArtifactError> {
        let word = words.get(name).and_then(|word| word.parse().ok());
        word.ok_or(ArtifactError::Header(name))
    }
    let metrics: String = read(words, "metrics")?;
    Ok(Header {
        net: read(words, "net")?,
        variant: read(words, "variant")?,
        board: read(words, "board")?,
        teacher: read(words, "teacher")?,
        data: read(words, "data")?,
        seed: read(words, "seed")?,
        command: read(words, "command")?,
        metrics: read_metrics(&metrics).ok_or(ArtifactError::Header("metrics"))?,
    })
}

fn read_metrics(text: &str) -> Option<BTreeMap<String, f64>> {
    let metrics: Map<String, Value> = serde_json::from_slice(text.as_bytes()).ok()?;
    metrics.into_iter().map(|(name, number)| Some((name, number.as_f64()?))).collect()
}

fn bytes(values: &[f32], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::Half => {
            values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect()
        }
        Precision::Single => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

fn numbers(data: &[u8], precision: Precision) -> Vec<f32> {
    let two = |pair: &[u8]| f16::from_le_bytes([pair[0], pair[1]]).to_f32();
    let four = |quad: &[u8]| f32::from_le_bytes([quad[0], quad[1], quad[2], quad[3]]);
    match precision {
        Precision::Half => data.chunks_exact(2).map(two).collect(),
        Precision::Single => data.chunks_exact(4).map(four).collect(),
    }
}

/// Puts words and arrays (name, kind, shape, bytes) into one safetensors file: the length of a
/// JSON header, the header, the arrays. Written here because the library's own writer puts the
/// words in another order every time.
pub fn pack<'a>(
    words: &Words,
    arrays: impl Iterator<Item = (&'a str, &'static str, &'a [usize], &'a [u8])>,
) -> Vec<u8> {
    let mut index = Map::new();
    let mut body = Vec::new();
    index.insert("__metadata__".into(), json!(words));
    for (name, kind, shape, data) in arrays {
        let offsets = [body.len(), body.len() + data.len()];
        let entry = json!({ "dtype": kind, "shape": shape, "data_offsets": offsets });
        index.insert(name.to_owned(), entry);
        body.extend_from_slice(data);
    }
    let mut head = Value::Object(index).to_string().into_bytes();
    head.resize(head.len().next_multiple_of(8), b' ');
    let length = (head.len() as u64).to_le_bytes();
    [&length[..], &head, &body].concat()
}

/// XXH64 over words and arrays, as hexadecimal digits: finds damage, not malice.
fn checksum<'a>(words: &Words, arrays: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hash = XxHash64::with_seed(0);
    for (name, word) in words {
        for bytes in [name.as_bytes(), b"=", word.as_bytes(), b"\n"] {
            hash.write(bytes);
        }
    }
    arrays.for_each(|array| hash.write(array));
    format!("{:016x}", hash.finish())
}
