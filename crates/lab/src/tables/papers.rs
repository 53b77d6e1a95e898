//! The papers whose tables are reproduced.

/// A paper.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Authors in short, such as `Lubarski et al.`
    pub short: &'static str,
    /// Authors, title and year.
    pub full: &'static str,
}

const fn paper(short: &'static str, full: &'static str) -> Paper {
    Paper { short, full }
}

pub(super) const LUBARSKI: Paper = paper(
    "Lubarski et al.",
    "K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in solving Minesweeper",
);

pub(super) const ZHANG: Paper = paper(
    "Zhang et al.",
    "H. Zhang, H. Wu, S. Li, Z. Xu, MineSweeper, Inference-Informed Action, 2018",
);

pub(crate) const MIO: Paper = paper(
    "Peña Castillo and Wrobel",
    "L. Peña Castillo, S. Wrobel, Learning Minesweeper with Multirelational Learning, 2003",
);

pub(super) const TORTAY: Paper =
    paper("Tortay and Yurchenko", "A. Tortay, O. Yurchenko, Minesweeper solver using NN, 2016");

pub(super) const GARDEA: Paper = paper(
    "Gardea et al.",
    "L. Gardea, G. Koontz, R. Silva, Training a Minesweeper Solver, Stanford University 2015, as \
     quoted by A. Tortay and O. Yurchenko",
);

pub(crate) const PARK: Paper = paper(
    "Park et al.",
    "J. Park, J. Liou, E. Bray, E. Pyon, D. Francesconi, Solving Minesweeper Using Genetic \
     Algorithm and Genetic Programming, 2021",
);

pub(super) const QUARTETTI: Paper =
    paper("Quartetti", "C. Quartetti, Evolving a Program to Play the Game Minesweeper, 2000");

pub(super) const TU: Paper = paper(
    "Tu et al.",
    "J. Tu, T. Li, S. Chen, C. Zu, Z. Gu, Exploring Efficient Strategies for Minesweeper, 2017",
);

pub(super) const TANG: Paper = paper(
    "Tang et al.",
    "Y. Tang, T. Jiang, Y. Hu, A Minesweeper Solver Using Logic Inference, CSP and Sampling, 2018",
);
