//! Bodies that bend and twist between two heights: deforming bodies without a file (MF6).

use super::{BuiltBody, friction, rigid_motion};
use crate::keyframes::rotation;
use crate::spec::{self, Flex, SceneSpec};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape};
use muslin::math::Vec3;
use std::sync::Arc;

/// A body of this shape that flexes, and moves as a whole besides.
pub(super) fn build(
    spec: &spec::Body,
    flex: &Flex,
    mesh: BodyMesh,
    scene: &SceneSpec,
) -> BuiltBody {
    let (rest, up) = (mesh.positions.clone(), scene.up.vector());
    let (flex, motion) = (flex.clone(), rigid_motion(spec, scene));
    let deform = move |t: f64, out: &mut [Vec3]| {
        let (turn, pose) = (flex.rotation.at(t), motion.pose(t));
        for (out, x) in out.iter_mut().zip(&rest) {
            *out = pose.apply(bent(*x, flex.between, turn, up));
        }
    };
    let mut start = mesh;
    deform(0.0, &mut start.positions);
    let body = Body {
        shape: Shape::Mesh,
        mesh: start,
        motion: BodyMotion::Deforming(Arc::new(deform)),
        friction: friction(spec),
    };
    BuiltBody { body, source: None, motion: None, bones: Vec::new(), playback: None }
}

/// A point turned by its share of the angles, about the middle of the axis between both heights: none below,
/// all above, and in between as `3s² − 2s³`, so that the surface stays smooth.
fn bent(x: Vec3, [low, high]: [f64; 2], degrees: Vec3, up: Vec3) -> Vec3 {
    let s = ((up.dot(x) - low) / (high - low)).clamp(0.0, 1.0);
    let pivot = up * (0.5 * (low + high));
    pivot + rotation(degrees * (s * s * (3.0 - 2.0 * s))) * (x - pivot)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Below nothing moves, above all turns, half-way up half of it: a twist about the axis keeps the radius.
    #[test]
    fn mf6_the_upper_part_turns() {
        let at = |x, degrees| bent(x, [0.1, 0.3], degrees, Vec3::Z);
        let low = Vec3::new(0.1, 0.02, 0.05);
        // To the rounding of going to the pivot and back.
        assert!(at(low, Vec3::new(10.0, 20.0, 90.0)).distance(low) < 1e-15);
        let high = at(Vec3::new(0.1, 0.0, 0.4), Vec3::Z * 90.0);
        assert!(high.distance(Vec3::new(0.0, 0.1, 0.4)) < 1e-15);
        let middle = at(Vec3::new(0.1, 0.0, 0.2), Vec3::Z * 90.0);
        let half = std::f64::consts::FRAC_PI_4;
        assert!(middle.distance(Vec3::new(0.1 * half.cos(), 0.1 * half.sin(), 0.2)) < 1e-15);
        // Bent by a right angle about y, what was above the pivot is beside it.
        let over = at(Vec3::new(0.0, 0.0, 0.5), Vec3::Y * 90.0);
        assert!(over.distance(Vec3::new(0.3, 0.0, 0.2)) < 1e-15);
    }
}
