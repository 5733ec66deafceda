//! Errors: what the command line would say, as a Python exception; and exceptions of Python functions
//! that the engine calls, kept until they can be raised.

use muslin_cli::Failure;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The `muslin.Error` of a failure.
pub fn error(py: Python<'_>, failure: impl Into<Failure>) -> PyErr {
    let failure = failure.into();
    let shown = failure.to_text();
    let shown = shown.strip_prefix("error: ").unwrap_or(&shown);
    let made = py
        .import("muslin._errors")
        .and_then(|module| module.getattr("Error"))
        .and_then(|class| class.call1((&failure.kind, &failure.place, &failure.message, shown)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The first exception that a Python function raised while the engine called it.
#[derive(Clone, Debug, Default)]
pub struct Fault(Arc<Mutex<Option<PyErr>>>);

impl Fault {
    /// Keeps an exception, unless there is one already.
    pub fn keep(&self, error: PyErr) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
    }

    /// Whether there is one.
    pub fn happened(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Takes it, to be raised.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
