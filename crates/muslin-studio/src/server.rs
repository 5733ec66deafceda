//! Connections: who is let in, and what they are given.

use crate::GalleryEntry;
use crate::hub::Hub;
use crate::inbox::Inbox;
use crate::net::guard::Guard;
use crate::net::request::{Refusal, Request};
use crate::net::websocket::accept_key;
use crate::page;
use crate::thumbnail::Thumbnails;
use crate::viewer;
use muslin_scene::spec::SceneSpec;
use serde_json::json;
use std::io::{self, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Most connections at a time.
pub const MAX_CONNECTIONS: usize = 48;
/// How long a read may take before the clock is looked at.
const READ_SLICE: Duration = Duration::from_millis(500);
/// How long a client may take to accept an answer.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// What all connections share.
pub struct Site {
    /// Who may connect.
    pub guard: Guard,
    /// What viewers see.
    pub hub: Arc<Hub>,
    /// What the solver is asked; `None` where nothing is simulated.
    pub inbox: Option<Arc<Inbox>>,
    /// Scenes to choose from.
    pub gallery: Arc<Vec<GalleryEntry>>,
    /// Their pictures.
    pub thumbnails: Thumbnails,
    /// Connections now.
    pub connections: AtomicUsize,
    /// Whether to end.
    pub stop: AtomicBool,
}

/// What is answered to a request.
struct Answer {
    content_type: &'static str,
    body: Vec<u8>,
}

/// Answers connections until told to end.
pub fn accept(listener: &TcpListener, site: &Arc<Site>) {
    for stream in listener.incoming() {
        if site.stop.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let seat = Seat::take(site);
        let site = Arc::clone(site);
        let work = move || {
            // A client that is gone needs no answer.
            drop(site.connection(stream, seat.as_ref()));
        };
        // Without a thread the connection is dropped, which is answer enough.
        drop(thread::Builder::new().name("connection".to_owned()).spawn(work));
    }
}

/// One of the [`MAX_CONNECTIONS`].
struct Seat(Arc<Site>);

impl Seat {
    fn take(site: &Arc<Site>) -> Option<Self> {
        let taken = site.connections.fetch_add(1, Ordering::SeqCst);
        let seat = Self(Arc::clone(site));
        (taken < MAX_CONNECTIONS).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Site {
    fn connection(&self, mut stream: TcpStream, seat: Option<&Seat>) -> io::Result<()> {
        stream.set_read_timeout(Some(READ_SLICE))?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        if seat.is_none() {
            return self.refuse(&mut stream, Refusal::Busy);
        }
        let request = match Request::read(&mut stream) {
            Ok(request) => request,
            Err(refusal) => return self.refuse(&mut stream, refusal),
        };
        match self.guard.admit(&request) {
            Ok("socket") => match self.guard.admit_socket(&request) {
                Ok(key) => {
                    shake_hands(&mut stream, key)?;
                    viewer::serve(stream, &self.hub, self.inbox.as_ref())
                }
                Err(refusal) => self.refuse(&mut stream, refusal),
            },
            Ok(path) => match self.answer(path) {
                Some(answer) => {
                    let host = request.header("host").ok().flatten().unwrap_or_default();
                    send(&mut stream, "200 OK", host, &answer)
                }
                None => self.refuse(&mut stream, Refusal::Missing),
            },
            Err(refusal) => self.refuse(&mut stream, refusal),
        }
    }

    fn refuse(&self, stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
        let counters = &self.hub.counters;
        match refusal {
            Refusal::Forbidden => counters.forbidden.add(1),
            Refusal::Busy => counters.busy.add(1),
            Refusal::Missing | Refusal::Gone => {}
            _ => counters.bad_requests.add(1),
        }
        let text = match refusal {
            Refusal::Forbidden => {
                "This studio opens with the whole link that `muslin view` printed.\n"
            }
            _ => "Muslin's studio cannot answer this.\n",
        };
        let answer = Answer { content_type: "text/plain; charset=utf-8", body: text.into() };
        send(stream, refusal.status(), "", &answer)
    }

    /// The page's own files, the schema, and the gallery. Nothing comes from the disk.
    fn answer(&self, path: &str) -> Option<Answer> {
        if let Some(file) = page::find(path) {
            let (content_type, body) = (file.content_type(), file.text.as_bytes().to_vec());
            return Some(Answer { content_type, body });
        }
        let json = |value: serde_json::Value| Answer {
            content_type: "application/json",
            body: value.to_string().into_bytes(),
        };
        match path {
            "schema.json" => Some(json(SceneSpec::schema())),
            "fabrics.json" => {
                let fabrics = muslin::fabric::library().iter().map(|entry| {
                    let fabric = &entry.fabric;
                    json!({
                        "name": entry.name,
                        "density": fabric.density,
                        "thickness": fabric.thickness,
                        "stretch": 0.5 * (fabric.stretch[0] + fabric.stretch[1]),
                        "shear": fabric.shear,
                        "bending": 0.5 * (fabric.bending[0] + fabric.bending[1]),
                        "friction": fabric.friction_static,
                    })
                });
                Some(json(fabrics.collect::<Vec<_>>().into()))
            }
            "gallery.json" => {
                let scenes = self
                    .gallery
                    .iter()
                    .map(|scene| json!({ "name": scene.name, "description": scene.description }));
                Some(json(scenes.collect::<Vec<_>>().into()))
            }
            _ => {
                let name = path.strip_prefix("gallery/")?.strip_suffix(".png")?;
                let scene = self.gallery.iter().find(|scene| scene.name == name)?;
                let body = self.thumbnails.of(scene)?;
                Some(Answer { content_type: "image/png", body })
            }
        }
    }
}

fn shake_hands(stream: &mut TcpStream, key: &str) -> io::Result<()> {
    let accept = accept_key(key);
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())
}

/// Sends an answer and ends the connection. Browsers may run nothing that did not come from here, talk
/// to nobody else, and tell nobody the link. `host` has passed the guard.
fn send(stream: &mut TcpStream, status: &str, host: &str, answer: &Answer) -> io::Result<()> {
    let Answer { content_type, body } = answer;
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\
         Connection: close\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
         img-src 'self' data: blob:; connect-src 'self' ws://{host}; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()?;
    stream.shutdown(Shutdown::Write)
}
