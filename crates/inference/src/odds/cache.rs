//! A cache of counted regions, keyed by their structure.

use super::counter::Tally;
use super::region::GroupedRegion;

/// Tallies by the structure of their regions. A tally speaks only of groups and clues, so it
/// holds wherever and whenever the same structure comes up.
#[derive(Default)]
pub struct Cache {
    slots: Vec<Option<Slot>>,
    values: Vec<f64>,
    held: usize,
    /// Slots of earlier generations are empty.
    generation: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    generation: u32,
    key: Key,
    at: usize,
    size: usize,
    tally: Tally,
}

/// Two independent sums over a structure: 128 bits, so that no two structures ever met have the
/// same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key(u64, u64);

/// The cache is emptied when it holds this number of regions, or of numbers.
const MOST_HELD: usize = 1 << 9;
const MOST_VALUES: usize = 1 << 15;

impl Key {
    #[inline]
    fn take(&mut self, word: u64) {
        let first = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let second = (self.1.rotate_left(29) ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.0 = first ^ (first >> 32);
        self.1 = second ^ (second >> 31);
    }

    /// The key of the same region with at most this number of mines.
    pub fn up_to(mut self, most: u16) -> Self {
        self.take(most.into());
        self
    }
}

impl Cache {
    /// The key of a region counted with a tilt.
    pub fn key(region: GroupedRegion<'_>, log_tilt: f64) -> Key {
        let mut key = Key(region.clues.len() as u64, region.groups.len() as u64);
        key.take(log_tilt.to_bits());
        for clue in region.clues {
            let [cells, weighs] = [clue.need.cells(), clue.weights.is_some().into()].map(u64::from);
            key.take(u64::from(clue.need.counts()) | cells << 16 | weighs << 24);
            for pair in clue.weights.iter().flat_map(|weights| weights.chunks(2)) {
                key.take(u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32);
            }
        }
        for group in region.groups {
            let [low, high] = group.clues.words();
            key.take(low);
            key.take(high ^ u64::from(group.size) << 56);
        }
        key
    }

    /// Copies a remembered tally to the end of the arena.
    pub fn find(&self, key: Key, arena: &mut Vec<f64>) -> Option<Tally> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = key.0 as usize & mask;
        while let Some(slot) = self.slot(at) {
            if slot.key == key {
                let tally = slot.tally.moved_to(arena.len());
                arena.extend_from_slice(&self.values[slot.at..][..slot.size]);
                return Some(tally);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Stores the tally of a region with this number of groups.
    pub fn keep(&mut self, key: Key, tally: &Tally, groups: usize, arena: &[f64]) {
        let numbers = tally.numbers(arena, groups);
        if numbers.len() > MOST_VALUES / 8 {
            return;
        }
        if self.held == MOST_HELD || self.values.len() + numbers.len() > MOST_VALUES {
            self.clear();
        }
        if self.slots.is_empty() {
            self.slots.resize(2 * MOST_HELD, None);
        }
        let mask = self.slots.len() - 1;
        let mut at = key.0 as usize & mask;
        while self.slot(at).is_some() {
            at = (at + 1) & mask;
        }
        let slot = Slot {
            generation: self.generation,
            key,
            at: self.values.len(),
            size: numbers.len(),
            tally: *tally,
        };
        self.slots[at] = Some(slot);
        self.values.extend_from_slice(numbers);
        self.held += 1;
    }

    /// Forgets everything; keeps its room.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(None);
        }
        self.values.clear();
        self.held = 0;
    }

    fn slot(&self, at: usize) -> Option<&Slot> {
        self.slots[at].as_ref().filter(|slot| slot.generation == self.generation)
    }
}
