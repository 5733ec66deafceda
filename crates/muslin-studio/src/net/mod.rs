//! HTTP and WebSockets, as little of them as the studio needs.

pub mod base64;
pub mod guard;
pub mod request;
mod sha1;
pub mod token;
pub mod websocket;
