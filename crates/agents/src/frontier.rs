//! What clues still ask of unknown cells, in numbers.

use arrayvec::ArrayVec;
use deminer_game::{Cell, Face, View};
use deminer_inference::deduce::Fact;

/// The unknown cells that clues see, and those clues. Keeps its buffers from view to view.
#[derive(Default)]
pub struct Frontier {
    /// Unknown cells that some clue sees.
    pub cells: Vec<Cell>,
    /// For each of these, the clues that see it, smallest number first.
    pub seen_by: Vec<ArrayVec<u16, 8>>,
    /// Clues that tell ways to put mines around them apart.
    pub clues: Vec<Clue>,
    /// The place of each cell of the board in `cells`, or [`NOWHERE`].
    places: Vec<u16>,
}

/// What a clue asks.
#[derive(Clone, Debug)]
pub struct Clue {
    /// Where it stands.
    pub cell: Cell,
    /// The numbers of mines among the unknown cells around it that it admits, one bit each.
    pub admitted: u16,
    /// How likely the clue is for each of these numbers; none if all admitted are alike.
    pub likely: Option<[f64; 9]>,
    /// The unknown cells, by their places.
    pub cells: ArrayVec<u16, 8>,
}

const NOWHERE: u16 = u16::MAX;

impl Frontier {
    /// Takes in a view, given what is known of its covered cells.
    pub fn read(&mut self, view: &View, known: impl Fn(Cell) -> Option<Fact>) {
        self.cells.clear();
        self.seen_by.clear();
        self.clues.clear();
        self.places.clear();
        self.places.resize(view.shape().size(), NOWHERE);
        for &cell in view.opened() {
            let mut mines = 0;
            let mut unknown: ArrayVec<Cell, 8> = ArrayVec::new();
            for &near in view.shape().neighbors(cell) {
                match view.face(near) {
                    Face::Open { .. } => {}
                    Face::Mine => mines += 1,
                    Face::Covered | Face::Flagged => match known(near) {
                        Some(Fact::Safe) => {}
                        Some(Fact::Mine) => mines += 1,
                        None => unknown.push(near),
                    },
                }
            }
            let all = (2 << unknown.len()) - 1;
            let counts = view.face(cell).clue().expect("open cells have clues").mask();
            let admitted = counts >> mines & all;
            let likely = likely(view, cell, mines, admitted);
            if admitted != all || likely.is_some() {
                let cells = ArrayVec::new();
                self.add(Clue { cell, admitted, likely, cells }, &unknown);
            }
        }
    }

    fn add(&mut self, mut clue: Clue, unknown: &[Cell]) {
        let number = self.clues.len() as u16;
        for &cell in unknown {
            if self.places[cell.index()] == NOWHERE {
                self.places[cell.index()] = self.cells.len() as u16;
                self.cells.push(cell);
                self.seen_by.push(ArrayVec::new());
            }
            let place = self.places[cell.index()];
            clue.cells.push(place);
            self.seen_by[place as usize].push(number);
        }
        self.clues.push(clue);
    }
}

/// How likely an open cell shows what it does, for each number of mines among its unknown cells;
/// none if that is the same for all that are admitted.
fn likely(view: &View, cell: Cell, mines: u8, admitted: u16) -> Option<[f64; 9]> {
    if admitted & admitted.wrapping_sub(1) == 0 {
        return None;
    }
    let Face::Open { shown, .. } = view.face(cell) else { return None };
    let degree = view.shape().degree(cell) as u8;
    let likelihood = |count| view.rules().clues().likelihood(shown, mines + count, degree);
    let counts = (0..9u8).filter(|count| admitted >> count & 1 == 1);
    let mut likely = [0.0; 9];
    counts.clone().for_each(|count| likely[usize::from(count)] = likelihood(count));
    let first = likely[admitted.trailing_zeros() as usize];
    let alike = counts.clone().all(|count| likely[usize::from(count)] == first);
    (!alike).then_some(likely)
}
