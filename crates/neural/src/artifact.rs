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
use safetensors::tensor::Metadata;
use safetensors::{Dtype, SafeTensors};
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
    let kind = match precision {
        Precision::Half => "F16",
        Precision::Single => "F32",
    };
    pack(&words, arrays.iter().map(|(name, shape, data)| (&name[..], kind, &shape[..], &data[..])))
}

/// Reads the header of a file, and nothing else.
pub fn header(head: &[u8]) -> Result<Header, ArtifactError> {
    read_header(&words(head)?)
}

/// Metadata alone, so that the numbers need not be there; [`read`] checks those.
fn words(head: &[u8]) -> Result<Words, ArtifactError> {
    let (length, rest) = head.split_first_chunk().ok_or_else(|| damaged("it has no header"))?;
    let text = rest.get(..u64::from_le_bytes(*length) as usize);
    let text = text.ok_or_else(|| damaged("its header is cut off"))?;
    let metadata: Metadata = serde_json::from_slice(text).map_err(damaged)?;
    let words: Words = metadata.metadata().clone().unwrap_or_default().into_iter().collect();
    match words.get("format").map(String::as_str) {
        Some(MARK) => Ok(words),
        _ => Err(ArtifactError::Foreign),
    }
}

fn damaged(error: impl ToString) -> ArtifactError {
    ArtifactError::Damaged(error.to_string())
}

/// Reads a network and checks it.
pub fn read(file: &[u8]) -> Result<(Header, Net, Weights), ArtifactError> {
    let words = words(file)?;
    let tensors = SafeTensors::deserialize(file).map_err(damaged)?;
    let header = read_header(&words)?;
    let design =
        nets::find(&header.net).ok_or_else(|| ArtifactError::Unknown(header.net.clone()))?;
    let net = (design.build)(header.variant, header.board);
    let mut data = Vec::new();
    let mut weights = Vec::new();
    for slot in plan(&net) {
        let tensor =
            tensors.tensor(&slot.name).map_err(|_| ArtifactError::Missing(slot.name.clone()))?;
        if tensor.shape() != slot.shape || !matches!(tensor.dtype(), Dtype::F16 | Dtype::F32) {
            let found = format!("{:?} of {:?}", tensor.shape(), tensor.dtype());
            let expected = format!("{:?} of F16 or F32", slot.shape);
            return Err(ArtifactError::Shape(slot.name, found, expected));
        }
        let values = numbers(tensor.data(), tensor.dtype());
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(ArtifactError::NotFinite(slot.name, at));
        }
        weights.push(values);
        data.push(tensor.data().to_vec());
    }
    let mut signed = words.clone();
    let expected = signed.remove("checksum").ok_or(ArtifactError::Header("checksum"))?;
    let found = checksum(&signed, data.iter().map(Vec::as_slice));
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
    let description: BTreeMap<String, Value> = serde_json::from_str(text)
        .map_err(|error| ArtifactError::Description(error.to_string()))?;
    let words = description.into_iter().map(|(name, word)| match word {
        Value::String(word) => (name, word),
        other => (name, other.to_string()),
    });
    let words: Words = words.collect();
    match words.get("format").map(String::as_str) {
        Some(MARK) => read_header(&words),
        _ => Err(ArtifactError::Header("format")),
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
        metrics: serde_json::from_str(&metrics).map_err(|_| ArtifactError::Header("metrics"))?,
    })
}

fn bytes(values: &[f32], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::Half => {
            values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect()
        }
        Precision::Single => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

fn numbers(data: &[u8], kind: Dtype) -> Vec<f32> {
    let two = |pair: &[u8]| f16::from_le_bytes([pair[0], pair[1]]).to_f32();
    let four = |quad: &[u8]| f32::from_le_bytes([quad[0], quad[1], quad[2], quad[3]]);
    match kind {
        Dtype::F16 => data.chunks_exact(2).map(two).collect(),
        _ => data.chunks_exact(4).map(four).collect(),
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
