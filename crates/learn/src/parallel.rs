//! Runs the same work on many items, on several threads, with results in the order of the items.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `of` for the numbers below `count` and returns the results in order.
///
/// They do not depend on the number of threads.
pub fn in_order<T: Send>(
    threads: NonZero<usize>,
    count: usize,
    of: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    in_order_with(threads, count, || (), |(), item| of(item))
}

/// Like [`in_order`], with a value that each thread makes once and reuses for all its items.
///
/// A free thread takes the next number, so slow items next to each other do not end up on one
/// thread. `of` must not let one item affect the next through the reused value.
pub fn in_order_with<W, T: Send>(
    threads: NonZero<usize>,
    count: usize,
    begin: impl Fn() -> W + Sync,
    of: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut reused = begin();
        let items = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let mine = items.take_while(|&item| item < count);
        mine.map(|item| (item, of(&mut reused, item))).collect::<Vec<(usize, T)>>()
    };
    let threads = threads.get().min(count);
    if threads <= 1 {
        return work().into_iter().map(|(_, answer)| answer).collect();
    }
    let mut answers: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<(usize, T)>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    answers.sort_by_key(|&(item, _)| item);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_on_any_number_of_threads() {
        let expected: Vec<usize> = (0..17).map(|item| item * item).collect();
        for threads in [1, 2, 3, 16, 40] {
            assert_eq!(in_order(NonZero::new(threads).unwrap(), 17, |item| item * item), expected);
        }
        assert!(in_order(NonZero::<usize>::MIN, 0, |item| item).is_empty());
    }
}
