//! Case analysis: what cannot be otherwise, because nothing fits if it is.

use deminer_game::{Cell, CellSet, Premise, View};

use super::need::{Asked, grounds, groups, regions};
use super::search::{Answer, Question, shrink};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung, total};

pub(super) const RULE: Rule = Rule {
    name: "contradiction",
    rung: Rung::Contradiction,
    about: "supposing the opposite, no way to place mines fits the clues and the mine total",
    find,
};

/// The nodes all questions of one application may take together. Expert positions need a few
/// thousand; when they run out, fewer conclusions are found.
const NODES: usize = 2_000_000;

/// Whether mines can be placed so that each of these clues and, if asked for, the mine total
/// admits them, supposing a fact about a cell. All open cells are safe, whether their clues are
/// asked about or not. None if so many nodes do not suffice to tell.
pub fn satisfiable(
    view: &View,
    clues: &[Cell],
    use_total: bool,
    assumption: Option<(Cell, Fact)>,
    nodes: usize,
) -> Option<bool> {
    let question = Question { view, facts: &Facts::of(view), suppose: assumption };
    match question.ask(clues, use_total, &mut { nodes }) {
        Answer::Fits(_) => Some(true),
        Answer::Impossible => Some(false),
        Answer::Unknown => None,
    }
}

/// What case analysis proves: first region by region, then with the mine total.
///
/// Each filling that is found shows for many cells at once what they can be, so few questions
/// are left to ask. What one cell of a group can be, the others can.
fn find(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let needs = Asked::all(view, facts);
    let mut survey = Survey {
        view,
        facts,
        regions: regions(view, &needs).iter().map(|region| Region::of(region, &needs)).collect(),
        nodes: NODES,
        findings: Findings::new(view),
    };
    for region in 0..survey.regions.len() {
        survey.by_clues(region);
    }
    if let Some(left) = view.rules().mines().checked_sub(facts.mines()) {
        survey.by_total(left);
    }
    survey.findings.list
}

/// A region and what is known to be possible in it.
struct Region {
    clues: Vec<Cell>,
    groups: Vec<Possible>,
    /// The fewest and the most mines of all fillings found.
    mines: Option<(usize, usize)>,
}

/// A group of cells and what one of them can be.
struct Possible {
    cells: Vec<Cell>,
    /// The fewest and the most mines in the region, of all fillings found in which one of the
    /// cells is safe, and in which one is a mine.
    seen: [Option<(usize, usize)>; 2],
}

const FACTS: [Fact; 2] = [Fact::Safe, Fact::Mine];

fn widen(span: &mut Option<(usize, usize)>, mines: usize) {
    let (low, high) = span.unwrap_or((mines, mines));
    *span = Some((low.min(mines), high.max(mines)));
}

impl Region {
    fn of(places: &[usize], needs: &[Asked]) -> Self {
        let needs: Vec<&Asked> = places.iter().map(|&place| &needs[place]).collect();
        let possible = |(cells, _)| Possible { cells, seen: [None; 2] };
        Self {
            clues: needs.iter().map(|need| need.clue).collect(),
            groups: groups(&needs).into_iter().map(possible).collect(),
            mines: None,
        }
    }

    /// Takes in a filling.
    fn note(&mut self, layout: &[Option<Fact>]) {
        let mined = |cells: &[Cell]| {
            cells.iter().filter(|cell| layout[cell.index()] == Some(Fact::Mine)).count()
        };
        let mines = self.groups.iter().map(|group| mined(&group.cells)).sum();
        widen(&mut self.mines, mines);
        for group in &mut self.groups {
            let here = mined(&group.cells);
            if here < group.cells.len() {
                widen(&mut group.seen[0], mines);
            }
            if here > 0 {
                widen(&mut group.seen[1], mines);
            }
        }
    }
}

/// One application of the rule.
struct Survey<'a> {
    view: &'a View,
    facts: &'a Facts,
    regions: Vec<Region>,
    nodes: usize,
    findings: Findings,
}

impl Survey<'_> {
    /// Asks of each group of a region what its clues allow.
    fn by_clues(&mut self, region: usize) {
        for group in 0..self.regions[region].groups.len() {
            for (place, fact) in FACTS.into_iter().enumerate() {
                let Region { clues, groups, .. } = &self.regions[region];
                if groups[group].seen[place].is_some() {
                    continue;
                }
                let suppose = Some((groups[group].cells[0], fact));
                let question = Question { view: self.view, facts: self.facts, suppose };
                match question.ask(clues, false, &mut self.nodes) {
                    Answer::Fits(layout) => self.regions[region].note(&layout),
                    Answer::Impossible => {
                        let (cells, clues) = (groups[group].cells.clone(), clues.clone());
                        self.conclude(&cells, fact.opposite(), &clues, false);
                    }
                    Answer::Unknown => {}
                }
            }
        }
    }

    /// Asks of each group, and of the sea, what all clues and the mine total allow; fillings of
    /// the regions found so far that add up to the total answer most of it.
    fn by_total(&mut self, left: usize) {
        let mut clues = Vec::new();
        let mut jobs = Vec::new();
        let mut fringe = CellSet::new(self.view.shape().size());
        for (region, Region { clues: here, groups, .. }) in self.regions.iter().enumerate() {
            clues.extend(here);
            for Possible { cells, seen } in groups {
                cells.iter().for_each(|&cell| {
                    fringe.insert(cell);
                });
                jobs.push((Some(region), cells.clone(), *seen));
            }
        }
        let sea: Vec<Cell> =
            self.facts.unknown_cells().filter(|&cell| !fringe.contains(cell)).collect();
        let room = sea.len();
        if room > 0 {
            jobs.push((None, sea, [Some((0, 0)); 2]));
        }
        // What the layouts found here show to be possible.
        let mut shown = vec![[false; 2]; self.view.shape().size()];
        for (region, cells, seen) in jobs {
            for (place, fact) in FACTS.into_iter().enumerate() {
                // The mines that the sea must be able to take.
                let rest = match (region, fact) {
                    (Some(_), _) => 0..room + 1,
                    (None, Fact::Safe) => 0..room,
                    (None, Fact::Mine) => 1..room + 1,
                };
                let adds_up =
                    |mines| left.checked_sub(mines).is_some_and(|left| rest.contains(&left));
                let possible = seen[place].is_some_and(|(low, high)| {
                    [low, high].into_iter().any(|own| self.sums(own, region).any(adds_up))
                });
                let decided = self.findings.cells.contains(cells[0]);
                if possible || decided || cells.iter().any(|cell| shown[cell.index()][place]) {
                    continue;
                }
                let suppose = Some((cells[0], fact));
                let question = Question { view: self.view, facts: self.facts, suppose };
                match question.ask(&clues, true, &mut self.nodes) {
                    Answer::Fits(layout) => {
                        for (shown, fact) in shown.iter_mut().zip(layout) {
                            shown[0] |= fact == Some(Fact::Safe);
                            shown[1] |= fact == Some(Fact::Mine);
                        }
                    }
                    Answer::Impossible => self.conclude(&cells, fact.opposite(), &clues, true),
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

    /// Notes what is proved, with clues of which none can be left out.
    fn conclude(&mut self, cells: &[Cell], fact: Fact, clues: &[Cell], by_total: bool) {
        let (view, facts) = (self.view, self.facts);
        let question = Question { view, facts, suppose: Some((cells[0], fact.opposite())) };
        let shrunk = shrink(&question, clues, by_total, &mut self.nodes);
        let (clues, by_total) = shrunk.unwrap_or_else(|| (clues.to_vec(), by_total));
        self.findings.add(cells, fact, || {
            if by_total {
                let clues = clues.iter().copied().map(Premise::Clue);
                clues.chain(total::known(view, facts, |_| true)).collect()
            } else {
                grounds(view, facts, clues.iter().copied())
            }
        });
    }
}
