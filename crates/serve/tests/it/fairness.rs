//! No client keeps others from being answered.

use std::io::{BufReader, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use crate::server::{Client, LONG, SMALL, Server, all_ask, deals, uploading, wait_until};

/// Connects from another address of this machine.
#[cfg(any(target_os = "linux", windows))]
fn connect_from(server: &Server, last: u8) -> Client {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .expect("a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind(([127, 0, 0, last], 0).into()).expect("bound");
        let connected = socket.connect(([127, 0, 0, 1], server.port).into()).await;
        connected.expect("it listens").into_std().expect("a stream")
    });
    stream.set_nonblocking(false).expect("it blocks");
    let limit = Some(Duration::from_secs(60));
    stream.set_read_timeout(limit).expect("a limit");
    Client(BufReader::new(stream))
}

/// Idle connections make room for new ones, those of the address with most of them first.
#[cfg(any(target_os = "linux", windows))]
#[test]
fn no_address_takes_all_connections() {
    let server = Server::new(&[]);
    let prompt = |client: &mut Client| {
        let begun = Instant::now();
        assert_eq!(client.ask("GET", "/health", b"").status, 200);
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(4), "{took:?}");
    };
    let _idle = all_ask(&server, 256, "/health");
    thread::sleep(Duration::from_millis(1500));
    prompt(&mut server.connect());
    let _more = all_ask(&server, 50, "/health");
    let mut other = connect_from(&server, 2);
    prompt(&mut other);
    // Connections that the first address opens now are in the place of its own.
    let mut most: Vec<Client> = (0..300).map(|_| server.connect()).collect();
    for client in &mut most {
        let _ = client.0.get_mut().write_all(b"GET /hea");
    }
    thread::sleep(Duration::from_millis(300));
    prompt(&mut other);
    prompt(&mut connect_from(&server, 3));
    assert!(server.gauge("setrograde_connections ") <= 256);
}

/// Requests that wait make room for those of other addresses.
#[cfg(any(target_os = "linux", windows))]
#[test]
fn no_address_takes_all_places_to_wait() {
    let server = Server::new(&["--at-once", "1", "--time", "40"]);
    let mut greedy = all_ask(&server, 200, LONG);
    wait_until(|| server.gauge("setrograde_requests ") == 200);
    assert_eq!(server.get(SMALL).status, 503);
    let answer = connect_from(&server, 2).ask("GET", SMALL, b"");
    assert_eq!(answer.status, 200, "{}", answer.body);
    // One of the greedy client's left: the last that arrived.
    wait_until(|| greedy.iter().any(Client::has_answer));
    let left = greedy.iter_mut().find(|client| client.has_answer());
    assert_eq!(left.expect("one").receive().status, 503);
    let mut also: Vec<Client> = (0..150).map(|_| connect_from(&server, 2)).collect();
    for client in &mut also {
        client.send("GET", LONG, b"");
    }
    thread::sleep(Duration::from_secs(1));
    let answer = connect_from(&server, 3).ask("GET", SMALL, b"");
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// A client with many long requests does not hold up another's short one.
#[test]
fn short_questions_do_not_wait_for_long_ones() {
    let server = Server::new(&["--at-once", "1", "--time", "20"]);
    let file = deals(200, "");
    let mut greedy: Vec<Client> = (0..30).map(|_| server.connect()).collect();
    for (n, client) in greedy.iter_mut().enumerate() {
        match n % 2 {
            0 => client.send("POST", "/table", file.as_bytes()),
            _ => client.send("GET", LONG, b""),
        }
    }
    wait_until(|| server.gauge("setrograde_requests ") == 30);
    let begun = Instant::now();
    let answer = server.get(SMALL);
    assert_eq!(answer.status, 200, "{}", answer.body);
    // 30 take a minute and more.
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(8), "{took:?}");
}

/// Behind a proxy of this machine, clients are distinguished by the address that it names.
#[test]
fn clients_of_a_proxy_share_the_server() {
    let server = Server::new(&["--at-once", "1", "--time", "40"]);
    let send = |target: &str, client: &str| {
        let mut connection = server.connect();
        let forwarded = format!("X-Forwarded-For: {client}\r\n");
        connection.send_with("GET", target, &forwarded, b"");
        connection
    };
    let _greedy: Vec<Client> = (0..200)
        .map(|_| send(LONG, "10.1.1.1, 192.0.2.1"))
        .collect();
    wait_until(|| server.gauge("setrograde_requests ") == 200);
    assert_eq!(send(SMALL, "192.0.2.1").receive().status, 503);
    assert_eq!(send(SMALL, "192.0.2.2").receive().status, 200);
}

/// Clients that send slowly or not at all do not keep others from being answered, and lose their
/// connections.
#[test]
fn slow_clients_are_left() {
    let server = Server::new(&[]);
    let mut slow: Vec<Client> = (0..100).map(|_| server.connect()).collect();
    for client in &mut slow {
        client.write("GET /hea");
    }
    let mut half = uploading(&server);
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(half.receive().status, 408);
    for client in &mut slow {
        assert_eq!(client.0.read(&mut [0; 100]).unwrap_or(0), 0, "it is closed");
    }
    wait_until(|| server.gauge("setrograde_connections ") <= 2);
}
