//! A region as numbers: groups of interchangeable cells, and clues that count their mines.

/// Cells seen by the same clues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    /// How many cells.
    pub size: u8,
    /// How many clues see them.
    seen_by: u8,
    clues: [u16; 8],
}

impl Group {
    pub fn new(size: u8) -> Self {
        Self { size, seen_by: 0, clues: [0; 8] }
    }

    /// Adds a clue that sees the group. A cell has at most eight neighbors.
    pub fn add_clue(&mut self, clue: u16) {
        self.clues[self.seen_by as usize] = clue;
        self.seen_by += 1;
    }

    /// The clues that see the group, numbered within the region.
    pub fn clues(&self) -> &[u16] {
        &self.clues[..self.seen_by as usize]
    }
}

/// What a clue says about the unknown cells around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Need {
    /// The fewest mines among them that the clue admits.
    pub low: u8,
    /// The most.
    pub high: u8,
    /// How many unknown cells there are.
    pub cells: u8,
    /// How likely the clue is for each number of mines, up to a common factor; none if all from
    /// `low` to `high` are alike.
    pub weights: Option<[u32; 9]>,
}

/// Groups and clues of one region. Each group lists its clues; every clue sees some group.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    pub groups: &'a [Group],
    pub clues: &'a [Need],
}
