//! Learning from play: a theory plays, and where it guesses although something is sure, by the
//! exact engine, that is a counterexample.
//!
//! Examples are labeled by what can be known, so nothing is noise: whatever a rule covers beyond
//! the provable refutes it.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;

use deminer_game::{Action, Cell, Decision, FirstClick, GameSeed, Match, Rules, Why};
use deminer_inference::deduce::Fact;

use super::agent::{MioPlayer, Rulebook};
use super::example::{Example, facts};
use super::situation::Surveyor;
use super::theory::Theory;
use crate::parallel::in_order_with;

/// What was seen of a theory at play.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Openings of cells that may be mines, by no rule, although another was surely safe.
    pub unneeded: usize,
    /// Openings by a rule of cells that were not surely safe, and marks of cells that were not
    /// surely mines.
    pub wrong: usize,
    /// Positions where the theory had nothing to say although something was sure, or said
    /// something wrong: all their unmarked covered cells.
    pub examples: Vec<Example>,
}

/// Watches a theory play these games, each turn judged by the exact engine. The same for any
/// number of threads.
pub fn watch(
    theory: &Theory,
    rules: &Rules,
    at: FirstClick,
    seed: u64,
    games: Range<u64>,
    threads: NonZero<usize>,
) -> Watched {
    let rulebook = Arc::new(Rulebook::new(theory));
    let begin = || (MioPlayer::new(Arc::clone(&rulebook), Decision::anywhere), Surveyor::default());
    let count = games.end.saturating_sub(games.start) as usize;
    let seen = in_order_with(threads, count, begin, |(player, surveyor), number| {
        let game_seed = GameSeed { seed, game: games.start + number as u64 };
        watch_game(player, rules, at, game_seed, surveyor)
    });
    let mut all = Watched::default();
    for watched in seen {
        all.unneeded += watched.unneeded;
        all.wrong += watched.wrong;
        all.examples.extend(watched.examples);
    }
    all
}

fn watch_game(
    player: &mut MioPlayer,
    rules: &Rules,
    at: FirstClick,
    seed: GameSeed,
    surveyor: &mut Surveyor,
) -> Watched {
    let mut game = Match::new(rules.clone(), at, seed);
    let mut watched = Watched::default();
    while let Some((_, decision)) = game.ask(player) {
        let view = game.board().view();
        let guess = decision.why.is_guess();
        let ruled = matches!(decision.why, Why::Rule { .. });
        if (guess || ruled) && !view.opened().is_empty() {
            let cells: Vec<Cell> = view.openable().collect();
            let known = facts(view, &cells, surveyor);
            let fact =
                |cell: Cell| known[cells.binary_search(&cell).expect("covered cells are in order")];
            let sure = known.contains(&Some(Fact::Safe));
            let unproved = match decision.action {
                Action::Open(cell) => fact(cell) != Some(Fact::Safe),
                Action::Flag(cell) => fact(cell) != Some(Fact::Mine),
                _ => false,
            };
            let wrong = ruled && unproved;
            watched.unneeded += usize::from(guess && unproved && sure);
            watched.wrong += usize::from(wrong);
            if wrong || (guess && known.iter().any(Option::is_some)) {
                let view = Arc::new(view.clone());
                let example = |(&cell, &label): (&Cell, &Option<Fact>)| Example {
                    view: Arc::clone(&view),
                    cell,
                    label,
                };
                watched.examples.extend(cells.iter().zip(&known).map(example));
            }
        }
        game.carry_out(&decision);
    }
    watched
}
