//! The server: its answers are those of the desk, with any behaviour of clients.

mod answers;
mod document;
mod fairness;
mod http;
mod limits;
mod refusals;
mod server;
mod signals;
