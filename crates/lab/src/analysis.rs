//! What there is to say about a position: odds, certainty, proofs, the best move. Every door asks
//! here, so that all of them say the same.

use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use deminer_agents::search::{Judge, Settings};
use deminer_game::{Alternative, Cell, CellSet, Estimates, Face, Premise, Rng, View};
use deminer_inference::count::{Engine, ExactOdds, OddsError};
use deminer_inference::deduce::{Fact, Rung, prove, prove_all};
use deminer_inference::proof;
pub use deminer_inference::proof::Explanation;

/// What is asked of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Whether certain cells are to be proved.
    pub why: bool,
    /// Whether to count in whole numbers.
    pub exact: bool,
    /// A covered cell of which to tell how likely each number of mines around it is.
    pub around: Option<Cell>,
    /// Additions that may be spent on a region before it is sampled.
    pub budget: usize,
    /// Whether cells that tell nothing are to be marked; one count for each uncertain cell.
    pub marks: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The odds; none if no layout fits the position.
    pub odds: Option<Odds>,
    /// Clues, and perhaps the mine total, that cannot hold together, if no layout fits.
    pub conflict: Option<Vec<Premise>>,
    /// Why there are no odds, or none that are exact.
    pub reason: Option<String>,
    /// Whole numbers, where they were asked for.
    pub exact: Option<ExactOdds>,
    /// Covered cells that are surely safe, row by row.
    pub safe: Vec<Cell>,
    /// Covered cells that are surely mines, row by row.
    pub mines: Vec<Cell>,
    /// Flags on cells that are surely safe.
    pub wrong_flags: Vec<Cell>,
    /// The move to make; none if there is nothing to open.
    pub best: Option<Best>,
    /// Proofs of what is certain, where they were asked for.
    pub proofs: Option<Vec<Explanation>>,
    /// How likely each number of mines around the cell asked for is, provided the cell is safe;
    /// none if it cannot be.
    pub around: Option<[f64; 9]>,
    /// Cells that tell nothing, where they were asked for.
    pub marks: Option<Marks>,
}

/// Cells that need not be looked at again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Uncertain cells whose clue is known already: opening one would tell nothing but whether
    /// it is a mine. Row by row.
    pub dead: Vec<Cell>,
    /// Pairs of cells with one mine between them that no clue will ever tell apart.
    pub fifty_fifty: Vec<[Cell; 2]>,
}

/// How likely mines are.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The probability of a mine in each covered cell.
    pub estimates: Estimates,
    /// The decimal logarithm of the number of layouts, where layouts are counted and not weighed.
    pub log10_layouts: Option<f64>,
    /// The greatest standard error, where odds had to be sampled.
    pub error: Option<f64>,
}

/// A move and why it is the best.
#[derive(Clone, PartialEq, Debug)]
pub struct Best {
    /// The cell to open.
    pub cell: Cell,
    /// The probability that it is safe.
    pub safety: f64,
    /// The probability that the game is won with it, where it can be told.
    pub win: Option<f64>,
    /// Whether that is certain, and not an estimate.
    pub exact: bool,
    /// What else may be opened, best first.
    pub others: Vec<Alternative>,
    /// Why, in a sentence part.
    pub why: String,
}

impl Question {
    /// The usual budget.
    pub const BUDGET: usize = Engine::BUDGET;

    /// Answers for a position.
    pub fn answer(&self, view: &View) -> Analysis {
        self.answer_until(view, &AtomicBool::new(false))
    }

    /// The same; once the flag is raised no more proofs and marks are looked for, since nobody
    /// will read them.
    pub fn answer_until(&self, view: &View, stop: &AtomicBool) -> Analysis {
        let go_on = || !stop.load(Ordering::Relaxed);
        let mut engine = Engine::new(self.budget);
        let mut analysis = Analysis {
            odds: None,
            conflict: None,
            reason: None,
            exact: None,
            safe: Vec::new(),
            mines: Vec::new(),
            wrong_flags: Vec::new(),
            best: None,
            proofs: None,
            around: None,
            marks: None,
        };
        let odds = match engine.sampled_odds(view, &mut Rng::new(0)) {
            Ok(odds) => odds.clone(),
            Err(OddsError::Contradiction) => {
                analysis.conflict = Some(proof::conflict(view).unwrap_or_default());
                analysis.reason = Some(OddsError::Contradiction.to_string());
                return analysis;
            }
            Err(error) => {
                analysis.reason = Some(error.to_string());
                analysis.tell_proved(view);
                return analysis;
            }
        };
        let mut estimates = Estimates::new(view.shape().size());
        for cell in view.covered() {
            estimates.believe(cell, odds.mine(cell).expect("covered cells have odds"));
            match odds.fact(cell) {
                Some(Fact::Safe) => analysis.safe.push(cell),
                Some(Fact::Mine) => analysis.mines.push(cell),
                None => {}
            }
        }
        let flagged = |&&cell: &&Cell| view.face(cell) == Face::Flagged;
        analysis.wrong_flags = analysis.safe.iter().filter(flagged).copied().collect();
        let error = odds.standard_error();
        if let Some(error) = error {
            let wide = "a region is too wide to be counted within the budget";
            analysis.reason =
                Some(format!("{wide}: its odds are sampled, standard error {error:.1e}"));
        }
        analysis.odds = Some(Odds { estimates, log10_layouts: odds.log10_layouts(), error });
        if self.exact {
            match ExactOdds::of(view, self.budget) {
                Ok(exact) => analysis.exact = Some(exact),
                Err(error) => analysis.reason = Some(format!("in whole numbers, {error}")),
            }
        }
        if self.why && go_on() {
            let steps = prove_all(view);
            let explain = |cell: &Cell| proof::explain_from(view, &steps, *cell);
            let mut certain = [&analysis.safe[..], &analysis.mines[..]].concat();
            certain.sort_unstable();
            analysis.proofs =
                Some(certain.iter().take_while(|_| go_on()).filter_map(explain).collect());
        }
        let covered = self.around.filter(|&cell| view.face(cell).is_covered());
        analysis.around = covered.and_then(|cell| engine.around(view, cell).ok());
        analysis.best = best(view, &analysis, self.budget);
        if self.marks && go_on() {
            analysis.marks = Some(marks(view, &analysis, &mut engine));
        }
        analysis
    }
}

impl Analysis {
    /// Where there are no odds, what simple rules prove is still certain.
    fn tell_proved(&mut self, view: &View) {
        let mut proved: Vec<(Cell, Fact)> = prove(view, Rung::Several)
            .iter()
            .map(|step| (step.conclusion.cell, step.conclusion.fact))
            .collect();
        proved.sort_unstable_by_key(|&(cell, _)| cell);
        for (cell, fact) in proved {
            match fact {
                Fact::Safe => self.safe.push(cell),
                Fact::Mine => self.mines.push(cell),
            }
        }
    }
}

/// How many other moves are told.
const OTHERS: usize = 5;

/// The move of the strongest player there is.
fn best(view: &View, analysis: &Analysis, budget: usize) -> Option<Best> {
    view.openable().next()?;
    let odds = analysis.odds.as_ref()?;
    // What could not be counted cannot be looked at in depth either.
    let judged = match odds.error {
        Some(_) => None,
        None => {
            let settings = Settings { budget, ..Settings::QUICK };
            Judge::new(settings).judge(view, &[], &mut Rng::new(0)).ok()
        }
    };
    let exact = judged.as_ref().is_some_and(|judged| judged.exact);
    let mut moves = judged.map_or_else(|| safest(view, odds), |judged| judged.moves);
    // A wrong flag goes only where nothing else is safe.
    let plain = |open: &Alternative| open.safety == 1.0 && view.face(open.cell) == Face::Covered;
    let place = moves.iter().position(plain).unwrap_or(0);
    moves.get(..=place)?;
    let Alternative { cell, safety, win } = moves.remove(place);
    moves.truncate(OTHERS);
    let why = match safety {
        1.0 if view.opened().is_empty() => "the first click is safe".into(),
        1.0 => proved(view, analysis, cell),
        _ => {
            let risk = 100.0 * (1.0 - safety);
            format!("no cell is certainly safe; this one is a mine with {risk:.1} %")
        }
    };
    Some(Best { cell, safety, win, exact, others: moves, why })
}

/// Cells by their odds alone.
fn safest(view: &View, odds: &Odds) -> Vec<Alternative> {
    let weighed = view.openable().filter_map(|cell| {
        let safety = 1.0 - odds.estimates.mine(cell)?;
        Some(Alternative { cell, safety, win: None })
    });
    let mut weighed: Vec<Alternative> = weighed.collect();
    weighed.sort_by(|a, b| b.safety.total_cmp(&a.safety).then(a.cell.cmp(&b.cell)));
    weighed
}

/// Marks what tells nothing, where odds are exact.
fn marks(view: &View, analysis: &Analysis, engine: &mut Engine) -> Marks {
    if analysis.odds.as_ref().is_none_or(|odds| odds.error.is_some()) {
        return Marks::default();
    }
    let mut certain = CellSet::new(view.shape().size());
    for &cell in analysis.safe.iter().chain(&analysis.mines) {
        certain.insert(cell);
    }
    let mut mines = CellSet::new(view.shape().size());
    for &cell in &analysis.mines {
        mines.insert(cell);
    }
    let near = |cell: Cell| view.shape().neighbors(cell);
    let uncertain = |cell: Cell| view.face(cell).is_covered() && !certain.contains(cell);
    // A clue becomes known only where no sea is near; those are the cells worth a count.
    let seen = |cell: Cell| near(cell).iter().any(|&near| view.face(near).clue().is_some());
    let enclosed = |cell: Cell| near(cell).iter().all(|&near| !uncertain(near) || seen(near));
    let mut told = |cell: Cell| {
        let shares = engine.around(view, cell).ok();
        shares.is_some_and(|shares| shares.iter().filter(|share| **share > 0.0).count() == 1)
    };
    let cells = view.covered().filter(|&cell| uncertain(cell));
    let dead = cells.filter(|&cell| enclosed(cell)).filter(|&cell| told(cell)).collect();

    // Whoever sees just one of the two must be open already, or a mine.
    let silent = |one: Cell, other: Cell| {
        let aside = |near: &&Cell| **near != other && !view.shape().neighbors(other).contains(near);
        near(one).iter().filter(aside).all(|&near| {
            let face = view.face(near);
            !face.is_covered() || mines.contains(near)
        })
    };
    let mut fifty_fifty: Vec<[Cell; 2]> = view
        .opened()
        .iter()
        .filter_map(|&clue| {
            let mut open = near(clue).iter().copied().filter(|&cell| uncertain(cell));
            let pair = [open.next()?, open.next()?];
            let exact = view.face(clue).clue().is_some_and(|clue| clue.exact().is_some());
            (exact && open.next().is_none()).then_some(pair)
        })
        .filter(|&[one, other]| silent(one, other) && silent(other, one))
        .collect();
    fifty_fifty.sort_unstable();
    fifty_fifty.dedup();
    Marks { dead, fifty_fifty }
}

/// Why a safe cell is safe, in words if proofs were asked for.
fn proved(view: &View, analysis: &Analysis, cell: Cell) -> String {
    let mut proofs = analysis.proofs.iter().flatten();
    match proofs.find(|proof| proof.cell == cell) {
        Some(proof) => proof.sentence(view),
        None => "it is certainly safe".into(),
    }
}

/// Measures how long the odds of a view take an engine that remembers nothing of it.
pub struct Meter {
    engine: Engine,
}

impl Meter {
    /// With a budget for each region.
    pub fn new(budget: usize) -> Self {
        Self { engine: Engine::new(budget) }
    }

    /// CPU time from view to odds, in microseconds: the median of nine times, or one time if it
    /// is long.
    pub fn micros(&mut self, view: &View) -> f64 {
        const LONG: f64 = 100_000.0;
        let mut times = Vec::with_capacity(9);
        while times.len() < 9 {
            self.engine.forget();
            let start = ThreadTime::now();
            let _ = std::hint::black_box(self.engine.odds(view));
            times.push(start.elapsed().as_nanos() as f64 / 1000.0);
            if times[0] > LONG && times.len() >= 5 {
                break;
            }
        }
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(position: &str) -> Analysis {
        let view: View = position.parse().unwrap();
        let around = view.covered().next();
        Question { why: true, exact: true, around, budget: Question::BUDGET, marks: true }
            .answer(&view)
    }

    #[test]
    fn everything_certain_is_proved() {
        let analysis = answer("mines 3\n# # # #\n# 1 2 #\n# # # #");
        assert_eq!(analysis.safe.len(), 4);
        let proofs = analysis.proofs.unwrap();
        assert_eq!(proofs.iter().map(|proof| proof.cell).collect::<Vec<_>>(), analysis.safe);
        assert_eq!(analysis.exact.unwrap().layouts().to_string(), "9");
        assert_eq!(analysis.best.unwrap().safety, 1.0);
        assert_eq!(analysis.around.unwrap().iter().sum::<f64>(), 1.0);
    }

    #[test]
    fn wrong_flags_are_told() {
        let analysis = answer("mines 1\nF 1 #\n1 1 #\n. . .");
        assert_eq!((analysis.wrong_flags.len(), analysis.mines.len()), (0, 1));
        let analysis = answer("mines 1\n# 1 F\n1 1 .");
        assert_eq!(analysis.wrong_flags.len(), 1);
    }

    #[test]
    fn a_position_that_cannot_be_names_the_clues_at_fault() {
        let analysis = answer("mines 2\n1 3 #\n# # #");
        assert!(analysis.odds.is_none() && analysis.best.is_none());
        assert_eq!(analysis.conflict.unwrap().len(), 2);
    }

    #[test]
    fn pairs_that_nothing_tells_apart_are_marked() {
        // The mine of the left column lies in one of two cells that the same clues see; the
        // right column is open.
        let analysis = answer("mines 1\n# 1 .\n# 1 .");
        let marks = analysis.marks.unwrap();
        assert_eq!(marks.fifty_fifty.len(), 1);
        assert_eq!(marks.dead.len(), 2);
        // A third row tells the two apart once it is opened.
        let analysis = answer("mines 2\n# 1 .\n# 2 1\n# # #");
        assert!(analysis.marks.unwrap().fifty_fifty.is_empty());
    }

    #[test]
    fn a_finished_board_has_no_best_move() {
        let analysis = answer("mines 1\n* 1\n1 1");
        assert!(analysis.odds.is_some() && analysis.best.is_none());
    }
}
