//! Counts the arrangements of a narrow region, fast.
//!
//! Nearly all regions in games are chains of about twelve clues. Their groups are taken in one
//! after another, from an end of the chain on:
//!
//! ```text
//! # # # #      A B B C      take in    B              A              C
//! # 1 2 #  ->  A 1 2 C               /  0 mines, 0 0    1 mine, - 0    3 mines    1·3·3 = 9 ways
//! # # # #      A B B C      nothing  \  1 mine,  1 1    1 mine, - 1    2 mines    4·1·3 = 12
//! ```
//!
//! A state is one word: the mines so far, and the mines around each clue that has some of its
//! cells in and some out. It stands for a number of arrangements, a plain float. Every number of
//! mines that may go into a group is a move from a state of one step to a state of the next.
//! Walking back along the moves carries to each state the arrangements of all groups still out, by
//! the mines of the whole region, and where a group was taken in, both sides meet.
//!
//! Splitting states by their mines spares vectors with ranges of their own, and in narrow regions
//! costs little. Other regions go to the [`Counter`](super::counter::Counter).

use std::ops::Range;

use arrayvec::ArrayVec;

use super::counter::{BINOMIALS, Tally, TooWide};
use super::key::Index;
use super::region::{CellGroup, GroupedClue, GroupedRegion};

/// Counts narrow regions, one after another, with the same buffers.
#[derive(Default)]
pub struct Narrow {
    clues: Vec<NarrowClue>,
    /// Whether each group is taken in.
    taken: Vec<bool>,
    /// Clues with some cells in and some out.
    front: ArrayVec<u16, SLOTS>,
    /// Slots not in use, one bit each.
    free: u16,
    /// The states of all steps, one after another.
    states: Vec<State>,
    moves: Vec<NarrowMove>,
    steps: Vec<NarrowStep>,
    index: Index<1>,
    /// For each state, the arrangements of the groups not yet added, by mines in the region.
    outer: Vec<f64>,
}

/// A clue on its way.
#[derive(Clone, Copy)]
struct NarrowClue {
    /// Cells not taken in.
    out: u8,
    /// Those of them that other clues see too.
    shared: u8,
    /// Where its mines are in a state; [`NOWHERE`] while all its cells are out.
    shift: u8,
}

const NOWHERE: u8 = u8::MAX;

/// Bits of a state for the mines so far, and for the mines around a clue.
const MINE_BITS: u8 = 8;
const CLUE_BITS: u8 = 4;
const CLUE_MASK: u64 = (1 << CLUE_BITS) - 1;

/// How many clues a state has room for.
const SLOTS: usize = ((64 - MINE_BITS) / CLUE_BITS) as usize;

/// No more cells than a state can count mines.
const MOST_CELLS: usize = (1 << MINE_BITS) - 1;

/// This number of cells has at most 2^255 arrangements, and a clue multiplies them by at most 2520: all
/// counts are whole numbers within the range of the floats.
const MOST_WEIGHING: usize = 40;

/// Wider regions have more moves.
const MOST_MOVES: usize = 1 << 14;

/// How the groups taken in look from outside, and in how many ways they do.
#[derive(Clone, Copy)]
struct State {
    key: u64,
    ways: f64,
}

/// From one state to another, with this number of mines in the group taken in.
#[derive(Clone, Copy)]
struct NarrowMove {
    from: u32,
    to: u32,
    mines: u32,
    weight: f64,
}

/// A group taken in: where its states and moves begin.
#[derive(Clone, Copy)]
struct NarrowStep {
    group: u16,
    states: usize,
    moves: usize,
}

/// What a step must know of a clue that sees the group.
#[derive(Clone, Copy)]
struct NarrowTouch<'a> {
    clue: u16,
    shift: u8,
    /// The fewest mines after the step with which the clue can still be satisfied.
    low: i32,
    /// The most mines the clue admits.
    high: i32,
    /// Whether the clue has all its cells in then.
    closes: bool,
    /// If so, how likely it is with each number of mines, where that differs.
    weights: Option<&'a [u32; 9]>,
}

impl Narrow {
    /// Counts a region with this number of cells and writes the result at the end of the arena, if the
    /// region is narrow.
    pub fn count(
        &mut self,
        region: GroupedRegion<'_>,
        cells: usize,
        arena: &mut Vec<f64>,
    ) -> Result<Tally, TooWide> {
        let weighing = region.clues.iter().filter(|clue| clue.weights.is_some()).count();
        if cells > MOST_CELLS || weighing > MOST_WEIGHING {
            return Err(TooWide);
        }
        self.begin(region);
        while let Some(clue) = self.next_clue() {
            let groups = region.clues[clue as usize].groups;
            // A group that only this clue sees has its mines from the others: it comes last.
            for shared in [true, false] {
                for group in groups.iter() {
                    let due = region.groups[group as usize].is_shared() == shared;
                    if due && !self.taken[group as usize] {
                        self.take_in(region, group)?;
                    }
                }
            }
        }
        Ok(self.tally(region, arena))
    }

    fn begin(&mut self, region: GroupedRegion<'_>) {
        self.clues.clear();
        self.clues.extend(region.clues.iter().map(|clue| {
            let groups = clue.groups.iter().map(|group| &region.groups[group as usize]);
            let shared = groups.filter(|group| group.is_shared()).map(|group| group.size).sum();
            NarrowClue { out: clue.need.cells(), shared, shift: NOWHERE }
        }));
        self.taken.clear();
        self.taken.resize(region.groups.len(), false);
        self.front.clear();
        self.free = (1 << SLOTS) - 1;
        self.states.clear();
        self.states.push(State { key: 0, ways: 1.0 });
        self.moves.clear();
        self.steps.clear();
    }

    /// The clue to be closed next: the one that ties the fewest new cells to others, of all clues
    /// at first, then of those begun.
    fn next_clue(&self) -> Option<u16> {
        let shared = |&clue: &u16| self.clues[clue as usize].shared;
        if self.steps.is_empty() {
            (0..self.clues.len() as u16).min_by_key(shared)
        } else {
            self.front.iter().copied().min_by_key(shared)
        }
    }

    /// Takes a group in: every state meets every number of mines that its clues allow.
    fn take_in(&mut self, region: GroupedRegion<'_>, group: u16) -> Result<(), TooWide> {
        self.taken[group as usize] = true;
        let CellGroup { size, clues } = &region.groups[group as usize];
        let mut touches: ArrayVec<NarrowTouch, 8> = ArrayVec::new();
        // One mine more in a state; and what is forgotten of it.
        let (mut unit, mut closing) = (1, 0);
        for clue in clues.iter() {
            let touch = self.touch(region, clue, *size)?;
            unit += 1 << touch.shift;
            touches.push(touch);
        }
        for touch in touches.iter().filter(|touch| touch.closes) {
            closing |= CLUE_MASK << touch.shift;
            self.close(touch);
        }
        let weighs = touches.iter().any(|touch| touch.weights.is_some());
        let ways_to_fill = &BINOMIALS[*size as usize];

        let before = self.steps.last().map_or(0, |step| step.states);
        let first = self.states.len();
        self.steps.push(NarrowStep { group, states: first, moves: self.moves.len() });
        self.index.clear();
        for from in before..first {
            let State { key, ways } = self.states[from];
            let (mut least, mut most) = (0, i32::from(*size));
            for touch in &touches {
                let count = (key >> touch.shift & CLUE_MASK) as i32;
                least = least.max(touch.low - count);
                most = most.min(touch.high - count);
            }
            for mines in least..=most {
                let raw = key + unit * mines as u64;
                let mut weight = f64::from(ways_to_fill[mines as usize]);
                if weighs {
                    weight *= weigh(&touches, raw);
                    if weight == 0.0 {
                        continue;
                    }
                }
                let to = self.reach(first, raw & !closing, weight * ways);
                self.moves.push(NarrowMove { from: from as u32, to, mines: mines as u32, weight });
            }
        }
        if self.moves.len() > MOST_MOVES { Err(TooWide) } else { Ok(()) }
    }

    /// Takes in some cells of a clue, and returns the limits for the step.
    #[inline]
    fn touch<'a>(
        &mut self,
        region: GroupedRegion<'a>,
        clue: u16,
        size: u8,
    ) -> Result<NarrowTouch<'a>, TooWide> {
        let open = &mut self.clues[clue as usize];
        if open.shift == NOWHERE {
            let slot = self.free.trailing_zeros() as u8;
            if slot as usize >= SLOTS {
                return Err(TooWide);
            }
            self.free &= self.free - 1;
            open.shift = MINE_BITS + CLUE_BITS * slot;
            self.front.push(clue);
        }
        open.out -= size;
        // Groups that are not shared come when no shared cell is out.
        open.shared = open.shared.saturating_sub(size);
        let GroupedClue { need, weights, .. } = &region.clues[clue as usize];
        let closes = open.out == 0;
        Ok(NarrowTouch {
            clue,
            shift: open.shift,
            low: i32::from(need.low()) - i32::from(open.out),
            high: i32::from(need.high()),
            closes,
            weights: weights.as_ref().filter(|_| closes),
        })
    }

    /// Forgets a clue that has all its cells in.
    #[inline]
    fn close(&mut self, touch: &NarrowTouch<'_>) {
        self.free |= 1 << ((touch.shift - MINE_BITS) / CLUE_BITS);
        let at = self.front.iter().position(|&held| held == touch.clue);
        self.front.swap_remove(at.expect("a clue that closes was begun"));
    }

    /// Adds ways to the state that looks like this, among those from `first` on; gives its place.
    #[inline]
    fn reach(&mut self, first: usize, key: u64, ways: f64) -> u32 {
        let next = self.states.len() - first;
        let to = first + self.index.place(key.into(), next as u32) as usize;
        match self.states.get_mut(to) {
            Some(state) => state.ways += ways,
            None => self.states.push(State { key, ways }),
        }
        to as u32
    }

    /// Writes the tally. In the states of the last step nothing is left but the mines.
    fn tally(&mut self, region: GroupedRegion<'_>, arena: &mut Vec<f64>) -> Tally {
        let at = arena.len();
        let last = self.steps.last().map_or(0, |step| step.states);
        let ends = self.states[last..].iter();
        let held = ends.clone().map(|state| state.key as usize);
        let (Some(low), Some(high)) = (held.clone().min(), held.max()) else {
            return Tally::nothing(at);
        };
        let len = high - low + 1;
        arena.resize(at + len * (1 + 2 * region.groups.len()), 0.0);
        let (totals, shares) = arena[at..].split_at_mut(len);
        for end in ends {
            totals[end.key as usize - low] = end.ways;
        }
        // Short rows stay in registers.
        match len {
            1 => self.walk_back::<1>(region, low, 0..1, shares),
            2 => self.walk_back::<2>(region, low, 0..2, shares),
            3..=4 => self.walk_back::<4>(region, low, 0..len, shares),
            _ => {
                for from in (0..len).step_by(8) {
                    self.walk_back::<8>(region, low, from..len, shares);
                }
            }
        }
        Tally::new(at, low, len)
    }

    /// Walks back along the moves, and where a group was taken in, adds up its mines and its safe
    /// cells; for arrangements that have from `low + columns.start` mines on, at most `W` numbers.
    fn walk_back<const W: usize>(
        &mut self,
        region: GroupedRegion<'_>,
        low: usize,
        columns: Range<usize>,
        shares: &mut [f64],
    ) {
        let len = columns.end;
        self.outer.clear();
        self.outer.resize(self.states.len() * W, 0.0);
        let (rows, _) = self.outer.as_chunks_mut::<W>();
        let last = self.steps.last().map_or(0, |step| step.states);
        for (row, end) in rows[last..].iter_mut().zip(&self.states[last..]) {
            let column = (end.key as usize - low).wrapping_sub(columns.start);
            if column < W {
                row[column] = 1.0;
            }
        }
        let mut moves = self.moves.as_slice();
        for step in self.steps.iter().rev() {
            let size = f64::from(region.groups[step.group as usize].size);
            let (mut mines, mut safe) = ([0.0; W], [0.0; W]);
            let (inner, outer) = rows.split_at_mut(step.states);
            let (earlier, own) = moves.split_at(step.moves);
            for moved in own {
                let beyond = outer[moved.to as usize - step.states];
                let behind = &mut inner[moved.from as usize];
                let ways = moved.weight * self.states[moved.from as usize].ways;
                let filled = f64::from(moved.mines);
                let (with, without) = (ways * filled, ways * (size - filled));
                for column in 0..W {
                    behind[column] += moved.weight * beyond[column];
                    mines[column] += with * beyond[column];
                    safe[column] += without * beyond[column];
                }
            }
            moves = earlier;
            let share = &mut shares[2 * len * step.group as usize..][..2 * len];
            let (all_mines, all_safe) = share.split_at_mut(len);
            for (column, at) in columns.clone().take(W).enumerate() {
                (all_mines[at], all_safe[at]) = (mines[column], safe[column]);
            }
        }
    }
}

/// How likely the clues that close are with their mines.
fn weigh(touches: &[NarrowTouch<'_>], state: u64) -> f64 {
    let weight = |touch: &NarrowTouch<'_>| {
        let count = (state >> touch.shift & CLUE_MASK) as usize;
        touch.weights.map(|weights| f64::from(weights[count]))
    };
    touches.iter().filter_map(weight).product()
}
