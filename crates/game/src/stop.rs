//! Ends long work on a thread once its answer is no longer wanted.
//!
//! The caller raises a flag; every loop that may take long looks at it. The flag belongs to the
//! thread for the time of one call, so that counts, proofs, searches and agents obey it without
//! passing it on:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use deminer_game::stop;
//!
//! let flag = Arc::new(AtomicBool::new(false));
//! let rounds = stop::unless(&flag, || {
//!     let mut rounds = 0;
//!     while !stop::is_raised() {
//!         rounds += 1;
//!         flag.store(rounds == 3, Ordering::Relaxed);
//!     }
//!     rounds
//! });
//! assert_eq!(rounds, 3);
//! assert!(!stop::is_raised());
//! ```
//!
//! The result of a stopped computation is well formed but has no meaning. The caller that raises
//! the flag drops it. Nothing that was cut short is remembered for later calls.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Loops look at the flag at least once in this many of their steps, which take nanoseconds to
/// a microsecond each.
pub const STEPS: usize = 1024;

/// What the work on this thread looks at.
#[derive(Clone, Default)]
enum Signal {
    /// Nothing stops it.
    #[default]
    Never,
    /// Another thread may raise this.
    Flag(Arc<AtomicBool>),
    /// Raised at the look with this number.
    Look(u64),
}

thread_local! {
    static SIGNAL: RefCell<Signal> = const { RefCell::new(Signal::Never) };
    /// How often the work has looked; only counted where a look raises the signal.
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

/// Gives the thread its former signal back, after a panic too.
struct Restore(Signal);

impl Drop for Restore {
    fn drop(&mut self) {
        SIGNAL.set(std::mem::take(&mut self.0));
    }
}

/// Works on this thread until done, or ends early once the flag is raised.
pub fn unless<T>(flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(SIGNAL.replace(Signal::Flag(Arc::clone(flag))));
    work()
}

/// Works on this thread as if the flag were raised at the look with this number, the first being
/// 0. Also returns how often the work looked, so that tests measure without a clock how soon it
/// ends.
pub fn at_look<T>(number: u64, work: impl FnOnce() -> T) -> (T, u64) {
    let _restore = Restore(SIGNAL.replace(Signal::Look(number)));
    let before = LOOKS.replace(0);
    let answer = work();
    (answer, LOOKS.replace(before))
}

/// Whether the work on this thread is no longer wanted. Takes nanoseconds.
#[inline]
pub fn is_raised() -> bool {
    SIGNAL.with_borrow(|signal| match signal {
        Signal::Never => false,
        Signal::Flag(flag) => flag.load(Ordering::Relaxed),
        Signal::Look(number) => {
            let looks = LOOKS.get();
            LOOKS.set(looks + 1);
            looks >= *number
        }
    })
}

/// Looks at the signal once in [`STEPS`] steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace(usize);

impl Pace {
    /// Counts some steps. Whether the work is no longer wanted; false between looks.
    #[inline]
    pub fn step(&mut self, steps: usize) -> bool {
        self.0 += steps;
        if self.0 < STEPS {
            return false;
        }
        self.0 = 0;
        is_raised()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_flag_ends_with_its_call() {
        let (outer, inner) = (Arc::new(AtomicBool::new(true)), Arc::default());
        assert!(!is_raised());
        unless(&outer, || {
            assert!(is_raised());
            unless(&inner, || assert!(!is_raised()));
            assert!(is_raised());
            let caught = std::panic::catch_unwind(|| unless(&Arc::default(), || panic!("inside")));
            assert!(caught.is_err() && is_raised());
        });
        assert!(!is_raised());
    }

    #[test]
    fn looks_are_counted() {
        let (raised, looks) = at_look(2, || [(); 4].map(|()| is_raised()));
        assert_eq!((raised, looks), ([false, false, true, true], 4));
        let (rounds, looks) = at_look(0, || {
            let mut pace = Pace::default();
            (1..).find(|_| pace.step(STEPS / 4))
        });
        assert_eq!((rounds, looks), (Some(4), 1));
    }
}
