//! Plays an evolved program.

use std::sync::Arc;

use deminer_game::{
    Action, Agent, ArtifactKind, Cell, ClueKind, Decision, Entry, Face, Form, Kind, OptionEntry,
    Rng, Rules, Shown, Supports, Values, View, Why,
};

use super::breeding::Genome;
use super::grid::ACTIONS;
use super::machine::{Code, Ground, Machine, Wish};
use super::operation::Operation;
use crate::evolve::artifact::Artifact;
use crate::header::ReadArtifactError;

/// `quartetti` and `quartetti:FILE`.
pub const ENTRY: Entry = Entry {
    name: "quartetti",
    about: "an evolved program that walks, marks and uncovers",
    kind: Kind::Evolution,
    paper: Some("C. Quartetti, Evolving a Program to Play the Game Minesweeper, 2000"),
    options: &[OptionEntry {
        name: "genome",
        values: Values::Rest,
        about: "the shipped program, or a file made by `train quartetti`",
    }],
    supports: Supports { forms: &[Form::Rect], clues: &[ClueKind::Exact], ..Supports::ALL },
    artifact: Some(ArtifactKind::GENOME),
    build: |options| {
        let read =
            |bytes: &[u8]| QuartettiPlayer::of(&Artifact::read(&String::from_utf8_lossy(bytes))?);
        let player = options.artifact(ArtifactKind::GENOME, "one-mine", read)?;
        Ok(Box::new(QuartettiPlayer::clone(&player)))
    },
    ..Entry::PLAIN
};

/// Plays an evolved program, from the cell that was opened first. When the program does nothing
/// more it gives up.
#[derive(Clone, Debug)]
pub struct QuartettiPlayer {
    code: Arc<Code>,
    machine: Machine,
    begun: bool,
    /// Where the machine stood, what was open and what was flagged when the program began.
    before: Option<(usize, usize, usize)>,
}

impl QuartettiPlayer {
    /// A player of a genome.
    pub fn of(artifact: &Artifact) -> Result<Self, ReadArtifactError> {
        Ok(Self::new(&Self::genome(artifact)?))
    }

    /// The genome of an artifact.
    pub fn genome(artifact: &Artifact) -> Result<Genome, ReadArtifactError> {
        artifact.expect_kind("quartetti")?;
        Ok([artifact.tree("main")?, artifact.tree("first")?, artifact.tree("second")?])
    }

    /// A player of a program.
    pub fn new(genome: &Genome) -> Self {
        let code = Arc::new(Code::of(genome));
        Self { code, machine: Machine::default(), begun: false, before: None }
    }
}

struct Seen<'a>(&'a View);

impl Seen<'_> {
    fn cell(&self, number: usize) -> Cell {
        self.0.shape().nth(number).expect("machines stay on the board")
    }
}

impl Ground for Seen<'_> {
    fn step(&self, from: usize, direction: u8) -> Option<usize> {
        let (down, right) = Operation::STEPS[usize::from(direction)];
        self.0.shape().offset(self.cell(from), down, right).map(Cell::index)
    }

    fn covered(&self, cell: usize) -> bool {
        self.0.face(self.cell(cell)).is_covered()
    }

    fn count(&self, cell: usize) -> Option<u8> {
        match self.0.face(self.cell(cell)) {
            Face::Open { shown: Shown::Number(number), .. } => Some(number),
            _ => None,
        }
    }
}

impl Agent for QuartettiPlayer {
    fn begin(&mut self, _: &Rules) {
        (self.begun, self.before) = (false, None);
    }

    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        if !self.begun {
            let start = view.opened().first().map_or(0, |cell| cell.index());
            let actions = ACTIONS.max(14 * view.shape().size() as u32);
            self.machine.begin(&self.code, start, actions);
            self.begun = true;
        }
        let ground = Seen(view);
        loop {
            match self.machine.run(&self.code, &ground) {
                Wish::Uncover(cell) if view.face(ground.cell(cell)) == Face::Covered => {
                    let action = Action::Open(ground.cell(cell));
                    return Decision::new(action, Why::rule("uncover", Vec::new()));
                }
                Wish::Mark(cell) if view.face(ground.cell(cell)) == Face::Covered => {
                    let action = Action::Flag(ground.cell(cell));
                    return Decision::new(action, Why::rule("mark", Vec::new()));
                }
                Wish::Uncover(_) | Wish::Mark(_) => {}
                Wish::Nothing => return Decision::decline(),
                Wish::Again => {
                    let now =
                        Some((self.machine.position, view.covered_count(), view.flag_count()));
                    if self.before == now {
                        return Decision::decline();
                    }
                    self.before = now;
                }
            }
        }
    }
}
