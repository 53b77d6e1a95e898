//! Templates: pictures of 5x5 windows in which some cells do not matter.

use std::fmt;
use std::str::FromStr;

use deminer_game::{Cell, View};
use deminer_inference::deduce::Fact;
use thiserror::Error;

/// Cells on a side of a window.
const SIDE: usize = 5;

/// Cells in a window.
const AREA: usize = SIDE * SIDE;

/// The place of the center, row by row.
const CENTER: usize = 12;

/// The places next to the center.
const NEXT: [usize; 8] = [6, 7, 8, 11, 13, 16, 17, 18];

/// For each place the cells of the window around it, one bit each.
const SEEN: [u32; AREA] = {
    let mut seen = [0; AREA];
    let mut place = 0;
    while place < AREA {
        let mut near = 0;
        while near < AREA {
            let down = (place / SIDE).abs_diff(near / SIDE);
            let right = (place % SIDE).abs_diff(near % SIDE);
            if down <= 1 && right <= 1 && place != near {
                seen[place] |= 1 << near;
            }
            near += 1;
        }
        place += 1;
    }
    seen
};

/// The eight ways to turn and mirror a window: where each place goes.
const TURNS: [[usize; AREA]; 8] = {
    let mut turns = [[0; AREA]; 8];
    let mut turn = 0;
    while turn < 8 {
        let mut place = 0;
        while place < AREA {
            let (mut row, mut column) = (place / SIDE, place % SIDE);
            if turn & 1 != 0 {
                row = SIDE - 1 - row;
            }
            if turn & 2 != 0 {
                column = SIDE - 1 - column;
            }
            if turn & 4 != 0 {
                (row, column) = (column, row);
            }
            turns[turn][place] = row * SIDE + column;
            place += 1;
        }
        turn += 1;
    }
    turns
};

/// The places in a mask, in order.
fn places(mask: u32) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|&mask| mask != 0)
        .map(|mask| mask.trailing_zeros() as usize)
}

/// The clues of a window, five bits for each place: 0 where there is none; else one more than
/// the number of mines that the clue lacks, and [`CLOSED`] if all unknown cells around it lie in
/// the window.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Clues(u128);

/// Set in a clue's five bits if it is closed.
const CLOSED: u128 = 16;

impl Clues {
    #[inline]
    fn missing(self, place: usize) -> Option<u8> {
        ((self.0 >> (5 * place)) as u8 & 15).checked_sub(1)
    }

    #[inline]
    fn is_closed(self, place: usize) -> bool {
        self.0 >> (5 * place) & CLOSED != 0
    }

    fn set(&mut self, place: usize, missing: u8, closed: bool) {
        let code = u128::from(missing) + 1 + if closed { CLOSED } else { 0 };
        self.0 |= code << (5 * place);
    }

    /// Where there are clues, one bit each.
    fn places(self) -> u32 {
        (0..AREA).fold(0, |mask, place| mask | u32::from(self.missing(place).is_some()) << place)
    }
}

/// What can be seen in the window around an unknown cell: which cells are unknown, how many
/// mines each clue lacks, and whether it sees unknown cells outside the window.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scene {
    unknown: u32,
    clues: Clues,
}

/// What a scene is made of: an open clue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenClue {
    /// The mines it lacks.
    pub missing: u8,
    /// The unknown cells around it.
    pub unknown: u8,
}

impl Scene {
    /// The window around an unknown cell. What lies outside the board is known to be no mine.
    pub fn around(
        view: &View,
        cell: Cell,
        unknown: impl Fn(Cell) -> bool,
        clue: impl Fn(Cell) -> Option<OpenClue>,
    ) -> Self {
        let mut cells = [None; AREA];
        let mut scene = Self { unknown: 0, clues: Clues::default() };
        for (place, near) in cells.iter_mut().enumerate() {
            *near = at(view, cell, place);
            scene.unknown |= u32::from(near.is_some_and(&unknown)) << place;
        }
        for (place, near) in cells.iter().enumerate() {
            if let Some(clue) = near.and_then(&clue).filter(|clue| clue.unknown > 0) {
                let inside = (scene.unknown & SEEN[place]).count_ones();
                // A clue that lacks nothing lacks nothing outside either.
                let closed = clue.missing == 0 || u32::from(clue.unknown) <= inside;
                scene.clues.set(place, clue.missing, closed);
            }
        }
        scene
    }

    /// The cells at some places of the window around a cell.
    pub fn cells(view: &View, cell: Cell, mask: u32) -> impl Iterator<Item = Cell> {
        places(mask).filter_map(move |place| at(view, cell, place))
    }

    /// The clues next to the center, one bit for each place.
    pub fn next(&self) -> u32 {
        self.clues.places() & SEEN[CENTER]
    }

    /// The same with what they lack.
    pub(super) fn next_clues(&self) -> impl Iterator<Item = (usize, u8)> {
        NEXT.into_iter().filter_map(|place| Some((place, self.clues.missing(place)?)))
    }

    /// The clues that share an unknown cell with the clue at a place, one bit for each.
    pub fn tied(&self, place: usize) -> u32 {
        let shares =
            |other: &usize| *other != place && SEEN[place] & SEEN[*other] & self.unknown != 0;
        places(self.clues.places()).filter(shares).fold(0, |mask, other| mask | 1 << other)
    }

    /// The part of the scene that its clues see.
    pub fn all(&self) -> Template {
        self.part(self.clues.places())
    }

    /// The part of the scene that some of its clues see, and nothing else.
    pub fn part(&self, clues: u32) -> Template {
        let mut template = Template { clues: Clues::default(), mask: 0, known: 0, unknown: 0 };
        let mut seen = 0;
        for place in places(clues) {
            seen |= SEEN[place];
            template.mask |= 31 << (5 * place);
        }
        seen &= !(1 << CENTER);
        template.clues = Clues(self.clues.0 & template.mask);
        template.known = seen & !self.unknown & !clues;
        template.unknown = seen & self.unknown;
        template
    }
}

/// The cell at a place of the window around a cell.
fn at(view: &View, cell: Cell, place: usize) -> Option<Cell> {
    let (down, right) = ((place / SIDE) as isize - 2, (place % SIDE) as isize - 2);
    view.shape().offset(cell, down, right)
}

/// Some clues of a window, how many mines each lacks, and which cells must be known and which
/// unknown. The others do not matter.
///
/// ```text
/// _ _ _ _ _      # unknown: covered, and nothing proved of it; the center always is
/// A 2 _ _ _      0-8 a clue that still needs this many mines, all of them in the window
/// _ _ # _ _      A-H a clue that lacks 1-8 mines, whether in the window or not
/// _ _ x _ _      x known: open, proved or outside the board
/// _ _ _ _ _      _ anything
/// ```
///
/// In text the five rows are joined by `/`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Template {
    clues: Clues,
    /// The bits of the clues that matter.
    mask: u128,
    known: u32,
    unknown: u32,
}

impl Template {
    /// Where its clues are, one bit for each place.
    pub fn clues(self) -> u32 {
        self.clues.places()
    }

    /// Where the first of its clues next to the center is, and what it lacks.
    pub(super) fn first_next(self) -> Option<(usize, u8)> {
        let place = places(self.clues() & SEEN[CENTER]).next()?;
        Some((place, self.clues.missing(place)?))
    }

    /// Whether a scene looks like it.
    #[inline]
    pub fn matches(&self, scene: &Scene) -> bool {
        scene.unknown & (self.known | self.unknown) == self.unknown
            && (self.clues.0 ^ scene.clues.0) & self.mask == 0
    }

    /// A scene with just what it names.
    pub fn scene(self) -> Scene {
        Scene { unknown: self.unknown | 1 << CENTER, clues: self.clues }
    }

    /// The same, whichever cells are unknown: those that are known must still be.
    pub fn without_unknown(self) -> Self {
        Self { unknown: 0, ..self }
    }

    /// Only its clues: neither known nor unknown cells matter.
    pub fn bare(self) -> Self {
        Self { known: 0, unknown: 0, ..self }
    }

    /// The same asking one thing less, in all ways: that a clue further out is closed, or that a
    /// cell is known.
    pub fn relaxed(self) -> impl Iterator<Item = Self> {
        let further = places(self.clues() & !SEEN[CENTER]);
        let closed = further.filter(move |&place| {
            self.clues.is_closed(place) && self.clues.missing(place) != Some(0)
        });
        let opened = closed.map(move |place| self.opened(place));
        let known = places(self.known);
        opened.chain(known.map(move |place| Self { known: self.known & !(1 << place), ..self }))
    }

    /// The same whether or not a clue sees unknown cells outside the window.
    fn opened(self, place: usize) -> Self {
        let bit = CLOSED << (5 * place);
        Self { clues: Clues(self.clues.0 & !bit), mask: self.mask & !bit, ..self }
    }

    /// The same with nothing asked of clues that are not closed but what they lack.
    pub fn settled(self) -> Self {
        places(self.clues())
            .filter(|&place| !self.clues.is_closed(place))
            .fold(self, |template, place| template.opened(place))
    }

    /// The template turned and mirrored in all eight ways, itself first.
    pub fn turned(self) -> [Template; 8] {
        TURNS.map(|turn| {
            let moved = |mask: u32| places(mask).fold(0, |moved, place| moved | 1 << turn[place]);
            let clue = |bits: u128| {
                places(self.clues())
                    .fold(0, |moved, place| moved | (bits >> (5 * place) & 31) << (5 * turn[place]))
            };
            Template {
                clues: Clues(clue(self.clues.0)),
                mask: clue(self.mask),
                known: moved(self.known),
                unknown: moved(self.unknown),
            }
        })
    }

    /// The same for all templates that are turns of one another.
    pub fn upright(self) -> Template {
        self.turned().into_iter().min().expect("eight turns")
    }

    /// What the template proves of the center, by trying all ways to put mines into the cells
    /// of the window that are not known. Cells seen by the same clues are filled together.
    pub fn verdict(self) -> Option<Fact> {
        let clues: Vec<usize> = places(self.clues()).collect();
        let free = !(self.known | self.clues() | 1 << CENTER);
        let mut groups: Vec<(u32, i8)> = Vec::new();
        let seen = clues.iter().fold(0, |seen, &place| seen | SEEN[place]);
        for cell in places(seen & free) {
            let sees = |(number, &place): (usize, &usize)| (SEEN[place] >> cell & 1) << number;
            let seen_by = clues.iter().enumerate().map(sees).sum();
            match groups.iter_mut().find(|(clues, _)| *clues == seen_by) {
                Some((_, cells)) => *cells += 1,
                None => groups.push((seen_by, 1)),
            }
        }
        let fits = |center: i8| {
            let mut missing: Vec<i8> = Vec::with_capacity(clues.len());
            missing.extend(clues.iter().map(|&place| {
                let sees = (SEEN[place] >> CENTER & 1) as i8;
                self.clues.missing(place).map_or(0, |missing| missing as i8) - sees * center
            }));
            let closed = clues.iter().map(|&place| self.clues.is_closed(place));
            fills(&groups, &mut missing, &closed.collect::<Vec<_>>())
        };
        match (fits(0), fits(1)) {
            (true, false) => Some(Fact::Safe),
            (false, true) => Some(Fact::Mine),
            _ => None,
        }
    }
}

/// Whether mines can be put into groups of cells so that no clue gets more than it lacks, and
/// closed clues get all of it.
fn fills(groups: &[(u32, i8)], missing: &mut [i8], closed: &[bool]) -> bool {
    if missing.iter().any(|&missing| missing < 0) {
        return false;
    }
    let Some((&(clues, cells), rest)) = groups.split_first() else {
        return missing.iter().zip(closed).all(|(&missing, &closed)| missing == 0 || !closed);
    };
    (0..=cells).any(|mines| {
        places(clues).for_each(|clue| missing[clue] -= mines);
        let found = fills(rest, missing, closed);
        places(clues).for_each(|clue| missing[clue] += mines);
        found
    })
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in 0..AREA {
            if place > 0 && place % SIDE == 0 {
                f.write_str("/")?;
            }
            let symbol = match self.clues.missing(place) {
                Some(missing) if self.clues.is_closed(place) => (b'0' + missing) as char,
                Some(missing) => (b'@' + missing) as char,
                None if place == CENTER || self.unknown >> place & 1 == 1 => '#',
                None if self.known >> place & 1 == 1 => 'x',
                None => '_',
            };
            write!(f, "{symbol}")?;
        }
        Ok(())
    }
}

/// The text is no template.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "`{0}` is not a template (five rows of five joined by `/`: # in the center, elsewhere a clue \
     0-8 or A-H, # x or _)"
)]
pub struct ParseTemplateError(String);

impl FromStr for Template {
    type Err = ParseTemplateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut template = Template { clues: Clues::default(), mask: 0, known: 0, unknown: 0 };
        for (place, symbol) in text.chars().filter(|&symbol| symbol != '/').enumerate().take(AREA) {
            match symbol {
                _ if place == CENTER => {}
                '#' => template.unknown |= 1 << place,
                'x' => template.known |= 1 << place,
                '0'..='8' => {
                    template.clues.set(place, symbol as u8 - b'0', true);
                    template.mask |= 31 << (5 * place);
                }
                'A'..='H' => {
                    template.clues.set(place, symbol as u8 - b'@', false);
                    template.mask |= 15 << (5 * place);
                }
                _ => {}
            }
        }
        // What was not understood is not written back.
        (template.to_string() == text).then_some(template).ok_or(ParseTemplateError(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Rng, View};

    use super::*;

    /// Checks what a picture proves of its center.
    fn check(picture: &str, expected: Option<Fact>) {
        let template: Template = rows(picture).parse().unwrap();
        for turned in template.turned() {
            assert_eq!(turned.verdict(), expected, "{turned}");
            assert_eq!(turned.upright(), template.upright());
        }
        assert_eq!(template.to_string(), rows(picture));
    }

    fn rows(picture: &str) -> String {
        let row = |row: &str| row.split_whitespace().collect::<String>();
        picture.lines().map(row).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn clues_prove_what_the_center_is() {
        // A clue that lacks nothing proves safety.
        check("_ _ _ _ _\n_ 0 _ _ _\n_ _ # _ _\n_ _ _ _ _\n_ _ _ _ _", Some(Fact::Safe));
        check("_ _ _ _ _\n_ 1 _ _ _\n_ _ # _ _\n_ _ _ _ _\n_ _ _ _ _", None);
        // A clue with one cell left proves a mine.
        check("x x x _ _\nx 1 x _ _\nx x # _ _\n_ _ _ _ _\n_ _ _ _ _", Some(Fact::Mine));
        check("x x x _ _\nx 1 x _ _\nx # # _ _\n_ _ _ _ _\n_ _ _ _ _", None);
        // A closed clue has all its mines in the window.
        check("_ 1 _ _ _\n_ 1 _ _ _\n_ _ # _ _\n_ _ _ _ _\n_ _ _ _ _", Some(Fact::Safe));
        check("_ A _ _ _\n_ 1 _ _ _\n_ _ # _ _\n_ _ _ _ _\n_ _ _ _ _", None);
        // An open clue has no more than its mines in the window.
        check("_ A _ _ _\n_ 2 _ _ _\nx x # _ _\n_ _ _ _ _\n_ _ _ _ _", Some(Fact::Mine));
        check("_ B _ _ _\n_ 2 _ _ _\nx x # _ _\n_ _ _ _ _\n_ _ _ _ _", None);
        // Three clues may be needed.
        check("_ _ _ _ _\n_ 1 2 1 _\n_ _ # _ _\n_ _ _ _ _\n_ _ _ _ _", Some(Fact::Safe));
    }

    #[test]
    fn only_templates_are_read() {
        for text in ["", "#", "_____/_____/__x__/_____/_____", "_____/_9___/__#__/_____/_____"] {
            assert!(text.parse::<Template>().is_err(), "{text}");
        }
    }

    /// The scene around a cell of a position, nothing being known but what is open.
    fn scene(position: &str, row: usize, column: usize) -> Scene {
        let view: View = position.parse().unwrap();
        let unknown = |cell: Cell| view.face(cell).is_covered();
        let clue = |cell: Cell| {
            let missing = view.face(cell).clue()?.exact()?;
            let near = view.shape().neighbors(cell).iter();
            Some(OpenClue { missing, unknown: near.filter(|near| unknown(**near)).count() as u8 })
        };
        Scene::around(&view, view.shape().cell(row, column).unwrap(), unknown, clue)
    }

    #[test]
    fn a_scene_is_what_its_clues_see() {
        let position = "mines 2\n# # # # #\n1 1 ? ? ?\n. 1 # # #";
        let all = scene(position, 0, 2).all();
        assert_eq!(all.to_string(), rows("_ _ _ _ _\n_ _ _ _ _\n# # # _ _\n1 1 x _ _\nx 1 # _ _"));
        // The clue on the left sees the corner, which is outside this window.
        let right = scene(position, 0, 3).all();
        assert_eq!(
            right.to_string(),
            rows("_ _ _ _ _\n_ _ _ _ _\n# # # _ _\nA x _ _ _\n1 # _ _ _")
        );
    }

    #[test]
    fn templates_match_the_scenes_they_are_part_of() {
        let scene = scene("mines 2\n# # # # #\n1 1 ? ? ?\n. 1 # # #", 0, 2);
        let matches = |picture: &str| rows(picture).parse::<Template>().unwrap().matches(&scene);
        assert!(scene.all().matches(&scene));
        assert!(matches("_ _ _ _ _\n_ _ _ _ _\n_ _ # _ _\n1 1 _ _ _\n_ _ _ _ _"));
        assert!(matches("_ _ _ _ _\n_ _ _ _ _\n_ _ # _ _\nA 1 _ _ _\n_ _ _ _ _"));
        assert!(matches("_ _ _ _ _\nx x x _ _\n_ # # _ _\n_ 1 _ _ _\n_ _ _ _ _"));
        assert!(!matches("_ _ _ _ _\n_ _ _ _ _\n_ _ # _ _\n_ 2 _ _ _\n_ _ _ _ _"));
        assert!(!matches("_ _ _ _ _\n_ _ _ _ _\n_ x # _ _\n_ 1 _ _ _\n_ _ _ _ _"));
    }

    /// Verdicts agree with trying every filling of the cells one by one.
    #[test]
    fn verdicts_are_those_of_all_fillings() {
        let mut rng = Rng::new(5);
        let mut found = [0; 3];
        for _ in 0..400 {
            let mut template = Template { clues: Clues::default(), mask: 0, known: 0, unknown: 0 };
            for place in [6, 7, 1, 8, 11] {
                if rng.below(2) == 0 {
                    template.clues.set(place, rng.below(3) as u8, rng.below(3) > 0);
                }
            }
            template.known = rng.bits() as u32 & rng.bits() as u32 | rng.bits() as u32 & 0x1f;
            template.known &= !(template.clues() | 1 << CENTER) & ((1 << AREA) - 1);
            let free: Vec<usize> = places(((1 << AREA) - 1) & !template.known & !template.clues())
                .filter(|&place| places(template.clues()).any(|clue| SEEN[clue] >> place & 1 == 1))
                .collect();
            if free.len() > 12 || !free.contains(&CENTER) {
                continue;
            }
            let mut fits = [false; 2];
            for filling in 0u32..1 << free.len() {
                let mines = free.iter().enumerate().filter(|(bit, _)| filling >> bit & 1 == 1);
                let mines: u32 = mines.map(|(_, place)| 1 << place).sum();
                let holds = places(template.clues()).all(|clue| {
                    let count = (SEEN[clue] & mines).count_ones() as u8;
                    let missing = template.clues.missing(clue).unwrap();
                    count == missing || count < missing && !template.clues.is_closed(clue)
                });
                fits[(mines >> CENTER & 1) as usize] |= holds;
            }
            let expected = match fits {
                [true, false] => Some(Fact::Safe),
                [false, true] => Some(Fact::Mine),
                _ => None,
            };
            assert_eq!(template.verdict(), expected, "{template}");
            found[expected.map_or(0, |fact| 1 + fact as usize)] += 1;
        }
        assert!(found.iter().all(|&found| found > 5), "{found:?}");
    }
}
