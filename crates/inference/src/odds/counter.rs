//! Counts the mine arrangements that fit a region, by number of mines, and how many of them
//! have mines in each group.
//!
//! Cells seen by the same clues are interchangeable, so mines go into groups, not cells. Ten
//! covered cells here make three groups:
//!
//! ```text
//! # # # #        A B B C
//! # 1 2 #   ->   A 1 2 C     a + b = 1
//! # # # #        A B B C     b + c = 2
//! ```
//!
//! Only (a, b, c) = (1, 0, 2) and (0, 1, 1) fit. A group of `n` cells takes `k` mines in
//! `n choose k` ways: 3·1·3 = 9 arrangements of three mines and 1·4·3 = 12 of two.
//!
//! Clues are closed one after another, cheapest first. A *table* stands for the groups absorbed
//! so far in one part of the region: for each state, the mines so far around every clue that is
//! still open there, it holds a vector of counts by number of mines. Closing a clue joins the
//! tables that know it, absorbs the groups it still misses, and forgets it; states that then
//! look alike fall together. So the cost follows the width of the region, not its size, and a
//! region shaped like a tree is handled branch by branch.
//!
//! Every step keeps its moves between states. Walking back along them carries to each state the
//! counts of all that lies outside, and each group meets both sides where it was absorbed: two
//! passes give every group's share.

mod backward;
mod join;
mod sample;
mod thin;

use arrayvec::ArrayVec;
use deminer_game::Rng;
use deminer_game::stop::Pace;

use super::key::{Counts, Index};
use super::number::Number;
use super::region::{GroupedClue, GroupedRegion};

/// Counts of one region in the arena they were written to: first the totals, then for each
/// group its mines and its safe cells, each by number of mines in the region.
///
/// Mines and safe cells of a group are summed over all arrangements; both share a factor of
/// their own, so only their ratio has a meaning.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    at: usize,
    /// The fewest mines an arrangement has.
    pub low: usize,
    /// How many numbers of mines there are; none if no arrangement fits.
    pub len: usize,
    /// The binary logarithm of the factor that the totals were divided by.
    pub log2_scale: f64,
    /// The logarithm of the factor of each mine.
    pub log_tilt: f64,
}

impl Tally {
    /// A tally of numbers that were divided by nothing.
    pub(super) fn new(at: usize, low: usize, len: usize) -> Self {
        Self { at, low, len, log2_scale: 0.0, log_tilt: 0.0 }
    }

    /// No arrangement fits.
    pub(super) fn nothing(at: usize) -> Self {
        Self::new(at, 0, 0)
    }

    /// The same tally with its numbers elsewhere in an arena.
    pub fn moved_to(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// All its numbers, for this number of groups.
    pub fn numbers<'a, N>(&self, arena: &'a [N], groups: usize) -> &'a [N] {
        &arena[self.at..][..self.len * (1 + 2 * groups)]
    }

    /// Arrangements by number of mines, from `low` on.
    pub fn totals<'a, N>(&self, arena: &'a [N]) -> &'a [N] {
        &arena[self.at..][..self.len]
    }

    /// Mines in a group, summed over the arrangements, by number of mines in the region.
    pub fn mines<'a, N>(&self, arena: &'a [N], group: usize) -> &'a [N] {
        &arena[self.at + self.len * (1 + 2 * group)..][..self.len]
    }

    /// Safe cells in a group, summed over the arrangements, by number of mines in the region.
    pub fn safe<'a, N>(&self, arena: &'a [N], group: usize) -> &'a [N] {
        &arena[self.at + self.len * (2 + 2 * group)..][..self.len]
    }
}

/// The region is too wide for the budget, or the count is no longer wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooWide;

/// A bound on mines that bounds nothing.
pub const ANY_NUMBER: u16 = u16::MAX;

/// The most mines that arrangements may have.
#[derive(Clone, Copy)]
struct Most(u16);

impl Default for Most {
    fn default() -> Self {
        Self(ANY_NUMBER)
    }
}

/// Bytes that the tables of one region may take, and again those of the way back. Moves and states
/// are written down for it; a region within the budget of additions might need ten times as much.
const MOST_BYTES: usize = 1 << 27;

/// Tables that have grown beyond this number of bytes give their room back before the next region.
const KEPT_BYTES: usize = 1 << 24;

/// Counts regions, one after another, with the same buffers.
#[derive(Default)]
pub struct Counter<const W: usize, N> {
    absorbed: Vec<bool>,
    clues: Vec<OpenClue>,
    nodes: Vec<CountTable>,
    entries: Vec<StateEntry<W>>,
    values: Vec<N>,
    moves: Vec<StateMove<N>>,
    steps: Vec<CountStep>,
    index: Index<W>,
    /// States of the second table of a join, and runs of them that share the same counts.
    partners: Vec<(Counts<W>, u32)>,
    parts: Vec<(Counts<W>, usize, usize)>,
    /// What lies outside each entry, in `outer_values`.
    outer: Vec<Vector>,
    outer_values: Vec<N>,
    /// Above this many states a table keeps a random choice of them, with a stream to draw from.
    thin: Option<(usize, Rng)>,
    /// The logarithm of what each mine counts for, and that as a number; none if it is 1.
    ///
    /// Arrangements are most numerous with mines in half the cells. In a large region those that
    /// matter, with the usual density, would vanish beside them; so each mine counts for less.
    tilt: Option<(f64, N)>,
    /// No arrangement with more mines is looked for.
    most: Most,
    /// A clue that is never closed, so that the last table keeps its counts apart.
    kept: Option<u16>,
    /// Additions and moves made, and how many may be.
    work: usize,
    budget: usize,
    /// Bytes of the numbers beside their own.
    heap: usize,
    pace: Pace,
    log2_scale: f64,
}

/// A clue on its way from unseen to closed.
struct OpenClue {
    closed: bool,
    /// The tables that know it.
    places: ArrayVec<ClueSlot, 8>,
    /// About how many states closing it would make.
    cost: f32,
}

#[derive(Clone, Copy)]
struct ClueSlot {
    node: u32,
    slot: u8,
    /// Cells of the clue absorbed there.
    inside: u8,
}

/// A table: some entries, and the clues open in them.
struct CountTable {
    entries: Span,
    /// Slots in use, one bit each.
    used: u128,
    open: ArrayVec<u16, MOST_SLOTS>,
}

/// What the widest keys have.
const MOST_SLOTS: usize = 128;

#[derive(Clone, Copy, Debug)]
struct Span {
    from: u32,
    to: u32,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }

    fn len(self) -> usize {
        (self.to - self.from) as usize
    }
}

/// A state and the vector of its counts.
#[derive(Clone, Copy)]
struct StateEntry<const W: usize> {
    key: Counts<W>,
    vector: Vector,
}

/// Numbers at consecutive numbers of mines, from `low` on, in an arena.
#[derive(Clone, Copy, Default)]
struct Vector {
    at: u32,
    low: u16,
    len: u16,
}

impl Vector {
    const EMPTY: Vector = Vector { at: 0, low: 0, len: 0 };

    fn range(self) -> std::ops::Range<usize> {
        self.from(0)
    }

    /// Its place in the part of the arena that begins at `start`.
    fn from(self, start: usize) -> std::ops::Range<usize> {
        let at = self.at as usize - start;
        at..at + self.len as usize
    }

    /// The same with this number of additional mines.
    fn shifted(self, mines: u16) -> Self {
        Self { low: self.low + mines, ..self }
    }

    /// The part with at most this number of mines; none if it has no such part.
    fn up_to(self, most: u16) -> Option<Self> {
        let room = most.checked_sub(self.low)?.saturating_add(1);
        Some(Self { len: self.len.min(room), ..self })
    }

    /// Makes room for numbers of mines from `low` to `low + len - 1`.
    #[inline]
    fn cover(&mut self, low: u16, len: u16) {
        if self.len == 0 {
            (self.low, self.len) = (low, len);
            return;
        }
        let high = (self.low + self.len).max(low + len);
        self.low = self.low.min(low);
        self.len = high - self.low;
    }
}

/// From one state to another, with some mines in the group absorbed, or from two states of
/// joined tables to one.
#[derive(Clone)]
struct StateMove<N> {
    from: u32,
    other: u32,
    to: u32,
    mines: u16,
    weight: N,
}

#[derive(Clone, Copy)]
enum StepKind {
    Absorb { group: u16 },
    Join,
}

#[derive(Clone, Copy)]
struct CountStep {
    kind: StepKind,
    input: Span,
    /// The second table of a join.
    second: Span,
    output: Span,
    moves: Span,
}

/// A step in the making: its table, where that came from, and where its entries and moves begin.
struct Draft {
    kind: StepKind,
    node: u32,
    input: Span,
    second: Span,
    first: usize,
    first_move: usize,
}

/// What a step must know of a clue it touches.
#[derive(Clone, Copy)]
struct Touch {
    slot: usize,
    /// The fewest mines after the step with which the clue can still be satisfied.
    low: i16,
    /// The most mines the clue admits.
    high: i16,
    /// The clue, when the step closes it and its weights differ.
    weighs: Option<u16>,
}

/// Ways to choose `k` of `n` cells: `BINOMIALS[n][k]`.
pub(super) const BINOMIALS: [[u32; 9]; 9] = {
    let mut table = [[0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

impl<const W: usize, N: Number> Counter<W, N> {
    /// From now on multiplies by this factor for every mine (its logarithm, and the factor itself),
    /// and leaves out arrangements with more than `most` mines. Where few mines are left for a wide
    /// region, few states are left too.
    pub fn set(&mut self, tilt: Option<(f64, N)>, most: u16) {
        (self.tilt, self.most.0) = (tilt, most);
    }

    /// Counts a region and writes the result at the end of the arena. Clues are closed in the
    /// order given, or cheapest first.
    ///
    /// `budget` bounds the additions made; the memory for them is bounded too.
    pub fn count(
        &mut self,
        region: GroupedRegion<'_>,
        order: Option<&[u16]>,
        budget: usize,
        arena: &mut Vec<N>,
    ) -> Result<Tally, TooWide> {
        self.reset(region, None, budget);
        self.forward(region, order)?;
        self.backward(region, arena)
    }

    /// Counts a region in a given order like [`count`](Self::count), but keeps at most about `limit` states a
    /// table, chosen at random so that every count keeps its expected value.
    pub fn sketch(
        &mut self,
        region: GroupedRegion<'_>,
        order: &[u16],
        limit: usize,
        budget: usize,
        rng: Rng,
        arena: &mut Vec<N>,
    ) -> Result<Tally, TooWide> {
        self.reset(region, None, budget);
        self.thin = Some((limit, rng));
        let done = self.forward(region, Some(order));
        self.thin = None;
        done?;
        self.backward(region, arena)
    }

    /// Counts a region with one clue left open, and hands over, for each number of mines around
    /// it, the arrangements by number of mines in the region: their least number, their counts.
    pub fn count_around(
        &mut self,
        region: GroupedRegion<'_>,
        kept: u16,
        budget: usize,
        mut see: impl FnMut(usize, usize, &[N]),
    ) -> Result<(), TooWide> {
        self.reset(region, Some(kept), budget);
        self.forward(region, None)?;
        self.close(region, kept as usize)?;
        let place = self.clues[kept as usize].places.first().expect("the kept clue stays open");
        let (node, slot) = (place.node, place.slot as usize);
        for entry in self.nodes[node as usize].entries.range() {
            let StateEntry { key, vector } = self.entries[entry];
            let around = key.get(slot) as usize;
            see(around, vector.low as usize, &self.values[vector.range()]);
        }
        Ok(())
    }

    fn reset(&mut self, region: GroupedRegion<'_>, kept: Option<u16>, budget: usize) {
        (self.kept, self.budget) = (kept, budget);
        let clues = region.clues.len();
        self.absorbed.clear();
        self.absorbed.resize(region.groups.len(), false);
        self.clues.clear();
        for _ in 0..clues {
            self.clues.push(OpenClue { closed: false, places: ArrayVec::new(), cost: 0.0 });
        }
        for clue in 0..clues {
            self.clues[clue].cost = self.cost(region, clue);
        }
        self.release();
        self.nodes.clear();
        self.entries.clear();
        self.values.clear();
        self.moves.clear();
        self.steps.clear();
        (self.work, self.heap) = (0, 0);
        self.log2_scale = 0.0;
    }

    /// Gives back the room of large tables.
    pub fn release(&mut self) {
        fn shrink<T>(table: &mut Vec<T>) {
            if table.capacity() * size_of::<T>() > KEPT_BYTES {
                *table = Vec::new();
            }
        }
        shrink(&mut self.entries);
        shrink(&mut self.values);
        shrink(&mut self.moves);
        shrink(&mut self.outer);
        shrink(&mut self.outer_values);
        shrink(&mut self.partners);
    }

    /// About how many states closing the clue makes. A group that only this clue sees adds
    /// none: its mines follow from the rest.
    fn cost(&self, region: GroupedRegion<'_>, clue: usize) -> f32 {
        let tables = self.clues[clue].places.iter();
        let tables = tables.map(|place| self.nodes[place.node as usize].entries.len() as f32);
        let groups = region.clues[clue].groups.iter();
        let groups = groups.filter(|&group| !self.absorbed[group as usize]);
        let groups = groups.map(|group| &region.groups[group as usize]);
        let shared = groups.filter(|group| group.is_shared());
        tables.chain(shared.map(|group| f32::from(group.size + 1))).product()
    }

    fn forward(&mut self, region: GroupedRegion<'_>, order: Option<&[u16]>) -> Result<(), TooWide> {
        for turn in 0..region.clues.len() {
            let clue = match order {
                Some(order) => order[turn] as usize,
                None => match self.cheapest() {
                    Some(clue) => clue,
                    None => break,
                },
            };
            if !self.clues[clue].closed {
                self.close(region, clue)?;
            }
        }
        Ok(())
    }

    fn cheapest(&self) -> Option<usize> {
        let kept = self.kept.map(usize::from);
        let open = self.clues.iter().enumerate();
        let open = open.filter(|(number, clue)| !clue.closed && Some(*number) != kept);
        open.min_by(|a, b| a.1.cost.total_cmp(&b.1.cost)).map(|(clue, _)| clue)
    }

    /// Brings everything a clue counts into one table, after which nothing depends on it.
    fn close(&mut self, region: GroupedRegion<'_>, clue: usize) -> Result<(), TooWide> {
        let size = |place: &&ClueSlot| self.nodes[place.node as usize].entries.len();
        let largest = self.clues[clue].places.iter().max_by_key(size).map(|place| place.node);
        let mut node = largest.unwrap_or_else(|| self.empty_table());
        while let Some(other) =
            self.clues[clue].places.iter().map(|place| place.node).find(|&other| other != node)
        {
            node = self.join(region, node, other)?;
        }
        for alone in [false, true] {
            for group in region.clues[clue].groups.iter() {
                let only = !region.groups[group as usize].is_shared();
                if only == alone && !self.absorbed[group as usize] {
                    self.absorb(region, node, group)?;
                }
            }
        }
        for open in 0..self.nodes[node as usize].open.len() {
            let clue = self.nodes[node as usize].open[open] as usize;
            self.clues[clue].cost = self.cost(region, clue);
        }
        Ok(())
    }

    /// A table of one state with nothing in it.
    fn empty_table(&mut self) -> u32 {
        let at = self.values.len() as u32;
        self.values.push(N::whole(1));
        let from = self.entries.len() as u32;
        self.entries.push(StateEntry { key: Counts::ZERO, vector: Vector { at, low: 0, len: 1 } });
        self.nodes.push(CountTable {
            entries: Span { from, to: from + 1 },
            used: 0,
            open: ArrayVec::new(),
        });
        self.nodes.len() as u32 - 1
    }

    /// Finds the clue's slot in a table, or gives it one; adds cells to those absorbed there.
    fn take_in(&mut self, node: u32, clue: u16, cells: u8) -> Result<ClueSlot, TooWide> {
        let places = &mut self.clues[clue as usize].places;
        if let Some(place) = places.iter_mut().find(|place| place.node == node) {
            place.inside += cells;
            return Ok(*place);
        }
        let table = &mut self.nodes[node as usize];
        let slot = table.used.trailing_ones();
        if slot as usize >= Counts::<W>::SLOTS {
            return Err(TooWide);
        }
        table.used |= 1 << slot;
        table.open.push(clue);
        let place = ClueSlot { node, slot: slot as u8, inside: cells };
        places.push(place);
        Ok(place)
    }

    /// What the step must respect for a clue, given its place after the step.
    fn touch(&self, region: GroupedRegion<'_>, clue: u16, place: ClueSlot) -> Touch {
        let GroupedClue { need, weights, .. } = &region.clues[clue as usize];
        let outside = need.cells() - place.inside;
        Touch {
            slot: place.slot as usize,
            low: i16::from(need.low()) - i16::from(outside),
            high: i16::from(need.high()),
            weighs: (outside == 0 && weights.is_some() && Some(clue) != self.kept).then_some(clue),
        }
    }

    /// Forgets the clues that lie within the table; gives the mask of their slots.
    fn settle(
        &mut self,
        region: GroupedRegion<'_>,
        node: u32,
        clues: impl Iterator<Item = u16>,
    ) -> Counts<W> {
        let mut mask = Counts::ZERO;
        for clue in clues {
            let open = &mut self.clues[clue as usize];
            let Some(place) = open.places.iter().find(|place| place.node == node).copied() else {
                continue;
            };
            if place.inside == region.clues[clue as usize].need.cells() && Some(clue) != self.kept {
                mask = mask.plus(Counts::at(place.slot as usize, 15));
                open.closed = true;
                open.places.clear();
                let table = &mut self.nodes[node as usize];
                table.used &= !(1 << place.slot);
                table.open.retain(|held| *held != clue);
            }
        }
        mask
    }

    /// Adds a group to a table: every state meets every number of mines that its clues allow.
    fn absorb(&mut self, region: GroupedRegion<'_>, node: u32, group: u16) -> Result<(), TooWide> {
        let members = &region.groups[group as usize];
        self.absorbed[group as usize] = true;
        let mut touches: ArrayVec<Touch, 8> = ArrayVec::new();
        let mut step_key = Counts::ZERO;
        for clue in members.clues.iter() {
            let place = self.take_in(node, clue, members.size)?;
            let touch = self.touch(region, clue, place);
            step_key = step_key.plus(Counts::at(touch.slot, 1));
            touches.push(touch);
        }
        let weighs = touches.iter().any(|touch| touch.weighs.is_some());
        let closing = self.settle(region, node, members.clues.iter());

        let input = self.nodes[node as usize].entries;
        let first = self.entries.len();
        let first_move = self.moves.len();
        self.index.clear();
        for from in input.range() {
            if from % STATES_BETWEEN_CHECKS == 0 {
                self.check_limits()?;
            }
            let StateEntry { key, vector } = self.entries[from];
            if vector.len == 0 {
                continue;
            }
            let (mut least, mut most) = (0, i16::from(members.size));
            for touch in &touches {
                let count = i16::from(key.get(touch.slot));
                least = least.max(touch.low - count);
                most = most.min(touch.high - count);
            }
            let mut raw = key;
            for _ in 0..least {
                raw = raw.plus(step_key);
            }
            for mines in least..=most {
                let mut weight = N::whole(BINOMIALS[members.size as usize][mines as usize]);
                if weighs {
                    weight = weigh(region, &touches, raw, weight);
                }
                if let Some((_, mine)) = &self.tilt {
                    weight = (0..mines).fold(weight, |weight, _| weight.times(mine));
                }
                let mines = mines as u16;
                let Some(vector) = vector.shifted(mines).up_to(self.most.0) else { break };
                if !weight.is_zero() {
                    let to = self.reach(first, raw.without(closing), vector);
                    self.moves.push(StateMove { from: from as u32, other: 0, to, mines, weight });
                }
                raw = raw.plus(step_key);
            }
        }

        let start = self.make_room(first);
        let (old, new) = self.values.split_at_mut(start);
        for step in &self.moves[first_move..] {
            let source = self.entries[step.from as usize].vector;
            let target = self.entries[step.to as usize].vector;
            let shift = source.low + step.mines - target.low;
            let into = &mut new[target.from(start)][shift as usize..];
            for (sum, value) in into.iter_mut().zip(&old[source.range()]) {
                sum.add_product(&step.weight, value);
            }
            let work = source.len as usize * step.weight.cost();
            self.work += work;
            if self.work > self.budget || self.pace.step(work) {
                return Err(TooWide);
            }
        }
        let kind = StepKind::Absorb { group };
        self.finish(Draft { kind, node, input, second: input, first, first_move })
    }

    /// The entry with this key in the table that begins at `first`, made if it is new, with
    /// room for the vector.
    #[inline]
    fn reach(&mut self, first: usize, key: Counts<W>, vector: Vector) -> u32 {
        let next = self.entries.len() - first;
        let place = self.index.place(key, next as u32) as usize;
        if place == next {
            self.entries.push(StateEntry { key, vector: Vector { at: 0, ..vector } });
        } else {
            self.entries[first + place].vector.cover(vector.low, vector.len);
        }
        (first + place) as u32
    }

    /// Gives the entries from `first` on their room in the arena; returns where it begins.
    fn make_room(&mut self, first: usize) -> usize {
        let start = self.values.len();
        let mut at = start;
        for entry in &mut self.entries[first..] {
            entry.vector.at = at as u32;
            at += entry.vector.len as usize;
        }
        self.values.resize(at, N::ZERO);
        start
    }

    /// Ends a step whose entries and moves are made.
    fn finish(&mut self, draft: Draft) -> Result<(), TooWide> {
        let Draft { kind, node, input, second, first, first_move } = draft;
        let output = Span { from: first as u32, to: self.entries.len() as u32 };
        let moves = Span { from: first_move as u32, to: self.moves.len() as u32 };
        if let Some(entry) = self.entries.get(first) {
            self.log2_scale += N::tame(&mut self.values[entry.vector.at as usize..]);
        }
        let moves = self.thin_out(output, moves);
        self.nodes[node as usize].entries = output;
        self.steps.push(CountStep { kind, input, second, output, moves });
        self.work += moves.len();
        if let Some(entry) = self.entries.get(first) {
            let new = self.values[entry.vector.at as usize..].iter();
            self.heap += new.map(N::heap).sum::<usize>();
        }
        let weights = self.moves[moves.range()].iter().map(|moved| &moved.weight);
        self.heap += weights.map(N::heap).sum::<usize>();
        self.check_limits()
    }

    /// Fails if the count has taken too much work or memory, or is no longer wanted.
    fn check_limits(&mut self) -> Result<(), TooWide> {
        let bytes = size_of_val(self.entries.as_slice())
            + size_of_val(self.values.as_slice())
            + size_of_val(self.moves.as_slice())
            + self.heap;
        let is_over = self.work > self.budget || bytes > MOST_BYTES;
        if is_over || self.pace.step(STATES_BETWEEN_CHECKS) { Err(TooWide) } else { Ok(()) }
    }
}

/// The limits of a step are checked once in this many states.
const STATES_BETWEEN_CHECKS: usize = 64;

/// Multiplies in how likely each clue that closes is with its mines.
fn weigh<const W: usize, N: Number>(
    region: GroupedRegion<'_>,
    touches: &[Touch],
    state: Counts<W>,
    mut weight: N,
) -> N {
    for touch in touches {
        let Some(clue) = touch.weighs else { continue };
        if let Some(weights) = &region.clues[clue as usize].weights {
            weight = weight.times(&N::whole(weights[state.get(touch.slot) as usize]));
        }
    }
    weight
}

/// About how many additions a product of two vectors takes.
#[inline]
fn convolution_work<N: Number>(a: &[N], b: &[N]) -> usize {
    a.len() * b.len() * a.first().map_or(1, N::cost)
}

/// Adds the product of two vectors, as polynomials, times a weight; what lies beyond the end is
/// left out.
#[inline]
fn add_convolution<N: Number>(into: &mut [N], a: &[N], b: &[N], weight: &N) {
    for (shift, left) in a.iter().enumerate() {
        let Some(into) = into.get_mut(shift..) else { break };
        let factor = left.times(weight);
        for (sum, right) in into.iter_mut().zip(b) {
            sum.add_product(&factor, right);
        }
    }
}
