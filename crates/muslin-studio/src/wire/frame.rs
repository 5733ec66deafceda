//! A frame as a message.

use super::bytes::push_runs;
use super::points::Points;
use std::sync::Arc;

/// What the page is shown of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Which run it belongs to: a restart begins another.
    pub run: u32,
    /// Frame number.
    pub number: u64,
    /// Time [s].
    pub time: f64,
    /// Cloth vertices.
    pub cloth: Arc<Points>,
    /// Body vertices.
    pub bodies: Arc<Points>,
    /// A byte of [`muslin_scene::runner::marks`] for each cloth vertex; empty where nobody knows.
    pub marks: Arc<Vec<u8>>,
}

/// First byte of a frame's message.
const FRAME: u8 = 1;

/// The message of a frame to a reader whose last frame was `base`.
pub fn frame_message(record: &Record, base: Option<&Record>) -> Vec<u8> {
    let mut out = vec![FRAME];
    out.extend(record.run.to_le_bytes());
    out.extend((record.number as u32).to_le_bytes());
    out.extend(record.time.to_le_bytes());
    record.cloth.push(base.map(|b| &*b.cloth), &mut out);
    record.bodies.push(base.map(|b| &*b.bodies), &mut out);
    if base.is_some_and(|b| b.marks == record.marks) {
        out.push(0);
    } else {
        out.push(1);
        let mut runs = Vec::new();
        push_runs(&mut runs, &record.marks);
        out.extend((runs.len() as u32).to_le_bytes());
        out.extend(runs);
    }
    out
}

impl Record {
    /// Memory it takes, apart from what it shares with others [bytes].
    pub fn size(&self) -> usize {
        6 * self.cloth.len() + self.marks.len() + 200
    }
}
