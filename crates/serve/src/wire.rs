//! The stream of a connection. The HTTP library answers a request that it cannot read by itself,
//! with a status alone; here such an answer gets the object that all others have.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use setrograde_cli::remote::RemoteAnswer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

pub struct Wire {
    stream: TcpStream,
    /// Bytes to write instead of the response.
    pending: Vec<u8>,
}

impl Wire {
    pub fn new(stream: TcpStream) -> Wire {
        Wire {
            stream,
            pending: Vec::new(),
        }
    }

    fn write_pending(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.pending.is_empty() {
            let written = Pin::new(&mut self.stream).poll_write(context, &self.pending);
            match ready!(written)? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => drop(self.pending.drain(..count)),
            }
        }
        Poll::Ready(Ok(()))
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
    let body = RemoteAnswer::refused(status, problem);
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
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.write_pending(context))?;
        match with_body(bytes) {
            Some(answer) => {
                self.pending = answer;
                Poll::Ready(Ok(bytes.len()))
            }
            None => Pin::new(&mut self.stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match buffers {
            [one] => self.poll_write(context, one),
            all => {
                ready!(self.write_pending(context))?;
                Pin::new(&mut self.stream).poll_write_vectored(context, all)
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_pending(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_pending(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
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
