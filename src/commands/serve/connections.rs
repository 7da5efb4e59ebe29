//! Connections, and the limits of requests.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HOST, HeaderValue, RETRY_AFTER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use setrograde_ordered::Stop;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use super::asked::{Answer, Asking, ENDPOINTS, Endpoint};
use super::metrics::Metrics;
use super::openapi;
use crate::interrupt::is_interrupted;
use crate::json::versioned;
use crate::output::say;

/// The time that requests have to end once the server must stop.
pub const GRACE: Duration = Duration::from_secs(5);
/// A connection is closed on which nothing is answered for so long: its client is slow to ask or
/// to take the answer, or has nothing more to ask.
const IDLE: Duration = Duration::from_secs(10);
/// The time for a file to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);
/// Connections at once; more wait to be accepted.
const MOST_CONNECTIONS: usize = 256;
/// Requests at once that are answered or wait for that.
const MOST_WAITING: usize = 200;
/// Bytes of a request without its file.
const HEAD: usize = 64 << 10;
/// The period in which waits look around.
const TICK: Duration = Duration::from_millis(50);

/// The page, if it is in this program.
const PAGE: Option<&str> = crate::commands::page::BUILT;
/// The text at `/` otherwise.
const START: &str = include_str!("start.txt");

/// The limits that the user chooses.
pub struct Limits {
    /// Requests that are answered at once.
    pub at_once: usize,
    /// The time for an answer.
    pub time: Duration,
    /// The longest file, in bytes.
    pub size: usize,
}

pub struct Server {
    asking: Arc<Asking>,
    limits: Limits,
    /// Only requests to this machine by its own name are answered.
    local: bool,
    /// A permit for each request that may be answered at once.
    permits: Arc<Semaphore>,
    metrics: Metrics,
    openapi: String,
    /// True once what is still being answered is given up.
    giving_up: watch::Sender<bool>,
}

/// Stops the work for a request when its client has gone.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Server {
    pub fn new(asking: Asking, limits: Limits, address: SocketAddr) -> Arc<Server> {
        let openapi = asking.with_command(|command| openapi::document(command).to_string() + "\n");
        Arc::new(Server {
            asking: Arc::new(asking),
            local: address.ip().is_loopback(),
            permits: Arc::new(Semaphore::new(limits.at_once)),
            limits,
            metrics: Metrics::default(),
            openapi,
            giving_up: watch::Sender::new(false),
        })
    }

    /// Answers until the program must stop.
    pub async fn run(self: Arc<Server>, listener: TcpListener) {
        let stop = watch::Sender::new(false);
        let mut connections = JoinSet::new();
        while !is_interrupted() {
            while connections.try_join_next().is_some() {}
            self.metrics.connections(connections.len());
            if connections.len() >= MOST_CONNECTIONS {
                sleep(TICK).await;
                continue;
            }
            match timeout(TICK, listener.accept()).await {
                Ok(Ok((stream, _))) => {
                    let server = Arc::clone(&self);
                    connections.spawn(server.serve(stream, stop.subscribe()));
                }
                // No file handle is free, or the client is gone.
                Ok(Err(error)) => {
                    say(format_args!(
                        "setrograde: cannot accept a connection: {error}"
                    ));
                    sleep(TICK).await;
                }
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
    async fn serve(self: Arc<Server>, stream: TcpStream, mut stop: watch::Receiver<bool>) {
        // The moment of the last answer; none while one is made.
        let idle = Mutex::new(Some(Instant::now()));
        let set = |to| *idle.lock().unwrap_or_else(PoisonError::into_inner) = to;
        let service = service_fn(async |request| {
            set(None);
            let response = self.respond(request).await;
            set(Some(Instant::now()));
            Ok::<_, Infallible>(response)
        });
        let _ = stream.set_nodelay(true);
        let mut connection = pin!(
            http1::Builder::new()
                .max_buf_size(HEAD)
                .serve_connection(TokioIo::new(stream), service)
        );
        loop {
            tokio::select! {
                _ = connection.as_mut() => return,
                Ok(()) = stop.changed() => connection.as_mut().graceful_shutdown(),
                () = sleep(IDLE / 10) => {
                    let idle = *idle.lock().unwrap_or_else(PoisonError::into_inner);
                    if idle.is_some_and(|since| since.elapsed() >= IDLE) {
                        return;
                    }
                }
            }
        }
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let begun = Instant::now();
        let path = request.uri().path().trim_start_matches('/').to_owned();
        let endpoint = ENDPOINTS.iter().find(|endpoint| endpoint.name == path);
        let get = request.method() == Method::GET;
        let answer = match (endpoint, &*path) {
            _ if !self.is_for_us(&request) => Answer::refused(
                StatusCode::FORBIDDEN,
                "the server answers only on this machine, to localhost or 127.0.0.1",
            ),
            (Some(endpoint), _) if get => self.ask(endpoint, request, false).await,
            (Some(endpoint), _) if endpoint.file.is_some() && request.method() == Method::POST => {
                self.ask(endpoint, request, true).await
            }
            (None, "") if get => text(
                PAGE.map_or("text/plain", |_| "text/html; charset=utf-8"),
                PAGE.unwrap_or(START),
            ),
            (None, "health") if get => Answer::object(versioned(&serde_json::json!({
                "program": concat!("setrograde ", env!("CARGO_PKG_VERSION")),
                "cards": self.asking.cards(),
            }))),
            (None, "metrics") if get => text(
                "text/plain; version=0.0.4",
                self.metrics
                    .text(self.limits.at_once - self.permits.available_permits()),
            ),
            (None, "openapi.json") if get => Answer::object(self.openapi.clone()),
            (None, name) if !["", "health", "metrics", "openapi.json"].contains(&name) => {
                let problem = "there is nothing here; /openapi.json says what is where";
                Answer::refused(StatusCode::NOT_FOUND, problem)
            }
            _ => Answer::refused(
                StatusCode::METHOD_NOT_ALLOWED,
                "GET asks a question, POST a file of them",
            ),
        };
        self.metrics.add(
            endpoint.map_or("other", |endpoint| endpoint.name),
            answer.status.as_u16(),
            begun.elapsed(),
        );
        response(answer, endpoint)
    }

    /// Returns true if a request names this server: a page from elsewhere cannot ask by a name of
    /// its own that leads to this machine.
    fn is_for_us(&self, request: &Request<Incoming>) -> bool {
        let host = request.headers().get(HOST).map(HeaderValue::to_str);
        let name =
            host.map(|host| host.map(|host| host.rsplit_once(':').map_or(host, |(name, _)| name)));
        !self.local || matches!(name, None | Some(Ok("localhost" | "127.0.0.1" | "[::1]")))
    }

    /// Answers a question, or a file of them, within the limits.
    async fn ask(
        &self,
        endpoint: &'static Endpoint,
        request: Request<Incoming>,
        many: bool,
    ) -> Answer {
        let query = request.uri().query().unwrap_or_default().to_owned();
        let file = match many {
            true => match self.file(request).await {
                Ok(file) => Some(file),
                Err(answer) => return answer,
            },
            false => None,
        };
        let _waiting = self.metrics.wait();
        if self.metrics.waiting() > MOST_WAITING {
            let problem = "too many requests are waiting; ask again later";
            return Answer::refused(StatusCode::SERVICE_UNAVAILABLE, problem);
        }
        let begun = Instant::now();
        let cancel = CancelOnDrop(Arc::default());
        let answer = async {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            let asking = Arc::clone(&self.asking);
            let stop = Stop::from(Arc::clone(&cancel.0)).by(begun + self.limits.time);
            let work = spawn_blocking(move || {
                // Work that is given up keeps its permit until it has ended.
                let _permit = permit;
                asking.answer(endpoint, &query, file, stop)
            });
            work.await.unwrap_or_else(|_| {
                let problem = "this is a bug: the server failed at this question";
                Answer::refused(StatusCode::INTERNAL_SERVER_ERROR, problem)
            })
        };
        let mut giving_up = self.giving_up.subscribe();
        tokio::select! {
            answer = within(self.limits.time, answer) => answer.unwrap_or_else(|| {
                let seconds = self.limits.time.as_secs();
                let problem = format!("no answer within {seconds} s; the server's --time is the limit");
                Answer::refused(StatusCode::GATEWAY_TIMEOUT, &problem)
            }),
            _ = giving_up.wait_for(|&given_up| given_up) => {
                Answer::refused(StatusCode::SERVICE_UNAVAILABLE, "the server ends")
            }
        }
    }

    /// The file that is posted.
    async fn file(&self, request: Request<Incoming>) -> Result<Arc<[u8]>, Answer> {
        let size = self.limits.size;
        let file = Limited::new(request.into_body(), size).collect();
        match timeout(ARRIVAL, file).await {
            Ok(Ok(file)) => Ok(file.to_bytes().as_ref().into()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                let problem = format!("the file is longer than {size} bytes, the server's --size");
                Err(Answer::refused(StatusCode::PAYLOAD_TOO_LARGE, &problem))
            }
            Ok(Err(_)) => Err(Answer::refused(
                StatusCode::BAD_REQUEST,
                "the file is cut short",
            )),
            Err(_) => {
                let problem = format!("the file did not arrive within {} s", ARRIVAL.as_secs());
                Err(Answer::refused(StatusCode::REQUEST_TIMEOUT, &problem))
            }
        }
    }
}

/// The result of a future within a time; `None` once that is over, also if the result is seen too
/// late.
async fn within<T>(time: Duration, found: impl Future<Output = T>) -> Option<T> {
    let begun = Instant::now();
    let found = timeout(time, found).await.ok();
    found.filter(|_| begun.elapsed() < time)
}

fn text(kind: &'static str, text: impl Into<Vec<u8>>) -> Answer {
    Answer {
        kind,
        ..Answer::object(text)
    }
}

/// The answer with its headers.
fn response(answer: Answer, endpoint: Option<&Endpoint>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(answer.bytes.into()));
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(answer.kind));
    match answer.status {
        StatusCode::SERVICE_UNAVAILABLE => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            let files = endpoint.is_some_and(|endpoint| endpoint.file.is_some());
            let methods = if files { "GET, POST" } else { "GET" };
            headers.insert(ALLOW, HeaderValue::from_static(methods));
        }
        _ => {}
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_too_late_is_not_found() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        let time = Duration::from_millis(500);
        // The first look at it takes longer than it may.
        let late = async { std::thread::sleep(2 * time) };
        assert_eq!(runtime.block_on(within(time, late)), None);
        assert_eq!(runtime.block_on(within(time, async { 7 })), Some(7));
        let never = std::future::pending::<()>();
        assert_eq!(runtime.block_on(within(time, never)), None);
    }
}
