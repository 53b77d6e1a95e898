//! Draws a random arrangement from a finished count.

use super::super::number::Number;
use super::super::region::GroupedRegion;
use super::{Counter, StateMove, StepKind};

impl<const W: usize, N: Number> Counter<W, N> {
    /// Draws an arrangement with `mines` mines, with a probability in proportion to its weight, and
    /// returns the mines of each group. Call [`count`](Self::count) on the same region first.
    pub fn sample(
        &self,
        region: GroupedRegion<'_>,
        mines: usize,
        mut draw: impl FnMut(&[N]) -> usize,
    ) -> Vec<u8> {
        let mut filled = vec![0; region.groups.len()];
        // The state each table ends in, and its mines, from the last table to the first.
        let mut ends: Vec<(u32, usize)> = Vec::new();
        if let Some(last) = self.steps.last() {
            ends.push((last.output.from, mines));
        }
        let value = |entry: u32, mines: usize| {
            let vector = self.entries[entry as usize].vector;
            let at = mines.checked_sub(vector.low as usize).filter(|&at| at < vector.len as usize);
            at.map_or(N::ZERO, |at| self.values[vector.at as usize + at].clone())
        };
        for step in self.steps.iter().rev() {
            let inside = |end: &(u32, usize)| step.output.range().contains(&(end.0 as usize));
            let at = ends.iter().position(inside).expect("every table leads to the last");
            let (entry, mines) = ends.swap_remove(at);
            // Ways into this state: the move, and the mines on its first side.
            let mut ways: Vec<(&StateMove<N>, usize)> = Vec::new();
            let mut weights: Vec<N> = Vec::new();
            for moved in self.moves[step.moves.range()].iter().filter(|moved| moved.to == entry) {
                match step.kind {
                    StepKind::Absorb { .. } => {
                        let Some(before) = mines.checked_sub(moved.mines as usize) else {
                            continue;
                        };
                        ways.push((moved, before));
                        weights.push(moved.weight.times(&value(moved.from, before)));
                    }
                    StepKind::Join => {
                        let first = self.entries[moved.from as usize].vector;
                        for before in first.low as usize..(first.low + first.len) as usize {
                            let Some(rest) = mines.checked_sub(before) else { continue };
                            ways.push((moved, before));
                            let both = value(moved.from, before).times(&value(moved.other, rest));
                            weights.push(moved.weight.times(&both));
                        }
                    }
                }
            }
            let (moved, before) = ways[draw(&weights)];
            match step.kind {
                StepKind::Absorb { group } => filled[group as usize] = moved.mines as u8,
                StepKind::Join => ends.push((moved.other, mines - before)),
            }
            ends.push((moved.from, before));
        }
        filled
    }
}
