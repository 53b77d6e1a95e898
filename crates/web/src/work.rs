//! Computation aside from the network: as much at once as there are cores, a short queue before
//! it, and a flag that is raised when nobody waits for the answer any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::problem::Problem;

/// What work asks again and again: whether it may stop.
pub type Stop = Arc<AtomicBool>;

/// Work of one kind, as much at once as there are cores.
///
/// There are two lanes, so that games of slow agents never keep an analysis waiting; the operating
/// system shares the cores between them.
#[derive(Clone, Debug)]
pub struct Lane(Arc<Places>);

#[derive(Debug)]
struct Places {
    cores: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    patience: Duration,
}

impl Lane {
    /// So much at once, so much waiting for it, and so long for an answer.
    pub fn new(cores: usize, most_waiting: usize, patience: Duration) -> Self {
        let cores = Arc::new(Semaphore::new(cores));
        Self(Arc::new(Places { cores, waiting: AtomicUsize::new(0), most_waiting, patience }))
    }

    /// Does something on a thread of its own. Refused at once when too many wait already. When
    /// the client leaves or patience ends, the flag is raised; the place is free once the work
    /// has seen it.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let places = &self.0;
        let waiting = Waiting::enter(places)?;
        let stop = RaisedOnDrop(Stop::default());
        let answer = timeout(places.patience, async {
            let cores = Arc::clone(&places.cores);
            let place = cores.acquire_owned().await.expect("lanes are never closed");
            drop(waiting);
            let stop = Arc::clone(&stop.0);
            tokio::task::spawn_blocking(move || {
                let answer = work(&stop);
                drop(place);
                answer
            })
            .await
        });
        match answer.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) => Err(Problem::fault("the computation failed; this is a fault of ours")),
            Err(_) => Err(Problem::busy("the answer took too long: ask for less, or later")),
        }
    }
}

/// One of those that wait for a place.
struct Waiting<'a>(&'a Places);

impl<'a> Waiting<'a> {
    fn enter(places: &'a Places) -> Result<Self, Problem> {
        let waiting = Self(places);
        if places.waiting.fetch_add(1, Ordering::Relaxed) >= places.most_waiting {
            return Err(Problem::busy("too many requests wait already"));
        }
        Ok(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

struct RaisedOnDrop(Stop);

impl Drop for RaisedOnDrop {
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
    async fn too_many_are_refused_and_leaving_frees_the_place() {
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
    async fn patience_ends_and_faults_are_told() {
        let lane = Lane::new(2, 4, Duration::from_millis(50));
        assert_eq!(lane.run(wait_for).await.unwrap_err().status().as_u16(), 503);
        let lane = Lane::new(1, 1, Duration::from_secs(60));
        let fault = lane.run(|_| panic!("on purpose")).await.map(|(): ()| ());
        assert_eq!(fault.unwrap_err().status().as_u16(), 500);
    }
}
