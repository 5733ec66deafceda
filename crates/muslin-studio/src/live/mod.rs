//! The solver's thread: advances the scene, does what the page asks between two steps, and puts what it
//! made into the hub. It never waits for a viewer.

mod grab;
mod rebuild;
mod world;

use crate::hub::Hub;
use crate::inbox::{Delivery, Inbox, Pull};
use crate::{GalleryEntry, command::Command};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use world::World;

/// How long to wait for a command while nothing moves.
const IDLE: Duration = Duration::from_millis(500);
/// A solver this far behind the clock does not try to catch up.
const LATE: Duration = Duration::from_millis(100);

/// The solver's thread.
pub struct Live {
    hub: Arc<Hub>,
    inbox: Arc<Inbox>,
    gallery: Arc<Vec<GalleryEntry>>,
    world: World,
    playing: bool,
    /// Frames that were asked for one by one.
    owed: u32,
    /// A frame was begun, and some of its steps are left to take.
    under_way: bool,
    speed: f64,
    due: Instant,
    pull: Option<Pull>,
    told: Value,
}

impl Live {
    /// A thread's work for a scene that was just opened.
    pub fn new(
        world: World,
        hub: Arc<Hub>,
        inbox: Arc<Inbox>,
        gallery: Arc<Vec<GalleryEntry>>,
    ) -> Self {
        let due = Instant::now();
        let told = Value::Null;
        Self {
            hub,
            inbox,
            gallery,
            world,
            playing: false,
            owed: 0,
            under_way: false,
            speed: 1.0,
            due,
            pull: None,
            told,
        }
    }

    /// Works until it is asked to end.
    pub fn run(mut self) {
        self.world.show(&self.hub);
        loop {
            self.tell();
            let Delivery { commands, pull, stop } = self.inbox.take(self.patience());
            if stop {
                return;
            }
            for command in commands {
                self.obey(command);
            }
            if pull != self.pull {
                self.pull = pull;
                self.world.pull(pull);
            }
            if self.patience().is_zero() {
                self.advance();
            } else {
                self.world.have_judged(&self.hub);
            }
        }
    }

    /// How long to wait for a command; nothing where there is work to do.
    fn patience(&self) -> Duration {
        if self.owed > 0 || (self.playing && self.under_way) {
            Duration::ZERO
        } else if self.playing {
            self.due.saturating_duration_since(Instant::now())
        } else {
            IDLE
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Play {} => {
                self.playing = true;
                self.due = Instant::now();
            }
            Command::Pause {} => self.halt(),
            Command::Step {} => {
                self.playing = false;
                self.owed = self.owed.saturating_add(1);
            }
            Command::Restart {} => {
                (self.owed, self.under_way) = (0, false);
                self.attempt(World::restart);
            }
            Command::Speed { value } => self.speed = value,
            Command::Set { path, value } => {
                self.attempt(|world, hub| world.set(&path, &value, hub));
            }
            Command::Reset {} => self.attempt(World::reset),
            Command::Open { scene } => self.open(&scene),
            // The pointer comes apart, and viewers' wishes never come here.
            _ => {}
        }
    }

    fn attempt(&mut self, change: impl FnOnce(&mut World, &Hub) -> Result<(), String>) {
        if let Err(message) = change(&mut self.world, &self.hub) {
            self.hub.notice(&message);
            // Puts back what the page's form showed.
            self.world.show_settings(&self.hub);
        }
    }

    fn open(&mut self, name: &str) {
        let Some(entry) = self.gallery.iter().find(|entry| entry.name == name) else {
            self.hub.notice(&format!("there is no scene `{name}` in the gallery"));
            return;
        };
        match World::open(entry.text, &format!("{name}.toml"), &[]) {
            Ok(world) => {
                self.world = world;
                self.halt();
                (self.pull, self.under_way) = (None, false);
                self.world.show(&self.hub);
                self.playing = true;
                self.due = Instant::now();
            }
            Err(error) => self.hub.notice(&error.to_string()),
        }
    }

    /// Stops where it is, if need be in the middle of a frame.
    fn halt(&mut self) {
        (self.playing, self.owed) = (false, 0);
    }

    /// Simulates until the next frame is there, or until something comes that acts on the next step.
    fn advance(&mut self) {
        if !self.under_way {
            self.under_way = true;
            self.set_due();
        }
        let (inbox, pull) = (&self.inbox, self.pull);
        match self.world.advance(&self.hub, &mut || !inbox.has_news(pull)) {
            Ok(true) => {
                (self.owed, self.under_way) = (self.owed.saturating_sub(1), false);
                if self.world.is_at_end() {
                    self.halt();
                    self.hub.notice("the scene ends here; play goes on beyond it");
                }
            }
            Ok(false) => {}
            Err(message) => {
                self.halt();
                self.under_way = false;
                self.hub.notice(&message);
            }
        }
    }

    /// When the frame after this one is due.
    fn set_due(&mut self) {
        let begin = Instant::now();
        let seconds = self.world.frame_seconds() / self.speed.max(1e-6);
        let pace = if self.speed > 0.0 { Duration::from_secs_f64(seconds) } else { Duration::ZERO };
        self.due += pace;
        if begin.saturating_duration_since(self.due) > LATE {
            self.due = begin;
        }
    }

    fn tell(&mut self) {
        let status = json!({
            "playing": self.playing,
            "speed": self.speed,
            "frame": self.world.frame(),
            "frame_seconds": self.world.seconds_for_a_frame(),
            "grabbed": self.pull.map(|pull| pull.vertex),
        });
        if status != self.told {
            self.told = status.clone();
            self.hub.show_status(status);
        }
    }
}

pub use world::OpenError;
pub use world::World as Scene;
