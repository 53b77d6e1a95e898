//! Runs computations on their own threads: about one per core, with a short queue that is fair to
//! all clients, and a stop flag that is set when the client disconnects.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::problem::Problem;

/// Stops a computation, which checks this flag regularly.
pub type Stop = Arc<AtomicBool>;

/// Who sends requests: an IPv4 address, or a network of IPv6, which one machine has to itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Client(IpAddr);

impl Client {
    /// The client at this address.
    pub fn at(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from(network))
            }
            address => address,
        })
    }

    /// Requests that came over no socket.
    pub const HERE: Self = Self(IpAddr::V4(Ipv4Addr::LOCALHOST));
}

/// A queue for computations of one kind.
///
/// There are two lanes, so that slow agents never delay an analysis; the operating system shares
/// the cores between them. A lane has one place for each core, and as many again for clients that
/// have no computation under way. A computation whose client has left gives its place to the next one at
/// once, and counts against its client until it has seen its flag.
#[derive(Clone, Debug)]
pub struct Lane(Arc<LaneState>);

#[derive(Debug)]
struct LaneState {
    cores: usize,
    most_waiting: usize,
    time_limit: Duration,
    tasks: Mutex<Tasks>,
}

#[derive(Debug, Default)]
struct Tasks {
    next: u64,
    waiting: VecDeque<Waiting>,
    running: HashMap<u64, Running>,
    /// Computations that were given up and have not seen their flag.
    given_up: HashMap<u64, Client>,
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    client: Client,
    begin: oneshot::Sender<()>,
}

#[derive(Debug)]
struct Running {
    client: Client,
    /// Whether its thread has begun.
    started: bool,
}

impl Lane {
    /// A lane for `cores` computations at once, `most_waiting` in the queue, and this time limit.
    pub fn new(cores: usize, most_waiting: usize, time_limit: Duration) -> Self {
        Self(Arc::new(LaneState { cores, most_waiting, time_limit, tasks: Mutex::default() }))
    }

    /// Runs `work` on its own thread; an error if the queue is full. When the client disconnects
    /// or the time limit is reached, the flag is set and the place is free.
    pub async fn run<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (number, begun) = self.0.enter(client)?;
        let task = Task { lane: Arc::clone(&self.0), number, stop: Stop::default() };
        let answer = timeout(self.0.time_limit, async {
            begun.await.expect("tasks leave the queue when they begin or are dropped");
            self.0.tasks().running.get_mut(&number).expect("it has begun").started = true;
            let (lane, stop) = (Arc::clone(&self.0), Arc::clone(&task.stop));
            tokio::task::spawn_blocking(move || {
                let _ended = Ended { lane, number };
                deminer::stop::unless(&stop, || work(&stop))
            })
            .await
        });
        match answer.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) => Err(Problem::fault("the computation failed; this is a bug in deminer")),
            Err(_) => Err(Problem::busy(
                "the answer took too long: send a smaller request, or try again later",
            )),
        }
    }
}

impl LaneState {
    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the queue. One client may have three quarters of it.
    fn enter(&self, client: Client) -> Result<(u64, oneshot::Receiver<()>), Problem> {
        let (begin, begun) = oneshot::channel();
        let mut tasks = self.tasks();
        let number = tasks.next;
        tasks.next += 1;
        tasks.waiting.push_back(Waiting { number, client, begin });
        self.dispatch(&mut tasks);
        let own = tasks.waiting.iter().filter(|task| task.client == client).count();
        let full = tasks.waiting.len() > self.most_waiting;
        if full || own > (self.most_waiting * 3).div_ceil(4) {
            tasks.waiting.retain(|task| task.number != number);
            return Err(Problem::busy("too many requests are waiting"));
        }
        Ok((number, begun))
    }

    /// Begins what may begin: first for the clients that have the least under way.
    fn dispatch(&self, tasks: &mut Tasks) {
        loop {
            let own = |client| tasks.under_way(client);
            let ready = tasks.waiting.iter().enumerate().filter(|(_, task)| {
                let free = tasks.running.len() < self.cores;
                let reserve = tasks.running.len() < 2 * self.cores && own(task.client) == 0;
                (free || reserve)
                    && own(task.client) < 2 * self.cores
                    && tasks.given_up.len() < 4 * self.cores
            });
            let next = ready.min_by_key(|(at, task)| (own(task.client), *at));
            let Some(at) = next.map(|(at, _)| at) else { return };
            let Waiting { number, client, begin } =
                tasks.waiting.remove(at).expect("it was found there");
            if begin.send(()).is_ok() {
                tasks.running.insert(number, Running { client, started: false });
            }
        }
    }
}

impl Tasks {
    /// How many computations of a client are under way.
    fn under_way(&self, client: Client) -> usize {
        let running = self.running.values().filter(|task| task.client == client).count();
        running + self.given_up.values().filter(|&&other| other == client).count()
    }
}

/// A computation that someone waits for. Dropped, it is given up.
struct Task {
    lane: Arc<LaneState>,
    number: u64,
    stop: Stop,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let mut tasks = self.lane.tasks();
        tasks.waiting.retain(|task| task.number != self.number);
        if let Some(Running { client, started: true }) = tasks.running.remove(&self.number) {
            tasks.given_up.insert(self.number, client);
        }
        self.lane.dispatch(&mut tasks);
    }
}

/// Frees the place of a computation when its thread ends.
struct Ended {
    lane: Arc<LaneState>,
    number: u64,
}

impl Drop for Ended {
    fn drop(&mut self) {
        let mut tasks = self.lane.tasks();
        tasks.running.remove(&self.number);
        tasks.given_up.remove(&self.number);
        self.lane.dispatch(&mut tasks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    const ME: Client = Client::HERE;
    const OTHER: Client = Client(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)));
    const LONG: Duration = Duration::from_secs(60);

    fn wait_for(stop: &Stop) {
        while !stop.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(1));
        }
    }

    /// Begins a computation that goes on until it is stopped.
    async fn begin(lane: &Lane, client: Client) -> tokio::task::JoinHandle<Result<(), Problem>> {
        begin_work(lane, client, wait_for).await
    }

    async fn begin_work(
        lane: &Lane,
        client: Client,
        work: impl FnOnce(&Stop) + Send + 'static,
    ) -> tokio::task::JoinHandle<Result<(), Problem>> {
        let lane = lane.clone();
        let task = tokio::spawn(async move { lane.run(client, work).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        task
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_a_leaving_client_frees_its_place() {
        let lane = Lane::new(1, 1, LONG);
        let first = begin(&lane, ME).await;
        let second = tokio::spawn({
            let lane = lane.clone();
            async move { lane.run(ME, |_| 7).await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(lane.run(ME, |_| ()).await.unwrap_err().status().as_u16(), 503);
        first.abort();
        assert_eq!(second.await.unwrap(), Ok(7));
    }

    #[tokio::test]
    async fn slow_and_failing_computations_are_errors() {
        let lane = Lane::new(2, 4, Duration::from_millis(50));
        assert_eq!(lane.run(ME, wait_for).await.unwrap_err().status().as_u16(), 503);
        let lane = Lane::new(1, 1, LONG);
        let fault = lane.run(ME, |_| panic!("on purpose")).await.map(|(): ()| ());
        assert_eq!(fault.unwrap_err().status().as_u16(), 500);
        assert_eq!(lane.run(ME, |_| 3).await, Ok(3));
    }

    #[tokio::test]
    async fn computations_that_see_no_flag_delay_no_other_client() {
        let lane = Lane::new(2, 8, Duration::from_secs(5));
        let ended = Arc::new(AtomicBool::new(false));
        let deaf = || {
            let ended = Arc::clone(&ended);
            move |_: &Stop| {
                while !ended.load(Ordering::Relaxed) {
                    sleep(Duration::from_millis(1));
                }
            }
        };
        for _ in 0..2 {
            begin_work(&lane, ME, deaf()).await.abort();
        }
        assert_eq!(lane.run(ME, |_| 1).await, Ok(1), "the places are free at once");
        for _ in 0..2 {
            begin_work(&lane, ME, deaf()).await.abort();
        }
        // This client has used up its share, others have not.
        assert_eq!(lane.run(OTHER, |_| 2).await, Ok(2));
        let waits = begin_work(&lane, ME, |_| ()).await;
        assert!(!waits.is_finished());
        ended.store(true, Ordering::Relaxed);
        assert_eq!(waits.await.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn one_client_with_many_long_requests_keeps_others_from_nothing() {
        let lane = Lane::new(1, 8, LONG);
        let mut mine = vec![begin(&lane, ME).await];
        for _ in 0..6 {
            mine.push(begin(&lane, ME).await);
        }
        let refused = lane.run(ME, |_| ()).await.unwrap_err();
        assert_eq!(refused.status().as_u16(), 503, "most of the queue is taken");
        assert_eq!(lane.run(OTHER, |_| 5).await, Ok(5), "there is a place for the others");
        mine.iter().for_each(|task| task.abort());
    }

    #[test]
    fn networks_are_one_client() {
        let at = |text: &str| Client::at(text.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:127.0.0.1"), at("127.0.0.1"));
        assert_ne!(at("127.0.0.1"), at("127.0.0.2"));
    }
}
