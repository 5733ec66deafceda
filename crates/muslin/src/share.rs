//! Work on rows of data, shared among the threads of a pool that the caller is in (R4).
//!
//! Rows are independent, and parts are cut at the same places whatever the number of threads, so results are too.
//! Who calls from outside a pool, or from one of a single thread, gets one pass over all rows and no thread is started.

use std::sync::atomic::{AtomicBool, Ordering};

/// Who does the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Share {
    /// The caller alone.
    #[default]
    Alone,
    /// All threads of the caller's pool.
    Pool,
}

/// Rows that can be cut in two.
pub(crate) trait Rows: Sized + Send {
    /// How many there are.
    fn count(&self) -> usize;

    /// The first `at` rows, and the others.
    fn cut(self, at: usize) -> (Self, Self);
}

/// Rows of as many items each, perhaps none.
#[derive(Debug)]
pub(crate) struct Wide<'a, T> {
    items: &'a mut [T],
    width: usize,
}

impl<'a, T> Wide<'a, T> {
    /// Rows of `width` items.
    pub fn new(items: &'a mut [T], width: usize) -> Self {
        Self { items, width }
    }

    /// Row `i`.
    #[inline]
    pub fn row(&mut self, i: usize) -> &mut [T] {
        &mut self.items[i * self.width..(i + 1) * self.width]
    }
}

impl<T: Send> Rows for Wide<'_, T> {
    fn count(&self) -> usize {
        self.items.len() / self.width.max(1)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (low, high) = self.items.split_at_mut(at * self.width);
        (Self::new(low, self.width), Self::new(high, self.width))
    }
}

impl<T: Send> Rows for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// The first of a pair says how many rows there are.
impl<A: Rows, B: Rows> Rows for (A, B) {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (c, d))
    }
}

impl Share {
    /// Shared if there is `enough` to do, and a pool of several threads that the caller is in.
    pub fn if_enough(enough: bool) -> Self {
        let pool = || rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1;
        if enough && pool() { Self::Pool } else { Self::Alone }
    }

    /// Does `work` while another thread of the pool stays awake to share in it: waking one can take longer than what
    /// there is to share at a time.
    pub fn awake<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        let done = AtomicBool::new(false);
        let work = || {
            // Also if it panics.
            let _finish = Finish(&done);
            work()
        };
        // Oldest jobs are stolen first: no job of `work` ever leaves before this one, nor is it met by who waits for them.
        let lend_a_hand = || {
            while !done.load(Ordering::Acquire) {
                if rayon::yield_now() != Some(rayon::Yield::Executed) {
                    std::hint::spin_loop();
                }
            }
        };
        match self {
            Self::Alone => work(),
            Self::Pool => rayon::join(work, lend_a_hand).0,
        }
    }

    /// Does both.
    pub fn join<A: Send, B: Send>(
        self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self {
            Self::Alone => (a(), b()),
            Self::Pool => rayon::join(a, b),
        }
    }

    /// Does `work(first, rows)` on parts of about `size` rows; `first` is the number of the first of them.
    pub fn each<R: Rows>(self, rows: R, size: usize, work: impl Fn(usize, R) + Sync) {
        self.sum(rows, size, work, |(), ()| ());
    }

    /// The same, and adds what the parts give in their order.
    pub fn sum<R: Rows, T: Send>(
        self,
        rows: R,
        size: usize,
        work: impl Fn(usize, R) -> T + Sync,
        add: impl Fn(T, T) -> T + Sync,
    ) -> T {
        match self {
            Self::Alone => work(0, rows),
            Self::Pool => halve(0, rows, size.max(1), (&work, &add)),
        }
    }
}

/// Says that work is done when it goes.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Halves rows until no part has more than `size`.
fn halve<R: Rows, T: Send>(
    first: usize,
    rows: R,
    size: usize,
    (work, add): (&(impl Fn(usize, R) -> T + Sync), &(impl Fn(T, T) -> T + Sync)),
) -> T {
    let count = rows.count();
    if count <= size {
        return work(first, rows);
    }
    // Whole parts, so that only the last one is smaller.
    let at = count.div_ceil(size).div_ceil(2) * size;
    let (low, high) = rows.cut(at);
    let (a, b) = rayon::join(
        || halve(first, low, size, (work, add)),
        || halve(first + at, high, size, (work, add)),
    );
    add(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row is met once and in its place, wide ones and empty ones too, in pools of any size.
    #[test]
    fn every_row_is_met_once() {
        for (threads, count) in [(1, 10), (2, 0), (2, 1), (2, 103), (8, 64), (8, 1000)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut one, mut three, mut none) = (vec![0; count], vec![0; 3 * count], [0; 0]);
            let sum = pool.install(|| {
                let share = Share::if_enough(true);
                assert_eq!(share == Share::Pool, threads > 1);
                let rows =
                    (one.as_mut_slice(), (Wide::new(&mut three, 3), Wide::new(&mut none, 0)));
                let work = |first: usize,
                            (one, (mut three, mut none)): (
                    &mut [usize],
                    (Wide<usize>, Wide<usize>),
                )| {
                    for (i, v) in one.iter_mut().enumerate() {
                        *v += first + i;
                        three.row(i).copy_from_slice(&[*v; 3]);
                        assert!(none.row(i).is_empty());
                    }
                    vec![one.len(); 1]
                };
                share.sum(rows, 10, work, |a, b| [a, b].concat())
            });
            assert_eq!(one, (0..count).collect::<Vec<_>>());
            assert!(three.chunks(3).enumerate().all(|(i, row)| row == [i; 3]));
            assert_eq!(sum.iter().sum::<usize>(), count);
        }
        assert_eq!(Share::if_enough(true), Share::Alone, "outside of a pool");
        assert_eq!(Share::Alone.join(|| 1, || 2), (1, 2));
    }
}
