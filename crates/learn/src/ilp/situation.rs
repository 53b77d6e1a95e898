//! Everything the background knowledge says about one covered cell of a view.

use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, Mutex};

use deminer_game::{Cell, Face, View};
use deminer_inference::odds::Engine;
use deminer_inference::relations::{MineSet, Remaining, WideZone, Zones};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::background::{Reach, Supposed};

/// A covered cell as rules see it: its zone with all sets as bit masks, and the remaining mines and
/// cells of the board.
///
/// Thousands of clauses are tried on the same cell, and most of their literals are the same, so
/// the values that a chain of providers can have are kept: see `Memo`.
#[derive(Debug)]
pub struct Situation {
    zone: Box<WideZone>,
    remaining: Option<Remaining>,
    memo: Mutex<Memo>,
}

/// The sets that chains of providers can give, by the chain. Chains of different clauses are the
/// same when they do the same, whatever their variables are called.
pub(super) type Memo = FxHashMap<u128, Arc<[MineSet]>>;

impl Situation {
    /// The same cell with the mines and cells that remain now. Remembered values may depend on the
    /// earlier ones, so they are dropped.
    pub fn with_remaining(&self, remaining: Remaining) -> Self {
        Self { zone: self.zone.clone(), remaining: Some(remaining), memo: Mutex::default() }
    }

    /// The zone around the cell.
    pub fn zone(&self) -> &WideZone {
        &self.zone
    }

    /// What the zone looks like to rules, whatever way it is turned and its clues are counted.
    ///
    /// A rule sees sets, which cells they share, and which hold the center. So only that
    /// distinguishes sets and cells, step by step outward: a set by the cells in it, a cell by the sets
    /// it is in.
    pub(super) fn likeness(&self) -> Vec<u64> {
        /// Links from the center that are followed; zones reach no further.
        const STEPS: usize = 6;
        let sets = self.zone.sets();
        let size = sets.iter().flat_map(|set| set.places()).max().map_or(1, |last| last + 1);
        let mut cells: Vec<u64> = (0..size).map(|place| u64::from(place == 0)).collect();
        let mut looks: Vec<u64> =
            sets.iter().map(|set| hash((set.size(), set.mines(), set.places().count()))).collect();
        for _ in 0..STEPS {
            let mut around = vec![Vec::new(); size];
            for (set, &look) in sets.iter().zip(&looks) {
                set.places().for_each(|place| around[place].push(look));
            }
            for (cell, around) in cells.iter_mut().zip(around) {
                *cell = hash((*cell, sorted(around)));
            }
            for (set, look) in sets.iter().zip(&mut looks) {
                *look = hash((*look, sorted(set.places().map(|place| cells[place]).collect())));
            }
        }
        let mut likeness = sorted(looks);
        likeness.push(cells[0]);
        likeness
    }

    /// The sets of the clues in reach, in their order.
    pub(super) fn sets(&self, supposed: Supposed, reach: Reach) -> Vec<MineSet> {
        let sets = match reach {
            Reach::Near => self.zone.sets_near(),
            Reach::Wide => self.zone.sets(),
        };
        sets.iter().map(|&set| supposed.apply(set)).collect()
    }

    /// The whole fringe, if all mines left are there.
    pub(super) fn fringe(&self, supposed: Supposed) -> Option<MineSet> {
        Some(supposed.apply(self.zone.fringe(self.remaining())?))
    }

    /// How many mines are not marked.
    pub(super) fn mines_left(&self, supposed: Supposed) -> i32 {
        self.remaining().mines() as i32 - i32::from(supposed == Supposed::Mine)
    }

    fn remaining(&self) -> &Remaining {
        self.remaining.as_ref().expect("mines are counted before they are asked for")
    }

    /// What is remembered. A panic elsewhere leaves it whole: every entry is put in at once.
    pub(super) fn memo(&self) -> std::sync::MutexGuard<'_, Memo> {
        self.memo.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

fn hash(value: impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// The sets that a variable may stand for. Zones of the paper's boards rarely give half as many; where
/// clues stand close on large boards there would be thousands. A rule asks whether *some* set
/// passes its tests, so with fewer of them it says less, and nothing that is false.
const MOST: usize = 256;

/// Each set once, in the order of their first, and no more than [`MOST`].
pub(super) fn distinct(sets: impl Iterator<Item = MineSet>) -> Arc<[MineSet]> {
    let mut seen = FxHashSet::default();
    sets.filter(|set| seen.insert(*set)).take(MOST).collect()
}

/// Makes situations; keeps its buffers.
#[derive(Default)]
pub struct Surveyor {
    zones: Zones,
    pub(super) engine: Engine,
}

impl Surveyor {
    /// What is left on a board whose marks are trusted.
    pub fn remaining(&mut self, view: &View) -> Remaining {
        Remaining::of(&trusted(view), &mut self.engine)
    }

    /// The situation of a covered cell.
    pub fn survey(
        &mut self,
        view: &View,
        cell: Cell,
        reach: Reach,
        remaining: Option<Remaining>,
    ) -> Situation {
        let zone = match reach {
            Reach::Near => self.zones.closely_around(view, cell),
            Reach::Wide => self.zones.widely_around(view, cell),
        };
        Situation { zone: Box::new(zone), remaining, memo: Mutex::default() }
    }
}

/// The view with marks taken for mines that are known.
pub fn trusted(view: &View) -> View {
    if view.flag_count() == 0 {
        return view.clone();
    }
    let known = |&face: &Face| if face == Face::Flagged { Face::Mine } else { face };
    let faces = view.faces().iter().map(known).collect();
    View::from_faces(view.rules().clone(), faces).expect("as many faces as before")
}
