//! The rule flags that every command with a board shares.

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args};
use deminer_game::{At, ClueRule, Form, Rules, Size, Start};

use crate::failure::Failure;

/// Board and rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// beginner, intermediate, expert, or WIDTHxHEIGHTxMINES such as 30x16x99.
    #[arg(long, value_name = "BOARD", default_value = "beginner")]
    board: Size,

    /// How the cells lie together.
    #[arg(long, value_name = "SHAPE", default_value = "rect",
          value_parser = PossibleValuesParser::new(Form::ALL.map(Form::name)).map(|word| word.parse::<Form>().expect("a listed word")))]
    shape: Form,

    /// What the first opened cell is promised: nothing, no mine, or no mine around it either.
    #[arg(long, value_name = "START", default_value = "safe",
          value_parser = PossibleValuesParser::new(Start::ALL.map(Start::name)).map(|word| word.parse::<Start>().expect("a listed word")))]
    start: Start,

    /// Where the first click goes: corner, random (same cell for all agents), agent (its own
    /// choice), or ROW,COLUMN counted from 0.
    #[arg(long, value_name = "CELL", default_value = "corner")]
    at: String,

    /// Whether a zero opens its neighbors.
    #[arg(long, value_name = "on|off", default_value = "on", action = ArgAction::Set,
          value_parser = PossibleValuesParser::new(["on", "off"]).map(|word| word == "on"))]
    cascade: bool,

    /// What clues show: exact, blind:R (hidden with probability R), optimistic (0 to the
    /// count), cautious (the count to 8), or cautious:degree (the count to the neighbors).
    #[arg(long, value_name = "CLUES", default_value = "exact")]
    clues: ClueRule,
}

impl RuleArgs {
    /// The rules and the first click, if they go together.
    pub fn resolve(&self) -> Result<(Rules, At), Failure> {
        let rules = Rules::on(self.shape, self.board, self.start)
            .map_err(Failure::usage)?
            .with_cascade(self.cascade)
            .with_clues(self.clues);
        let at = At::parse(&self.at, rules.shape()).map_err(Failure::usage)?;
        Ok((rules, at))
    }
}
