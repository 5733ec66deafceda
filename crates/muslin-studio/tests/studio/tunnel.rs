//! Another port that leads to the studio, as an SSH tunnel makes one.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

/// Opens a port that leads to `to`; it is served until the tests end.
pub fn tunnel(to: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for near in listener.incoming().flatten() {
            let Ok(far) = TcpStream::connect(to) else { return };
            let (near_too, far_too) = (near.try_clone().unwrap(), far.try_clone().unwrap());
            thread::spawn(move || carry(near, far));
            thread::spawn(move || carry(far_too, near_too));
        }
    });
    address
}

fn carry(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; 16384];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Write));
}
