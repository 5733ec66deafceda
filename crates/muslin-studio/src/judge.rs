//! Crossings, looked for on a thread of their own, in the latest frame only, and only while someone
//! wants to know (R1).

use crate::hub::Hub;
use muslin::judge;
use muslin::math::Vec3;
use muslin_scene::cache::Cache;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Most vertices named in a message.
const MOST_VERTICES: usize = 5000;

/// A frame to be judged.
pub struct Case {
    /// Which run it belongs to.
    pub run: u32,
    /// Frame number.
    pub frame: u64,
    /// Cloth vertices [m].
    pub cloth: Vec<Vec3>,
    /// Body vertices [m].
    pub bodies: Vec<Vec3>,
    /// Triangles of cloth and bodies, numbered through.
    pub triangles: Arc<Vec<[u32; 3]>>,
}

/// What waits to be judged.
enum Task {
    /// A frame that was just simulated.
    Simulated(Case),
    /// The frame of that number of the cache that is shown.
    Cached(u64),
}

#[derive(Default)]
struct Desk {
    task: Option<Task>,
    stop: bool,
}

/// Where frames are laid to be judged. A newer one replaces the one that waits.
#[derive(Default)]
pub struct JudgeDesk {
    desk: Mutex<Desk>,
    changed: Condvar,
}

impl JudgeDesk {
    /// Lays a frame down.
    pub fn lay(&self, case: Case) {
        self.put(Task::Simulated(case));
    }

    /// Asks for a frame of the cache.
    pub fn lay_cached(&self, number: u64) {
        self.put(Task::Cached(number));
    }

    fn put(&self, task: Task) {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner).task = Some(task);
        self.changed.notify_all();
    }

    /// Asks the judge to end.
    pub fn stop(&self) {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner).stop = true;
        self.changed.notify_all();
    }

    /// Judges until asked to end.
    pub fn work(&self, hub: &Hub) {
        loop {
            let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let idle = |desk: &mut Desk| desk.task.is_none() && !desk.stop;
            let waited = self.changed.wait_while(desk, idle);
            let mut desk = waited.unwrap_or_else(PoisonError::into_inner);
            let (task, stop) = (desk.task.take(), desk.stop);
            drop(desk);
            if stop {
                return;
            }
            let case = match task {
                Some(Task::Simulated(case)) => Some(case),
                Some(Task::Cached(number)) => hub.archive.cache().and_then(|c| read(c, number)),
                None => None,
            };
            if let Some(case) = case {
                let (pairs, vertices) = crossings(&case);
                hub.show_crossings(case.run, case.frame, pairs, &vertices);
            }
        }
    }
}

/// A frame of a cache; `None` where it can not be read, of which its viewer is told anyway.
fn read(cache: &Cache, number: u64) -> Option<Case> {
    let frame = cache.frame(number).ok()?;
    let triangles = Arc::new(cache.topology().triangles.clone());
    let (cloth, bodies) = (frame.positions, frame.bodies);
    Some(Case { run: 1, frame: number, cloth, bodies, triangles })
}

/// Number of crossing pairs, and the cloth vertices at them.
fn crossings(case: &Case) -> (usize, Vec<u32>) {
    let count = case.cloth.len() as u32;
    let (of_cloth, of_bodies): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
        case.triangles.iter().partition(|t| t[0] < count);
    let of_bodies: Vec<[u32; 3]> =
        of_bodies.into_iter().map(|t| t.map(|v| v.saturating_sub(count))).collect();
    let within = judge::intersecting_pairs(&case.cloth, &of_cloth);
    let between = judge::crossing_pairs(&case.cloth, &of_cloth, &case.bodies, &of_bodies);
    let at_cloth = within.iter().flat_map(|(a, b)| [*a, *b]).chain(between.iter().map(|(a, _)| *a));
    let mut vertices: Vec<u32> = at_cloth.flat_map(|t| of_cloth[t as usize]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices.truncate(MOST_VERTICES);
    (within.len() + between.len(), vertices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cross_of_two_triangles_is_one_pair_of_six_vertices() {
        let point = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        let cloth = vec![
            point(-1.0, -1.0, 0.0),
            point(1.0, -1.0, 0.0),
            point(0.0, 1.0, 0.0),
            point(0.0, 0.0, -1.0),
            point(0.0, 0.0, 1.0),
            point(0.0, 5.0, 0.0),
        ];
        let triangles = Arc::new(vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
        let far = vec![point(9.0, 0.0, 0.0), point(9.0, 1.0, 0.0), point(9.0, 0.0, 1.0)];
        let case = Case { run: 1, frame: 0, cloth, bodies: far, triangles };
        assert_eq!(crossings(&case), (1, vec![0, 1, 2, 3, 4, 5]));
    }
}
