//! The arrival of a body within its limits.

use std::error::Error;
use std::io;
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, EXPECT};
use hyper::{Request, StatusCode};
use tokio::time::timeout;

use crate::answer::HttpAnswer;
use crate::request::check;

/// The time for a file to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);
/// The maximum number of bytes of a refused file, and the maximum time, before the connection
/// closes while the client is still sending: closing it at once may lose the answer.
const THROWN_AWAY: u64 = 4 << 20;
const PATIENCE: Duration = Duration::from_secs(2);

/// Reads the body of a request, which may have `size` bytes.
pub async fn read(request: Request<Incoming>, size: usize) -> Result<Bytes, HttpAnswer> {
    let too_long = || {
        let problem = format!("the file is longer than {size} bytes, the server's --size");
        HttpAnswer::refused(StatusCode::PAYLOAD_TOO_LARGE, problem)
    };
    check(request.headers())?;
    let waits = request.headers().contains_key(EXPECT);
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let mut body = request.into_body();
    if length.is_some_and(|length| length > size as u64) {
        if !waits {
            tokio::spawn(throw_away(body));
        }
        return Err(too_long());
    }
    match timeout(ARRIVAL, Limited::new(&mut body, size).collect()).await {
        Ok(Ok(file)) => Ok(file.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            tokio::spawn(throw_away(body));
            Err(too_long())
        }
        Ok(Err(error)) if is_malformed(&*error) => {
            let problem = "the chunks of the body are malformed";
            Err(HttpAnswer::refused(StatusCode::BAD_REQUEST, problem))
        }
        Ok(Err(_)) => Err(HttpAnswer::refused(
            StatusCode::BAD_REQUEST,
            "the body ends early",
        )),
        Err(_) => {
            let problem = format!("the file did not arrive within {} s", ARRIVAL.as_secs());
            Err(HttpAnswer::refused(StatusCode::REQUEST_TIMEOUT, problem))
        }
    }
}

/// Returns true if a body could not be read because of its contents.
fn is_malformed(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| (*error).source())
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| {
            let kind = error.kind();
            matches!(
                kind,
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData
            )
        })
}

/// Reads the rest of a refused file for a while, so the client sees the answer.
async fn throw_away(mut body: Incoming) {
    let all = async {
        let mut left = THROWN_AWAY;
        while let Some(Ok(frame)) = body.frame().await {
            let bytes = frame.data_ref().map_or(0, |data| data.len() as u64);
            match left.checked_sub(bytes) {
                Some(rest) => left = rest,
                None => return,
            }
        }
    };
    let _ = timeout(PATIENCE, all).await;
}
