//! Clauses tried as Prolog would: literal after literal, every choice in turn. Slow, obviously
//! right; the truth for tests.

use std::collections::{BTreeMap, BTreeSet};

use deminer_game::{Cell, Face, View};
use deminer_inference::deduce::Fact;
use deminer_inference::odds::Engine;

use super::clause::{Clause, Literal, Term, Variable};
use super::situation::trusted;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Cell,
    /// What is supposed of the cell: a mine or safe.
    Board(Option<bool>),
    Clue(Cell),
    Zone(BTreeSet<Cell>),
    Set(BTreeSet<Cell>, i32),
    Number(i32),
}

/// Whether the clause holds of a covered cell.
pub fn covers(clause: &Clause, view: &View, cell: Cell) -> bool {
    let world = World { view, cell };
    let values =
        BTreeMap::from([(Variable::CELL, Value::Cell), (Variable::BOARD, Value::Board(None))]);
    world.prove(clause.body(), &values)
}

struct World<'a> {
    view: &'a View,
    cell: Cell,
}

impl World<'_> {
    fn prove(&self, body: &[Literal], values: &BTreeMap<Variable, Value>) -> bool {
        let Some((literal, rest)) = body.split_first() else { return true };
        let value = |term: Term| match term {
            Term::Number(number) => Some(Value::Number(number)),
            Term::Variable(variable) => values.get(&variable).cloned(),
        };
        let inputs = literal.arguments().filter(|(argument, _)| !argument.is_output());
        let inputs = inputs.map(|(_, term)| value(term).expect("inputs are known")).collect();
        let outputs: Vec<Term> = literal
            .arguments()
            .filter(|(argument, _)| argument.is_output())
            .map(|at| at.1)
            .collect();
        self.solutions(literal.predicate.name, inputs).into_iter().any(|solution| {
            let mut known = values.clone();
            let fits = outputs.iter().zip(&solution).all(|(&term, found)| {
                if let Term::Variable(variable) = term {
                    known.insert(variable, found.clone());
                }
                value(term).is_none_or(|given| given == *found)
            });
            fits && self.prove(rest, &known)
        })
    }

    /// The outputs with which a predicate holds of these inputs; without outputs, one empty list
    /// where it holds.
    fn solutions(&self, name: &str, inputs: Vec<Value>) -> Vec<Vec<Value>> {
        let supposed = |place: usize| match inputs[place] {
            Value::Board(supposed) => supposed,
            ref other => panic!("{other:?} is no board"),
        };
        let set = |place: usize| match &inputs[place] {
            Value::Set(cells, mines) => (cells.clone(), *mines),
            other => panic!("{other:?} is no set"),
        };
        let holds = |holds: bool| if holds { vec![vec![]] } else { vec![] };
        match name {
            "zoneOfInterest" => vec![vec![Value::Zone(self.zone(2))]],
            "widerZone" => vec![vec![Value::Zone(self.zone(3))]],
            "markedBoard" | "clearedBoard" => match supposed(1) {
                None => vec![vec![Value::Board(Some(name == "markedBoard"))]],
                Some(_) => vec![],
            },
            "setHasXMines" => {
                let Value::Zone(clues) = &inputs[1] else { panic!("no zone") };
                let one = |&clue: &Cell| {
                    let (cells, mines) = self.set_of(clue, supposed(0));
                    vec![Value::Clue(clue), Value::Set(cells, mines)]
                };
                clues.iter().map(one).collect()
            }
            "totalMinesLeft" => vec![vec![Value::Number(self.left(supposed(0)))]],
            "allMinesInFringe" => {
                let view = trusted(self.view);
                let fringe: BTreeSet<Cell> =
                    view.openable().filter(|&cell| !self.clues_around(cell).is_empty()).collect();
                let mut engine = Engine::default();
                let odds = engine.odds(&view).unwrap();
                let mut sea = view.openable().filter(|cell| !fringe.contains(cell));
                if sea.any(|cell| odds.fact(cell) != Some(Fact::Safe)) {
                    return vec![];
                }
                let (cells, mines) = self.suppose(fringe, self.left(None), supposed(0));
                vec![vec![Value::Set(cells, mines)]]
            }
            "diffSetHasXMines" => {
                let ((one, mines), (other, _)) = (set(0), set(1));
                match common_mines(&set(0), &set(1))[..] {
                    [common] => {
                        let rest = one.difference(&other).copied().collect();
                        vec![vec![Value::Set(rest, mines - common)]]
                    }
                    _ => vec![],
                }
            }
            "clash" => holds(common_mines(&set(0), &set(1)).is_empty()),
            "inSet" | "outOfSet" => holds(set(1).0.contains(&self.cell) == (name == "inSet")),
            "lengthSet" => holds(inputs[1] == Value::Number(set(0).0.len() as i32)),
            "minesInSet" => vec![vec![Value::Number(set(0).1)]],
            other => panic!("{other} has no oracle"),
        }
    }

    fn number(&self, cell: Cell) -> Option<i32> {
        self.view.face(cell).clue()?.exact().map(i32::from)
    }

    fn clues_around(&self, cell: Cell) -> Vec<Cell> {
        let near = self.view.shape().neighbors(cell).iter();
        near.copied().filter(|&near| self.number(near).is_some()).collect()
    }

    fn zone(&self, rings: usize) -> BTreeSet<Cell> {
        let mut clues: BTreeSet<Cell> = self.clues_around(self.cell).into_iter().collect();
        for _ in 1..rings {
            let cells: Vec<Cell> =
                clues.iter().flat_map(|&clue| self.set_of(clue, None).0).collect();
            clues.extend(cells.into_iter().flat_map(|cell| self.clues_around(cell)));
        }
        clues
    }

    fn set_of(&self, clue: Cell, supposed: Option<bool>) -> (BTreeSet<Cell>, i32) {
        let near = self.view.shape().neighbors(clue);
        let covered = near.iter().copied().filter(|&cell| self.view.face(cell) == Face::Covered);
        let mark = |&&cell: &&Cell| matches!(self.view.face(cell), Face::Flagged | Face::Mine);
        let marks = near.iter().filter(mark).count() as i32;
        self.suppose(covered.collect(), self.number(clue).unwrap() - marks, supposed)
    }

    fn suppose(
        &self,
        mut cells: BTreeSet<Cell>,
        mines: i32,
        supposed: Option<bool>,
    ) -> (BTreeSet<Cell>, i32) {
        match supposed {
            Some(mine) if cells.remove(&self.cell) => (cells, mines - i32::from(mine)),
            _ => (cells, mines),
        }
    }

    fn left(&self, supposed: Option<bool>) -> i32 {
        let marked = |face: &&Face| matches!(face, Face::Flagged | Face::Mine);
        let marks = self.view.faces().iter().filter(marked).count();
        self.view.rules().mines() as i32 - marks as i32 - i32::from(supposed == Some(true))
    }
}

/// The numbers of mines that the cells of both sets may hold.
fn common_mines(one: &(BTreeSet<Cell>, i32), other: &(BTreeSet<Cell>, i32)) -> Vec<i32> {
    let both = one.0.intersection(&other.0).count() as i32;
    let fits = |set: &(BTreeSet<Cell>, i32), common: i32| {
        (0..=set.0.len() as i32 - both).contains(&(set.1 - common))
    };
    (0..=both).filter(|&common| fits(one, common) && fits(other, common)).collect()
}
