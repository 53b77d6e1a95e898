//! Boards in text for the tests of the stages.

use deminer_game::{Action, Cell, View};

use super::knowledge::Knowledge;
use super::step::{QueueOrder, Queues};
use crate::parts::pictures::cases;

/// What is known of a position; its flags are trusted.
pub(crate) fn known(position: &str, margin: f64) -> (View, Knowledge) {
    let view: View = position.parse().expect("a position");
    let known = known_of(&view, margin);
    (view, known)
}

/// What is known of a view.
pub(crate) fn known_of(view: &View, margin: f64) -> Knowledge {
    let mut known = Knowledge::default();
    known.begin(view.rules(), true, margin);
    known.follow(view, None);
    known
}

/// Empty queues for a position.
pub(crate) fn queues(view: &View) -> Queues {
    let mut queues = Queues::default();
    queues.begin(view.shape().size());
    queues
}

/// Lets a stage decide cells of positions, and compares them with the pictures beside these: `s`
/// safe, `*` mines.
pub(crate) fn check(pictures: &str, mut stage: impl FnMut(&View, &mut Knowledge, &mut Queues)) {
    for (case, position, answer) in cases(pictures) {
        let (view, mut known) = known(&position, 0.05);
        let mut queues = queues(&view);
        stage(&view, &mut known, &mut queues);
        compare(&case, &view, &known, queues, &answer);
    }
}

/// Compares the cells that wait with the picture of the answer.
pub(crate) fn compare(
    case: &str,
    view: &View,
    known: &Knowledge,
    mut queues: Queues,
    answer: &str,
) {
    let mut symbols: Vec<String> = view.faces().iter().map(|face| face.to_string()).collect();
    while let Some(decision) = queues.next(known, QueueOrder::Queue) {
        let (cell, symbol) = match decision.action {
            Action::Open(cell) => (cell, "s"),
            Action::Flag(cell) => (cell, "*"),
            action => panic!("{action:?} is not what stages decide"),
        };
        let twice = ["s", "*"].contains(&symbols[cell.index()].as_str());
        symbols[cell.index()] = if twice { "both" } else { symbol }.to_owned();
    }
    let expected: String = answer.split_whitespace().collect();
    assert_eq!(symbols.concat(), expected, "{case}\n{view}\nshould be\n{answer}");
}

/// The cell in a row and column.
pub(crate) fn cell(view: &View, row: usize, column: usize) -> Cell {
    view.shape().cell(row, column).expect("on the board")
}
