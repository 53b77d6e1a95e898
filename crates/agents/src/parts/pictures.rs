//! How tests of agents are drawn: a position in, the decision over it.

use deminer_game::{
    Action, Decision, Entry, Face, FirstClick, GameSeed, Match, Options, Rng, Rules, Value, View,
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

/// What a new agent decides on a position.
pub struct Decided {
    view: View,
    pub decision: Decision,
}

/// Lets a new agent decide on a position, its random numbers being those of seed 1.
pub fn decide(entry: &Entry, options: &[(&'static str, Value)], position: &str) -> Decided {
    let view: View = position.parse().expect("a position");
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
        let acted = self.decision.action.cell();
        let symbol = |cell| match self.decision.action {
            Action::Open(_) if acted == Some(cell) => "o".to_owned(),
            Action::Flag(_) if acted == Some(cell) => "f".to_owned(),
            Action::Unflag(_) if acted == Some(cell) => "u".to_owned(),
            _ => self.view.face(cell).to_string(),
        };
        self.compare(self.view.shape().cells().map(symbol), expected)
    }

    /// Compares the estimates with their picture: `-` where there are none.
    pub fn believes(&self, expected: &str) -> &Self {
        let estimates = self.decision.estimates.as_ref().expect("estimates");
        let symbol = |cell| match (self.view.face(cell), estimates.mine(cell)) {
            (face, Some(mine)) if face.is_covered() => format!("{mine:.2}"),
            (Face::Open { .. }, Some(_)) => panic!("open cells are no mines"),
            (face, None) if face.is_covered() => "-".to_owned(),
            (face, _) => face.to_string(),
        };
        self.compare(self.view.shape().cells().map(symbol), expected)
    }

    fn compare(&self, found: impl Iterator<Item = String>, expected: &str) -> &Self {
        let found: Vec<String> = found.collect();
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(found, expected, "{}\n{:?}", self.view, self.decision);
        self
    }
}
