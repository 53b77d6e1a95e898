//! What there is to say about a position: odds, certainty, proofs, the best move. Every door asks
//! here, so that all of them say the same.

use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use deminer_agents::search::{Judge, Settings, Weighed, fifty_fifties};
use deminer_game::{Cell, Estimates, Face, Premise, Rng, View};
use deminer_inference::count::{Engine, ExactOdds, OddsError};
use deminer_inference::deduce::{Fact, Rung, prove, prove_all};
use deminer_inference::proof;
pub use deminer_inference::proof::Explanation;

use crate::reasons;

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
    /// The probability that it is safe: 1 minus its odds, or 1 for a first click that the rules
    /// promise to be safe.
    pub safety: f64,
    /// The probability that the game is won with it, where it can be told.
    pub win: Option<f64>,
    /// Whether that is certain, and not an estimate.
    pub exact: bool,
    /// What was weighed, best first, the chosen cell included. Where wins are known, all have
    /// theirs.
    pub weighed: Vec<Weighed>,
    /// Why it is the best, a sentence each.
    pub reasons: Vec<String>,
}

impl Best {
    /// Why it is the best, in words.
    pub fn why(&self) -> String {
        self.reasons.join(" ")
    }

    /// What else may be opened, best first.
    pub fn others(&self) -> &[Weighed] {
        &self.weighed[1..]
    }
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
        // One engine for all: what it has counted once it remembers.
        let mut judge = Judge::new(Settings { budget: self.budget, ..Settings::QUICK });
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
        let odds = match judge.engine().sampled_odds(view, &mut Rng::new(0)) {
            Ok(odds) => odds.clone(),
            Err(OddsError::Contradiction) => {
                analysis.conflict = Some(proof::conflict(view).unwrap_or_default());
                analysis.reason = Some(CONTRADICTION.to_owned());
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
        analysis.around = covered.and_then(|cell| judge.engine().around(view, cell).ok());
        analysis.best = best(view, &analysis, &mut judge);
        if self.marks && go_on() {
            analysis.marks = Some(marks(view, &analysis, judge.engine()));
        }
        analysis
    }
}

impl Analysis {
    /// The probability that opening a covered cell is safe: 1 minus its odds, or 1 where the rules
    /// promise that the first click is. None where there are no odds.
    pub fn safety(&self, view: &View, cell: Cell) -> Option<f64> {
        let mine = self.odds.as_ref()?.estimates.mine(cell)?;
        Some(if view.promises_safe_click() { 1.0 } else { 1.0 - mine })
    }

    /// Why a safe cell is safe, if proofs were asked for.
    fn proof(&self, view: &View, cell: Cell) -> Option<String> {
        let mut proofs = self.proofs.iter().flatten();
        proofs.find(|proof| proof.cell == cell).map(|proof| proof.sentence(view))
    }

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

/// Why a position has no odds that cannot be.
const CONTRADICTION: &str = "contradictory clues: no arrangement of mines fits";

/// How many moves are held against each other.
const LISTED: usize = 6;

/// The move of the strongest player there is.
fn best(view: &View, analysis: &Analysis, judge: &mut Judge) -> Option<Best> {
    view.openable().next()?;
    let odds = analysis.odds.as_ref()?;
    // A wrong flag goes only where nothing else is safe.
    let is_plain = |cell: &&Cell| view.face(**cell) == Face::Covered;
    let plain: Vec<Cell> = analysis.safe.iter().find(is_plain).copied().into_iter().collect();
    // What could not be counted cannot be looked at in depth either.
    let compared = match odds.error {
        Some(_) => None,
        None => judge.compare(view, &plain, LISTED - plain.len(), &mut Rng::new(0)).ok(),
    };
    let exact = compared.as_ref().is_some_and(|(judged, _)| judged.exact);
    let mut weighed = compared.map_or_else(|| safest(view), |(_, weighed)| weighed);
    for one in &mut weighed {
        one.safety = analysis.safety(view, one.cell)?;
    }
    if odds.error.is_some() {
        weighed.sort_by(|a, b| b.safety.total_cmp(&a.safety));
        weighed.truncate(LISTED);
    }
    let place = weighed.iter().position(|one| plain.contains(&one.cell)).unwrap_or(0);
    weighed.get_mut(..=place)?.rotate_right(1);
    let Weighed { cell, safety, win, .. } = weighed[0];
    let reasons = if view.promises_safe_click() {
        reasons::of_first_click(view, cell)
    } else if analysis.safe.contains(&cell) {
        reasons::of_safe(view.shape(), cell, analysis.proof(view, cell))
    } else {
        reasons::of_guess(view.shape(), &weighed, exact)
    };
    Some(Best { cell, safety, win, exact, weighed, reasons })
}

/// Covered cells of someone else's choice, in their order: how safe they are, how likely the game
/// is won with them and what they lead to. And whether their win chances are certain.
pub fn weigh(
    view: &View,
    analysis: &Analysis,
    cells: &[Cell],
    budget: usize,
) -> (Vec<Weighed>, bool) {
    let Some(odds) = &analysis.odds else { return (Vec::new(), false) };
    let mut judge = Judge::new(Settings { budget, ..Settings::QUICK });
    let compared = match odds.error {
        Some(_) => None,
        None => judge.compare(view, cells, 0, &mut Rng::new(0)).ok(),
    };
    let exact = compared.as_ref().is_some_and(|(judged, _)| judged.exact);
    let mut weighed = compared.map_or_else(|| safest(view), |(_, weighed)| weighed);
    let place = |cell: Cell| cells.iter().position(|&held| held == cell);
    weighed.retain(|one| place(one.cell).is_some());
    weighed.sort_by_key(|one| place(one.cell));
    for one in &mut weighed {
        one.safety = analysis.safety(view, one.cell).expect("covered cells have odds");
    }
    (weighed, exact)
}

/// All cells that may be opened, with nothing known but their odds.
fn safest(view: &View) -> Vec<Weighed> {
    let weigh = |cell| Weighed {
        cell,
        safety: 0.0,
        win: None,
        prospect: None,
        settles: Vec::new(),
        avoids: 0.0,
    };
    view.openable().map(weigh).collect()
}

/// Marks what tells nothing, where odds are exact.
fn marks(view: &View, analysis: &Analysis, engine: &mut Engine) -> Marks {
    if analysis.odds.as_ref().is_none_or(|odds| odds.error.is_some()) {
        return Marks::default();
    }
    let mine = |cell: Cell| analysis.odds.as_ref()?.estimates.mine(cell);
    let near = |cell: Cell| view.shape().neighbors(cell);
    let uncertain = |cell: Cell| mine(cell).is_some_and(|mine| mine > 0.0 && mine < 1.0);
    // A clue becomes known only where no sea is near; those are the cells worth a count.
    let seen = |cell: Cell| near(cell).iter().any(|&near| view.face(near).clue().is_some());
    let enclosed = |cell: Cell| near(cell).iter().all(|&near| !uncertain(near) || seen(near));
    let mut told = |cell: Cell| {
        let shares = engine.around(view, cell).ok();
        shares.is_some_and(|shares| shares.iter().filter(|share| **share > 0.0).count() == 1)
    };
    let cells = view.covered().filter(|&cell| uncertain(cell));
    let dead = cells.filter(|&cell| enclosed(cell)).filter(|&cell| told(cell)).collect();
    let found = fifty_fifties(view, mine);
    let fifty_fifty = found.iter().flat_map(|held| held.pairs(view)).collect();
    Marks { dead, fifty_fifty }
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
    use deminer_game::{Action, Board, Form, GameSeed, Rules, Shape, Start};

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

    /// A position of any kind: shapes, clue rules, starts, flags, mines shown, nothing open.
    fn any_position(rng: &mut Rng) -> View {
        let shape = Shape::new(Form::ALL[rng.below(3)], 2 + rng.below(4), 2 + rng.below(3));
        let (shape, clues) = (shape.unwrap(), ["exact", "exact", "blind:0.3", "optimistic"]);
        let mines = rng.below(shape.size());
        let rules = Rules::starting(shape.clone(), mines, Start::ALL[rng.below(3)]).unwrap();
        let rules = rules.with_clues(clues[rng.below(4)].parse().unwrap());
        let mut board =
            Board::dealt(rules.clone(), GameSeed { seed: rng.bits(), game: rng.bits() });
        for _ in 0..rng.below(5) {
            let cell = shape.nth(rng.below(shape.size())).unwrap();
            match rng.below(3) {
                0 => drop(board.act(Action::Flag(cell))),
                _ if !board.hides_mine(cell) => drop(board.act(Action::Open(cell))),
                _ => {}
            }
        }
        let show = rng.below(3) == 0;
        let mut hidden = shape.cells().filter(|&cell| board.hides_mine(cell));
        let shown = hidden.next().filter(|_| show);
        let mut faces = board.view().faces().to_vec();
        shown.into_iter().for_each(|cell| faces[cell.index()] = Face::Mine);
        let start = rules.start();
        View::from_faces(rules, faces).unwrap().with_start(start).unwrap()
    }

    #[test]
    fn the_best_move_is_as_safe_as_its_odds_say() {
        let mut rng = Rng::new(21);
        let (mut fresh, mut others) = (0, 0);
        let question = Question {
            why: false,
            exact: false,
            around: None,
            budget: Question::BUDGET,
            marks: false,
        };
        for _ in 0..600 {
            let view = any_position(&mut rng);
            let analysis = question.answer(&view);
            let (Some(odds), Some(best)) = (&analysis.odds, &analysis.best) else { continue };
            let promised = view.is_fresh() && view.rules().start() != Start::Unsafe;
            let expected = |cell: Cell| match promised {
                true => 1.0,
                false => 1.0 - odds.estimates.mine(cell).unwrap(),
            };
            assert_eq!(best.safety, expected(best.cell), "{view}");
            for one in &best.weighed {
                assert_eq!(one.safety, expected(one.cell), "{view}");
                assert_eq!(one.win.is_some(), best.win.is_some(), "{view}");
            }
            let says_safe = best.why().contains("The first click is always safe.");
            assert_eq!(says_safe, promised, "{view}");
            let hint = crate::hint::Hint::of(&view, Question::BUDGET).unwrap().unwrap();
            assert_eq!(hint.safety, expected(hint.cell), "{view}");
            assert_eq!(hint.safe_exists, hint.safety == 1.0, "{view}");
            *if promised { &mut fresh } else { &mut others } += 1;
        }
        assert!(fresh > 30 && others > 300, "{fresh} {others}");
    }

    #[test]
    fn a_shown_mine_is_no_promise() {
        let best = answer("mines 3\n# *\n# #").best.unwrap();
        assert!((best.safety - 1.0 / 3.0).abs() < 1e-12);
        assert!(!best.why().contains("first click"), "{}", best.why());
    }

    #[test]
    fn a_finished_board_has_no_best_move() {
        let analysis = answer("mines 1\n* 1\n1 1");
        assert!(analysis.odds.is_some() && analysis.best.is_none());
    }
}
