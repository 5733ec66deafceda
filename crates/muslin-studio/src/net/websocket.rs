//! WebSockets (RFC 6455) as a server needs them: the handshake, small text messages in, text and binary
//! messages out. Everything a client may not do ends the connection.

use super::base64;
use super::sha1::sha1;
use std::io::{self, Read, Write};

/// Most bytes of a message from a client.
pub const MAX_MESSAGE: usize = 64 * 1024;
/// Most parts of a message from a client: parts may be empty, and are not messages whose rate is bounded.
const MAX_PARTS: usize = 64;
/// The key of RFC 6455, section 1.3.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The answer to a handshake's key.
pub fn accept_key(key: &str) -> String {
    base64::encode(&sha1(format!("{key}{GUID}").as_bytes()))
}

/// What a client sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Text.
    Text(String),
    /// A ping, to be answered with the same bytes.
    Ping(Vec<u8>),
    /// The answer to a ping.
    Pong,
    /// It wants to end.
    Close,
}

/// Why a connection ends.
#[derive(Debug)]
pub enum Fault {
    /// The client broke the protocol: the code that RFC 6455 gives this (section 7.4.1).
    Violation(u16),
    /// The connection is gone.
    Gone,
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// Broke the protocol.
pub const PROTOCOL: u16 = 1002;
/// A kind of message that is not understood.
pub const UNSUPPORTED: u16 = 1003;
/// Text that is not what it should be.
pub const NOT_TEXT: u16 = 1007;
/// Too much, too often, or not allowed.
pub const POLICY: u16 = 1008;
/// Longer than [`MAX_MESSAGE`].
pub const TOO_LONG: u16 = 1009;

/// Reads a message; parts of a message are put together.
pub fn read(stream: &mut impl Read) -> Result<Message, Fault> {
    let mut whole: Option<Vec<u8>> = None;
    for _ in 0..MAX_PARTS {
        let frame = read_frame(stream, whole.as_ref().map_or(0, Vec::len))?;
        match (frame.opcode, &mut whole) {
            (0x0, Some(so_far)) => so_far.extend(frame.payload),
            (0x1, None) => whole = Some(frame.payload),
            (0x2, None) => return Err(Fault::Violation(UNSUPPORTED)),
            (0x8, _) => return Ok(Message::Close),
            // Control messages may come between the parts of a long one; none is so long here.
            (0x9, None) => return Ok(Message::Ping(frame.payload)),
            (0xa, None) => return Ok(Message::Pong),
            _ => return Err(Fault::Violation(PROTOCOL)),
        }
        if frame.last
            && let Some(bytes) = whole.take()
        {
            let text = String::from_utf8(bytes);
            return text.map(Message::Text).map_err(|_| Fault::Violation(NOT_TEXT));
        }
    }
    Err(Fault::Violation(TOO_LONG))
}

struct WireFrame {
    last: bool,
    opcode: u8,
    payload: Vec<u8>,
}

/// Reads a frame that follows `before` bytes of the same message.
fn read_frame(stream: &mut impl Read, before: usize) -> Result<WireFrame, Fault> {
    let [first, second] = read_array(stream)?;
    let (last, opcode) = (first & 0x80 != 0, first & 0x0f);
    let is_control = opcode & 0x8 != 0;
    // Clients always mask; nothing has been agreed that would use the reserved bits.
    if first & 0x70 != 0 || second & 0x80 == 0 || (is_control && (!last || second & 0x7f > 125)) {
        return Err(Fault::Violation(PROTOCOL));
    }
    let length = match second & 0x7f {
        126 => u64::from(u16::from_be_bytes(read_array(stream)?)),
        127 => u64::from_be_bytes(read_array(stream)?),
        short => u64::from(short),
    };
    if length > (MAX_MESSAGE - before.min(MAX_MESSAGE)) as u64 {
        return Err(Fault::Violation(TOO_LONG));
    }
    let mask: [u8; 4] = read_array(stream)?;
    let mut payload = vec![0; length as usize];
    stream.read_exact(&mut payload)?;
    for (byte, key) in payload.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= key;
    }
    Ok(WireFrame { last, opcode, payload })
}

fn read_array<const N: usize>(stream: &mut impl Read) -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Writes a text message.
pub fn write_text(stream: &mut impl Write, text: &str) -> io::Result<()> {
    write_frame(stream, 0x1, text.as_bytes())
}

/// Writes a binary message.
pub fn write_binary(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_frame(stream, 0x2, bytes)
}

/// Asks whether the client is still there.
pub fn write_ping(stream: &mut impl Write) -> io::Result<()> {
    write_frame(stream, 0x9, &[])
}

/// Answers a ping.
pub fn write_pong(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_frame(stream, 0xa, bytes)
}

/// Ends the connection, saying why.
pub fn write_close(stream: &mut impl Write, code: u16) -> io::Result<()> {
    write_frame(stream, 0x8, &code.to_be_bytes())
}

fn write_frame(stream: &mut impl Write, opcode: u8, payload: &[u8]) -> io::Result<()> {
    let mut head = vec![0x80 | opcode];
    match payload.len() {
        short @ 0..=125 => head.push(short as u8),
        middle @ 126..=0xffff => {
            head.push(126);
            head.extend((middle as u16).to_be_bytes());
        }
        long => {
            head.push(127);
            head.extend((long as u64).to_be_bytes());
        }
    }
    stream.write_all(&head)?;
    stream.write_all(payload)?;
    stream.flush()
}

#[cfg(test)]
mod tests;
