//! Orders in which to close the clues of a wide region.
//!
//! Closing the cheapest clue first is nearly always good enough. Where it is not, as on lattices
//! of clues, orders are compared before any is tried: each is played through on bounds alone,
//! with the product of the counts that each open clue may have for the number of states.

use super::region::GroupedRegion;

/// An order and about how many states it makes.
pub struct Plan {
    pub order: Vec<u16>,
    pub cost: f64,
}

/// The best order found. `positions` are rows and columns of the clues.
pub fn plan(region: GroupedRegion<'_>, positions: &[(usize, usize)]) -> Plan {
    let sweeps = SWEEPS.iter().map(|direction| sweep(region, positions, *direction));
    let starts = sweeps.clone().map(|plan| plan.order[0]);
    let mut starts: Vec<u16> = starts.collect();
    starts.sort_unstable();
    starts.dedup();
    let mut best = sweeps.min_by(|a, b| a.cost.total_cmp(&b.cost)).expect("there are sweeps");
    if region.clues.len() <= MOST_TO_GROW {
        for start in starts {
            let grown = grow(region, start, best.cost);
            if grown.cost < best.cost {
                best = grown;
            }
        }
    }
    best
}

/// Growing looks at every neighbor of the part closed so far; larger regions are only swept.
const MOST_TO_GROW: usize = 400;

/// Directions of sweeps, as weights of row and column.
const SWEEPS: [(i64, i64); 8] = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (-1, 2)];

/// Closes the clues line by line.
fn sweep(
    region: GroupedRegion<'_>,
    positions: &[(usize, usize)],
    (down, right): (i64, i64),
) -> Plan {
    let mut order: Vec<u16> = (0..region.clues.len() as u16).collect();
    order.sort_by_key(|&clue| {
        let (row, column) = positions[clue as usize];
        let (row, column) = (row as i64, column as i64);
        (down * row + right * column, row, column)
    });
    let mut sketch = Sketch::new(region);
    for &clue in &order {
        sketch.close(clue);
    }
    Plan { order, cost: sketch.cost }
}

/// Grows one part from a clue, always by the neighbor that leaves the fewest states; gives up
/// above the cost given.
fn grow(region: GroupedRegion<'_>, start: u16, limit: f64) -> Plan {
    let mut sketch = Sketch::new(region);
    let mut order = vec![start];
    sketch.close(start);
    while sketch.cost < limit {
        let mut near: Vec<u16> = sketch.open().collect();
        near.sort_unstable();
        let cost = |clue: &u16| sketch.preview(*clue);
        let Some(next) = near.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))) else { break };
        sketch.close(next);
        order.push(next);
    }
    let complete = order.len() == region.clues.len()
        || (0..region.clues.len()).all(|clue| sketch.is_closed(clue));
    if !complete {
        return Plan { order, cost: f64::INFINITY };
    }
    // Clues that closed on the way need no turn of their own, but an order names every clue.
    let mut named = vec![false; region.clues.len()];
    order.iter().for_each(|&clue| named[clue as usize] = true);
    order.extend((0..region.clues.len() as u16).filter(|&clue| !named[clue as usize]));
    Plan { order, cost: sketch.cost }
}

/// The progress of an order, without counting anything.
struct Sketch<'a> {
    region: GroupedRegion<'a>,
    absorbed: Vec<bool>,
    /// Cells absorbed of each clue, in all parts together.
    inside: Vec<u8>,
    cost: f64,
    /// The binary logarithm of the states that all open clues together allow.
    width: f64,
}

impl<'a> Sketch<'a> {
    fn new(region: GroupedRegion<'a>) -> Self {
        Self {
            region,
            absorbed: vec![false; region.groups.len()],
            inside: vec![0; region.clues.len()],
            cost: 0.0,
            width: 0.0,
        }
    }

    /// The logarithm of how many counts a clue may have after this number of its cells was absorbed;
    /// none are left once all are.
    fn choices(&self, clue: u16, inside: u8) -> f64 {
        let need = self.region.clues[clue as usize].need;
        if inside == need.cells() {
            return 0.0;
        }
        let least = need.low().saturating_sub(need.cells() - inside);
        let most = need.high().min(inside);
        f64::from(most + 1 - least).log2()
    }

    fn is_closed(&self, clue: usize) -> bool {
        self.inside[clue] == self.region.clues[clue].need.cells()
    }

    /// Clues begun but not closed.
    fn open(&self) -> impl Iterator<Item = u16> + '_ {
        let begun = |&clue: &usize| self.inside[clue] > 0 && !self.is_closed(clue);
        (0..self.region.clues.len()).filter(begun).map(|clue| clue as u16)
    }

    /// The width after closing a clue.
    fn preview(&self, clue: u16) -> f64 {
        let mut gained: Vec<(u16, u8)> = Vec::with_capacity(16);
        for group in self.region.clues[clue as usize].groups.iter() {
            if self.absorbed[group as usize] {
                continue;
            }
            let group = &self.region.groups[group as usize];
            for seen in group.clues.iter() {
                match gained.iter_mut().find(|(held, _)| *held == seen) {
                    Some((_, cells)) => *cells += group.size,
                    None => gained.push((seen, group.size)),
                }
            }
        }
        let change = |&(clue, cells): &(u16, u8)| {
            let before = self.inside[clue as usize];
            self.choices(clue, before + cells) - self.choices(clue, before)
        };
        self.width + gained.iter().map(change).sum::<f64>()
    }

    fn close(&mut self, clue: u16) {
        for number in self.region.clues[clue as usize].groups.iter() {
            let number = number as usize;
            if std::mem::replace(&mut self.absorbed[number], true) {
                continue;
            }
            let group = self.region.groups[number];
            for seen in group.clues.iter() {
                let before = self.inside[seen as usize];
                self.inside[seen as usize] = before + group.size;
                self.width += self.choices(seen, before + group.size) - self.choices(seen, before);
            }
            self.cost += self.width.exp2();
        }
    }
}
