//! Runs written down: safetensors with everything needed to go on.

use std::collections::BTreeMap;

use deminer_neural::artifact;
use deminer_neural::encode::Code;
use deminer_neural::nets::Net;
use deminer_neural::train::{Adam, Recipe, Samples, Trainer};
use deminer_neural::weights::{Weights, plan};
use safetensors::{SafeTensors, tensor::TensorView};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Mark, Progress};

/// A checkpoint that cannot be gone on from.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckpointError {
    /// Not a checkpoint, or cut off.
    #[error("the checkpoint is damaged or no checkpoint at all ({0})")]
    Damaged(String),
    /// Of a run with other settings.
    #[error("the checkpoint belongs to another run:\n  it is of {found}\n  asked is  {asked}")]
    Other {
        /// The run it is of.
        found: String,
        /// The run asked for.
        asked: String,
    },
}

/// Where a run stands, beside its network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Place {
    /// Times all samples have been seen.
    pub epoch: u64,
    /// Portions of games done in this epoch.
    pub portion: u64,
    /// Slabs of samples done in this portion.
    pub slab: u64,
    /// Samples learned from.
    pub samples: u64,
    /// Losses since the last mark: their sum, how many, and games won among them.
    pub tally: (f64, u64, u64),
    /// Samples ever remembered and games played, where the network plays itself.
    pub remembered: u64,
    pub games: u64,
    /// The learning curve.
    pub marks: Vec<(f64, u64, f64, Option<f64>)>,
}

impl Place {
    pub fn mark(&mut self, mark: Mark) {
        self.marks.push((mark.done, mark.samples, mark.loss, mark.validation));
    }

    pub fn marks(&self) -> Vec<Mark> {
        let mark = |&(done, samples, loss, validation): &(f64, u64, f64, Option<f64>)| Progress {
            done,
            samples,
            loss,
            validation,
        };
        self.marks.iter().map(mark).collect()
    }
}

const MARK: &str = "deminer checkpoint 1";

/// Writes a run down.
pub(super) fn write(
    run: &str,
    place: &Place,
    trainer: &Trainer,
    memory: Option<&Samples>,
) -> Vec<u8> {
    let words: BTreeMap<String, String> = [
        ("format", MARK.to_owned()),
        ("run", run.to_owned()),
        ("place", serde_json::to_string(place).expect("numbers are written")),
        ("steps", trainer.steps().to_string()),
    ]
    .into_iter()
    .map(|(name, word)| (name.to_owned(), word))
    .collect();
    let (_, mean, square) = trainer.adam().memory();
    let mut arrays: Vec<(String, &'static str, Vec<usize>, Vec<u8>)> = Vec::new();
    for (kind, weights) in [("weight", trainer.weights()), ("mean", mean), ("square", square)] {
        for (slot, values) in plan(trainer.net()).iter().zip(&weights.0) {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            arrays.push((format!("{kind} {}", slot.name), "F32", slot.shape.clone(), bytes));
        }
    }
    if let Some(memory) = memory {
        let all = 0..memory.len();
        let codes: Vec<u8> = all.clone().flat_map(|at| memory.codes(at).to_vec()).collect();
        let targets: Vec<u8> = all.flat_map(|at| memory.targets(at)[0].to_le_bytes()).collect();
        arrays.push(("memory codes".into(), "U8", vec![codes.len()], codes));
        arrays.push(("memory targets".into(), "F32", vec![memory.len()], targets));
    }
    let views =
        arrays.iter().map(|(name, kind, shape, data)| (&name[..], *kind, &shape[..], &data[..]));
    artifact::pack(&words, views)
}

/// A run taken up.
pub(super) struct Resumed {
    pub place: Place,
    pub trainer: Trainer,
    /// The codes and answers remembered.
    pub memory: Vec<(Vec<Code>, f32)>,
}

/// Reads a checkpoint of this run.
pub(super) fn read(
    file: &[u8],
    run: &str,
    net: Net,
    recipe: &Recipe,
) -> Result<Resumed, CheckpointError> {
    let damaged = |reason: &str| CheckpointError::Damaged(reason.to_owned());
    let (_, metadata) =
        SafeTensors::read_metadata(file).map_err(|error| damaged(&error.to_string()))?;
    let words = metadata.metadata().clone().unwrap_or_default();
    let word = |name: &str| words.get(name).ok_or_else(|| damaged(&format!("no `{name}`")));
    if word("format")? != MARK {
        return Err(damaged("of another version"));
    }
    let found = word("run")?;
    if found != run {
        return Err(CheckpointError::Other { found: found.clone(), asked: run.to_owned() });
    }
    let place: Place = serde_json::from_str(word("place")?).map_err(|_| damaged("no place"))?;
    let steps: u64 = word("steps")?.parse().map_err(|_| damaged("no steps"))?;
    let tensors = SafeTensors::deserialize(file).map_err(|error| damaged(&error.to_string()))?;
    let floats = |tensor: TensorView| -> Vec<f32> {
        let four = |quad: &[u8]| f32::from_le_bytes([quad[0], quad[1], quad[2], quad[3]]);
        tensor.data().chunks_exact(4).map(four).collect()
    };
    let weights = |kind: &str| -> Result<Weights, CheckpointError> {
        let array = |slot: &deminer_neural::weights::Slot| {
            let name = format!("{kind} {}", slot.name);
            let tensor = tensors.tensor(&name).map_err(|_| damaged(&format!("no `{name}`")))?;
            if tensor.shape() != slot.shape {
                return Err(damaged(&format!("`{name}` has another shape")));
            }
            Ok(floats(tensor))
        };
        Ok(Weights(plan(&net).iter().map(array).collect::<Result<_, _>>()?))
    };
    let adam = Adam::resumed(recipe.decay, steps, weights("mean")?, weights("square")?);
    let learned = weights("weight")?;
    let memory = match (tensors.tensor("memory codes"), tensors.tensor("memory targets")) {
        (Ok(codes), Ok(targets)) => {
            let targets = floats(targets);
            let cells = codes.data().len() / targets.len().max(1);
            let codes = codes.data().chunks_exact(cells.max(1)).map(<[u8]>::to_vec);
            codes.zip(targets).collect()
        }
        _ => Vec::new(),
    };
    Ok(Resumed { place, trainer: Trainer::resumed(net, recipe, learned, adam), memory })
}
