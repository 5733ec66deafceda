//! Who may connect: the token, the name the browser used, and the page it came from.
//!
//! A page of another site can make a browser send requests here, and DNS rebinding can make it believe
//! that the answer is its own. Neither knows the token; and as names can be rebound while addresses can
//! not, only addresses and `localhost` are answered.

use super::request::{Refusal, Request};
use super::token::Token;
use std::net::IpAddr;

/// Decides who may connect.
#[derive(Clone, Debug)]
pub struct Guard {
    token: Token,
    bound_to: IpAddr,
}

impl Guard {
    /// A guard of a server that listens on `bound_to`.
    pub fn new(token: Token, bound_to: IpAddr) -> Self {
        Self { token, bound_to }
    }

    /// The path after the token, if the request may be answered.
    pub fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, Refusal> {
        let host = request.header("host")?.ok_or(Refusal::Malformed)?;
        if !self.is_own_host(host) {
            return Err(Refusal::Forbidden);
        }
        let origin = request.header("origin")?;
        if origin.is_some_and(|origin| !is_origin_of(origin, host)) {
            return Err(Refusal::Forbidden);
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let (token, rest) = path.split_once('/').ok_or(Refusal::Forbidden)?;
        if self.token.matches(token) { Ok(rest) } else { Err(Refusal::Forbidden) }
    }

    /// The key of the handshake, if a socket may be opened. Browsers always name the origin of sockets.
    pub fn admit_socket<'a>(&self, request: &'a Request) -> Result<&'a str, Refusal> {
        self.admit(request)?;
        if request.header("origin")?.is_none() {
            return Err(Refusal::Forbidden);
        }
        let upgrades = request.lists("upgrade", "websocket")
            && request.lists("connection", "upgrade")
            && request.header("sec-websocket-version")? == Some("13");
        let key = request.header("sec-websocket-key")?;
        // The base64 form of 16 bytes.
        let key = key.filter(|key| key.len() == 24 && key.ends_with("=="));
        key.filter(|_| upgrades).ok_or(Refusal::Upgrade)
    }

    /// Whether the browser was sent here by address, or by the name `localhost`; at any port, as at the
    /// other end of an SSH tunnel.
    fn is_own_host(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port),
            _ => (host, "80"),
        };
        if port.parse::<u16>().is_err() {
            return false;
        }
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let bare = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name);
        bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || !self.bound_to.is_loopback())
    }
}

fn is_origin_of(origin: &str, host: &str) -> bool {
    origin.strip_prefix("http://").is_some_and(|name| name.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn request(path: &str, headers: &str) -> Request {
        Request::parse(format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap()
    }

    #[test]
    fn only_own_hosts_and_origins_with_the_token_pass() {
        let token = Token::random().unwrap();
        let path = format!("/{}/style.css", token.as_str());
        let guard = Guard::new(token, Ipv4Addr::LOCALHOST.into());
        let passes = |headers: &str| guard.admit(&request(&path, headers)).is_ok();
        for host in ["127.0.0.1:8080", "localhost:9000", "[::1]:1", "LOCALHOST"] {
            assert!(passes(&format!("Host: {host}\r\n")), "{host}");
        }
        for host in ["evil.example:8080", "127.0.0.1.evil.example", "192.168.0.7:80", "localhost:x"]
        {
            assert!(!passes(&format!("Host: {host}\r\n")), "{host}");
        }
        assert!(!passes(""), "HTTP/1.1 wants a host");
        assert!(passes("Host: localhost:1\r\nOrigin: http://localhost:1\r\n"));
        for origin in ["http://localhost:2", "https://localhost:1", "null", "http://evil.example"] {
            assert!(!passes(&format!("Host: localhost:1\r\nOrigin: {origin}\r\n")), "{origin}");
        }
        let host = "Host: localhost:1\r\n";
        for wrong in ["/", "/style.css", "//style.css", "/0123/style.css"] {
            assert_eq!(guard.admit(&request(wrong, host)), Err(Refusal::Forbidden), "{wrong}");
        }
        assert_eq!(guard.admit(&request(&path, host)), Ok("style.css"));
    }

    #[test]
    fn a_server_for_the_network_answers_addresses_but_no_names() {
        let token = Token::random().unwrap();
        let path = format!("/{}/", token.as_str());
        let guard = Guard::new(token, Ipv4Addr::UNSPECIFIED.into());
        assert!(guard.admit(&request(&path, "Host: 192.168.0.7:80\r\n")).is_ok());
        assert!(guard.admit(&request(&path, "Host: evil.example:80\r\n")).is_err());
    }

    #[test]
    fn sockets_need_an_origin_and_a_whole_handshake() {
        let token = Token::random().unwrap();
        let path = format!("/{}/socket", token.as_str());
        let guard = Guard::new(token, Ipv4Addr::LOCALHOST.into());
        let whole = "Host: localhost:1\r\nOrigin: http://localhost:1\r\nUpgrade: websocket\r\n\
            Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        assert!(guard.admit_socket(&request(&path, whole)).is_ok());
        for line in whole.split_inclusive("\r\n").skip(1) {
            let without = whole.replace(line, "");
            assert!(guard.admit_socket(&request(&path, &without)).is_err(), "without {line}");
        }
    }
}
