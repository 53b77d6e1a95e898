//! Agents that play with a network.

pub(crate) mod full_board;
pub(crate) mod judge;
pub(crate) mod sla;
pub(crate) mod windowed;

use deminer_game::{
    Agent, ArtifactKind, ClueKind, Entry, Form, Kind, OptionEntry, Options, Supports, Values,
};

use crate::forward::Forward;
use crate::nets::{Design, Sight, Variant};
use crate::train::{Loss, Trainer};
use full_board::FullBoard;
use judge::Judge;
use sla::Sla;
use windowed::Windowed;

/// A player with a network that may still be in training.
pub fn player(design: &Design, variant: Variant, trainer: &Trainer) -> Box<dyn Agent> {
    let forward = Forward::new(&trainer.net, &trainer.weights);
    let learns_from_own_games = (design.recipe)(variant).curriculum.is_some();
    match design.sight {
        Sight::Window if learns_from_own_games => {
            Box::new(Sla::new(vec![Judge::new(forward)], variant))
        }
        Sight::Window => {
            let is_calibrated = gives_probabilities(trainer.loss);
            Box::new(Windowed::new(forward, is_calibrated, variant))
        }
        Sight::Board | Sight::AnyBoard => Box::new(FullBoard::new(design.name, forward, variant)),
    }
}

/// Whether what is learned so are probabilities: scores and margins are none.
fn gives_probabilities(loss: Loss) -> bool {
    loss == Loss::CrossEntropy
}

/// Windows wrap on a torus; hexagons have none, and nothing was learned of uncertain clues.
const WINDOWS: Supports =
    Supports { forms: &[Form::Rect, Form::Torus], clues: &[ClueKind::Exact], ..Supports::ALL };

/// Whole boards have borders.
const BOARDS: Supports =
    Supports { forms: &[Form::Rect], clues: &[ClueKind::Exact], ..Supports::ALL };

const ORIG: OptionEntry = OptionEntry {
    name: "orig",
    values: Values::Flag,
    about: "with the flaws of the authors' own program",
};

/// What all entries share.
const NETWORK: Entry =
    Entry { kind: Kind::Network, artifact: Some(ArtifactKind::NETWORK), ..Entry::PLAIN };

pub(crate) fn variant(options: &Options) -> Variant {
    if options.flag("orig") { Variant::Orig } else { Variant::Repaired }
}

const GDANSK: &str = "K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in solving \
                      Minesweeper, Gdańsk University of Technology";
const STANFORD: &str =
    "L. Gardea, G. Koontz, R. Silva, Training a Minesweeper Solver, Stanford University 2015";
const KAIST: &str = "A. Tortay, O. Yurchenko, Minesweeper solver using NN, KAIST 2016";
