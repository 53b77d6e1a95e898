//! States of the count: how many mines each open clue has so far, four bits a clue.

/// Packed counts of up to `SLOTS` clues. No count exceeds 8, so sums never carry over.
pub trait Key: Copy + Eq {
    /// How many clues fit.
    const SLOTS: usize;
    /// No mines anywhere.
    const ZERO: Self;

    /// One mine in this slot.
    fn unit(slot: usize) -> Self;
    /// All bits of this slot.
    fn mask(slot: usize) -> Self;
    /// The count in this slot.
    fn get(self, slot: usize) -> u8;
    /// Slot by slot, the sum.
    fn plus(self, other: Self) -> Self;
    /// The bits of both.
    fn and(self, mask: Self) -> Self;
    /// The bits not in the mask.
    fn without(self, mask: Self) -> Self;
    /// Well mixed bits.
    fn hash(self) -> u64;
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

impl Key for u64 {
    const SLOTS: usize = 16;
    const ZERO: u64 = 0;

    #[inline]
    fn unit(slot: usize) -> u64 {
        1 << (4 * slot)
    }
    #[inline]
    fn mask(slot: usize) -> u64 {
        15 << (4 * slot)
    }
    #[inline]
    fn get(self, slot: usize) -> u8 {
        (self >> (4 * slot)) as u8 & 15
    }
    #[inline]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
    #[inline]
    fn and(self, mask: u64) -> u64 {
        self & mask
    }
    #[inline]
    fn without(self, mask: u64) -> u64 {
        self & !mask
    }
    #[inline]
    fn hash(self) -> u64 {
        let mixed = self.wrapping_mul(MIX);
        mixed ^ (mixed >> 32)
    }
}

/// Sixteen slots a word.
impl<const WORDS: usize> Key for [u64; WORDS] {
    const SLOTS: usize = 16 * WORDS;
    const ZERO: [u64; WORDS] = [0; WORDS];

    fn unit(slot: usize) -> Self {
        let mut key = Self::ZERO;
        key[slot / 16] = u64::unit(slot % 16);
        key
    }
    fn mask(slot: usize) -> Self {
        let mut key = Self::ZERO;
        key[slot / 16] = u64::mask(slot % 16);
        key
    }
    #[inline]
    fn get(self, slot: usize) -> u8 {
        self[slot / 16].get(slot % 16)
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|word| self[word].plus(other[word]))
    }
    #[inline]
    fn and(self, mask: Self) -> Self {
        std::array::from_fn(|word| self[word] & mask[word])
    }
    #[inline]
    fn without(self, mask: Self) -> Self {
        std::array::from_fn(|word| self[word] & !mask[word])
    }
    #[inline]
    fn hash(self) -> u64 {
        self.into_iter().fold(0, |hash: u64, word| (hash.rotate_left(23) ^ word).hash())
    }
}

/// Finds the place of a key in the table being built. Emptied by counting up its stamp.
pub struct Index<K> {
    slots: Vec<(u32, u32, K)>,
    stamp: u32,
    held: usize,
}

impl<K: Key> Default for Index<K> {
    fn default() -> Self {
        Self { slots: vec![(0, 0, K::ZERO); 64], stamp: 0, held: 0 }
    }
}

impl<K: Key> Index<K> {
    pub fn clear(&mut self) {
        self.held = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill((0, 0, K::ZERO));
            self.stamp = 1;
        }
    }

    /// The place of the key; a new key gets the place `next`.
    #[inline]
    pub fn place(&mut self, key: K, next: u32) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = key.hash() as usize & mask;
        loop {
            let (stamp, place, held) = self.slots[at];
            if stamp != self.stamp {
                self.slots[at] = (self.stamp, next, key);
                self.held += 1;
                if 2 * self.held > self.slots.len() {
                    self.grow();
                }
                return next;
            }
            if held == key {
                return place;
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let bigger = vec![(0, 0, K::ZERO); 4 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, bigger);
        let stamp = std::mem::replace(&mut self.stamp, 1);
        self.held = 0;
        for (_, place, key) in old.into_iter().filter(|slot| slot.0 == stamp) {
            self.place(key, place);
        }
    }
}
