//! One viewer's socket: a thread that reads what it asks for, and one that sends what it has not seen.

use crate::command::Command;
use crate::hub::{Hub, Outgoing, Seen};
use crate::inbox::Inbox;
use crate::net::websocket::{self as socket, Fault, Message};
use crate::rate::Allowance;
use crate::wire::{Record, frame_message};
use serde_json::json;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A viewer that takes nothing for this long is gone.
const WRITE_TIME: Duration = Duration::from_secs(20);
/// A viewer that sends nothing for this long, not even the answer to a ping, is gone.
const READ_TIME: Duration = Duration::from_secs(90);
/// How often viewers are asked whether they are there.
const PING_EVERY: Duration = Duration::from_secs(25);

/// A connected page.
struct Viewer {
    id: u64,
    hub: Arc<Hub>,
    inbox: Option<Arc<Inbox>>,
    writing: Mutex<TcpStream>,
}

/// Serves a page until it is gone. The handshake is done.
pub fn serve(stream: TcpStream, hub: &Arc<Hub>, inbox: Option<&Arc<Inbox>>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIME))?;
    stream.set_read_timeout(Some(READ_TIME))?;
    let mut reading = stream.try_clone()?;
    let id = hub.join();
    let writing = Mutex::new(stream);
    let viewer =
        Arc::new(Viewer { id, hub: Arc::clone(hub), inbox: inbox.map(Arc::clone), writing });
    let sender = {
        let viewer = Arc::clone(&viewer);
        thread::Builder::new().name("viewer".to_owned()).spawn(move || {
            drop(viewer.send_news());
            drop(viewer.lock().shutdown(Shutdown::Both));
        })
    };
    let code = if sender.is_ok() { viewer.listen(&mut reading) } else { None };
    viewer.leave(code);
    drop(reading.shutdown(Shutdown::Both));
    sender.map(|thread| drop(thread.join()))
}

impl Viewer {
    fn lock(&self) -> MutexGuard<'_, TcpStream> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends, saying why if anyone is there to hear it. Whoever heard it may count on control being free:
    /// it is given up first, and what was being sent waits until all is said.
    fn leave(&self, code: Option<u16>) {
        let farewell = code.map(|code| (self.lock(), code));
        if self.hub.leave(self.id)
            && let Some(inbox) = &self.inbox
        {
            inbox.let_go();
        }
        if let Some((mut writing, code)) = farewell {
            drop(socket::write_close(&mut *writing, code));
        }
    }

    /// Reads until the page is gone or does what it may not: the code to end with.
    fn listen(&self, reading: &mut TcpStream) -> Option<u16> {
        let mut allowance = Allowance::new(Instant::now());
        loop {
            let end = match socket::read(reading) {
                Ok(_) if !allowance.take(Instant::now()) => {
                    self.hub.counters.flooding.add(1);
                    Some(socket::POLICY)
                }
                Ok(Message::Text(text)) => self.hear(&text),
                Ok(Message::Ping(bytes)) => {
                    socket::write_pong(&mut *self.lock(), &bytes).err().map(|_| socket::PROTOCOL)
                }
                Ok(Message::Pong) => None,
                Ok(Message::Close) => Some(1000),
                Err(Fault::Violation(code)) => {
                    self.hub.counters.malformed.add(1);
                    Some(code)
                }
                Err(Fault::Gone) => return None,
            };
            if end.is_some() {
                return end;
            }
        }
    }

    /// Does what a message asks for; the code to end with if it makes no sense.
    fn hear(&self, text: &str) -> Option<u16> {
        let Ok(command) = Command::parse(text) else {
            self.hub.counters.malformed.add(1);
            return Some(socket::POLICY);
        };
        match command {
            Command::See { frame, ahead } => {
                let first = u64::from(frame);
                self.hub.wish(self.id, Some(first..first + 1 + u64::from(ahead)));
            }
            Command::Follow {} => self.hub.wish(self.id, None),
            Command::Judge { on } => self.hub.wish_judged(self.id, on),
            Command::Take {} => self.hub.take_control(self.id),
            command if self.hub.controls(self.id) => {
                let taken = self.inbox.as_ref().is_some_and(|inbox| inbox.put(command));
                if !taken && self.inbox.is_some() {
                    self.hub.notice("the solver is busy: wait a moment and try again");
                }
            }
            // The page of a mere viewer has no such buttons; a click may have crossed with a change.
            _ => {}
        }
        None
    }

    /// Sends what the page has not seen, until it is gone.
    fn send_news(&self) -> io::Result<()> {
        let hello = json!({ "type": "hello", "id": self.id, "version": env!("CARGO_PKG_VERSION") });
        socket::write_text(&mut *self.lock(), &hello.to_string())?;
        let mut seen = Seen::default();
        let mut base: Option<Arc<Record>> = None;
        let mut pinged = Instant::now();
        while let Some(news) = self.hub.next(self.id, &mut seen, PING_EVERY) {
            // Also while frames flow: a page that only watches says nothing of its own accord.
            if pinged.elapsed() >= PING_EVERY {
                socket::write_ping(&mut *self.lock())?;
                pinged = Instant::now();
            }
            for item in news {
                self.send(item, &mut base)?;
            }
        }
        Ok(())
    }

    fn send(&self, item: Outgoing, base: &mut Option<Arc<Record>>) -> io::Result<()> {
        let record = match item {
            Outgoing::Text(text) => return socket::write_text(&mut *self.lock(), &text),
            Outgoing::Geometry(bytes) => {
                *base = None;
                return socket::write_binary(&mut *self.lock(), &bytes);
            }
            Outgoing::Frame(record) => Some(record),
            Outgoing::Fetch(number) => match self.hub.archive.frame(number) {
                Ok(record) => {
                    if self.hub.archive.cache().is_some() && self.hub.judges(self.id) {
                        self.hub.desk.lay_cached(number);
                    }
                    record
                }
                Err(error) => {
                    let notice = json!({ "type": "notice", "text": error.to_string() });
                    return socket::write_text(&mut *self.lock(), &notice.to_string());
                }
            },
        };
        if let Some(record) = record {
            let message = frame_message(&record, base.as_deref());
            *base = Some(record);
            socket::write_binary(&mut *self.lock(), &message)?;
        }
        Ok(())
    }
}
