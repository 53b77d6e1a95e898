//! States of the count: how many mines each open clue has so far, four bits a clue.

/// Packed counts of up to 16 clues a word. No count exceeds 8, so sums never carry over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Counts<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Counts<WORDS> {
    /// How many clues fit.
    pub const SLOTS: usize = 16 * WORDS;
    /// No mines anywhere.
    pub const ZERO: Self = Self([0; WORDS]);

    /// This number of mines in one slot; 15 for all bits of the slot.
    #[inline]
    pub fn at(slot: usize, mines: u8) -> Self {
        let mut counts = Self::ZERO;
        counts.0[slot / 16 % WORDS] = u64::from(mines) << (4 * (slot % 16));
        counts
    }

    /// The count in this slot. The remainder spares a check of the bounds.
    #[inline]
    pub fn get(self, slot: usize) -> u8 {
        (self.0[slot / 16 % WORDS] >> (4 * (slot % 16))) as u8 & 15
    }

    /// Slot by slot, the sum.
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word].wrapping_add(other.0[word])))
    }

    /// The bits of both.
    #[inline]
    pub fn and(self, mask: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & mask.0[word]))
    }

    /// The bits not in the mask.
    #[inline]
    pub fn without(self, mask: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !mask.0[word]))
    }

    /// Well mixed bits.
    #[inline]
    fn hash(self) -> u64 {
        self.0.into_iter().fold(0, |hash: u64, word| {
            let mixed = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 32)
        })
    }
}

impl From<u64> for Counts<1> {
    #[inline]
    fn from(word: u64) -> Self {
        Self([word])
    }
}

/// Finds the place of a key in the table being built. Emptied by counting up its stamp.
pub struct Index<const WORDS: usize> {
    slots: Vec<(u32, u32, Counts<WORDS>)>,
    stamp: u32,
    held: usize,
}

impl<const WORDS: usize> Default for Index<WORDS> {
    fn default() -> Self {
        Self { slots: vec![(0, 0, Counts::ZERO); 64], stamp: 0, held: 0 }
    }
}

impl<const WORDS: usize> Index<WORDS> {
    pub fn clear(&mut self) {
        self.held = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill((0, 0, Counts::ZERO));
            self.stamp = 1;
        }
    }

    /// The place of the key; a new key gets the place `next`.
    #[inline]
    pub fn place(&mut self, key: Counts<WORDS>, next: u32) -> u32 {
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
        let bigger = vec![(0, 0, Counts::ZERO); 4 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, bigger);
        let stamp = std::mem::replace(&mut self.stamp, 1);
        self.held = 0;
        for (_, place, key) in old.into_iter().filter(|slot| slot.0 == stamp) {
            self.place(key, place);
        }
    }
}
