//! Trees in plain language: conditions on a path, and the whole as nested conditions.

use super::features::{Column, Meaning};
use super::tree::{Split, Tree};

/// What a path says of one column: the codes it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The column.
    pub column: usize,
    /// The codes left, one bit each.
    pub codes: u32,
}

/// Every code of a column.
fn all_codes(column: &Column) -> u32 {
    (1 << column.codes) - 1
}

/// The codes that an answer leaves of those given.
fn answered(split: &Split, yes: bool, codes: u32) -> u32 {
    (0..32)
        .filter(|&code| codes >> code & 1 == 1 && split.test.admits(code as u8) == yes)
        .fold(0, |left, code| left | 1 << code)
}

/// What the questions on the way to a node say together, in the order in which columns are first
/// asked about: several questions about one column become one condition.
pub fn conditions(tree: &Tree, node: usize) -> Vec<Condition> {
    let mut conditions: Vec<Condition> = Vec::new();
    for (split, yes) in tree.path(node) {
        let known = conditions.iter_mut().find(|known| known.column == split.column);
        match known {
            Some(known) => known.codes = answered(&split, yes, known.codes),
            None => {
                let codes = all_codes(&tree.features().columns()[split.column]);
                let codes = answered(&split, yes, codes);
                conditions.push(Condition { column: split.column, codes });
            }
        }
    }
    conditions
}

impl Condition {
    /// The condition in words, such as `the cell above is 1 to 3`.
    pub fn words(&self, columns: &[Column]) -> String {
        let column = &columns[self.column];
        format!("{} is {}", column.words, codes_in_words(column, self.codes, all_codes(column)))
    }
}

/// The codes left of the possible ones, in words, or those that are not left where they are far
/// fewer.
fn codes_in_words(column: &Column, codes: u32, possible: u32) -> String {
    let left = runs(column, codes);
    let others = runs(column, possible & !codes);
    if others.is_empty() {
        return "anything".into();
    }
    if left.len() > 2 * others.len() { format!("not {}", listed(&others)) } else { listed(&left) }
}

/// Codes in a row, as `1 to 3`; what is no number stands alone.
fn runs(column: &Column, codes: u32) -> Vec<String> {
    let alone = |code: u8| match column.meaning {
        Meaning::Cell => code == 0 || code + 1 == column.codes,
        Meaning::Count | Meaning::Share => code == 0,
    };
    let list: Vec<u8> = (0..column.codes).filter(|code| codes >> code & 1 == 1).collect();
    list.chunk_by(|&one, &next| next == one + 1 && !alone(one) && !alone(next))
        .flat_map(|run| match *run {
            [first, .., last] if run.len() > 2 => {
                vec![format!("{} to {}", column.meaning.word(first), column.meaning.word(last))]
            }
            _ => run.iter().map(|&code| column.meaning.word(code)).collect(),
        })
        .collect()
}

/// `a`, `a or b`, `a, b or c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => "nothing".into(),
        [only] => only.clone(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}

impl Tree {
    /// The question of a node in words, or none at a leaf: what must hold for yes, of what can
    /// still be.
    pub fn question(&self, node: usize) -> Option<String> {
        let split = self.nodes()[node].split?;
        let (yes, _) = self.answers(node, &split);
        Some(format!("{} is {yes}", self.features().columns()[split.column].words))
    }

    /// The two answers to a node's question, in words.
    fn answers(&self, node: usize, split: &Split) -> (String, String) {
        let column = &self.features().columns()[split.column];
        let path = conditions(self, node);
        let known = path.iter().find(|condition| condition.column == split.column);
        let possible = known.map_or(all_codes(column), |condition| condition.codes);
        let words = |yes| codes_in_words(column, answered(split, yes, possible), possible);
        (words(true), words(false))
    }

    /// The tree as nested conditions in plain language, down to this depth.
    pub fn rules(&self, depth: usize) -> String {
        let mut text = String::new();
        self.write_rules(0, 0, depth, &mut text);
        text
    }

    fn write_rules(&self, node: usize, level: usize, depth: usize, text: &mut String) {
        let indent = "  ".repeat(level);
        let tally = &self.nodes()[node].tally;
        let verdict = format!(
            "{} (risk {:.1} %, {} samples)",
            tally.class().name(),
            100.0 * tally.mean_risk(),
            tally.samples(),
        );
        match self.nodes()[node].split {
            None => *text += &format!("{indent}{verdict}\n"),
            Some(_) if level == depth => {
                *text += &format!("{indent}mostly {verdict}; more questions\n");
            }
            Some(split) => {
                let (yes, no) = self.answers(node, &split);
                let whose = &self.features().columns()[split.column].words;
                *text += &format!("{indent}if {whose} is {yes}:\n");
                self.write_rules(node + 1, level + 1, depth, text);
                *text += &format!("{indent}else, if it is {no}:\n");
                self.write_rules(split.no, level + 1, depth, text);
            }
        }
    }
}
