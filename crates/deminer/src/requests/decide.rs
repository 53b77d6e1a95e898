//! One decision of an agent.

use deminer_formats::wire::Count;
use deminer_game::Rng;

use super::position::with_position;
use super::{Context, Request, RequestError};
use crate::documents::DecisionDocument;

with_position! {
    /// A position, and the agent that decides.
    pub struct DecideRequest {
        /// The agent, as `name[:option,…]`.
        #[cfg_attr(feature = "schema", schema(max_length = 200))]
        pub agent: String,
        /// The seed of the agent's random numbers; 0 unless given.
        pub seed: Option<Count>,
    }
}

impl Request for DecideRequest {
    const NAME: &'static str = "decide";
    type Answer = DecisionDocument;

    /// The decision of an agent that sees the position for the first time. It is not carried out.
    fn work(self, context: &Context) -> Result<DecisionDocument, RequestError> {
        let view = self.view()?;
        let over = view.openable().next().is_none() || view.shown_mines().next().is_some();
        if over {
            return Err(RequestError::conflict("nothing is left to decide: the game is over"));
        }
        let spec = context.agent_for(&self.agent, view.rules(), "agent")?.with_estimates();
        let mut agent = spec.build().map_err(|error| RequestError::invalid(error).at("agent"))?;
        agent.begin(view.rules());
        let start = (context.clock)();
        let seed = self.seed.map_or(0, |seed| seed.0);
        let decision = agent.decide(&view, &mut Rng::new(seed));
        let micros = (context.clock)() - start;
        Ok(DecisionDocument { micros, ..DecisionDocument::of(&decision, view.shape()) })
    }
}
