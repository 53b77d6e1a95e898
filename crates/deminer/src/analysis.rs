//! Analysis of one position: odds, certain cells, proofs, the best move. Every door calls this.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer_agents::search::win_estimate::is_dead;
use deminer_agents::search::{Judge, Settings, Weighed, fifty_fifties};
use deminer_game::{Cell, ClueRule, Estimates, Face, Layout, Premise, Rng, Shown, View, stop};
use deminer_inference::deduce::{Fact, Rung, prove, prove_all};
use deminer_inference::odds::{Engine, ExactOdds, Odds as CountedOdds, OddsError};
use deminer_inference::proof;
pub use deminer_inference::proof::Explanation;
use thiserror::Error;

use crate::reasons;

/// Analyzes a position: odds, certain cells with proofs, and the best move with its reasons.
///
/// # Errors
/// If no arrangement of mines fits the position.
pub fn analyze(view: &View) -> Result<Analysis, Conflict> {
    AnalyzeOptions { proofs: true, ..AnalyzeOptions::default() }.analyze(view)
}

/// What an analysis includes beyond odds, certain cells and the best move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalyzeOptions {
    /// Prove every certain cell.
    pub proofs: bool,
    /// Count in whole numbers as well.
    pub exact: bool,
    /// A covered cell: find how likely each number of mines around it is.
    pub around: Option<Cell>,
    /// Additions to spend on a region before it is sampled.
    pub budget: usize,
    /// Mark dead cells and 50/50s. Takes one more count, and one for each cell that may be dead.
    pub marks: bool,
}

impl Default for AnalyzeOptions {
    fn default() -> Self {
        Self { proofs: false, exact: false, around: None, budget: Engine::BUDGET, marks: false }
    }
}

/// No arrangement of mines fits the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("contradictory clues: no arrangement of mines fits")]
pub struct Conflict {
    /// Clues, and perhaps the mine total, that contradict each other.
    pub premises: Vec<Premise>,
}

/// What was found about a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The odds; none if the position is too wide even to be sampled.
    pub odds: Option<Odds>,
    /// Why there are no odds, or why they are not exact.
    pub reason: Option<String>,
    /// Whole numbers, if asked for.
    pub exact: Option<ExactOdds>,
    /// Covered cells that are certainly safe, row by row.
    pub safe: Vec<Cell>,
    /// Covered cells that are certainly mines, row by row.
    pub mines: Vec<Cell>,
    /// Flags on cells that are certainly safe.
    pub wrong_flags: Vec<Cell>,
    /// The best move; none if there is nothing to open.
    pub best: Option<Best>,
    /// Proofs of the certain cells, if asked for.
    pub proofs: Option<Vec<Explanation>>,
    /// How likely each number of mines around the cell asked for is, provided the cell is safe;
    /// none if it cannot be safe.
    pub around: Option<[f64; 9]>,
    /// Dead cells and 50/50s, if asked for.
    pub marks: Option<Marks>,
}

/// Cells that opening others cannot help with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Dead cells: uncertain cells whose clue is known already, so that opening one shows only
    /// whether it is a mine. Row by row.
    pub dead: Vec<Cell>,
    /// Pairs of cells with one mine between them that no clue can ever tell apart.
    pub fifty_fifty: Vec<[Cell; 2]>,
}

/// How likely mines are.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The mine probability of each covered cell.
    pub estimates: Estimates,
    /// The decimal logarithm of the number of layouts; none where clues are uncertain, since
    /// layouts are then weighted and not counted.
    pub log10_layouts: Option<f64>,
    /// The greatest standard error; none if the odds are exact.
    pub error: Option<f64>,
    /// The count that all of this comes from.
    counted: CountedOdds,
}

/// The best move and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Best {
    /// The cell to open.
    pub cell: Cell,
    /// The probability that it is safe: 1 minus its mine probability, or 1 for a first click
    /// that the rules keep safe.
    pub safety: f64,
    /// The probability of winning with it, where it is known or estimated.
    pub win: Option<f64>,
    /// Whether that probability is exact.
    pub exact: bool,
    /// The moves that were compared, best first, the chosen one included. If any has a win
    /// chance, all have.
    pub weighed: Vec<Weighed>,
    /// Why it is the best, one sentence each.
    pub reasons: Vec<String>,
}

impl Best {
    /// Why it is the best, in words.
    pub fn why(&self) -> String {
        self.reasons.join(" ")
    }

    /// The other moves that were compared, best first.
    pub fn others(&self) -> &[Weighed] {
        &self.weighed[1..]
    }
}

impl AnalyzeOptions {
    /// Analyzes a position.
    ///
    /// # Errors
    /// If no arrangement of mines fits the position.
    pub fn analyze(&self, view: &View) -> Result<Analysis, Conflict> {
        let mut analysis = self.look(view)?;
        if stop::is_raised() {
            analysis.reason = Some("the analysis was stopped before it was complete".to_owned());
        }
        Ok(analysis)
    }

    /// The same; ends early once the flag is raised, and says so.
    ///
    /// # Errors
    /// If no arrangement of mines fits the position.
    pub fn analyze_until(&self, view: &View, flag: &Arc<AtomicBool>) -> Result<Analysis, Conflict> {
        stop::unless(flag, || self.analyze(view))
    }

    fn look(&self, view: &View) -> Result<Analysis, Conflict> {
        let mut judge = Judge::new(Settings { budget: self.budget, ..Settings::QUICK });
        let counted = match judge.engine().sampled_odds(view, &mut Rng::new(0)) {
            Ok(odds) => odds.clone(),
            Err(OddsError::Contradiction) => {
                return Err(Conflict { premises: proof::conflict(view).unwrap_or_default() });
            }
            Err(error) => return Ok(Analysis::without_odds(view, error.to_string())),
        };
        let mut analysis = Analysis::from_odds(view, counted);
        if self.exact {
            match ExactOdds::of(view, self.budget) {
                Ok(exact) => analysis.exact = Some(exact),
                Err(error) => analysis.reason = Some(format!("in whole numbers, {error}")),
            }
        }
        if self.proofs {
            let steps = prove_all(view);
            let mut certain = [&analysis.safe[..], &analysis.mines[..]].concat();
            certain.sort_unstable();
            let cells = certain.into_iter().take_while(|_| !stop::is_raised());
            analysis.proofs = Some(proof::explain_each(view, &steps, cells).collect());
        }
        let covered = self.around.filter(|&cell| view.face(cell).is_covered());
        analysis.around = covered.and_then(|cell| judge.engine().around(view, cell).ok());
        analysis.best = best(view, &analysis, &mut judge);
        if self.marks {
            analysis.marks = Some(marks(view, &analysis, judge.engine()));
        }
        Ok(analysis)
    }
}

impl Analysis {
    /// Odds and certain cells.
    fn from_odds(view: &View, counted: CountedOdds) -> Self {
        let certain = |fact| {
            let cells = view.covered().filter(|&cell| counted.fact(cell) == Some(fact));
            cells.collect::<Vec<Cell>>()
        };
        let (safe, mines) = (certain(Fact::Safe), certain(Fact::Mine));
        let error = counted.standard_error();
        let reason = error.map(|error| {
            format!(
                "a region is too wide to be counted within the budget: its odds are sampled, \
                 standard error {error:.1e}"
            )
        });
        let (estimates, log10_layouts) = (counted.estimates(view), counted.log10_layouts());
        let odds = Some(Odds { estimates, log10_layouts, error, counted });
        Self { odds, reason, ..Self::of_certain(view, safe, mines) }
    }

    /// Without odds, the cells that simple rules prove are still certain.
    fn without_odds(view: &View, reason: String) -> Self {
        let steps = prove(view, Rung::Several);
        let certain = |fact| {
            let proved = steps.iter().filter(|step| step.conclusion.fact == fact);
            let mut cells: Vec<Cell> = proved.map(|step| step.conclusion.cell).collect();
            cells.sort_unstable();
            cells
        };
        let reason = Some(reason);
        Self { reason, ..Self::of_certain(view, certain(Fact::Safe), certain(Fact::Mine)) }
    }

    /// The analysis of an impossible position: nothing but the reason.
    #[cfg(feature = "serde")]
    pub(crate) fn of_conflict(view: &View, conflict: &Conflict) -> Self {
        let reason = Some(conflict.to_string());
        Self { reason, ..Self::of_certain(view, Vec::new(), Vec::new()) }
    }

    fn of_certain(view: &View, safe: Vec<Cell>, mines: Vec<Cell>) -> Self {
        let flagged = |&&cell: &&Cell| view.face(cell) == Face::Flagged;
        Self {
            odds: None,
            reason: None,
            exact: None,
            wrong_flags: safe.iter().filter(flagged).copied().collect(),
            safe,
            mines,
            best: None,
            proofs: None,
            around: None,
            marks: None,
        }
    }

    /// The mine probability of a covered cell; none for other cells and without odds.
    pub fn mine_probability(&self, cell: Cell) -> Option<f64> {
        self.odds.as_ref()?.estimates.mine(cell)
    }

    /// The probability that opening a covered cell is safe: 1 minus its mine probability, or 1
    /// where the rules keep the first click safe.
    pub fn safety(&self, view: &View, cell: Cell) -> Option<f64> {
        let mine = self.mine_probability(cell)?;
        Some(if view.promises_safe_click() { 1.0 } else { 1.0 - mine })
    }

    /// Why a safe cell is safe, if proofs were asked for.
    fn proof(&self, view: &View, cell: Cell) -> Option<String> {
        let mut proofs = self.proofs.iter().flatten();
        proofs.find(|proof| proof.cell == cell).map(|proof| proof.sentence(view))
    }

    /// Compares moves from the count of this analysis: those asked for, and at most `most` others.
    /// Sampled odds are not precise enough to look ahead; then only the safety is known.
    fn compare(
        &self,
        view: &View,
        judge: &mut Judge,
        asked: &[Cell],
        most: usize,
    ) -> Option<(Vec<Weighed>, bool)> {
        let odds = self.odds.as_ref()?;
        let (mut weighed, exact) = match odds.error {
            Some(_) => (view.openable().map(Weighed::unknown).collect(), false),
            None => {
                let (judged, weighed) = judge.compare_from(view, &odds.counted, asked, most);
                (weighed, judged.exact)
            }
        };
        for one in &mut weighed {
            one.safety = self.safety(view, one.cell)?;
        }
        Some((weighed, exact))
    }

    /// Weighs chosen covered cells, in their order: safety, win chance, what they lead to. Also
    /// whether the win chances are exact.
    pub fn weigh(&self, view: &View, cells: &[Cell]) -> (Vec<Weighed>, bool) {
        let mut judge = Judge::new(Settings::QUICK);
        let compared = self.compare(view, &mut judge, cells, 0);
        let (mut weighed, exact) = compared.unwrap_or_default();
        let order = |cell: Cell| cells.iter().position(|&chosen| chosen == cell);
        weighed.retain(|one| order(one.cell).is_some());
        weighed.sort_by_key(|one| order(one.cell));
        (weighed, exact)
    }
}

/// How many moves are compared.
const LISTED: usize = 6;

/// The move of the strongest player.
fn best(view: &View, analysis: &Analysis, judge: &mut Judge) -> Option<Best> {
    view.openable().next()?;
    // A wrong flag is removed only where nothing else is safe.
    let is_plain = |cell: &&Cell| view.face(**cell) == Face::Covered;
    let plain: Vec<Cell> = analysis.safe.iter().find(is_plain).copied().into_iter().collect();
    let (mut weighed, exact) = analysis.compare(view, judge, &plain, LISTED - plain.len())?;
    if analysis.odds.as_ref()?.error.is_some() {
        weighed.sort_by(|a, b| b.safety.total_cmp(&a.safety));
        weighed.truncate(LISTED);
    }
    let place = weighed.iter().position(|one| plain.contains(&one.cell)).unwrap_or(0);
    weighed.get_mut(..=place)?.rotate_right(1);
    let &Weighed { cell, safety, win, .. } = weighed.first()?;
    let reasons = if view.promises_safe_click() {
        reasons::of_first_click(view, cell)
    } else if analysis.safe.contains(&cell) {
        reasons::of_safe(view.shape(), cell, analysis.proof(view, cell))
    } else {
        reasons::of_guess(view.shape(), &weighed, exact)
    };
    Some(Best { cell, safety, win, exact, weighed, reasons })
}

/// Finds dead cells and 50/50s, if the odds are exact.
fn marks(view: &View, analysis: &Analysis, engine: &mut Engine) -> Marks {
    let Some(odds) = analysis.odds.as_ref().filter(|odds| odds.error.is_none()) else {
        return Marks::default();
    };
    let mut dead = enclosed_cells(view, odds);
    // Two layouts that show different clues settle it for a cell that is not dead. All cells share
    // these layouts, so that few are left that need counts of their own.
    let is_sure = |&cell: &Cell| is_dead(view, &odds.counted, cell);
    let mut layouts = Vec::new();
    if dead.iter().filter(|cell| !is_sure(cell)).count() > COUNTED_EACH {
        layouts = engine.samples(view, None, DRAWN, &mut Rng::new(0)).unwrap_or_default();
        dead.retain(|&cell| !differs(&layouts, cell));
    }
    dead.retain(|&cell| {
        let known = layouts.iter().find(|layout| !layout.is_mine(cell));
        is_sure(&cell)
            || match known.filter(|_| matches!(view.rules().clues(), ClueRule::Exact)) {
                Some(layout) => shows_only(view, cell, layout.count(cell), odds, engine),
                None => has_one_clue(view, cell, engine),
            }
    });
    let found = fifty_fifties(view, |cell| analysis.mine_probability(cell));
    let fifty_fifty = found.iter().flat_map(|held| held.pairs(view)).collect();
    Marks { dead, fifty_fifty }
}

/// So few cells have a count each rather than layouts drawn for all of them.
const COUNTED_EACH: usize = 2;

/// How many layouts are drawn.
const DRAWN: usize = 24;

/// Uncertain cells whose clue may be known: no sea is near.
fn enclosed_cells(view: &View, odds: &Odds) -> Vec<Cell> {
    let near = |cell: Cell| view.shape().neighbors(cell);
    let uncertain =
        |cell: Cell| odds.estimates.mine(cell).is_some_and(|mine| mine > 0.0 && mine < 1.0);
    let seen = |cell: Cell| near(cell).iter().any(|&near| view.face(near).clue().is_some());
    let enclosed = |cell: Cell| near(cell).iter().all(|&near| !uncertain(near) || seen(near));
    view.covered().filter(|&cell| uncertain(cell) && enclosed(cell)).collect()
}

/// Whether a cell shows different clues in two of these layouts.
fn differs(layouts: &[Layout], cell: Cell) -> bool {
    let mut counts = layouts.iter().filter(|layout| !layout.is_mine(cell));
    let first = counts.next().map(|layout| layout.count(cell));
    counts.any(|layout| Some(layout.count(cell)) != first)
}

/// Whether a cell that may show this number can show no other one. Tries the others, the nearest
/// first, with exact clues: to count a wide region with one more clue in it costs as much as to
/// count it without, but much more with this clue left open.
fn shows_only(view: &View, cell: Cell, number: u8, odds: &Odds, engine: &mut Engine) -> bool {
    let may_hold = |near: &&Cell| match view.face(**near) {
        Face::Mine => true,
        _ => odds.estimates.mine(**near).is_some_and(|mine| mine > 0.0),
    };
    let most = view.shape().neighbors(cell).iter().filter(may_hold).count() as u8;
    let mut others: Vec<u8> = (0..=most).filter(|&other| other != number).collect();
    others.sort_by_key(|other| other.abs_diff(number));
    let mut next = view.clone();
    others.into_iter().all(|other| {
        next.suppose(cell, Shown::Number(other));
        let odds = engine.odds(&next);
        let impossible = matches!(odds, Err(OddsError::Contradiction));
        next.take_back();
        impossible
    })
}

/// Whether the cell has as many mines around it in all layouts where it is safe. Takes a count.
fn has_one_clue(view: &View, cell: Cell, engine: &mut Engine) -> bool {
    let shares = engine.around(view, cell).ok();
    shares.is_some_and(|shares| shares.iter().filter(|share| **share > 0.0).count() == 1)
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Form, GameSeed, Rules, Shape, Start};

    use super::*;

    fn analyzed(position: &str) -> Result<Analysis, Conflict> {
        let view: View = position.parse().unwrap();
        let around = view.covered().next();
        AnalyzeOptions { proofs: true, exact: true, around, budget: Engine::BUDGET, marks: true }
            .analyze(&view)
    }

    fn answer(position: &str) -> Analysis {
        analyzed(position).unwrap()
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
        assert_eq!(analyzed("mines 2\n1 3 #\n# # #").unwrap_err().premises.len(), 2);
    }

    #[test]
    fn pairs_that_nothing_tells_apart_are_marked() {
        // The mine of the left column lies in one of two cells that the same clues see; the
        // right column is open.
        let analysis = answer("mines 1\n# 1 .\n# 1 .");
        let marks = analysis.marks.unwrap();
        assert_eq!(marks.fifty_fifty.len(), 1);
        assert_eq!(marks.dead.len(), 2);
        // A third row distinguishes the two once it is opened.
        let analysis = answer("mines 2\n# 1 .\n# 2 1\n# # #");
        assert!(analysis.marks.unwrap().fifty_fifty.is_empty());
    }

    /// Every enclosed cell has a count of its own.
    fn dead_by_counting(view: &View, odds: &Odds) -> Vec<Cell> {
        let mut engine = Engine::default();
        let cells = enclosed_cells(view, odds).into_iter();
        cells.filter(|&cell| has_one_clue(view, cell, &mut engine)).collect()
    }

    #[test]
    fn dead_cells_are_those_that_counting_each_finds() {
        let mut rng = Rng::new(33);
        let (mut dead, mut alive, mut many) = (0, 0, 0);
        let marked = AnalyzeOptions { marks: true, ..AnalyzeOptions::default() };
        for _ in 0..1000 {
            let view = any_position(&mut rng);
            let analysis = marked.analyze(&view).unwrap();
            let Some(odds) = analysis.odds.as_ref() else { continue };
            let expected = dead_by_counting(&view, odds);
            assert_eq!(analysis.marks.unwrap().dead, expected, "{view}");
            dead += expected.len();
            let enclosed = enclosed_cells(&view, odds).len();
            alive += enclosed - expected.len();
            many += usize::from(enclosed > COUNTED_EACH);
        }
        assert!(dead > 60 && alive > 60 && many > 60, "{dead} {alive} {many}");
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
        for _ in 0..600 {
            let view = any_position(&mut rng);
            let analysis = AnalyzeOptions::default().analyze(&view).unwrap();
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
            let hint = crate::hint::hint(&view).unwrap().unwrap();
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
