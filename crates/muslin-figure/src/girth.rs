//! Girths: where the tape goes, how they are measured, and widths that meet them.

use crate::anatomy::{Anatomy, Region, Scales};
use crate::joint::{Joint, Side};
use crate::mesher::Triangulation;
use crate::proportions::Proportions;
use crate::skeleton::{Skeleton, arm_direction};
use muslin::math::{Vec2, Vec3, try_normalize};

/// What is measured with a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Girth {
    /// Over the bust.
    Chest,
    /// At the narrowest.
    Waist,
    /// Over the buttocks.
    Hip,
    /// Of the left thigh below the crotch.
    Thigh,
    /// Of the left calf at its widest.
    Calf,
    /// Of the left upper arm over the biceps.
    UpperArm,
    /// Of the neck at half its height.
    Neck,
}

impl Girth {
    /// All girths.
    pub const ALL: [Self; 7] =
        [Self::Chest, Self::Waist, Self::Hip, Self::Thigh, Self::Calf, Self::UpperArm, Self::Neck];

    /// What the proportions ask \[m\].
    pub fn asked(self, proportions: &Proportions) -> f64 {
        match self {
            Self::Chest => proportions.chest,
            Self::Waist => proportions.waist,
            Self::Hip => proportions.hip,
            Self::Thigh => proportions.thigh,
            Self::Calf => proportions.calf,
            Self::UpperArm => proportions.upper_arm,
            Self::Neck => proportions.neck,
        }
    }

    /// A point inside and the unit normal of the plane of the tape in the rest pose.
    pub fn plane(self, skeleton: &Skeleton) -> (Vec3, Vec3) {
        let h = skeleton.height;
        let level = |x: f64, y: f64, z: f64| (Vec3::new(x, y, z) * h, Vec3::Z);
        match self {
            Self::Chest => level(0.0, 0.005, 0.718),
            Self::Waist => level(0.0, -0.005, 0.628),
            Self::Hip => level(0.0, 0.005, 0.504),
            Self::Thigh => level(0.058, 0.003, 0.430),
            Self::Calf => level(0.066, 0.031, 0.200),
            Self::UpperArm => {
                let along = arm_direction(Side::Left);
                (skeleton.rest(Joint::UpperArm(Side::Left)) + along * (0.085 * h), along)
            }
            Self::Neck => {
                let [low, high] = [Joint::Neck, Joint::Head].map(|j| skeleton.rest(j));
                let up = try_normalize(high - low).unwrap_or(Vec3::Z);
                (low.lerp(high, 0.5), up)
            }
        }
    }

    /// The region that the tape goes around; `None` where it goes around all that is there.
    fn region(self) -> Option<Region> {
        match self {
            Self::Chest | Self::Waist => Some(Region::Trunk),
            Self::Thigh | Self::Calf => Some(Region::Leg(Side::Left)),
            Self::UpperArm => Some(Region::Arm(Side::Left)),
            Self::Hip | Self::Neck => None,
        }
    }

    fn scale(self, scales: &mut Scales) -> &mut f64 {
        match self {
            Self::Chest => &mut scales.chest,
            Self::Waist => &mut scales.waist,
            Self::Hip => &mut scales.hip,
            Self::Thigh => &mut scales.thigh,
            Self::Calf => &mut scales.calf,
            Self::UpperArm => &mut scales.arm,
            Self::Neck => &mut scales.neck,
        }
    }
}

/// Rounds of fitting; each takes away nine tenths of the error or more.
const ROUNDS: usize = 5;
/// Rays of a measurement.
const RAYS: usize = 90;

/// The surface whose girths are what was asked.
pub fn fit(proportions: &Proportions, skeleton: &Skeleton) -> Anatomy {
    let mut scales = Scales::default();
    for _ in 0..ROUNDS {
        let anatomy = Anatomy::new(proportions, skeleton, &scales);
        for girth in Girth::ALL {
            let ratio = girth.asked(proportions) / measure(&anatomy, skeleton, girth);
            let scale = girth.scale(&mut scales);
            *scale = (*scale * ratio).clamp(0.4, 2.5);
        }
    }
    Anatomy::new(proportions, skeleton, &scales)
}

/// A girth of the implicit surface: rays in the plane, then the hull of where they leave it.
fn measure(anatomy: &Anatomy, skeleton: &Skeleton, girth: Girth) -> f64 {
    let (centre, normal) = girth.plane(skeleton);
    let (u, v) = normal.any_orthonormal_pair();
    let value = |p: Vec3| match girth.region() {
        Some(region) => anatomy.region_value(region, p),
        None => anatomy.value(p),
    };
    let points = (0..RAYS).map(|k| {
        let (sin, cos) = (k as f64 / RAYS as f64 * std::f64::consts::TAU).sin_cos();
        let direction = u * cos + v * sin;
        let (mut low, mut high) = (0.0, 0.01 * skeleton.height);
        while value(centre + direction * high) < 0.0 && high < 0.3 * skeleton.height {
            (low, high) = (high, high + 0.01 * skeleton.height);
        }
        for _ in 0..14 {
            let middle = 0.5 * (low + high);
            if value(centre + direction * middle) < 0.0 { low = middle } else { high = middle }
        }
        Vec2::new(cos, sin) * low
    });
    hull_perimeter(points.collect())
}

/// A girth of a mesh in the rest pose \[m\]: the hull of the piece of its slice that is nearest to the
/// middle of the tape.
pub fn measure_mesh(mesh: &Triangulation, skeleton: &Skeleton, girth: Girth) -> f64 {
    let (centre, normal) = girth.plane(skeleton);
    let (u, v) = normal.any_orthonormal_pair();
    let flat = |p: Vec3| Vec2::new((p - centre).dot(u), (p - centre).dot(v));
    let mean = |piece: &[Vec2]| piece.iter().sum::<Vec2>() / piece.len() as f64;
    slice(mesh, centre, normal)
        .into_iter()
        .map(|piece| piece.into_iter().map(flat).collect::<Vec<_>>())
        .min_by(|a, b| mean(a).length().total_cmp(&mean(b).length()))
        .map_or(0.0, hull_perimeter)
}

/// The pieces in which a plane cuts a closed mesh: points, not in order.
fn slice(mesh: &Triangulation, point: Vec3, normal: Vec3) -> Vec<Vec<Vec3>> {
    let side: Vec<f64> = mesh.positions.iter().map(|x| (*x - point).dot(normal)).collect();
    let crosses = |a: u32, b: u32| (side[a as usize] < 0.0) != (side[b as usize] < 0.0);
    let key = |a: u32, b: u32| (a.min(b), a.max(b));
    let mut segments = Vec::new();
    for &[a, b, c] in &mesh.triangles {
        let cut: Vec<_> = [(a, b), (b, c), (c, a)]
            .into_iter()
            .filter(|&(a, b)| crosses(a, b))
            .map(|(a, b)| key(a, b))
            .collect();
        if let [p, q] = cut[..] {
            segments.push((p, q));
        }
    }
    let mut edges: Vec<(u32, u32)> = segments.iter().flat_map(|s| [s.0, s.1]).collect();
    edges.sort_unstable();
    edges.dedup();
    let index = |e: &(u32, u32)| edges.binary_search(e).unwrap_or(0);
    let mut label: Vec<usize> = (0..edges.len()).collect();
    let root = |label: &[usize], mut i: usize| {
        while label[i] != i {
            i = label[i];
        }
        i
    };
    for (p, q) in &segments {
        let (a, b) = (root(&label, index(p)), root(&label, index(q)));
        label[a.max(b)] = a.min(b);
    }
    let mut pieces: Vec<Vec<Vec3>> = vec![Vec::new(); edges.len()];
    for (i, &(a, b)) in edges.iter().enumerate() {
        let (sa, sb) = (side[a as usize], side[b as usize]);
        let x = mesh.positions[a as usize].lerp(mesh.positions[b as usize], sa / (sa - sb));
        pieces[root(&label, i)].push(x);
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Perimeter of the convex hull of points in the plane.
fn hull_perimeter(mut points: Vec<Vec2>) -> f64 {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = Vec2>| {
        let mut chain: Vec<Vec2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(p - a) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.windows(2).map(|w| w[0].distance(w[1])).sum::<f64>()
    };
    half(&mut points.iter().copied()) + half(&mut points.iter().rev().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tape_around_a_square_with_a_dent_is_its_hull() {
        let points = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 0.4), (0.0, 1.0), (0.3, 0.0)];
        let points = points.map(|(x, y)| Vec2::new(x, y)).to_vec();
        assert!((hull_perimeter(points) - 4.0).abs() < 1e-15);
    }

    #[test]
    fn a_slice_of_two_boxes_has_two_pieces() {
        let cube = muslin::body::shape::cuboid(Vec3::ONE);
        let mut mesh =
            Triangulation { positions: cube.positions.clone(), triangles: cube.triangles.clone() };
        let n = cube.positions.len() as u32;
        mesh.positions.extend(cube.positions.iter().map(|x| *x + 3.0 * Vec3::X));
        mesh.triangles.extend(cube.triangles.iter().map(|t| t.map(|v| v + n)));
        let pieces = slice(&mesh, Vec3::Z * 0.1, Vec3::Z);
        assert_eq!(pieces.len(), 2);
    }
}
