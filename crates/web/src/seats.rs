//! The open connections of a server, and which one closes when there are too many.
//!
//! A waiting connection costs little, so the limits are high, but one client cannot take all places
//! of a kind. When a limit is reached, the server closes the least important connection: first one
//! without a request, then a slow one of the client with the most slow connections. Lanes bound
//! computations, which are never cut off here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::server::Limits;
use crate::work::Client;

/// All connections.
#[derive(Clone, Debug)]
pub struct Seats {
    limits: Limits,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    seats: HashMap<u64, Seat>,
}

#[derive(Debug)]
struct Seat {
    client: Client,
    does: Does,
    since: Instant,
    close: Arc<Notify>,
}

/// What a connection does.
#[derive(Debug)]
enum Does {
    /// Its first request is to come.
    Begins,
    /// No request is in progress.
    Idle,
    /// The body of a request arrives.
    Sends { large: bool, hurry: Arc<Notify> },
    /// The answer is computed.
    Waits,
    /// An answer is sent.
    Receives,
    /// A stream of events is sent, which may last for days.
    Watches,
}

/// One of the allowed connections; dropping it frees its place.
#[derive(Clone, Debug)]
pub struct Place(Arc<Held>);

#[derive(Debug)]
struct Held {
    seats: Seats,
    number: u64,
    close: Arc<Notify>,
}

impl Seats {
    /// No connections yet.
    pub fn new(limits: Limits) -> Self {
        Self { limits, open: Arc::default() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection; none if there is no room and all others compute.
    pub fn add(&self, client: Client) -> Option<Place> {
        let mut open = self.open();
        let own = open.seats.values().filter(|seat| seat.client == client).count();
        if own >= self.limits.connections_per_client {
            open.make_room(|seat| seat.client == client)?;
        } else if open.seats.len() >= self.limits.connections {
            open.make_room(|_| true)?;
        }
        let number = open.next;
        open.next += 1;
        let close = Arc::new(Notify::new());
        let seat = Seat { client, does: Does::Begins, since: Instant::now(), close: close.clone() };
        open.seats.insert(number, seat);
        Some(Place(Arc::new(Held { seats: self.clone(), number, close })))
    }
}

impl Open {
    /// Closes the connection that matters least of those that fit; none if all compute.
    fn make_room(&mut self, fits: impl Fn(&Seat) -> bool) -> Option<()> {
        let mut of_client: HashMap<Client, usize> = HashMap::new();
        for seat in self.seats.values().filter(|seat| seat.is_slow()) {
            *of_client.entry(seat.client).or_default() += 1;
        }
        let least =
            self.seats.iter().filter(|(_, seat)| fits(seat)).filter_map(|(&number, seat)| {
                let crowd = of_client.get(&seat.client).copied().unwrap_or(0);
                let matters = match seat.does {
                    Does::Idle => (0, 0),
                    Does::Begins if seat.since.elapsed() > HELLO => (0, 0),
                    // Its request may be on the way.
                    Does::Begins => (2, 0),
                    _ if seat.is_slow() => (1, usize::MAX - crowd),
                    _ => return None,
                };
                Some((matters, seat.since, number))
            });
        let (.., number) = least.min()?;
        self.seats.remove(&number)?.end();
        Some(())
    }

    /// Asks the client that has the most requests of a kind arriving to finish its oldest.
    fn hurry(&self, kind: impl Fn(&Seat) -> Option<&Arc<Notify>>) {
        let mut of_client: HashMap<Client, usize> = HashMap::new();
        let all = || self.seats.values().filter_map(|seat| Some((seat, kind(seat)?)));
        all().for_each(|(seat, _)| *of_client.entry(seat.client).or_default() += 1);
        let first =
            all().min_by_key(|(seat, _)| (usize::MAX - of_client[&seat.client], seat.since));
        if let Some((_, hurry)) = first {
            hurry.notify_one();
        }
    }
}

/// A new connection that sent no request in this time counts as idle.
const HELLO: Duration = Duration::from_secs(1);

/// Time for a request that must hurry to be answered before its connection is closed.
const FAREWELL: Duration = Duration::from_secs(2);

impl Seat {
    fn is_slow(&self) -> bool {
        matches!(self.does, Does::Sends { .. } | Does::Receives | Does::Watches)
    }

    /// Closes the connection; a request that is arriving is refused first.
    fn end(self) {
        match self.does {
            Does::Sends { hurry, .. } => {
                hurry.notify_one();
                let close = self.close;
                tokio::spawn(async move {
                    tokio::time::sleep(FAREWELL).await;
                    close.notify_one();
                });
            }
            _ => self.close.notify_one(),
        }
    }
}

impl Place {
    /// Completes when the connection is to be closed.
    pub async fn closed(&self) {
        self.0.close.notified().await;
    }

    fn set(&self, does: Does) {
        if let Some(seat) = self.0.seats.open().seats.get_mut(&self.0.number) {
            (seat.does, seat.since) = (does, Instant::now());
        }
    }

    /// A request has begun; `body` says how long its body is, at least.
    pub fn begin(&self, body: Body) -> Arrival {
        let hurry = Arc::new(Notify::new());
        match body {
            Body::None => self.set(Does::Waits),
            Body::Small | Body::Large => {
                let large = body == Body::Large;
                self.set(Does::Sends { large, hurry: Arc::clone(&hurry) });
                self.bound_bodies();
            }
        }
        Arrival { place: self.clone(), hurry }
    }

    /// Keeps the limits for bodies that arrive at once.
    fn bound_bodies(&self) {
        let (limits, open) = (&self.0.seats.limits, self.0.seats.open());
        let Some(client) = open.seats.get(&self.0.number).map(|seat| seat.client) else { return };
        fn sends(seat: &Seat, only_large: bool) -> Option<&Arc<Notify>> {
            match &seat.does {
                Does::Sends { large, hurry } if *large || !only_large => Some(hurry),
                _ => None,
            }
        }
        let own = |seat: &Seat| seat.client == client && sends(seat, false).is_some();
        if open.seats.values().filter(|seat| own(seat)).count() > limits.bodies_per_client {
            open.hurry(|seat| sends(seat, false).filter(|_| seat.client == client));
        }
        let large = open.seats.values().filter(|seat| sends(seat, true).is_some()).count();
        if large > limits.large_bodies {
            open.hurry(|seat| sends(seat, true));
        }
    }

    /// An answer is sent. False if it is a stream and the client has too many.
    pub fn answer(&self, is_stream: bool) -> bool {
        if !is_stream {
            self.set(Does::Receives);
            return true;
        }
        let seats = &self.0.seats;
        let client = seats.open().seats.get(&self.0.number).map(|seat| seat.client);
        let watches =
            |seat: &&Seat| Some(seat.client) == client && matches!(seat.does, Does::Watches);
        let count = seats.open().seats.values().filter(watches).count();
        let fits = count < seats.limits.streams_per_client;
        self.set(if fits { Does::Watches } else { Does::Receives });
        fits
    }

    /// The request is answered.
    pub fn end(&self) {
        self.set(Does::Idle);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.seats.open().seats.remove(&self.number);
    }
}

/// The body of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    /// There is none.
    None,
    /// It has at most the size that every path takes.
    Small,
    /// It is larger, or its size is not announced.
    Large,
}

/// A request whose body arrives.
#[derive(Clone, Debug)]
pub struct Arrival {
    place: Place,
    hurry: Arc<Notify>,
}

impl Arrival {
    /// Completes when others need the room.
    pub async fn hurried(&self) {
        self.hurry.notified().await;
    }

    /// The whole body is there.
    pub fn complete(&self) {
        self.place.set(Does::Waits);
    }
}
