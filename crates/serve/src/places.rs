//! Places for connections and for requests, shared out between clients: a client may have all
//! while no other wants one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use setrograde::lock;
use tokio::sync::Notify;

/// Time after which an idle place makes room. A request may be on its way until then.
const FRESH: Duration = Duration::from_millis(100);

/// Maximum length of answers that are not counted, in bytes.
const SHORT: usize = 64 << 10;

/// A limited number of places.
pub struct Places {
    most: usize,
    taken: Mutex<Vec<Arc<PlaceState>>>,
}

/// A place that is taken.
struct PlaceState {
    client: IpAddr,
    state: Mutex<State>,
    lost: Notify,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// The time since when the place is idle; `None` while it is not.
    idle: Option<Instant>,
    /// Bytes of a long answer that its client may not have received yet.
    unsent: usize,
}

/// A place, until it is dropped or lost.
pub struct TakenPlace {
    places: Arc<Places>,
    taken: Arc<PlaceState>,
}

/// Returns the client of an address. All addresses of a network of IPv6 (64 bits) are one client.
pub fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

impl Places {
    pub fn new(most: usize) -> Arc<Places> {
        Arc::new(Places {
            most,
            taken: Mutex::default(),
        })
    }

    /// The number of places that are taken.
    pub fn count(&self) -> usize {
        lock(&self.taken).len()
    }

    /// Takes a place that is not idle; `None` if there is none for this client.
    pub fn enter(self: &Arc<Places>, client: IpAddr) -> Option<TakenPlace> {
        let mut taken = lock(&self.taken);
        if taken.len() >= self.most {
            let displaced = displaced(&taken, client)?;
            let place = taken.remove(displaced);
            place.lost.notify_one();
        }
        let place = Arc::new(PlaceState {
            client,
            state: Mutex::default(),
            lost: Notify::new(),
        });
        taken.push(Arc::clone(&place));
        Some(TakenPlace {
            places: Arc::clone(self),
            taken: place,
        })
    }
}

/// Returns the index of the place that makes room for a newcomer. It belongs to a client with the
/// maximum number of places, counted with the newcomer's: the one that is idle longest, or else
/// the last one, if that client keeps as many as the newcomer's has.
fn displaced(taken: &[Arc<PlaceState>], newcomer: IpAddr) -> Option<usize> {
    let mut counts = HashMap::from([(newcomer, 1)]);
    for place in taken {
        *counts.entry(place.client).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or_default();
    let of_most = || (0..taken.len()).filter(|&at| counts[&taken[at].client] == most);
    let idle = of_most().filter_map(|at| Some((taken[at].idle()?, at)));
    let idle = idle.filter(|(idle, _)| *idle >= FRESH).max();
    match idle {
        Some((_, at)) => Some(at),
        None if most > counts[&newcomer] => of_most().next_back(),
        None => None,
    }
}

/// Returns the index of the place whose answer is given up if too many bytes are unsent: of the
/// client with most of them, that which has waited longest.
fn heaviest(taken: &[Arc<PlaceState>]) -> Option<usize> {
    let mut bytes = HashMap::new();
    for place in taken {
        *bytes.entry(place.client).or_insert(0) += place.state().unsent;
    }
    let unsent = (0..taken.len()).filter(|&at| taken[at].state().unsent > 0);
    unsent.max_by_key(|&at| (bytes[&taken[at].client], taken[at].idle()))
}

impl PlaceState {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn idle(&self) -> Option<Duration> {
        self.state().idle.map(|since| since.elapsed())
    }
}

impl TakenPlace {
    /// Marks the place as not idle.
    pub fn set_busy(&self) {
        *self.taken.state() = State::default();
    }

    /// Marks the place as idle from now on: an answer of `unsent` bytes is sent. While all such
    /// answers have more than `most` bytes, places are lost.
    pub fn set_idle(&self, unsent: usize, most: usize) {
        let mut taken = lock(&self.places.taken);
        *self.taken.state() = State {
            idle: Some(Instant::now()),
            // The system takes a short answer at once.
            unsent: if unsent < SHORT { 0 } else { unsent },
        };
        if unsent < SHORT {
            return;
        }
        let mut total: usize = taken.iter().map(|place| place.state().unsent).sum();
        while total > most
            && let Some(at) = heaviest(&taken)
        {
            let lost = taken.remove(at);
            // Its client may have received the answer since.
            total = total.saturating_sub(lost.state().unsent);
            lost.lost.notify_one();
        }
    }

    /// The time for which the place is idle; `None` if it is not.
    pub fn idle(&self) -> Option<Duration> {
        self.taken.idle()
    }

    /// Waits until the place is another client's.
    pub async fn lost(&self) {
        self.taken.lost.notified().await;
    }
}

impl Drop for TakenPlace {
    fn drop(&mut self) {
        let mut taken = lock(&self.places.taken);
        if let Some(at) = (taken.iter()).position(|place| Arc::ptr_eq(place, &self.taken)) {
            taken.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    fn is_lost(place: &TakenPlace) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        pin!(place.lost()).as_mut().poll(&mut context).is_ready()
    }

    #[test]
    fn places_are_shared_out() {
        let places = Places::new(5);
        let client = |n| IpAddr::V4(Ipv4Addr::new(127, 0, 0, n));
        let first: Vec<TakenPlace> = (0..5).filter_map(|_| places.enter(client(1))).collect();
        assert_eq!((first.len(), places.count()), (5, 5));
        assert!(places.enter(client(1)).is_none(), "none is idle");
        first[1].set_idle(0, 0);
        assert!(
            places.enter(client(1)).is_none(),
            "it was not idle for long"
        );
        std::thread::sleep(FRESH);
        first[2].set_idle(0, 0);
        let second = places.enter(client(2)).expect("the idle one");
        assert_eq!(
            [1, 2, 4].map(|at| is_lost(&first[at])),
            [true, false, false]
        );
        let third = places.enter(client(2)).expect("the last one");
        assert_eq!(
            [2, 3, 4].map(|at| is_lost(&first[at])),
            [false, false, true]
        );
        assert!(places.enter(client(2)).is_none(), "others would have fewer");
        std::thread::sleep(FRESH);
        let another = places.enter(client(3)).expect("the idle one");
        assert_eq!([2, 3].map(|at| is_lost(&first[at])), [true, false]);
        // What is lost frees no place of another's.
        drop(first);
        assert_eq!(places.count(), 3);
        drop((second, third, another));
        assert_eq!(places.count(), 0);
    }

    #[test]
    fn answers_that_nobody_receives_are_given_up() {
        let places = Places::new(10);
        let client = |n| IpAddr::V4(Ipv4Addr::new(127, 0, 0, n));
        let enter = |n| places.enter(client(n)).expect("there are 10");
        let (first, most) = ([1, 1, 1, 1].map(enter), 4 * SHORT);
        let other = enter(2);
        other.set_idle(SHORT, most);
        first[0].set_idle(SHORT - 1, most);
        for place in &first[1..] {
            std::thread::sleep(Duration::from_millis(2));
            place.set_idle(SHORT, most);
        }
        assert_eq!(places.count(), 5, "they have just as much");
        first[2].set_busy();
        first[2].set_idle(2 * SHORT, most);
        assert!(is_lost(&first[1]), "it has waited longest");
        assert_eq!(places.count(), 4);
        other.set_idle(2 * SHORT, most);
        assert!(is_lost(&first[3]), "its client has more");
        assert_eq!((is_lost(&other), places.count()), (false, 3));
        other.set_idle(5 * SHORT, most);
        assert_eq!((is_lost(&other), places.count()), (true, 2));
    }

    #[test]
    fn a_network_is_a_client() {
        let client = |text: &str| client(text.parse().expect("an address"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:0:0:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }
}
