//! Trees of symbols as flat arrays, with a text form.
//!
//! ```text
//! (numCheck (0,1) (edgeCheck (2,0) (1,-1)))  ->  numCheck (0,1) edgeCheck (2,0) (1,-1)
//! ```
//!
//! A symbol stands before its arguments, so a subtree is a run of neighboring nodes, and crossing
//! two trees is copying three runs.

use std::fmt;

use deminer_game::Rng;
use serde::{Deserialize, Serialize};

use crate::cursor::{Cursor, run};
use crate::header::ReadArtifactError;

/// A node of a tree: a function with some arguments, or a leaf.
pub trait Symbol: Copy + PartialEq {
    /// How many arguments it takes.
    fn arity(&self) -> usize;

    /// Its name in text: no blanks, and no parentheses around functions.
    fn name(&self) -> String;

    /// The symbol of a name.
    fn of_name(name: &str) -> Option<Self>;

    /// What would be right where no symbol was found.
    fn expected() -> String;
}

/// A tree, each symbol before its arguments. In documents it is its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String", bound = "S: Symbol")]
pub struct Tree<S>(Vec<S>);

/// How long lines of a tree are.
const LINE: usize = 90;

/// No text holds a deeper tree: reading one must end.
const DEEPEST: usize = 1000;

impl<S: Symbol> Tree<S> {
    /// The tree of these symbols, each before its arguments.
    ///
    /// # Panics
    /// If they make no tree: the caller must get it right.
    pub fn new(nodes: Vec<S>) -> Self {
        assert_eq!(end(&nodes, 0), nodes.len(), "one tree and nothing after it");
        Self(nodes)
    }

    /// Grows a tree at random: `draw` picks the symbol for a depth, counted from 0 at the root.
    pub fn grow(mut draw: impl FnMut(usize) -> S) -> Self {
        let mut nodes = Vec::new();
        let mut open = vec![0];
        while let Some(depth) = open.pop() {
            let symbol = draw(depth);
            nodes.push(symbol);
            open.extend(std::iter::repeat_n(depth + 1, symbol.arity()));
        }
        Self(nodes)
    }

    /// The symbols, each before its arguments.
    pub fn nodes(&self) -> &[S] {
        &self.0
    }

    /// Where the subtree of a node ends.
    pub fn end(&self, node: usize) -> usize {
        end(&self.0, node)
    }

    /// The depth of each node; that of the root is 0.
    pub fn depths(&self) -> Vec<usize> {
        let mut open = vec![0];
        let mut depth_of = |symbol: &S| {
            let depth = open.pop().expect("every node is an argument of another");
            open.extend(std::iter::repeat_n(depth + 1, symbol.arity()));
            depth
        };
        self.0.iter().map(&mut depth_of).collect()
    }

    /// The depth of the deepest node.
    pub fn depth(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0)
    }

    /// Writes this tree with the subtree of a node replaced over another tree.
    pub fn replaced(&self, node: usize, by: &[S], out: &mut Self) {
        out.0.clear();
        out.0.extend_from_slice(&self.0[..node]);
        out.0.extend_from_slice(by);
        out.0.extend_from_slice(&self.0[self.end(node)..]);
    }

    /// Writes two trees over two others: these, with a subtree each exchanged.
    pub fn exchange([one, other]: [(&Self, usize); 2], out: [&mut Self; 2]) {
        let [first, second] = out;
        let part = |(tree, node): (&Self, usize)| node..tree.end(node);
        one.0.replaced(one.1, &other.0.0[part(other)], first);
        other.0.replaced(other.1, &one.0.0[part(one)], second);
    }

    /// A node at random.
    pub fn pick(&self, rng: &mut Rng) -> usize {
        rng.below(self.0.len())
    }

    /// The tree as text on as many lines as it takes: a subtree that fits stands on one line, the
    /// arguments of others below each other.
    pub fn pretty(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            let end = self.end(at);
            let whole = Self(self.0[at..end].to_vec()).to_string();
            text += &"  ".repeat(open.len());
            if whole.len() + 2 * open.len() > LINE {
                text += &format!("({}\n", self.0[at].name());
                open.push(end);
                at += 1;
                continue;
            }
            text += &whole;
            at = end;
            while open.last() == Some(&at) {
                open.pop();
                text.push(')');
            }
            text.push('\n');
        }
        text
    }

    /// Reads a tree; it may stand on many lines, and the text ends with it.
    pub fn read(text: &str) -> Result<Self, ReadArtifactError> {
        Self::read_from(text, 1)
    }

    /// Reads a tree whose text begins on this line of its file.
    pub(super) fn read_from(text: &str, line: usize) -> Result<Self, ReadArtifactError> {
        let mut cursor = Cursor::new(text, line);
        let mut nodes = Vec::new();
        read_subtree(&mut cursor, &mut nodes, 0)?;
        cursor.skip_while(char::is_whitespace);
        match cursor.rest.chars().next() {
            None => Ok(Self(nodes)),
            Some(symbol) => Err(cursor.wrong(format!("the tree ends before this `{symbol}`"))),
        }
    }
}

impl<S: Symbol> TryFrom<String> for Tree<S> {
    type Error = ReadArtifactError;

    fn try_from(text: String) -> Result<Self, ReadArtifactError> {
        Self::read(&text)
    }
}

impl<S: Symbol> From<Tree<S>> for String {
    fn from(tree: Tree<S>) -> Self {
        tree.to_string()
    }
}

fn end<S: Symbol>(nodes: &[S], node: usize) -> usize {
    let (mut at, mut open) = (node, 1);
    while open > 0 {
        open += nodes[at].arity();
        open -= 1;
        at += 1;
    }
    at
}

impl<S: Symbol> fmt::Display for Tree<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // How many arguments each function that is not closed yet still waits for.
        let mut open: Vec<usize> = Vec::new();
        for (at, symbol) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            if symbol.arity() > 0 {
                write!(f, "({}", symbol.name())?;
                open.push(symbol.arity());
                continue;
            }
            f.write_str(&symbol.name())?;
            while let Some(waiting) = open.last_mut() {
                *waiting -= 1;
                if *waiting > 0 {
                    break;
                }
                f.write_str(")")?;
                open.pop();
            }
        }
        Ok(())
    }
}

fn read_subtree<S: Symbol>(
    cursor: &mut Cursor<'_>,
    nodes: &mut Vec<S>,
    depth: usize,
) -> Result<(), ReadArtifactError> {
    if depth > DEEPEST {
        return Err(cursor.wrong(format!("the tree is deeper than {DEEPEST}")));
    }
    cursor.skip_while(char::is_whitespace);
    let word = |text| run(text, |c| !(c.is_whitespace() || c == '(' || c == ')'));
    // A leaf may be a pair in parentheses; a function's name follows its own.
    let text = cursor.rest;
    let in_parentheses = text.starts_with('(');
    let leaf = match in_parentheses {
        true => &text[..text.find(')').map_or(text.len(), |at| at + 1)],
        false => word(text),
    };
    if let Some(symbol) = S::of_name(leaf).filter(|symbol| symbol.arity() == 0) {
        nodes.push(symbol);
        cursor.skip(leaf.len());
        return Ok(());
    }
    if text.is_empty() {
        return Err(cursor.wrong("the tree ends too early"));
    }
    if !in_parentheses {
        let found = if leaf.is_empty() { ")" } else { leaf };
        return Err(cursor.wrong(format!("`{found}` is not {}", S::expected())));
    }
    cursor.skip(1);
    cursor.skip_while(char::is_whitespace);
    let name = word(cursor.rest);
    let Some(symbol) = S::of_name(name).filter(|symbol| symbol.arity() > 0) else {
        return Err(cursor.wrong(format!("`{name}` is not {}", S::expected())));
    };
    nodes.push(symbol);
    cursor.skip(name.len());
    for _ in 0..symbol.arity() {
        read_subtree(cursor, nodes, depth + 1)?;
    }
    cursor.skip_while(char::is_whitespace);
    if !cursor.rest.starts_with(')') {
        let (name, count) = (symbol.name(), symbol.arity());
        return Err(cursor.wrong(format!("expected `)` after {count} arguments of {name}")));
    }
    cursor.skip(1);
    Ok(())
}
