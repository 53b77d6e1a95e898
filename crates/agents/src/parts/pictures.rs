//! Test helper: draws a decision on the position it was made in.

use deminer_game::{
    Action, Board, Cell, Decision, Entry, FirstClick, Form, GameSeed, Match, Options, Rng, Rules,
    Shape, Start, Value, View,
};
use deminer_inference::odds::Engine;

/// The name, the position and the expected answer of each case, drawn side by side:
///
/// ```text
/// > the 2 needs the cell on the right
/// mines 2
/// # # # #  ->  s # # *
/// ? 1 2 ?      ? 1 2 ?
/// ```
pub fn cases(pictures: &str) -> Vec<(String, String, String)> {
    let mut cases: Vec<(String, String, String)> = Vec::new();
    for line in pictures.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("> ") {
            cases.push((name.to_owned(), String::new(), String::new()));
            continue;
        }
        let (_, position, answer) = cases.last_mut().expect("a case begins with its name");
        let row = line.replace("->", "  ");
        let (left, right) = row.split_once("   ").unwrap_or((&row, ""));
        *position += &format!("{left}\n");
        *answer += &format!("{}\n", right.trim());
    }
    cases
}

/// Compares a position with its picture, in which some cells have other symbols.
pub fn check_drawn(view: &View, symbol: impl Fn(Cell) -> Option<String>, expected: &str) {
    let symbol = |cell| symbol(cell).unwrap_or_else(|| view.face(cell).to_string());
    let found: Vec<String> = view.shape().cells().map(symbol).collect();
    assert_eq!(found, expected.split_whitespace().collect::<Vec<_>>(), "{view}");
}

/// A small board of any shape, some of its safe cells open.
pub fn small_board(rng: &mut Rng, clues: &[&str], start: Start) -> Board {
    let shape = Shape::new(Form::ALL[rng.below(3)], 2 + rng.below(4), 1 + rng.below(4)).unwrap();
    let mines = 1 + rng.below(shape.size() - 1);
    let rules = Rules::starting(shape.clone(), mines, start).unwrap();
    let rules = rules.with_clues(clues[rng.below(clues.len())].parse().unwrap());
    let rules = rules.with_cascade(rng.below(2) == 0);
    let mut board = Board::dealt(rules, GameSeed { seed: rng.bits(), game: 0 });
    for _ in 0..rng.below(shape.size()) {
        let cell = shape.nth(rng.below(shape.size())).unwrap();
        if !board.hides_mine(cell) {
            board.act(Action::Open(cell));
        }
    }
    board
}

/// What a new agent decides on a position.
pub struct Decided {
    pub view: View,
    pub decision: Decision,
}

/// Lets a new agent decide on a position, its random numbers being those of seed 1.
pub fn decide(entry: &Entry, options: &[(&'static str, Value)], position: &str) -> Decided {
    decide_on(entry, options, position.parse().expect("a position"))
}

/// The same for a view.
pub fn decide_on(entry: &Entry, options: &[(&'static str, Value)], view: View) -> Decided {
    let mut agent = (entry.build)(&Options::new(options.to_vec())).expect("an agent");
    agent.begin(view.rules());
    let decision = agent.decide(&view, &mut Rng::new(1));
    Decided { view, decision }
}

/// How far the risks are from the exact odds that an agent sees at its guesses, on average, in
/// some games on 9x9 boards with 10 mines.
pub fn distance_from_exact(entry: &Entry, options: &[(&'static str, Value)]) -> f64 {
    let rules = Rules::of("9x9x10".parse().expect("a board")).expect("a board");
    let mut agent = (entry.build)(&Options::new(options.to_vec())).expect("an agent");
    let mut engine = Engine::default();
    let (mut sum, mut cells) = (0.0, 0);
    for game in 0..20 {
        let mut game = Match::new(rules.clone(), FirstClick::Corner, GameSeed { seed: 1, game });
        while let Some((_, decision)) = game.ask(agent.as_mut()) {
            if let Some(estimates) = &decision.estimates {
                let view = game.board().view();
                let odds = engine.odds(view).expect("a position of a game");
                for cell in view.covered() {
                    let (said, exact) = (estimates.mine(cell), odds.mine(cell));
                    sum += (said.expect("a risk") - exact.expect("odds")).abs();
                    cells += 1;
                }
            }
            game.carry_out(&decision);
        }
    }
    sum / f64::from(cells)
}

impl Decided {
    /// Compares the action with its picture: the position with `o` where a cell is opened, `f`
    /// where one is flagged and `u` where a flag is taken away.
    pub fn does(&self, expected: &str) -> &Self {
        let drawn = |cell| match self.decision.action {
            Action::Open(acted) if acted == cell => Some("o".to_owned()),
            Action::Flag(acted) if acted == cell => Some("f".to_owned()),
            Action::Unflag(acted) if acted == cell => Some("u".to_owned()),
            _ => None,
        };
        check_drawn(&self.view, drawn, expected);
        self
    }

    /// Compares the estimates with their picture: `-` where there are none.
    pub fn believes(&self, expected: &str) -> &Self {
        let estimates = self.decision.estimates.as_ref().expect("estimates");
        let drawn = |cell| match (self.view.face(cell).is_covered(), estimates.mine(cell)) {
            (true, Some(mine)) => Some(format!("{mine:.2}")),
            (true, None) => Some("-".to_owned()),
            (false, mine) => {
                assert_eq!(mine, None, "open cells are no mines");
                None
            }
        };
        check_drawn(&self.view, drawn, expected);
        self
    }
}
