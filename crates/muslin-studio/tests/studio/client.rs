//! A client that can also do what browsers would not.

use serde_json::Value;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long something is waited for: pings keep a socket open on which nothing else ever comes.
const PATIENCE: Duration = Duration::from_mins(2);

/// An open WebSocket.
pub struct Socket {
    pub stream: TcpStream,
}

/// A message from the server.
#[derive(Debug)]
pub enum Heard {
    Text(Value),
    Binary(Vec<u8>),
    Close(u16),
    /// A ping or a pong.
    Sign,
}

/// Sends bytes and reads until the other side ends; the answer as text.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // The server may have answered and gone before everything was sent.
    drop(stream.write_all(bytes));
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer));
    String::from_utf8_lossy(&answer).into_owned()
}

/// The first line of the answer to a GET with these headers.
pub fn status(address: SocketAddr, path: &str, headers: &str) -> String {
    let answer = raw(address, format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes());
    answer.lines().next().unwrap_or("nothing").to_owned()
}

impl Socket {
    /// Opens a socket as a browser does.
    pub fn open(address: SocketAddr, path: &str) -> Result<Self, String> {
        Self::open_with(address, path, &format!("Origin: http://{address}\r\n"))
    }

    /// Opens a socket with other headers.
    pub fn open_with(address: SocketAddr, path: &str, headers: &str) -> Result<Self, String> {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n\r\n") {
            match stream.read(&mut byte) {
                Ok(1) => answer.push(byte[0]),
                _ => break,
            }
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        if answer.starts_with("HTTP/1.1 101") { Ok(Self { stream }) } else { Err(answer) }
    }

    /// Sends a text message.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        self.frame(0x81, text.as_bytes())
    }

    /// Sends a masked frame.
    pub fn frame(&mut self, first: u8, payload: &[u8]) -> io::Result<()> {
        let mut bytes = vec![first];
        match payload.len() {
            short @ 0..=125 => bytes.push(0x80 | short as u8),
            middle @ 126..=0xffff => {
                bytes.push(0x80 | 0x7e);
                bytes.extend((middle as u16).to_be_bytes());
            }
            long => {
                bytes.push(0x80 | 0x7f);
                bytes.extend((long as u64).to_be_bytes());
            }
        }
        let mask = [0x12, 0x34, 0x56, 0x78];
        bytes.extend(mask);
        bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(b, m)| b ^ m));
        self.stream.write_all(&bytes)
    }

    /// The next message.
    pub fn hear(&mut self) -> io::Result<Heard> {
        let mut head = [0; 2];
        self.stream.read_exact(&mut head)?;
        let length = match head[1] {
            126 => {
                let mut bytes = [0; 2];
                self.stream.read_exact(&mut bytes)?;
                u64::from(u16::from_be_bytes(bytes))
            }
            127 => {
                let mut bytes = [0; 8];
                self.stream.read_exact(&mut bytes)?;
                u64::from_be_bytes(bytes)
            }
            short => u64::from(short),
        };
        let mut payload = vec![0; length as usize];
        self.stream.read_exact(&mut payload)?;
        Ok(match head[0] & 0x0f {
            0x1 => Heard::Text(serde_json::from_slice(&payload).unwrap()),
            0x2 => Heard::Binary(payload),
            0x8 => Heard::Close(u16::from_be_bytes([payload[0], payload[1]])),
            0x9 => {
                self.frame(0x8a, &payload)?;
                Heard::Sign
            }
            _ => Heard::Sign,
        })
    }

    /// The first message of which `find` makes something.
    fn hear_until<T>(&mut self, what: &str, find: impl Fn(Heard) -> Option<T>) -> T {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            match self.hear() {
                Ok(heard) => {
                    if let Some(found) = find(heard) {
                        return found;
                    }
                }
                Err(error) => panic!("no {what}: {error}"),
            }
        }
        panic!("no {what} in {PATIENCE:?}");
    }

    /// The next text message of this type.
    pub fn hear_type(&mut self, kind: &str) -> Value {
        self.hear_until(kind, |heard| match heard {
            Heard::Text(value) if value["type"] == kind => Some(value),
            Heard::Close(code) => panic!("closed with {code}"),
            _ => None,
        })
    }

    /// The next frame: its number and its bytes.
    pub fn hear_frame(&mut self) -> (u32, Vec<u8>) {
        self.hear_until("frame", |heard| match heard {
            Heard::Binary(bytes) if bytes[0] == 1 => {
                Some((u32::from_le_bytes([bytes[5], bytes[6], bytes[7], bytes[8]]), bytes))
            }
            Heard::Close(code) => panic!("closed with {code}"),
            _ => None,
        })
    }

    /// The code that the server closes with.
    pub fn hear_close(&mut self) -> u16 {
        self.hear_until("close", |heard| match heard {
            Heard::Close(code) => Some(code),
            _ => None,
        })
    }
}
