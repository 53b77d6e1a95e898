//! `mlp-full`, `enn-full`, wider ones, `cnn-full` and `convnet`: the risk of every cell from the whole board.
//!
//! The dense originals open the cell of least risk, open or not, and so get stuck; the
//! convolutional one looks at the fringe only. Repaired, all of them choose among covered
//! cells. `convnet`, which plays boards it was not made for, judges the fringe; the sea shares the
//! mines that are left.

use std::sync::Arc;

use deminer_game::{
    Agent, BuildError, Cell, Decision, Entry, Estimates, Options, Rng, Rules, Size, View,
};

use super::judge;
use super::windowed::open;
use super::{BOARDS, GDANSK, NETWORK, ORIG};
use crate::artifact::Header;
use crate::encode;
use crate::forward::Forward;
use crate::models::{self, Model};
use crate::nets::{self, Sight, Variant};

/// The dense one.
pub const MLP: Entry = Entry {
    name: "mlp-full",
    about: "dense network on the whole board, one for each board size",
    paper: Some(GDANSK),
    options: &[ORIG],
    supports: BOARDS,
    missing_artifact: |options, rules| missing_artifact("mlp-full", options, rules),
    build: |options| build("mlp-full", options),
    ..NETWORK
};

/// The dense one with wider layers.
pub const MLP_WIDE: Entry = Entry {
    name: "mlp-full-wide",
    about: "mlp-full with layers that grow with the board",
    paper: None,
    options: &[],
    missing_artifact: |options, rules| missing_artifact("mlp-full-wide", options, rules),
    build: |options| build("mlp-full-wide", options),
    ..MLP
};

/// The hourglass.
pub const ENN: Entry = Entry {
    name: "enn-full",
    about: "dense hourglass on the whole board, one for each board size",
    missing_artifact: |options, rules| missing_artifact("enn-full", options, rules),
    build: |options| build("enn-full", options),
    ..MLP
};

/// The hourglass with wider layers.
pub const ENN_WIDE: Entry = Entry {
    name: "enn-full-wide",
    about: "enn-full with layers three times as wide",
    missing_artifact: |options, rules| missing_artifact("enn-full-wide", options, rules),
    build: |options| build("enn-full-wide", options),
    ..MLP_WIDE
};

/// The convolutional one.
pub const CNN: Entry = Entry {
    name: "cnn-full",
    about: "convolutional network on the whole board, one for each board size",
    missing_artifact: |options, rules| missing_artifact("cnn-full", options, rules),
    build: |options| build("cnn-full", options),
    ..MLP
};

/// One for all boards.
pub const CONVNET: Entry = Entry {
    name: "convnet",
    about: "one convolutional network for boards of any size, taught by exact odds",
    supports: BOARDS,
    build: |options| build("convnet", options),
    ..NETWORK
};

/// A network for the size of the board, if there are only others.
fn missing_artifact(net: &str, options: &Options, rules: &Rules) -> Option<String> {
    let size = rules.size();
    let models = models::chosen(net, options, None).ok()?;
    if models.iter().any(|model| fits(model, size)) {
        return None;
    }
    let mut boards: Vec<Size> = models.iter().map(|model| model.header.board).collect();
    boards.sort_by_key(|board| (board.width * board.height, board.mines));
    let boards: Vec<String> = boards.iter().map(Size::to_string).collect();
    let command = models::train_command(net, models[0].header.variant, None);
    Some(format!(
        "each size of board needs a network of its own, and those available are for {}; make one: \
         {command} --board {size}",
        boards.join(", ")
    ))
}

/// Whether a network can play boards of this size.
fn fits(model: &Model, size: Size) -> bool {
    let Header { net, board, .. } = &model.header;
    nets::find(net).is_some_and(|design| design.sight == Sight::AnyBoard)
        || (board.width, board.height) == (size.width, size.height)
}

fn build(net: &str, options: &Options) -> Result<Box<dyn Agent>, BuildError> {
    let models = models::chosen(net, options, None)?;
    let variant = models[0].header.variant;
    Ok(Box::new(FullBoard { models, ..FullBoard::without(net, variant) }))
}

/// Which cells are weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Anything,
    Fringe,
    Covered,
}

/// A risk below this is safe for `convnet`. One evaluation of a board often finds many safe cells.
/// They are all opened before the next evaluation: safe cells stay safe, and evaluating a large
/// board is slow.
const SURE: f32 = 0.002;

pub struct FullBoard {
    /// Trained networks to choose from; if there are none, it plays the network it was given.
    models: Vec<Arc<Model>>,
    /// The network for this board and the place of its model; none if there is none.
    net: Option<(usize, Forward)>,
    choice: Choice,
    /// Risks below this are none.
    sure: f32,
    /// Whether the sea shares the mines that the fringe does not account for. A network that sees
    /// a part of any board cannot know how many those are; one made for a board learns it.
    counts_sea: bool,
    /// Cells that were safe at the last look, and their risks.
    queue: Vec<(Cell, f32)>,
}

impl FullBoard {
    /// A player of this name with one network.
    pub fn new(net: &str, forward: Forward, variant: Variant) -> Self {
        Self { net: Some((0, forward)), ..Self::without(net, variant) }
    }

    /// A player of this name without a network.
    fn without(net: &str, variant: Variant) -> Self {
        let choice = match (variant, net) {
            (Variant::Repaired, _) => Choice::Covered,
            (Variant::Orig, "cnn-full") => Choice::Fringe,
            (Variant::Orig, _) => Choice::Anything,
        };
        let counts_sea = net == "convnet";
        let sure = if counts_sea { SURE } else { 0.0 };
        Self { models: Vec::new(), net: None, choice, sure, counts_sea, queue: Vec::new() }
    }
}

impl Agent for FullBoard {
    fn begin(&mut self, rules: &Rules) {
        let size = rules.size();
        self.queue.clear();
        if self.models.is_empty() {
            return;
        }
        let able = (0..self.models.len()).filter(|&at| fits(&self.models[at], size));
        let chosen = able.min_by_key(|&at| models::distance(&self.models[at], size));
        if self.net.as_ref().map(|(at, _)| *at) != chosen {
            self.net = chosen.map(|at| (at, self.models[at].forward.clone()));
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
        let mut risks = forward.run(&codes, view.shape().width(), density).to_vec();
        if self.counts_sea {
            let (fringe, sea) = judge::fringe(view);
            let fringe = fringe.iter().map(|cell| f64::from(risks[cell.index()]));
            let risk = judge::sea_risk(view, fringe, sea.len()) as f32;
            // A count of estimates is never sure.
            sea.iter().for_each(|cell| risks[cell.index()] = risk.max(self.sure));
        }
        let mut estimates = Estimates::new(view.shape().size());
        for cell in view.covered() {
            estimates.believe(cell, f64::from(risks[cell.index()]).clamp(0.0, 1.0));
        }
        let weighed = |cell: &Cell| match self.choice {
            Choice::Anything => true,
            Choice::Fringe => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Options {
        Options::default().with_artifacts(deminer_artifacts::shipped())
    }

    #[test]
    fn the_sea_shares_the_mines_that_are_left() {
        let rows = ["1 1 # # # # # # #"].into_iter().chain(["# # # # # # # # #"; 8]);
        let position = format!("mines 10\n{}", rows.collect::<Vec<_>>().join("\n"));
        let view: View = position.parse().unwrap();
        let mut agent = (CONVNET.build)(&shipped()).unwrap();
        agent.begin(view.rules());
        let decision = agent.decide(&view, &mut Rng::new(0));
        let estimates = decision.estimates.unwrap();
        let risk = |cell: &Cell| estimates.mine(*cell).unwrap();
        let (fringe, sea) = judge::fringe(&view);
        assert_eq!((fringe.len(), sea.len()), (4, 75));
        let mines: f64 = fringe.iter().chain(&sea).map(risk).sum();
        assert!((mines - 10.0).abs() < 1e-4, "{mines}");
        assert!(sea.iter().all(|cell| risk(cell) == risk(&sea[0])));
    }

    #[test]
    fn a_board_without_a_network_is_refused_with_what_to_do() {
        let rules = |size: &str| Rules::of(size.parse().unwrap()).unwrap();
        let options = shipped();
        assert_eq!((MLP.missing_artifact)(&options, &rules("7x7x9")), None);
        assert_eq!((CONVNET.missing_artifact)(&options, &rules("16x16x40")), None);
        assert_eq!(
            (MLP.missing_artifact)(&options, &rules("16x16x40")).unwrap(),
            "each size of board needs a network of its own, and those available are for 7x7x5, \
             10x10x10, 20x20x20; make one: deminer train mlp-full --board 16x16x40"
        );
    }

    #[test]
    fn where_nothing_is_open_a_corner_is_opened() {
        let view = View::new(Rules::of("16x16x40".parse().unwrap()).unwrap());
        let mut agent = (CONVNET.build)(&shipped()).unwrap();
        agent.begin(view.rules());
        let decision = agent.decide(&view, &mut Rng::new(0));
        let corner = view.shape().nth(0).unwrap();
        assert_eq!(decision.action, deminer_game::Action::Open(corner));
    }
}
