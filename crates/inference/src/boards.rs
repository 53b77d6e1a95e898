//! Reads the positions with known answers in `boards/` of the repository, for tests.

use std::collections::HashMap;

/// One position, and for each named rule what it proves there.
pub struct Block {
    pub name: String,
    pub position: String,
    pub answers: HashMap<String, String>,
}

/// The blocks of `boards/small.txt`.
pub fn small() -> Vec<Block> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../boards/small.txt");
    read(&std::fs::read_to_string(path).expect("boards/small.txt of the repository"))
}

fn read(text: &str) -> Vec<Block> {
    text.split("> ").skip(1).map(block).collect()
}

fn block(text: &str) -> Block {
    const HEADERS: [&str; 3] = ["mines", "shape", "clues"];
    let mut lines = text.lines();
    let name = lines.next().expect("a block has a name").to_owned();
    let mut position = String::new();
    let mut answers: HashMap<String, String> = HashMap::new();
    let mut rule: Option<String> = None;
    for line in lines {
        let words = line.starts_with(|symbol: char| symbol.is_ascii_lowercase());
        if words
            && !HEADERS.iter().any(|header| line.starts_with(header))
            && !line.starts_with("s ")
        {
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
