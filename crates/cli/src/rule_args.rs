//! The rule flags that every command with a board shares.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deminer_formats::wire::Cascade;
use deminer_game::{ClueRule, FirstClick, Form, Rules, Size, Start, Words};

use crate::failure::Failure;

/// The value of a flag that takes one of the words of an enum.
pub fn word<T: Words + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(T::VALUES.iter().map(|value| value.word()));
    words.map(|word| T::from_word(&word).expect("a listed word"))
}

/// A seed.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}", u64::MAX))
}

/// Board and rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// beginner, intermediate, expert, or WIDTHxHEIGHTxMINES such as 30x16x99.
    #[arg(long, value_name = "BOARD", default_value = "beginner")]
    board: Size,

    /// How the cells are arranged.
    #[arg(long, value_name = "SHAPE", default_value = "rect", value_parser = word::<Form>())]
    shape: Form,

    /// What the first opened cell is promised: nothing, no mine, or no mine around it either.
    #[arg(long, value_name = "START", default_value = "safe", value_parser = word::<Start>())]
    start: Start,

    /// Where the first click goes: corner, random (same cell for all agents), agent (its own
    /// choice), or ROW,COLUMN counted from 0.
    #[arg(long, value_name = "CELL", default_value = "corner")]
    at: String,

    /// Whether a zero opens its neighbors.
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = word::<Cascade>())]
    cascade: Cascade,

    /// What clues show: exact, blind:R (hidden with probability R), optimistic (0 to the
    /// count), cautious (the count to 8), or cautious:degree (the count to the neighbors).
    #[arg(long, value_name = "CLUES", default_value = "exact")]
    clues: ClueRule,
}

impl RuleArgs {
    /// The rules and the first click, if they go together.
    pub fn resolve(&self) -> Result<(Rules, FirstClick), Failure> {
        let rules = Rules::on(self.shape, self.board, self.start)
            .map_err(Failure::usage)?
            .with_cascade(self.cascade.into())
            .with_clues(self.clues);
        let at = FirstClick::parse(&self.at, rules.shape()).map_err(Failure::usage)?;
        Ok((rules, at))
    }
}
