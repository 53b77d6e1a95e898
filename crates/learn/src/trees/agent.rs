//! Plays a tree: opens the fringe cell whose leaf has the lowest risk.
//!
//! Off the fringe a cell is as risky as the mines left there are dense; one of those is opened
//! when every leaf is worse.

use std::borrow::Cow;
use std::sync::Arc;

use deminer_game::{
    Action, Agent, ArtifactKind, Cell, ClueKind, Decision, Entry, Estimates, Face, Form, Kind,
    OptionEntry, Premise, Rng, Rules, Supports, Values, View, Why, Window,
};

use super::artifact::Artifact;
use super::features::Codes;
use super::samples::{Class, fringe};
use super::tree::Tree;
use super::words::{Condition, conditions};
use crate::touches_open;

/// `tree:lowest-risk` and other trees.
pub const ENTRY: Entry = Entry {
    name: "tree",
    about: "a decision tree that imitates another agent on 5x5 windows",
    kind: Kind::Tree,
    paper: Some("K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in solving Minesweeper"),
    options: &[OptionEntry {
        name: "tree",
        values: Values::Rest,
        about: "the agent it imitates, as shipped, or a file made by `train tree`",
    }],
    supports: Supports {
        forms: &[Form::Rect, Form::Torus],
        clues: &[ClueKind::Exact],
        ..Supports::ALL
    },
    artifact: Some(ArtifactKind::TREE),
    build: |options| {
        let read = |bytes: &[u8]| Artifact::read(bytes).map(|artifact| artifact.tree);
        let tree = options.artifact(ArtifactKind::TREE, "lowest-risk", read)?;
        Ok(Box::new(TreePlayer::new(tree)))
    },
    ..Entry::PLAIN
};

/// Plays a tree.
pub struct TreePlayer {
    tree: Arc<Tree>,
    /// The leaf of each cell whose window was looked at and has not changed.
    leaves: Vec<Option<usize>>,
    /// How many of [`View::opened`] are taken in.
    seen: usize,
    /// Scratch space for the codes of a window.
    row: Vec<u8>,
}

impl TreePlayer {
    /// A player of this tree.
    pub fn new(tree: impl Into<Arc<Tree>>) -> Self {
        Self { tree: tree.into(), leaves: Vec::new(), seen: 0, row: Vec::new() }
    }

    /// Forgets the leaves of all windows in which a cell was opened.
    fn update(&mut self, view: &View) {
        if self.leaves.len() != view.shape().size() || self.seen > view.opened().len() {
            self.forget(view.shape().size());
        }
        let reach = (Window::SIDE / 2) as isize;
        for &cell in &view.opened()[self.seen..] {
            for down in -reach..=reach {
                for right in -reach..=reach {
                    if let Some(near) = view.shape().offset(cell, down, right) {
                        self.leaves[near.index()] = None;
                    }
                }
            }
        }
        self.seen = view.opened().len();
    }

    fn forget(&mut self, cells: usize) {
        self.leaves.clear();
        self.leaves.resize(cells, None);
        self.seen = 0;
    }

    fn leaf(&mut self, view: &View, cell: Cell) -> usize {
        if let Some(leaf) = self.leaves[cell.index()] {
            return leaf;
        }
        let window = Codes::around(view, cell).expect("hexagons are not supported");
        let leaf = self.tree.leaf_of(window, &mut self.row);
        self.leaves[cell.index()] = Some(leaf);
        leaf
    }

    /// The risk of a leaf: the mean of its samples and of some more that are like all samples
    /// together. The least of many risks is often a leaf that rests on few samples; these make
    /// it show.
    fn risk(&self, leaf: usize) -> f64 {
        const DOUBT: f64 = 10.0;
        let [all, here] = [0, leaf].map(|node| &self.tree.nodes()[node].tally);
        let samples = here.samples() as f64;
        (samples * here.mean_risk() + DOUBT * all.mean_risk()) / (samples + DOUBT)
    }

    /// The way to a leaf as a rule: its conditions, and the clues they look at.
    fn why(&self, view: &View, cell: Cell, leaf: usize) -> Why {
        let class = self.tree.class(leaf);
        if class != Class::NotMine {
            return Why::Risk(self.risk(leaf));
        }
        let columns = self.tree.features().columns();
        let path = conditions(&self.tree, leaf);
        let words: Vec<String> = path.iter().map(|condition| condition.words(columns)).collect();
        let name = match words.len() {
            0 => class.name().to_owned(),
            _ => format!("\"{} if {}\"", class.name(), words.join(" and ")),
        };
        Why::Rule { name: Cow::Owned(name), premises: self.premises(view, cell, &path) }
    }

    /// The clues that a path looks at.
    fn premises(&self, view: &View, cell: Cell, path: &[Condition]) -> Vec<Premise> {
        let window = Codes::around(view, cell).expect("hexagons are not supported");
        let side = Window::SIDE as isize;
        let places =
            path.iter().flat_map(|condition| self.tree.features().places(condition.column, window));
        let cells = places.filter_map(|place| {
            let (row, column) = (place as isize / side, place as isize % side);
            view.shape().offset(cell, row - side / 2, column - side / 2)
        });
        let mut cells: Vec<Cell> =
            cells.filter(|&near| matches!(view.face(near), Face::Open { .. })).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.into_iter().map(Premise::Clue).collect()
    }
}

impl Agent for TreePlayer {
    fn begin(&mut self, rules: &Rules) {
        self.forget(rules.shape().size());
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.update(view);
        // Off the fringe every cell is as likely a mine as any covered one.
        let density = view.rules().mines() as f64 / view.covered_count() as f64;
        let mut estimates = Estimates::new(view.shape().size());
        view.openable().for_each(|cell| estimates.believe(cell, density));
        let mut best: Option<(Cell, usize, f64)> = None;
        for cell in fringe(view) {
            let leaf = self.leaf(view, cell);
            let risk = self.risk(leaf);
            estimates.believe(cell, risk);
            if best.is_none_or(|(_, _, least)| risk < least) {
                best = Some((cell, leaf, risk));
            }
        }
        let sea: Vec<Cell> = view.openable().filter(|&cell| !touches_open(view, cell)).collect();
        let decision = match best {
            Some((cell, leaf, risk)) if risk <= density => {
                Decision::new(Action::Open(cell), self.why(view, cell, leaf))
            }
            _ => match (rng.pick(&sea), best) {
                (Some(&cell), _) => Decision::risk(cell, density),
                (None, Some((cell, leaf, _))) => {
                    Decision::new(Action::Open(cell), self.why(view, cell, leaf))
                }
                (None, None) => return Decision::decline(),
            },
        };
        decision.with_estimates(estimates)
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Options;

    use super::*;
    use crate::trees::{Features, Growth, Samples, grow};

    /// A player taught by the lesson: in its answer `s` cells have no risk and `*` cells are mines.
    fn taught(features: Features) -> TreePlayer {
        let view: View = LESSON.0.parse().unwrap();
        let answers = LESSON.1.chars().filter(|symbol| !symbol.is_whitespace());
        let mut estimates = Estimates::new(view.shape().size());
        for (cell, answer) in view.shape().cells().zip(answers).filter(|(_, answer)| *answer != '-')
        {
            estimates.believe(cell, f64::from(u8::from(answer == '*')));
        }
        let mut samples = Samples::default();
        (0..100).for_each(|_| samples.see(&view, &estimates).unwrap());
        TreePlayer::new(grow(&samples, &Growth { features, ..Growth::default() }))
    }

    fn decide(player: &mut TreePlayer, position: &str) -> (Decision, View) {
        let view: View = position.parse().unwrap();
        player.begin(view.rules());
        (player.decide(&view, &mut Rng::new(1)), view)
    }

    const LESSON: (&str, &str) = (
        "mines 1
         . . . . .
         . 1 1 1 .
         . 1 # 1 .
         . 1 1 # .",
        "- - - - -
         - - - - -
         - - * - -
         - - - s -",
    );

    #[test]
    fn a_player_opens_what_it_was_taught_and_says_why() {
        for features in Features::ALL {
            let mut player = taught(features);
            let (decision, view) = decide(&mut player, LESSON.0);
            assert_eq!(decision.action, Action::Open(view.shape().cell(3, 3).unwrap()));
            let Why::Rule { name, premises } = &decision.why else { panic!("{decision:?}") };
            assert!(name.starts_with("\"not a mine if "), "{name}");
            assert!(premises.len() <= 8, "{premises:?}");
            let estimates = decision.estimates.unwrap();
            assert!(estimates.mine(view.shape().cell(2, 2).unwrap()).unwrap() > 0.9);
        }
    }

    #[test]
    fn the_sea_is_opened_when_every_leaf_is_worse() {
        let mut player = taught(Features::Raw);
        let (decision, view) = decide(&mut player, "mines 2\n1 # # # # # #\n# # # # # # #");
        let open = decision.action.cell().unwrap();
        let first = view.shape().nth(0).unwrap();
        assert!(!view.shape().neighbors(first).contains(&open), "{decision:?}");
        assert_eq!(decision.why, Why::Risk(2.0 / 13.0));
        // Without a sea the least risky fringe cell has to do.
        let (decision, _) = decide(&mut player, "mines 1\n# 1\n# #");
        assert!(decision.action.opens());
        // Where nothing is open all is sea.
        let (decision, _) = decide(&mut player, "mines 3\n####\n####\n####");
        assert_eq!(decision.why, Why::Risk(0.25));
    }

    #[test]
    fn shipped_trees_are_whole_and_unknown_ones_are_named() {
        let artifacts = deminer_artifacts::shipped();
        for name in artifacts.names(ArtifactKind::TREE) {
            let text = artifacts.get(&ArtifactKind::TREE.path(name)).unwrap();
            let artifact = Artifact::read(text).unwrap();
            assert!(artifact.origin.command.contains(&format!("{name}.tree")), "{name}");
            let (agreed, judged) = artifact.origin.fidelity;
            assert!(agreed as f64 > 0.8 * judged as f64 && judged > 10_000, "{name}");
            let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
            assert_eq!(artifact.write(), text, "{name}");
        }
        let options = Options::default().with("tree", deminer_game::Value::Word("oak".into()));
        let error = (ENTRY.build)(&options.with_artifacts(artifacts)).err().unwrap().to_string();
        assert_eq!(
            error,
            "there is no file `oak`, and no tree `oak` is shipped, only cnn-5x5, \
             lowest-risk-depth-8, lowest-risk"
        );
    }
}
