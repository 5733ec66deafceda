//! Frames that can be looked at again: those that were simulated, or those of a cache.

use crate::wire::{Quantiser, Record};
use muslin_scene::cache::{Cache, CacheError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory for frames [bytes]. When it is full, every second of the older frames goes.
const MEMORY: usize = 768 << 20;
/// Frames of a cache that stay in memory.
const CACHED: usize = 64;

/// Frames by number.
pub struct Archive {
    cache: Option<Cache>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    records: BTreeMap<u64, Arc<Record>>,
    size: usize,
    cloth: Quantiser,
    bodies: Quantiser,
}

impl Archive {
    /// An archive for what will be simulated.
    pub fn in_memory() -> Self {
        Self { cache: None, kept: Mutex::default() }
    }

    /// The frames of a cache.
    pub fn of(cache: Cache) -> Self {
        Self { cache: Some(cache), kept: Mutex::default() }
    }

    /// The cache.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets everything.
    pub fn clear(&self) {
        *self.lock() = Kept::default();
    }

    /// Keeps a frame.
    pub fn keep(&self, record: &Arc<Record>) {
        let mut kept = self.lock();
        kept.size += record.size();
        kept.records.insert(record.number, Arc::clone(record));
        if kept.size > MEMORY {
            kept.thin();
        }
    }

    /// The frame of that number, or the last one before it that is kept.
    pub fn frame(&self, number: u64) -> Result<Option<Arc<Record>>, CacheError> {
        let Some(cache) = &self.cache else {
            return Ok(self
                .lock()
                .records
                .range(..=number)
                .next_back()
                .map(|(_, r)| Arc::clone(r)));
        };
        if let Some(record) = self.lock().records.get(&number) {
            return Ok(Some(Arc::clone(record)));
        }
        let frame = cache.frame(number)?;
        let mut kept = self.lock();
        let record = Arc::new(Record {
            run: 1,
            number,
            time: frame.time,
            cloth: Arc::new(kept.cloth.points(&frame.positions)),
            bodies: Arc::new(kept.bodies.points(&frame.bodies)),
            marks: Arc::new(frame.marks),
        });
        if kept.records.len() >= CACHED {
            kept.records.pop_first();
        }
        kept.records.insert(number, Arc::clone(&record));
        Ok(Some(record))
    }
}

impl Kept {
    /// Drops every second frame of the older half.
    fn thin(&mut self) {
        let half = self.records.len() / 2;
        let dropped: Vec<u64> =
            self.records.keys().take(half).skip(1).step_by(2).copied().collect();
        for number in dropped {
            self.size -= self.records.remove(&number).map_or(0, |record| record.size());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64) -> Arc<Record> {
        let points = Arc::new(Quantiser::default().points(&[]));
        let bodies = Arc::clone(&points);
        Arc::new(Record { run: 1, number, time: 0.0, cloth: points, bodies, marks: Arc::default() })
    }

    #[test]
    fn a_frame_that_is_gone_is_shown_as_the_one_before_it() {
        let archive = Archive::in_memory();
        (0..100).for_each(|k| archive.keep(&record(k)));
        archive.lock().thin();
        let seen = |k: u64| archive.frame(k).unwrap().map(|record| record.number);
        assert_eq!([seen(0), seen(1), seen(2), seen(99)], [Some(0), Some(0), Some(2), Some(99)]);
        assert_eq!(archive.lock().records.len(), 75);
        let size: usize = archive.lock().records.values().map(|record| record.size()).sum();
        assert_eq!(archive.lock().size, size);
        archive.clear();
        assert_eq!(seen(3), None);
    }
}
