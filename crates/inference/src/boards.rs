//! Positions for tests: those with known answers in `boards/` of the repository, and random ones.

use std::collections::HashMap;

use deminer_game::{Action, Board, Cell, ClueRule, Rng, View};

use crate::deduce::Fact;

/// Clue rules for random boards, exact clues twice as often as others.
pub const CLUES: [ClueRule; 6] = [
    ClueRule::Exact,
    ClueRule::Exact,
    ClueRule::Blind(0.3),
    ClueRule::Optimistic,
    ClueRule::Cautious,
    ClueRule::CautiousDegree,
];

/// Compares a position with its picture, in which some cells have other symbols.
pub fn check_drawn(view: &View, symbol: impl Fn(Cell) -> Option<char>, expected: &str) {
    let symbol = |cell| symbol(cell).map_or_else(|| view.face(cell).to_string(), String::from);
    let found: String = view.shape().cells().map(symbol).collect();
    assert_eq!(found, expected.split_whitespace().collect::<String>(), "{view}");
}

/// Compares what is proved of covered cells, `s` safe and `*` mine, with the picture.
pub fn check_facts(view: &View, fact: impl Fn(Cell) -> Option<Fact>, expected: &str) {
    let symbol = |cell| match fact(cell).filter(|_| view.face(cell).is_covered())? {
        Fact::Safe => Some('s'),
        Fact::Mine => Some('*'),
    };
    check_drawn(view, symbol, expected);
}

/// Opens the safe ones of this number of cells, drawn at random.
pub fn open_some(board: &mut Board, rng: &mut Rng, cells: usize) {
    let shape = board.view().shape().clone();
    for _ in 0..cells {
        let cell = shape.nth(rng.below(shape.size())).unwrap();
        if !board.hides_mine(cell) {
            board.act(Action::Open(cell));
        }
    }
}

/// One position, and for each named rule what it proves there.
pub struct Block {
    pub name: String,
    pub position: String,
    pub answers: HashMap<String, String>,
}

/// The blocks of `boards/small.txt`.
pub fn small() -> Vec<Block> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../boards/small.txt");
    let text = std::fs::read_to_string(path).expect("boards/small.txt of the repository");
    text.split("> ").skip(1).map(block).collect()
}

fn block(text: &str) -> Block {
    const NO_RULES: [&str; 4] = ["mines", "shape", "clues", "s "];
    let mut lines = text.lines();
    let name = lines.next().expect("a block has a name").to_owned();
    let mut position = String::new();
    let mut answers: HashMap<String, String> = HashMap::new();
    let mut rule: Option<String> = None;
    for line in lines {
        let words = line.starts_with(|symbol: char| symbol.is_ascii_lowercase());
        if words && !NO_RULES.iter().any(|start| line.starts_with(start)) {
            rule = Some(line.to_owned());
            continue;
        }
        let part = match &rule {
            Some(rule) => answers.entry(rule.clone()).or_default(),
            None => &mut position,
        };
        part.push_str(line);
        part.push('\n');
    }
    Block { name, position, answers }
}
