//! Ctrl-C. Python tells only the thread it started in, so that thread has to look for it while work goes on.
//!
//! Steps are many and short: the thread computes them itself, as one of the engine's threads, and looks
//! between the steps of a frame ([`join_engine`], [`Watch`]). Commands are few and long: they run in a thread of
//! their own, while this one looks and waits ([`watched`]).

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often Ctrl-C is looked for.
const PAUSE: Duration = Duration::from_millis(50);

thread_local! {
    /// Whether this thread has been through [`join_engine`].
    static JOINED: Cell<bool> = const { Cell::new(false) };
}

/// Makes the thread that Python started in one of the threads of a pool of its own, for good: the engine
/// computes a frame where it is called, instead of handing it to another thread and waiting. Any other
/// thread hands frames to the pool that all share.
pub fn join_engine(py: Python<'_>) -> PyResult<()> {
    if JOINED.replace(true) {
        return Ok(());
    }
    let threading = py.import("threading")?;
    let current = threading.call_method0("current_thread")?;
    if !current.is(&threading.call_method0("main_thread")?) {
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new().use_current_thread().build();
    let pool = pool.map_err(|error| {
        let message = format!("the threads of the engine cannot be started ({error})");
        PyRuntimeError::new_err(message)
    })?;
    // The pool ends with the process, as the thread does.
    std::mem::forget(pool);
    Ok(())
}

/// Looks for Ctrl-C between steps.
pub struct Watch {
    looked: Instant,
    /// What Ctrl-C raised.
    pub raised: Option<PyErr>,
}

impl Watch {
    /// Looks from now on.
    pub fn new() -> Self {
        Self { looked: Instant::now(), raised: None }
    }

    /// Whether to go on: no Ctrl-C so far.
    pub fn go_on(&mut self) -> bool {
        if self.looked.elapsed() >= PAUSE {
            self.looked = Instant::now();
            self.raised = signals().err();
        }
        self.raised.is_none()
    }
}

/// Does `work` in a thread of its own, without Python's lock. On Ctrl-C, calls `stop` and waits for the work to
/// end, which it should do soon. Returns what the work answered, and what Ctrl-C raised.
pub fn watched<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> (Option<T>, Option<PyErr>) {
    py.detach(|| {
        let (send, receive) = mpsc::sync_channel(1);
        let mut interrupt = None;
        let answer = std::thread::scope(|scope| {
            // The other end waits until it has heard.
            scope.spawn(move || drop(send.send(work())));
            loop {
                match receive.recv_timeout(PAUSE) {
                    Ok(answer) => return Some(answer),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(raised) = signals() {
                            interrupt = Some(raised);
                            stop();
                        }
                    }
                    // The work panicked; the scope says so.
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
        });
        (answer, interrupt)
    })
}

/// Runs what Python has to do about signals: raises `KeyboardInterrupt` after Ctrl-C.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method is not general enough")]
fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}
