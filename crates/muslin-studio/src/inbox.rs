//! What the solver is asked to do, by clients that never wait for it and that it never waits for.

use crate::command::Command;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most commands waiting.
const MOST: usize = 64;

/// The pointer on the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// The vertex, numbered through all cloths.
    pub vertex: u32,
    /// Where it is pulled to [m].
    pub target: [f64; 3],
}

#[derive(Debug, Default)]
struct Waiting {
    commands: VecDeque<Command>,
    pull: Option<Pull>,
    stop: bool,
}

/// Commands on their way to the solver. Bounded: of a value that changes, only the last waits.
#[derive(Debug, Default)]
pub struct Inbox {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

/// What waited.
#[derive(Debug)]
pub struct Delivery {
    /// In the order they came.
    pub commands: VecDeque<Command>,
    /// Where the pointer is now; `None` when it holds nothing.
    pub pull: Option<Pull>,
    /// Whether to end.
    pub stop: bool,
}

impl Inbox {
    /// Puts a command in; false where there are too many already.
    pub fn put(&self, command: Command) -> bool {
        let mut waiting = self.lock();
        match command {
            Command::Grab { vertex, target } => waiting.pull = Some(Pull { vertex, target }),
            Command::Release {} => waiting.pull = None,
            command => {
                waiting.commands.retain(|other| !replaces(&command, other));
                if waiting.commands.len() >= MOST {
                    return false;
                }
                waiting.commands.push_back(command);
            }
        }
        self.arrived.notify_all();
        true
    }

    /// Lets the cloth go, when the viewer that held it is gone.
    pub fn let_go(&self) {
        self.lock().pull = None;
    }

    /// Asks the solver to end.
    pub fn stop(&self) {
        self.lock().stop = true;
        self.arrived.notify_all();
    }

    /// Takes what is there, waiting at most this long for something to come.
    pub fn take(&self, patience: Duration) -> Delivery {
        let nothing = |waiting: &mut Waiting| waiting.commands.is_empty() && !waiting.stop;
        let waited = self.arrived.wait_timeout_while(self.lock(), patience, nothing);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let commands = std::mem::take(&mut waiting.commands);
        Delivery { commands, pull: waiting.pull, stop: waiting.stop }
    }

    /// Whether something waits that whoever pulls as `pull` says does not know of.
    pub fn has_news(&self, pull: Option<Pull>) -> bool {
        let waiting = self.lock();
        waiting.stop || waiting.pull != pull || !waiting.commands.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a later command makes an earlier one pointless.
fn replaces(later: &Command, earlier: &Command) -> bool {
    match (later, earlier) {
        (Command::Set { path, .. }, Command::Set { path: other, .. }) => path == other,
        (Command::Speed { .. }, Command::Speed { .. })
        | (Command::Play {} | Command::Pause {}, Command::Play {} | Command::Pause {}) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn set(path: &str, value: f64) -> Command {
        Command::Set { path: path.to_owned(), value: json!(value) }
    }

    #[test]
    fn only_the_last_of_a_moving_slider_waits() {
        let inbox = Inbox::default();
        assert!((0..1000).all(|k| inbox.put(set("a", f64::from(k)))));
        assert!(inbox.put(set("b", 1.0)));
        let delivery = inbox.take(Duration::ZERO);
        assert_eq!(delivery.commands, [set("a", 999.0), set("b", 1.0)]);
    }

    #[test]
    fn there_is_an_end_to_what_waits_but_letting_go_always_arrives() {
        let inbox = Inbox::default();
        inbox.put(Command::Grab { vertex: 1, target: [0.0; 3] });
        let taken = (0..1000).filter(|_| inbox.put(Command::Step {})).count();
        assert_eq!(taken, MOST);
        let pull = inbox.take(Duration::ZERO).pull;
        assert!(pull.is_some() && !inbox.has_news(pull));
        assert!(inbox.put(Command::Release {}));
        assert!(inbox.has_news(pull));
        assert_eq!(inbox.take(Duration::ZERO).pull, None);
    }
}
