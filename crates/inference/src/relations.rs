//! Sets of covered cells with known numbers of mines, and the facts that follow from two of them.
//!
//! The background knowledge from which Mio learned its rules: L. Peña Castillo and S. Wrobel,
//! "Learning Minesweeper with Multirelational Learning" (2003). Its predicates and their names
//! here:
//!
//! | predicate | here |
//! |---|---|
//! | `zoneOfInterest` | [`Zone`], made by [`Zones::around`] |
//! | `setHasXMines` | [`Zone::sets`] |
//! | `diffSetHasXMines` | [`MineSet::without`] |
//! | `inSet` | [`MineSet::holds_center`] |
//! | `lengthSet` | [`MineSet::size`] |
//! | `minesInSet` | [`MineSet::mines`] |
//! | `totalMinesLeft` | [`Remaining::mines`] |
//! | `allMinesInFringe` | [`Zone::fringe`] |
//!
//! Relations of our own, for rules that the paper did not find: a [`WideZone`] looks one step
//! further, [`MineSet::knowing_center`] supposes something of the center, and
//! [`MineSet::clashes`] finds that two sets contradict each other.
//!
//! Flags are marks: they count as mines found. Only numbers are clues, not blank
//! cells. A clause is tried on thousands of cells, so a zone numbers its cells and its
//! sets are bit masks; nothing is allocated.

use arrayvec::ArrayVec;
use deminer_game::{Cell, Face, View};

use crate::deduce::Fact;
use crate::odds::{Engine, Odds};

/// The clues that bear on a covered cell, its center: those around it, and those that share an
/// unmarked covered cell with one of them.
///
/// ```text
/// # # # # # # #      o # # # # # #    o is the center, A around it; the clues B share
/// # 1 1 1 2 # #  ->  # A B B 2 # #    covered cells with A, the others do not
/// # # 1 1 2 1 1      # # B 1 2 1 1
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone<const CLUES: usize = 48, const CELLS: usize = 81> {
    clues: ArrayVec<Cell, CLUES>,
    sets: ArrayVec<MineSet, CLUES>,
    /// The unmarked covered cells of all sets, the center first.
    cells: ArrayVec<Cell, CELLS>,
    /// How many of the clues are around the center; they come first.
    around: usize,
    /// How many of the clues make a plain zone; they come before the others.
    near: usize,
}

/// A zone with the clues that share an unmarked covered cell with one of a plain zone.
///
/// Should there be more than 128 cells, the clues that bring them are left out: what the others
/// say stays true.
pub type WideZone = Zone<120, 128>;

/// Covered cells of a zone and how many mines are among them.
///
/// A set holds all the fringe that lies outside the zone, or nothing of it: only the whole
/// fringe reaches out there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MineSet {
    /// The zone's cells, one bit each, the center in the lowest.
    cells: u128,
    /// Cells outside the zone.
    outside: u16,
    /// All cells.
    size: u16,
    mines: i32,
}

impl MineSet {
    /// How many mines are among the cells; less than none where marks are wrong.
    #[inline]
    pub const fn mines(self) -> i32 {
        self.mines
    }

    /// How many cells there are.
    #[inline]
    pub const fn size(self) -> usize {
        self.size as usize
    }

    /// The places of its cells in the zone, one after another; the center has place 0.
    #[inline]
    pub fn places(self) -> impl Iterator<Item = usize> {
        let mut left = self.cells;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.saturating_sub(1);
            place
        })
    }

    /// Whether the zone's center is among the cells.
    #[inline]
    pub const fn holds_center(self) -> bool {
        self.cells & 1 == 1
    }

    /// The cells that are not in the other set, if it is certain how many mines are among them.
    ///
    /// Of `a` mines here and `b` there, the cells in both hold no less than what does not fit
    /// into the rest of either set, and no more than `a`, `b` or their number. When that leaves
    /// one choice, the rest is known:
    ///
    /// ```text
    /// A B B C      1 among A and B, 2 among B and C: of the 2, C takes no more than one, so B
    /// ? 1 2 ?      holds one, and A none
    /// ```
    #[inline]
    pub fn without(self, other: MineSet) -> Option<MineSet> {
        let (least, most, rest) = self.shared(other);
        (least == most).then(|| MineSet {
            cells: self.cells & !other.cells,
            outside: if other.outside == 0 { self.outside } else { 0 },
            size: rest,
            mines: self.mines - least,
        })
    }

    /// What the set says once it is known, or supposed, whether the center is a mine.
    #[inline]
    pub const fn knowing_center(self, mine: bool) -> MineSet {
        if !self.holds_center() {
            return self;
        }
        let (cells, size) = (self.cells & !1, self.size - 1);
        MineSet { cells, size, mines: self.mines - mine as i32, ..self }
    }

    /// Whether no number of mines in the common cells fits both sets. A set that has more mines
    /// than cells, or fewer than none, clashes with itself.
    ///
    /// ```text
    /// A A B      1 among A, 3 among A and B: A would hold two
    /// 1 3 ?
    /// ```
    #[inline]
    pub fn clashes(self, other: MineSet) -> bool {
        let (least, most, _) = self.shared(other);
        least > most
    }

    /// Whether some cells are in both sets.
    #[inline]
    pub const fn meets(self, other: MineSet) -> bool {
        self.cells & other.cells != 0 || (self.outside > 0 && other.outside > 0)
    }

    /// The fewest and the most mines that may be in both sets, and how many cells are only in
    /// this one.
    #[inline]
    fn shared(self, other: MineSet) -> (i32, i32, u16) {
        let both = self.common(other);
        let (rest, its_rest) = (self.size - both, other.size - both);
        let least = 0.max(self.mines - i32::from(rest)).max(other.mines - i32::from(its_rest));
        let most = self.mines.min(other.mines).min(i32::from(both));
        (least, most, rest)
    }

    /// How many cells are in both sets.
    #[inline]
    fn common(self, other: MineSet) -> u16 {
        (self.cells & other.cells).count_ones() as u16 + self.outside.min(other.outside)
    }
}

impl<const CLUES: usize, const CELLS: usize> Zone<CLUES, CELLS> {
    /// The clues: first those around the center, then the others.
    #[inline]
    pub fn clues(&self) -> &[Cell] {
        &self.clues
    }

    /// For each clue the unmarked covered cells around it, and the mines that it still needs.
    #[inline]
    pub fn sets(&self) -> &[MineSet] {
        &self.sets
    }

    /// The sets of the clues around the center: just those that hold it.
    #[inline]
    pub fn sets_around(&self) -> &[MineSet] {
        &self.sets[..self.around]
    }

    /// The sets of the clues of a plain zone.
    #[inline]
    pub fn sets_near(&self) -> &[MineSet] {
        &self.sets[..self.near]
    }

    /// The cells of a set that belong to the zone.
    #[inline]
    pub fn cells(&self, set: MineSet) -> impl Iterator<Item = Cell> {
        set.places().map(|place| self.cells[place])
    }

    /// The whole fringe, if all mines left are there.
    #[inline]
    pub fn fringe(&self, remaining: &Remaining) -> Option<MineSet> {
        let fringe = remaining.fringe?;
        let inside = self.sets.iter().fold(0, |cells, set| cells | set.cells);
        let outside = (fringe - inside.count_ones() as usize) as u16;
        let (size, mines) = (fringe as u16, remaining.mines as i32);
        Some(MineSet { cells: inside, outside, size, mines })
    }
}

/// Makes zones; keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct Zones {
    /// The place of each cell among its zone's cells or clues.
    places: Vec<u8>,
}

const NOWHERE: u8 = u8::MAX;

impl Zones {
    /// The zone around a covered cell.
    pub fn around(&mut self, view: &View, center: Cell) -> Zone {
        self.gather(view, center, 2)
    }

    /// The zone around a covered cell with one more ring of clues.
    pub fn widely_around(&mut self, view: &View, center: Cell) -> WideZone {
        self.gather(view, center, 3)
    }

    /// The plain zone around a covered cell, with room for more.
    pub fn closely_around(&mut self, view: &View, center: Cell) -> WideZone {
        self.gather(view, center, 2)
    }

    /// Gathers clues ring by ring: those around the center, then those around the cells of the
    /// ring before.
    fn gather<const CLUES: usize, const CELLS: usize>(
        &mut self,
        view: &View,
        center: Cell,
        rings: usize,
    ) -> Zone<CLUES, CELLS> {
        let shape = view.shape();
        self.places.resize(shape.size(), NOWHERE);
        let (clues, sets, cells) = (ArrayVec::new(), ArrayVec::new(), ArrayVec::new());
        let mut zone = Zone { clues, sets, cells, around: 0, near: 0 };
        self.enter(&mut zone.cells, center);
        let mut from = 0;
        for ring in 0..rings {
            let upto = zone.cells.len();
            for place in from..upto {
                for &clue in shape.neighbors(zone.cells[place]) {
                    self.enter_clue(view, &mut zone, clue);
                }
            }
            from = upto;
            match ring {
                0 => (zone.around, zone.near) = (zone.clues.len(), zone.clues.len()),
                1 => zone.near = zone.clues.len(),
                _ => {}
            }
        }
        for cell in zone.cells.iter().chain(&zone.clues) {
            self.places[cell.index()] = NOWHERE;
        }
        zone
    }

    /// Numbers a cell unless it has a number.
    fn enter<const MOST: usize>(&mut self, cells: &mut ArrayVec<Cell, MOST>, cell: Cell) -> u8 {
        let place = &mut self.places[cell.index()];
        if *place == NOWHERE {
            *place = cells.len() as u8;
            cells.push(cell);
        }
        *place
    }

    /// Takes in a clue and its set, unless it is there or brings more cells than there is room
    /// for.
    fn enter_clue<const CLUES: usize, const CELLS: usize>(
        &mut self,
        view: &View,
        zone: &mut Zone<CLUES, CELLS>,
        clue: Cell,
    ) {
        let Some(number) = number(view, clue) else { return };
        let around = view.shape().neighbors(clue);
        let fresh = |&&near: &&Cell| {
            view.face(near) == Face::Covered && self.places[near.index()] == NOWHERE
        };
        if self.places[clue.index()] != NOWHERE
            || around.iter().filter(fresh).count() > zone.cells.remaining_capacity()
        {
            return;
        }
        self.enter(&mut zone.clues, clue);
        let mut set = MineSet { cells: 0, outside: 0, size: 0, mines: i32::from(number) };
        for &near in around {
            match view.face(near) {
                Face::Covered => {
                    set.cells |= 1 << self.enter(&mut zone.cells, near);
                    set.size += 1;
                }
                Face::Flagged | Face::Mine => set.mines -= 1,
                Face::Open { .. } => {}
            }
        }
        zone.sets.push(set);
    }
}

/// The number that an open cell shows.
fn number(view: &View, cell: Cell) -> Option<u8> {
    view.face(cell).clue()?.exact()
}

/// The mines left on the whole board, and the size of the fringe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remaining {
    mines: isize,
    fringe: Option<usize>,
}

impl Remaining {
    /// Counts the mines left. The exact engine finds whether no layout has a mine outside the
    /// fringe; if the view is too wide for it, the answer is no.
    pub fn of(view: &View, engine: &mut Engine) -> Self {
        let shape = view.shape();
        let seen =
            |cell: Cell| shape.neighbors(cell).iter().any(|&near| number(view, near).is_some());
        let fringe = view.openable().filter(|&cell| seen(cell)).count();
        let mut sea = view.openable().filter(|&cell| !seen(cell)).peekable();
        let has_sea = sea.peek().is_some();
        let mut is_safe = |odds: &Odds| sea.all(|cell| odds.fact(cell) == Some(Fact::Safe));
        let all_there = !has_sea || engine.odds(view).is_ok_and(&mut is_safe);
        let marked = view.flag_count() + view.shown_mines().count();
        let mines = view.rules().mines() as isize - marked as isize;
        Self { mines, fringe: all_there.then_some(fringe) }
    }

    /// How many mines are not marked; less than none where marks are wrong.
    #[inline]
    pub const fn mines(&self) -> isize {
        self.mines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::check_drawn;
    use crate::deduce::tests::{oracle, random_views};

    fn zone(position: &str, row: usize, column: usize) -> (View, Zone) {
        let view: View = position.parse().unwrap();
        let zone = Zones::default().around(&view, view.shape().cell(row, column).unwrap());
        (view, zone)
    }

    /// Compares the zone around a cell with its picture: `o` the center, `A` clues around it, `B`
    /// the others.
    fn check_zone(position: &str, expected: &str) {
        let view: View = position.parse().unwrap();
        let center = expected.split_whitespace().position(|symbol| symbol == "o").unwrap();
        let zone = Zones::default().around(&view, view.shape().nth(center).unwrap());
        let symbol = |cell: Cell| match zone.clues.iter().position(|&clue| clue == cell) {
            _ if cell == zone.cells[0] => Some('o'),
            place => place.map(|place| if place < zone.around { 'A' } else { 'B' }),
        };
        check_drawn(&view, symbol, expected);
    }

    #[test]
    fn a_zone_holds_clues_that_share_covered_cells() {
        check_zone(
            "mines 4
             # # # # # # #
             # 1 1 1 2 # #
             # # 1 1 2 1 1",
            "o # # # # # #
             # A B B 2 # #
             # # B 1 2 1 1",
        );
        // A mark is covered but ties no clues together.
        check_zone("mines 4\n# F F #\n1 2 2 1", "o F F #\nA A 2 1");
        check_zone("mines 2\n# # # #\n# # # #", "# # # #\n# # o #");
    }

    #[test]
    fn zones_wrap_on_a_torus_and_follow_hexagons() {
        check_zone(
            "mines 2
             shape torus
             # # # # # #
             . . . . . .
             1 . . . . 1",
            "o # # # # #
             A A B B B A
             A A B B B A",
        );
        check_zone("mines 2\nshape hex\n# # # #\n1 1 1 1", "# o # #\nA A B 1");
    }

    /// The set of the first clue less that of the second, drawn with `x`, and its mines.
    fn check_difference(position: &str, clues: [(usize, usize); 2], expected: Option<(&str, i32)>) {
        let (view, zone) = zone(position, 0, 0);
        let set = |at: (usize, usize)| {
            let clue = view.shape().cell(at.0, at.1).unwrap();
            zone.sets[zone.clues.iter().position(|&held| held == clue).unwrap()]
        };
        let found = set(clues[0]).without(set(clues[1]));
        assert_eq!(found.map(MineSet::mines), expected.map(|(_, mines)| mines), "{position}");
        if let (Some(found), Some((picture, _))) = (found, expected) {
            let cells: Vec<Cell> = zone.cells(found).collect();
            assert_eq!(cells.len(), found.size());
            check_drawn(&view, |cell| cells.contains(&cell).then_some('x'), picture);
        }
    }

    #[test]
    fn differences_are_taken_when_their_mines_are_certain() {
        let position = "mines 3\n# # # #\n? 1 2 ?";
        check_difference(position, [(1, 1), (1, 2)], Some(("x # # #\n? 1 2 ?", 0)));
        check_difference(position, [(1, 2), (1, 1)], Some(("# # # x\n? 1 2 ?", 1)));
        // Nothing is certain here, but for what one set leaves of itself.
        let position = "mines 2\n# # # #\n? 1 1 ?";
        check_difference(position, [(1, 1), (1, 2)], None);
        check_difference(position, [(1, 1), (1, 1)], Some(("# # # #\n? 1 1 ?", 0)));
        // A mark is a mine found.
        let position = "mines 2\n# F # #\n? 1 2 ?";
        check_difference(position, [(1, 1), (1, 2)], Some(("x F # #\n? 1 2 ?", 0)));
    }

    #[test]
    fn a_wide_zone_looks_one_step_further() {
        let view: View = "mines 4\n# # # # # # # #\n# 1 1 1 1 1 1 1".parse().unwrap();
        let [first, last] = [0, 7].map(|column| view.shape().cell(0, column).unwrap());
        let clues = |zone: WideZone| (zone.around, zone.near, zone.clues.len());
        let mut zones = Zones::default();
        assert_eq!(clues(zones.closely_around(&view, first)), (1, 3, 3));
        assert_eq!(clues(zones.widely_around(&view, first)), (1, 3, 5));
        assert_eq!(clues(zones.widely_around(&view, last)), (2, 4, 6));
        // Sparse clues bring more cells than there is room for.
        let sparse = ["# # # # # # # # # # # # # # #"; 2].join("\n")
            + &"\n# 1 # 1 # 1 # 1 # 1 # 1 # 1 #\n# # # # # # # # # # # # # # #".repeat(6);
        let view: View = format!("mines 20\n{sparse}").parse().unwrap();
        let zone = zones.widely_around(&view, view.shape().cell(7, 8).unwrap());
        assert!(zone.cells.len() > 120 && zone.clues.len() > 30, "{zone:?}");
    }

    #[test]
    fn sets_clash_when_no_number_of_common_mines_fits_both() {
        let clash = |position: &str, mine: bool| {
            let (_, zone) = zone(position, 0, 0);
            let sets: Vec<MineSet> = zone.sets.iter().map(|set| set.knowing_center(mine)).collect();
            sets.iter().any(|one| sets.iter().any(|other| one.clashes(*other)))
        };
        // A mine in the corner would leave the 2 one cell too few.
        assert!(clash("mines 2\n# # # #\n? 1 2 ?", true));
        assert!(!clash("mines 2\n# # # #\n? 1 2 ?", false));
        // Without one the 2 has but one cell.
        assert!(clash("mines 2\n# #\n2 ?", false));
        assert!(!clash("mines 2\n# # # #\n? 1 1 ?", true));
    }

    #[test]
    fn all_mines_may_be_left_in_the_fringe() {
        let check = |position: &str, mines, fringe: Option<usize>| {
            let (view, zone) = zone(position, 0, 0);
            let remaining = Remaining::of(&view, &mut Engine::default());
            assert_eq!(remaining.mines(), mines, "{position}");
            assert_eq!(zone.fringe(&remaining).map(MineSet::size), fringe, "{position}");
        };
        check("mines 1\n# # # # #\n? 1 ? ? #", 1, Some(3));
        check("mines 2\n# # # # #\n? 1 ? ? #", 2, None);
        check("mines 2\n# # # ? #\n? 1 ? 1 #", 2, Some(5));
        check("mines 2\n# F ? # #\n? 1 ? 1 ?", 1, Some(3));
        // Beyond the zone: the clue on the right has nothing to do with the cell on the left.
        check("mines 2\n# # ? ? # # #\n1 ? ? ? ? 1 ?", 2, Some(5));
    }

    #[test]
    fn what_is_left_of_the_fringe_holds_the_other_mines() {
        let (view, zone) = zone("mines 2\n# # ? ? # # #\n1 ? ? ? ? 1 ?", 0, 0);
        let fringe = zone.fringe(&Remaining::of(&view, &mut Engine::default())).unwrap();
        let rest = fringe.without(zone.sets[0]).unwrap();
        assert_eq!((rest.size(), rest.mines()), (3, 1));
        assert!(!rest.holds_center() && fringe.holds_center());
        let none = rest.without(fringe).unwrap();
        assert_eq!((none.size(), none.mines()), (0, 0));
    }

    /// Every set of every zone holds as many mines as it says, in all layouts that fit.
    #[test]
    fn sets_hold_the_mines_they_state() {
        let mut zones = Zones::default();
        let mut differences = 0;
        for view in random_views(8, 12).filter(|view| view.flag_count() == 0) {
            let oracle = oracle(&view);
            for center in view.covered() {
                let zone = zones.around(&view, center);
                assert!(zone.sets_around().iter().all(|set| set.holds_center()));
                let rest = &zone.sets[zone.around..];
                assert!(rest.iter().all(|set| !set.holds_center()));
                for &one in zone.sets() {
                    for difference in zone.sets().iter().filter_map(|&other| one.without(other)) {
                        differences += 1;
                        let mean: f64 =
                            zone.cells(difference).map(|cell| oracle.mine(cell).unwrap()).sum();
                        assert!((mean - f64::from(difference.mines())).abs() < 1e-9, "{view}");
                    }
                }
            }
        }
        assert!(differences > 1000, "{differences}");
    }
}
