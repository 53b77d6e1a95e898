//! One match: an agent on a board, from the first click to an outcome.

use thiserror::Error;

use crate::stop;
use crate::{
    Action, Agent, Board, Cell, Decision, Effect, GameSeed, MovedBy, Purpose, Rng, Rules, Shape,
    Why,
};

/// Where the first click goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FirstClick {
    /// The cell in row 0, column 0.
    #[default]
    Corner,
    /// This cell.
    Cell(Cell),
    /// A cell drawn from the game's seed, the same for all agents.
    Random,
    /// The agent's own choice.
    Agent,
}

/// The text names no place for the first click, or a cell outside the board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ParseAtError(String);

impl FirstClick {
    /// Reads `corner`, `random`, `agent` or `ROW,COLUMN` counted from 0.
    pub fn parse(text: &str, shape: &Shape) -> Result<Self, ParseAtError> {
        let right = "use corner, random, agent or ROW,COLUMN counted from 0";
        let unknown = || ParseAtError(format!("`{text}` is not a start cell ({right})"));
        match text {
            "corner" => Ok(FirstClick::Corner),
            "random" => Ok(FirstClick::Random),
            "agent" => Ok(FirstClick::Agent),
            _ => {
                let (row, column) = text.split_once(',').ok_or_else(unknown)?;
                let number = |part: &str| part.trim().parse::<usize>().map_err(|_| unknown());
                let cell = shape.cell_at(number(row)?, number(column)?);
                cell.map(FirstClick::Cell).map_err(|error| ParseAtError(error.to_string()))
            }
        }
    }

    /// The text that [`parse`](Self::parse) reads, for a board of this shape.
    pub fn text(self, shape: &Shape) -> String {
        match self {
            FirstClick::Corner => "corner".into(),
            FirstClick::Random => "random".into(),
            FirstClick::Agent => "agent".into(),
            FirstClick::Cell(cell) => {
                let (row, column) = shape.position(cell);
                format!("{row},{column}")
            }
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Every safe cell is open.
    Won,
    /// A mine was opened.
    Lost,
    /// The agent kept doing nothing.
    Stuck,
    /// The agent declined to go on.
    Undecided,
}
crate::words!(
    Outcome, "an outcome":
    Won = "won", Lost = "lost", Stuck = "stuck", Undecided = "undecided",
);

/// One step of a match: who did what, why, and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// Who made it.
    pub by: MovedBy,
    /// The action and its reason.
    pub decision: Decision,
    /// What it did.
    pub effect: Effect,
}

/// A match in progress.
///
/// ```
/// # use deminer_game::*;
/// struct LeftToRight;
/// impl Agent for LeftToRight {
///     fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
///         Decision::blind(view.openable().next().expect("a live game has covered cells"))
///     }
/// }
///
/// let rules = Rules::of("8x8x1".parse().unwrap()).unwrap();
/// let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 3, game: 0 });
/// let outcome = game.play(&mut LeftToRight);
/// assert!(matches!(outcome, Outcome::Won | Outcome::Lost));
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    board: Board,
    at: FirstClick,
    seed: GameSeed,
    rng: Rng,
    actions: usize,
    openings: usize,
    /// Non-moves in a row.
    idle: usize,
    outcome: Option<Outcome>,
}

impl Match {
    /// A match on the board that the seed deals.
    pub fn new(rules: Rules, at: FirstClick, seed: GameSeed) -> Self {
        Self::on(Board::dealt(rules, seed), at, seed)
    }

    /// A match on a given fresh board. The seed still gives the agent's random numbers and a
    /// random first click.
    pub fn on(board: Board, at: FirstClick, seed: GameSeed) -> Self {
        let rng = seed.rng(Purpose::Agent);
        Self { board, at, seed, rng, actions: 0, openings: 0, idle: 0, outcome: None }
    }

    /// The same rules on the board of another seed; keeps its buffers.
    pub fn restart(&mut self, seed: GameSeed) {
        self.board.redeal(seed);
        self.seed = seed;
        self.rng = seed.rng(Purpose::Agent);
        (self.actions, self.openings, self.idle, self.outcome) = (0, 0, 0, None);
    }

    /// The board played on.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board, to redraw its layout between turns.
    #[inline]
    pub fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }

    /// The seed of the match.
    #[inline]
    pub fn seed(&self) -> GameSeed {
        self.seed
    }

    /// How it ended, if it has.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Actions so far, the first click and non-moves included.
    #[inline]
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Decisions that opened cells, after the free first one, without ending in a loss.
    #[inline]
    pub fn survived(&self) -> usize {
        let lost = usize::from(self.outcome == Some(Outcome::Lost));
        self.openings.saturating_sub(1 + lost)
    }

    /// Plays to the end.
    pub fn play(&mut self, agent: &mut dyn Agent) -> Outcome {
        loop {
            if let Some(outcome) = self.outcome {
                return outcome;
            }
            self.turn(agent);
        }
    }

    /// Plays one turn: the first click where the match makes it, else the agent's decision.
    /// None once the match is over.
    pub fn turn(&mut self, agent: &mut dyn Agent) -> Option<Turn> {
        let (by, decision) = self.ask(agent)?;
        let effect = self.carry_out(&decision);
        Some(Turn { by, decision, effect })
    }

    /// The next decision, before it is carried out. None once the match is over. It ends
    /// undecided when the work is stopped ([`stop`]).
    pub fn ask(&mut self, agent: &mut dyn Agent) -> Option<(MovedBy, Decision)> {
        if self.outcome.is_some() {
            return None;
        }
        if self.actions == 0 {
            agent.begin(self.board.view().rules());
            if let Some(cell) = self.first_click() {
                return Some((MovedBy::Start, Decision::new(Action::Open(cell), Why::Start)));
            }
        }
        let decision = agent.decide(self.board.view(), &mut self.rng);
        if stop::is_raised() {
            self.outcome = Some(Outcome::Undecided);
            return None;
        }
        Some((MovedBy::Agent, decision))
    }

    /// Carries a decision out and sees whether the match is over.
    pub fn carry_out(&mut self, decision: &Decision) -> Effect {
        let effect = self.board.act(decision.action);
        self.actions += 1;
        match effect {
            Effect::Nothing(_) => self.idle += 1,
            Effect::Flagged => self.idle = 0,
            Effect::Opened(_) | Effect::Exploded(_) => {
                self.idle = 0;
                self.openings += 1;
            }
        }
        let stuck = || self.idle >= 2 || self.actions > 8 * self.board.view().shape().size();
        self.outcome = match self.board.state().outcome() {
            None if decision.action == Action::Decline => Some(Outcome::Undecided),
            None if stuck() => Some(Outcome::Stuck),
            outcome => outcome,
        };
        effect
    }

    /// The cell that the match opens first; none where the agent chooses it.
    pub fn first_click(&self) -> Option<Cell> {
        let shape = self.board.view().shape();
        match self.at {
            FirstClick::Corner => shape.nth(0),
            FirstClick::Cell(cell) => Some(cell),
            FirstClick::Random => shape.nth(self.seed.rng(Purpose::FirstClick).below(shape.size())),
            FirstClick::Agent => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, View};

    /// Plays a fixed list of actions, then declines.
    struct Script(std::vec::IntoIter<Action>);

    impl Agent for Script {
        fn decide(&mut self, _: &View, _: &mut Rng) -> Decision {
            self.0.next().map_or(Decision::decline(), |action| Decision::new(action, Why::Blind))
        }
    }

    fn outcome(actions: Vec<Action>) -> (Outcome, usize) {
        let rules = Rules::of("4x3x2".parse().unwrap()).unwrap().with_cascade(false);
        let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 1, game: 0 });
        let outcome = game.play(&mut Script(actions.into_iter()));
        (outcome, game.actions())
    }

    fn cell(index: usize) -> Cell {
        Shape::new(Form::Rect, 4, 3).unwrap().nth(index).unwrap()
    }

    #[test]
    fn idle_turns_and_endless_flagging_are_stuck_and_declining_is_undecided() {
        let (again, flag) = (Action::Open(cell(0)), Action::Flag(cell(5)));
        assert_eq!(outcome(vec![again, again]), (Outcome::Stuck, 3));
        assert_eq!(outcome(vec![again, flag, again]), (Outcome::Undecided, 5));
        let toggle = [flag, Action::Unflag(cell(5))];
        assert_eq!(outcome(toggle.repeat(100)), (Outcome::Stuck, 8 * 12 + 1));
        assert_eq!(outcome(vec![]), (Outcome::Undecided, 2));
        // A cell of another board is an idle move and no crash.
        let far = Shape::new(Form::Rect, 200, 200).unwrap().nth(39_999).unwrap();
        assert_eq!(outcome(vec![Action::Open(far), Action::Chord(far)]), (Outcome::Stuck, 3));
    }

    #[test]
    fn a_match_that_is_no_longer_wanted_ends_before_the_next_action() {
        let rules = Rules::of("4x3x2".parse().unwrap()).unwrap().with_cascade(false);
        let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 1, game: 0 });
        let mut flags = Script(vec![Action::Flag(cell(5)); 9].into_iter());
        let (outcome, looks) = stop::at_look(1, || game.play(&mut flags));
        assert_eq!((outcome, game.actions(), looks), (Outcome::Undecided, 2, 2));
        game.restart(GameSeed { seed: 1, game: 0 });
        assert_eq!(game.play(&mut flags), Outcome::Stuck);
    }

    #[test]
    fn the_random_first_click_follows_the_seed() {
        let rules = Rules::of("9x9x10".parse().unwrap()).unwrap();
        let click = |game| {
            let seed = GameSeed { seed: 1, game };
            Match::new(rules.clone(), FirstClick::Random, seed).first_click()
        };
        assert!((1..50).any(|game| click(game) != click(0)));
    }

    #[test]
    fn start_cells_are_read_with_the_board_in_mind() {
        let shape = Shape::new(Form::Rect, 4, 3).unwrap();
        assert_eq!(FirstClick::parse("2,3", &shape), Ok(FirstClick::Cell(cell(11))));
        for text in ["corner", "random", "agent", "0,0", "2,3"] {
            assert_eq!(FirstClick::parse(text, &shape).unwrap().text(&shape), text);
        }
        let error = |text| FirstClick::parse(text, &shape).unwrap_err().to_string();
        let outside = "row 3, column 0 is outside the board (3 rows of 4, counted from 0)";
        assert_eq!(error("3,0"), outside);
        assert!(error("middle").contains("corner, random"));
    }
}
