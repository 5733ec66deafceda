//! Positions in 16 bits an axis.
//!
//! The box of a cloth a metre across has steps of 15 µm: a fiftieth of a pixel on a screen that shows
//! all of it. The box stays the same from frame to frame while the cloth is in it, so that the next
//! frame can be told as a difference.

use super::bytes::push_small;
use muslin::math::Vec3;

/// Room left around the points when a box is chosen, as a share of its size on either side.
const MARGIN: f64 = 0.1;
/// A box this many times longer than the points need is given up.
const TOO_LARGE: f64 = 3.0;
/// Largest value of a coordinate.
const TOP: f64 = u16::MAX as f64;

/// Points of a frame, quantised.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    grid: Grid,
    /// All x, then all y, then all z, in steps from the origin.
    coordinates: Vec<u16>,
}

/// Where the values 0 and 65535 are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grid {
    /// Place of the value 0 [m].
    origin: Vec3,
    /// Length of a step, the same along all axes [m].
    step: f64,
}

/// Turns positions into [`Points`].
#[derive(Clone, Debug, Default)]
pub struct Quantiser {
    grid: Option<Grid>,
}

impl Quantiser {
    /// A quantiser for everything within these bounds.
    pub fn within(min: Vec3, max: Vec3) -> Self {
        Self { grid: Some(Grid::around(min, max, 0.0)) }
    }

    /// The positions [m] on a grid: the last one, or a new one if they no longer fit it.
    pub fn points(&mut self, positions: &[Vec3]) -> Points {
        let first = positions.first().copied().unwrap_or(Vec3::ZERO);
        let (min, max) = positions.iter().fold((first, first), |(a, b), x| (a.min(*x), b.max(*x)));
        let kept = self.grid.filter(|grid| grid.suits(min, max));
        let grid = kept.unwrap_or_else(|| Grid::around(min, max, MARGIN));
        self.grid = Some(grid);
        let mut coordinates = Vec::with_capacity(3 * positions.len());
        for axis in 0..3 {
            coordinates.extend(positions.iter().map(|x| {
                let steps = (x[axis] - grid.origin[axis]) / grid.step;
                steps.round().clamp(0.0, TOP) as u16
            }));
        }
        Points { grid, coordinates }
    }
}

impl Grid {
    fn around(min: Vec3, max: Vec3, margin: f64) -> Self {
        let side = (max - min).max_element() * (1.0 + 2.0 * margin);
        let step = (side / TOP).max(f64::from(f32::MIN_POSITIVE));
        Self { origin: 0.5 * (min + max) - Vec3::splat(0.5 * step * TOP), step }
    }

    fn suits(&self, min: Vec3, max: Vec3) -> bool {
        let side = Vec3::splat(self.step * TOP);
        let slack = Vec3::splat(0.5 * self.step);
        let inside =
            min.cmpge(self.origin - slack).all() && max.cmple(self.origin + side + slack).all();
        inside && side.x <= TOO_LARGE * (max - min).max_element().max(self.step)
    }
}

impl Points {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.coordinates.len() / 3
    }

    /// The largest distance between a point and its place along an axis [m].
    pub fn error(&self) -> f64 {
        0.5 * self.grid.step
    }

    /// Appends the points: as nothing if they are those of `base`, as differences from them if that is
    /// shorter, or else as they are. A byte says which.
    pub fn push(&self, base: Option<&Self>, out: &mut Vec<u8>) {
        if base == Some(self) {
            out.push(SAME);
            return;
        }
        let start = out.len();
        let comparable =
            |b: &&Self| b.grid == self.grid && b.coordinates.len() == self.coordinates.len();
        if let Some(base) = base.filter(comparable) {
            self.push_head(DIFFERENCES, out);
            let length_at = out.len();
            out.extend([0; 4]);
            push_small(out, self.differences(base));
            let length = out.len() - length_at - 4;
            if length < 2 * self.coordinates.len() {
                out[length_at..length_at + 4].copy_from_slice(&(length as u32).to_le_bytes());
                return;
            }
            out.truncate(start);
        }
        self.push_head(WHOLE, out);
        out.extend((2 * self.coordinates.len() as u32).to_le_bytes());
        out.extend(self.coordinates.iter().flat_map(|c| c.to_le_bytes()));
    }

    fn push_head(&self, form: u8, out: &mut Vec<u8>) {
        out.push(form);
        let numbers = self.grid.origin.to_array().into_iter().chain([self.grid.step]);
        out.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
    }

    /// How each coordinate's change differs from that of the vertex before: neighbours move alike.
    fn differences<'a>(&'a self, base: &'a Self) -> impl Iterator<Item = i32> + 'a {
        let count = self.len();
        let mut before = 0;
        self.coordinates.iter().zip(&base.coordinates).enumerate().map(move |(k, (now, then))| {
            let change = i32::from(*now) - i32::from(*then);
            let difference = if count > 0 && k % count == 0 { change } else { change - before };
            before = change;
            difference
        })
    }
}

/// The points are those of the message before.
const SAME: u8 = 0;
/// Two bytes a coordinate.
const WHOLE: u8 = 1;
/// Differences from the message before.
const DIFFERENCES: u8 = 2;

#[cfg(test)]
mod tests {
    use super::super::bytes::decode;
    use super::*;

    fn wave(time: f64) -> Vec<Vec3> {
        let point = |k: i32| {
            let s = f64::from(k) / 500.0;
            Vec3::new(s, (7.0 * s + time).sin() * 0.1, (5.0 * s - time).cos() * 0.2)
        };
        (0..500).map(point).collect()
    }

    fn coordinates(message: &[u8], base: &[u16]) -> Vec<u16> {
        let mut body = &message[21..];
        match message[0] {
            WHOLE => body.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]])).collect(),
            DIFFERENCES => {
                let (mut change, count) = (0, base.len() / 3);
                let list = decode::small(&mut body, base.len());
                let next = list.iter().zip(base).enumerate().map(|(k, (d, b))| {
                    change = if k % count == 0 { *d } else { change + d };
                    (i32::from(*b) + change) as u16
                });
                next.collect()
            }
            _ => base.to_vec(),
        }
    }

    #[test]
    fn no_point_is_off_by_more_than_half_a_step() {
        let positions = wave(0.3);
        let points = Quantiser::default().points(&positions);
        let n = points.len();
        for (i, x) in positions.iter().enumerate() {
            for axis in 0..3 {
                let c = f64::from(points.coordinates[axis * n + i]);
                let read = points.grid.origin[axis] + c * points.grid.step;
                assert!((read - x[axis]).abs() <= points.error() * (1.0 + 1e-9));
            }
        }
        // The box is 1.2 times the longest side, 0.998 m, in 65535 steps; the error is half of one.
        assert!((points.error() - 0.5 * 1.2 * 0.998 / 65535.0).abs() < 1e-12, "{}", points.error());
    }

    #[test]
    fn differences_come_back_and_are_shorter() {
        let mut quantiser = Quantiser::default();
        let (a, b) = (quantiser.points(&wave(0.0)), quantiser.points(&wave(0.02)));
        let (mut whole, mut change) = (Vec::new(), Vec::new());
        a.push(None, &mut whole);
        b.push(Some(&a), &mut change);
        assert_eq!((whole[0], whole.len()), (WHOLE, 21 + 6 * 500));
        assert_eq!(coordinates(&whole, &[]), a.coordinates);
        assert_eq!(change[0], DIFFERENCES);
        assert_eq!(coordinates(&change, &a.coordinates), b.coordinates);
        assert!(change.len() < whole.len() / 2, "{}", change.len());
        let mut same = Vec::new();
        b.push(Some(&b.clone()), &mut same);
        assert_eq!(same, [SAME], "what stands still is not sent");
    }

    #[test]
    fn the_grid_changes_only_when_points_leave_it_or_shrink() {
        let mut quantiser = Quantiser::default();
        let a = quantiser.points(&wave(0.0));
        let moved = |by: f64, scale: f64| -> Vec<Vec3> {
            wave(0.0).iter().map(|x| *x * scale + Vec3::splat(by)).collect()
        };
        assert_eq!(quantiser.points(&moved(0.09, 1.0)).grid, a.grid);
        let b = quantiser.points(&moved(0.2, 1.0));
        assert_ne!(b.grid, a.grid);
        assert_ne!(quantiser.points(&moved(0.2, 0.2)).grid, b.grid);
        let none = quantiser.points(&[]);
        assert_eq!(none.len(), 0);
        let one = Quantiser::default().points(&[Vec3::ONE]);
        assert!(one.error() < 1e-30, "a single point is where it is");
    }
}
