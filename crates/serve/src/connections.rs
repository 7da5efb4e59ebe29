//! Connections, and the limits of requests.

use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use http_body_util::Full;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;
use setrograde::QUESTIONS;
use setrograde::solver::Stop;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use crate::answer::{HttpAnswer, JSON};
use crate::body;
use crate::desks::Desks;
use crate::log::{AccessLine, say};
use crate::metrics::{Gauges, Metrics};
use crate::openapi;
use crate::origin::{self, Exposure, Origins};
use crate::places::{self, Places, TakenPlace};
use crate::request::{ASK, HttpQuestion, PostedBody};
use crate::turns::{Turn, Turns};
use crate::wire::Wire;
use crate::works::{GiveUp, RequestWork, Works};

/// The time that requests have to end once the server must stop.
pub const GRACE: Duration = Duration::from_secs(5);
/// Time without an answer after which a connection is closed: its client is slow to ask or to
/// receive the answer, or has no more questions.
const IDLE: Duration = Duration::from_secs(10);
/// Maximum number of connections.
const MOST_CONNECTIONS: usize = 256;
/// Maximum number of connections that wait for a place, and the time for which they wait. Then their
/// requests are refused.
const MOST_ENTERING: usize = 64;
const ENTERING: Duration = Duration::from_secs(1);
/// Maximum number of requests that are being answered or waiting.
const MOST_WAITING: usize = 200;
/// Maximum number of bytes of answers that were not received yet, unless two of the longest have
/// more.
const MOST_UNSENT: usize = 64 << 20;
/// Bytes of a request without its file.
const HEAD: usize = 64 << 10;
/// The polling period of waits.
const TICK: Duration = Duration::from_millis(50);
/// If all turns are taken, a request is tried beside the long ones with this limit on its processor
/// time, which most questions do not reach even on a busy machine.
const SHORT: Duration = Duration::from_millis(25);
/// Maximum number of requests that are tried at once.
const SHORT_AT_ONCE: usize = 8;

/// The content of `/` and its type: the page, if it was built (docs/page.md).
#[cfg(feature = "page")]
const START: (&str, &str) = (
    include_str!("../../../page/setrograde.html"),
    "text/html; charset=utf-8",
);
#[cfg(not(feature = "page"))]
const START: (&str, &str) = (include_str!("start.txt"), "text/plain");

/// The limits that the user chooses.
pub struct ServerLimits {
    /// Maximum number of long requests that are answered at once.
    pub at_once: usize,
    /// Time limit for an answer.
    pub time: Duration,
    /// The longest file, in bytes.
    pub size: usize,
    /// True if each request has a line on standard error.
    pub log: bool,
}

impl ServerLimits {
    /// The longest answer, in bytes.
    pub fn answer(&self) -> usize {
        16 * self.size
    }

    /// Maximum number of bytes of answers that were not received yet.
    fn unsent(&self) -> usize {
        MOST_UNSENT.max(2 * self.answer())
    }

    /// The threads that answer.
    pub fn threads(&self) -> usize {
        self.at_once + SHORT_AT_ONCE
    }
}

pub struct Server {
    desks: Arc<Desks>,
    limits: ServerLimits,
    origins: Origins,
    /// A turn for each long request that may be answered at once.
    long: Arc<Turns>,
    /// A turn for each request that may be tried in addition.
    short: Arc<Turns>,
    works: Arc<Works>,
    connections: Arc<Places>,
    /// Requests that are being answered or wait for an answer.
    requests: Arc<Places>,
    metrics: Metrics,
    openapi: String,
    /// True once the requests in progress have been cancelled.
    giving_up: watch::Sender<bool>,
}

/// The client of a connection.
struct Caller {
    client: IpAddr,
    wire: Wire,
    /// `None` if all its requests are refused.
    place: Option<TakenPlace>,
}

impl Server {
    pub fn new(
        desks: Desks,
        limits: ServerLimits,
        origins: Origins,
        address: SocketAddr,
    ) -> Arc<Server> {
        // Behind an address for all networks it has many.
        let base = if address.ip().is_unspecified() {
            "/".to_owned()
        } else {
            format!("http://{address}")
        };
        Arc::new(Server {
            openapi: openapi::document(&base).to_string() + "\n",
            desks: Arc::new(desks),
            long: Turns::new(limits.at_once),
            short: Turns::new(SHORT_AT_ONCE),
            limits,
            origins,
            works: Arc::default(),
            connections: Places::new(MOST_CONNECTIONS),
            requests: Places::new(MOST_WAITING),
            metrics: Metrics::default(),
            giving_up: watch::Sender::new(false),
        })
    }

    /// Answers until `ended` is true: the program must stop.
    pub async fn run(self: Arc<Server>, listener: TcpListener, ended: watch::Receiver<bool>) {
        let stop = watch::Sender::new(false);
        let mut connections = JoinSet::new();
        // The system may have taken connections, with their requests, that arrived before the
        // signal: they are accepted until none waits for a tick, and read.
        let mut end = None;
        while end.is_none_or(|end| Instant::now() < end) {
            if end.is_none() && *ended.borrow() {
                end = Some(Instant::now() + TICK * 20);
            }
            while connections.try_join_next().is_some() {}
            match timeout(TICK, listener.accept()).await {
                Ok(Ok((stream, address))) => {
                    let client = places::client(address.ip());
                    let place = self.connections.enter(client);
                    if place.is_some() || connections.len() < MOST_CONNECTIONS + MOST_ENTERING {
                        let server = Arc::clone(&self);
                        connections.spawn(server.serve(stream, client, place, stop.subscribe()));
                    }
                }
                // No file handle is free, or the client has disconnected.
                Ok(Err(error)) => {
                    say(format_args!(
                        "setrograde: cannot accept a connection: {error}"
                    ));
                    sleep(TICK).await;
                }
                Err(_) if end.is_some() => break,
                Err(_) => {}
            }
        }
        drop(listener);
        stop.send_replace(true);
        let all = async { while connections.join_next().await.is_some() {} };
        if timeout(GRACE, all).await.is_err() {
            self.giving_up.send_replace(true);
            let all = async { while connections.join_next().await.is_some() {} };
            let _ = timeout(TICK * 10, all).await;
        }
    }

    /// Answers the requests of a connection.
    async fn serve(
        self: Arc<Server>,
        stream: TcpStream,
        client: IpAddr,
        mut place: Option<TakenPlace>,
        mut stop: watch::Receiver<bool>,
    ) {
        let begun = Instant::now();
        while place.is_none() && begun.elapsed() < ENTERING {
            sleep(TICK).await;
            place = self.connections.enter(client);
        }
        let _ = stream.set_nodelay(true);
        let caller = Caller {
            client,
            wire: Wire::new(stream),
            place,
        };
        let set_idle = |unsent| {
            if let Some(place) = &caller.place {
                place.set_idle(unsent, self.limits.unsent());
            }
        };
        set_idle(0);
        let service = service_fn(async |request| {
            if let Some(place) = &caller.place {
                place.set_busy();
            }
            let response = self.respond(request, &caller).await;
            set_idle(response.body().size_hint().lower() as usize);
            caller.wire.expect_head();
            Ok::<_, Infallible>(response)
        });
        let mut connection = pin!(
            http1::Builder::new()
                .max_buf_size(HEAD)
                .serve_connection(TokioIo::new(caller.wire.clone()), service)
        );
        loop {
            tokio::select! {
                biased;
                _ = connection.as_mut() => return,
                () = caller.wire.left() => return,
                () = caller.lost() => return,
                Ok(()) = stop.changed() => connection.as_mut().graceful_shutdown(),
                () = sleep(IDLE / 10) => {
                    let idle = caller.place.as_ref().map_or(Some(IDLE), TakenPlace::idle);
                    if idle.is_some_and(|idle| idle >= IDLE) {
                        return;
                    }
                }
            }
        }
    }

    async fn respond(&self, request: Request<Incoming>, caller: &Caller) -> Response<Full<Bytes>> {
        let begun = Instant::now();
        let path = request.uri().path().trim_start_matches('/').to_owned();
        let endpoint = QUESTIONS
            .iter()
            .chain([&ASK])
            .copied()
            .find(|of| *of == path);
        let methods = match endpoint {
            Some(ASK) => "POST, OPTIONS",
            Some(_) => "GET, HEAD, POST, OPTIONS",
            None => "GET, HEAD, OPTIONS",
        };
        let headers = request.headers().clone();
        let method = request.method().clone();
        let authority = request.uri().authority().map(|of| of.as_str());
        let exposure = match (endpoint, &*path) {
            (Some(_), _) => Exposure::Questions,
            (None, "" | "health") => Exposure::Open,
            (None, _) => Exposure::Own,
        };
        let (target, version) = (request.uri().clone(), request.version());
        let origin = self.origins.check(version, authority, &headers, exposure);
        let client = asking_client(caller.client, &headers);
        let answer = match (&origin, endpoint) {
            _ if caller.wire.has_two_lengths() => HttpAnswer::refused(
                StatusCode::BAD_REQUEST,
                "the request has Content-Length and Transfer-Encoding; expected one of them",
            ),
            _ if head_size(&request) > HEAD => HttpAnswer::refused(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "the head of the request is longer than 64 KB",
            ),
            _ if caller.place.is_none() => HttpAnswer::refused(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many connections; ask again later",
            ),
            (Err((status, problem)), _) => HttpAnswer::refused(*status, problem),
            (Ok(_), Some(_)) if method == Method::OPTIONS => HttpAnswer::nothing(),
            (Ok(_), Some(endpoint))
                if methods.split(", ").any(|known| known == method.as_str()) =>
            {
                self.ask(endpoint, request, caller, client).await
            }
            (Ok(_), Some(_)) => not_allowed(&method, methods),
            (Ok(_), None) => self.own(&path, &method, methods),
        };
        let status = answer.status;
        let endpoint = endpoint.unwrap_or("other");
        self.metrics.add(endpoint, status.as_u16(), begun.elapsed());
        if self.limits.log {
            say(AccessLine {
                client,
                method: &method,
                target: &target,
                version,
                status,
                bytes: answer.bytes.len() as u64,
                took: begun.elapsed(),
            });
        }
        let mut response = response(answer, methods);
        let of_response = response.headers_mut();
        if caller.place.is_none() {
            of_response.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if let Ok(Some(origin)) = origin {
            origin::allow(of_response, origin);
            origin::allow_before(of_response, &method, &headers, methods);
        }
        response
    }

    /// The answer about the server itself.
    fn own(&self, path: &str, method: &Method, methods: &str) -> HttpAnswer {
        // The server as a whole.
        if path == "*" && method == Method::OPTIONS {
            return HttpAnswer::nothing();
        }
        if !["", "health", "metrics", "openapi.json"].contains(&path) {
            let problem = "no such path; /openapi.json lists the paths";
            return HttpAnswer::refused(StatusCode::NOT_FOUND, problem);
        }
        if method == Method::OPTIONS {
            return HttpAnswer::nothing();
        }
        if ![Method::GET, Method::HEAD].contains(method) {
            return not_allowed(method, methods);
        }
        match path {
            "" => HttpAnswer::new(START.1, START.0),
            "health" => self.health(),
            "metrics" => HttpAnswer::new(
                "text/plain; version=0.0.4",
                self.metrics.text(&Gauges {
                    connections: self.connections.count(),
                    requests: self.requests.count(),
                    working: self.works.count(),
                    stuck: self.works.stuck(),
                }),
            ),
            _ => HttpAnswer::new(JSON, self.openapi.clone()),
        }
    }

    fn health(&self) -> HttpAnswer {
        let stuck = self.works.stuck();
        if stuck >= self.limits.at_once {
            let problem = format!(
                "no worker can work: {stuck} requests were given up, and their work does not end"
            );
            return HttpAnswer::refused(StatusCode::SERVICE_UNAVAILABLE, problem);
        }
        HttpAnswer::object(json!({
            "program": concat!("setrograde ", env!("CARGO_PKG_VERSION")),
            "cards": self.desks.cards(),
        }))
    }

    /// Answers a question, or a file of them, within the limits.
    async fn ask(
        &self,
        path: &'static str,
        request: Request<Incoming>,
        caller: &Caller,
        client: IpAddr,
    ) -> HttpAnswer {
        let mut giving_up = self.giving_up.subscribe();
        tokio::select! {
            answer = self.answer_request(path, request, caller, client) => answer,
            _ = giving_up.wait_for(|&given_up| given_up) => {
                HttpAnswer::refused(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping")
            }
        }
    }

    async fn answer_request(
        &self,
        path: &'static str,
        request: Request<Incoming>,
        caller: &Caller,
        client: IpAddr,
    ) -> HttpAnswer {
        let begun = Instant::now();
        let query = request.uri().query().unwrap_or_default().to_owned();
        let body = if request.method() == Method::POST {
            let headers = request.headers().clone();
            match body::read(request, self.limits.size).await {
                Ok(bytes) => Some(PostedBody { headers, bytes }),
                Err(answer) => return answer,
            }
        } else {
            None
        };
        let asked = Arc::new(HttpQuestion { path, query, body });
        let too_many = || {
            let problem = "too many requests are waiting; ask again later";
            HttpAnswer::refused(StatusCode::SERVICE_UNAVAILABLE, problem)
        };
        let Some(place) = self.requests.enter(client) else {
            return too_many();
        };
        let _watch = caller.wire.watch();
        let work = GiveUp(Arc::default());
        let deadline = begun + self.limits.time;
        tokio::select! {
            answer = within(self.limits.time, self.answer(&asked, &work.0, deadline, client)) => {
                answer.flatten().unwrap_or_else(|| {
                    let seconds = self.limits.time.as_secs();
                    let problem = format!("no answer within {seconds} s; the server's --time is the limit");
                    HttpAnswer::refused(StatusCode::GATEWAY_TIMEOUT, problem)
                })
            }
            () = place.lost() => too_many(),
        }
    }

    /// The answer, at the client's turn; `None` if there was none at the deadline.
    async fn answer(
        &self,
        asked: &Arc<HttpQuestion>,
        work: &Arc<RequestWork>,
        deadline: Instant,
        client: IpAddr,
    ) -> Option<HttpAnswer> {
        let turn = match self.long.take() {
            Some(turn) => turn,
            None => {
                // A long one may wait; a short one need not, behind those that are under way.
                let turn = self.short.wait(client).await;
                let tried = GiveUp(Arc::default());
                let until = Stop::from(Arc::clone(&tried.0.given_up)).by(deadline);
                let mut found = pin!(self.work(turn, asked, &tried.0, until));
                let found = tokio::select! {
                    found = found.as_mut() => found,
                    () = self.spent(SHORT) => {
                        tried.0.given_up.store(true, Ordering::Relaxed);
                        found.await
                    }
                };
                if found.is_some() || Instant::now() >= deadline {
                    return found;
                }
                self.long.wait(client).await
            }
        };
        let stop = Stop::from(Arc::clone(&work.given_up)).by(deadline);
        self.work(turn, asked, work, stop).await
    }

    /// Waits until each work under way has had about this much processor time.
    async fn spent(&self, time: Duration) {
        let begun = ProcessTime::try_now();
        let since = Instant::now();
        loop {
            sleep(TICK / 5).await;
            let used = match &begun {
                Ok(begun) => begun.try_elapsed().unwrap_or_else(|_| since.elapsed()),
                Err(_) => since.elapsed(),
            };
            if used >= time * self.works.count().max(1) as u32 {
                return;
            }
        }
    }

    async fn work(
        &self,
        turn: Turn,
        asked: &Arc<HttpQuestion>,
        work: &Arc<RequestWork>,
        stop: Stop,
    ) -> Option<HttpAnswer> {
        let (desks, asked) = (Arc::clone(&self.desks), Arc::clone(asked));
        let under_way = self.works.begin(work);
        let work = spawn_blocking(move || {
            // Cancelled work keeps its turn until it has ended.
            let _until_done = (under_way, turn);
            desks.answer(&asked, &stop)
        });
        work.await.unwrap_or_else(|_| {
            let problem = "this is a bug: the server failed at this question";
            Some(HttpAnswer::refused(
                StatusCode::INTERNAL_SERVER_ERROR,
                problem,
            ))
        })
    }
}

impl Caller {
    /// Waits until the connection's place is another client's.
    async fn lost(&self) {
        match &self.place {
            Some(place) => place.lost().await,
            None => std::future::pending().await,
        }
    }
}

/// Returns the client that asks: behind a proxy on this machine, the last address that it names.
fn asking_client(peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !peer.is_loopback() {
        return peer;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let named = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next());
    let named = named.map(str::trim).and_then(|text| {
        let with_port = || text.parse().map(|address: SocketAddr| address.ip());
        let plain = text.trim_start_matches('[').trim_end_matches(']');
        plain.parse().or_else(|_| with_port()).ok()
    });
    named.map_or(peer, places::client)
}

/// The bytes of a request without its body.
fn head_size(request: &Request<Incoming>) -> usize {
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + 4);
    let target = request.uri().path_and_query();
    headers.sum::<usize>() + target.map_or(0, |target| target.as_str().len())
}

/// The result of a future within a time; `None` once that is over, also if the result is seen too
/// late.
async fn within<T>(time: Duration, found: impl Future<Output = T>) -> Option<T> {
    let begun = Instant::now();
    let found = timeout(time, found).await.ok();
    found.filter(|_| begun.elapsed() < time)
}

/// The response with an answer. `methods` are those that its path has.
fn response(answer: HttpAnswer, methods: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(answer.bytes.into()));
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    let mut add = |name, value| headers.insert(name, HeaderValue::from_static(value));
    if answer.status != StatusCode::NO_CONTENT {
        add(CONTENT_TYPE, answer.kind);
    }
    match answer.status {
        StatusCode::SERVICE_UNAVAILABLE => add(RETRY_AFTER, "1"),
        StatusCode::METHOD_NOT_ALLOWED | StatusCode::NO_CONTENT => add(ALLOW, methods),
        // The rest of the body is not read.
        StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => add(CONNECTION, "close"),
        _ => None,
    };
    response
}

fn not_allowed(method: &Method, methods: &str) -> HttpAnswer {
    let problem = format!("expected {methods}; found {method}");
    HttpAnswer::refused(StatusCode::METHOD_NOT_ALLOWED, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_of_this_machine_names_its_client() {
        let client = |peer: &str, forwarded: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in forwarded {
                headers.append("x-forwarded-for", HeaderValue::from_static(value));
            }
            asking_client(peer.parse().expect("an address"), &headers).to_string()
        };
        for (peer, forwarded, expected) in [
            ("127.0.0.1", &["192.0.2.7"][..], "192.0.2.7"),
            ("127.0.0.1", &["10.0.0.1, 192.0.2.7"], "192.0.2.7"),
            ("::1", &["10.0.0.1", "192.0.2.7:8080"], "192.0.2.7"),
            ("127.0.0.1", &["2001:db8::1"], "2001:db8::"),
            ("127.0.0.1", &["[2001:db8::1]:80"], "2001:db8::"),
            ("127.0.0.1", &["unknown"], "127.0.0.1"),
            ("127.0.0.1", &[""], "127.0.0.1"),
            ("127.0.0.1", &[], "127.0.0.1"),
            // Anybody may write this.
            ("192.0.2.1", &["192.0.2.7"], "192.0.2.1"),
        ] {
            assert_eq!(client(peer, forwarded), expected, "{peer} {forwarded:?}");
        }
    }

    #[test]
    fn what_is_found_too_late_is_not_found() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        let time = Duration::from_millis(500);
        // Even its first poll takes longer than the limit.
        let late = async { std::thread::sleep(2 * time) };
        assert_eq!(runtime.block_on(within(time, late)), None);
        assert_eq!(runtime.block_on(within(time, async { 7 })), Some(7));
        let never = std::future::pending::<()>();
        assert_eq!(runtime.block_on(within(time, never)), None);
    }
}
