//! `mlp-5x5`, `cnn-5x5`, `reg-lin` and `svm-lin`: the risk of each fringe cell from the window
//! around it.
//!
//! The originals look only at the fringe, and their inputs in play differ from those in training.
//! Repaired, they also consider a cell off the fringe if their estimates are probabilities, and
//! have a move when there is no fringe.

use deminer_game::{
    Action, Agent, BuildError, Cell, Decision, Entry, Estimates, Face, Options, Rng, Rules, View,
    Why,
};

use super::judge::{self, Judge};
use super::{GDANSK, NETWORK, ORIG, STANFORD, WINDOWS, gives_probabilities};
use crate::encode::Frame;
use crate::forward::Forward;
use crate::models::{self, Model};
use crate::nets::{self, Variant};
use std::sync::Arc;

/// The dense one.
pub const MLP: Entry = Entry {
    name: "mlp-5x5",
    about: "dense network on 5x5 windows, taught by a solver",
    paper: Some(GDANSK),
    options: &[ORIG],
    supports: WINDOWS,
    build: |options| build("mlp-5x5", options),
    ..NETWORK
};

/// The convolutional one.
pub const CNN: Entry = Entry {
    name: "cnn-5x5",
    about: "convolutional network on 5x5 windows, taught by a solver",
    build: |options| build("cnn-5x5", options),
    ..MLP
};

/// A weighed sum, fitted to risks.
pub const REGRESSION: Entry = Entry {
    name: "reg-lin",
    about: "linear regression on 5x5 windows, taught by exact odds",
    paper: Some(STANFORD),
    options: &[],
    build: |options| build("reg-lin", options),
    ..MLP
};

/// A weighed sum that parts mines from safe cells.
pub const MACHINE: Entry = Entry {
    name: "svm-lin",
    about: "linear support vector machine on 5x5 windows, taught by exact odds",
    build: |options| build("svm-lin", options),
    ..REGRESSION
};

fn build(net: &str, options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let models = models::chosen(net, options, None)?;
    let variant = models[0].header.variant;
    let design = nets::find(net).expect("an agent's network has a design");
    let tells_odds = gives_probabilities((design.recipe)(variant).loss);
    let judge = |model: &Arc<Model>| {
        (Judge::new(model.forward.clone()), tells_odds && model.header.is_calibrated())
    };
    let judges = models.iter().map(judge).collect();
    Ok(Box::new(Windowed { models, judges, playing: 0, frame: Frame::default(), variant }))
}

pub struct Windowed {
    models: Vec<Arc<Model>>,
    /// A judge for each of them, and whether its answers are probabilities.
    judges: Vec<(Judge, bool)>,
    /// Which of them plays this board.
    playing: usize,
    frame: Frame,
    variant: Variant,
}

impl Windowed {
    /// A player with one network.
    pub fn new(forward: Forward, is_calibrated: bool, variant: Variant) -> Self {
        let judges = vec![(Judge::new(forward), is_calibrated)];
        Self { models: Vec::new(), judges, playing: 0, frame: Frame::default(), variant }
    }
}

impl Agent for Windowed {
    fn begin(&mut self, rules: &Rules) {
        self.playing = models::nearest(&self.models, rules.size());
    }

    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        self.frame.update(view);
        let (judge, calibrated) = &mut self.judges[self.playing];
        let (fringe, sea) = judge::fringe(view);
        let mut estimates = Estimates::new(view.shape().size());
        let mut best: Option<(Cell, f64)> = None;
        let mut risks = Vec::with_capacity(fringe.len());
        for &cell in &fringe {
            // Sums may lie beyond 0 and 1, and still tell which cell is safest.
            let risk = f64::from(judge.ask(&self.frame.window(cell)));
            estimates.believe(cell, risk.clamp(0.0, 1.0));
            risks.push(risk);
            if best.is_none_or(|(_, least)| risk < least) {
                best = Some((cell, risk));
            }
        }
        if self.variant == Variant::Repaired && !sea.is_empty() {
            let risk = judge::sea_risk(view, risks.into_iter(), sea.len());
            if *calibrated {
                sea.iter().for_each(|&cell| estimates.believe(cell, risk));
            }
            if best.is_none_or(|(_, least)| *calibrated && risk < least) {
                best = judge::best_of_sea(view, &sea).map(|cell| (cell, risk));
            }
        }
        let Some((cell, risk)) = best else { return Decision::decline() };
        open(view, cell, risk.clamp(0.0, 1.0)).with_estimates(estimates)
    }
}

/// Opens a cell, after removing a flag on it.
pub fn open(view: &View, cell: Cell, risk: f64) -> Decision {
    match view.face(cell) {
        Face::Flagged => Decision::new(Action::Unflag(cell), Why::rule("unflag", Vec::new())),
        _ => Decision::risk(cell, risk),
    }
}
