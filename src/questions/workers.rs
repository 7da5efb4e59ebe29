//! Pieces of input, worked on by several threads and taken in their order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::interrupt::is_interrupted;

/// The most pieces that are read and not yet taken.
const WINDOW: usize = 256;

/// The period in which waits check for an interrupt.
const WAIT: Duration = Duration::from_millis(50);

/// Pieces that a thread of its own reads, so that an interrupt need not wait for
/// the next one.
pub struct Feed<P> {
    pieces: Mutex<Receiver<(usize, P)>>,
    room: Sender<()>,
}

/// The entrance for pieces of the thread that reads.
pub struct Sink<P> {
    pieces: Sender<(usize, P)>,
    room: Receiver<()>,
    given: usize,
}

impl<P> Sink<P> {
    /// Gives a piece, once there is room for it. Says whether more are wanted.
    pub fn give(&mut self, piece: P) -> bool {
        let given = self.room.recv().is_ok() && self.pieces.send((self.given, piece)).is_ok();
        self.given += 1;
        given
    }
}

/// The pieces that `read` gives.
pub fn feed<P: Send + 'static>(read: impl FnOnce(&mut Sink<P>) + Send + 'static) -> Feed<P> {
    let (send, pieces) = mpsc::channel();
    let (room, has_room) = mpsc::channel();
    for _ in 0..WINDOW {
        // The other end is in this function.
        let _ = room.send(());
    }
    std::thread::spawn(move || {
        read(&mut Sink {
            pieces: send,
            room: has_room,
            given: 0,
        });
    });
    Feed {
        pieces: Mutex::new(pieces),
        room,
    }
}

/// Hands each piece of `feed` to one of the `workers`, and what `work` makes of
/// it to `take`, in the order of the pieces and as soon as it is its turn; `None`
/// says that there is no more for now.
///
/// Ends early, and returns `false`, after an interrupt and as soon as `take`
/// returns `false`.
pub fn in_order<P: Send, R: Send, S: Send>(
    feed: Feed<P>,
    workers: Vec<S>,
    work: impl Fn(&mut S, P) -> R + Sync,
    mut take: impl FnMut(Option<R>) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    let stop = AtomicBool::new(false);
    let Feed { pieces, room } = feed;
    std::thread::scope(|scope| {
        // When the taking ends, however it does, the workers stop.
        let _stop = SetOnDrop(&stop);
        let (done, results) = mpsc::channel();
        for mut worker in workers {
            let (done, pieces, work, stop) = (done.clone(), &pieces, &work, &stop);
            scope.spawn(move || {
                let _stop = StopOnPanic(stop);
                while !stop.load(Ordering::Relaxed) {
                    let next = pieces
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .recv_timeout(WAIT);
                    match next {
                        Ok((at, piece)) => {
                            if done.send((at, work(&mut worker, piece))).is_err() {
                                break;
                            }
                        }
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => break,
                    }
                }
            });
        }
        drop(done);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        loop {
            match results.recv_timeout(WAIT) {
                Ok((at, result)) => {
                    waiting.insert(at, result);
                    while let Some(result) = waiting.remove(&next) {
                        next += 1;
                        if !take(Some(result))? {
                            return Ok(false);
                        }
                        // Nobody reads any more once all is read.
                        let _ = room.send(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if is_interrupted() || stop.load(Ordering::Relaxed) {
                        return Ok(false);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
            }
            take(None)?;
        }
    })
}

/// Ends all once a worker panics; the scope then passes the panic on.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn results_come_in_order_and_a_slow_one_bounds_what_is_read() {
        let read = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&read);
        let pieces = feed(move |sink| {
            for n in 0..2_000_usize {
                counter.fetch_add(1, Ordering::Relaxed);
                if !sink.give(n) {
                    return;
                }
            }
        });
        let (taken, read_before_first) = (Cell::new(0), AtomicUsize::new(0));
        let finished = in_order(
            pieces,
            vec![(); 3],
            |(), n| {
                if n == 0 {
                    std::thread::sleep(Duration::from_millis(200));
                    read_before_first.store(read.load(Ordering::Relaxed), Ordering::Relaxed);
                }
                n
            },
            |n| {
                if let Some(n) = n {
                    assert_eq!(n, taken.get());
                    taken.set(n + 1);
                }
                Ok(true)
            },
        );
        assert!(finished.expect("no error"));
        assert_eq!(taken.get(), 2_000);
        assert!(read_before_first.into_inner() <= WINDOW + 1);
    }

    #[test]
    fn taking_may_end_it() {
        let pieces = feed(|sink| while sink.give(()) {});
        let mut left = 10;
        let finished = in_order(
            pieces,
            vec![(); 2],
            |(), ()| (),
            |taken| {
                left -= usize::from(taken.is_some());
                Ok(left > 0)
            },
        );
        assert!(!finished.expect("no error"));
        assert_eq!(left, 0);
    }
}
