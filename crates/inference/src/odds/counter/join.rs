//! Joins two tables that share a clue.

use arrayvec::ArrayVec;

use super::super::key::Counts;
use super::super::number::Number;
use super::super::region::GroupedRegion;
use super::{
    Counter, Draft, MOST_SLOTS, Span, StateEntry, StateMove, StepKind, TooWide, Touch, Vector,
    add_convolution, convolution_work, weigh,
};

/// What two tables share while they are joined.
struct Link<const W: usize> {
    /// The slot of each clue of the second table: there, and in the joined table.
    moved: ArrayVec<(usize, usize), MOST_SLOTS>,
    /// The clues that both tables know.
    touches: ArrayVec<Touch, MOST_SLOTS>,
    /// The slots of these clues.
    common: Counts<W>,
    /// The slots of clues that are complete after the join.
    closing: Counts<W>,
}

impl<const W: usize, N: Number> Counter<W, N> {
    /// Makes one table of two: every two states that their common clues allow together.
    pub(super) fn join(
        &mut self,
        region: GroupedRegion<'_>,
        node: u32,
        other: u32,
    ) -> Result<u32, TooWide> {
        let link = self.link(region, node, other)?;
        let draft = Draft {
            kind: StepKind::Join,
            node,
            input: self.nodes[node as usize].entries,
            second: self.nodes[other as usize].entries,
            first: self.entries.len(),
            first_move: self.moves.len(),
        };
        self.sort_partners(&link, draft.second);
        self.pair_states(region, &link, &draft)?;
        self.multiply(&draft)?;
        self.finish(draft)?;
        Ok(node)
    }

    /// Moves the open clues of the second table into the first.
    fn link(
        &mut self,
        region: GroupedRegion<'_>,
        node: u32,
        other: u32,
    ) -> Result<Link<W>, TooWide> {
        let theirs = std::mem::take(&mut self.nodes[other as usize].open);
        let mut moved = ArrayVec::new();
        let mut touches = ArrayVec::new();
        let mut common = Counts::ZERO;
        for &clue in &theirs {
            let places = &mut self.clues[clue as usize].places;
            let at = places.iter().position(|place| place.node == other);
            let place = places.remove(at.expect("an open clue has a place in its table"));
            let shared = places.iter().any(|held| held.node == node);
            let new = self.take_in(node, clue, place.inside)?;
            moved.push((place.slot as usize, new.slot as usize));
            if shared {
                common = common.plus(Counts::at(new.slot as usize, 15));
                touches.push(self.touch(region, clue, new));
            }
        }
        let closing = self.settle(region, node, theirs.iter().copied());
        Ok(Link { moved, touches, common, closing })
    }

    /// Writes the states of the second table with the slots of the first, and sorts them by their
    /// counts of common clues, so that equal counts are compared with the first table once.
    fn sort_partners(&mut self, link: &Link<W>, second: Span) {
        let Self { partners, parts, entries, .. } = self;
        partners.clear();
        parts.clear();
        let alive = second.range().filter(|&at| entries[at].vector.len > 0);
        partners.extend(alive.map(|at| (moved_key(entries[at].key, &link.moved), at as u32)));
        let order = |key: Counts<W>| link.touches.iter().map(move |touch| key.get(touch.slot));
        partners.sort_unstable_by(|a, b| order(a.0).cmp(order(b.0)).then(a.1.cmp(&b.1)));
        for (at, (key, _)) in partners.iter().enumerate() {
            let part = key.and(link.common);
            match parts.last_mut() {
                Some((last, _, end)) if *last == part => *end = at + 1,
                _ => parts.push((part, at, at + 1)),
            }
        }
    }

    /// Finds the states of the joined table, and the moves that lead to them.
    fn pair_states(
        &mut self,
        region: GroupedRegion<'_>,
        link: &Link<W>,
        draft: &Draft,
    ) -> Result<(), TooWide> {
        let Link { touches, closing, .. } = link;
        let weighs = touches.iter().any(|touch| touch.weighs.is_some());
        let (partners, parts) =
            (std::mem::take(&mut self.partners), std::mem::take(&mut self.parts));
        self.index.clear();
        for from in draft.input.range() {
            let StateEntry { key, vector } = self.entries[from];
            if vector.len == 0 {
                continue;
            }
            for &(part, begin, end) in &parts {
                let fits = touches.iter().all(|touch| {
                    let count = i16::from(key.get(touch.slot)) + i16::from(part.get(touch.slot));
                    touch.low <= count && count <= touch.high
                });
                if !fits {
                    continue;
                }
                for &(partner, with) in &partners[begin..end] {
                    let raw = key.plus(partner);
                    let mut weight = N::whole(1);
                    if weighs {
                        weight = weigh(region, touches, raw, weight);
                    }
                    let own = self.entries[with as usize].vector;
                    let (low, len) = (vector.low + own.low, vector.len + own.len - 1);
                    let both = Vector { at: 0, low, len }.up_to(self.most.0);
                    let Some(both) = both.filter(|_| !weight.is_zero()) else { continue };
                    let to = self.reach(draft.first, raw.without(*closing), both);
                    let from = from as u32;
                    self.moves.push(StateMove { from, other: with, to, mines: 0, weight });
                }
                self.work += end - begin;
                self.check_limits()?;
            }
        }
        (self.partners, self.parts) = (partners, parts);
        Ok(())
    }

    /// Adds the products of the counts along each move.
    fn multiply(&mut self, draft: &Draft) -> Result<(), TooWide> {
        let start = self.make_room(draft.first);
        let (old, new) = self.values.split_at_mut(start);
        for step in &self.moves[draft.first_move..] {
            let [a, b, target] =
                [step.from, step.other, step.to].map(|entry| self.entries[entry as usize].vector);
            let shift = a.low + b.low - target.low;
            let into = &mut new[target.from(start)][shift as usize..];
            let (a, b) = (&old[a.range()], &old[b.range()]);
            add_convolution(into, a, b, &step.weight);
            let work = convolution_work(a, b);
            self.work += work;
            if self.work > self.budget || self.pace.step(work) {
                return Err(TooWide);
            }
        }
        Ok(())
    }
}

/// A key with its counts in other slots.
fn moved_key<const W: usize>(key: Counts<W>, moves: &[(usize, usize)]) -> Counts<W> {
    let moved = moves.iter().map(|&(from, to)| Counts::at(to, key.get(from)));
    moved.fold(Counts::ZERO, Counts::plus)
}
