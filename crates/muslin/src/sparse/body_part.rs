//! Bodies as rigid parts, one per bone: exact shapes, or meshes with a tree and a field built once.

use super::part_mesh::PartMesh;
use crate::collide::aabb::Aabb;
use crate::math::{Mat3, Quat, Vec3, try_normalize};
use crate::motion::Pose;
use std::sync::Arc;

/// How far a half space reaches, for boxes around it \[m\].
const FAR: f64 = 1e6;

/// Shape of a part in its own frame.
#[derive(Clone, Debug)]
pub enum PartShape {
    /// A ball around the origin.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// A segment of z from `−half_length` to `half_length`, and everything within `radius` of it.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Half the distance between the centres of the caps \[m\].
        half_length: f64,
    },
    /// A box around the origin.
    Box {
        /// Half the sides \[m\].
        half_size: Vec3,
    },
    /// Everything below z = 0: floors and walls.
    HalfSpace,
    /// Nothing: a frame to attach particles to.
    Handle,
    /// A closed mesh.
    Mesh(Arc<PartMesh>),
}

/// A part of a body at the end of a frame.
#[derive(Clone, Debug)]
pub struct BodyPart {
    /// Shape.
    pub shape: PartShape,
    /// Placement at the end of the frame.
    pub pose: Pose,
    /// Velocity of the part's origin \[m/s\].
    pub velocity: Vec3,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: Vec3,
}

impl BodyPart {
    /// A part that stays where it is.
    pub fn still(shape: PartShape, pose: Pose) -> Self {
        Self { shape, pose, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
    }

    /// Moves the part to `pose` within `dt` \[s\] and sets its velocities accordingly.
    pub fn move_to(&mut self, pose: Pose, dt: f64) {
        let turn = pose.rotation * self.pose.rotation.conjugate();
        // The short way round: q and −q are the same rotation.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        self.angular_velocity = turn.to_scaled_axis() / dt;
        self.velocity = (pose.translation - self.pose.translation) / dt;
        self.pose = pose;
    }

    /// Where the part was `before` \[s\] earlier.
    pub(super) fn placed(&self, before: f64) -> Placed {
        let turn = Quat::from_scaled_axis(self.angular_velocity * -before);
        let rotation = Mat3::from_quat(turn * self.pose.rotation);
        let centre = self.pose.translation - self.velocity * before;
        let extent = self.shape.extent();
        let half = rotation.abs() * extent.1;
        let middle = centre + rotation * extent.0;
        Placed {
            rotation,
            inverse: rotation.transpose(),
            centre,
            bounds: Aabb { min: middle - half, max: middle + half },
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
        }
    }

    /// Upper bound of the speed of any point of the part \[m/s\].
    pub(super) fn top_speed(&self) -> f64 {
        let (middle, half) = self.shape.extent();
        // Speed is convex, so it is greatest at a corner of the box.
        let corner = |i: u32| {
            let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let at = middle + half * Vec3::new(sign(0), sign(1), sign(2));
            self.velocity + self.angular_velocity.cross(self.pose.rotation * at)
        };
        (0..8).map(|i| corner(i).length_squared()).fold(0.0, f64::max).sqrt()
    }

    /// Whether all numbers make sense.
    pub(super) fn is_valid(&self) -> bool {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let shape = match &self.shape {
            PartShape::Sphere { radius } => positive(*radius),
            PartShape::Capsule { radius, half_length } => {
                positive(*radius) && *half_length >= 0.0 && half_length.is_finite()
            }
            PartShape::Box { half_size } => half_size.is_finite() && half_size.min_element() > 0.0,
            PartShape::HalfSpace | PartShape::Handle | PartShape::Mesh(_) => true,
        };
        let rotation = self.pose.rotation;
        shape
            && rotation.is_finite()
            && (rotation.length_squared() - 1.0).abs() < 1e-6
            && self.pose.translation.is_finite()
            && self.velocity.is_finite()
            && self.angular_velocity.is_finite()
    }
}

impl PartShape {
    /// Signed distance \[m\], negative inside, and the outward unit normal at a point in the part's
    /// frame. Beyond `reach` \[m\] the distance of a mesh is only a lower bound.
    #[inline]
    pub fn distance(&self, p: Vec3, reach: f64) -> (f64, Vec3) {
        match self {
            Self::Sphere { radius } => from_point(p, *radius),
            Self::Capsule { radius, half_length } => {
                from_point(p - Vec3::Z * p.z.clamp(-half_length, *half_length), *radius)
            }
            Self::Box { half_size } => from_box(p, *half_size),
            Self::HalfSpace => (p.z, Vec3::Z),
            Self::Handle => (f64::INFINITY, Vec3::Z),
            Self::Mesh(mesh) => mesh.distance(p, reach),
        }
    }

    /// Cheap signed distance \[m\]: for a mesh, its field.
    pub(super) fn quick_distance(&self, p: Vec3) -> f64 {
        match self {
            Self::Mesh(mesh) => mesh.field_distance(p),
            _ => self.distance(p, 0.0).0,
        }
    }

    /// Whether the distance lies above its tangent planes: exactly, or but for shallow hollows of limbs.
    pub(super) fn is_convex(&self) -> bool {
        if let Self::Mesh(mesh) = self { mesh.is_rounded() } else { true }
    }

    /// Most that [`PartShape::quick_distance`] exceeds the distance \[m\].
    pub(super) fn quick_error(&self) -> f64 {
        if let Self::Mesh(mesh) = self { mesh.field_error() } else { 0.0 }
    }

    /// Middle and half size of the bounding box in the part's frame \[m\].
    fn extent(&self) -> (Vec3, Vec3) {
        match self {
            Self::Sphere { radius } => (Vec3::ZERO, Vec3::splat(*radius)),
            Self::Capsule { radius, half_length } => {
                (Vec3::ZERO, Vec3::new(*radius, *radius, radius + half_length))
            }
            Self::Box { half_size } => (Vec3::ZERO, *half_size),
            Self::HalfSpace => (Vec3::NEG_Z * FAR, Vec3::splat(FAR)),
            Self::Handle => (Vec3::ZERO, Vec3::ZERO),
            Self::Mesh(mesh) => {
                let Aabb { min, max } = mesh.bounds();
                ((min + max) * 0.5, (max - min) * 0.5)
            }
        }
    }

    /// Least radius of curvature of a ridge \[m\]; 0 for sharp edges.
    pub(super) fn roundness(&self) -> f64 {
        match self {
            Self::Sphere { radius } | Self::Capsule { radius, .. } => *radius,
            Self::HalfSpace | Self::Handle => f64::INFINITY,
            Self::Box { .. } => 0.0,
            Self::Mesh(mesh) => mesh.roundness(),
        }
    }

    /// Half the least thickness \[m\]: motion by more than this may end beyond the middle.
    pub(super) fn half_thickness(&self) -> f64 {
        match self {
            Self::Sphere { radius } | Self::Capsule { radius, .. } => *radius,
            Self::Box { half_size } => half_size.min_element(),
            Self::HalfSpace | Self::Handle => f64::INFINITY,
            Self::Mesh(_) => 0.5 * self.extent().1.min_element(),
        }
    }
}

fn from_point(offset: Vec3, radius: f64) -> (f64, Vec3) {
    let length = offset.length();
    let normal = if length > 0.0 { offset / length } else { Vec3::X };
    (length - radius, normal)
}

fn from_box(p: Vec3, half_size: Vec3) -> (f64, Vec3) {
    let q = p.abs() - half_size;
    if let Some(outward) = try_normalize(q.max(Vec3::ZERO)) {
        return (q.max(Vec3::ZERO).length(), outward * p.signum());
    }
    let axis = (0..3).max_by(|&a, &b| q[a].total_cmp(&q[b])).unwrap_or(0);
    (q[axis], Vec3::AXES[axis] * p[axis].signum())
}

/// A part at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// World from part.
    pub rotation: Mat3,
    /// Part from world.
    pub inverse: Mat3,
    /// Origin of the part \[m\].
    pub centre: Vec3,
    /// Box around it in the world.
    pub bounds: Aabb,
    velocity: Vec3,
    angular_velocity: Vec3,
}

impl Placed {
    #[inline]
    pub fn local(&self, x: Vec3) -> Vec3 {
        self.inverse * (x - self.centre)
    }

    #[inline]
    pub fn world(&self, x: Vec3) -> Vec3 {
        self.rotation * x + self.centre
    }

    /// Velocity of the part at a point of the world \[m/s\].
    #[inline]
    pub fn velocity_at(&self, x: Vec3) -> Vec3 {
        self.velocity + self.angular_velocity.cross(x - self.centre)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances by hand, and gradients of length one by central differences.
    #[test]
    fn distances_of_simple_shapes() {
        let ball = PartShape::Sphere { radius: 0.5 };
        assert_eq!(ball.distance(Vec3::X * 2.0, 0.0), (1.5, Vec3::X));
        let capsule = PartShape::Capsule { radius: 0.1, half_length: 1.0 };
        assert_eq!(capsule.distance(Vec3::new(0.3, 0.0, 0.7), 0.0).0, 0.3 - 0.1);
        assert_eq!(capsule.distance(Vec3::Z * 1.5, 0.0), (0.4, Vec3::Z));
        let cuboid = PartShape::Box { half_size: Vec3::new(1.0, 2.0, 3.0) };
        assert_eq!(cuboid.distance(Vec3::new(1.5, 0.0, 0.0), 0.0), (0.5, Vec3::X));
        assert_eq!(cuboid.distance(Vec3::new(4.0, -6.0, 0.0), 0.0).0, 5.0);
        let (distance, normal) = cuboid.distance(Vec3::new(0.1, -1.8, 0.0), 0.0);
        assert!((distance + 0.2).abs() < 1e-15 && normal == -Vec3::Y);
        for shape in [ball, capsule, cuboid] {
            for p in [Vec3::new(1.3, -2.5, 0.4), Vec3::new(0.03, 0.04, 0.2)] {
                let (_, n) = shape.distance(p, 0.0);
                let slope = |d: Vec3| {
                    let at = |s: f64| shape.distance(p + d * s, 0.0).0;
                    (at(1e-6) - at(-1e-6)) / 2e-6
                };
                let gradient = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z));
                assert!(gradient.distance(n) < 1e-6, "{shape:?} {p}: {gradient} {n}");
            }
        }
    }

    /// Going back by a whole frame from the end pose gives the start pose.
    #[test]
    fn parts_move_from_pose_to_pose() {
        let start = Pose { rotation: Quat::from_rotation_x(0.3), translation: Vec3::X };
        let end = Pose { rotation: Quat::from_rotation_y(1.1), translation: Vec3::Y * 2.0 };
        let mut part = BodyPart::still(PartShape::Sphere { radius: 0.1 }, start);
        let dt = 0.04;
        part.move_to(end, dt);
        let (first, last) = (part.placed(dt), part.placed(0.0));
        let p = Vec3::new(0.2, -0.1, 0.5);
        assert!(first.world(p).distance(start.apply(p)) < 1e-14);
        assert!(last.world(p).distance(end.apply(p)) < 1e-14);
        assert!(last.local(last.world(p)).distance(p) < 1e-14);
        // Velocity against a finite difference.
        let h = 1e-6;
        let numeric = (last.world(p) - part.placed(h).world(p)) / h;
        assert!(numeric.distance(last.velocity_at(last.world(p))) < 1e-2);
    }
}
