use super::*;

/// A client's frame: masked.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mask = [0x37, 0xfa, 0x21, 0x3d];
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
    bytes.extend(mask);
    bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(b, m)| b ^ m));
    bytes
}

fn violation(bytes: &[u8]) -> Option<u16> {
    match read(&mut &bytes[..]) {
        Err(Fault::Violation(code)) => Some(code),
        _ => None,
    }
}

/// RFC 6455, section 1.3.
#[test]
fn the_handshake_is_that_of_the_standard() {
    assert_eq!(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

/// RFC 6455, section 5.7: a masked "Hello", whole and in parts.
#[test]
fn the_standards_examples_are_read() {
    let hello = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
    assert_eq!(read(&mut &hello[..]).unwrap(), Message::Text("Hello".to_owned()));
    assert_eq!(frame(0x81, b"Hello"), hello);
    let parts = [frame(0x01, b"Hel"), frame(0x80, b"lo")].concat();
    assert_eq!(read(&mut &parts[..]).unwrap(), Message::Text("Hello".to_owned()));
    assert_eq!(read(&mut &frame(0x89, b"p")[..]).unwrap(), Message::Ping(b"p".to_vec()));
    assert_eq!(read(&mut &frame(0x88, b"")[..]).unwrap(), Message::Close);
}

/// A message of ever more empty parts would neither end nor count against the rate.
#[test]
fn a_message_of_endless_parts_is_a_violation() {
    let parts = |empty: usize| {
        [frame(0x01, b"Hel"), frame(0x00, b"").repeat(empty), frame(0x80, b"lo")].concat()
    };
    assert_eq!(read(&mut &parts(MAX_PARTS - 2)[..]).unwrap(), Message::Text("Hello".to_owned()));
    assert_eq!(violation(&parts(MAX_PARTS - 1)), Some(TOO_LONG));
}

#[test]
fn lengths_of_all_three_forms_are_written() {
    for (length, head) in [(5, 2), (126, 4), (0xffff, 4), (0x1_0000, 10)] {
        let mut out = Vec::new();
        write_binary(&mut out, &vec![7; length]).unwrap();
        assert_eq!(out.len(), head + length);
        assert_eq!(out[0], 0x82);
    }
    let mut out = Vec::new();
    write_text(&mut out, "Hello").unwrap();
    assert_eq!(out, [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], "RFC 6455, section 5.7");
}

#[test]
fn whatever_breaks_the_protocol_has_its_code() {
    assert_eq!(violation(&[0x81, 0x05, 1, 2, 3, 4, 5]), Some(PROTOCOL), "not masked");
    assert_eq!(violation(&frame(0xc1, b"x")), Some(PROTOCOL), "reserved bit");
    assert_eq!(violation(&frame(0x83, b"x")), Some(PROTOCOL), "unknown kind");
    assert_eq!(violation(&frame(0x80, b"x")), Some(PROTOCOL), "a part of nothing");
    assert_eq!(violation(&frame(0x09, b"")), Some(PROTOCOL), "a ping in parts");
    assert_eq!(violation(&frame(0x89, &[0; 126])), Some(PROTOCOL), "a long ping");
    assert_eq!(violation(&frame(0x82, b"x")), Some(UNSUPPORTED), "binary");
    assert_eq!(violation(&frame(0x81, &[0xff])), Some(NOT_TEXT));
    assert_eq!(violation(&frame(0x81, &vec![b'x'; MAX_MESSAGE + 1])), Some(TOO_LONG));
    let parts = [frame(0x01, &vec![b'x'; MAX_MESSAGE]), frame(0x80, b"x")].concat();
    assert_eq!(violation(&parts), Some(TOO_LONG), "in parts");
    let huge = [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    assert_eq!(violation(&huge), Some(TOO_LONG), "nothing is allocated for a length alone");
}

#[test]
fn a_message_cut_short_is_the_end_of_the_connection() {
    let whole = frame(0x81, b"Hello");
    for length in 0..whole.len() {
        assert!(matches!(read(&mut &whole[..length]), Err(Fault::Gone)), "{length} bytes");
    }
}
