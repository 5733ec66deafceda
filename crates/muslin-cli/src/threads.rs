//! `--threads N`. Results do not depend on it (R4).

use crate::failure::Failure;
use clap::Args;

/// More threads than any machine has cores: a typing error.
const MOST: usize = 1024;

/// How many threads compute.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Threads {
    /// Threads to compute with; all cores when not given. Results do not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

impl Threads {
    /// Starts the threads and returns how many there are.
    pub fn start(self) -> Result<usize, Failure> {
        let fail = |message: String| Failure::argument("--threads", message);
        if let Some(count) = self.threads.filter(|count| !(1..=MOST).contains(count)) {
            return Err(fail(format!("{count} threads: give a number from 1 to {MOST}")));
        }
        if self.threads.is_none() {
            // All cores is what the threads start with by themselves, once in a process.
            return Ok(rayon::current_num_threads());
        }
        let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        builder.build_global().map_err(|error| {
            fail(format!("the threads cannot be started ({error}): give a smaller number"))
        })?;
        Ok(rayon::current_num_threads())
    }
}
