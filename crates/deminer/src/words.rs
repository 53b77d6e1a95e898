//! Turns as sentences: the action, the reason and the result.

use deminer_game::{
    Action, Alternative, Cell, Decision, Effect, Outcome, Premise, Shape, Turn, Why,
};

use crate::reasons::place;

/// A turn as a sentence without its full stop, cells counted from 0:
/// `open row 3, column 5: the clue at row 2, column 4 proves it safe (single clue); opens 14
/// cells`.
pub fn describe(turn: &Turn, shape: &Shape) -> String {
    let mut sentence = describe_decision(&turn.decision, shape);
    let effect = match turn.effect {
        Effect::Opened(1) | Effect::Flagged => None,
        Effect::Opened(count) => Some(format!("opens {count} cells")),
        Effect::Exploded(mine) if turn.decision.action == Action::Open(mine) => {
            Some("hits a mine".to_owned())
        }
        Effect::Exploded(mine) => Some(format!("hits the mine at {}", place(shape, mine))),
        Effect::Nothing(idle) if turn.decision.action != Action::Decline => {
            Some(format!("changes nothing, since {idle}"))
        }
        Effect::Nothing(_) => None,
    };
    sentence.extend(effect.map(|effect| format!("; {effect}")));
    sentence
}

/// A decision as a sentence without its full stop, before it is carried out.
pub fn describe_decision(decision: &Decision, shape: &Shape) -> String {
    let mut sentence = decision.action.name().to_owned();
    sentence.extend(decision.action.cell().map(|cell| format!(" {}", place(shape, cell))));
    sentence.extend(reason(decision, shape).map(|reason| format!(": {reason}")));
    sentence
}

/// The other moves that an agent considered, a line each: `or row 3, column 5: 79.4 % safe, win
/// chance 41.0 %`.
pub fn describe_alternatives(decision: &Decision, shape: &Shape) -> String {
    let others = decision.alternatives.iter();
    let others = others.filter(|weighed| Some(weighed.cell) != decision.action.cell());
    let line = |weighed: &Alternative| {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let win = weighed.win.map_or(String::new(), |win| format!(", win chance {}", percent(win)));
        format!("or {}: {} safe{win}\n", place(shape, weighed.cell), percent(weighed.safety))
    };
    others.map(line).collect()
}

/// What an outcome means, as a sentence without its full stop.
pub fn describe_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won: every safe cell is open",
        Outcome::Lost => "lost: a mine was opened",
        Outcome::Stuck => "stuck: the agent kept doing nothing",
        Outcome::Undecided => "undecided: the agent declined to go on",
    }
}

fn reason(decision: &Decision, shape: &Shape) -> Option<String> {
    let verdict = match decision.action {
        Action::Flag(_) => "a mine",
        _ => "safe",
    };
    match &decision.why {
        Why::Proved(proof) => {
            let rule = &proof.rule;
            Some(match grounds(&proof.premises, shape) {
                Some((grounds, true)) => format!("{grounds} prove it {verdict} ({rule})"),
                Some((grounds, false)) => format!("{grounds} proves it {verdict} ({rule})"),
                None => format!("proved {verdict} ({rule})"),
            })
        }
        Why::Rule { name, premises } => Some(match grounds(premises, shape) {
            Some((grounds, _)) => format!("rule {name}, from {grounds}"),
            None => format!("rule {name}"),
        }),
        Why::Risk(risk) if *risk <= 0.0 => Some("estimated to be safe".to_owned()),
        Why::Risk(risk) => {
            let chosen = |weighed: &&Alternative| Some(weighed.cell) == decision.action.cell();
            let win = decision.alternatives.iter().find(chosen).and_then(|chosen| chosen.win);
            let win = win.map_or(String::new(), |win| format!(", win chance {:.1} %", 100.0 * win));
            Some(format!("estimated mine risk {:.1} %{win}", 100.0 * risk))
        }
        Why::Start => Some("first click".to_owned()),
        Why::Blind => Some("a blind guess".to_owned()),
        Why::Nothing => None,
    }
}

/// What a conclusion rests on, and whether that is more than one thing.
fn grounds(premises: &[Premise], shape: &Shape) -> Option<(String, bool)> {
    let (mut clues, mut mines, mut safe) = (Vec::new(), Vec::new(), Vec::new());
    for premise in premises {
        match *premise {
            Premise::Clue(cell) => clues.push(cell),
            Premise::Mine(cell) => mines.push(cell),
            Premise::Safe(cell) => safe.push(cell),
            Premise::MineTotal => {}
        }
    }
    let total = premises
        .contains(&Premise::MineTotal)
        .then(|| ("the number of mines left".to_owned(), false));
    let parts = [
        named(&clues, shape, "clue"),
        named(&mines, shape, "known mine"),
        named(&safe, shape, "known safe cell"),
        total,
    ];
    let parts: Vec<(String, bool)> = parts.into_iter().flatten().collect();
    let several = parts.len() > 1 || parts.iter().any(|(_, several)| *several);
    let words: Vec<String> = parts.into_iter().map(|(words, _)| words).collect();
    (!words.is_empty()).then(|| (listed(&words), several))
}

/// The premises of one kind: up to two by their places, more by their number.
fn named(cells: &[Cell], shape: &Shape, noun: &str) -> Option<(String, bool)> {
    match *cells {
        [] => None,
        [cell] => Some((format!("the {noun} at {}", place(shape, cell)), false)),
        [one, two] => {
            Some((format!("the {noun}s at {} and {}", place(shape, one), place(shape, two)), true))
        }
        _ => Some((format!("{} {noun}s", cells.len()), true)),
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deminer_game::{Form, Idle, MovedBy, Proof};

    fn check(action: impl Fn(Cell) -> Action, why: Why, effect: Effect, expected: &str) {
        let shape = Shape::new(Form::Rect, 9, 7).unwrap();
        let decision = Decision::new(action(shape.cell(3, 5).unwrap()), why);
        let turn = Turn { by: MovedBy::Agent, decision, effect };
        assert_eq!(describe(&turn, &shape), expected);
    }

    fn premises(cells: usize) -> Vec<Premise> {
        let shape = Shape::new(Form::Rect, 9, 7).unwrap();
        (0..cells).map(|index| Premise::Clue(shape.nth(22 + index).unwrap())).collect()
    }

    #[test]
    fn proofs_name_their_grounds() {
        let proved = |premises| Why::Proved(Proof::new("single clue", premises));
        check(
            Action::Open,
            proved(premises(1)),
            Effect::Opened(14),
            "open row 3, column 5: the clue at row 2, column 4 proves it safe (single clue); \
             opens 14 cells",
        );
        check(
            Action::Flag,
            proved(premises(2)),
            Effect::Flagged,
            "flag row 3, column 5: the clues at row 2, column 4 and row 2, column 5 prove it \
             a mine (single clue)",
        );
        let mut many = premises(3);
        many.push(Premise::MineTotal);
        check(
            Action::Open,
            proved(many),
            Effect::Opened(1),
            "open row 3, column 5: 3 clues and the number of mines left prove it safe \
             (single clue)",
        );
        check(
            Action::Open,
            proved(vec![Premise::MineTotal]),
            Effect::Opened(1),
            "open row 3, column 5: the number of mines left proves it safe (single clue)",
        );
        check(
            Action::Open,
            proved(Vec::new()),
            Effect::Opened(1),
            "open row 3, column 5: proved safe (single clue)",
        );
    }

    #[test]
    fn guesses_own_up() {
        let mine = Shape::new(Form::Rect, 9, 7).unwrap().cell(3, 5).unwrap();
        check(
            Action::Open,
            Why::Blind,
            Effect::Exploded(mine),
            "open row 3, column 5: a blind guess; hits a mine",
        );
        check(
            Action::Chord,
            Why::Nothing,
            Effect::Exploded(mine),
            "chord row 3, column 5; hits the mine at row 3, column 5",
        );
        check(
            Action::Open,
            Why::Risk(0.1234),
            Effect::Opened(2),
            "open row 3, column 5: estimated mine risk 12.3 %; opens 2 cells",
        );
        check(Action::Open, Why::Start, Effect::Opened(1), "open row 3, column 5: first click");
    }

    #[test]
    fn rules_and_idle_moves_are_told() {
        check(
            Action::Open,
            Why::rule("S-3", premises(1)),
            Effect::Nothing(Idle::Open),
            "open row 3, column 5: rule S-3, from the clue at row 2, column 4; \
             changes nothing, since the cell is already open",
        );
        check(|_| Action::Decline, Why::Nothing, Effect::Nothing(Idle::Declined), "decline");
    }
}
