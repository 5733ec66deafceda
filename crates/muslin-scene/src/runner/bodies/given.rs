//! Bodies whose motion a program gives.

use super::{BuiltBody, check_mesh, moving, rigid_motion};
use crate::runner::RunError;
use crate::spec::{self, MeshFile, SceneSpec};
use muslin::body::BodyMotion;
use muslin::math::Vec3;
use std::sync::Arc;

/// The body, where a program gives its mesh and says how it deforms; its motion in the scene comes on
/// top.
pub fn moving(
    spec: &spec::Body,
    file: &MeshFile,
    scene: &SceneSpec,
    place: &str,
) -> Result<Option<BuiltBody>, RunError> {
    let Some(given) = scene.given.mesh(&file.file) else { return Ok(None) };
    let Some(deform) = given.deform.clone() else { return Ok(None) };
    check_mesh(&given.mesh, &file.file, spec, place)?;
    let (scale, motion) = (spec.scale, rigid_motion(spec, scene));
    let placed = move |t: f64, out: &mut [Vec3]| {
        deform(t, out);
        let pose = motion.pose(t);
        for x in out.iter_mut() {
            *x = pose.apply(*x * scale);
        }
    };
    let body = moving::body(spec, &given.mesh, BodyMotion::Deforming(Arc::new(placed)));
    Ok(Some(BuiltBody {
        body,
        source: Some(given.mesh.clone()),
        motion: None,
        bones: Vec::new(),
        playback: None,
    }))
}
