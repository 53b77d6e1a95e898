//! The same work on many items, on several threads.

use std::num::NonZero;
use std::thread;

/// What `of` says of the numbers below `count`, in their order, whatever the number of threads.
///
/// Items are handed out in turn, so that dear ones next to each other do not all fall to one
/// thread.
pub fn in_order<T: Send>(
    threads: NonZero<usize>,
    count: usize,
    of: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.get().min(count);
    if threads <= 1 {
        return (0..count).map(of).collect();
    }
    let mut parts: Vec<std::vec::IntoIter<T>> = thread::scope(|scope| {
        let of = &of;
        let part = |first: usize| {
            scope.spawn(move || (first..count).step_by(threads).map(of).collect::<Vec<T>>())
        };
        let workers: Vec<_> = (0..threads).map(part).collect();
        let done = workers.into_iter().map(|worker| worker.join());
        done.map(|part| part.expect("no item of the work fails").into_iter()).collect()
    });
    let next = |index: usize| parts[index % threads].next().expect("every item has its answer");
    (0..count).map(next).collect()
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
