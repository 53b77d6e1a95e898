//! Joining two tables that know the same clue.

use arrayvec::ArrayVec;

use super::super::key::Key;
use super::super::number::Number;
use super::super::region::Region;
use super::{
    Counter, Draft, Entry, Kind, MOST_BYTES, MOST_SLOTS, Move, TooWide, Touch, Vector,
    add_convolution, weigh,
};

impl<K: Key, N: Number> Counter<K, N> {
    /// Makes one table of two: every two states that their common clues allow together.
    pub(super) fn join(
        &mut self,
        region: Region<'_>,
        node: u32,
        other: u32,
        budget: usize,
    ) -> Result<u32, TooWide> {
        let theirs = std::mem::take(&mut self.nodes[other as usize].open);
        let mut moved: ArrayVec<(usize, usize), MOST_SLOTS> = ArrayVec::new();
        let mut touches: ArrayVec<Touch, MOST_SLOTS> = ArrayVec::new();
        let mut common = K::ZERO;
        for &clue in &theirs {
            let places = &mut self.clues[clue as usize].places;
            let at = places.iter().position(|place| place.node == other);
            let place = places.remove(at.expect("an open clue has a place in its table"));
            let shared = places.iter().any(|held| held.node == node);
            let new = self.take_in(node, clue, place.inside)?;
            moved.push((place.slot as usize, new.slot as usize));
            if shared {
                common = common.plus(K::mask(new.slot as usize));
                touches.push(self.touch(region, clue, new));
            }
        }
        let weighs = touches.iter().any(|touch| touch.weighs.is_some());
        let closing = self.settle(region, node, theirs.iter().copied());

        let (input, second) =
            (self.nodes[node as usize].entries, self.nodes[other as usize].entries);
        // The other table's states, written with this table's slots and sorted by what they
        // share with it, so that each shared part is compared once.
        let mut partners = std::mem::take(&mut self.partners);
        let mut parts = std::mem::take(&mut self.parts);
        partners.clear();
        parts.clear();
        let alive = second.range().filter(|&at| self.entries[at].vector.len > 0);
        partners.extend(alive.map(|at| (moved_key(self.entries[at].key, &moved), at as u32)));
        let order = |key: K| touches.iter().map(move |touch| key.get(touch.slot));
        partners.sort_unstable_by(|a, b| order(a.0).cmp(order(b.0)).then(a.1.cmp(&b.1)));
        for (at, (key, _)) in partners.iter().enumerate() {
            let part = key.and(common);
            match parts.last_mut() {
                Some((last, _, end)) if *last == part => *end = at + 1,
                _ => parts.push((part, at, at + 1)),
            }
        }

        let first = self.entries.len();
        let first_move = self.moves.len();
        self.index.clear();
        for from in input.range() {
            let Entry { key, vector } = self.entries[from];
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
                        weight = weigh(region, &touches, raw, weight);
                    }
                    let own = self.entries[with as usize].vector;
                    let (low, len) = (vector.low + own.low, vector.len + own.len - 1);
                    let both = Vector { at: 0, low, len }.up_to(self.most);
                    let Some(both) = both.filter(|_| !weight.is_zero()) else { continue };
                    let to = self.reach(first, raw.without(closing), both);
                    self.moves.push(Move { from: from as u32, other: with, to, mines: 0, weight });
                }
                self.work += end - begin;
                if self.work > budget || self.bytes() > MOST_BYTES {
                    return Err(TooWide);
                }
            }
        }

        (self.partners, self.parts) = (partners, parts);
        let start = self.make_room(first);
        let (old, new) = self.values.split_at_mut(start);
        for step in &self.moves[first_move..] {
            let [a, b, target] =
                [step.from, step.other, step.to].map(|entry| self.entries[entry as usize].vector);
            let shift = a.low + b.low - target.low;
            let into = &mut new[target.from(start)][shift as usize..];
            add_convolution(into, &old[a.range()], &old[b.range()], &step.weight);
            self.work += a.len as usize * b.len as usize;
        }
        let draft = Draft { kind: Kind::Join, node, input, second, first, first_move };
        self.finish(draft, budget)?;
        Ok(node)
    }
}

/// A key with its counts in other slots.
fn moved_key<K: Key>(key: K, moves: &[(usize, usize)]) -> K {
    let mut moved = K::ZERO;
    for &(from, to) in moves {
        for _ in 0..key.get(from) {
            moved = moved.plus(K::unit(to));
        }
    }
    moved
}
