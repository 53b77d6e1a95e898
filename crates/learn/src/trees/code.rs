//! Trees as programs: one function of nested conditions.

use super::artifact::Artifact;
use super::features::{Features, Meaning};
use super::tree::{Split, Test, Tree};

/// A programming language that trees are written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// Rust.
    Rust,
    /// Python.
    Python,
}
deminer_game::words!(Language, "a language": Rust = "rust", Python = "python");

impl Artifact {
    /// The tree as a function from a window to its class and risk.
    pub fn code(&self, language: Language) -> String {
        let mut text = String::new();
        let comment = match language {
            Language::Rust => "///",
            Language::Python => "#",
        };
        for line in self.about() {
            text += &format!("{comment} {line}\n");
        }
        let features = self.tree.features();
        let (argument, kind) = match features {
            Features::Clues => ("clues", "&Clues"),
            _ => ("window", "&[[i8; 5]; 5]"),
        };
        text += &match language {
            Language::Rust => {
                format!("pub fn judge({argument}: {kind}) -> (&'static str, f64) {{\n")
            }
            Language::Python => format!("def judge({argument}):\n"),
        };
        write_node(&self.tree, language, 0, 1, &mut text);
        if language == Language::Rust {
            text += "}\n";
            if features == Features::Clues {
                text += "\n/// What the numbers around a cell want.\npub struct Clues {\n";
                for column in features.columns() {
                    let words = capital(&column.words);
                    text += &format!("    /// {words}.\n    pub {}: f64,\n", column.name);
                }
                text += "}\n";
            }
        }
        text
    }

    /// What the code does, in a few lines.
    fn about(&self) -> Vec<String> {
        let origin = &self.origin;
        let codes = match self.tree.features() {
            Features::Raw | Features::OneHot => {
                "The window is the 5x5 cells around the one judged, row by row: -1 outside the \
                 board, 0 to 8 the numbers, 9 covered."
            }
            Features::Symmetric => {
                "The window is the 5x5 cells around the one judged, -1 outside the board, 0 to 8 \
                 the numbers, 9 covered, in standard position: turn and mirror it so that its \
                 codes, read from the nearest cells to the farthest, come first."
            }
            Features::Clues => {
                "Of each number around the cell: how many covered cells it sees and the share \
                 of them that are mines, -1 where there is no number; and the 5x5 cells \
                 themselves, -1 outside the board, 0 to 8 the numbers, 9 covered. All in standard \
                 position: turn and mirror the window so that its codes, read from the nearest \
                 cells to the farthest, come first."
            }
        };
        vec![
            format!("What `{}` believes of a covered cell: class and risk.", origin.agent),
            codes.to_owned(),
            format!("Grown by: {}", origin.command),
        ]
    }
}

fn capital(words: &str) -> String {
    let mut symbols = words.chars();
    symbols.next().map_or(String::new(), |first| first.to_uppercase().chain(symbols).collect())
}

fn write_node(tree: &Tree, language: Language, node: usize, level: usize, text: &mut String) {
    let indent = "    ".repeat(level);
    let (open, otherwise) = match language {
        Language::Rust => (" {", "} else "),
        Language::Python => (":", "el"),
    };
    let mut node = node;
    let mut word = "";
    // A no that asks again goes on at the same level.
    while let Some(split) = tree.nodes()[node].split {
        let condition = condition(tree, language, &split);
        *text += &format!("{indent}{word}if {condition}{open}\n");
        write_node(tree, language, node + 1, level + 1, text);
        node = split.no;
        word = otherwise;
    }
    let (class, risk) = (tree.class(node).name(), tree.nodes()[node].tally.mean_risk());
    let verdict = match language {
        Language::Rust => format!("({class:?}, {risk:.6})"),
        Language::Python => format!("return {class:?}, {risk:.6}"),
    };
    *text += &match (language, word.is_empty()) {
        (_, true) => format!("{indent}{verdict}\n"),
        (Language::Rust, false) => {
            format!("{indent}}} else {{\n{indent}    {verdict}\n{indent}}}\n")
        }
        (Language::Python, false) => format!("{indent}else:\n{indent}    {verdict}\n"),
    };
}

fn condition(tree: &Tree, language: Language, split: &Split) -> String {
    let column = &tree.features().columns()[split.column];
    let subject = match (tree.features(), language) {
        (Features::Clues, Language::Rust) => format!("clues.{}", column.name),
        (Features::Clues, Language::Python) => format!("clues[{:?}]", column.name),
        _ => {
            let (row, place) = (split.column / 5, split.column % 5);
            format!("window[{row}][{place}]")
        }
    };
    let symbol = column.meaning.symbol(split.test.code());
    let value = match column.meaning {
        Meaning::Cell if tree.features() != Features::Clues => symbol,
        // All fields of clues are fractional in Rust, since shares are.
        Meaning::Cell | Meaning::Count | Meaning::Share => match symbol.split_once('/') {
            Some((mines, cells)) => format!("{mines}.0 / {cells}.0"),
            None => format!("{symbol}.0"),
        },
    };
    let relation = match split.test {
        Test::AtMost(_) => "<=",
        Test::Is(_) => "==",
    };
    format!("{subject} {relation} {value}")
}
