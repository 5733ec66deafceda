//! Deforming bodies (MF6): a field for every frame, interpolated in between, with the velocity of the
//! nearest surface point as the velocity of everything around it.

use super::field::{Field, Sample};
use crate::collide::distance::point_triangle;
use crate::math::Vec3;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Frames kept at hand: the two around a time, and those of the step before.
const KEPT_FRAMES: usize = 4;

/// Rounds in which the path of a material point is found.
const PATH_ROUNDS: usize = 3;

/// A deforming body at one of its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Vertices \[m\].
    pub positions: Vec<Vec3>,
    /// Its field, which knows the nearest triangles (see [`Field::with_nearest`]).
    pub field: Field,
}

/// Makes or fetches frame `k`; asked again, it must give the same.
pub type FrameSource = Arc<dyn Fn(usize) -> Arc<Frame> + Send + Sync>;

/// The field of a body at all times.
#[derive(Clone, Debug)]
pub enum BodyField {
    /// One field in the body's own frame.
    Rigid(Arc<Field>),
    /// A field a frame, in the world.
    Deforming(Arc<Sequence>),
}

impl PartialEq for BodyField {
    /// Whether both are the same object.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Rigid(a), Self::Rigid(b)) => Arc::ptr_eq(a, b),
            (Self::Deforming(a), Self::Deforming(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// A body as a level set.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSet {
    /// Its field at all times.
    pub field: BodyField,
    /// `Δτ` of forecasting: cloth that would end up inside is on the surface after this time \[s\] (MF7).
    pub relaxation_time: f64,
    /// How far below the surface the cloth meets it \[m\]: simulated cloth may sink in as far as this, and clean-up
    /// brings it out again (MF8).
    pub inset: f64,
}

/// Fields at evenly spaced times. Vertices move straight from one frame to the next.
pub struct Sequence {
    fps: f64,
    count: usize,
    triangles: Vec<[u32; 3]>,
    source: FrameSource,
    recent: Mutex<Vec<(usize, Arc<Frame>)>>,
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sequence of {} frames", self.count)
    }
}

/// The two frames around a time.
struct Between {
    a: Arc<Frame>,
    b: Arc<Frame>,
    /// From 0 at `a` to 1 at `b`.
    share: f64,
}

/// A point of the surface that moves with it: a triangle and weights of its corners.
#[derive(Clone, Copy, Debug)]
struct SurfacePoint {
    triangle: u32,
    weights: [f64; 3],
}

impl Sequence {
    /// `count` frames, `fps` a second, the first at time 0. All frames have these triangles.
    pub fn new(fps: f64, count: usize, triangles: Vec<[u32; 3]>, source: FrameSource) -> Self {
        let recent = Mutex::new(Vec::new());
        Self { fps, count: count.max(1), triangles, source, recent }
    }

    /// Distance and gradient at a point at time `t` \[s\]: both frames are asked at the place where the
    /// surface next to the point comes from and goes to, so that what moves keeps its shape.
    pub fn sample(&self, x: Vec3, t: f64) -> Sample {
        let between = self.between(t);
        let Between { a, b, share } = &between;
        if *share == 0.0 {
            return a.field.sample(x);
        }
        let motion = self.motion_per_frame(&between, x);
        let before = a.field.sample(x - motion * *share);
        let after = b.field.sample(x + motion * (1.0 - share));
        Sample {
            distance: before.distance + (after.distance - before.distance) * share,
            gradient: before.gradient.lerp(after.gradient, *share),
        }
    }

    /// Where a point that rides on the surface below it at time `t0` is at time `t1` \[s\].
    pub fn carry(&self, x: Vec3, t0: f64, t1: f64) -> Vec3 {
        let between = self.between(t0);
        let back = x - self.motion_per_frame(&between, x) * between.share;
        let Some(point) = self.below(&between.a, back) else { return x };
        x + self.position(&point, t1) - self.position(&point, t0)
    }

    /// How far the surface nearest to `x` moves in a frame \[m\].
    fn motion_per_frame(&self, between: &Between, x: Vec3) -> Vec3 {
        let Between { a, b, share } = between;
        let mut motion = Vec3::ZERO;
        for _ in 0..PATH_ROUNDS {
            let Some(point) = self.below(a, x - motion * *share) else { break };
            motion = self.on(&point, &b.positions) - self.on(&point, &a.positions);
        }
        motion
    }

    /// The point of the surface nearest to `x`, among the triangles nearest to the corners around it.
    fn below(&self, frame: &Frame, x: Vec3) -> Option<SurfacePoint> {
        let mut best: Option<(f64, SurfacePoint)> = None;
        let mut looked = [u32::MAX; 8];
        for (k, triangle) in frame.field.nearby_triangles(x).enumerate() {
            if looked[..k].contains(&triangle) {
                continue;
            }
            looked[k] = triangle;
            let [a, b, c] =
                self.triangles.get(triangle as usize)?.map(|v| frame.positions[v as usize]);
            let closest = point_triangle(x, a, b, c);
            if best.is_none_or(|(least, _)| closest.distance_squared < least) {
                let [_, u, v, w] = closest.weights;
                let point = SurfacePoint { triangle, weights: [-u, -v, -w] };
                best = Some((closest.distance_squared, point));
            }
        }
        best.map(|(_, point)| point)
    }

    fn on(&self, point: &SurfacePoint, positions: &[Vec3]) -> Vec3 {
        let corners = self.triangles[point.triangle as usize];
        corners.iter().zip(point.weights).map(|(&v, w)| positions[v as usize] * w).sum()
    }

    fn position(&self, point: &SurfacePoint, t: f64) -> Vec3 {
        let Between { a, b, share } = self.between(t);
        self.on(point, &a.positions).lerp(self.on(point, &b.positions), share)
    }

    fn between(&self, t: f64) -> Between {
        let at = (t * self.fps).clamp(0.0, (self.count - 1) as f64);
        // A time that is a frame's but for rounding is that frame's.
        let at = if (at - at.round()).abs() < 1e-9 { at.round() } else { at };
        let k = (at as usize).min(self.count.saturating_sub(2));
        let (a, b) = (self.frame(k), self.frame((k + 1).min(self.count - 1)));
        Between { a, b, share: at - k as f64 }
    }

    fn frame(&self, k: usize) -> Arc<Frame> {
        if let Some((_, frame)) = self.recent().iter().find(|(number, _)| *number == k) {
            return Arc::clone(frame);
        }
        // The lock is not held meanwhile: a source may work in parallel, and its threads may come here.
        let frame = (self.source)(k);
        let mut recent = self.recent();
        if recent.iter().all(|(number, _)| *number != k) {
            if recent.len() == KEPT_FRAMES {
                recent.remove(0);
            }
            recent.push((k, Arc::clone(&frame)));
        }
        frame
    }

    fn recent(&self) -> MutexGuard<'_, Vec<(usize, Arc<Frame>)>> {
        // A poisoned lock only means that another thread panicked; what is kept is still whole.
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
