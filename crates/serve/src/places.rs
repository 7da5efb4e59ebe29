//! Places for connections and for requests, shared out between clients: a client may have all
//! while no other wants one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Time after which an idle place makes room. A request may be on its way until then.
const FRESH: Duration = Duration::from_millis(100);

/// A limited number of places.
pub struct Places {
    most: usize,
    taken: Mutex<Vec<Arc<Taken>>>,
}

/// A place that is taken.
struct Taken {
    client: IpAddr,
    /// The time since when it is idle; `None` while it is not.
    idle: Mutex<Option<Instant>>,
    lost: Notify,
}

/// A place, until it is dropped or lost.
pub struct Place {
    places: Arc<Places>,
    taken: Arc<Taken>,
}

/// Returns the client of an address. All addresses of a network of IPv6 (64 bits) are one client.
pub fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

impl Places {
    pub fn new(most: usize) -> Arc<Places> {
        Arc::new(Places {
            most,
            taken: Mutex::default(),
        })
    }

    fn taken(&self) -> MutexGuard<'_, Vec<Arc<Taken>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of places that are taken.
    pub fn count(&self) -> usize {
        self.taken().len()
    }

    /// Takes a place that is not idle; `None` if there is none for this client.
    pub fn enter(self: &Arc<Places>, client: IpAddr) -> Option<Place> {
        let mut taken = self.taken();
        if taken.len() >= self.most {
            let displaced = displaced(&taken, client)?;
            let place = taken.remove(displaced);
            place.lost.notify_one();
        }
        let place = Arc::new(Taken {
            client,
            idle: Mutex::new(None),
            lost: Notify::new(),
        });
        taken.push(Arc::clone(&place));
        Some(Place {
            places: Arc::clone(self),
            taken: place,
        })
    }
}

/// Returns the index of the place that makes room for a newcomer. It belongs to a client with the
/// maximum number of places, counted with the newcomer's: the one that is idle longest, or else
/// the last one, if that client keeps as many as the newcomer's has.
fn displaced(taken: &[Arc<Taken>], newcomer: IpAddr) -> Option<usize> {
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

impl Taken {
    fn since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> Option<Duration> {
        self.since().map(|since| since.elapsed())
    }
}

impl Place {
    /// Marks the place as idle from now on, or as not idle.
    pub fn set_idle(&self, idle: bool) {
        *self.taken.since() = idle.then(Instant::now);
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

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
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

    fn is_lost(place: &Place) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        pin!(place.lost()).as_mut().poll(&mut context).is_ready()
    }

    #[test]
    fn places_are_shared_out() {
        let places = Places::new(5);
        let client = |n| IpAddr::V4(Ipv4Addr::new(127, 0, 0, n));
        let first: Vec<Place> = (0..5).filter_map(|_| places.enter(client(1))).collect();
        assert_eq!((first.len(), places.count()), (5, 5));
        assert!(places.enter(client(1)).is_none(), "none is idle");
        first[1].set_idle(true);
        assert!(
            places.enter(client(1)).is_none(),
            "it was not idle for long"
        );
        std::thread::sleep(FRESH);
        first[2].set_idle(true);
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
    fn a_network_is_a_client() {
        let client = |text: &str| client(text.parse().expect("an address"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:0:0:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }
}
