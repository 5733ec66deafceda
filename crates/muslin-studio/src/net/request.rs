//! The head of an HTTP/1.1 request, read strictly: GET, no body, bounded in size and time.

use std::io::{ErrorKind, Read};
use std::time::{Duration, Instant};

/// Most bytes of a request's head.
pub const MAX_HEAD: usize = 8 * 1024;
/// Most header lines.
const MAX_HEADERS: usize = 64;
/// Time a client has to send its request.
pub const HEAD_TIME: Duration = Duration::from_secs(5);

/// A request without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path, without what follows a `?`.
    pub path: String,
    headers: Vec<(String, String)>,
}

/// Why a request is not answered with what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not HTTP/1.1 as this server reads it.
    Malformed,
    /// The head is longer than [`MAX_HEAD`].
    TooLong,
    /// It took longer than [`HEAD_TIME`].
    TooSlow,
    /// Any method but GET.
    Method,
    /// No token, a wrong token, a foreign `Host` or a foreign `Origin`.
    Forbidden,
    /// There is no such page.
    Missing,
    /// A socket was asked for in a way this server does not speak.
    Upgrade,
    /// There are too many connections.
    Busy,
    /// The client went away.
    Gone,
}

impl Refusal {
    /// Status line and reason, for the answer.
    pub fn status(self) -> &'static str {
        match self {
            Self::Malformed | Self::Gone => "400 Bad Request",
            Self::TooLong => "431 Request Header Fields Too Large",
            Self::TooSlow => "408 Request Timeout",
            Self::Method => "405 Method Not Allowed",
            Self::Forbidden => "403 Forbidden",
            Self::Missing => "404 Not Found",
            Self::Upgrade => "426 Upgrade Required",
            Self::Busy => "503 Service Unavailable",
        }
    }
}

impl Request {
    /// Reads a request. The stream needs a short read timeout, so that slow clients are noticed.
    pub fn read(stream: &mut impl Read) -> Result<Self, Refusal> {
        let begin = Instant::now();
        let mut head = Vec::with_capacity(512);
        let mut byte = [0; 1];
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() == MAX_HEAD {
                return Err(Refusal::TooLong);
            }
            if begin.elapsed() > HEAD_TIME {
                return Err(Refusal::TooSlow);
            }
            match stream.read(&mut byte) {
                Ok(0) => return Err(Refusal::Gone),
                Ok(_) => head.push(byte[0]),
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut => {}
                    _ => return Err(Refusal::Gone),
                },
            }
        }
        Self::parse(&head)
    }

    /// Parses a head that ends with an empty line.
    pub fn parse(head: &[u8]) -> Result<Self, Refusal> {
        let text = std::str::from_utf8(head).map_err(|_| Refusal::Malformed)?;
        let mut lines = text.strip_suffix("\r\n\r\n").ok_or(Refusal::Malformed)?.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (method, target, version) = (words.next(), words.next(), words.next());
        if version != Some("HTTP/1.1") || words.next().is_some() {
            return Err(Refusal::Malformed);
        }
        if method != Some("GET") {
            return Err(Refusal::Method);
        }
        let target =
            target.filter(|t| t.starts_with('/') && t.bytes().all(|b| b.is_ascii_graphic()));
        let path = target.ok_or(Refusal::Malformed)?.split('?').next().unwrap_or_default();
        let mut headers = Vec::new();
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(Refusal::Malformed)?;
            let is_token = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
            let printable = |c: char| c == '\t' || !c.is_control();
            if name.is_empty() || !name.bytes().all(is_token) || !value.chars().all(printable) {
                return Err(Refusal::Malformed);
            }
            if headers.len() == MAX_HEADERS {
                return Err(Refusal::TooLong);
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let request = Self { path: path.to_owned(), headers };
        let has_body = request.header("content-length")?.is_some_and(|length| length != "0")
            || request.header("transfer-encoding")?.is_some();
        if has_body { Err(Refusal::Malformed) } else { Ok(request) }
    }

    /// The header of that lower-case name, which may be there once.
    pub fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut found = self.headers.iter().filter(|(n, _)| n == name).map(|(_, value)| value);
        let first = found.next();
        if found.next().is_some() {
            return Err(Refusal::Malformed);
        }
        Ok(first.map(String::as_str))
    }

    /// Whether a header that lists words has this one, in any case.
    pub fn lists(&self, name: &str, word: &str) -> bool {
        let mut values = self.headers.iter().filter(|(n, _)| n == name).map(|(_, value)| value);
        values.any(|value| value.split(',').any(|item| item.trim().eq_ignore_ascii_case(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Request, Refusal> {
        Request::parse(text.as_bytes())
    }

    #[test]
    fn a_plain_get_is_read() {
        let request =
            parse("GET /a/b?c HTTP/1.1\r\nHost: x:1\r\nConnection: keep-alive, Upgrade\r\n\r\n");
        let request = request.unwrap();
        assert_eq!(request.path, "/a/b");
        assert_eq!(request.header("host"), Ok(Some("x:1")));
        assert!(request.lists("connection", "upgrade") && !request.lists("connection", "up"));
    }

    #[test]
    fn anything_else_is_refused() {
        let cases = [
            ("GET / HTTP/1.0\r\n\r\n", Refusal::Malformed),
            ("GET  / HTTP/1.1\r\n\r\n", Refusal::Malformed),
            ("GET http://x/ HTTP/1.1\r\n\r\n", Refusal::Malformed),
            ("POST / HTTP/1.1\r\n\r\n", Refusal::Method),
            ("GET / HTTP/1.1\r\nnonsense\r\n\r\n", Refusal::Malformed),
            ("GET / HTTP/1.1\r\na b: c\r\n\r\n", Refusal::Malformed),
            ("GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\n", Refusal::Malformed),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", Refusal::Malformed),
            (
                "GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\n",
                Refusal::Malformed,
            ),
        ];
        for (text, refusal) in cases {
            assert_eq!(parse(text), Err(refusal), "{text:?}");
        }
        assert_eq!(Request::parse(b"GET /\xff HTTP/1.1\r\n\r\n"), Err(Refusal::Malformed));
        assert_eq!(Request::read(&mut &b"GET / HT"[..]), Err(Refusal::Gone));
        assert_eq!(Request::read(&mut &[b'a'; 2 * MAX_HEAD][..]), Err(Refusal::TooLong));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MAX_HEADERS + 1));
        assert_eq!(parse(&many), Err(Refusal::TooLong));
    }
}
