//! Sculpting: capsules of two radii, blended smoothly into one another.

use super::grid::Grid;
use crate::collide::aabb::Aabb;
use crate::math::Vec3;

/// A capsule whose radius changes from one end to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Both ends \[m\].
    pub ends: [Vec3; 2],
    /// Radius at both ends \[m\].
    pub radii: [f64; 2],
}

impl Limb {
    /// How far a point is outside \[m\]: the distance if both radii are the same, else a little more.
    pub fn distance(&self, p: Vec3) -> f64 {
        let [a, b] = self.ends;
        let along = b - a;
        let length = along.length_squared();
        let s = if length > 0.0 { ((p - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        p.distance(a + along * s) - (self.radii[0] + (self.radii[1] - self.radii[0]) * s)
    }
}

/// The smooth minimum of two distances: rounded off where they differ by less than `radius` \[m\].
pub fn smooth_min(a: f64, b: f64, radius: f64) -> f64 {
    let overlap = (1.0 - (a - b).abs() / radius).max(0.0);
    a.min(b) - if radius > 0.0 { 0.25 * radius * overlap * overlap } else { 0.0 }
}

/// Samples limbs that flow into each other over `radius` \[m\], with points `spacing` \[m\] apart. Limbs of
/// `carved` are cut out of the others, with edges a quarter as round.
pub fn blend(limbs: &[Limb], carved: &[Limb], radius: f64, spacing: f64) -> Grid {
    let balls = limbs.iter().flat_map(|limb| limb.ends.into_iter().zip(limb.radii));
    let boxes = balls.map(|(x, r)| Aabb::around([x]).grown(r));
    let bounds = boxes.fold(Aabb::EMPTY, |sum, next| sum.union(&next));
    let bounds = bounds.grown(0.25 * radius * limbs.len() as f64 + 2.0 * spacing);
    let counts = ((bounds.max - bounds.min) / spacing).ceil().to_array().map(|n| n as usize + 1);
    Grid::sample(counts, bounds.min, spacing, |p| {
        let distances = limbs.iter().map(|limb| limb.distance(p));
        let whole = distances.reduce(|a, b| smooth_min(a, b, radius)).unwrap_or(f64::INFINITY);
        // Where the limb is not, and the whole is: the largest of both, which is the smallest turned round.
        carved
            .iter()
            .map(|limb| limb.distance(p))
            .fold(whole, |rest, limb| -smooth_min(-rest, limb, 0.25 * radius))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far from each other limbs are what they are; where they meet the blend is larger, and smooth.
    #[test]
    fn limbs_flow_into_each_other() {
        let [a, b] = [-1.0, 1.0].map(|s| Limb {
            ends: [Vec3::X * (0.1 * s), Vec3::new(0.1 * s, 0.0, 0.3)],
            radii: [0.08, 0.05],
        });
        assert!((a.distance(Vec3::new(-0.2, 0.0, 0.15)) - 0.035).abs() < 1e-12);
        let grid = blend(&[a, b], &[], 0.1, 0.01);
        let field = grid.clone().into_field().unwrap();
        let beside = Vec3::new(-0.19, 0.0, 0.0);
        assert!((field.sample(beside).distance - a.distance(beside)).abs() < 1e-3);
        let between = Vec3::new(0.0, 0.0, 0.05);
        assert!(field.sample(between).distance < a.distance(between) - 0.02);
        let groove = Limb { ends: [Vec3::X * -0.3, Vec3::X * 0.3], radii: [0.02; 2] };
        // Off its axis, where the distance has a kink that no grid follows.
        let carved = blend(&[a, b], &[groove], 0.1, 0.005).into_field().unwrap();
        assert!((carved.sample(Vec3::new(0.1, 0.0, 0.012)).distance - 0.008).abs() < 1e-3);
        let far = Vec3::new(0.19, 0.0, 0.2);
        assert!((carved.sample(far).distance - b.distance(far)).abs() < 1e-3);
        assert_eq!(smooth_min(0.3, 0.1, 0.0), 0.1);
        assert!((smooth_min(0.1, 0.1, 0.04) - 0.09).abs() < 1e-15);
    }
}
