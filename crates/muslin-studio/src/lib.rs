//! The studio: a page that shows cloth while it is simulated, lets it be pulled and tuned, and the player
//! that shows a finished animation without a server.
//!
//! # How it is built
//!
//! * The **solver's thread** (`live`) owns the runner. It takes commands between steps and puts frames
//!   into the `hub`; it never waits for a viewer.
//! * The **hub** holds latest values, not queues: a slow viewer skips frames, and nothing can grow.
//! * Each **viewer** (`viewer`) has a thread that reads and one that writes.
//! * The **page** (folder `page`) is plain ES modules on WebGL2, embedded in the binary.
//!
//! # Why its own HTTP and WebSocket
//!
//! The studio answers GET for two dozen embedded files and speaks one WebSocket to a handful of pages on
//! the same machine. A web framework brings some seventy crates, an executor and features (bodies,
//! redirects, compression, extensions) that would all have to be bounded or switched off. What is needed
//! fits in four short files over [`std::net`], each of which can be read at one sitting, refuses whatever
//! it does not know, and is tested with raw sockets.
//!
//! # Who may connect
//!
//! Whoever has the link: it carries 192 random bits, checked on every request and socket. Requests by any
//! name but an address or `localhost` are refused (DNS rebinding), as are foreign origins. Messages are
//! bounded in size and rate; one that makes no sense ends its connection. No request reads a file.

mod archive;
mod command;
mod counters;
mod hub;
mod inbox;
mod judge;
mod live;
mod net;
mod page;
mod playback;
mod player;
mod rate;
mod server;
mod settings;
mod stage;
mod thumbnail;
mod viewer;
mod wire;

pub use counters::{Counter, Counters};
pub use live::OpenError;
pub use player::{Player, player};
pub use server::MAX_CONNECTIONS;

use archive::Archive;
use hub::Hub;
use inbox::Inbox;
use live::{Live, Scene};
use muslin_scene::cache::{Cache, CacheError};
use net::guard::Guard;
use net::token::Token;
use server::Site;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use thiserror::Error;

/// A scene that the page's gallery offers.
#[derive(Clone, Debug)]
pub struct GalleryEntry {
    /// Its name.
    pub name: &'static str,
    /// One sentence about it.
    pub description: String,
    /// The text of its scene file.
    pub text: &'static str,
    /// A picture of it, PNG; without one it is drawn when asked for.
    pub picture: Option<&'static [u8]>,
}

/// What to show.
#[derive(Clone, Debug)]
pub enum Show {
    /// A scene, simulated live.
    Scene {
        /// The text of its file.
        text: String,
        /// The file's name, for messages and for the folder that its meshes are in.
        file_name: String,
        /// Overrides like `solver.tolerance=1e-4`.
        sets: Vec<String>,
    },
    /// A cache, played back.
    Cache(Box<Cache>),
}

/// Why the studio does not open.
#[derive(Debug, Error)]
pub enum StudioError {
    /// The scene can not be shown.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The cache can not be shown.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The address can not be used.
    #[error("cannot listen on {address}: {source}; choose another with --bind or --port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The system gives no random numbers.
    #[error("the system gives no random numbers for the link: {0}")]
    Random(getrandom::Error),
    /// The system gives no thread.
    #[error("the system gives no thread for the studio: {0}")]
    Thread(io::Error),
}

/// A studio that is open. Dropping it closes it.
pub struct Studio {
    address: SocketAddr,
    token: Token,
    site: Arc<Site>,
    threads: Vec<JoinHandle<()>>,
}

impl Studio {
    /// Opens a studio on an address; port 0 lets the system choose.
    pub fn open(
        show: Show,
        address: SocketAddr,
        gallery: Vec<GalleryEntry>,
    ) -> Result<Self, StudioError> {
        let token = Token::random().map_err(StudioError::Random)?;
        let listen_error = |source| StudioError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let gallery = Arc::new(gallery);
        let mut threads = Vec::new();
        let (hub, inbox) = match show {
            Show::Cache(cache) => {
                let hub = Arc::new(Hub::new(Archive::of(*cache)));
                if let Some(cache) = hub.archive.cache() {
                    playback::show(cache, &hub)?;
                }
                (hub, None)
            }
            Show::Scene { text, file_name, sets } => {
                let hub = Arc::new(Hub::new(Archive::in_memory()));
                let inbox = Arc::new(Inbox::default());
                let scene = Scene::open(&text, &file_name, &sets)?;
                let live =
                    Live::new(scene, Arc::clone(&hub), Arc::clone(&inbox), Arc::clone(&gallery));
                threads.push(start("solver", move || live.run())?);
                (hub, Some(inbox))
            }
        };
        let judged = Arc::clone(&hub);
        threads.push(start("judge", move || judged.desk.work(&judged))?);
        let site = Arc::new(Site {
            guard: Guard::new(token.clone(), address.ip()),
            hub,
            inbox,
            gallery,
            thumbnails: thumbnail::Thumbnails::default(),
            connections: 0.into(),
            stop: false.into(),
        });
        let shared = Arc::clone(&site);
        threads.push(start("server", move || server::accept(&listener, &shared))?);
        Ok(Self { address, token, site, threads })
    }

    /// The link that opens the page, with the secret in it.
    pub fn link(&self) -> String {
        format!("http://{}/{}/", self.reachable(), self.token.as_str())
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What was refused so far.
    pub fn counters(&self) -> &Counters {
        &self.site.hub.counters
    }

    /// How many are watching.
    pub fn viewer_count(&self) -> usize {
        self.site.hub.viewer_count()
    }

    /// An address by which this machine reaches it.
    fn reachable(&self) -> SocketAddr {
        let mut address = self.address;
        match address {
            SocketAddr::V4(v4) if v4.ip().is_unspecified() => {
                address.set_ip(Ipv4Addr::LOCALHOST.into());
            }
            SocketAddr::V6(v6) if v6.ip().is_unspecified() => {
                address.set_ip(Ipv6Addr::LOCALHOST.into());
            }
            _ => {}
        }
        address
    }
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StudioError> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map_err(StudioError::Thread)
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.site.stop.store(true, Ordering::SeqCst);
        self.site.hub.close();
        if let Some(inbox) = &self.site.inbox {
            inbox.stop();
        }
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect_timeout(&self.reachable(), Duration::from_secs(1)));
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}
