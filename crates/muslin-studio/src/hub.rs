//! What viewers see, as latest values: the solver puts them here and goes on, viewers take what they
//! have not seen yet, and a slow one skips what was replaced meanwhile. No queue can grow.

use crate::archive::Archive;
use crate::counters::Counters;
use crate::judge::JudgeDesk;
use crate::wire::Record;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most notices kept for viewers that have not read them.
const MOST_NOTICES: usize = 16;
/// Reports sent in one message.
const REPORTS_AT_ONCE: usize = 500;

/// A scene as the page needs it.
#[derive(Debug)]
pub struct Stage {
    /// The JSON message, with everything but geometry.
    pub text: String,
    /// Which [`Stage::geometry`] it is; viewers that have it are not sent it again.
    pub geometry_id: u64,
    /// The binary message of the topology.
    pub geometry: Arc<Vec<u8>>,
}

/// Something for a viewer.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// A JSON message.
    Text(String),
    /// A binary message.
    Geometry(Arc<Vec<u8>>),
    /// A frame, to be sent as a difference from the last one.
    Frame(Arc<Record>),
    /// A frame to be fetched first.
    Fetch(u64),
}

/// What a viewer has been sent.
#[derive(Debug, Default)]
pub struct Seen {
    stage: u64,
    geometry: u64,
    status: u64,
    notice: u64,
    reports: usize,
    run: u32,
    crossings: u64,
    frame: Option<(u32, u64)>,
}

/// What a viewer wants to see.
#[derive(Clone, Debug)]
struct Wish {
    follow: bool,
    frames: Range<u64>,
    judge: bool,
}

#[derive(Default)]
struct Shared {
    stage: Option<Arc<Stage>>,
    stage_version: u64,
    status: Value,
    status_version: u64,
    notices: VecDeque<String>,
    notices_ever: u64,
    geometries_ever: u64,
    run: u32,
    latest: Option<Arc<Record>>,
    reports: Vec<Value>,
    crossings: Value,
    crossings_version: u64,
    wishes: BTreeMap<u64, Wish>,
    viewers_ever: u64,
    controller: Option<u64>,
    closed: bool,
}

/// The meeting point of solver and viewers.
pub struct Hub {
    shared: Mutex<Shared>,
    changed: Condvar,
    /// Frames that were simulated, or that are in the cache.
    pub archive: Archive,
    /// What was refused.
    pub counters: Counters,
    /// Where frames are laid to be judged.
    pub desk: JudgeDesk,
}

impl Hub {
    /// A hub that shows nothing yet.
    pub fn new(archive: Archive) -> Self {
        let shared = Mutex::new(Shared::default());
        let (counters, desk) = (Counters::default(), JudgeDesk::default());
        Self { shared, changed: Condvar::new(), archive, counters, desk }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, what: impl FnOnce(&mut Shared)) {
        what(&mut self.lock());
        self.changed.notify_all();
    }

    /// Shows a scene, or the same with other settings.
    pub fn show_stage(&self, stage: Stage) {
        self.change(|shared| {
            shared.stage = Some(Arc::new(stage));
            shared.stage_version += 1;
        });
    }

    /// Begins a run: what was simulated before is forgotten.
    pub fn begin_run(&self) -> u32 {
        self.archive.clear();
        let mut run = 0;
        self.change(|shared| {
            shared.run += 1;
            run = shared.run;
            shared.latest = None;
            shared.reports.clear();
            shared.crossings = Value::Null;
            shared.wishes.values_mut().for_each(|wish| wish.follow = true);
        });
        run
    }

    /// A number for a geometry that no viewer has.
    pub fn next_geometry(&self) -> u64 {
        let mut shared = self.lock();
        shared.geometries_ever += 1;
        shared.geometries_ever
    }

    /// Shows a frame.
    pub fn show_frame(&self, record: Arc<Record>, report: Value) {
        self.archive.keep(&record);
        self.change(|shared| {
            shared.latest = Some(record);
            shared.reports.push(report);
        });
    }

    /// Tells what is known of frames that are not shown yet.
    pub fn add_reports(&self, reports: Vec<Value>) {
        self.change(|shared| shared.reports.extend(reports));
    }

    /// Tells how things stand.
    pub fn show_status(&self, status: Value) {
        self.change(|shared| {
            shared.status = status;
            shared.status_version += 1;
        });
    }

    /// Tells something once.
    pub fn notice(&self, text: &str) {
        self.change(|shared| {
            shared.notices.push_back(text.to_owned());
            shared.notices_ever += 1;
            if shared.notices.len() > MOST_NOTICES {
                shared.notices.pop_front();
            }
        });
    }

    /// Tells which vertices belong to crossing triangles.
    pub fn show_crossings(&self, run: u32, frame: u64, pairs: usize, vertices: &[u32]) {
        self.change(|shared| {
            if run == shared.run {
                shared.crossings = json!({
                    "type": "crossings", "frame": frame, "pairs": pairs, "vertices": vertices,
                });
                shared.crossings_version += 1;
            }
        });
    }

    /// A new viewer; the first one controls.
    pub fn join(&self) -> u64 {
        let mut id = 0;
        self.change(|shared| {
            shared.viewers_ever += 1;
            id = shared.viewers_ever;
            let wish = Wish { follow: true, frames: 0..0, judge: false };
            shared.wishes.insert(id, wish);
            shared.controller.get_or_insert(id);
            shared.status_version += 1;
        });
        id
    }

    /// A viewer is gone; if it controlled, the one that came first of the others does now. Says whether
    /// it controlled.
    pub fn leave(&self, id: u64) -> bool {
        let mut controlled = false;
        self.change(|shared| {
            shared.wishes.remove(&id);
            controlled = shared.controller == Some(id);
            if controlled {
                shared.controller = shared.wishes.keys().next().copied();
            }
            shared.status_version += 1;
        });
        controlled
    }

    /// Gives control to a viewer.
    pub fn take_control(&self, id: u64) {
        self.change(|shared| {
            shared.controller = Some(id);
            shared.status_version += 1;
        });
    }

    /// Whether this viewer controls.
    pub fn controls(&self, id: u64) -> bool {
        self.lock().controller == Some(id)
    }

    /// A viewer wants these frames, or what is being simulated.
    pub fn wish(&self, id: u64, frames: Option<Range<u64>>) {
        self.change(|shared| {
            if let Some(wish) = shared.wishes.get_mut(&id) {
                wish.follow = frames.is_none();
                wish.frames = frames.unwrap_or(0..0);
            }
        });
    }

    /// A viewer wants to know of crossings, or no longer.
    pub fn wish_judged(&self, id: u64, on: bool) {
        self.change(|shared| {
            if let Some(wish) = shared.wishes.get_mut(&id) {
                wish.judge = on;
            }
        });
    }

    /// Whether anyone wants to know of crossings.
    pub fn wants_judging(&self) -> bool {
        self.lock().wishes.values().any(|wish| wish.judge)
    }

    /// How many are watching.
    pub fn viewer_count(&self) -> usize {
        self.lock().wishes.len()
    }

    /// Whether this viewer wants to know of crossings.
    pub fn judges(&self, id: u64) -> bool {
        self.lock().wishes.get(&id).is_some_and(|wish| wish.judge)
    }

    /// Ends all viewers, and the judge.
    pub fn close(&self) {
        self.desk.stop();
        self.change(|shared| shared.closed = true);
    }

    /// What viewer `id` has not seen yet; empty when nothing new came for a while, `None` at the end.
    pub fn next(&self, id: u64, seen: &mut Seen, patience: Duration) -> Option<Vec<Outgoing>> {
        let mut shared = self.lock();
        loop {
            if shared.closed || !shared.wishes.contains_key(&id) {
                return None;
            }
            let news = self.news(&mut shared, id, seen);
            if !news.is_empty() {
                return Some(news);
            }
            let waited = self.changed.wait_timeout(shared, patience);
            let (again, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                return Some(Vec::new());
            }
            shared = again;
        }
    }

    fn news(&self, shared: &mut Shared, id: u64, seen: &mut Seen) -> Vec<Outgoing> {
        let mut news = Vec::new();
        if let Some(stage) = shared.stage.as_ref().filter(|_| seen.stage != shared.stage_version) {
            seen.stage = shared.stage_version;
            news.push(Outgoing::Text(stage.text.clone()));
            if seen.geometry != stage.geometry_id {
                seen.geometry = stage.geometry_id;
                news.push(Outgoing::Geometry(Arc::clone(&stage.geometry)));
            }
        }
        if seen.status != shared.status_version && !shared.status.is_null() {
            seen.status = shared.status_version;
            news.push(Outgoing::Text(status_text(shared, &self.counters)));
        }
        let unread = (shared.notices_ever - seen.notice).min(shared.notices.len() as u64) as usize;
        for text in shared.notices.iter().skip(shared.notices.len() - unread) {
            news.push(Outgoing::Text(json!({ "type": "notice", "text": text }).to_string()));
        }
        seen.notice = shared.notices_ever;
        if seen.run != shared.run {
            (seen.run, seen.reports, seen.frame) = (shared.run, 0, None);
        }
        if seen.reports < shared.reports.len() {
            let end = shared.reports.len().min(seen.reports + REPORTS_AT_ONCE);
            let list = &shared.reports[seen.reports..end];
            seen.reports = end;
            let message = json!({ "type": "reports", "run": shared.run, "list": list });
            news.push(Outgoing::Text(message.to_string()));
        }
        if seen.crossings != shared.crossings_version && !shared.crossings.is_null() {
            seen.crossings = shared.crossings_version;
            news.push(Outgoing::Text(shared.crossings.to_string()));
        }
        news.extend(self.next_frame(shared, id, seen));
        news
    }

    /// The frame a viewer wants next.
    fn next_frame(&self, shared: &mut Shared, id: u64, seen: &mut Seen) -> Option<Outgoing> {
        let wish = shared.wishes.get_mut(&id)?;
        if !wish.follow {
            return wish.frames.next().map(Outgoing::Fetch);
        }
        let latest = shared.latest.as_ref()?;
        let now = (latest.run, latest.number);
        if seen.frame == Some(now) {
            return None;
        }
        let before =
            seen.frame.filter(|(run, _)| *run == now.0).map_or(now.1, |(_, frame)| frame + 1);
        self.counters.skipped_frames.add(now.1.saturating_sub(before));
        seen.frame = Some(now);
        Some(Outgoing::Frame(Arc::clone(latest)))
    }
}

fn status_text(shared: &Shared, counters: &Counters) -> String {
    let mut status = shared.status.clone();
    if let Value::Object(fields) = &mut status {
        fields.insert("type".to_owned(), "status".into());
        fields.insert("viewers".to_owned(), shared.wishes.len().into());
        fields.insert("controller".to_owned(), shared.controller.into());
        let refused = counters.forbidden.get() + counters.malformed.get() + counters.flooding.get();
        fields.insert("refused".to_owned(), refused.into());
    }
    status.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Quantiser;

    fn record(number: u64) -> Arc<Record> {
        let points = Arc::new(Quantiser::default().points(&[]));
        let bodies = Arc::clone(&points);
        Arc::new(Record { run: 1, number, time: 0.0, cloth: points, bodies, marks: Arc::default() })
    }

    fn frames(news: &[Outgoing]) -> Vec<u64> {
        let number = |item: &Outgoing| match item {
            Outgoing::Frame(record) => Some(record.number),
            Outgoing::Fetch(number) => Some(*number),
            _ => None,
        };
        news.iter().filter_map(number).collect()
    }

    #[test]
    fn a_slow_viewer_skips_frames_but_misses_no_report() {
        let hub = Hub::new(Archive::in_memory());
        hub.begin_run();
        let (id, mut seen) = (hub.join(), Seen::default());
        let mut next = || hub.next(id, &mut seen, Duration::ZERO).unwrap();
        hub.show_frame(record(0), json!({ "frame": 0 }));
        assert_eq!(frames(&next()), [0]);
        (1..=50).for_each(|k| hub.show_frame(record(k), json!({ "frame": k })));
        let news = next();
        assert_eq!(frames(&news), [50], "the latest alone");
        let text = |item: &Outgoing| match item {
            Outgoing::Text(text) => serde_json::from_str::<Value>(text).ok(),
            _ => None,
        };
        let reports = news.iter().filter_map(text).find(|message| message["type"] == "reports");
        assert_eq!(reports.unwrap()["list"].as_array().unwrap().len(), 50);
        assert_eq!(hub.counters.skipped_frames.get(), 49);
        assert!(next().is_empty());
        hub.wish(id, Some(3..5));
        assert_eq!([frames(&next()), frames(&next()), frames(&next())], [vec![3], vec![4], vec![]]);
        hub.close();
        assert!(hub.next(id, &mut seen, Duration::ZERO).is_none());
    }

    #[test]
    fn notices_are_read_once_and_never_pile_up() {
        let hub = Hub::new(Archive::in_memory());
        let (id, mut seen) = (hub.join(), Seen::default());
        (0..1000).for_each(|k| hub.notice(&k.to_string()));
        let news = hub.next(id, &mut seen, Duration::ZERO).unwrap();
        let notice = |item: &&Outgoing| matches!(item, Outgoing::Text(t) if t.contains("notice"));
        assert_eq!(news.iter().filter(notice).count(), MOST_NOTICES);
        assert!(hub.next(id, &mut seen, Duration::ZERO).unwrap().is_empty());
    }
}
