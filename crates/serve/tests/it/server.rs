//! A server under test, and its clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use setrograde::Desk;
use setrograde::cards::Deal;

/// A program without a database of the user's.
pub fn program(path: impl AsRef<Path>) -> Command {
    let mut command = Command::new(path.as_ref());
    command
        .env_remove("SETROGRADE_DB")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("LOCALAPPDATA", r"C:\nonexistent");
    command
}

/// A desk like those of the server.
pub fn desk() -> Desk {
    Desk::new(Some(setrograde::lookup::Database::builtin()))
}

/// Sends a signal to a process.
#[cfg(unix)]
pub fn signal(name: &str, process: u32) {
    let mut kill = Command::new("kill");
    let kill = kill.args([name, &process.to_string()]).status();
    assert!(kill.expect("kill starts").success());
}

/// A server that is ended with the test.
pub struct Server {
    pub process: Child,
    pub port: u16,
}

impl Server {
    pub fn new(options: &[&str]) -> Server {
        let (server, mut errors) = Server::start(options);
        // Nobody waits for the rest.
        thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        server
    }

    /// A server, and what it says after its first line.
    pub fn start(options: &[&str]) -> (Server, BufReader<ChildStderr>) {
        let mut process = program(env!("CARGO_BIN_EXE_setrograde-serve"))
            .args(["--port", "0"])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let errors = process.stderr.take().expect("its errors");
        let mut errors = BufReader::with_capacity(1, errors);
        let mut line = String::new();
        errors.read_line(&mut line).expect("a line");
        let address = line.split(':').nth(3);
        let port = address.and_then(|rest| rest.split('/').next()?.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port: {line}"));
        (Server { process, port }, errors)
    }

    pub fn connect(&self) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let limit = Some(Duration::from_secs(120));
        stream.set_read_timeout(limit).expect("a limit");
        Client(BufReader::new(stream))
    }

    pub fn get(&self, target: &str) -> Answer {
        self.connect().ask("GET", target, b"")
    }

    /// The document that describes it.
    pub fn document(&self) -> Value {
        self.get("/openapi.json").json()
    }

    /// Waits until it has ended, as it should after a signal.
    #[cfg(unix)]
    pub fn has_ended(mut self) {
        assert_eq!(self.process.wait().expect("it ends").code(), Some(0));
    }

    /// The value of a gauge.
    pub fn gauge(&self, name: &str) -> u64 {
        let text = self.get("/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().parse().ok()).expect(name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that is kept.
pub struct Client(pub BufReader<TcpStream>);

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    /// Checks the status, and the error of the object.
    #[track_caller]
    pub fn is_refused(&self, status: u16, error: &str) {
        assert_eq!(self.status, status, "{error}: {}", self.body);
        let object = self.json();
        let said = object["error"].as_str().unwrap_or_default();
        assert!(said.contains(error), "{error}: {}", self.body);
        assert_eq!(object["version"], 1);
    }
}

/// The headers of a form and of an object.
pub const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";
pub const JSON: &str = "Content-Type: application/json\r\n";

impl Client {
    pub fn send(&mut self, method: &str, target: &str, body: &[u8]) {
        self.send_with(method, target, "", body);
    }

    pub fn send_with(&mut self, method: &str, target: &str, headers: &str, body: &[u8]) {
        let length = body.len();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}Content-Length: {length}\r\n\r\n"
        );
        self.write([head.as_bytes(), body].concat());
    }

    pub fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.0
            .get_mut()
            .write_all(bytes.as_ref())
            .expect("it reads");
    }

    /// Returns true if some of an answer is there.
    pub fn has_answer(&self) -> bool {
        let stream = self.0.get_ref();
        stream.set_nonblocking(true).expect("it is open");
        let found = stream.peek(&mut [0]).is_ok();
        stream.set_nonblocking(false).expect("it is open");
        found
    }

    pub fn receive(&mut self) -> Answer {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).expect("a head");
            match line.trim_end().split_once(' ') {
                Some(("HTTP/1.1", rest)) => status = rest[..3].parse().expect("a status"),
                Some(("content-length:", text)) => length = text.parse().expect("a length"),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).expect("a body");
        let body = String::from_utf8(body).expect("text");
        Answer { status, body }
    }

    pub fn ask(&mut self, method: &str, target: &str, body: &[u8]) -> Answer {
        self.send(method, target, body);
        self.receive()
    }

    pub fn ask_with(&mut self, method: &str, target: &str, headers: &str, body: &[u8]) -> Answer {
        self.send_with(method, target, headers, body);
        self.receive()
    }
}

/// A text as a value in a query.
pub fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:,".contains(&byte);
    let byte = |byte: u8| {
        if plain(byte) {
            (byte as char).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(byte).collect()
}

pub const TABLE: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
/// A question that takes no time.
pub const SMALL: &str = "/solve?question=NT+W+N:A...+K...+Q...+J...";
pub const HIDDEN: &str = "NT S N:AQ... ? 32... ? out=KJT9...";

/// A question that takes hours.
pub const LONG: &str = "/odds?draw=1000000&question=NT+W+N:AK5.KJ42.Q73.A64+?+QJT92.A3.K64.852+?";

/// Waits until a condition holds.
pub fn wait_until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never holds");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Connections that each have a request under way.
pub fn all_ask(server: &Server, count: usize, target: &str) -> Vec<Client> {
    let connect = |_| {
        let mut client = server.connect();
        client.send("GET", target, b"");
        client
    };
    (0..count).map(connect).collect()
}

/// Random deals as lines, each after some words.
pub fn deals(count: usize, before: &str) -> String {
    let mut random = fastrand::Rng::with_seed(3);
    let deal = |_| {
        let deal = Deal::random(|n| random.usize(..n));
        format!("{before}{deal}\n")
    };
    (0..count).map(deal).collect()
}

/// Sends bytes, and returns the head and the body of the response.
pub fn exchange(server: &Server, bytes: &[u8]) -> (String, String) {
    let mut stream = server.connect().0.into_inner();
    // A server that refuses early closes while more is sent.
    let _ = stream.write_all(bytes);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    (head.to_ascii_lowercase(), body.to_owned())
}

/// A client that sends the start of a file.
pub fn uploading(server: &Server) -> Client {
    let mut client = server.connect();
    client.write("POST /table HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nN:");
    client
}
