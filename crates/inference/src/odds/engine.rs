//! The exact engine: odds of a view, with buffers and counted regions kept from call to call.

use std::f64::consts::LN_2;
use std::ops::Range;

use deminer_game::{Cell, Estimates, Layout, Rng, View, stop};
use thiserror::Error;

use super::cache::Cache;
use super::counter::{ANY_NUMBER, Counter, Tally, TooWide};
use super::mixture::{Mixture, Unmixed};
use super::narrow::Narrow;
use super::order::{self, Plan};
use super::region::GroupedRegion;
use crate::class::Class;
use crate::deduce::{Fact, Facts, SinglePoint};
use crate::fringe::{Fringe, RegionSpan};

/// The mine probability of each covered cell, and the cells that are certain.
#[derive(Clone, Debug, Default)]
pub struct Odds {
    /// The class of each cell, and the risk of each class; not a number for what is shown.
    classes: Vec<Class>,
    risks: Vec<f64>,
    /// The classes of each region.
    regions: Vec<Range<usize>>,
    /// Cells of each group.
    sizes: Vec<u8>,
    /// How many covered cells no clue sees, and how many single clues prove safe.
    sea: usize,
    safe: usize,
    log10_layouts: Option<f64>,
    error: Option<f64>,
}

impl Odds {
    /// The probability of a mine; none for open cells and mines shown.
    #[inline]
    pub fn mine(&self, cell: Cell) -> Option<f64> {
        Some(self.risk(cell)).filter(|risk| !risk.is_nan())
    }

    /// The mine probability of every covered cell of the view that was counted.
    pub fn estimates(&self, view: &View) -> Estimates {
        let mut estimates = Estimates::new(view.shape().size());
        for cell in view.covered() {
            estimates.believe(cell, self.risk(cell));
        }
        estimates
    }

    /// What is proved about a covered cell: no layout has a mine here, or every layout has. The
    /// structure of the count decides this, not rounding.
    #[inline]
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        match self.risk(cell) {
            0.0 => Some(Fact::Safe),
            1.0 => Some(Fact::Mine),
            _ => None,
        }
    }

    /// The class of a cell: all cells of a class have the same risk.
    #[inline]
    pub fn class(&self, cell: Cell) -> usize {
        self.classes[cell.index()].index()
    }

    /// The risk of each class; not a number for cells that are shown.
    #[inline]
    pub fn risks(&self) -> &[f64] {
        &self.risks
    }

    /// The classes of each region: cells that are connected by clues.
    #[inline]
    pub fn regions(&self) -> &[Range<usize>] {
        &self.regions
    }

    /// The greatest safety of any covered cell, and the greatest of any other: 1 where a cell is
    /// safe, 0 if there is no cell.
    pub fn safest_two(&self) -> [f64; 2] {
        let mut best = [0.0; 2];
        let mut add = |safety: f64, count: usize| {
            for _ in 0..count.min(2) {
                if safety > best[0] {
                    best = [safety, best[0]];
                } else if safety > best[1] {
                    best[1] = safety;
                }
            }
        };
        add(1.0, self.safe);
        add(1.0 - self.risks[Class::SEA.index()], self.sea);
        for (risk, &size) in self.risks[Class::BESIDES..].iter().zip(&self.sizes) {
            add(1.0 - risk, size as usize);
        }
        best
    }

    /// How many undecided cells no clue sees.
    #[inline]
    pub fn sea(&self) -> usize {
        self.sea
    }

    /// The class of cells that no clue sees.
    pub const SEA: usize = Class::SEA.index();

    #[inline]
    fn risk(&self, cell: Cell) -> f64 {
        self.risks[self.classes[cell.index()].index()]
    }

    /// The decimal logarithm of the number of layouts that fit the view; none if clues
    /// are uncertain, so that layouts are weighted, not counted.
    #[inline]
    pub fn log10_layouts(&self) -> Option<f64> {
        self.log10_layouts
    }

    /// Whether the odds are exact. If not, some region was too wide to be counted in full, and
    /// was sampled.
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.error.is_none()
    }

    /// The greatest standard error of a sampled probability; none if the odds are exact.
    #[inline]
    pub fn standard_error(&self) -> Option<f64> {
        self.error
    }
}

/// Why there are no exact odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OddsError {
    /// No layout fits the view.
    #[error("no layout fits this position")]
    Contradiction,
    /// Some region is too wide to be counted within the budget.
    #[error("a region of {0} clues is too wide to be counted within the budget")]
    TooWide(usize),
    /// The whole numbers of all regions together take more than the budget.
    #[error("{0} regions together have more numbers than the budget allows")]
    TooMany(usize),
    /// The count is no longer wanted.
    #[error("the count was stopped")]
    Stopped,
}

impl OddsError {
    /// Why a region with this many clues was not counted.
    pub(super) fn uncounted(clues: usize) -> Self {
        if stop::is_raised() { OddsError::Stopped } else { OddsError::TooWide(clues) }
    }
}

/// Computes exact odds, one view after another.
///
/// Regions already counted are remembered by their structure, so that after a reveal only what
/// it touched is counted again. Once its buffers have grown, an engine allocates nothing for a
/// view of usual width.
pub struct Engine {
    known: SinglePoint,
    fringe: Fringe,
    narrow: Narrow,
    counter: Counter<1, f64>,
    wide: Option<Box<Counter<4, f64>>>,
    cache: Cache,
    arena: Vec<f64>,
    tallies: Vec<Tally>,
    mixture: Mixture,
    odds: Odds,
    /// About the share of mines among unknown cells.
    density: f64,
    /// The most mines in unknown cells that matter for the question.
    most: u16,
    budget: usize,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new(Self::BUDGET)
    }
}

/// Additions spent on the usual order before a better one is looked for.
const QUICK: usize = 500_000;

/// A plan with fewer states than this is tried first.
const PROMISING: f64 = 1e8;

/// The least risk that is not none, and the greatest that is not certain.
const LEAST: f64 = f64::MIN_POSITIVE;
const MOST: f64 = 1.0 - f64::EPSILON / 2.0;

/// Independent sketches of a region that is too wide, and bounds for the states they keep.
const SKETCHES: usize = 16;
const LEAST_STATES: usize = 200;
const MOST_STATES: usize = 4000;

/// A sketch may take this many additions, however small the budget is.
const LEAST_SKETCH: usize = 10_000_000;

impl Engine {
    /// The usual budget: about a second for a region that needs all of it.
    pub const BUDGET: usize = 200_000_000;

    /// An engine that spends at most this number of additions on a region.
    pub fn new(budget: usize) -> Self {
        Self {
            known: SinglePoint::default(),
            fringe: Fringe::default(),
            narrow: Narrow::default(),
            counter: Counter::default(),
            wide: None,
            cache: Cache::default(),
            arena: Vec::new(),
            tallies: Vec::new(),
            mixture: Mixture::default(),
            odds: Odds::default(),
            density: 0.0,
            most: ANY_NUMBER,
            budget,
        }
    }

    /// Forgets the regions counted so far.
    pub fn forget(&mut self) {
        self.cache.clear();
    }

    /// The exact odds of a view.
    ///
    /// # Errors
    /// If no layout fits the view, or a region is too wide for the budget; see
    /// [`sampled_odds`](Self::sampled_odds).
    pub fn odds(&mut self, view: &View) -> Result<&Odds, OddsError> {
        self.read(view, None)?;
        self.odds_of_fringe(view)
    }

    /// The exact odds of a view whose single clues have been followed already.
    pub fn odds_knowing(&mut self, view: &View, known: &SinglePoint) -> Result<&Odds, OddsError> {
        self.read_knowing(view, known)?;
        self.odds_of_fringe(view)
    }

    /// The decimal logarithm of how many layouts fit a view whose single clues have been followed
    /// already, and have some cells as supposed.
    ///
    /// ```
    /// # use deminer_game::View;
    /// # use deminer_inference::deduce::{Fact, SinglePoint};
    /// # use deminer_inference::odds::Engine;
    /// let view: View = "mines 3\n# # # #\n# 1 2 #\n# # # #".parse().unwrap();
    /// let (known, corner) = (SinglePoint::of(&view), view.shape().nth(0).unwrap());
    /// let count = |fact| {
    ///     Engine::default().log10_layouts_supposing(&view, &known, [(corner, fact)]).unwrap()
    /// };
    /// // Three of nine layouts have a mine in the corner.
    /// assert_eq!(count(Fact::Mine), 3f64.log10());
    /// assert_eq!(count(Fact::Safe), 6f64.log10());
    /// ```
    ///
    /// # Errors
    /// If there is no such layout, or a region is too wide for the budget.
    pub fn log10_layouts_supposing(
        &mut self,
        view: &View,
        known: &SinglePoint,
        supposed: impl IntoIterator<Item = (Cell, Fact)>,
    ) -> Result<f64, OddsError> {
        self.known.clone_from(known);
        let promised = view.promised().iter().map(|&cell| (cell, Fact::Safe));
        for (cell, fact) in promised.chain(supposed) {
            self.known.suppose(view, cell, fact);
            if self.known.misfit().is_some() {
                return Err(OddsError::Contradiction);
            }
        }
        self.fringe.read(view, &self.known, None);
        self.measure_rest(view);
        self.count_regions(view)?;
        self.mix(view)?;
        Ok(self.log10_ways())
    }

    fn odds_of_fringe(&mut self, view: &View) -> Result<&Odds, OddsError> {
        self.count_regions(view)?;
        self.mix(view)?;
        self.weigh_classes();
        self.hand_over(view);
        self.odds.log10_layouts = self.fringe.is_certain().then(|| self.log10_ways());
        self.odds.error = None;
        Ok(&self.odds)
    }

    /// Hands the classes of the fringe over to the odds; it is read anew for the next view.
    fn hand_over(&mut self, view: &View) {
        let (fringe, odds) = (&mut self.fringe, &mut self.odds);
        fringe.swap_classes(&mut odds.classes);
        odds.sea = fringe.sea();
        let proved = fringe.unknown() + fringe.mines();
        odds.safe = view.shape().size() - view.opened().len() - proved;
        let count = |class| odds.classes.iter().filter(|&&held| held == class).count();
        debug_assert_eq!((odds.sea, odds.safe), (count(Class::SEA), count(Class::SAFE)));
    }

    /// The odds of a view, exact if possible. A region too wide for the budget is sampled: its
    /// tables keep a random choice of their states, several times over, and the spread of the
    /// results gives the standard error.
    ///
    /// # Errors
    /// If no layout fits the view, or a region is too wide even to be sampled.
    pub fn sampled_odds(&mut self, view: &View, rng: &mut Rng) -> Result<&Odds, OddsError> {
        self.read(view, None)?;
        self.sampled_odds_of_fringe(view, rng)
    }

    /// The same for a view whose single clues have been followed already.
    pub fn sampled_odds_knowing(
        &mut self,
        view: &View,
        known: &SinglePoint,
        rng: &mut Rng,
    ) -> Result<&Odds, OddsError> {
        self.read_knowing(view, known)?;
        self.sampled_odds_of_fringe(view, rng)
    }

    fn sampled_odds_of_fringe(&mut self, view: &View, rng: &mut Rng) -> Result<&Odds, OddsError> {
        match self.odds_of_fringe(view) {
            Err(OddsError::TooWide(_)) => {}
            Err(other) => return Err(other),
            Ok(_) => return Ok(&self.odds),
        }
        // Planned orders join no two large tables, which would be thinned twice.
        let plan =
            |span| order::plan(self.fringe.region(span), &positions(view, &self.fringe, span));
        let plans: Vec<Plan> = self.fringe.regions().iter().map(plan).collect();
        let mut counter: Box<Counter<8, f64>> = Box::default();
        let (mut sum, mut squares) = (Vec::new(), Vec::new());
        let mut layouts = 0.0;
        for _ in 0..SKETCHES {
            self.sketch_regions(&mut counter, &plans, rng)?;
            self.mix(view)?;
            self.weigh_classes();
            layouts += self.log10_ways() / SKETCHES as f64;
            sum.resize(self.odds.risks.len(), 0.0);
            squares.resize(self.odds.risks.len(), 0.0);
            for (class, risk) in self.odds.risks.iter().enumerate() {
                sum[class] += risk;
                squares[class] += risk * risk;
            }
        }
        let count = SKETCHES as f64;
        let mut error = 0.0f64;
        for (class, risk) in self.odds.risks.iter_mut().enumerate() {
            let mean: f64 = sum[class] / count;
            let spread = (squares[class] / count - mean * mean).max(0.0);
            error = error.max((spread / (count - 1.0)).sqrt());
            // A sketch may miss rare layouts: only what single clues prove is certain.
            let open = class >= Class::SEA.index();
            *risk = if open { mean.clamp(LEAST, MOST) } else { mean };
        }
        self.hand_over(view);
        self.odds.log10_layouts = self.fringe.is_certain().then_some(layouts);
        self.odds.error = Some(error);
        Ok(&self.odds)
    }

    /// What the clues alone prove of a view's cells, the mine total being unknown: a cell is safe
    /// if no arrangement of its region, with any number of mines, has a mine there.
    ///
    /// ```text
    /// mines 3
    /// # # # #     (a, b, c) = (1, 0, 2) and (0, 1, 1) fit the clues, so nothing is proved;
    /// # 1 2 #     the total leaves only the first, and clears b, between the clues
    /// # # # #
    /// ```
    ///
    /// # Errors
    /// If nothing fits the clues, or a region is too wide for the budget.
    pub fn facts_of_clues(&mut self, view: &View) -> Result<Facts, OddsError> {
        self.read(view, None)?;
        self.most = ANY_NUMBER;
        self.count_regions(view)?;
        let mut proved: Vec<Option<Fact>> = Vec::new();
        for (tally, span) in self.tallies.iter().zip(self.fringe.regions()) {
            let some = |counts: &[f64]| counts.iter().any(|&count| count > 0.0);
            proved.extend((0..span.groups.len()).map(|group| {
                match (some(tally.mines(&self.arena, group)), some(tally.safe(&self.arena, group)))
                {
                    (true, true) => None,
                    (true, false) => Some(Fact::Mine),
                    (false, _) => Some(Fact::Safe),
                }
            }));
        }
        let mut facts = Facts::of(view);
        for (cell, class) in view.shape().cells().zip(self.fringe.classes()) {
            let fact = match *class {
                Class::SAFE => Some(Fact::Safe),
                Class::MINE => Some(Fact::Mine),
                class => class.group().and_then(|group| proved[group]),
            };
            if let Some(fact) = fact {
                facts.learn(cell, fact);
            }
        }
        Ok(facts)
    }

    /// How likely each number of mines around a covered cell is, provided the cell is safe. One
    /// count with the cell's own clue left open gives all numbers at once.
    pub fn around(&mut self, view: &View, cell: Cell) -> Result<[f64; 9], OddsError> {
        self.read(view, Some(cell))?;
        let probe = self
            .fringe
            .regions()
            .iter()
            .position(|span| self.fringe.clue_cells(span).contains(&cell));
        self.count_regions_but(view, probe)?;
        let mut shares = [0.0; 9];
        let known = usize::from(self.known.mines_around(view, cell));
        let Some(probe) = probe else {
            self.mix(view)?;
            shares[known] = 1.0;
            return Ok(shares);
        };

        // The probed region, once for each number of mines around the cell, and in sum.
        let span = &self.fringe.regions()[probe];
        let kept = self.fringe.clue_cells(span).iter().position(|&clue| clue == cell);
        let kept = kept.expect("the region with the probe") as u16;
        let region = self.fringe.region(span);
        let clues = region.clues.len();
        let mut parts: Vec<(usize, usize, Vec<f64>)> = Vec::new();
        let log_tilt = tilt(region, self.density);
        let wide = self.wide.get_or_insert_default();
        wide.set(as_weight(log_tilt), most(region, self.most));
        wide.count_around(region, kept, self.budget, |around, low, totals| {
            parts.push((around, low, totals.to_vec()));
        })
        .map_err(|TooWide| OddsError::uncounted(clues))?;
        let low = parts.iter().map(|part| part.1).min().ok_or(OddsError::Contradiction)?;
        let high = parts.iter().map(|part| part.1 + part.2.len()).max().unwrap_or(low);
        let mut totals = vec![0.0; high - low];
        for (_, start, counts) in &parts {
            for (sum, count) in totals[start - low..].iter_mut().zip(counts) {
                *sum += count;
            }
        }
        self.mix_with(view, Some((low, &totals, log_tilt)))?;
        let weights = self.mixture.weights(self.tallies.len());
        for (around, start, counts) in &parts {
            let weighed = counts.iter().zip(&weights[start - low..]);
            shares[known + around] = weighed.map(|(count, weight)| count * weight).sum();
        }
        let sum: f64 = shares.iter().sum();
        Ok(shares.map(|share| share / sum))
    }

    /// A layout drawn from all that fit the view, and have one covered cell safe if it is given,
    /// each as likely as the clues make it.
    pub fn sample(
        &mut self,
        view: &View,
        safe: Option<Cell>,
        rng: &mut Rng,
    ) -> Result<Layout, OddsError> {
        Ok(self.samples(view, safe, 1, rng)?.remove(0))
    }

    /// Several such layouts, drawn independently of each other from one count.
    pub fn samples(
        &mut self,
        view: &View,
        safe: Option<Cell>,
        many: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Layout>, OddsError> {
        self.read(view, safe)?;
        self.count_regions(view)?;
        self.mix(view)?;
        let held: Vec<Vec<usize>> = (0..many).map(|_| self.mixture.sample(rng)).collect();
        let mut filled: Vec<Vec<u8>> = vec![Vec::new(); many];
        let mut in_regions = vec![0; many];
        let wide = self.wide.get_or_insert_default();
        for (number, span) in self.fringe.regions().iter().enumerate() {
            let region = self.fringe.region(span);
            let clues = region.clues.len();
            let positions = positions(view, &self.fringe, span);
            self.arena.clear();
            wide.set(as_weight(tilt(region, self.density)), most(region, self.most));
            let tally = count_wide(wide, region, &positions, self.budget, &mut self.arena)
                .map_err(|TooWide| OddsError::uncounted(clues))?;
            for ((held, filled), in_regions) in held.iter().zip(&mut filled).zip(&mut in_regions) {
                let mines = tally.low + held[number];
                *in_regions += mines;
                filled.extend(wide.sample(region, mines, |weights| pick(weights, rng)));
            }
        }
        let left = view.rules().mines() - self.fringe.mines();
        let drawn = filled.iter().zip(in_regions);
        Ok(drawn.map(|(filled, held)| self.lay(view, filled, left - held, rng)).collect())
    }

    /// Follows the single clues of a view and cuts up the rest.
    fn read(&mut self, view: &View, probe: Option<Cell>) -> Result<(), OddsError> {
        self.known.take_in(view);
        for &cell in view.promised().iter().chain(&probe) {
            self.known.suppose(view, cell, Fact::Safe);
        }
        if self.known.misfit().is_some() {
            return Err(OddsError::Contradiction);
        }
        self.fringe.read(view, &self.known, probe);
        self.measure_rest(view);
        Ok(())
    }

    /// The same with single clues followed already.
    fn read_knowing(&mut self, view: &View, known: &SinglePoint) -> Result<(), OddsError> {
        if view.promised().iter().any(|&cell| known.fact(cell) != Some(Fact::Safe)) {
            return self.read(view, None);
        }
        if known.misfit().is_some() {
            return Err(OddsError::Contradiction);
        }
        self.fringe.read(view, known, None);
        self.measure_rest(view);
        Ok(())
    }

    fn measure_rest(&mut self, view: &View) {
        let mines = view.rules().mines().saturating_sub(self.fringe.mines());
        self.most = mines.try_into().unwrap_or(ANY_NUMBER);
        self.density = mines as f64 / self.fringe.unknown().max(1) as f64;
    }

    /// Puts mines where they are known, into the groups as filled, and the rest into the sea.
    fn lay(&self, view: &View, filled: &[u8], spare: usize, rng: &mut Rng) -> Layout {
        let shape = view.shape();
        let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); filled.len()];
        let mut sea = Vec::new();
        let mut mines = Vec::new();
        for (cell, class) in shape.cells().zip(self.fringe.classes()) {
            match (*class, class.group()) {
                (_, Some(group)) => cells[group].push(cell),
                (Class::MINE, _) => mines.push(cell),
                (Class::SEA, _) => sea.push(cell),
                _ => {}
            }
        }
        mines.extend(view.shown_mines());
        rng.shuffle(&mut sea);
        mines.extend_from_slice(&sea[..spare]);
        for (cells, &count) in cells.iter_mut().zip(filled) {
            rng.shuffle(cells);
            mines.extend_from_slice(&cells[..count as usize]);
        }
        Layout::new(shape.clone(), mines).expect("each cell once, all on the board")
    }

    fn count_regions(&mut self, view: &View) -> Result<(), OddsError> {
        self.count_regions_but(view, None)
    }

    /// Sketches every region in the order planned for it, with a stream of its own.
    fn sketch_regions(
        &mut self,
        counter: &mut Counter<8, f64>,
        plans: &[Plan],
        rng: &mut Rng,
    ) -> Result<(), OddsError> {
        self.arena.clear();
        self.tallies.clear();
        for (span, plan) in self.fringe.regions().iter().zip(plans) {
            let region = self.fringe.region(span);
            // As many states as the budget has room for in all steps of all sketches; if their
            // vectors or joins are so large that they take too much all the same, the fewest.
            let steps = SKETCHES * (region.groups.len() + region.clues.len());
            let states = (self.budget / (8 * steps)).clamp(LEAST_STATES, MOST_STATES);
            let most_work = (self.budget / 2).max(LEAST_SKETCH);
            counter.set(as_weight(tilt(region, self.density)), most(region, self.most));
            let mut sketch = |states| {
                let stream = Rng::new(rng.bits());
                counter.sketch(region, &plan.order, states, most_work, stream, &mut self.arena)
            };
            let tally = sketch(states)
                .or_else(|TooWide| sketch(LEAST_STATES))
                .map_err(|TooWide| OddsError::uncounted(region.clues.len()))?;
            // All states kept led nowhere: that says nothing of those dropped.
            if tally.len == 0 {
                return Err(OddsError::TooWide(region.clues.len()));
            }
            self.tallies.push(tally);
        }
        Ok(())
    }

    /// Counts all regions but one.
    fn count_regions_but(&mut self, view: &View, skipped: Option<usize>) -> Result<(), OddsError> {
        self.arena.clear();
        self.tallies.clear();
        for (number, span) in self.fringe.regions().iter().enumerate() {
            if Some(number) == skipped {
                continue;
            }
            let region = self.fringe.region(span);
            let log_tilt = tilt(region, self.density);
            let key = Cache::key(region, log_tilt);
            if let Some(tally) = self.cache.find(key, &mut self.arena) {
                self.tallies.push(tally);
                continue;
            }
            let (key, counted) = match self.narrow.count(region, span.cells, &mut self.arena) {
                Ok(tally) => (key, Ok(tally)),
                Err(TooWide) => {
                    // Here it pays to look no further than the mines that are left.
                    let most = most(region, self.most);
                    let key = key.up_to(most);
                    if let Some(tally) = self.cache.find(key, &mut self.arena) {
                        self.tallies.push(tally);
                        continue;
                    }
                    self.counter.set(as_weight(log_tilt), most);
                    let quick = QUICK.min(self.budget);
                    let quick = self.counter.count(region, None, quick, &mut self.arena);
                    let counted = quick.or_else(|TooWide| {
                        let positions = positions(view, &self.fringe, span);
                        let wide = self.wide.get_or_insert_default();
                        wide.set(as_weight(log_tilt), most);
                        let counted =
                            count_wide(wide, region, &positions, self.budget, &mut self.arena);
                        wide.release();
                        counted
                    });
                    (key, counted)
                }
            };
            let tally = counted.map_err(|TooWide| OddsError::uncounted(region.clues.len()))?;
            if tally.len == 0 {
                return Err(OddsError::Contradiction);
            }
            self.cache.keep(key, &tally, region.groups.len(), &self.arena);
            self.tallies.push(tally);
        }
        Ok(())
    }

    fn mix(&mut self, view: &View) -> Result<(), OddsError> {
        self.mix_with(view, None)
    }

    /// Mixes the regions counted, and one more given by its least mines, its totals and their
    /// tilt.
    fn mix_with(
        &mut self,
        view: &View,
        more: Option<(usize, &[f64], f64)>,
    ) -> Result<(), OddsError> {
        self.mixture.clear();
        let mut least = self.fringe.mines();
        for tally in &self.tallies {
            let log2_scale = tally.log2_scale - tally.low as f64 * tally.log_tilt / LN_2;
            self.mixture.add(tally.totals(&self.arena), log2_scale, tally.log_tilt);
            least += tally.low;
        }
        if let Some((low, totals, log_tilt)) = more {
            self.mixture.add(totals, -(low as f64 * log_tilt / LN_2), log_tilt);
            least += low;
        }
        let mines = view.rules().mines();
        let spare = mines.checked_sub(least).ok_or(OddsError::Contradiction)?;
        let mixed = self.mixture.weigh(self.fringe.sea(), spare, self.density);
        mixed.map_err(|error| match error {
            Unmixed::Unmet => OddsError::Contradiction,
            Unmixed::Stopped => OddsError::Stopped,
        })
    }

    /// Finds the risk of every class.
    fn weigh_classes(&mut self) {
        let sea = if self.fringe.sea() == 0 { 0.0 } else { self.mixture.sea_risk() };
        let risks = &mut self.odds.risks;
        risks.clear();
        self.odds.regions.clear();
        self.odds.regions.extend(self.fringe.regions().iter().map(|span| {
            Class::of_group(span.groups.start).index()..Class::of_group(span.groups.end).index()
        }));
        self.odds.sizes.clear();
        self.odds.sizes.extend(self.fringe.group_sizes());
        risks.resize(Class::BESIDES, f64::NAN);
        risks[Class::SAFE.index()] = 0.0;
        risks[Class::MINE.index()] = 1.0;
        risks[Class::SEA.index()] = sea;
        for (number, (tally, span)) in self.tallies.iter().zip(self.fringe.regions()).enumerate() {
            let weights = self.mixture.weights(number);
            for group in 0..span.groups.len() {
                let sum = |counts: &[f64]| {
                    counts.iter().zip(weights).map(|(count, weight)| count * weight).sum::<f64>()
                };
                let (mines, safe) =
                    (tally.mines(&self.arena, group), tally.safe(&self.arena, group));
                let possible = |counts: &[f64]| {
                    let mut held = counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
                    held.any(|(above, _)| self.mixture.is_possible(number, above))
                };
                let (risk, rest) = (sum(mines), sum(safe));
                risks.push(if risk == 0.0 && !possible(mines) {
                    0.0
                } else if rest == 0.0 && !possible(safe) {
                    1.0
                } else {
                    (risk / (risk + rest)).clamp(LEAST, MOST)
                });
            }
        }
    }

    /// The decimal logarithm of all ways together.
    fn log10_ways(&self) -> f64 {
        self.mixture.log2_all() * std::f64::consts::LOG10_2
    }
}

/// Regions with more unknown cells than this are counted with a tilt.
const LARGE_REGION: usize = 256;

/// The logarithm of what a mine should count for in a region: nothing but 1 in small ones, about
/// the odds of a mine in large ones, in steps, so that remembered regions are found again.
fn tilt(region: GroupedRegion<'_>, density: f64) -> f64 {
    if cells(region) <= LARGE_REGION {
        return 0.0;
    }
    let density = density.clamp(1e-3, 1.0 - 1e-3);
    (4.0 * (density / (1.0 - density)).ln()).round() / 4.0
}

fn cells(region: GroupedRegion<'_>) -> usize {
    region.groups.iter().map(|group| usize::from(group.size)).sum()
}

/// The most mines to look for in a region when `left` mines remain on the board. Regions with no
/// cells for more share one number.
fn most(region: GroupedRegion<'_>, left: u16) -> u16 {
    if usize::from(left) < cells(region) { left } else { ANY_NUMBER }
}

/// A tilt as a counter wants it.
fn as_weight(log_tilt: f64) -> Option<(f64, f64)> {
    (log_tilt != 0.0).then(|| (log_tilt, log_tilt.exp()))
}

fn positions(view: &View, fringe: &Fringe, span: &RegionSpan) -> Vec<(usize, usize)> {
    fringe.clue_cells(span).iter().map(|&cell| view.shape().position(cell)).collect()
}

/// One of the weights, each as likely as it is large.
pub(super) fn pick(weights: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    for (at, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return at;
        }
    }
    // Rounding may leave a little over: the last one that is possible.
    weights.iter().rposition(|&weight| weight > 0.0).expect("something is possible")
}

/// Counts a region that the usual order could not manage: by a planned order where one looks
/// good, else cheapest first with more room, else by the planned order after all.
///
/// Plans go by bounds, which dense clues stay far below; there the sizes that cheapest-first sees
/// are the better guide.
fn count_wide(
    counter: &mut Counter<4, f64>,
    region: GroupedRegion<'_>,
    positions: &[(usize, usize)],
    budget: usize,
    arena: &mut Vec<f64>,
) -> Result<Tally, TooWide> {
    if let Ok(tally) = counter.count(region, None, QUICK.min(budget), arena) {
        return Ok(tally);
    }
    let plan = order::plan(region, positions);
    let planned = Some(plan.order.as_slice());
    let tries = if plan.cost < PROMISING { [planned, None] } else { [None, planned] };
    let mut count = |order| counter.count(region, order, budget, arena);
    count(tries[0]).or_else(|TooWide| count(tries[1]))
}
