//! Compares the openings of a position: how safe each is, and how likely it wins the game.
//!
//! Safe cells come first. If few layouts are left, an exhaustive search finds optimal play
//! ([`endgame`](super::endgame)). Otherwise it tries every cell that is nearly as safe as the
//! safest one ([`lookahead`](super::lookahead)), and rates each symbol that the cell may show by
//! what can be opened next ([`promise`]):
//!
//! ```text
//! promise(cell) = safety(cell) · relief(cell) · Σ chance(symbol) · promise(position after the symbol)
//! ```
//!
//! A guess is worth a little more if it avoids another one later ([`Relief`]). The cell with the
//! highest promise is best. Its promise and the work left ([`outlook`]) give its estimated win
//! chance.

use std::cmp::Reverse;

use deminer_game::stop;
use deminer_game::{Alternative, Cell, Estimates, Rng, Start, View};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::{Engine, Layouts, Odds, OddsError};

use super::endgame::{
    Depth, Endgame, Repeated, SMALL, Solved, Unsolved, has_exact_clues, is_small,
};
use super::fifty_fifty::{FiftyFifty, fifty_fifties};
use super::fifty_fifty_relief::Relief;
use super::foresight::{Outcome, Prospect, ProspectSum, Weighed};
use super::lookahead::{CandidateSearch, Lookahead};
use super::win_estimate::{greatest_promise, outlook, promise};
use crate::parts::moves::mark_seen;
use crate::parts::risk::{ALIKE, risk};

/// What a judge found.
#[derive(Clone, Debug)]
pub struct Judgment {
    /// Safe cells, row by row.
    pub safe: Vec<Cell>,
    /// Openings considered, best first. An opening that cannot be the best has no `win`; none has
    /// one if win chances are not known.
    pub moves: Vec<Alternative>,
    /// The win chance with best play; none if clues are uncertain.
    pub win: Option<f64>,
    /// Whether win chances are computed by search to the end, not estimated.
    pub solved: bool,
    /// Whether no play can win more.
    pub exact: bool,
    /// The mine probability of every covered cell; empty if the search for the best opening ended
    /// with a safe cell.
    pub estimates: Estimates,
}

/// How much a judge searches. Limits count nodes, not seconds, so that results repeat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Additions that may be spent on the odds of a region before it is sampled.
    pub budget: usize,
    /// Positions with at most this many layouts are searched exhaustively.
    pub few: usize,
    /// With more layouts than this, the exhaustive search tries only the safest guesses.
    pub wide: usize,
    /// The most sets of layouts that an exhaustive search expands.
    pub nodes: usize,
    /// Cells less safe than this share of the safest one are not considered.
    pub cut: f64,
    /// After a symbol, the safe cells are opened in thought if there are at most this many.
    pub settle: usize,
}

impl Settings {
    /// For thousands of games a second.
    pub const QUICK: Settings = Settings {
        budget: Engine::BUDGET,
        few: 1200,
        wide: 120,
        nodes: 200_000,
        cut: 0.9,
        settle: 2,
    };

    /// Several times slower and a little stronger.
    pub const DEEP: Settings = Settings {
        budget: Engine::BUDGET,
        few: 20_000,
        wide: 300,
        nodes: 2_000_000,
        cut: 0.8,
        settle: 2,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::QUICK
    }
}

/// Compares the openings of positions. Keeps its buffers from position to position.
///
/// ```
/// # use deminer_agents::search::{Judge, Settings};
/// # use deminer_game::{Rng, View};
/// let view: View = "mines 1\n# # #\n# 1 ?".parse().unwrap();
/// let asked = [view.shape().nth(1).unwrap()];
/// let judged = Judge::new(Settings::default()).judge(&view, &asked, &mut Rng::new(0)).unwrap();
/// assert_eq!((judged.win, judged.exact), (Some(0.75), true));
/// let asked = judged.of(asked[0]).unwrap();
/// assert_eq!((asked.safety, asked.win), (0.75, Some(0.5)));
/// ```
pub struct Judge {
    engine: Engine,
    evaluator: Evaluator,
}

/// A view, what single clues prove in it, and its odds.
#[derive(Clone, Copy)]
struct Position<'a> {
    view: &'a View,
    known: &'a SinglePoint,
    odds: &'a Odds,
}

/// Compares openings, given the odds of the position.
struct Evaluator {
    settings: Settings,
    layouts: Layouts,
    endgame: Endgame,
    repeated: Repeated<(Solved, bool)>,
    ahead: CandidateSearch,
    /// Whether each cell touches an open one.
    seen: Vec<bool>,
    candidates: Vec<Candidate>,
    relief: Relief,
}

/// How far the search for the value of a candidate has come.
struct CandidateState {
    lookahead: Option<Lookahead>,
    /// What the symbols seen so far promise, and what follows them where that is asked for.
    promised: f64,
    outcomes: ProspectSum,
    /// What the candidate promises at most.
    bound: f64,
}

#[derive(Clone, Copy)]
struct Candidate {
    cell: Cell,
    safety: f64,
    relief: f64,
    /// Whether the caller asks for its value, even if it is low.
    asked: bool,
    /// What it promises, and what it leads to if that was asked for; none if it cannot be the best.
    promise: Option<f64>,
    prospect: Option<Prospect>,
}

impl Judgment {
    /// The result for an opening.
    #[inline]
    pub fn of(&self, cell: Cell) -> Option<&Alternative> {
        self.moves.iter().find(|weighed| weighed.cell == cell)
    }
}

impl Judge {
    /// A judge.
    pub fn new(settings: Settings) -> Self {
        let evaluator = Evaluator {
            settings,
            layouts: Layouts::default(),
            endgame: Endgame::new(settings.nodes),
            repeated: Repeated::default(),
            ahead: CandidateSearch::default(),
            seen: Vec::new(),
            candidates: Vec::new(),
            relief: Relief::default(),
        };
        Self { engine: Engine::new(settings.budget), evaluator }
    }

    /// Judges a position: the best openings, and all openings in `asked`, good or bad. The random
    /// numbers are for regions too wide to be counted.
    ///
    /// # Errors
    /// If no layout fits the view, or it is too wide even to be sampled.
    pub fn judge(
        &mut self,
        view: &View,
        asked: &[Cell],
        rng: &mut Rng,
    ) -> Result<Judgment, OddsError> {
        let known = &SinglePoint::of(view);
        let odds = self.engine.sampled_odds_knowing(view, known, rng)?;
        Ok(self.evaluator.judge(Position { view, known, odds }, asked))
    }

    /// The engine that counts for this judge. It remembers what it has counted, so a position
    /// whose odds it has found is judged sooner.
    #[inline]
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Judges a position and compares its best openings: all those in `asked`, and at most `most`
    /// others. If win chances are known, every opening has one.
    ///
    /// This takes several times as long as finding the best opening alone.
    ///
    /// # Errors
    /// If no layout fits the view, or it is too wide even to be sampled.
    pub fn compare(
        &mut self,
        view: &View,
        asked: &[Cell],
        most: usize,
        rng: &mut Rng,
    ) -> Result<(Judgment, Vec<Weighed>), OddsError> {
        let known = &SinglePoint::of(view);
        let odds = self.engine.sampled_odds_knowing(view, known, rng)?;
        Ok(self.evaluator.compare(Position { view, known, odds }, asked, most))
    }

    /// The same, given the odds of this view.
    pub fn compare_from(
        &mut self,
        view: &View,
        odds: &Odds,
        asked: &[Cell],
        most: usize,
    ) -> (Judgment, Vec<Weighed>) {
        let known = &SinglePoint::of(view);
        self.evaluator.compare(Position { view, known, odds }, asked, most)
    }

    /// Finds the best opening of a position, given what single clues prove. If a cell is safe,
    /// nothing else is considered.
    ///
    /// # Errors
    /// If no layout fits the view, or it is too wide even to be sampled.
    pub fn find_best(
        &mut self,
        view: &View,
        known: &SinglePoint,
        rng: &mut Rng,
    ) -> Result<Judgment, OddsError> {
        let odds = self.engine.sampled_odds_knowing(view, known, rng)?;
        Ok(self.evaluator.weigh(Position { view, known, odds }, None))
    }
}

impl Evaluator {
    /// See [`Judge::judge`].
    fn judge(&mut self, position: Position, asked: &[Cell]) -> Judgment {
        let mut judged = self.weigh(position, Some(asked));
        add_asked(&mut judged, position.view, asked);
        judged
    }

    /// See [`Judge::compare`].
    fn compare(
        &mut self,
        position: Position,
        asked: &[Cell],
        most: usize,
    ) -> (Judgment, Vec<Weighed>) {
        let mut judged = self.judge(position, asked);
        let mut listed = asked.to_vec();
        listed.extend(rivals(position.view, &judged, asked, most));
        let lacks_win = |cell: &Cell| judged.of(*cell).is_none_or(|one| one.win.is_none());
        if judged.win.is_some() && !judged.solved && listed.iter().any(lacks_win) {
            self.look_further(position, &mut judged, &listed);
        }
        let is_told = |one: &&Alternative| judged.win.is_none() || one.win.is_some();
        let moves = judged.moves.iter().filter(|one| listed.contains(&one.cell)).filter(is_told);
        let most = if judged.solved { 1.0 } else { SUREST };
        let weigh = |&Alternative { cell, safety, win }: &Alternative| {
            let win = win.map(|win| win.min(most));
            Weighed { safety, win, ..Weighed::unknown(cell) }
        };
        let mut weighed: Vec<Weighed> = moves.map(weigh).collect();
        if judged.safe.is_empty() && !position.view.promises_safe_click() {
            self.foresee(position, &mut weighed, judged.solved);
        }
        (judged, weighed)
    }

    /// Finds the win chances of more openings, after the best one of the position is known.
    fn look_further(&mut self, position: Position, judged: &mut Judgment, listed: &[Cell]) {
        let Position { view, odds, .. } = position;
        let unsure = view.openable().filter(|&cell| odds.fact(cell).is_none());
        for cell in unsure.filter(|cell| listed.contains(cell)) {
            match self.candidates.iter_mut().find(|candidate| candidate.cell == cell) {
                Some(candidate) => candidate.asked = true,
                None => self.candidates.push(Candidate::new(cell, odds, &self.relief, true)),
            }
        }
        self.candidates.retain(|candidate| candidate.asked || candidate.promise.is_some());
        self.candidates.sort_by_key(|candidate| (!candidate.asked, candidate.cell));
        self.candidates.sort_by(|a, b| b.safety.total_cmp(&a.safety));
        self.look_ahead(position, judged.safe.is_empty());
        judged.moves.clear();
        judged.win = None;
        estimate_wins(judged, &self.candidates, view, odds);
        add_asked(judged, view, listed);
    }

    /// Adds what guesses lead to. After an exhaustive search, 50/50s need no estimate.
    fn foresee(&mut self, position: Position, guesses: &mut [Weighed], solved: bool) {
        let Position { view, known, odds } = position;
        let pairs = fifty_fifties(view, |cell| odds.mine(cell));
        let Self { candidates, ahead, relief, .. } = self;
        let mut next = view.clone();
        for guess in guesses.iter_mut().filter(|guess| guess.safety > 0.0) {
            if stop::is_raised() {
                return;
            }
            // The lookahead has found the prospects of the candidates that it has completed.
            let seen = candidates.iter().find(|seen| !solved && seen.cell == guess.cell);
            // What is too wide to be counted has no prospect.
            guess.prospect = seen
                .and_then(|seen| seen.prospect)
                .or_else(|| Prospect::of(ahead, &mut next, known, odds, guess.cell).ok());
            let own = pairs.iter().filter(|pair| pair.contains(guess.cell));
            guess.settles = own.map(FiftyFifty::pair).collect();
            if !solved && guess.settles.is_empty() {
                guess.avoids = relief.avoided(odds, guess.cell);
            }
        }
    }

    /// Weighs the openings of a position: its candidates, and those in `asked`. Without these, a
    /// safe cell ends the search.
    fn weigh(&mut self, position: Position, asked: Option<&[Cell]>) -> Judgment {
        let Position { view, odds, .. } = position;
        let is_safe = |cell: &Cell| odds.fact(*cell) == Some(Fact::Safe);
        let mut judged = Judgment {
            safe: view.covered().filter(is_safe).collect(),
            moves: Vec::new(),
            win: None,
            solved: false,
            exact: false,
            estimates: Estimates::new(0),
        };
        if asked.is_none() && !judged.safe.is_empty() {
            return judged;
        }
        judged.estimates = odds.estimates(view);
        if view.promises_safe_click() {
            // The layout is dealt after the first click.
            judged.moves = first_clicks(view);
            return judged;
        }
        match self.solve(view, odds, asked.is_some()) {
            Ok((solved, exact)) => {
                judged.win = Some(solved.win);
                judged.moves = solved.alternatives;
                (judged.solved, judged.exact) = (true, exact);
            }
            Err(Unsolved::Over) => {
                judged.win = Some(1.0);
                (judged.solved, judged.exact) = (true, true);
            }
            Err(
                Unsolved::Uncertain | Unsolved::Layouts | Unsolved::Budget(_) | Unsolved::Stopped,
            ) => {
                self.relief.weigh(&mut self.ahead, view, position.known, odds);
                self.gather(view, odds, asked);
                self.look_ahead(position, asked.is_some() && judged.safe.is_empty());
                estimate_wins(&mut judged, &self.candidates, view, odds);
            }
        }
        judged
    }

    /// With more layouts than this, an exhaustive search tries only the safest guesses.
    fn wide(&self, view: &View) -> usize {
        if is_small(view) { usize::MAX } else { self.settings.wide }
    }

    /// Plays to the end, if there are few layouts; and whether every cell was tried.
    fn solve(
        &mut self,
        view: &View,
        odds: &Odds,
        all_cells: bool,
    ) -> Result<(Solved, bool), Unsolved> {
        let (is_small, wide, nodes) = (is_small(view), self.wide(view), self.settings.nodes);
        let few = if is_small { SMALL as usize } else { self.settings.few };
        let Self { layouts, endgame, repeated, .. } = self;
        let mut search = |depth, nodes| {
            layouts.list(view, odds, few).map_err(|_| Unsolved::Layouts)?;
            let solved = endgame.within(nodes, wide).search(view, layouts, depth)?;
            Ok((solved, layouts.len() <= wide))
        };
        match (all_cells, is_small) {
            (false, true) => repeated.answer(view, || search(Depth::Best, MOST_NODES)),
            (false, false) => search(Depth::Best, nodes),
            (true, false) => search(Depth::All, nodes),
            (true, true) => search(Depth::All, nodes).or_else(|_| search(Depth::Best, MOST_NODES)),
        }
    }

    /// Finds the promise of each candidate that has none, and sorts all best first. The candidate
    /// with the highest upper bound is searched next, one symbol at a time, until no other can be
    /// better. Candidates that the caller asks for are searched completely. If `foresee`, finds
    /// also what the completed ones lead to.
    fn look_ahead(&mut self, position: Position, foresee: bool) {
        let Position { view, known, odds } = position;
        let Self { candidates, ahead, settings, .. } = self;
        let mut next = view.clone();
        let most = greatest_promise(view);
        let bound = |candidate: &Candidate, promised: f64, left: f64| match candidate.asked {
            true => f64::INFINITY,
            false => candidate.safety * candidate.relief * (promised + left * most),
        };
        let begin = |candidate: &Candidate| CandidateState {
            lookahead: None,
            promised: 0.0,
            outcomes: ProspectSum::default(),
            bound: match candidate.promise {
                Some(_) => f64::NEG_INFINITY,
                None => bound(candidate, 0.0, 1.0),
            },
        };
        let mut looks: Vec<CandidateState> = candidates.iter().map(begin).collect();
        let known_promises = candidates.iter().enumerate();
        let mut best = known_promises
            .filter_map(|(at, candidate)| Some((candidate.promise?, Reverse(at))))
            .fold((0.0, Reverse(usize::MAX)), |best, next| if next > best { next } else { best });
        // Of equal bounds the first.
        let first = |looks: &[CandidateState]| {
            let later = |a: &usize, b: &usize| looks[*a].bound.total_cmp(&looks[*b].bound);
            (0..looks.len()).rev().max_by(later)
        };
        while let Some(at) = first(&looks) {
            let (candidate, look) = (&mut candidates[at], &mut looks[at]);
            if (look.bound, Reverse(at)) < best || stop::is_raised() {
                break;
            }
            let begun = match look.lookahead.take() {
                Some(lookahead) => Ok(lookahead),
                None => ahead.begin(view, odds, candidate.cell),
            };
            // What is too wide to be counted here is so for other cells too.
            let Ok(lookahead) = begun else { break };
            let lookahead = look.lookahead.insert(lookahead);
            let seen = ahead.see(lookahead, &mut next, known, |mut seen| {
                let outcome = foresee.then(|| Outcome::of(&seen, odds));
                (seen.chance * seen.promise(settings.settle), outcome)
            });
            match seen {
                Err(_) => break,
                Ok(Some((part, outcome))) => {
                    look.promised += part;
                    outcome.into_iter().for_each(|outcome| look.outcomes.add(outcome));
                    look.bound = bound(candidate, look.promised, lookahead.left());
                }
                Ok(None) => {
                    let promise = candidate.safety * candidate.relief * look.promised;
                    candidate.promise = Some(promise);
                    candidate.prospect = foresee.then(|| look.outcomes.prospect());
                    if (promise, Reverse(at)) > best {
                        best = (promise, Reverse(at));
                    }
                    look.bound = f64::NEG_INFINITY;
                }
            }
        }
        candidates.sort_by(|a, b| b.promise.partial_cmp(&a.promise).expect("no promise is NaN"));
    }

    /// The cells worth a thought, safest first: those that cost about as little as the safest, and
    /// those asked for. Of cells that touch no open one only those with the fewest neighbors, corners first: no
    /// others show a zero as often. Where all around is unseen as well they are alike, and one is
    /// enough.
    fn gather(&mut self, view: &View, odds: &Odds, asked: Option<&[Cell]>) {
        let Self { candidates, seen, settings, relief, .. } = self;
        let shape = view.shape();
        let is_asked = |cell| asked.is_some_and(|asked| asked.contains(&cell));
        candidates.clear();
        let unsure = view.openable().filter(|&cell| odds.fact(cell).is_none());
        candidates.extend(unsure.map(|cell| Candidate::new(cell, odds, relief, is_asked(cell))));
        let safest = candidates.iter().map(|candidate| candidate.safety).fold(0.0, f64::max);
        mark_seen(view, seen);
        let inland = candidates.iter().filter(|candidate| !seen[candidate.cell.index()]);
        let fewest = inland.map(|candidate| shape.degree(candidate.cell)).min();
        let mut has_far = false;
        candidates.retain(|&Candidate { cell, safety, relief, asked, .. }| {
            let enough = safest * settings.cut;
            if asked || seen[cell.index()] {
                return asked || safety * relief >= enough;
            }
            let is_far = shape.neighbors(cell).iter().all(|near| !seen[near.index()]);
            safety >= enough
                && fewest == Some(shape.degree(cell))
                && !(is_far && std::mem::replace(&mut has_far, true))
        });
        candidates.sort_by(|a, b| b.safety.total_cmp(&a.safety));
        // Those asked for come first: of the others there may be too many.
        candidates.sort_by_key(|candidate| !candidate.asked);
        let asked = candidates.iter().filter(|candidate| candidate.asked).count();
        candidates.truncate(asked + LOOKS.div_ceil(shape.size()));
        candidates.sort_by(|a, b| b.safety.total_cmp(&a.safety));
    }
}

impl Candidate {
    fn new(cell: Cell, odds: &Odds, relief: &Relief, asked: bool) -> Self {
        let (safety, relief) = (1.0 - risk(odds, cell), relief.of(odds, cell));
        Self { cell, safety, relief, asked, promise: None, prospect: None }
    }
}

/// Adds the openings asked for that are not considered otherwise.
fn add_asked(judged: &mut Judgment, view: &View, asked: &[Cell]) {
    for &cell in asked.iter().filter(|&&cell| view.face(cell).is_covered()) {
        if judged.of(cell).is_none() {
            let safety = 1.0 - judged.estimates.mine(cell).expect("covered cells have odds");
            let win = judged.win.filter(|_| safety == 0.0).map(|_| 0.0);
            judged.moves.push(Alternative { cell, safety, win });
        }
    }
}

/// Lists safe cells and candidates as moves, with estimated win chances where clues are exact.
fn estimate_wins(judged: &mut Judgment, candidates: &[Candidate], view: &View, odds: &Odds) {
    let is_known = odds.is_exact() && has_exact_clues(view);
    let outlook = is_known.then(|| outlook(view, odds));
    let win = |promise: f64| outlook.map(|outlook| (outlook * promise).min(1.0));
    // The outlook already contains the relief of the best cell.
    let relief = candidates.first().map_or(1.0, |best| best.relief);
    if !judged.safe.is_empty() {
        judged.win = win(promise(view, odds));
    }
    // A guess never wins more often than a safe cell.
    let most = judged.win.unwrap_or(1.0);
    let safe = judged.safe.iter();
    judged.moves.extend(safe.map(|&cell| Alternative { cell, safety: 1.0, win: judged.win }));
    judged.moves.extend(candidates.iter().map(|candidate| {
        let promise = candidate.promise.map(|promise| promise / relief);
        let win = promise.and_then(win).map(|win| win.min(most));
        Alternative { cell: candidate.cell, safety: candidate.safety, win }
    }));
    judged.win = judged.moves.first().and_then(|best| best.win);
}

/// The openings to compare: the best one, the safest other one, then the others considered, best
/// first; if there are few, also cells with other risks, safest first.
fn rivals(view: &View, judged: &Judgment, asked: &[Cell], most: usize) -> Vec<Cell> {
    let mine = |cell: Cell| judged.estimates.mine(cell).unwrap_or(1.0);
    let weighed: Vec<Cell> = judged.moves.iter().map(|one| one.cell).collect();
    let mut safest: Vec<Cell> = weighed.clone();
    safest.extend(view.openable().filter(|&cell| mine(cell) < 1.0 && !weighed.contains(&cell)));
    safest.sort_by(|a, b| mine(*a).total_cmp(&mine(*b)));
    let mut rivals: Vec<Cell> = Vec::new();
    let add = |rivals: &mut Vec<Cell>, cell: Cell| {
        if rivals.len() < most && !rivals.contains(&cell) && !asked.contains(&cell) {
            rivals.push(cell);
        }
    };
    weighed.first().into_iter().for_each(|&best| add(&mut rivals, best));
    let other = safest.iter().find(|cell| !asked.contains(cell) && !rivals.contains(cell));
    other.into_iter().for_each(|&cell| add(&mut rivals, cell));
    weighed.iter().for_each(|&cell| add(&mut rivals, cell));
    for cell in safest {
        if !rivals.iter().any(|&held| (mine(held) - mine(cell)).abs() < ALIKE) {
            add(&mut rivals, cell);
        }
    }
    rivals
}

/// The first click, where the start rule keeps it safe: a corner, which shows a zero more often
/// than any other cell; or, where it shows one anyway, a cell from which zeros spread.
fn first_clicks(view: &View) -> Vec<Alternative> {
    let shape = view.shape();
    let preferred = |&cell: &Cell| match view.rules().start() {
        Start::Open => {
            let (row, column) = shape.position(cell);
            let inside = |at: usize, length: usize| at.min(length - 1 - at).min(3);
            Reverse(inside(row, shape.height()) + inside(column, shape.width()))
        }
        Start::Unsafe | Start::Safe => Reverse(8 - shape.degree(cell)),
    };
    let mut cells: Vec<Cell> = view.openable().collect();
    cells.sort_by_key(preferred);
    cells.into_iter().map(|cell| Alternative { cell, safety: 1.0, win: None }).collect()
}

/// The greatest win chance that an estimate gives when openings are compared: only what is certain
/// is 1.
pub const SUREST: f64 = 0.999;

/// Sets of layouts that solving a small board may open up: some seconds. First clicks on boards of
/// 50 000 layouts may need more; they are estimated then.
const MOST_NODES: usize = 6_000_000;

/// The most cells considered, times the cells of the board: lookahead on large boards is slow.
const LOOKS: usize = 120_000;

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Form, GameSeed, Rules, Shape};

    use super::*;

    fn judge(position: &str, asked: &[usize]) -> Judgment {
        let view: View = position.parse().unwrap();
        let asked: Vec<Cell> = asked.iter().map(|&at| view.shape().nth(at).unwrap()).collect();
        Judge::new(Settings::QUICK).judge(&view, &asked, &mut Rng::new(0)).unwrap()
    }

    fn at(judged: &Judgment, place: usize) -> &Alternative {
        judged.moves.iter().find(|weighed| weighed.cell.index() == place).unwrap()
    }

    #[test]
    fn what_is_safe_comes_first_and_what_is_asked_is_told() {
        // The corner is safe, and so is what lies beyond the mine.
        let judged = judge("mines 1\n# # #\n# 1 1", &[1]);
        assert_eq!((judged.win, judged.exact), (Some(1.0), true));
        assert_eq!(judged.moves[0].safety, 1.0);
        let asked = at(&judged, 1);
        assert_eq!((asked.safety, asked.win), (0.5, Some(0.5)));
    }

    #[test]
    fn openings_added_later_are_judged_as_if_asked_for_at_once() {
        let mut rng = Rng::new(77);
        let mut compared = 0;
        for number in 0..60 {
            let (width, height) = (7 + number % 5, 9);
            let shape = Shape::new(Form::ALL[number % 3], width, height).unwrap();
            let clues = ["exact", "exact", "exact", "blind:0.3"][number % 4];
            let rules = Rules::starting(shape.clone(), width * height / 5, Start::Safe).unwrap();
            let rules = rules.with_clues(clues.parse().unwrap());
            let mut board = Board::dealt(rules, GameSeed { seed: 7, game: number as u64 });
            for _ in 0..6 {
                let cell = shape.nth(rng.below(shape.size())).unwrap();
                if !board.hides_mine(cell) {
                    board.act(Action::Open(cell));
                }
            }
            let view = board.view();
            let compare = Judge::new(Settings::QUICK).compare(view, &[], 6, &mut Rng::new(0));
            let (_, weighed) = compare.unwrap();
            let cells: Vec<Cell> = weighed.iter().map(|one| one.cell).collect();
            let mut judge = Judge::new(Settings::QUICK);
            let judged = judge.judge(view, &cells, &mut Rng::new(0)).unwrap();
            let odds = judge.engine.odds(view).unwrap().clone();
            let known = SinglePoint::of(view);
            for one in &weighed {
                let expected = judged.of(one.cell).unwrap().win.map(|win| win.min(SUREST));
                let is_near = |a: Option<f64>, b: Option<f64>| match (a, b) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                    (a, b) => a == b,
                };
                assert!(judged.solved || is_near(one.win, expected), "{one:?} {expected:?} {view}");
                let Some(found) = one.prospect else { continue };
                let ahead = &mut CandidateSearch::default();
                let alone = Prospect::of(ahead, &mut view.clone(), &known, &odds, one.cell);
                let alone = alone.unwrap();
                assert!(is_near(Some(found.progress), Some(alone.progress)), "{view}");
                assert!(is_near(Some(found.next_safety), Some(alone.next_safety)), "{view}");
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn a_mine_wins_nothing_and_a_finished_game_is_won() {
        let judged = judge("mines 1\n# 1 #\n1 1 #", &[0]);
        let asked = at(&judged, 0);
        assert_eq!((asked.safety, asked.win), (0.0, Some(0.0)));
        let judged = judge("mines 1\n# 1", &[]);
        assert_eq!((judged.win, judged.exact, judged.moves.len()), (Some(1.0), true, 0));
    }

    #[test]
    fn wins_are_estimated_where_there_is_too_much_to_try() {
        let mut rows = vec!["mines 40".to_owned(), format!("1 {}", "# ".repeat(15))];
        rows.extend((1..16).map(|_| "# ".repeat(16)));
        let judged = judge(&rows.join("\n"), &[1, 40]);
        assert!(!judged.exact);
        let win = judged.win.unwrap();
        assert!((0.6..0.8).contains(&win), "{win}");
        for asked in [1, 40] {
            assert!(at(&judged, asked).win.unwrap() <= win);
        }
        // Next to the 1 every third cell is a mine.
        assert!((at(&judged, 1).safety - 2.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn small_boards_are_counted_once_a_cell_is_open() {
        // 77 520 layouts to begin with, 27 132 with the first cell safe, by the start rule or by luck.
        let view: View = "mines 13\n3 # # # #\n# # # # #\n# # # # #\n# # # # #".parse().unwrap();
        for start in [Start::Safe, Start::Unsafe] {
            let rules = view.rules().clone().with_start(start).unwrap();
            let view = View::from_faces(rules, view.faces().to_vec()).unwrap();
            let judged = Judge::new(Settings::QUICK).judge(&view, &[], &mut Rng::new(0)).unwrap();
            assert!(judged.exact, "{start}");
        }
    }

    #[test]
    fn uncertain_clues_leave_wins_untold() {
        // The clue is certain, what other cells show is not.
        let judged = judge("mines 4\nclues optimistic\n. # # #\n# # # #\n# # # #", &[]);
        assert_eq!((judged.win, judged.exact), (None, false));
        let judged = judge("mines 2\nclues cautious\n# # #\n# 8 #", &[]);
        assert_eq!((judged.win, judged.exact), (None, false));
        assert!(!judged.moves.is_empty());
    }
}
