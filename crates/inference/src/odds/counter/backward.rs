//! The backward pass: counts the rest of the region for each state, and the marginals of each
//! group.

use super::super::number::Number;
use super::super::region::GroupedRegion;
use super::{
    CountStep, Counter, MOST_BYTES, Span, StateMove, StepKind, Tally, TooWide, Vector,
    add_convolution, convolution_work,
};

impl<const W: usize, N: Number> Counter<W, N> {
    /// Walks back along the moves and writes the tally. The work is about that of the way there;
    /// the memory is bounded again.
    pub(super) fn backward(
        &mut self,
        region: GroupedRegion<'_>,
        arena: &mut Vec<N>,
    ) -> Result<Tally, TooWide> {
        let at = arena.len();
        let last = self.steps.last().map(|step| step.output).filter(|output| output.len() > 0);
        let Some(last) = last else {
            return Ok(Tally::nothing(at));
        };
        let total = self.entries[last.from as usize].vector;
        let len = total.len as usize;
        arena.extend_from_slice(&self.values[total.range()]);
        arena.resize(at + len * (1 + 2 * region.groups.len()), N::ZERO);

        let mut heap = 0;
        self.outer.clear();
        self.outer.resize(self.entries.len(), Vector::EMPTY);
        self.outer_values.clear();
        self.outer_values.push(N::whole(1));
        self.outer[last.from as usize] = Vector { at: 0, low: 0, len: 1 };
        for step in (0..self.steps.len()).rev() {
            let step = self.steps[step];
            self.measure_outer(step)?;
            let start = self.outer_values.len();
            self.make_outer_room(step.input);
            match step.kind {
                StepKind::Absorb { group } => {
                    self.carry_back(step, start)?;
                    let sums = at + len * (1 + 2 * group as usize);
                    let size = u32::from(region.groups[group as usize].size);
                    let (mines, safe) = arena[sums..][..2 * len].split_at_mut(len);
                    self.share(step, size, total.low, mines, safe)?;
                }
                StepKind::Join => {
                    self.make_outer_room(step.second);
                    self.carry_back_both(step, start)?;
                }
            }
            N::tame(&mut self.outer_values[start..]);
            heap += self.outer_values[start..].iter().map(N::heap).sum::<usize>();
            let values = size_of_val(self.outer_values.as_slice());
            if size_of_val(self.outer.as_slice()) + values + heap > MOST_BYTES {
                return Err(TooWide);
            }
        }
        let log_tilt = self.tilt.as_ref().map_or(0.0, |tilt| tilt.0);
        let tally = Tally::new(at, total.low as usize, len);
        Ok(Tally { log2_scale: self.log2_scale, log_tilt, ..tally })
    }

    /// Finds the range of what lies outside each state that a step started from.
    fn measure_outer(&mut self, step: CountStep) -> Result<(), TooWide> {
        for at in step.moves.range() {
            let StateMove { from, other, to, mines, .. } = self.moves[at];
            if self.pace.step(1) {
                return Err(TooWide);
            }
            let beyond = self.outer[to as usize];
            if beyond.len == 0 {
                continue;
            }
            match step.kind {
                StepKind::Absorb { .. } => {
                    self.cover_outer(from, beyond.shifted(mines));
                }
                StepKind::Join => {
                    for (this, that) in [(from, other), (other, from)] {
                        let inner = self.entries[that as usize].vector;
                        let len = beyond.len + inner.len - 1;
                        self.cover_outer(this, Vector { len, ..beyond.shifted(inner.low) });
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes room for the counts outside a state, up to the mines that are possible in all.
    fn cover_outer(&mut self, state: u32, outside: Vector) {
        let inside = self.entries[state as usize].vector.low;
        if let Some(outside) = outside.up_to(self.most.0 - inside) {
            self.outer[state as usize].cover(outside.low, outside.len);
        }
    }

    fn make_outer_room(&mut self, input: Span) {
        let mut at = self.outer_values.len();
        for vector in &mut self.outer[input.range()] {
            vector.at = at as u32;
            at += vector.len as usize;
        }
        self.outer_values.resize(at, N::ZERO);
    }

    fn carry_back(&mut self, step: CountStep, start: usize) -> Result<(), TooWide> {
        let (old, new) = self.outer_values.split_at_mut(start);
        for moved in &self.moves[step.moves.range()] {
            let beyond = self.outer[moved.to as usize];
            if beyond.len == 0 {
                continue;
            }
            let target = self.outer[moved.from as usize];
            let Some(into) = room_from(beyond.low + moved.mines, target, start, new) else {
                continue;
            };
            for (sum, value) in into.iter_mut().zip(&old[beyond.range()]) {
                sum.add_product(&moved.weight, value);
            }
            if self.pace.step(beyond.len as usize * moved.weight.cost()) {
                return Err(TooWide);
            }
        }
        Ok(())
    }

    fn carry_back_both(&mut self, step: CountStep, start: usize) -> Result<(), TooWide> {
        let (old, new) = self.outer_values.split_at_mut(start);
        for moved in &self.moves[step.moves.range()] {
            let beyond = self.outer[moved.to as usize];
            if beyond.len == 0 {
                continue;
            }
            for (this, that) in [(moved.from, moved.other), (moved.other, moved.from)] {
                let inner = self.entries[that as usize].vector;
                let target = self.outer[this as usize];
                let Some(into) = room_from(beyond.low + inner.low, target, start, new) else {
                    continue;
                };
                let (a, b) = (&old[beyond.range()], &self.values[inner.range()]);
                add_convolution(into, a, b, &moved.weight);
                if self.pace.step(convolution_work(a, b)) {
                    return Err(TooWide);
                }
            }
        }
        Ok(())
    }

    /// Where inside and outside meet: the arrangements with each number of mines in the group.
    fn share(
        &mut self,
        step: CountStep,
        size: u32,
        low: u16,
        mines: &mut [N],
        safe: &mut [N],
    ) -> Result<(), TooWide> {
        for moved in &self.moves[step.moves.range()] {
            let beyond = self.outer[moved.to as usize];
            if beyond.len == 0 {
                continue;
            }
            let inner = self.entries[moved.from as usize].vector;
            let at = (inner.low + moved.mines + beyond.low - low) as usize;
            if at >= mines.len() {
                continue;
            }
            let (a, b) = (&self.values[inner.range()], &self.outer_values[beyond.range()]);
            if self.pace.step(2 * convolution_work(a, b)) {
                return Err(TooWide);
            }
            let filled = u32::from(moved.mines);
            if filled > 0 {
                let weight = moved.weight.times(&N::whole(filled));
                add_convolution(&mut mines[at..], a, b, &weight);
            }
            if filled < size {
                let weight = moved.weight.times(&N::whole(size - filled));
                add_convolution(&mut safe[at..], a, b, &weight);
            }
        }
        Ok(())
    }
}

/// The part of a vector for this many mines and more; none if it is too short.
fn room_from<N>(low: u16, vector: Vector, start: usize, arena: &mut [N]) -> Option<&mut [N]> {
    let shift = low.checked_sub(vector.low)?;
    arena[vector.from(start)].get_mut(shift as usize..)
}
