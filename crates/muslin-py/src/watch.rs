//! Ctrl-C: work goes on in the thread pool while this thread, the only one that Python tells, looks for it.

use pyo3::prelude::*;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often Ctrl-C is looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// Does `work` in the thread pool, without Python's lock. On Ctrl-C, calls `stop` and waits for the work to
/// end, which it should do soon. Returns what the work answered, and what Ctrl-C raised.
pub fn watched<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> (Option<T>, Option<PyErr>) {
    py.detach(|| {
        let (send, receive) = mpsc::sync_channel(1);
        let mut interrupt = None;
        let answer = rayon::in_place_scope(|scope| {
            // The other end waits until it has heard.
            scope.spawn(move |_| drop(send.send(work())));
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
