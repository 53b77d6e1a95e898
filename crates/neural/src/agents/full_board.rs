//! `mlp-full`, `enn-full`, `cnn-full` and `convnet`: the risk of every cell from the whole board.
//!
//! The dense originals open the cell of least risk, open or not, and so get stuck; the
//! convolutional one looks at the frontier only. Repaired, all of them choose among covered
//! cells.

use std::sync::Arc;

use deminer_game::{
    Agent, BuildError, Cell, Decision, Entry, Estimates, Kind, Options, Rng, Rules, View,
};

use super::judge;
use super::windowed::open;
use super::{BOARDS, GDANSK, ORIG};
use crate::encode;
use crate::forward::{Extra, Forward};
use crate::nets::{self, Sight, Variant};
use crate::shelf::{self, Model};

/// The dense one.
pub const MLP: Entry = Entry {
    name: "mlp-full",
    about: "dense network on the whole board, one for each board size",
    kind: Kind::Network,
    paper: Some(GDANSK),
    options: &[ORIG],
    supports: BOARDS,
    build: |options| build("mlp-full", options),
};

/// The hourglass.
pub const ENN: Entry = Entry {
    name: "enn-full",
    about: "dense hourglass on the whole board, one for each board size",
    build: |options| build("enn-full", options),
    ..MLP
};

/// The convolutional one.
pub const CNN: Entry = Entry {
    name: "cnn-full",
    about: "convolutional network on the whole board, one for each board size",
    build: |options| build("cnn-full", options),
    ..MLP
};

/// One for all boards.
pub const CONVNET: Entry = Entry {
    name: "convnet",
    about: "one convolutional network for boards of any size, taught by exact odds",
    kind: Kind::Network,
    supports: BOARDS,
    build: |options| build("convnet", options),
    ..Entry::PLAIN
};

fn build(net: &'static str, options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let variant = if options.flag("orig") { Variant::Orig } else { Variant::Repaired };
    let models = shelf::models(net, variant, None)?;
    let choice = match (variant, net) {
        (Variant::Repaired, _) => Choice::Covered,
        (Variant::Orig, "cnn-full") => Choice::Frontier,
        (Variant::Orig, _) => Choice::Anything,
    };
    let is_convnet = net == "convnet";
    let sure = if is_convnet { SURE } else { 0.0 };
    let queue = Vec::new();
    Ok(Box::new(FullBoard { models, net: None, choice, sure, counts_sea: is_convnet, queue }))
}

/// Which cells are weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Anything,
    Frontier,
    Covered,
}

/// What `convnet` calls safe. One look at a board often finds many such cells; they are opened
/// before it looks again, because what is safe stays so, and a look at a large board is dear.
const SURE: f32 = 0.002;

struct FullBoard {
    models: Vec<Arc<Model>>,
    /// The network for this board and the place of its model; none if there is none.
    net: Option<(usize, Forward)>,
    choice: Choice,
    /// Risks below this are none.
    sure: f32,
    /// Whether cells that touch no number share the mines that the others do not account for. No
    /// network that sees a part of a large board can know that; one made for a board learns it.
    counts_sea: bool,
    /// Cells that were safe at the last look, and their risks.
    queue: Vec<(Cell, f32)>,
}

impl Agent for FullBoard {
    fn begin(&mut self, rules: &Rules) {
        let size = rules.size();
        let fits = |model: &Arc<Model>| {
            let board = model.header().board;
            nets::find(&model.header().net).is_some_and(|design| design.sight == Sight::AnyBoard)
                || (board.width, board.height) == (size.width, size.height)
        };
        self.queue.clear();
        let able: Vec<usize> =
            (0..self.models.len()).filter(|&at| fits(&self.models[at])).collect();
        let chosen = able.into_iter().min_by_key(|&at| shelf::distance(&self.models[at], size));
        if self.net.as_ref().map(|(at, _)| *at) != chosen {
            self.net = chosen.map(|at| (at, self.models[at].forward()));
        }
    }

    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        let Some((_, forward)) = &mut self.net else { return Decision::decline() };
        while let Some((cell, risk)) = self.queue.pop() {
            if view.face(cell).is_covered() {
                return open(view, cell, f64::from(risk));
            }
        }
        let density = view.rules().mines() as f32 / view.covered_count() as f32;
        let codes = encode::board(view);
        let mut risks = forward.run(&codes, view.shape().width(), Extra { density }).to_vec();
        if self.counts_sea {
            let (frontier, sea) = judge::frontier(view);
            let frontier = frontier.iter().map(|cell| f64::from(risks[cell.index()]));
            let risk = judge::sea_risk(view, frontier, sea.len()) as f32;
            // A count of estimates is never sure.
            sea.iter().for_each(|cell| risks[cell.index()] = risk.max(self.sure));
        }
        let mut estimates = Estimates::new(view.shape().size());
        for cell in view.covered() {
            estimates.believe(cell, f64::from(risks[cell.index()]).clamp(0.0, 1.0));
        }
        let weighed = |cell: &Cell| match self.choice {
            Choice::Anything => true,
            Choice::Frontier => {
                view.face(*cell).is_covered() && judge::touches_number(view, *cell, 0)
            }
            Choice::Covered => view.face(*cell).is_covered(),
        };
        let safe = |cell: &Cell| risks[cell.index()] < self.sure;
        let queue = view.covered().filter(safe).map(|cell| (cell, risks[cell.index()]));
        self.queue.extend(queue);
        // Of cells at the same count, a corner opens most often.
        let neighbors = |cell: &Cell| if self.counts_sea { view.shape().degree(*cell) } else { 0 };
        let least = |a: &Cell, b: &Cell| {
            let risks = risks[a.index()].total_cmp(&risks[b.index()]);
            risks.then_with(|| neighbors(a).cmp(&neighbors(b)))
        };
        match view.shape().cells().filter(weighed).min_by(least) {
            Some(cell) => {
                let risk = f64::from(risks[cell.index()]).clamp(0.0, 1.0);
                open(view, cell, risk).with_estimates(estimates)
            }
            None => Decision::decline(),
        }
    }
}
