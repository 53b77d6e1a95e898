//! Fields with unknown cells that a tree fills in.

use deminer_game::{Face, Form, Layout, Rng, Rules, Shape, Shown, Start, View};

/// What a cell of a field is, or is taken for, as in the paper.
pub type Code = i8;

/// Nothing is known or believed.
pub const UNKNOWN: Code = -5;
/// Empty, next to a number.
pub const TOUCHING: Code = -2;
/// A mine.
pub const MINE: Code = -1;
/// Empty, no number near.
pub const EMPTY: Code = 0;
/// Beyond the border.
pub const OUTSIDE: Code = 99;

/// Whether it is a number.
#[inline]
pub fn is_number(code: Code) -> bool {
    (1..=8).contains(&code)
}

/// A field: what is seen, and what the rest is.
///
/// ```text
/// layout      seen        truth
/// . . . . .   - - 1 1 1   0 -2 . . .
/// . . . * .   - - 1 - 1   0 -2 . -1 .
/// . . . . .   - - 1 1 1   0 -2 . . .
/// ```
///
/// Codes lie row by row with a border around, so that neighbors need no care.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) seen: Vec<Code>,
    pub(super) truth: Vec<Code>,
    /// The cells to be filled in, in the order in which trees visit them.
    pub(super) inputs: Vec<(i16, i16)>,
    /// Whether offsets before the first row or column count from the other side.
    pub(super) wraps: bool,
    /// What is around each place at first.
    pub(super) around: Vec<Around>,
}

/// What is around a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Around {
    /// Cells that are no numbers.
    pub others: u8,
    /// Cells with negative codes: not known to be free.
    pub negative: u8,
    /// Cells taken for mines.
    pub mines: u8,
    /// Whether there is a number.
    pub number: bool,
}

/// Points for a mine that is right, for an empty cell that is right, and for one that is only
/// empty of another kind.
const POINTS: [u32; 3] = [5, 2, 1];

impl Field {
    /// A field with this many mines at random.
    ///
    /// # Panics
    /// If the board is empty or has more mines than cells.
    pub fn deal(height: usize, width: usize, mines: usize, rng: &mut Rng) -> Self {
        let shape = Shape::new(Form::Rect, width, height).expect("a field has cells");
        let rules = Rules::starting(shape, mines, Start::Unsafe).expect("the mines fit the field");
        let first = rules.shape().nth(0).expect("a field has cells");
        Self::of(&Layout::deal(&rules, rng.bits(), first))
    }

    /// The field of a layout, with all its numbers seen.
    pub fn of(layout: &Layout) -> Self {
        let shape = layout.shape();
        let number = |cell| if layout.is_mine(cell) { 0 } else { layout.count(cell) as Code };
        let mut field = Self::covered(shape.height(), shape.width());
        for cell in shape.cells() {
            let (row, column) = shape.position(cell);
            let place = field.place(row, column);
            let near_number = || shape.neighbors(cell).iter().any(|&near| number(near) > 0);
            let truth = match number(cell) {
                0 if layout.is_mine(cell) => MINE,
                0 if near_number() => TOUCHING,
                number => number,
            };
            field.truth[place] = truth;
            if is_number(truth) {
                field.seen[place] = truth;
            }
        }
        field.look_around();
        field
    }

    /// What a player sees: open numbers, open zeros, and covered cells to be classified. Those
    /// that no open cell touches are unknown but not visited. The truth is left open.
    pub fn of_view(view: &View) -> Self {
        let shape = view.shape();
        let mut field = Self::covered(shape.height(), shape.width());
        for cell in shape.cells() {
            let (row, column) = shape.position(cell);
            let place = field.place(row, column);
            field.seen[place] = match view.face(cell) {
                Face::Open { shown: Shown::Number(0), .. } => EMPTY,
                Face::Open { shown: Shown::Number(number), .. } => number as Code,
                // Known to be free; it says no more.
                Face::Open { shown: Shown::Blank, .. } => EMPTY,
                Face::Mine => MINE,
                Face::Covered | Face::Flagged => UNKNOWN,
            };
        }
        field.look_around();
        let near_open = |&input: &(i16, i16)| {
            let around = field.around(field.input(input));
            around.iter().any(|&near| (0..=8).contains(&field.seen[near]))
        };
        field.inputs = field.inputs.iter().copied().filter(near_open).collect();
        field
    }

    /// The position of a game, with the truth of every cell that is not seen: for lessons in
    /// play. Only cells next to open ones are asked for.
    pub fn of_position(view: &View, layout: &Layout) -> Self {
        let mut field = Self::of_view(view);
        for cell in view.shape().cells() {
            let (row, column) = view.shape().position(cell);
            let place = field.place(row, column);
            let code = if layout.is_mine(cell) { MINE } else { TOUCHING };
            field.truth[place] =
                if view.face(cell).is_covered() { code } else { field.seen[place] };
        }
        field
    }

    fn covered(height: usize, width: usize) -> Self {
        let mut seen = vec![OUTSIDE; (height + 2) * (width + 2)];
        for row in 0..height {
            let start = (row + 1) * (width + 2) + 1;
            seen[start..start + width].fill(UNKNOWN);
        }
        let truth = seen.clone();
        Self { height, width, seen, truth, inputs: Vec::new(), wraps: false, around: Vec::new() }
    }

    /// Lists what is unknown, and counts what is around each place.
    fn look_around(&mut self) {
        let mut around = vec![Around::default(); self.seen.len()];
        let cells = (0..self.height as i16)
            .flat_map(|row| (0..self.width as i16).map(move |column| (row, column)));
        self.inputs =
            cells.clone().filter(|&cell| self.seen[self.input(cell)] == UNKNOWN).collect();
        for place in cells.map(|cell| self.input(cell)) {
            let code = self.seen[place];
            for near in self.around(place) {
                let near = &mut around[near];
                near.number |= is_number(code);
                near.others += u8::from(!is_number(code));
                near.negative += u8::from(code < 0);
                near.mines += u8::from(code == MINE);
            }
        }
        self.around = around;
    }

    /// The same as its authors' program has it: mines are visited first, the first cell far from
    /// numbers is shown, and offsets that leave the field at the top or the left come back at the
    /// other side.
    pub fn original(mut self) -> Self {
        self.wraps = true;
        let mut places = self.inputs.iter().map(|&input| self.input(input));
        if let Some(place) = places.find(|&place| self.truth[place] == EMPTY) {
            self.seen[place] = EMPTY;
            self.look_around();
        }
        let mut inputs = std::mem::take(&mut self.inputs);
        inputs.sort_by_key(|&input| self.truth[self.input(input)] != MINE);
        Self { inputs, ..self }
    }

    /// The codes that are seen: the paper's dummy field.
    pub fn seen(&self) -> &[Code] {
        &self.seen
    }

    /// The codes that are true: the paper's perfect field.
    pub fn truth(&self) -> &[Code] {
        &self.truth
    }

    /// The codes of the field, row by row, without the border.
    pub fn rows<'a>(&self, codes: &'a [Code]) -> impl Iterator<Item = &'a [Code]> {
        let width = self.width;
        (0..self.height).map(|row| self.place(row, 0)).map(move |at| &codes[at..at + width])
    }

    /// How many cells are to be filled in.
    pub fn unknown(&self) -> usize {
        self.inputs.len()
    }

    /// The place of a cell among the codes.
    pub fn place(&self, row: usize, column: usize) -> usize {
        (row + 1) * (self.width + 2) + column + 1
    }

    /// The place of a cell to be filled in.
    pub(super) fn input(&self, (row, column): (i16, i16)) -> usize {
        self.place(row as usize, column as usize)
    }

    /// The places around one; some may lie outside.
    #[inline]
    pub(super) fn around(&self, place: usize) -> [usize; 8] {
        let stride = self.width + 2;
        let (above, below) = (place - stride, place + stride);
        [above - 1, above, above + 1, place - 1, place + 1, below - 1, below, below + 1]
    }

    /// What codes are worth, as a share of the most they could be.
    pub fn score(&self, codes: &[Code]) -> f64 {
        let [mine, right, kind] = POINTS;
        let (mut points, mut most) = (0, 0);
        for place in self.inputs.iter().map(|&input| self.input(input)) {
            let (truth, code) = (self.truth[place], codes[place]);
            most += if truth == MINE { mine } else { right };
            points += match (truth, code) {
                (MINE, MINE) => mine,
                (TOUCHING, TOUCHING) | (EMPTY, EMPTY) => right,
                (TOUCHING, EMPTY) | (EMPTY, TOUCHING) => kind,
                _ => 0,
            };
        }
        if most == 0 { 1.0 } else { f64::from(points) / f64::from(most) }
    }

    /// The share of the cells to be filled in that codes leave unknown.
    pub fn left_unknown(&self, codes: &[Code]) -> f64 {
        let unknown = |input: &&(i16, i16)| codes[self.input(**input)] == UNKNOWN;
        let left = self.inputs.iter().filter(unknown).count();
        left as f64 / self.inputs.len().max(1) as f64
    }

    /// Codes as text, row by row: numbers, `*` mines, `-` empty next to a number, `.` empty far
    /// from any, `#` unknown.
    pub fn picture(&self, codes: &[Code]) -> String {
        let symbol = |code: Code| match code {
            MINE => '*',
            TOUCHING => '-',
            EMPTY => '.',
            number if is_number(number) => char::from(b'0' + number as u8),
            _ => '#',
        };
        let row = |row: usize| -> String {
            let cells = (0..self.width).map(|column| symbol(codes[self.place(row, column)]));
            cells.flat_map(|symbol| [symbol, ' ']).collect::<String>().trim_end().to_owned() + "\n"
        };
        (0..self.height).map(row).collect()
    }
}
