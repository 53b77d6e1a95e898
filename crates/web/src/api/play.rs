//! A game of an agent as a stream of decisions.
//!
//! The stream is pulled: the next decisions are made when the client has taken the last ones, so
//! a slow client holds no thread and a client that has left costs nothing. A game is what its
//! request says it is, so a stream that broke off goes on by playing it again in silence up to
//! the last event that was seen.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use deminer::documents::{DecisionDocument, Narrator};
use deminer::play::Recorder;
use deminer::roster::Spec;
use deminer::words::describe_outcome;
use deminer_formats::wire::{
    Count, OutcomeWord, PositionRow, WireRecord, WireRules, Word, position_rows,
};
use deminer_game::{Agent, GameSeed, Match};
use deminer_lab::tournament::{any_seed, thread_micros};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::requests::{agent_for, at, rules};
use crate::state::App;
use crate::work::Stop;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Events::openapi()).routes(routes!(play))
}

/// Describes the data of events, to which no answer leads.
#[derive(OpenApi)]
#[openapi(components(schemas(Begin, DecisionDocument, End)))]
struct Events;

/// Who plays what.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlayRequest {
    /// The agent, as `name[:option,…]`, or `name:run-…` for what a training here made.
    #[schema(max_length = 200)]
    agent: String,
    /// The rules.
    rules: WireRules,
    /// The seed; any unless given.
    seed: Option<Count>,
    /// The number of the game in the seed's run; 0 unless given.
    game: Option<Count>,
    /// Where the first click goes: `corner`, `random`, `agent` or `ROW,COLUMN`.
    #[schema(max_length = 32)]
    at: Option<String>,
}

/// The event `begin`: the board before the first turn.
#[derive(Serialize, ToSchema)]
struct Begin {
    agent: String,
    rules: WireRules,
    seed: u64,
    game: u64,
    rows: Vec<PositionRow>,
}

/// The event `end`: how it ended, and the whole game.
#[derive(Serialize, ToSchema)]
struct End {
    outcome: OutcomeWord,
    /// What the outcome means.
    sentence: &'static str,
    record: WireRecord,
}

/// Lets an agent play one board and streams its decisions: `begin`, `decision` for each turn
/// (its id is the turn's number), `end`; or `error`. Send the same request with `Last-Event-ID`
/// to go on after an event.
#[utoipa::path(
    post, path = "/api/v1/play", request_body = PlayRequest,
    params(("Last-Event-ID" = Option<u64>, Header, description = "the last event that was seen")),
    responses(
        (status = 200, description = "events begin (Begin), decision (DecisionDocument), end (End)", body = String, content_type = "text/event-stream"),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
    )
)]
async fn play(
    State(app): State<App>,
    headers: HeaderMap,
    Input(request): Input<PlayRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let rules = rules(&request.rules)?;
    let spec = agent_for(app.jobs(), &request.agent, &rules, "agent")?;
    let at = at(request.at.as_deref().unwrap_or("corner"), rules.shape())?;
    let seed = request.seed.map_or_else(any_seed, |seed| seed.0);
    let seed = GameSeed { seed, game: request.game.map_or(0, |game| game.0) };
    let last = match headers.get("last-event-id") {
        None => None,
        Some(id) => {
            let id = id.to_str().ok().and_then(|id| id.parse::<usize>().ok());
            let wrong = || Problem::unfit("an event id is a number").at("Last-Event-ID");
            Some(id.ok_or_else(wrong)?)
        }
    };
    // What it believes is half of what there is to watch.
    let agent = spec.with_estimates().build().map_err(|error| Problem::unfit(error).at("agent"))?;
    let player = Player {
        narrator: Narrator::new(rules.shape()),
        game: Match::new(rules, at, seed),
        recorder: Recorder::timed(thread_micros),
        agent,
        spec,
        next: 0,
        last,
        over: false,
    };
    let start = (app, Some(Box::new(player)), VecDeque::new());
    let events = unfold(start, |(app, mut player, mut events)| async move {
        loop {
            if let Some(event) = events.pop_front() {
                return Some((Ok(event), (app, player, events)));
            }
            let mut at_work = player.take()?;
            let more = app.slow().run(move |stop| {
                let events = at_work.more(stop);
                (at_work, events)
            });
            match more.await {
                Ok((played, more)) => {
                    player = (!played.over).then_some(played);
                    events = more;
                }
                Err(problem) => events.push_back(error(&problem)),
            }
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}

/// A game in the making.
struct Player {
    game: Match,
    agent: Box<dyn Agent>,
    spec: Spec,
    recorder: Recorder,
    narrator: Narrator,
    /// The id of the next event.
    next: usize,
    /// The last event that the client has.
    last: Option<usize>,
    over: bool,
}

/// Decisions are made for so long before they are sent.
const SPAN: Duration = Duration::from_millis(20);
/// As many as this are sent together.
const TOGETHER: usize = 32;

impl Player {
    /// The next events. How many come together depends on the clock; what they say does not.
    fn more(&mut self, stop: &Stop) -> VecDeque<Event> {
        let since = Instant::now();
        let mut events = VecDeque::new();
        while !self.over && events.len() < TOGETHER && !stop.load(Ordering::Relaxed) {
            if !events.is_empty() && since.elapsed() > SPAN {
                break;
            }
            let event = self.step();
            let id = self.next;
            self.next += 1;
            if self.last.is_none_or(|last| id > last) {
                events.push_back(event.unwrap_or_else(|problem| {
                    self.over = true;
                    error(&problem)
                }));
            }
        }
        events
    }

    fn step(&mut self) -> Result<Event, Problem> {
        if self.next == 0 {
            return self.begin();
        }
        match self.recorder.turn(&mut self.game, self.agent.as_mut()) {
            Some((turn, micros)) => {
                let decision =
                    self.narrator.tell(&turn, self.game.board().view(), micros.unwrap_or_default());
                event::<DecisionDocument>("decision", self.next, &decision)
            }
            None => {
                self.over = true;
                let recorder = std::mem::take(&mut self.recorder);
                let record = recorder.finish(&self.spec, &self.game);
                let sentence = describe_outcome(record.outcome);
                let outcome = Word(record.outcome);
                let record = WireRecord::of(&record).map_err(Problem::unfit)?;
                event("end", self.next, &End { outcome, sentence, record })
            }
        }
    }

    fn begin(&self) -> Result<Event, Problem> {
        let view = self.game.board().view();
        let GameSeed { seed, game } = self.game.seed();
        let begin = Begin {
            agent: self.spec.to_string(),
            rules: WireRules::of(view.rules()),
            seed,
            game,
            rows: position_rows(view),
        };
        event("begin", self.next, &begin)
    }
}

fn event<T: Serialize>(name: &str, id: usize, data: &T) -> Result<Event, Problem> {
    let event = Event::default().event(name).id(id.to_string());
    event.json_data(data).map_err(Problem::fault)
}

fn error(problem: &Problem) -> Event {
    let event = Event::default().event("error");
    event.json_data(problem).expect("problems are plain values")
}
