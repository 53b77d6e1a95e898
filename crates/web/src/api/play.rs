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

use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use deminer::requests::{PlayEvent, PlayRequest, Player};
use futures_util::Stream;
use futures_util::stream::unfold;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;
use crate::work::Stop;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(play))
}

/// Lets an agent play one board and streams its decisions: `begin`, `decision` for each turn
/// (its id is the turn's number), `end`; or `error`. Send the same request with `Last-Event-ID`
/// to go on after an event.
#[utoipa::path(
    post, path = "/api/v1/play", request_body = PlayRequest,
    params(("Last-Event-ID" = Option<u64>, Header, description = "the last event that was seen")),
    responses(
        (status = 200, description = "events by their name, each with its data", body = PlayEvent, content_type = "text/event-stream"),
        Problem,
    )
)]
async fn play(
    app: App,
    headers: HeaderMap,
    Input(request): Input<PlayRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let player = request.begin(&app.context(&Stop::default()))?;
    let last = match headers.get("last-event-id") {
        None => None,
        Some(id) => {
            let id = id.to_str().ok().and_then(|id| id.parse::<usize>().ok());
            let wrong = || Problem::unfit("an event id is a number").at("Last-Event-ID");
            Some(id.ok_or_else(wrong)?)
        }
    };
    let streamed = Streamed { player, next: 0, last };
    let start = (app, Some(streamed), VecDeque::new());
    let events = unfold(start, |(app, mut streamed, mut events)| async move {
        loop {
            if let Some(event) = events.pop_front() {
                return Some((Ok(event), (app, streamed, events)));
            }
            let mut at_work = streamed.take()?;
            let more = app.slow().run(move |stop| {
                let events = at_work.more(stop);
                (at_work, events)
            });
            match more.await {
                Ok((played, more)) => {
                    streamed = (!played.player.is_over()).then_some(played);
                    events = more;
                }
                Err(problem) => events.push_back(error(&problem)),
            }
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}

/// A game, and what of it the client has seen.
struct Streamed {
    player: Player,
    /// The id of the next event.
    next: usize,
    /// The last event that the client has.
    last: Option<usize>,
}

/// Decisions are collected for this long before they are sent.
const SPAN: Duration = Duration::from_millis(20);
/// As many as this are sent together.
const TOGETHER: usize = 32;

impl Streamed {
    /// The next events. How many come together depends on the clock; what they say does not.
    fn more(&mut self, stop: &Stop) -> VecDeque<Event> {
        let since = Instant::now();
        let mut events = VecDeque::new();
        while events.len() < TOGETHER && !stop.load(Ordering::Relaxed) {
            if !events.is_empty() && since.elapsed() > SPAN {
                break;
            }
            let Some(event) = self.player.next() else { break };
            let id = self.next;
            self.next += 1;
            if self.last.is_none_or(|last| id > last) {
                events.push_back(
                    event.map_or_else(|fault| error(&fault.into()), |event| sent(id, &event)),
                );
            }
        }
        events
    }
}

fn sent(id: usize, event: &PlayEvent) -> Event {
    let sent = Event::default().id(id.to_string());
    let sent = match event {
        PlayEvent::Begin(data) => sent.event("begin").json_data(data),
        PlayEvent::Decision(data) => sent.event("decision").json_data(data),
        PlayEvent::End(data) => sent.event("end").json_data(data),
    };
    sent.expect("documents are plain values")
}

fn error(problem: &Problem) -> Event {
    let event = Event::default().event("error");
    event.json_data(problem).expect("problems are plain values")
}
