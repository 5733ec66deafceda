//! Alembic (`.abc`): one file with all meshes, their motion, velocities, uv and materials by name, for
//! Blender, Maya and Houdini.
//!
//! The container is Ogawa (`ogawa`), the tree of objects and properties in it is `tree`, what the
//! properties of a mesh are is `mesh`. Every frame is asked for once and written as it comes.
//!
//! Alembic is y up by convention, and its faces run clockwise.

mod mesh;
mod ogawa;
mod tree;

use super::{
    WriteError, WriteProblem,
    animation::{AnimatedMesh, Clip, FrameSource},
    atomic,
};
use crate::polymesh::UpAxis;
use mesh::{MeshSamples, Names};
use ogawa::{Node, Ogawa};
use std::path::Path;
use tree::Object;

/// Version of the layout of objects and properties in an Ogawa file.
const LAYOUT_VERSION: i32 = 0;
/// Version of the library whose files these are like: 1.8.3.
const LIBRARY_VERSION: i32 = 10_803;

/// Writes the meshes; the source numbers them as `meshes` does. The file is y up, whatever the clip says.
pub fn write(
    path: &Path,
    clip: &Clip,
    meshes: &[AnimatedMesh],
    source: &mut impl FrameSource,
) -> Result<(), WriteError> {
    atomic::write(path, |writer| {
        let clip = Clip { up: UpAxis::Y, ..*clip };
        clip.check()?;
        Clip::count_i32("frames", clip.frame_count)?;
        let mut out = Ogawa::begin(writer)?;
        let mut samples =
            meshes.iter().map(MeshSamples::new).collect::<Result<Vec<_>, WriteProblem>>()?;
        // Frame after frame, so that a source which reads whole frames reads each of them once.
        for frame in 0..clip.frame_count {
            for (index, mesh) in meshes.iter().enumerate() {
                if frame == 0 || mesh.animated {
                    let fetched = clip.fetch(source, (index, mesh.mesh), frame)?;
                    samples[index].add(&mut out, &fetched, frame)?;
                }
            }
        }
        let mut names = Names::default();
        let mut objects = Vec::with_capacity(meshes.len());
        for (mesh, samples) in meshes.iter().zip(samples) {
            objects.push(samples.object(&mut out, mesh, &mut names)?);
        }
        let top =
            Object { name: String::new(), metadata: "", properties: vec![], children: objects };
        let root = archive(&mut out, &clip, &top)?;
        out.end(root)
    })
}

/// The archive: versions, the tree, and when samples were taken.
fn archive(out: &mut Ogawa, clip: &Clip, top: &Object) -> Result<Node, WriteProblem> {
    let layout = out.data(&[&LAYOUT_VERSION.to_le_bytes()])?;
    let library = out.data(&[&LIBRARY_VERSION.to_le_bytes()])?;
    let objects = top.write(out)?.node;
    let about = format!("FramesPerTimeUnit={};_ai_Application=Muslin", clip.fps);
    let about = out.data(&[about.as_bytes()])?;
    // Sampling 0 is there by convention, for what has no times; sampling 1 is the clip's.
    let times = [sampling(1, 1.0), sampling(clip.frame_count as u32, clip.fps.recip())].concat();
    let times = out.data(&[&times])?;
    let shared_metadata = Node::NO_DATA;
    out.group(&[layout, library, objects, about, times, shared_metadata])
}

/// A uniform sampling from time 0 on: how many samples there are at most, the seconds between them, and
/// one time to start from.
fn sampling(samples: u32, seconds: f64) -> Vec<u8> {
    let (times, start) = (1_u32, 0.0_f64);
    [
        &samples.to_le_bytes()[..],
        &seconds.to_le_bytes()[..],
        &times.to_le_bytes()[..],
        &start.to_le_bytes()[..],
    ]
    .concat()
}

#[cfg(test)]
mod tests;
