//! Long work that Ctrl-C can end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals are looked at and progress is reported.
pub const PULSE: Duration = Duration::from_millis(50);
/// How long to wait for work to end after Ctrl-C. Then it is left to end on its own.
const GRACE: Duration = Duration::from_secs(2);

/// What a working thread sends.
enum Message<T, News> {
    News(News),
    Done(T),
}

/// Sends news of the work to the thread that waits for it.
pub struct Reporter<T, News>(Sender<Message<T, News>>);

impl<T, News> Reporter<T, News> {
    /// Sends news; without effect once the work was left alone.
    pub fn send(&self, news: News) {
        let _ = self.0.send(Message::News(news));
    }
}

/// Runs work on a thread of its own. This thread looks at signals meanwhile and passes news to
/// `see`. An exception of a signal handler or of `see` raises the flag `stop` and is returned.
pub fn run<T: Send + 'static, News: Send + 'static>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce(&Reporter<T, News>) -> T + Send + 'static,
    mut see: impl FnMut(News) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let reporter = Reporter(sender);
        let done = work(&reporter);
        let _ = reporter.0.send(Message::Done(done));
    });
    let receiver = Mutex::new(receiver);
    let next = |wait| receiver.lock().expect("only this thread receives").recv_timeout(wait);
    loop {
        let seen = match py.detach(|| next(PULSE)) {
            Ok(Message::Done(done)) => return Ok(done),
            Ok(Message::News(news)) => see(news),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("deminer panicked: this is a bug"));
            }
        };
        if let Err(error) = seen.and_then(|()| py.check_signals()) {
            stop.store(true, Ordering::Relaxed);
            let end = Instant::now() + GRACE;
            py.detach(|| {
                while let Some(left) = end.checked_duration_since(Instant::now()) {
                    if !matches!(next(left), Ok(Message::News(_))) {
                        break;
                    }
                }
            });
            return Err(error);
        }
    }
}
