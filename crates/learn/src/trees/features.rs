//! The questions that a tree may ask about the 5x5 window around a cell.
//!
//! A window is 25 codes, as the paper has them: −1 outside the board, 0 to 8 the numbers, 9
//! covered. Their order means little (is a covered cell more than an 8?), so trees may also ask
//! for single codes, for the window turned to a standard position, or for what the numbers still
//! want.

use std::cmp::Ordering;
use std::sync::LazyLock;

use deminer_game::{Cell, Face, HexWindowError, Shown, View, Window};
use serde::{Deserialize, Serialize};

use super::tree::Test;

/// The codes of a window, row by row, four bits each: the paper's codes plus one, so that
/// outside is 0, the numbers are 1 to 9 and covered is 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Codes(u128);

const OUTSIDE: u8 = 0;
const COVERED: u8 = 10;
/// Codes a cell of a window can have.
const CELL_CODES: u8 = 11;
/// The cell in the middle of a window.
const CENTER: usize = Window::AREA / 2;

impl Codes {
    /// The codes around a cell. Flags are covered cells, and so is an open cell that shows no
    /// number: nothing is known of what it counts.
    pub fn around(view: &View, cell: Cell) -> Result<Self, HexWindowError> {
        Ok(Self::of_window(&Window::around(view, cell)?))
    }

    /// The codes of a window.
    pub fn of_window(window: &Window) -> Self {
        Self::of(window.panes.map(|pane| match pane {
            None => OUTSIDE,
            Some(Face::Open { shown: Shown::Number(number), .. }) => number + 1,
            Some(Face::Open { shown: Shown::Blank, .. } | Face::Covered | Face::Flagged) => COVERED,
            Some(Face::Mine) => COVERED,
        }))
    }

    fn of(codes: [u8; Window::AREA]) -> Self {
        let packed = codes.iter().rev().fold(0, |packed, &code| packed << 4 | u128::from(code));
        Self(packed)
    }

    #[inline]
    fn get(self, place: usize) -> u8 {
        (self.0 >> (4 * place)) as u8 & 15
    }
}

/// What a tree may ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Features {
    /// The 25 codes, by their order: the paper's.
    #[default]
    Raw,
    /// The 25 codes, one at a time: is this cell a 3?
    OneHot,
    /// The 25 codes of the window turned and mirrored to its standard position, by their order.
    /// The eight images of a window are one and the same.
    Symmetric,
    /// What the numbers around the cell still want, and the window, in standard position too.
    Clues,
}
deminer_game::words!(
    Features, "a set of features":
    Raw = "raw",
    OneHot = "one-hot",
    Symmetric = "symmetric",
    Clues = "clues",
);

impl Features {
    /// What there is to ask about.
    pub fn columns(self) -> &'static [Column] {
        static CELLS: LazyLock<Vec<Column>> = LazyLock::new(cell_columns);
        static CLUES: LazyLock<Vec<Column>> = LazyLock::new(clue_columns);
        match self {
            Features::Raw | Features::OneHot | Features::Symmetric => &CELLS,
            Features::Clues => &CLUES,
        }
    }

    /// The question that singles a code out, or parts the codes at it.
    pub const fn test(self, code: u8) -> Test {
        match self {
            Features::OneHot => Test::Is(code),
            Features::Raw | Features::Symmetric | Features::Clues => Test::AtMost(code),
        }
    }

    /// The code of each column for a window.
    pub fn extract(self, codes: Codes, row: &mut Vec<u8>) {
        row.clear();
        match self {
            Features::Raw | Features::OneHot => {
                row.extend((0..Window::AREA).map(|place| codes.get(place)));
            }
            Features::Symmetric => {
                row.extend(standard_position(codes).iter().map(|&place| codes.get(place)));
            }
            Features::Clues => wants(codes, row),
        }
    }

    /// The places in a window, row by row, that a column looks at.
    pub fn places(self, column: usize, codes: Codes) -> Vec<usize> {
        match self {
            Features::Raw | Features::OneHot => vec![column],
            Features::Symmetric => vec![standard_position(codes)[column]],
            Features::Clues => {
                let image = standard_position(codes);
                let wanting = CLUE_SUMMARIES + RING.len() * WANTS;
                match column {
                    summary if summary < CLUE_SUMMARIES => RING.to_vec(),
                    clue if clue < wanting => vec![image[RING[(clue - CLUE_SUMMARIES) / WANTS]]],
                    cell => vec![image[cell - wanting]],
                }
            }
        }
    }
}

/// One thing a tree may ask about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name in files and code, such as `cell_1_2`: row 1, column 2 of the window.
    pub name: String,
    /// Its name in sentences, such as `the cell above`.
    pub words: String,
    /// What its codes mean.
    pub meaning: Meaning,
    /// How many codes it has, from 0.
    pub codes: u8,
}

/// What the codes of a column mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A cell: outside, a number, or covered.
    Cell,
    /// A count: none where there is no number to count for, then 0, 1 and so on.
    Count,
    /// A share of cells that are mines: none where there is no number, then all fractions with
    /// denominators up to 8, smallest first.
    Share,
}

impl Meaning {
    /// A code as files and programs write it: the paper's own for cells, −1 for no number.
    pub fn symbol(self, code: u8) -> String {
        match self {
            Meaning::Share if code > 0 => {
                let (mines, cells) = SHARES[usize::from(code) - 1];
                format!("{mines}/{cells}")
            }
            Meaning::Cell | Meaning::Count | Meaning::Share => (i16::from(code) - 1).to_string(),
        }
    }

    /// A code in words.
    pub fn word(self, code: u8) -> String {
        match (self, code) {
            (Meaning::Cell, OUTSIDE) => "outside the board".into(),
            (Meaning::Cell, COVERED) => "covered".into(),
            (Meaning::Count | Meaning::Share, 0) => "no number".into(),
            (Meaning::Cell | Meaning::Count, code) => (code - 1).to_string(),
            (Meaning::Share, code) => match SHARES[usize::from(code) - 1] {
                (mines, 1) => mines.to_string(),
                (mines, cells) => format!("{mines}/{cells}"),
            },
        }
    }
}

fn cell_columns() -> Vec<Column> {
    let column = |place: usize| Column {
        name: format!("cell_{}_{}", place / Window::SIDE, place % Window::SIDE),
        words: direction(place),
        meaning: Meaning::Cell,
        codes: CELL_CODES,
    };
    (0..Window::AREA).map(column).collect()
}

/// Where a cell of the window lies, seen from the middle.
fn direction(place: usize) -> String {
    if place == CENTER {
        return "the cell itself".into();
    }
    let part = |steps: usize, before: &str, after: &str| match steps {
        0 => Some(format!("two {before}")),
        1 => Some(before.to_owned()),
        2 => None,
        3 => Some(after.to_owned()),
        _ => Some(format!("two {after}")),
    };
    let down = part(place / Window::SIDE, "above", "below");
    let right = part(place % Window::SIDE, "left", "right");
    let near = |word: &Option<String>| word.as_ref().is_none_or(|word| !word.contains(' '));
    match (near(&down) && near(&right), down, right) {
        (true, Some(down), Some(right)) => format!("the cell {down} {right}"),
        (false, Some(down), Some(right)) => format!("the cell {down}, {right}"),
        (_, down, right) => format!("the cell {}", down.or(right).expect("not the middle")),
    }
}

/// The images of a place under the eight symmetries of the square. Of images that look alike the
/// first is taken, so their order decides which clues a player names.
static SYMMETRIES: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    let mut symmetries = deminer_game::symmetries(Window::SIDE, Window::SIDE);
    symmetries.swap(5, 6);
    symmetries
});

/// The places of a window from the nearest to the farthest: those that touch the middle by a
/// side, by a corner, and so on.
const BY_DISTANCE: [usize; Window::AREA] =
    [12, 7, 11, 13, 17, 6, 8, 16, 18, 2, 10, 14, 22, 1, 3, 5, 9, 15, 19, 21, 23, 0, 4, 20, 24];

/// The symmetry that brings a window to its standard position: the one whose codes, read from
/// the nearest cell to the farthest, come first.
fn standard_position(codes: Codes) -> &'static [usize] {
    let read = |image: &&Vec<usize>| {
        BY_DISTANCE.iter().fold(0u128, |key, &place| key << 4 | u128::from(codes.get(image[place])))
    };
    SYMMETRIES.iter().min_by_key(read).expect("there are eight")
}

/// Columns of clues that tell of all numbers together.
const CLUE_SUMMARIES: usize = 3;
/// Columns of clues for each cell around: the share it wants and the covered cells it sees. The
/// number itself is the window's.
const WANTS: usize = 2;

/// The eight cells that touch the middle, nearest first.
const RING: [usize; 8] = [7, 11, 13, 17, 6, 8, 16, 18];

/// How many numbers there are, the least and the greatest share they want, what each of the
/// eight cells around wants when it is a number, and the window itself.
fn clue_columns() -> Vec<Column> {
    let column = |name: String, words: String, meaning| {
        let codes = if meaning == Meaning::Share { SHARES.len() as u8 + 1 } else { 10 };
        Column { name, words, meaning, codes }
    };
    let mut columns =
        vec![column("numbers".into(), "how many numbers touch the cell".into(), Meaning::Count)];
    for (name, which) in [("least_share", "smallest"), ("greatest_share", "greatest")] {
        let words = format!("the {which} share of mines a number wants");
        columns.push(column(name.into(), words, Meaning::Share));
    }
    for place in RING {
        let (row, side, cell) = (place / Window::SIDE, place % Window::SIDE, direction(place));
        let share = format!("the share of mines {cell} wants");
        columns.push(column(format!("share_{row}_{side}"), share, Meaning::Share));
        let covered = format!("the covered cells {cell} sees");
        columns.push(column(format!("covered_{row}_{side}"), covered, Meaning::Count));
    }
    columns.extend(cell_columns());
    columns
}

/// The shares of mines that up to eight cells can have, smallest first: all fractions with
/// denominators up to 8.
static SHARES: LazyLock<Vec<(u8, u8)>> = LazyLock::new(|| {
    let mut shares: Vec<(u8, u8)> =
        (1..=8).flat_map(|cells| (0..=cells).map(move |mines| (mines, cells))).collect();
    // A stable sort: of equal shares the one with the smallest denominator stays.
    shares.sort_by(|&a, &b| compare(a, b));
    shares.dedup_by(|a, b| compare(*a, *b).is_eq());
    shares
});

/// The code of each share, by mines and cells; 0 means no number.
static SHARE_CODES: LazyLock<[[u8; 9]; 9]> = LazyLock::new(|| {
    std::array::from_fn(|mines| {
        std::array::from_fn(|cells| {
            let share = (mines as u8, cells as u8);
            let rank = SHARES.iter().position(|&known| cells > 0 && compare(known, share).is_eq());
            rank.map_or(0, |rank| rank as u8 + 1)
        })
    })
});

fn compare(a: (u8, u8), b: (u8, u8)) -> Ordering {
    (u16::from(a.0) * u16::from(b.1)).cmp(&(u16::from(b.0) * u16::from(a.1)))
}

/// The cells around each cell of a window, one bit each.
static NEAR: LazyLock<[u32; Window::AREA]> = LazyLock::new(|| {
    std::array::from_fn(|place| {
        let (row, column) = (place / Window::SIDE, place % Window::SIDE);
        let near = |other: &usize| {
            let (down, right) = (other / Window::SIDE, other % Window::SIDE);
            *other != place && down.abs_diff(row) <= 1 && right.abs_diff(column) <= 1
        };
        (0..Window::AREA).filter(near).fold(0, |cells, other| cells | 1 << other)
    })
});

/// What the numbers around the cell want, in the window's standard position.
///
/// All that a number touching the middle sees lies in the window, so it is known among how many
/// cells its mines are. A number that wants all of them makes the middle a mine, one that wants
/// none clears it, and no single number proves more: each of them sees the middle.
///
/// ```text
/// . . . . .     the middle is the covered cell in row 2, column 2: the 1 above left of it sees
/// . 1 1 2 #     that cell alone, so it wants 1 of 1; the 1 above wants 1 of 2, the 2 above
/// . 1 # # #     right 2 of 4, the 1 left and the one below it 1 of 2
/// . 1 # # #
/// ```
fn wants(codes: Codes, row: &mut Vec<u8>) {
    let image = standard_position(codes);
    let covered = (0..Window::AREA)
        .filter(|&place| codes.get(place) == COVERED)
        .fold(0u32, |cells, place| cells | 1 << place);
    row.extend([0; CLUE_SUMMARIES]);
    let (mut numbers, mut least, mut greatest) = (0, u8::MAX, 0);
    for place in RING {
        let place = image[place];
        let code = codes.get(place);
        if code == OUTSIDE || code == COVERED {
            row.extend([0; WANTS]);
            continue;
        }
        let seen = (NEAR[place] & covered).count_ones() as u8;
        let share = SHARE_CODES[usize::from((code - 1).min(seen))][usize::from(seen)];
        numbers += 1;
        least = least.min(share);
        greatest = greatest.max(share);
        row.extend([share, seen + 1]);
    }
    let least = if numbers > 0 { least } else { 0 };
    row[..CLUE_SUMMARIES].copy_from_slice(&[numbers + 1, least, greatest]);
    row.extend(image.iter().map(|&place| codes.get(place)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(position: &str, row: usize, column: usize) -> Codes {
        let view: View = position.parse().unwrap();
        Codes::around(&view, view.shape().cell(row, column).unwrap()).unwrap()
    }

    fn row(features: Features, codes: Codes) -> Vec<u8> {
        let mut row = Vec::new();
        features.extract(codes, &mut row);
        row
    }

    #[test]
    fn codes_are_the_papers() {
        let codes = codes("mines 3\n# 2 F\n1 # .", 1, 1);
        let raw: Vec<String> =
            row(Features::Raw, codes).iter().map(|&code| Meaning::Cell.symbol(code)).collect();
        let rows: Vec<String> = raw.chunks(5).map(|row| row.join(" ")).collect();
        assert_eq!(
            rows,
            ["-1 -1 -1 -1 -1", "-1 9 2 9 -1", "-1 1 9 0 -1", "-1 -1 -1 -1 -1", "-1 -1 -1 -1 -1"]
        );
    }

    #[test]
    fn every_image_of_a_window_has_the_same_symmetric_features() {
        let upright = codes(
            "mines 9
             1 2 # # .
             # 3 # 1 .
             # # # 2 1
             2 # 1 # #
             # # . 1 #",
            2,
            2,
        );
        for image in SYMMETRIES.iter() {
            let turned = Codes::of(std::array::from_fn(|place| upright.get(image[place])));
            for features in [Features::Symmetric, Features::Clues] {
                assert_eq!(row(features, turned), row(features, upright));
            }
        }
        assert_eq!(SYMMETRIES.iter().collect::<std::collections::HashSet<_>>().len(), 8);
    }

    /// The least and greatest share that numbers around a cell want.
    fn check(position: &str, at: (usize, usize), least: &str, greatest: &str) {
        let row = row(Features::Clues, codes(position, at.0, at.1));
        let share = |code: u8| Meaning::Share.symbol(code);
        assert_eq!((share(row[1]), share(row[2])), (least.into(), greatest.into()), "{position}");
    }

    #[test]
    fn a_number_wants_what_it_misses_of_what_it_sees() {
        check("mines 3\n# # #\n# 1 #\n# # #", (0, 0), "1/8", "1/8");
        check("mines 3\n# 2 # #\n# 1 # #\n# # # #", (0, 0), "1/7", "1/2");
        check("mines 3\n# # #\n# # #\n# # 1", (0, 0), "-1", "-1");
        // A share of one is a mine, a share of none is safe.
        let position = "mines 4
                        . . . . .
                        . 1 1 2 #
                        . 1 # # #
                        . 1 # # #";
        check(position, (2, 2), "1/2", "1/1");
        check("mines 2\n# 1 .\n2 2 .\n# 1 .", (0, 0), "1/1", "1/1");
        check("mines 2\n# . .\n1 . .\n# 1 .", (0, 0), "0/1", "1/2");
    }

    #[test]
    fn columns_have_names_of_their_own_and_codes_in_range() {
        let position = "mines 9\n1 2 # # .\n# 3 # 1 .\n# # # 2 1\n2 # 1 # #";
        for features in Features::ALL {
            let columns = features.columns();
            let names: std::collections::HashSet<&str> =
                columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(names.len(), columns.len());
            let window = codes(position, 2, 2);
            let row = row(features, window);
            assert_eq!(row.len(), columns.len());
            for (place, (code, column)) in row.iter().zip(columns).enumerate() {
                assert!(*code < column.codes, "{}", column.name);
                assert!(!features.places(place, window).is_empty());
            }
            assert_eq!(features.name().parse(), Ok(features));
        }
        assert!("hot".parse::<Features>().is_err());
    }

    #[test]
    fn places_are_named_from_the_middle() {
        let names: Vec<&str> =
            Features::Raw.columns().iter().map(|column| column.words.as_str()).collect();
        assert_eq!(names[7], "the cell above");
        assert_eq!(names[6], "the cell above left");
        assert_eq!(names[10], "the cell two left");
        assert_eq!(names[9], "the cell above, two right");
        assert_eq!(names[20], "the cell two below, two left");
        assert_eq!(Features::Raw.columns()[7].name, "cell_1_2");
    }
}
