//! Ctrl-C: the first asks the run to end after the frame at hand, the second ends it at once.

use crate::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody asked to stop. The default is one that nothing asks but [`Self::ask`].
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            if asked.swap(true, Ordering::SeqCst) {
                // A frame appears whole or not at all, so this loses the frame in flight only.
                std::process::exit(2);
            }
        })
        .map_err(|error| {
            Failure::new("io", "Ctrl-C", format!("cannot listen for Ctrl-C: {error}"))
        })?;
        Ok(interrupt)
    }

    /// Asks to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// The flag itself, for caches.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether to stop after the frame at hand.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
