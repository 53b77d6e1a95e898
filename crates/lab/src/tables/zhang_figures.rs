//! Zhang et al.: the whole board beside the player's view, as the authors' program shows it.

use deminer_draw::{BoardPicture, Look};
use deminer_game::{Board, FirstClick, GameSeed, Match, Rules, Start};

use super::{Findings, Plan, Study, Table, Target, Work, ZHANG, rules};

pub const TABLE: Table = Table {
    id: "s001-figures",
    title: "What the player sees, and the whole board",
    place: "the graphical interface",
    about: "`cs520` on a board of 32x32 cells with 10 % of the clues hidden, one cell for each move \
            as in the paper, drawn when half of the safe cells are open: 16-pixel tiles, a number \
            beside every 16th row and column. A clue that the player does not see has a `?` on the \
            left and a dot on the right. `deminer play --full` draws any game so.",
    plan,
    ..Table::of(&ZHANG)
};

const PICTURE: &str = "player-and-board";
const BOARD: &str = "32x32x102";

fn plan(plan: &mut Plan) {
    let figures = plan.study(Study::new("figures", 1, |work| Some(draw(work))));
    for (measure, name) in [("safe cells open", "open"), ("clues hidden", "hidden")] {
        let of = move |found: &super::Found| found.mean(name);
        plan.found(figures, [BOARD, "cs520", measure], of, Target::None).in_numbers();
    }
    plan.pictures(figures, &[PICTURE]);
}

fn blind() -> Rules {
    let clues = "blind:0.1".parse().expect("a clue rule");
    rules(BOARD, Start::Safe).with_cascade(false).with_clues(clues)
}

/// A game of the agent until half of the safe cells are open: the first that gets so far.
fn half_open(work: &Work<'_>) -> Board {
    let mut player = work.agent("cs520");
    for game in 0.. {
        let seed = GameSeed { seed: work.seed, game };
        let mut game = Match::new(blind(), FirstClick::Agent, seed);
        while game.turn(player.as_mut()).is_some() {
            let view = game.board().view();
            if 2 * view.opened().len() >= view.rules().safe_cells() && game.outcome().is_none() {
                return game.board().clone();
            }
        }
    }
    unreachable!("games do not end")
}

fn draw(work: &Work<'_>) -> Findings {
    let board = half_open(work);
    let look = Look { heat: None, tile: Some(16.0), ruler: Some(16), ..Look::default() };
    let player = BoardPicture::new(board.view()).look(look);
    let scene = player.beside(&BoardPicture::full(&board));
    let mut findings = Findings::default();
    findings.push("open", board.view().opened().len() as f64);
    let hidden = board.view().opened().iter();
    let hidden = hidden.filter(|&&cell| board.view().face(cell).to_string() == "?").count();
    findings.push("hidden", hidden as f64);
    findings.texts.insert(PICTURE.into(), scene.svg());
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::study::testing::work_on;

    #[test]
    fn half_of_the_board_is_open_and_hidden_clues_are_marked() {
        work_on(1, |work| {
            let findings = draw(work);
            let safe = 32 * 32 - 102;
            let open = findings.numbers["open"][0];
            assert!((f64::from(safe) / 2.0..f64::from(safe)).contains(&open), "{open}");
            let hidden = findings.numbers["hidden"][0];
            assert!(hidden > 0.0 && hidden < 0.25 * open, "{hidden} of {open}");
            let svg = &findings.texts[PICTURE];
            // Each dot on the whole board is one circle of this size.
            assert_eq!(svg.matches("r=\"1.76\"").count(), hidden as usize);
        });
    }
}
