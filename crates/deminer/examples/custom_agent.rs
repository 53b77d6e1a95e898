//! An agent of your own: it opens safe cells while there are any, then the covered cell that
//! touches the fewest covered cells. It plays a seeded game and prints why it moved.
//!
//! `cargo run -p deminer --example custom_agent`

use deminer::words::describe;
use deminer::{
    Action, Agent, Cell, Decision, FirstClick, GameSeed, Match, Outcome, Rng, Rules, View, Why,
};

struct Cautious;

impl Agent for Cautious {
    /// An agent sees the view, never the mines.
    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        if let Ok(Some(hint)) = deminer::hint(view)
            && hint.safety == 1.0
            && !hint.flagged
        {
            return because("certainly safe", hint.cell);
        }
        let covered = |cell: &Cell| {
            let near = view.shape().neighbors(*cell).iter();
            near.filter(|&&near| view.face(near).is_covered()).count()
        };
        let cell = view.openable().min_by_key(covered).expect("a live game has covered cells");
        because("few covered neighbors", cell)
    }
}

/// Opens a cell for a reason that can be read in the record.
fn because(rule: &'static str, cell: Cell) -> Decision {
    Decision::new(Action::Open(cell), Why::Rule { name: rule.into(), premises: Vec::new() })
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::of("beginner".parse()?)?;
    let mut won = 0;
    for game in 0..20 {
        let seed = GameSeed { seed: 1, game };
        let mut game = Match::new(rules.clone(), FirstClick::Corner, seed);
        while let Some(turn) = game.turn(&mut Cautious) {
            if seed.game == 0 {
                println!("{}", describe(&turn, rules.shape()));
            }
        }
        won += usize::from(game.outcome() == Some(Outcome::Won));
    }
    println!("won {won} of 20 games");
    assert!(won > 10, "safe cells first wins most beginner games");
    Ok(())
}
