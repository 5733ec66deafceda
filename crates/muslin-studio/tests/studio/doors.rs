//! Who is let in, and what happens to those who do not behave.

use crate::client::{Socket, raw, status};
use crate::scenes::{TOWEL, path, studio};
use crate::tunnel::tunnel;
use muslin_studio::{MAX_CONNECTIONS, Studio};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn get(studio: &Studio, path: &str, headers: &str) -> String {
    status(studio.address(), path, headers)
}

fn host(studio: &Studio) -> String {
    format!("Host: {}\r\n", studio.address())
}

#[test]
fn every_request_needs_the_token_a_known_host_and_its_own_origin() {
    let studio = studio(TOWEL);
    let own = host(&studio);
    assert!(studio.address().ip().is_loopback());
    let modules = ["studio.js", "view.js", "draw.js", "wire.js", "settings.js", "plots.js"];
    let others =
        ["", "style.css", "schema.json", "gallery.json", "fabrics.json", "gallery/towel.png"];
    for file in modules.into_iter().chain(others) {
        assert_eq!(get(&studio, &path(&studio, file), &own), "HTTP/1.1 200 OK", "{file}");
        let without = format!("/{file}");
        assert_eq!(get(&studio, &without, &own), "HTTP/1.1 403 Forbidden", "{file}");
    }
    let page = path(&studio, "");
    let wrong = page.replace(&page[1..4], "zzz");
    let forbidden = [
        (wrong.as_str(), own.as_str()),
        (&page, "Host: evil.example\r\n"),
        (&page, "Host: 10.1.2.3:80\r\n"),
        (&page, &format!("{own}Origin: http://evil.example\r\n")),
        (&page, &format!("{own}Origin: null\r\n")),
    ];
    let before = studio.counters().forbidden.get();
    for (path, headers) in forbidden {
        assert_eq!(get(&studio, path, headers), "HTTP/1.1 403 Forbidden", "{headers}");
    }
    assert_eq!(studio.counters().forbidden.get(), before + 5, "and each is counted");
    let tunnel = "Host: localhost:9999\r\n";
    assert_eq!(get(&studio, &page, tunnel), "HTTP/1.1 200 OK", "through an SSH tunnel");
}

/// The browser at the near end of an SSH tunnel names its own port, and the studio's page and socket both
/// answer to it.
#[test]
fn a_tunnel_from_another_port_leads_to_the_page_and_its_socket() {
    let studio = studio(TOWEL);
    let near = tunnel(studio.address());
    assert_ne!(near.port(), studio.address().port());
    let names = [near.to_string(), format!("localhost:{}", near.port())];
    for name in names {
        let own = format!("Host: {name}\r\nOrigin: http://{name}\r\n");
        assert_eq!(status(near, &path(&studio, ""), &own), "HTTP/1.1 200 OK", "{name}");
    }
    let mut socket = Socket::open(near, &path(&studio, "socket")).unwrap();
    assert_eq!(socket.hear_frame().0, 0);
    let far = format!("Origin: http://{}\r\n", studio.address());
    let refused = Socket::open_with(near, &path(&studio, "socket"), &far);
    assert!(refused.err().unwrap().starts_with("HTTP/1.1 403"), "another page than this one");
}

#[test]
fn a_socket_needs_the_token_and_an_origin_too() {
    let studio = studio(TOWEL);
    let address = studio.address();
    let socket = path(&studio, "socket");
    assert!(Socket::open(address, &socket).is_ok());
    let refused = [
        Socket::open(address, "/socket"),
        Socket::open(address, &socket.replace(&socket[1..4], "zzz")),
        Socket::open_with(address, &socket, ""),
        Socket::open_with(address, &socket, "Origin: http://evil.example\r\n"),
        Socket::open_with(address, &socket, "Origin: http://localhost:1\r\n"),
    ];
    for answer in refused {
        assert!(answer.err().unwrap().starts_with("HTTP/1.1 403"));
    }
    let plain = get(&studio, &socket, &format!("{}Origin: http://{address}\r\n", host(&studio)));
    assert_eq!(plain, "HTTP/1.1 426 Upgrade Required");
}

#[test]
fn no_path_leads_to_a_file() {
    let studio = studio(TOWEL);
    let own = host(&studio);
    for file in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "/etc/passwd",
        "gallery/../../x.png",
        "page/studio.js",
        "gallery/none.png",
    ] {
        assert_eq!(get(&studio, &path(&studio, file), &own), "HTTP/1.1 404 Not Found", "{file}");
    }
}

#[test]
fn answers_tell_browsers_to_trust_nobody_else() {
    let studio = studio(TOWEL);
    let request = format!("GET {} HTTP/1.1\r\n{}\r\n", path(&studio, ""), host(&studio));
    let answer = raw(studio.address(), request.as_bytes());
    for header in [
        "Content-Security-Policy: default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "Cache-Control: no-store",
    ] {
        assert!(answer.contains(header), "{header}");
    }
}

#[test]
fn requests_that_are_none_are_refused_and_counted() {
    let studio = studio(TOWEL);
    let address = studio.address();
    let page = path(&studio, "");
    let long = format!("GET {page} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(20_000));
    let cases: [(&[u8], &str); 5] = [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "400"),
        (b"GET / HTTP/0.9\r\n\r\n", "400"),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "405"),
        (b"GET / HTTP/1.1\r\n\r\n", "400"),
        (long.as_bytes(), "431"),
    ];
    for (bytes, code) in cases {
        let answer = raw(address, bytes);
        assert!(answer.is_empty() || answer.starts_with(&format!("HTTP/1.1 {code}")), "{answer}");
    }
    assert_eq!(studio.counters().bad_requests.get(), 5);
}

#[test]
fn someone_who_dawdles_is_shown_out() {
    let studio = studio(TOWEL);
    let mut stream = TcpStream::connect(studio.address()).unwrap();
    let begin = Instant::now();
    stream.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
    let mut answer = String::new();
    drop(stream.read_to_string(&mut answer));
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(begin.elapsed() < Duration::from_secs(9));
}

/// A byte now and then does not win more time: forty slow ones are shown out together, while the page is
/// served to others.
#[test]
fn those_who_send_byte_by_byte_are_shown_out_and_hold_up_nobody() {
    let studio = studio(TOWEL);
    let mut slow: Vec<TcpStream> =
        (0..MAX_CONNECTIONS - 8).map(|_| TcpStream::connect(studio.address()).unwrap()).collect();
    let begin = Instant::now();
    for byte in b"GET / HTTP/1.1\r\nHost: lo".iter().cycle() {
        if begin.elapsed() > Duration::from_secs(6) {
            break;
        }
        // Those that were shown out do not take it any more.
        for stream in &mut slow {
            drop(stream.write_all(&[*byte]));
        }
        std::thread::sleep(Duration::from_millis(300));
        if begin.elapsed() < Duration::from_secs(4) {
            assert_eq!(get(&studio, &path(&studio, ""), &host(&studio)), "HTTP/1.1 200 OK");
        }
    }
    let patience = Duration::from_secs(20);
    while (studio.counters().bad_requests.get() as usize) < slow.len() {
        assert!(begin.elapsed() < patience, "{:?}", studio.counters());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn there_is_room_for_some_and_no_more() {
    let studio = studio(TOWEL);
    let idle: Vec<TcpStream> =
        (0..MAX_CONNECTIONS).map(|_| TcpStream::connect(studio.address()).unwrap()).collect();
    let begin = Instant::now();
    while !get(&studio, &path(&studio, ""), &host(&studio)).contains("503") {
        assert!(begin.elapsed() < Duration::from_secs(4), "never full");
    }
    assert!(studio.counters().busy.get() > 0);
    drop(idle);
    while !get(&studio, &path(&studio, ""), &host(&studio)).contains("200") {
        assert!(begin.elapsed() < Duration::from_secs(8), "never free again");
    }
}

type Misdeed = fn(&mut Socket);

#[test]
fn messages_that_make_no_sense_end_the_socket_and_are_counted() {
    let studio = studio(TOWEL);
    let socket = || Socket::open(studio.address(), &path(&studio, "socket")).unwrap();
    let misdeeds: [(Misdeed, u16); 14] = [
        (|s| s.say("hello").unwrap(), 1008),
        (|s| s.say(r#"{"do":"format"}"#).unwrap(), 1008),
        (|s| s.say(r#"{"do":"see","frame":1e99}"#).unwrap(), 1008),
        (|s| s.say(r#"{"do":"grab","vertex":0,"target":[0,0,1e300]}"#).unwrap(), 1008),
        (|s| s.frame(0x81, &[0xff, 0xfe]).unwrap(), 1007),
        (|s| s.frame(0x82, &[1, 2, 3]).unwrap(), 1003),
        (|s| s.frame(0xf1, b"{}").unwrap(), 1002),
        (|s| drop(s.frame(0x81, &vec![b' '; 70_000])), 1009),
        // A head that promises 2⁶³ bytes; a part of no message; a ping in parts; a ping that is too long;
        // no mask; and parts without end.
        (|s| drop(s.stream.write_all(&[&[0x81, 0xff, 0x80][..], &[0; 11]].concat())), 1009),
        (|s| s.frame(0x80, b"{}").unwrap(), 1002),
        (|s| s.frame(0x09, b"p").unwrap(), 1002),
        (|s| drop(s.frame(0x89, &[0; 200])), 1002),
        (|s| s.stream.write_all(&[0x81, 0x02, b'{', b'}']).unwrap(), 1002),
        (|s| drop((0..100).try_for_each(|k| s.frame(u8::from(k == 0), b""))), 1009),
    ];
    for (k, (misdeed, code)) in misdeeds.into_iter().enumerate() {
        let mut socket = socket();
        misdeed(&mut socket);
        assert_eq!(socket.hear_close(), code, "misdeed {k}");
        assert_eq!(studio.counters().malformed.get(), k as u64 + 1);
    }
    // The studio is none the worse for it.
    let mut socket = socket();
    socket.say(r#"{"do":"step"}"#).unwrap();
    while socket.hear_frame().0 != 1 {}
}

#[test]
fn a_flood_of_messages_ends_the_socket() {
    let studio = studio(TOWEL);
    let mut socket = Socket::open(studio.address(), &path(&studio, "socket")).unwrap();
    for _ in 0..2000 {
        if socket.say(r#"{"do":"follow"}"#).is_err() {
            break;
        }
    }
    assert_eq!(socket.hear_close(), 1008);
    assert_eq!(studio.counters().flooding.get(), 1);
}

/// Twelve hundred messages made from good ones by changing bytes: an answer or an end, never a panic. A
/// panic would poison nothing but end the thread, so the studio is asked whether it still works.
#[test]
fn mangled_messages_never_break_the_studio() {
    let studio = studio(TOWEL);
    let good = [
        r#"{"do":"set","path":"solver.tolerance","value":1e-3}"#,
        r#"{"do":"see","frame":3,"ahead":4}"#,
        r#"{"do":"grab","vertex":3,"target":[0,1,2]}"#,
    ];
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize
    };
    let at_most = |viewers: usize| {
        let begin = Instant::now();
        while studio.viewer_count() > viewers {
            assert!(begin.elapsed() < Duration::from_secs(20), "viewers stay");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    for _ in 0..300 {
        at_most(MAX_CONNECTIONS / 2);
        let mut socket = Socket::open(studio.address(), &path(&studio, "socket")).unwrap();
        for _ in 0..4 {
            let mut bytes = good[random() % 3].as_bytes().to_vec();
            let at = random() % bytes.len();
            bytes[at] = random() as u8;
            if socket.frame(0x81, &bytes).is_err() {
                break;
            }
        }
    }
    at_most(0);
    let mut socket = Socket::open(studio.address(), &path(&studio, "socket")).unwrap();
    socket.say(r#"{"do":"restart"}"#).unwrap();
    socket.say(r#"{"do":"step"}"#).unwrap();
    while socket.hear_frame().0 != 1 {}
    assert!(studio.counters().malformed.get() > 100);
}
