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
        let given: Vec<Option<Value>> = literal
            .terms
            .iter()
            .map(|term| match term {
                Term::Number(number) => Some(Value::Number(*number)),
                Term::Variable(variable) => values.get(variable).cloned(),
            })
            .collect();
        self.solutions(literal.predicate.name, &given).into_iter().any(|solution| {
            let mut values = values.clone();
            for (term, value) in literal.terms.iter().zip(&solution) {
                if let Term::Variable(variable) = term {
                    values.insert(*variable, value.clone());
                }
            }
            let fits = given
                .iter()
                .zip(&solution)
                .all(|(given, found)| given.as_ref().is_none_or(|given| given == found));
            fits && self.prove(rest, &values)
        })
    }

    /// All arguments for which a predicate holds, given some of them.
    fn solutions(&self, name: &str, given: &[Option<Value>]) -> Vec<Vec<Value>> {
        let input = |place: usize| given[place].clone().expect("inputs are known");
        let supposed = |place| match input(place) {
            Value::Board(supposed) => supposed,
            other => panic!("{other:?} is no board"),
        };
        let set = |place| match input(place) {
            Value::Set(cells, mines) => (cells, mines),
            other => panic!("{other:?} is no set"),
        };
        match name {
            "zoneOfInterest" => vec![vec![input(0), input(1), Value::Zone(self.zone(2))]],
            "widerZone" => vec![vec![input(0), input(1), Value::Zone(self.zone(3))]],
            "markedBoard" | "clearedBoard" => match supposed(1) {
                None => vec![vec![input(0), input(1), Value::Board(Some(name == "markedBoard"))]],
                Some(_) => vec![],
            },
            "setHasXMines" => {
                let Value::Zone(clues) = input(2) else { panic!("no zone") };
                let one = |&clue: &Cell| {
                    let (cells, mines) = self.set_of(clue, supposed(1));
                    vec![Value::Clue(clue), input(1), input(2), Value::Set(cells, mines)]
                };
                clues.iter().map(one).collect()
            }
            "totalMinesLeft" => {
                let left = self.left(supposed(0));
                vec![vec![input(0), Value::Number(left)]]
            }
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
                vec![vec![input(0), Value::Set(cells, mines)]]
            }
            "diffSetHasXMines" => {
                let ((one, mines), (other, _)) = (set(0), set(1));
                match common_mines(&set(0), &set(1))[..] {
                    [common] => {
                        let rest = one.difference(&other).copied().collect();
                        vec![vec![input(0), input(1), Value::Set(rest, mines - common)]]
                    }
                    _ => vec![],
                }
            }
            "clash" => match common_mines(&set(0), &set(1))[..] {
                [] => vec![vec![input(0), input(1)]],
                _ => vec![],
            },
            "inSet" | "outOfSet" => match set(1).0.contains(&self.cell) == (name == "inSet") {
                true => vec![vec![input(0), input(1)]],
                false => vec![],
            },
            "lengthSet" => match input(1) == Value::Number(set(0).0.len() as i32) {
                true => vec![vec![input(0), input(1)]],
                false => vec![],
            },
            "minesInSet" => vec![vec![input(0), Value::Number(set(0).1)]],
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
