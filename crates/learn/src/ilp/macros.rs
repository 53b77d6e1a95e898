//! Macros: a test together with the literals that provide its arguments.
//!
//! A literal that only provides says little by itself, so a search that adds literals one by one
//! goes through many clauses that mean nothing yet. A macro is the shortest chain of providers
//! of the bottom clause that ends in a test: L. Peña Castillo and S. Wrobel, "Macro-operators in
//! multirelational learning: a search-space reduction technique" (2002).
//!
//! ```text
//! minesInSet(SET3, 0)  ->  zoneOfInterest(TILEUK, BOARD, ZONE), setHasXMines(TILEK0, …, SET0),
//!     setHasXMines(TILEK1, …, SET1), diffSetHasXMines(SET1, SET0, SET3), minesInSet(SET3, 0)
//! ```

use super::bottom::Bottom;
use super::clause::{Term, Type};

/// Literals of a bottom clause, in its order.
pub type Chain = Vec<u16>;

/// The macros of a bottom clause: the chains of all literals that end in a test.
pub fn macros(bottom: &Bottom) -> Vec<Chain> {
    let mut macros: Vec<Chain> = Vec::new();
    for literal in 0..bottom.literals().len() {
        if is_test(bottom, literal) {
            for chain in chains(bottom, literal) {
                if !macros.contains(&chain) {
                    macros.push(chain);
                }
            }
        }
    }
    macros
}

/// Whether a literal gives no variable.
fn is_test(bottom: &Bottom, literal: usize) -> bool {
    let mut arguments = bottom.literals()[literal].arguments();
    !arguments.any(|(argument, term)| argument.is_output() && matches!(term, Term::Variable(_)))
}

/// The shortest chains that give all that a literal asks for, with the literal. There are
/// several only where a number has several givers that are equally near.
fn chains(bottom: &Bottom, literal: usize) -> Vec<Chain> {
    let mut chain = vec![literal as u16];
    let mut numbers = Vec::new();
    for (argument, term) in bottom.literals()[literal].arguments() {
        let Term::Variable(variable) = term else { continue };
        if argument.is_output() {
            continue;
        }
        match bottom.givers(variable) {
            [] => {}
            givers if argument.kind() == Type::Number => numbers.extend(givers),
            givers => merge(&mut chain, &chains(bottom, givers[0])[0]),
        }
    }
    if numbers.is_empty() {
        return vec![chain];
    }
    let with = |giver: usize| {
        let mut chain = chain.clone();
        merge(&mut chain, &chains(bottom, giver)[0]);
        chain
    };
    let all: Vec<Chain> = numbers.into_iter().map(with).collect();
    let shortest = all.iter().map(Vec::len).min().expect("there is a giver");
    all.into_iter().filter(|chain| chain.len() == shortest).collect()
}

/// Puts a chain into another.
pub fn merge(chain: &mut Chain, other: &[u16]) {
    for &literal in other {
        if let Err(place) = chain.binary_search(&literal) {
            chain.insert(place, literal);
        }
    }
}
