//! Counts the arrangements of a narrow region, fast.
//!
//! Nearly all regions met in play are chains of a dozen clues. Their groups are taken in one
//! after another, from an end of the chain to the other:
//!
//! ```text
//! a   +   b   =  1   the first clue             state: mines so far, and around open clues
//!         b   +   c  =  2   the second
//!
//! take in a:  0        1
//!             |  \     |                        every move puts some mines into a group;
//! take in b:  …   0.0  1.0   …                  a clue that has all its cells is forgotten
//! ```
//!
//! A state is one word: the mines so far, and the mines around each clue that has some of its
//! cells in and some out. States are numbers of arrangements, plain floats; the states of a step
//! are the ends of moves from the states of the step before. Walking back along the moves carries
//! to each state the arrangements of all groups still out, by the mines of the whole region, and
//! where a group was taken in, both sides meet.
//!
//! Splitting states by their mines spares vectors with ranges of their own, and in narrow regions
//! costs little. What is not narrow is left to the [`Counter`](super::counter::Counter).

use arrayvec::ArrayVec;

use super::counter::{BINOMIALS, Tally, TooWide};
use super::key::Index;
use super::region::Region;

/// Counts narrow regions, one after another, with the same buffers.
pub struct Narrow {
    clues: Vec<Open>,
    /// Whether each group is taken in.
    taken: Vec<bool>,
    /// Clues with some cells in and some out.
    front: ArrayVec<u16, SLOTS>,
    /// Slots not in use, one bit each.
    free: u16,
    /// The states of all steps, one after another: how they look, and their arrangements.
    keys: Vec<u64>,
    values: Vec<f64>,
    moves: Vec<Move>,
    steps: Vec<Step>,
    index: Index<u64>,
    /// For each state, the arrangements of what is not taken in yet, by mines in the region.
    outer: Vec<f64>,
}

/// A clue on its way.
#[derive(Clone, Copy)]
struct Open {
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

/// A clue may weigh up to 2520 ways; with the cells above, all stays within the floats.
const MOST_WEIGHING: usize = 40;

/// Wider regions have more moves.
const MOST_MOVES: usize = 1 << 14;

/// From one state to another with so many mines in the group taken in.
#[derive(Clone, Copy)]
struct Move {
    from: u32,
    to: u32,
    mines: u32,
    weight: f64,
}

/// A group taken in: where its states and moves begin.
#[derive(Clone, Copy)]
struct Step {
    group: u16,
    states: usize,
    moves: usize,
}

/// What a step must know of a clue that sees the group.
#[derive(Clone, Copy)]
struct Touch {
    clue: u16,
    shift: u8,
    /// The fewest mines after the step that the rest can still make up for.
    low: i8,
    /// The most mines the clue admits.
    high: i8,
    /// Whether the step closes the clue, and numbers of mines weigh differently.
    weighs: bool,
}

impl Narrow {
    pub fn new() -> Self {
        Self {
            clues: Vec::new(),
            taken: Vec::new(),
            front: ArrayVec::new(),
            free: 0,
            keys: Vec::new(),
            values: Vec::new(),
            moves: Vec::new(),
            steps: Vec::new(),
            index: Index::new(),
            outer: Vec::new(),
        }
    }

    /// Counts a region of so many cells and writes the result at the end of the arena, if the
    /// region is narrow.
    pub fn count(
        &mut self,
        region: Region<'_>,
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
                for &group in groups.iter() {
                    if region.groups[group as usize].is_shared() == shared {
                        self.take_in(region, group)?;
                    }
                }
            }
        }
        Ok(self.tally(region, arena))
    }

    fn begin(&mut self, region: Region<'_>) {
        self.clues.clear();
        self.clues.extend(region.clues.iter().map(|clue| {
            let groups = clue.groups.iter().map(|&group| &region.groups[group as usize]);
            let shared = groups.filter(|group| group.is_shared()).map(|group| group.size).sum();
            Open { out: clue.need.cells(), shared, shift: NOWHERE }
        }));
        self.taken.clear();
        self.taken.resize(region.groups.len(), false);
        self.front.clear();
        self.free = (1 << SLOTS) - 1;
        self.keys.clear();
        self.values.clear();
        self.keys.push(0);
        self.values.push(1.0);
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
    fn take_in(&mut self, region: Region<'_>, group: u16) -> Result<(), TooWide> {
        if std::mem::replace(&mut self.taken[group as usize], true) {
            return Ok(());
        }
        let size = region.groups[group as usize].size;
        let mut touches: ArrayVec<Touch, 8> = ArrayVec::new();
        // One mine more in a state; and what is forgotten of it.
        let (mut unit, mut closing) = (1, 0);
        for &clue in region.groups[group as usize].clues.iter() {
            let touch = self.touch(region, clue, size)?;
            unit += 1 << touch.shift;
            touches.push(touch);
        }
        for touch in &touches {
            if self.clues[touch.clue as usize].out == 0 {
                closing |= CLUE_MASK << touch.shift;
                self.close(touch.clue);
            }
        }
        let weighs = touches.iter().any(|touch| touch.weighs);

        let before = self.steps.last().map_or(0, |step| step.states);
        let states = self.keys.len();
        let moves = self.moves.len();
        self.steps.push(Step { group, states, moves });
        self.index.clear();
        for from in before..states {
            let key = self.keys[from];
            let (mut least, mut most) = (0, size as i8);
            for touch in &touches {
                let count = (key >> touch.shift & CLUE_MASK) as i8;
                least = least.max(touch.low - count);
                most = most.min(touch.high - count);
            }
            for mines in least..=most {
                let mines = mines as usize;
                let raw = key + unit * mines as u64;
                let mut weight = f64::from(BINOMIALS[size as usize][mines]);
                if weighs {
                    weight *= weigh(region, &touches, raw);
                }
                if weight > 0.0 {
                    self.reach(from, raw & !closing, states, mines as u32, weight);
                }
            }
        }
        if self.moves.len() > MOST_MOVES { Err(TooWide) } else { Ok(()) }
    }

    /// Takes some cells of a clue in, and tells what the step must respect.
    #[inline]
    fn touch(&mut self, region: Region<'_>, clue: u16, size: u8) -> Result<Touch, TooWide> {
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
        open.shared = open.shared.saturating_sub(size);
        let seen = &region.clues[clue as usize];
        Ok(Touch {
            clue,
            shift: open.shift,
            low: seen.need.low() as i8 - open.out as i8,
            high: seen.need.high() as i8,
            weighs: open.out == 0 && seen.weights.is_some(),
        })
    }

    /// Forgets a clue that has all its cells in.
    #[inline]
    fn close(&mut self, clue: u16) {
        let slot = (self.clues[clue as usize].shift - MINE_BITS) / CLUE_BITS;
        self.free |= 1 << slot;
        let at = self.front.iter().position(|&held| held == clue);
        self.front.remove(at.expect("a clue that closes was begun"));
    }

    /// Moves from a state to the one that looks like this, among those from `first` on.
    #[inline]
    fn reach(&mut self, from: usize, key: u64, first: usize, mines: u32, weight: f64) {
        let next = self.keys.len() - first;
        let to = first + self.index.place(key, next as u32) as usize;
        let ways = weight * self.values[from];
        if to == self.keys.len() {
            self.keys.push(key);
            self.values.push(ways);
        } else {
            self.values[to] += ways;
        }
        self.moves.push(Move { from: from as u32, to: to as u32, mines, weight });
    }

    /// Walks back along the moves and writes the tally. In the states of the last step nothing is
    /// left but the mines.
    fn tally(&mut self, region: Region<'_>, arena: &mut Vec<f64>) -> Tally {
        let at = arena.len();
        let last = self.steps.last().map_or(0, |step| step.states);
        let held = self.keys[last..].iter().map(|&key| key as usize);
        let (Some(low), Some(high)) = (held.clone().min(), held.clone().max()) else {
            return Tally::nothing(at);
        };
        let len = high - low + 1;
        arena.resize(at + len * (1 + 2 * region.groups.len()), 0.0);
        self.outer.clear();
        self.outer.resize(self.keys.len() * len, 0.0);
        for (state, mines) in (last..).zip(held) {
            arena[at + mines - low] = self.values[state];
            self.outer[state * len + mines - low] = 1.0;
        }
        let mut end = self.moves.len();
        for step in self.steps.iter().rev() {
            let size = f64::from(region.groups[step.group as usize].size);
            let sums = &mut arena[at + len * (1 + 2 * step.group as usize)..][..2 * len];
            let (mines, safe) = sums.split_at_mut(len);
            let (inner, outer) = self.outer.split_at_mut(step.states * len);
            for moved in &self.moves[step.moves..end] {
                let beyond = &outer[(moved.to as usize - step.states) * len..][..len];
                let behind = &mut inner[moved.from as usize * len..][..len];
                let ways = moved.weight * self.values[moved.from as usize];
                let filled = f64::from(moved.mines);
                for held in 0..len {
                    behind[held] += moved.weight * beyond[held];
                    mines[held] += ways * filled * beyond[held];
                    safe[held] += ways * (size - filled) * beyond[held];
                }
            }
            end = step.moves;
        }
        Tally::new(at, low, len)
    }
}

/// How likely the clues that close are with their mines.
fn weigh(region: Region<'_>, touches: &[Touch], state: u64) -> f64 {
    let closing = touches.iter().filter(|touch| touch.weighs);
    let weights = closing.filter_map(|touch| {
        let weights = region.clues[touch.clue as usize].weights.as_ref()?;
        Some(f64::from(weights[(state >> touch.shift & CLUE_MASK) as usize]))
    });
    weights.product()
}
