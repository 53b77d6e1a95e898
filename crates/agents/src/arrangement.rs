//! Mines put into the cells of a frontier, one after another.

use deminer_inference::frontier::Frontier;

/// What has been put into cells so far, as clues see it.
#[derive(Default)]
pub struct Arrangement {
    /// Mines of each clue so far, and its cells into which nothing has been put.
    clues: Vec<(u8, u8)>,
    /// Mines in all.
    pub mines: usize,
}

impl Arrangement {
    /// Takes everything out of the cells.
    pub fn clear(&mut self, frontier: &Frontier) {
        self.clues.clear();
        self.clues.extend(frontier.clues.iter().map(|clue| (0, clue.cells.len() as u8)));
        self.mines = 0;
    }

    /// Whether clues leave a way to go on after a mine, or none, in this cell.
    pub fn admits(&self, frontier: &Frontier, cell: u16, mine: bool) -> bool {
        frontier.seen_by[usize::from(cell)].iter().all(|&clue| {
            let (mines, empty) = self.clues[usize::from(clue)];
            frontier.clues[usize::from(clue)].admits(mines + u8::from(mine), empty - 1)
        })
    }

    /// Puts a mine or none into a cell into which nothing has been put.
    pub fn put(&mut self, frontier: &Frontier, cell: u16, mine: bool) {
        self.mines += usize::from(mine);
        for &clue in &frontier.seen_by[usize::from(cell)] {
            let (mines, empty) = &mut self.clues[usize::from(clue)];
            *mines += u8::from(mine);
            *empty -= 1;
        }
    }

    /// Takes out of a cell what was put into it.
    pub fn lift(&mut self, frontier: &Frontier, cell: u16, mine: bool) {
        self.mines -= usize::from(mine);
        for &clue in &frontier.seen_by[usize::from(cell)] {
            let (mines, empty) = &mut self.clues[usize::from(clue)];
            *mines -= u8::from(mine);
            *empty += 1;
        }
    }

    /// The share of mines that the clues around a cell still need among their empty cells, on
    /// average.
    pub fn share(&self, frontier: &Frontier, cell: u16) -> f64 {
        let clues = &frontier.seen_by[usize::from(cell)];
        let share = |&clue: &u16| {
            let (mines, empty) = self.clues[usize::from(clue)];
            f64::from(frontier.clues[usize::from(clue)].need - mines) / f64::from(empty)
        };
        clues.iter().map(share).sum::<f64>() / clues.len() as f64
    }
}
