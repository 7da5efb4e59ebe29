//! Turns to work, shared out fairly between clients.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use setrograde::lock;
use tokio::sync::oneshot;

/// Some turns. A client that waits gets one after each other waiting client had one.
pub struct Turns {
    state: Mutex<State>,
}

struct State {
    free: usize,
    /// The requests that wait, by client; the client in front is next. No queue is empty.
    waiting: VecDeque<(IpAddr, VecDeque<oneshot::Sender<Turn>>)>,
}

/// A turn, until it is dropped.
pub struct Turn(Option<Arc<Turns>>);

impl Turns {
    pub fn new(count: usize) -> Arc<Turns> {
        Arc::new(Turns {
            state: Mutex::new(State {
                free: count,
                waiting: VecDeque::new(),
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Takes a turn, if one is free.
    pub fn take(self: &Arc<Turns>) -> Option<Turn> {
        let mut state = self.state();
        state.free = state.free.checked_sub(1)?;
        Some(Turn(Some(Arc::clone(self))))
    }

    /// Waits for the client's turn, and takes it.
    pub async fn wait(self: &Arc<Turns>, client: IpAddr) -> Turn {
        let receiver = {
            let mut state = self.state();
            if let Some(left) = state.free.checked_sub(1) {
                state.free = left;
                return Turn(Some(Arc::clone(self)));
            }
            let (sender, receiver) = oneshot::channel();
            match state.waiting.iter_mut().find(|(of, _)| *of == client) {
                Some((_, queue)) => queue.push_back(sender),
                None => state.waiting.push_back((client, [sender].into())),
            }
            receiver
        };
        receiver
            .await
            .expect("a queue keeps its senders until they get a turn")
    }

    /// Passes a turn on to the next request that still waits.
    fn pass_on(self: &Arc<Turns>) {
        let mut state = self.state();
        while let Some((client, mut queue)) = state.waiting.pop_front() {
            let next = queue.pop_front().expect("no queue is empty");
            if !queue.is_empty() {
                state.waiting.push_back((client, queue));
            }
            match next.send(Turn(Some(Arc::clone(self)))) {
                Ok(()) => return,
                // Nobody waits for it any more.
                Err(mut turn) => turn.0 = None,
            }
        }
        state.free += 1;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn clients_take_turns() {
        let turns = Turns::new(1);
        let client = |n| IpAddr::V4(Ipv4Addr::new(127, 0, 0, n));
        let mut context = Context::from_waker(Waker::noop());
        let first = turns.take().expect("it is free");
        assert!(turns.take().is_none());
        let mut greedy = [
            Box::pin(turns.wait(client(1))),
            Box::pin(turns.wait(client(1))),
            Box::pin(turns.wait(client(1))),
        ];
        for waiting in &mut greedy {
            assert!(waiting.as_mut().poll(&mut context).is_pending());
        }
        let mut other = pin!(turns.wait(client(2)));
        assert!(other.as_mut().poll(&mut context).is_pending());
        let [one, two, three] = &mut greedy;
        drop(first);
        let Poll::Ready(turn) = one.as_mut().poll(&mut context) else {
            panic!("the first waits no more");
        };
        drop(turn);
        assert!(
            two.as_mut().poll(&mut context).is_pending(),
            "the other is next"
        );
        let Poll::Ready(turn) = other.as_mut().poll(&mut context) else {
            panic!("it is the other's turn");
        };
        assert!(three.as_mut().poll(&mut context).is_pending());
        drop(turn);
        // One that left is passed over, with its turn.
        drop(greedy);
        assert!(turns.take().is_some());
    }
}
