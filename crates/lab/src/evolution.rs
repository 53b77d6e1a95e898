//! Lessons for genetic programming that need games: positions of play with their truth.

use deminer_game::{At, GameSeed, Match, Purpose, Rules};
use deminer_learn::evolve::gp::Field;

use crate::roster::Spec;

/// Positions of games with these rules, each as a field that asks for the cells next to open
/// ones. Every game gives one, at a moment drawn at random; the lowest risk is played, so the
/// moments reach deep into games.
pub fn positions(rules: &Rules, count: usize, seed: u64) -> Vec<Field> {
    let spec: Spec = "lowest-risk".parse().expect("it is in the roster");
    let mut agent = spec.build().expect("it needs no options");
    let mut fields = Vec::with_capacity(count);
    let mut game = 0;
    while fields.len() < count {
        let seed = GameSeed { seed, game };
        game += 1;
        let mut play = Match::new(rules.clone(), At::Corner, seed);
        let turns = 1 + seed.rng(Purpose::Lab).below(rules.safe_cells() / 2 + 1);
        for _ in 0..turns {
            if play.turn(agent.as_mut()).is_none() {
                break;
            }
        }
        let Some(layout) = play.board().layout().filter(|_| play.outcome().is_none()) else {
            continue;
        };
        let field = Field::of_position(play.board().view(), layout);
        if field.unknown() > 0 {
            fields.push(field);
        }
    }
    fields
}
