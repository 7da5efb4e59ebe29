//! The stream of a connection. The HTTP library answers a request that it cannot read by itself,
//! with a status alone; here such an answer gets the object that all others have. Nor does it
//! notice that a client has left while it has not read the client's last bytes; here they are read
//! ahead.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};

use hyper::StatusCode;
use setrograde::lock;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::answer::HttpAnswer;

/// Maximum number of bytes that are read ahead. A client that sends more while it waits for an
/// answer loses its connection.
const AHEAD: usize = 64 << 10;

/// Maximum number of bytes of a head that are remembered.
const HEAD: usize = 64 << 10;

#[derive(Clone)]
pub struct Wire(Arc<Mutex<State>>);

struct State {
    stream: TcpStream,
    /// Bytes to write instead of the response.
    pending: Vec<u8>,
    /// Bytes that were read ahead.
    ahead: Vec<u8>,
    /// True while work is under way for the client.
    watched: bool,
    /// The head of the next request, as far as it has arrived. Unknown (empty) if it arrived with
    /// the previous request.
    head: Vec<u8>,
}

/// Watches for the end of the stream until it is dropped.
pub struct Watch(Wire);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.state().watched = false;
    }
}

impl Wire {
    pub fn new(stream: TcpStream) -> Wire {
        Wire(Arc::new(Mutex::new(State {
            stream,
            pending: Vec::new(),
            ahead: Vec::new(),
            watched: false,
            head: Vec::new(),
        })))
    }

    /// Returns true if the head of the request that has arrived declares the length of its body
    /// twice. The HTTP library passes over Content-Length then, which a proxy may not do.
    pub fn has_two_lengths(&self) -> bool {
        let state = self.state();
        let has = |name: &str| {
            let mut lines = state.head.split(|&byte| byte == b'\n');
            lines.any(|line| {
                let start = line.split(|&byte| byte == b':').next().unwrap_or_default();
                start.trim_ascii().eq_ignore_ascii_case(name.as_bytes())
            })
        };
        has("content-length") && has("transfer-encoding")
    }

    /// Expects the head of another request.
    pub fn expect_head(&self) {
        self.state().head.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }

    /// Watches for the end of the stream, once the request has arrived.
    pub fn watch(&self) -> Watch {
        self.state().watched = true;
        Watch(self.clone())
    }

    /// Waits until the client leaves while the stream is watched. Must be polled after the
    /// connection, by the same task.
    pub async fn left(&self) {
        poll_fn(|context| self.state().poll_left(context)).await;
    }
}

impl State {
    /// Remembers the head of a request.
    fn note(&mut self, bytes: &[u8]) {
        const END: &[u8] = b"\r\n\r\n";
        if !self.head.ends_with(END) && self.head.len() < HEAD {
            let before = self.head.len().saturating_sub(END.len());
            self.head.extend_from_slice(bytes);
            let mut ends = self.head[before..].windows(END.len());
            if let Some(at) = ends.position(|window| window == END) {
                self.head.truncate(before + at + END.len());
            }
        }
    }

    fn poll_left(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while self.watched {
            let mut bytes = [0; 4096];
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            let bytes = buffer.filled();
            if read.is_err() || bytes.is_empty() || self.ahead.len() + bytes.len() > AHEAD {
                return Poll::Ready(());
            }
            self.ahead.extend_from_slice(bytes);
            // The connection may be waiting for them.
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }

    /// The stream, once the bytes to write instead are written.
    fn poll_stream(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Pin<&mut TcpStream>>> {
        while !self.pending.is_empty() {
            let written = Pin::new(&mut self.stream).poll_write(context, &self.pending);
            match ready!(written)? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => drop(self.pending.drain(..count)),
            }
        }
        Poll::Ready(Ok(Pin::new(&mut self.stream)))
    }
}

/// The whole answer, if these bytes are an answer of the HTTP library: no other with such a
/// status is without a body.
fn with_body(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let status = head
        .strip_prefix("HTTP/1.1 ")
        .or(head.strip_prefix("HTTP/1.0 "))?;
    let status: u16 = status.get(..3)?.parse().ok()?;
    let is_length = |line: &&str| line.eq_ignore_ascii_case("content-length: 0");
    if !(400..500).contains(&status) || !head.lines().any(|line| is_length(&line)) {
        return None;
    }
    let problem = match status {
        414 => "the path and the query are too long; POST takes more",
        431 => "the head of the request is longer than 64 KB, or has more than 100 headers",
        _ => "this is not a request of HTTP 1.1",
    };
    let body = HttpAnswer::refused(StatusCode::from_u16(status).ok()?, problem);
    let mut text: String = head
        .lines()
        .filter(|line| !is_length(line))
        .flat_map(|line| [line, "\r\n"])
        .collect();
    text += &format!(
        "content-type: {}\r\ncontent-length: {}\r\n\r\n",
        body.kind,
        body.bytes.len()
    );
    Some([text.as_bytes(), &body.bytes].concat())
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.state();
        let before = buffer.filled().len();
        if state.ahead.is_empty() {
            ready!(Pin::new(&mut state.stream).poll_read(context, buffer))?;
        } else {
            let count = buffer.remaining().min(state.ahead.len());
            buffer.put_slice(&state.ahead[..count]);
            state.ahead.drain(..count);
        }
        state.note(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.state();
        let stream = ready!(state.poll_stream(context))?;
        match with_body(bytes) {
            Some(answer) => {
                state.pending = answer;
                Poll::Ready(Ok(bytes.len()))
            }
            None => stream.poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match buffers {
            [one] => self.poll_write(context, one),
            all => {
                let mut state = self.state();
                ready!(state.poll_stream(context))?.poll_write_vectored(context, all)
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.state().stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.state();
        ready!(state.poll_stream(context))?.poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.state();
        ready!(state.poll_stream(context))?.poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_answers_get_a_body() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        let found = with_body(bare).expect("a body");
        let found = String::from_utf8(found).expect("text");
        let (head, body) = found.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains(&format!("content-length: {}", body.len())) && !head.contains(": 0"));
        assert!(body.contains("\"error\":\"the head"), "{body}");
        for other in [
            &b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\n\r\n",
            b"\xff",
        ] {
            assert!(with_body(other).is_none());
        }
    }
}
