//! A network in training as safetensors: weights, the optimizer's memory, and what it remembers of
//! its own games.

use std::collections::BTreeMap;

use deminer_game::Window;
use deminer_neural::artifact;
use deminer_neural::nets::Net;
use deminer_neural::train::{Adam, Recipe, Samples, Trainer};
use deminer_neural::weights::{Slot, Weights, plan};
use safetensors::{SafeTensors, tensor::TensorView};
use serde::{Deserialize, Serialize};

use super::Mark;
use crate::train::CheckpointError;

/// Where a training stands, beside its network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
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
    pub marks: Vec<Mark>,
}

/// Writes a training down.
pub(super) fn write(state: &State, trainer: &Trainer, memory: Option<&Samples>) -> Vec<u8> {
    let state = serde_json::to_string(state).expect("numbers are written");
    let Adam { steps, mean, square, .. } = &trainer.adam;
    let words = [("state", state), ("steps", steps.to_string())];
    let words = BTreeMap::from(words.map(|(name, word)| (name.to_owned(), word)));
    let mut arrays: Vec<(String, &'static str, Vec<usize>, Vec<u8>)> = Vec::new();
    for (kind, weights) in [("weight", &trainer.weights), ("mean", mean), ("square", square)] {
        for (slot, values) in plan(&trainer.net).iter().zip(&weights.0) {
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

/// A training to continue.
pub(super) struct Saved {
    pub state: State,
    pub trainer: Trainer,
    /// What is remembered of its own games.
    pub memory: Samples,
}

/// Reads what was written.
pub(super) fn read(file: &[u8], net: Net, recipe: &Recipe) -> Result<Saved, CheckpointError> {
    let damaged = |reason: &str| CheckpointError::damaged(reason);
    let (_, metadata) = SafeTensors::read_metadata(file).map_err(CheckpointError::damaged)?;
    let words = metadata.metadata().clone().unwrap_or_default();
    let word = |name: &str| words.get(name).ok_or_else(|| damaged(&format!("no `{name}`")));
    let state: State = serde_json::from_str(word("state")?).map_err(|_| damaged("no state"))?;
    let steps: u64 = word("steps")?.parse().map_err(|_| damaged("no steps"))?;
    let tensors = SafeTensors::deserialize(file).map_err(CheckpointError::damaged)?;
    let floats = |tensor: TensorView| -> Vec<f32> {
        let four = |quad: &[u8]| f32::from_le_bytes([quad[0], quad[1], quad[2], quad[3]]);
        tensor.data().chunks_exact(4).map(four).collect()
    };
    let weights = |kind: &str| -> Result<Weights, CheckpointError> {
        let array = |slot: &Slot| {
            let name = format!("{kind} {}", slot.name);
            let tensor = tensors.tensor(&name).map_err(|_| damaged(&format!("no `{name}`")))?;
            if tensor.shape() != slot.shape {
                return Err(damaged(&format!("`{name}` has another shape")));
            }
            Ok(floats(tensor))
        };
        Ok(Weights(plan(&net).iter().map(array).collect::<Result<_, _>>()?))
    };
    let (mean, square) = (weights("mean")?, weights("square")?);
    let adam = Adam { decay: recipe.decay as f32, steps, mean, square };
    let learned = weights("weight")?;
    let mut memory = Samples::new(Window::SIDE, Window::SIDE, 1);
    if let (Ok(codes), Ok(targets)) =
        (tensors.tensor("memory codes"), tensors.tensor("memory targets"))
    {
        for (codes, safe) in codes.data().chunks_exact(Window::AREA).zip(floats(targets)) {
            memory.push(codes, 0.0, &[safe]);
        }
    }
    Ok(Saved { state, trainer: Trainer::resumed(net, recipe, learned, adam), memory })
}
