//! Examples: covered cells of views, with their labels.

use std::sync::Arc;

use deminer_game::{Action, Board, Cell, GameSeed, Layout, Purpose, Rng, Rules, Shown, View};
use deminer_inference::deduce::Fact;
use serde::{Deserialize, Serialize};

use super::clause::Target;
use super::situation::{Surveyor, trusted};
use crate::touches_open;

/// A covered cell of a view, and what it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "ExampleDocument", into = "ExampleDocument")]
pub struct Example {
    /// What is seen.
    pub view: Arc<View>,
    /// The covered cell.
    pub cell: Cell,
    /// Safe or a mine; nothing where examples are labeled by what can be known, and that cannot.
    pub label: Option<Fact>,
}

impl Example {
    /// A covered cell of a view, by row and column.
    #[cfg(test)]
    pub(super) fn at(view: &Arc<View>, (row, column): (usize, usize), label: Fact) -> Self {
        let cell = view.shape().cell(row, column).unwrap();
        Self { view: Arc::clone(view), cell, label: Some(label) }
    }
}

/// An example as a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExampleDocument {
    /// The position in text notation.
    board: String,
    /// Row and column.
    cell: [usize; 2],
    label: Option<Target>,
}

impl From<Example> for ExampleDocument {
    fn from(example: Example) -> Self {
        let (row, column) = example.view.shape().position(example.cell);
        let named = |target: &Target| Some(target.fact()) == example.label;
        let label = Target::ALL.into_iter().find(named);
        Self { board: example.view.to_string(), cell: [row, column], label }
    }
}

impl TryFrom<ExampleDocument> for Example {
    type Error = String;

    fn try_from(ExampleDocument { board, cell, label }: ExampleDocument) -> Result<Self, String> {
        let view: View = board.parse().map_err(|error| format!("an example's board: {error}"))?;
        let [row, column] = cell;
        let cell = view.shape().cell(row, column);
        let cell = cell.ok_or_else(|| format!("cell [{row}, {column}] is not on its board"))?;
        if !view.face(cell).is_covered() {
            return Err(format!("cell [{row}, {column}] of an example is not covered"));
        }
        Ok(Self { view: Arc::new(view), cell, label: label.map(Target::fact) })
    }
}

/// What examples are labeled with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Labels {
    /// What the cell is, known or not: the paper's. Cells that cannot be known are noise.
    #[default]
    Content,
    /// What can be known of it, by the exact engine.
    Deducible,
}
deminer_game::words!(Labels, "a kind of label": Content = "content", Deducible = "deducible");

/// Draws examples from boards opened at random.
///
/// A board is dealt and one to twelve of its safe cells are clicked at random, with their
/// cascades; of the mines that some open cell touches, a share is marked, all shares being
/// equally likely from none to three quarters. Where boards are `scattered` as well, three of
/// four show one to forty safe cells wherever they lie, and no marks: no game leads there, but
/// rules are put to harder tests, since many clues stand around cells of which they tell nothing.
/// Every covered cell without a mark that an open cell touches is an example.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// The boards.
    pub rules: Rules,
    /// Which boards.
    pub seed: u64,
    /// What examples are labeled with.
    pub labels: Labels,
    /// Whether covered cells that no open cell touches are examples too.
    pub sea: bool,
    /// Whether three of four boards have cells opened wherever they lie.
    pub scattered: bool,
}

impl Sampler {
    /// The most clicks of a state that was played.
    const CLICKS: usize = 12;

    /// The most open cells of a state that was not.
    const SCATTERED: usize = 40;

    /// A state of a board and its layout. Its number decides everything.
    pub fn state(&self, number: u64) -> (View, Layout) {
        let seed = GameSeed { seed: self.seed, game: number };
        let mut rng = seed.rng(Purpose::Lab);
        let shape = self.rules.shape();
        let first = shape.nth(rng.below(shape.size())).expect("below the size");
        let layout = Layout::deal(&self.rules, seed.derive(Purpose::Layout), first);
        let view = match self.scattered && !number.is_multiple_of(4) {
            true => self.scatter(&layout, &mut rng),
            false => self.play(&layout, &mut rng),
        };
        (view, layout)
    }

    fn play(&self, layout: &Layout, rng: &mut Rng) -> View {
        let mut board = Board::laid(self.rules.clone(), layout.clone(), 0)
            .expect("a layout dealt by these rules");
        for _ in 0..=rng.below(Self::CLICKS) {
            let safe: Vec<Cell> =
                board.view().openable().filter(|&cell| !layout.is_mine(cell)).collect();
            let Some(&cell) = rng.pick(&safe) else { break };
            board.act(Action::Open(cell));
        }
        mark(&mut board, layout, rng);
        board.view().clone()
    }

    fn scatter(&self, layout: &Layout, rng: &mut Rng) -> View {
        let shape = self.rules.shape();
        let mut safe: Vec<Cell> = shape.cells().filter(|&cell| !layout.is_mine(cell)).collect();
        rng.shuffle(&mut safe);
        safe.truncate(1 + rng.below(Self::SCATTERED));
        let mut view = View::new(self.rules.clone());
        for cell in safe {
            view.suppose(cell, Shown::Number(layout.count(cell)));
        }
        view
    }

    /// The examples of a state, row by row.
    pub fn examples(&self, number: u64, surveyor: &mut Surveyor) -> Vec<Example> {
        let (view, layout) = self.state(number);
        let view = Arc::new(view);
        let asked = |&cell: &Cell| self.sea || touches_open(&view, cell);
        let cells: Vec<Cell> = view.openable().filter(asked).collect();
        let content = |cell| Some(if layout.is_mine(cell) { Fact::Mine } else { Fact::Safe });
        let label: Vec<Option<Fact>> = match self.labels {
            Labels::Content => cells.iter().map(|&cell| content(cell)).collect(),
            Labels::Deducible => facts(&view, &cells, surveyor),
        };
        let example = |(&cell, label)| Example { view: Arc::clone(&view), cell, label };
        cells.iter().zip(label).map(example).collect()
    }

    /// At least `count` examples, unless the boards have none, from the states of a stretch of
    /// their own; in random order.
    pub fn draw(&self, stretch: u64, count: usize, surveyor: &mut Surveyor) -> Vec<Example> {
        /// States of a stretch.
        const STRETCH: u64 = 1 << 32;
        let mut examples = Vec::new();
        // Boards that are won at once have no examples.
        for number in 0..64 + 8 * count as u64 {
            if examples.len() >= count {
                break;
            }
            examples.extend(self.examples(stretch * STRETCH + number, surveyor));
        }
        let seed = GameSeed { seed: self.seed, game: stretch * STRETCH + STRETCH - 1 };
        seed.rng(Purpose::Lab).shuffle(&mut examples);
        examples
    }
}

/// Marks a share of the mines that open cells touch.
fn mark(board: &mut Board, layout: &Layout, rng: &mut Rng) {
    const SHARES: usize = 4;
    let share = rng.below(SHARES);
    let view = board.view();
    let markable = |&cell: &Cell| layout.is_mine(cell) && touches_open(view, cell);
    let mines: Vec<Cell> = view.openable().filter(markable).collect();
    for cell in mines {
        if rng.below(SHARES) < share {
            board.act(Action::Flag(cell));
        }
    }
}

/// What can be known of these cells if marks are right. Where the engine gives up, nothing is.
pub(super) fn facts(view: &View, cells: &[Cell], surveyor: &mut Surveyor) -> Vec<Option<Fact>> {
    match surveyor.engine.odds(&trusted(view)) {
        Ok(odds) => cells.iter().map(|&cell| odds.fact(cell)).collect(),
        Err(_) => vec![None; cells.len()],
    }
}
