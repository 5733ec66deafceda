//! Clean must not mean frozen (R10): how many vertices move in rigid zones, and for how long.

use super::{Found, Report};
use muslin_scene::cache::{Run, SurfaceKind};
use serde_json::Value;
use std::collections::BTreeMap;

/// Share of the vertices that may be in rigid zones in the mean of all frames \[-\].
const MOST_ZONED: f64 = 0.01;

/// Frames on end that a vertex may be in one.
const LONGEST_STAY: u64 = 5;

/// The stays of all vertices in rigid zones, frame after frame.
pub struct ZoneStays {
    vertices: u64,
    frames: u64,
    /// Vertices in zones, in all frames together.
    zoned: u64,
    /// For vertices in a zone in the last frame that was added: how many frames on end.
    now: BTreeMap<u64, u64>,
    /// The longest stay: frames on end, vertex, and the frame in which it ended.
    longest: (u64, u64, u64),
}

impl ZoneStays {
    /// No frame yet.
    pub fn new(run: &Run) -> Self {
        let cloth = run.surfaces.iter().filter(|surface| surface.kind == SurfaceKind::Cloth);
        Self::of(cloth.map(|surface| surface.vertices.count).sum())
    }

    fn of(vertices: u64) -> Self {
        Self { vertices, frames: 0, zoned: 0, now: BTreeMap::new(), longest: (0, 0, 0) }
    }

    /// Adds the next frame, with the list in its report.
    pub fn add(&mut self, frame: u64, zoned: &Value) {
        let zoned = zoned.as_array().into_iter().flatten().filter_map(Value::as_u64);
        let before = std::mem::take(&mut self.now);
        self.frames += 1;
        for vertex in zoned {
            let stay = before.get(&vertex).map_or(1, |stay| stay + 1);
            self.zoned += 1;
            self.now.insert(vertex, stay);
            if stay > self.longest.0 {
                self.longest = (stay, vertex, frame);
            }
        }
    }

    /// Says what there was, and whether it was too much.
    pub fn judge(&self, report: &mut Report) {
        if self.zoned == 0 {
            return;
        }
        let share = self.zoned as f64 / (self.frames * self.vertices.max(1)) as f64;
        let (stay, vertex, frame) = self.longest;
        report.notes.push(format!(
            "rigid zones: {:.3} % of the vertices in the mean of all frames, vertex {vertex} for {stay} frame{} on end",
            100.0 * share,
            if stay == 1 { "" } else { "s" }
        ));
        if share >= MOST_ZONED || stay > LONGEST_STAY {
            let message = format!(
                "frame {frame}: cloth is held in rigid zones, {:.2} % of it in the mean, vertex {vertex} for {stay} \
                 frames on end: use more steps per frame, or thicker cloth",
                100.0 * share
            );
            report.problems.push(Found::new(
                "frozen",
                Some(frame),
                format!("vertex {vertex}"),
                message,
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(vertices: u64, frames: &[Value]) -> (Vec<String>, Vec<String>) {
        let mut zones = ZoneStays::of(vertices);
        frames.iter().zip(0..).for_each(|(zoned, frame)| zones.add(frame, zoned));
        let mut report = Report::default();
        zones.judge(&mut report);
        (report.notes, report.problems.into_iter().map(|found| found.message).collect())
    }

    /// R10: 1 % of the vertices in the mean is too much, and so are six frames on end; five, or six with one
    /// between them, are not.
    #[test]
    fn r10_what_is_held_too_long_or_too_much_is_a_problem() {
        let (notes, problems) = judged(100, &[Value::Null, json!([])]);
        assert!(notes.is_empty() && problems.is_empty());
        let five = vec![json!([7]); 5];
        let (notes, problems) = judged(1000, &five);
        assert!(
            notes[0].contains("0.100 %") && notes[0].contains("vertex 7 for 5 frames"),
            "{notes:?}"
        );
        assert!(problems.is_empty(), "{problems:?}");
        let six = [five.clone(), vec![json!([7, 9])]].concat();
        let (_, problems) = judged(1000, &six);
        assert!(problems[0].starts_with("frame 5:") && problems[0].contains("vertex 7 for 6"));
        let apart = [five.clone(), vec![Value::Null], five].concat();
        assert!(judged(1000, &apart).1.is_empty());
        assert_eq!(judged(100, &[json!([3])]).1.len(), 1, "1 % is too much");
        assert!(judged(101, &[json!([3])]).1.is_empty(), "less is not");
    }
}
