//! Plays an evolved tree of checks: opens the cells that it calls safe.
//!
//! The position is a field: open numbers are numbers, the tree classifies
//! covered cells next to open ones. It does so in all eight directions, turned and mirrored; the
//! risk of a cell is the share of directions that call it a mine, and "unknown" counts as half.
//! A proof that the tree has come across with its memory on settles a cell.

use std::sync::Arc;

use deminer_game::{
    Action, Agent, ArtifactKind, Cell, ClueKind, Decision, Entry, Estimates, Face, Form, Kind,
    OptionEntry, Premise, Rng, Supports, Values, View, Why,
};

use super::check::{Node, Offset};
use super::field::{EMPTY, Field, MINE, TOUCHING};
use super::fill::{Filler, Program};
use crate::evolve::artifact::Artifact;
use crate::evolve::ga::PAPER;
use crate::evolve::tree::Tree;
use crate::header::ReadArtifactError;
use crate::touches_open;

/// `gp` and `gp:FILE`.
pub const ENTRY: Entry = Entry {
    name: "gp",
    about: "an evolved tree of checks that separates mines from safe cells",
    kind: Kind::Evolution,
    paper: Some(PAPER),
    options: &[OptionEntry {
        name: "genome",
        values: Values::Rest,
        about: "a shipped genome, or a file made by `train gp`",
    }],
    supports: Supports { forms: &[Form::Rect], clues: &[ClueKind::Exact], ..Supports::ALL },
    artifact: Some(ArtifactKind::GENOME),
    build: |options| {
        let read = |bytes: &[u8]| GpPlayer::of(&Artifact::read(&String::from_utf8_lossy(bytes))?);
        let player = options.artifact(ArtifactKind::GENOME, "play", read)?;
        Ok(Box::new(GpPlayer::clone(&player)))
    },
    ..Entry::PLAIN
};

/// Plays an evolved tree.
#[derive(Clone, Debug)]
pub struct GpPlayer {
    /// The tree in eight directions.
    programs: Arc<[Program; 8]>,
    memory: bool,
    filler: Filler,
}

impl GpPlayer {
    /// A player of a genome.
    pub fn of(artifact: &Artifact) -> Result<Self, ReadArtifactError> {
        artifact.expect_kind("gp")?;
        Ok(Self::new(&artifact.tree("main")?, artifact.has_option("memory")))
    }

    /// A player of a tree; with memory, proved cells stay as they are.
    pub fn new(tree: &Tree<Node>, memory: bool) -> Self {
        let programs = std::array::from_fn(|turn| Program::of(&turned(tree, turn)));
        Self { programs: Arc::new(programs), memory, filler: Filler::default() }
    }
}

/// A tree that sees the board turned or mirrored: its offsets are.
fn turned(tree: &Tree<Node>, turn: usize) -> Tree<Node> {
    let offset = |Offset { down, right }: Offset| {
        let (down, right) = if turn & 1 == 1 { (right, down) } else { (down, right) };
        let down = if turn & 2 == 2 { -down } else { down };
        let right = if turn & 4 == 4 { -right } else { right };
        Offset { down, right }
    };
    let node = |&node: &Node| match node {
        Node::Offset(at) => Node::Offset(offset(at)),
        check => check,
    };
    Tree::new(tree.nodes().iter().map(node).collect())
}

impl Agent for GpPlayer {
    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let field = Field::of_view(view);
        let shape = view.shape();
        let mut voices: Vec<f64> = vec![0.0; field.seen.len()];
        // What is proved, by whichever direction has seen it: 1 for a mine, 0 for none.
        let mut proved: Vec<Option<f64>> = vec![None; field.seen.len()];
        for program in self.programs.iter() {
            self.filler.fill(program, &field, self.memory);
            for place in field.inputs.iter().map(|&input| field.input(input)) {
                let voice = match self.filler.codes[place] {
                    MINE => 1.0,
                    EMPTY | TOUCHING => 0.0,
                    _ => 0.5,
                };
                voices[place] += voice / self.programs.len() as f64;
                if self.filler.fixed[place] {
                    proved[place] = Some(voice);
                }
            }
        }
        let density = view.rules().mines() as f64 / view.covered_count().max(1) as f64;
        let mut estimates = Estimates::new(shape.size());
        let mut least: Vec<Cell> = Vec::new();
        let mut lowest = f64::INFINITY;
        let mut surely = false;
        for cell in view.openable() {
            let (row, column) = shape.position(cell);
            let place = field.place(row, column);
            // A voice is an opinion, not a proof: no risk is quite none or quite all.
            let touches = touches_open(view, cell);
            let opinion = if touches { 0.02 + 0.96 * voices[place] } else { density };
            let risk = proved[place].unwrap_or(opinion);
            estimates.believe(cell, risk);
            if risk <= lowest {
                if risk < lowest {
                    least.clear();
                    lowest = risk;
                    surely = proved[place].is_some();
                }
                least.push(cell);
            }
        }
        let Some(&cell) = rng.pick(&least) else { return Decision::decline() };
        let decision = match surely {
            true => {
                let near = shape.neighbors(cell).iter();
                let open = near.filter(|&&near| matches!(view.face(near), Face::Open { .. }));
                let premises = open.map(|&near| Premise::Clue(near)).collect();
                Decision::new(Action::Open(cell), Why::rule("saturatedCheck", premises))
            }
            false => Decision::risk(cell, lowest),
        };
        decision.with_estimates(estimates)
    }
}
