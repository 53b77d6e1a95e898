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
use thiserror::Error;

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

/// A tree, each symbol before its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tree<S>(Vec<S>);

/// A text that is no tree. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct ReadTreeError {
    /// Which line.
    pub line: usize,
    /// Where on it.
    pub column: usize,
    /// What is wrong and what would be right.
    pub fault: String,
}

/// How long lines of a tree are.
const LINE: usize = 90;

/// No text holds a deeper tree: reading one must end.
const DEEPEST: usize = 1000;

impl<S: Symbol> Tree<S> {
    /// The tree of these symbols, each before its arguments.
    ///
    /// # Panics
    /// If they make no tree: whoever makes trees of symbols must get it right.
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
    pub fn read(text: &str) -> Result<Self, ReadTreeError> {
        let mut words = Words { text, line: 1, column: 1 };
        let mut nodes = Vec::new();
        words.tree(&mut nodes, 0)?;
        words.blanks();
        match words.text.chars().next() {
            None => Ok(Self(nodes)),
            Some(symbol) => Err(words.fault(format!("the tree ends before this `{symbol}`"))),
        }
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

struct Words<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Words<'a> {
    fn fault(&self, fault: String) -> ReadTreeError {
        ReadTreeError { line: self.line, column: self.column, fault }
    }

    fn skip(&mut self, bytes: usize) {
        for symbol in self.text[..bytes].chars() {
            if symbol == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.text = &self.text[bytes..];
    }

    fn blanks(&mut self) {
        self.skip(self.text.len() - self.text.trim_start().len());
    }

    fn tree<S: Symbol>(&mut self, nodes: &mut Vec<S>, depth: usize) -> Result<(), ReadTreeError> {
        if depth > DEEPEST {
            return Err(self.fault(format!("the tree is deeper than {DEEPEST}")));
        }
        self.blanks();
        // A leaf may be a pair in parentheses; a function's name follows its own.
        let leaf_end = match self.text.starts_with('(') {
            true => self.text.find(')').map_or(self.text.len(), |at| at + 1),
            false => self
                .text
                .find(|c: char| c.is_whitespace() || c == ')' || c == '(')
                .unwrap_or(self.text.len()),
        };
        let leaf = S::of_name(&self.text[..leaf_end]).filter(|symbol| symbol.arity() == 0);
        if let Some(leaf) = leaf {
            nodes.push(leaf);
            self.skip(leaf_end);
            return Ok(());
        }
        if !self.text.starts_with('(') {
            return Err(self.fault(match self.text.chars().next() {
                None => "the tree ends too early".into(),
                Some(_) => {
                    let word = &self.text[..leaf_end.max(1).min(self.text.len())];
                    format!("`{word}` is not {}", S::expected())
                }
            }));
        }
        self.skip(1);
        self.blanks();
        let name_end = self
            .text
            .find(|c: char| c.is_whitespace() || c == ')' || c == '(')
            .unwrap_or(self.text.len());
        let name = &self.text[..name_end];
        let Some(symbol) = S::of_name(name).filter(|symbol| symbol.arity() > 0) else {
            return Err(self.fault(format!("`{name}` is not {}", S::expected())));
        };
        nodes.push(symbol);
        self.skip(name_end);
        for _ in 0..symbol.arity() {
            self.tree(nodes, depth + 1)?;
        }
        self.blanks();
        if !self.text.starts_with(')') {
            let (name, count) = (symbol.name(), symbol.arity());
            return Err(self.fault(format!("expected `)` after {count} arguments of {name}")));
        }
        self.skip(1);
        Ok(())
    }
}
