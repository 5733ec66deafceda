//! The scene `skirt-kick`: a skirt of 66 particles on a kicking figure (OS7, OS8).

use super::{
    Attachment, BodyPart, Garment, GarmentError, GarmentSettings, GarmentSpec, PartShape, Report,
};
use crate::math::{Quat, Vec2, Vec3, try_normalize};
use crate::mesh::{MeshError, TriMesh};
use crate::motion::Pose;
use std::f64::consts::{FRAC_PI_2, TAU};
use thiserror::Error;

/// Rings of the paper's skirt from waist to hem: 66 particles and 108 faces (OS7).
pub const PAPER_RINGS: [usize; 5] = [8, 12, 14, 16, 16];

/// Height of the waist \[m\].
const WAIST_HEIGHT: f64 = 1.03;

/// A flared skirt around z; its waist is at z = 0 and its hem below (OS7).
#[derive(Clone, Debug, PartialEq)]
pub struct SkirtShape {
    /// Particles of each ring, waist first.
    pub rings: Vec<usize>,
    /// Half axes of the waist, along x and along y \[m\].
    pub waist: [f64; 2],
    /// Half axes of the hem, along x and along y \[m\].
    pub hem: [f64; 2],
    /// Height from hem to waist \[m\].
    pub length: f64,
    /// 0 for straight sides; above, steep over the hips and flared below, at most 1 \[-\].
    pub flare: f64,
}

impl SkirtShape {
    /// A skirt of the paper's figure with these rings.
    pub fn with_rings(rings: &[usize]) -> Self {
        let (waist, hem) = ([0.165, 0.125], [0.33, 0.31]);
        Self { rings: rings.to_vec(), waist, hem, length: 0.47, flare: 0.3 }
    }

    /// Mesh and positions \[m\]. Neighbouring rings are joined by as many faces as both have
    /// particles; the rest shape is the start shape.
    pub fn build(&self) -> Result<(TriMesh, Vec<Vec3>), SkirtError> {
        let rings = &self.rings;
        if rings.len() < 2 || rings.iter().any(|n| !(3..=4096).contains(n)) {
            return Err(SkirtError::Rings { rings: rings.clone() });
        }
        let mut positions = Vec::new();
        for (r, &count) in rings.iter().enumerate() {
            let s = r as f64 / (rings.len() - 1) as f64;
            let wide = s * (1.0 + self.flare - self.flare * s);
            let axes = [0, 1].map(|k| self.waist[k] + (self.hem[k] - self.waist[k]) * wide);
            for i in 0..count {
                let (sin, cos) = (TAU * i as f64 / count as f64).sin_cos();
                positions.push(Vec3::new(axes[0] * cos, axes[1] * sin, -self.length * s));
            }
        }
        let mut triangles = Vec::new();
        let mut first = 0;
        for pair in rings.windows(2) {
            join([first, first + pair[0]], [pair[0], pair[1]], &mut triangles);
            first += pair[0];
        }
        let rest = |t: &[u32; 3]| flat(t.map(|v| positions[v as usize]));
        let uv = triangles.iter().map(rest).collect();
        Ok((TriMesh::new(positions.len(), triangles, uv)?, positions))
    }
}

/// Distance of the hips from the middle, their height, and lengths of thigh and shin \[m\].
const HIP: [f64; 2] = [0.085, 0.93];
const THIGH: f64 = 0.42;
const SHIN: f64 = 0.40;
/// Seconds from kick to kick.
const PERIOD: f64 = 2.0;

/// Why the scene cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SkirtError {
    /// A skirt needs at least two rings of three particles.
    #[error("a skirt needs at least two rings, each of 3 to 4096 particles; these are {rings:?}")]
    Rings {
        /// What was asked for.
        rings: Vec<usize>,
    },
    /// The mesh is wrong.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The garment cannot be made.
    #[error(transparent)]
    Garment(#[from] GarmentError),
}

/// The skirt, the figure and the time.
#[derive(Clone, Debug)]
pub struct SkirtKick {
    /// The skirt.
    pub garment: Garment,
    /// Pelvis, left thigh, left shin, right thigh, right shin.
    pub body: Vec<BodyPart>,
    /// Time \[s\]; kicks begin at 0, before that the figure stands.
    pub time: f64,
}

impl SkirtKick {
    /// The paper's skirt.
    pub fn new(settings: GarmentSettings) -> Result<Self, SkirtError> {
        Self::with_rings(&PAPER_RINGS, settings)
    }

    /// A skirt of other rings on the same figure.
    pub fn with_rings(rings: &[usize], settings: GarmentSettings) -> Result<Self, SkirtError> {
        let (mesh, positions) = skirt(rings)?;
        let time = -PERIOD;
        let body = figure(time);
        let to_pelvis = body[0].pose.inverse();
        let attachments: Vec<Attachment> = (0..rings[0])
            .map(|i| Attachment {
                particle: i as u32,
                part: 0,
                offset: to_pelvis.apply(positions[i]),
            })
            .collect();
        let spec = GarmentSpec {
            attachments: &attachments,
            settings,
            ..GarmentSpec::new(&mesh, &positions)
        };
        Ok(Self { garment: Garment::new(&spec)?, body, time })
    }

    /// Advances by a frame of `dt` \[s\].
    pub fn frame(&mut self, dt: f64) -> Result<&Report, GarmentError> {
        self.time += dt;
        let poses = poses(self.time);
        for (part, pose) in self.body.iter_mut().zip(poses) {
            part.move_to(pose, dt);
        }
        self.garment.update(dt, &self.body)
    }
}

/// The figure at time `t` \[s\], not moving.
pub fn figure(t: f64) -> Vec<BodyPart> {
    let capsule = |radius: f64, half_length: f64| PartShape::Capsule { radius, half_length };
    let shapes = [
        capsule(0.105, 0.05),
        capsule(0.075, 0.5 * THIGH),
        capsule(0.05, 0.5 * SHIN),
        capsule(0.075, 0.5 * THIGH),
        capsule(0.05, 0.5 * SHIN),
    ];
    shapes.into_iter().zip(poses(t)).map(|(shape, pose)| BodyPart::still(shape, pose)).collect()
}

/// Pelvis, left leg, right leg; the right one kicks towards +y.
fn poses(t: f64) -> [Pose; 5] {
    let pelvis =
        Pose { rotation: Quat::from_rotation_y(FRAC_PI_2), translation: Vec3::Z * (HIP[1] + 0.03) };
    let [lt, ls] = leg(-HIP[0], 0.0, 0.0);
    let (hip, knee) = kick(t);
    let [rt, rs] = leg(HIP[0], hip, knee);
    [pelvis, lt, ls, rt, rs]
}

/// Thigh and shin of a leg swung forward by `hip` and bent back by `knee` \[rad\].
fn leg(side: f64, hip: f64, knee: f64) -> [Pose; 2] {
    let down = |angle: f64| Vec3::new(0.0, angle.sin(), -angle.cos());
    let top = Vec3::new(side, 0.0, HIP[1]);
    let bend = top + down(hip) * THIGH;
    let pose = |start: Vec3, angle: f64, length: f64| Pose {
        rotation: Quat::from_rotation_x(angle),
        translation: start + down(angle) * (0.5 * length),
    };
    [pose(top, hip, THIGH), pose(bend, hip - knee, SHIN)]
}

/// Angles of hip and knee \[rad\] at time `t` \[s\]: stand, swing back, kick, hold, return.
fn kick(t: f64) -> (f64, f64) {
    const KEYS: [(f64, f64, f64); 7] = [
        (0.0, 0.0, 0.0),
        (0.2, 0.0, 0.0),
        (0.5, -25.0, 50.0),
        (0.9, 95.0, 10.0),
        (1.05, 95.0, 10.0),
        (1.6, 0.0, 0.0),
        (PERIOD, 0.0, 0.0),
    ];
    let t = if t < 0.0 { 0.0 } else { t % PERIOD };
    let k = KEYS.iter().rposition(|key| key.0 <= t).unwrap_or(0).min(KEYS.len() - 2);
    let (a, b) = (KEYS[k], KEYS[k + 1]);
    let s = (t - a.0) / (b.0 - a.0);
    let s = s * s * (3.0 - 2.0 * s);
    ((a.1 + (b.1 - a.1) * s).to_radians(), (a.2 + (b.2 - a.2) * s).to_radians())
}

/// The skirt of these rings where the figure wears it.
pub fn skirt(rings: &[usize]) -> Result<(TriMesh, Vec<Vec3>), SkirtError> {
    let (mesh, mut positions) = SkirtShape::with_rings(rings).build()?;
    for x in &mut positions {
        x.z += WAIST_HEIGHT;
    }
    Ok((mesh, positions))
}

/// Faces between two rings, wound such that their front is outside.
fn join(first: [usize; 2], counts: [usize; 2], triangles: &mut Vec<[u32; 3]>) {
    let [upper, lower] = counts;
    let (mut i, mut j) = (0, 0);
    while i < upper || j < lower {
        let above = |i: usize| (first[0] + i % upper) as u32;
        let below = |j: usize| (first[1] + j % lower) as u32;
        // Whichever ring lags behind goes on.
        if j < lower && (i == upper || (2 * j + 1) * upper <= (2 * i + 1) * lower) {
            triangles.push([above(i), below(j), below(j + 1)]);
            j += 1;
        } else {
            triangles.push([above(i), below(j), above(i + 1)]);
            i += 1;
        }
    }
}

/// A triangle laid flat without stretch: u around the skirt, v upwards, both \[m\].
fn flat(p: [Vec3; 3]) -> [Vec2; 3] {
    let middle = (p[0] + p[1] + p[2]) / 3.0;
    let around = try_normalize(Vec3::Z.cross(middle)).unwrap_or(Vec3::X);
    let normal = try_normalize((p[1] - p[0]).cross(p[2] - p[0])).unwrap_or(Vec3::Z);
    let along = try_normalize(around - normal * around.dot(normal)).unwrap_or(Vec3::X);
    let up = normal.cross(along);
    let radius = middle.truncate().length();
    let place = Vec2::new(middle.y.atan2(middle.x) * radius, middle.z);
    p.map(|p| place + Vec2::new((p - middle).dot(along), (p - middle).dot(up)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn os7_the_paper_skirt_has_66_particles_and_108_faces() {
        let (mesh, positions) = skirt(&PAPER_RINGS).unwrap();
        assert_eq!((positions.len(), mesh.triangles().len()), (66, 108));
        // An open tube: waist and hem are its only borders.
        let border = mesh.topology().edges().len() - mesh.topology().hinges().len();
        assert_eq!(border, 8 + 16);
        for (e, edge) in mesh.topology().edges().iter().enumerate() {
            let [a, b] = edge.vertices.map(|v| positions[v as usize]);
            assert!((mesh.rest_length(e) - a.distance(b)).abs() < 1e-12);
        }
        // Fronts are outside.
        for t in mesh.triangles() {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            let middle = (a + b + c) / 3.0;
            assert!((b - a).cross(c - a).dot(middle - Vec3::Z * middle.z) > 0.0);
        }
    }

    #[test]
    fn bad_rings_are_refused() {
        for rings in [vec![], vec![8], vec![8, 2], vec![8, 5000]] {
            assert_eq!(skirt(&rings).unwrap_err(), SkirtError::Rings { rings });
        }
    }

    /// The kick is continuous, and legs keep their lengths.
    #[test]
    fn the_figure_moves_smoothly() {
        let mut last = poses(-0.1);
        for i in 0..420 {
            let next = poses(-0.1 + f64::from(i) * 0.01);
            for (a, b) in last.iter().zip(&next) {
                assert!(a.translation.distance(b.translation) < 0.12);
            }
            let hip = Vec3::new(HIP[0], 0.0, HIP[1]);
            assert!((next[3].translation.distance(hip) - 0.5 * THIGH).abs() < 1e-12);
            last = next;
        }
    }
}
