//! The fewest premises that refute a supposition.
//!
//! A filling that some premises admit and others do not shows that at least one of those others
//! is needed. Sets of premises are tried by increasing size: each time such a filling is known
//! for the premises chosen so far, one of those it breaks must be chosen too; if none is known,
//! it is asked for, and either there is one, or the premises refute. Fillings are made to break
//! as few premises as they can and are kept, so few have to be found. (The idea is that of
//! Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction with minimal hitting
//! set dualization", 2015.)

use deminer_game::{Cell, Premise, View, stop};

use crate::deduce::{Answer, Fact, Question, by_distance, clues_of};

/// For proofs with more clues no smaller one is sought.
const MOST_CLUES: usize = 12;

/// The fewest premises that refute the supposition, given some that do and of which none can be
/// left out; and whether they are known to be the fewest. Of as few, clues alone are preferred.
pub(super) fn fewest(
    question: &Question,
    set: Vec<Premise>,
    nodes: &mut usize,
) -> (Vec<Premise>, bool) {
    let size = set.len();
    if clues_of(&set).len() > MOST_CLUES {
        return (set, false);
    }
    if size < 2 {
        return (set, true);
    }
    let mut hunt = Hunt::new(question, size - 1, nodes);
    for (limit, with_total) in (1..size).flat_map(|limit| [(limit, false), (limit, true)]) {
        hunt.with_total = with_total;
        match hunt.extend(&mut Vec::new(), limit, limit) {
            Some(Some(chosen)) => {
                return (chosen.iter().map(|&place| hunt.premises[place].0).collect(), true);
            }
            Some(None) => {}
            None => return (set, false),
        }
    }
    (set, true)
}

struct Hunt<'a> {
    question: &'a Question<'a>,
    /// What may be chosen, and how far it is from the cell supposed of.
    premises: Vec<(Premise, usize)>,
    /// The places of the premises that each filling known breaks.
    broken: Vec<Vec<usize>>,
    /// Premises that need not be chosen, since all sets with them are tried.
    barred: Vec<bool>,
    /// Whether the mine total may be chosen.
    with_total: bool,
    nodes: &'a mut usize,
}

impl<'a> Hunt<'a> {
    /// Prepares to search for sets of at most `most` premises.
    fn new(question: &'a Question<'a>, most: usize, nodes: &'a mut usize) -> Self {
        let view = question.view;
        let telling = |&clue: &Cell| {
            let near = view.shape().neighbors(clue);
            question.suppose.is_none() || near.iter().any(|&near| view.face(near).is_covered())
        };
        let clues: Vec<Cell> = view.opened().iter().copied().filter(telling).collect();
        let total = total_matters(view, &clues, most);
        // Without the total, premises of which none can be left out hang together, and `most` of
        // them reach no farther than this; with it, and without a supposition, anywhere.
        let reach = if total { usize::MAX } else { most.saturating_sub(1) };
        let clues = by_distance(question, &clues)
            .into_iter()
            .filter(|&(_, distance)| distance <= reach)
            .map(|(clue, distance)| (Premise::Clue(clue), if total { 0 } else { distance }));
        let premises: Vec<(Premise, usize)> =
            total.then_some((Premise::MineTotal, 0)).into_iter().chain(clues).collect();
        let barred = vec![false; premises.len()];
        Self { question, premises, broken: Vec::new(), barred, with_total: false, nodes }
    }

    /// Looks for a set that refutes, made of the premises chosen and at most `more` others out
    /// of those that sets of `limit` premises can reach. The outer none is for nodes run out.
    fn extend(
        &mut self,
        chosen: &mut Vec<usize>,
        more: usize,
        limit: usize,
    ) -> Option<Option<Vec<usize>>> {
        *self.nodes = self.nodes.checked_sub(1 + self.broken.len() / 8)?;
        if stop::is_raised() {
            return None;
        }
        let needed = match self.needed(chosen, more, limit) {
            Needed::More => return Some(None),
            Needed::OneOf(needed) => needed,
            Needed::Unclear => match self.ask(chosen) {
                Answer::Impossible => return Some(Some(chosen.clone())),
                Answer::Unknown => return None,
                Answer::Fits(layout) => {
                    let broken = self.grow(chosen, layout);
                    let needed = self.eligible(&broken, limit);
                    self.broken.push(broken);
                    needed
                }
            },
        };
        if more == 0 {
            return Some(None);
        }
        let mut result = Some(None);
        for &place in &needed {
            chosen.push(place);
            result = self.extend(chosen, more - 1, limit);
            chosen.pop();
            if !matches!(result, Some(None)) {
                break;
            }
            self.barred[place] = true;
        }
        needed.iter().for_each(|&place| self.barred[place] = false);
        result
    }

    /// What the fillings known say of the premises still needed.
    fn needed(&self, chosen: &[usize], more: usize, limit: usize) -> Needed {
        let mut fewest: Option<Vec<usize>> = None;
        let mut apart: Vec<usize> = Vec::new();
        let mut count = 0;
        for broken in &self.broken {
            if broken.iter().any(|place| chosen.contains(place)) {
                continue;
            }
            let needed = self.eligible(broken, limit);
            if !needed.iter().any(|place| apart.contains(place)) {
                apart.extend(&needed);
                count += 1;
            }
            if needed.is_empty() || count > more {
                return Needed::More;
            }
            if fewest.as_ref().is_none_or(|fewest| needed.len() < fewest.len()) {
                fewest = Some(needed);
            }
        }
        fewest.map_or(Needed::Unclear, Needed::OneOf)
    }

    fn eligible(&self, broken: &[usize], limit: usize) -> Vec<usize> {
        let eligible = |&place: &usize| {
            let (premise, distance) = self.premises[place];
            let allowed = self.with_total || premise != Premise::MineTotal;
            allowed && distance < limit && !self.barred[place]
        };
        broken.iter().copied().filter(eligible).collect()
    }

    fn ask(&mut self, places: &[usize]) -> Answer {
        let premises: Vec<Premise> = places.iter().map(|&place| self.premises[place].0).collect();
        self.question.ask(&premises, self.nodes)
    }

    /// Changes a filling that fits the premises chosen to fit as many others as possible, the
    /// nearest first, and returns those it breaks.
    fn grow(&mut self, chosen: &[usize], mut layout: Vec<Option<Fact>>) -> Vec<usize> {
        let mut kept = chosen.to_vec();
        let mut broken = Vec::new();
        for place in 0..self.premises.len() {
            if chosen.contains(&place) {
                continue;
            }
            kept.push(place);
            if settle(self.question.view, &mut layout, self.premises[place].0) {
                continue;
            }
            if let Answer::Fits(other) = self.ask(&kept) {
                layout = other;
            } else {
                kept.pop();
                broken.push(place);
            }
        }
        broken
    }
}

enum Needed {
    /// More premises than may be chosen.
    More,
    /// One of these.
    OneOf(Vec<usize>),
    /// Nothing is known.
    Unclear,
}

/// Whether the mine total can be one of at most `most` premises of which none can be left out.
/// It cannot if, for any mines that the other premises need, more mines are left and have room.
fn total_matters(view: &View, clues: &[Cell], most: usize) -> bool {
    let Some(clues_beside) = most.checked_sub(1) else { return false };
    let shown = view.shown_mines().count();
    let Some(left) = view.rules().mines().checked_sub(shown) else { return true };
    let ranges = clues.iter().filter_map(|&clue| view.face(clue).clue()?.range());
    let mut mines: Vec<usize> = ranges.map(|(_, high)| usize::from(high)).collect();
    mines.sort_unstable_by(|one, other| other.cmp(one));
    let asked = 1 + mines.iter().take(clues_beside).sum::<usize>();
    let seen = 1 + 8 * clues_beside;
    left < asked || view.covered_count() < left + seen
}

/// Fills in open places of a layout so that it fits a premise, if that can be.
fn settle(view: &View, layout: &mut [Option<Fact>], premise: Premise) -> bool {
    let (cells, counts): (Vec<Cell>, Box<dyn Fn(usize) -> bool>) = match premise {
        Premise::Clue(clue) => {
            let admitted = view.face(clue).clue();
            let admits = move |mines| admitted.is_some_and(|clue| clue.admits(mines as u8));
            (view.shape().neighbors(clue).to_vec(), Box::new(admits))
        }
        Premise::MineTotal => {
            let total = view.rules().mines();
            (view.shape().cells().collect(), Box::new(move |mines| mines == total))
        }
        Premise::Mine(_) | Premise::Safe(_) => return true,
    };
    let mines = cells.iter().filter(|cell| layout[cell.index()] == Some(Fact::Mine)).count();
    let open: Vec<Cell> = cells.into_iter().filter(|cell| layout[cell.index()].is_none()).collect();
    let Some(more) = (0..=open.len()).find(|&more| counts(mines + more)) else { return false };
    for (place, cell) in open.into_iter().enumerate() {
        layout[cell.index()] = Some(if place < more { Fact::Mine } else { Fact::Safe });
    }
    true
}
