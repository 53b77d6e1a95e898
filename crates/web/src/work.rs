//! Runs computations on their own threads: at most one per core, with a short queue, and a stop flag
//! that is set when the client disconnects.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::problem::Problem;

/// Tells a computation to stop; it checks this flag regularly.
pub type Stop = Arc<AtomicBool>;

/// A queue for computations of one kind, with at most one per core at a time.
///
/// There are two lanes, so that slow agents never delay an analysis; the operating system shares
/// the cores between them.
#[derive(Clone, Debug)]
pub struct Lane(Arc<LaneState>);

#[derive(Debug)]
struct LaneState {
    cores: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    time_limit: Duration,
}

impl Lane {
    /// A lane for `cores` computations at once, `most_waiting` in the queue, and this time limit.
    pub fn new(cores: usize, most_waiting: usize, time_limit: Duration) -> Self {
        let cores = Arc::new(Semaphore::new(cores));
        Self(Arc::new(LaneState { cores, waiting: AtomicUsize::new(0), most_waiting, time_limit }))
    }

    /// Runs `work` on its own thread; an error if the queue is full. When the client disconnects
    /// or the time limit is reached, the flag is set; the core is free once `work` returns.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let lane = &self.0;
        let waiting = Waiting::enter(lane)?;
        let stop = StopOnDrop(Stop::default());
        let answer = timeout(lane.time_limit, async {
            let cores = Arc::clone(&lane.cores);
            let place = cores.acquire_owned().await.expect("lanes are never closed");
            drop(waiting);
            let stop = Arc::clone(&stop.0);
            tokio::task::spawn_blocking(move || {
                let answer = deminer::stop::unless(&stop, || work(&stop));
                drop(place);
                answer
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

/// A computation in the queue.
struct Waiting<'a>(&'a LaneState);

impl<'a> Waiting<'a> {
    fn enter(lane: &'a LaneState) -> Result<Self, Problem> {
        let waiting = Self(lane);
        if lane.waiting.fetch_add(1, Ordering::Relaxed) >= lane.most_waiting {
            return Err(Problem::busy("too many requests are waiting"));
        }
        Ok(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sets the flag when dropped.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    fn wait_for(stop: &Stop) {
        while !stop.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(1));
        }
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_a_leaving_client_frees_its_core() {
        let lane = Lane::new(1, 1, Duration::from_secs(60));
        let first = tokio::spawn({
            let lane = lane.clone();
            async move { lane.run(wait_for).await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let second = tokio::spawn({
            let lane = lane.clone();
            async move { lane.run(|_| 7).await }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(lane.run(|_| ()).await.unwrap_err().status().as_u16(), 503);
        first.abort();
        assert_eq!(second.await.unwrap(), Ok(7));
    }

    #[tokio::test]
    async fn slow_and_failing_computations_are_errors() {
        let lane = Lane::new(2, 4, Duration::from_millis(50));
        assert_eq!(lane.run(wait_for).await.unwrap_err().status().as_u16(), 503);
        let lane = Lane::new(1, 1, Duration::from_secs(60));
        let fault = lane.run(|_| panic!("on purpose")).await.map(|(): ()| ());
        assert_eq!(fault.unwrap_err().status().as_u16(), 500);
    }
}
