//! Case analysis: a fact is proved if no arrangement fits its opposite.

use deminer_game::{Cell, Premise, View};

use super::grounds::{clues_of, constraints, grounds};
use super::search::{Answer, Question, shrink};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};
use crate::constraints::{Constraints, Region};

pub(super) const RULE: Rule = Rule {
    name: "contradiction",
    rung: Rung::Contradiction,
    about: "supposing the opposite, no way to place mines fits the clues and the mine total",
    find,
};

/// The nodes all questions of one application may take together. Expert positions need a few
/// thousand; when they run out, fewer conclusions are found.
const NODES: usize = 2_000_000;

/// What case analysis proves: first region by region, then with the mine total.
///
/// Each filling shows what many cells can be, so few questions remain. If one cell of a group can
/// be a mine, or safe, so can the others.
fn find(view: &View, facts: &Facts, clues: &[Cell]) -> Vec<Conclusion> {
    let constraints = constraints(view, facts, clues);
    let regions = constraints.regions();
    let mut survey = Survey {
        view,
        facts,
        regions: regions.iter().map(|region| Possibilities::of(region, &constraints)).collect(),
        nodes: NODES,
        findings: Findings::new(view),
    };
    for region in 0..survey.regions.len() {
        survey.by_clues(region);
    }
    if let Some(left) = view.rules().mines().checked_sub(facts.mines()) {
        survey.by_total(&constraints, left);
    }
    survey.findings.list
}

/// A region, and what the fillings found so far show to be possible in it.
struct Possibilities {
    clues: Vec<Premise>,
    groups: Vec<PossibleFacts>,
    /// The fewest and the most mines of all fillings found.
    mines: Option<(usize, usize)>,
}

/// A group of cells, and what one of them can be.
struct PossibleFacts {
    cells: Vec<Cell>,
    /// For safe and for mine: the fewest and the most mines in the region, over all fillings found
    /// in which one of the cells is that.
    mines: [Option<(usize, usize)>; 2],
}

const FACTS: [Fact; 2] = [Fact::Safe, Fact::Mine];

fn widen(span: &mut Option<(usize, usize)>, mines: usize) {
    let (low, high) = span.unwrap_or((mines, mines));
    *span = Some((low.min(mines), high.max(mines)));
}

impl Possibilities {
    fn of(region: &Region, constraints: &Constraints) -> Self {
        let clues = region.clues.iter().copied();
        let groups = constraints.groups(clues.clone()).into_iter();
        let groups = groups.map(|group| PossibleFacts { cells: group.cells, mines: [None; 2] });
        let clues = clues.map(|clue| Premise::Clue(constraints.clues[usize::from(clue)].cell));
        Self { clues: clues.collect(), groups: groups.collect(), mines: None }
    }

    /// Notes a filling.
    fn note(&mut self, layout: &[Option<Fact>]) {
        let mined = |cells: &[Cell]| {
            cells.iter().filter(|cell| layout[cell.index()] == Some(Fact::Mine)).count()
        };
        let mines = self.groups.iter().map(|group| mined(&group.cells)).sum();
        widen(&mut self.mines, mines);
        for group in &mut self.groups {
            let here = mined(&group.cells);
            if here < group.cells.len() {
                widen(&mut group.mines[0], mines);
            }
            if here > 0 {
                widen(&mut group.mines[1], mines);
            }
        }
    }
}

/// One application of the rule.
struct Survey<'a> {
    view: &'a View,
    facts: &'a Facts,
    regions: Vec<Possibilities>,
    nodes: usize,
    findings: Findings,
}

impl Survey<'_> {
    /// Finds for each group of a region what its clues allow.
    fn by_clues(&mut self, region: usize) {
        for group in 0..self.regions[region].groups.len() {
            for (place, fact) in FACTS.into_iter().enumerate() {
                let Possibilities { clues, groups, .. } = &self.regions[region];
                if groups[group].mines[place].is_some() {
                    continue;
                }
                let suppose = Some((groups[group].cells[0], fact));
                let question = Question { view: self.view, facts: self.facts, suppose };
                match question.ask(clues, &mut self.nodes) {
                    Answer::Fits(layout) => self.regions[region].note(&layout),
                    Answer::Impossible => {
                        let (cells, clues) = (groups[group].cells.clone(), clues.clone());
                        self.conclude(&cells, fact.opposite(), &clues);
                    }
                    Answer::Unknown => {}
                }
            }
        }
    }

    /// Finds for each group, and for the sea, what all clues and the mine total allow. Fillings
    /// found before whose mines add up to the total answer most questions.
    fn by_total(&mut self, constraints: &Constraints, left: usize) {
        let mut premises = Vec::new();
        let mut jobs = Vec::new();
        for (region, possible) in self.regions.iter().enumerate() {
            premises.extend(&possible.clues);
            let groups = possible.groups.iter();
            jobs.extend(groups.map(|group| (Some(region), group.cells.clone(), group.mines)));
        }
        premises.push(Premise::MineTotal);
        let sea = self.facts.unknown_cells().filter(|&cell| !constraints.contains(cell));
        let sea: Vec<Cell> = sea.collect();
        let room = sea.len();
        if room > 0 {
            jobs.push((None, sea, [Some((0, 0)); 2]));
        }
        // What the layouts found here show to be possible.
        let mut shown = vec![[false; 2]; self.view.shape().size()];
        for (region, cells, found) in jobs {
            for (place, fact) in FACTS.into_iter().enumerate() {
                // The mines that the sea must be able to take.
                let rest = match (region, fact) {
                    (Some(_), _) => 0..room + 1,
                    (None, Fact::Safe) => 0..room,
                    (None, Fact::Mine) => 1..room + 1,
                };
                let adds_up =
                    |mines| left.checked_sub(mines).is_some_and(|left| rest.contains(&left));
                let possible = found[place].is_some_and(|(low, high)| {
                    [low, high].into_iter().any(|own| self.sums(own, region).any(adds_up))
                });
                let decided = self.findings.cells.contains(cells[0]);
                if possible || decided || cells.iter().any(|cell| shown[cell.index()][place]) {
                    continue;
                }
                let suppose = Some((cells[0], fact));
                let question = Question { view: self.view, facts: self.facts, suppose };
                match question.ask(&premises, &mut self.nodes) {
                    Answer::Fits(layout) => {
                        for (shown, fact) in shown.iter_mut().zip(layout) {
                            shown[0] |= fact == Some(Fact::Safe);
                            shown[1] |= fact == Some(Fact::Mine);
                        }
                    }
                    Answer::Impossible => self.conclude(&cells, fact.opposite(), &premises),
                    Answer::Unknown => {}
                }
            }
        }
    }

    /// Some numbers of mines that fillings found in all regions but one have together, beyond
    /// those given: from the fewest, taking the most in one region after another. None if a
    /// region has no filling yet.
    fn sums(&self, own: usize, but: Option<usize>) -> impl Iterator<Item = usize> {
        let others = self.regions.iter().enumerate().filter(|&(region, _)| Some(region) != but);
        let spans: Option<Vec<(usize, usize)>> = others.map(|(_, region)| region.mines).collect();
        spans.into_iter().flat_map(move |spans| {
            let fewest = own + spans.iter().map(|&(low, _)| low).sum::<usize>();
            let more = spans.into_iter().scan(fewest, |sum, (low, high)| {
                *sum += high - low;
                Some(*sum)
            });
            std::iter::once(fewest).chain(more)
        })
    }

    /// Notes what is proved, with premises of which none can be left out.
    fn conclude(&mut self, cells: &[Cell], fact: Fact, premises: &[Premise]) {
        let (view, facts) = (self.view, self.facts);
        let question = Question { view, facts, suppose: Some((cells[0], fact.opposite())) };
        let shrunk = shrink(&question, premises, &mut self.nodes);
        let premises = shrunk.unwrap_or_else(|| premises.to_vec());
        let total = premises.contains(&Premise::MineTotal);
        self.findings.add(cells, fact, || grounds(view, facts, clues_of(&premises), total));
    }
}
