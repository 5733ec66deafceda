//! USD in its text form: one file with all meshes, their motion, velocities, normals and
//! materials, for Blender, Houdini and Omniverse.
//!
//! Time samples are kept quantity after quantity, so the frames are asked for three times:
//! for points, for velocities and for normals. One frame is in memory at a time.

mod cursor;
mod layer;
mod materials;
mod mesh_prim;
mod read;
mod text;
mod transform;

pub use read::Stage;

use super::{
    WriteError, WriteProblem,
    animation::{AnimatedMesh, Clip, Frame, FrameSource},
    atomic,
};
use crate::polymesh::{PolyMesh, UpAxis};
use materials::Materials;
use muslin::math::Vec3;
use std::{io::Write, path::Path};
use text::{PrimNames, quoted, write_list, write_vectors};

/// The prim that holds everything.
const ROOT: &str = "muslin";

/// Writes the meshes; the source numbers them as `meshes` does.
pub fn write(
    path: &Path,
    clip: &Clip,
    meshes: &[AnimatedMesh],
    source: &mut impl FrameSource,
) -> Result<(), WriteError> {
    atomic::write(path, |out| {
        clip.check()?;
        meshes.iter().try_for_each(check_constants)?;
        write_layer_header(out, clip)?;
        writeln!(out, "def Xform \"{ROOT}\" (\n    kind = \"component\"\n)\n{{")?;
        let mut names = PrimNames::default();
        let materials = Materials::new(meshes, &mut names);
        materials.write(out)?;
        for (index, animated) in meshes.iter().enumerate() {
            let name = names.unique(animated.name, "mesh");
            let mut mesh =
                MeshWriter { out: &mut *out, clip, animated, index, source: &mut *source };
            mesh.write(&name, &materials)?;
        }
        writeln!(out, "}}")?;
        Ok(())
    })
}

/// Refuses uv and colours that the file could not say; frames are checked as they come.
fn check_constants(animated: &AnimatedMesh) -> Result<(), WriteProblem> {
    let uv = animated.mesh.uv.iter().flat_map(|uv| &uv.values);
    let uv_finite = uv.into_iter().all(|uv| uv.as_vec2().is_finite());
    let color = animated.color.iter().flatten();
    if uv_finite && color.map(|&channel| channel as f32).all(f32::is_finite) {
        return Ok(());
    }
    let name = animated.name;
    let problem = format!("a uv or the colour of `{name}` is not a finite 32-bit number");
    Err(WriteProblem::Invalid(problem))
}

fn write_layer_header(out: &mut impl Write, clip: &Clip) -> Result<(), WriteProblem> {
    let up = match clip.up {
        UpAxis::Y => "Y",
        UpAxis::Z => "Z",
    };
    let Clip { fps, frame_count, .. } = clip;
    let end = frame_count - 1;
    writeln!(
        out,
        "#usda 1.0\n(\n    defaultPrim = \"{ROOT}\"\n    endTimeCode = {end}\n    \
         framesPerSecond = {fps}\n    metersPerUnit = 1\n    startTimeCode = 0\n    \
         timeCodesPerSecond = {fps}\n    upAxis = \"{up}\"\n)\n"
    )?;
    Ok(())
}

struct MeshWriter<'a, W, S> {
    out: &'a mut W,
    clip: &'a Clip,
    animated: &'a AnimatedMesh<'a>,
    /// The number the source knows the mesh by.
    index: usize,
    source: &'a mut S,
}

impl<W: Write, S: FrameSource> MeshWriter<'_, W, S> {
    fn write(&mut self, name: &str, materials: &Materials) -> Result<(), WriteProblem> {
        let mesh = self.animated.mesh;
        let schemas = if mesh.materials.is_empty() {
            String::new()
        } else {
            "    prepend apiSchemas = [\"MaterialBindingAPI\"]\n    ".into()
        };
        let shown = quoted(self.animated.name);
        writeln!(
            self.out,
            "    def Mesh \"{name}\" (\n    {schemas}    displayName = {shown}\n    )"
        )?;
        writeln!(self.out, "    {{")?;
        writeln!(self.out, "        uniform bool doubleSided = 1")?;
        writeln!(self.out, "        uniform token subdivisionScheme = \"none\"")?;
        self.write_faces(mesh)?;
        self.write_color()?;
        self.write_motion()?;
        materials.write_subsets(self.out, mesh)?;
        writeln!(self.out, "    }}")?;
        Ok(())
    }

    fn write_faces(&mut self, mesh: &PolyMesh) -> Result<(), WriteProblem> {
        write!(self.out, "        int[] faceVertexCounts = ")?;
        write_list(self.out, mesh.faces().map(<[u32]>::len))?;
        write!(self.out, "        int[] faceVertexIndices = ")?;
        write_list(self.out, mesh.face_vertices.iter())?;
        let Some(uv) = &mesh.uv else { return Ok(()) };
        // Corners without uv point at one more value, (0, 0).
        let origin = uv.corners.contains(&None).then_some((0.0, 0.0));
        let values = uv.values.iter().map(|uv| (uv.x as f32, uv.y as f32));
        write!(self.out, "        texCoord2f[] primvars:st = [")?;
        let mut separator = "";
        for (u, v) in values.chain(origin) {
            write!(self.out, "{separator}({u:?}, {v:?})")?;
            separator = ", ";
        }
        writeln!(self.out, "] (\n            interpolation = \"faceVarying\"\n        )")?;
        write!(self.out, "        int[] primvars:st:indices = ")?;
        let missing = uv.values.len() as u32;
        write_list(self.out, uv.corners.iter().map(|corner| corner.unwrap_or(missing)))
    }

    fn write_color(&mut self) -> Result<(), WriteProblem> {
        if let Some([r, g, b]) = self.animated.color.map(|color| color.map(|c| c as f32)) {
            writeln!(
                self.out,
                "        color3f[] primvars:displayColor = [({r:?}, {g:?}, {b:?})] (\n            \
                 interpolation = \"constant\"\n        )"
            )?;
        }
        Ok(())
    }

    fn fetch(&mut self, frame: usize) -> Result<Frame, WriteProblem> {
        self.clip.fetch(self.source, (self.index, self.animated.mesh), frame)
    }

    fn write_motion(&mut self) -> Result<(), WriteProblem> {
        let mut extents = Vec::new();
        let mut has_velocities = false;
        self.write_samples("point3f[] points", |frame, index| {
            if index == 0 {
                has_velocities = frame.velocities.is_some();
            }
            extents.push(extent(&frame.positions));
            Ok(frame.positions)
        })?;
        let mut extents = extents.into_iter();
        let frames = if self.animated.animated { self.clip.frame_count } else { 1 };
        self.write_values("float3[] extent", frames, |_, _| {
            Ok(extents.next().unwrap_or_default())
        })?;
        if has_velocities && self.animated.animated {
            self.write_samples("vector3f[] velocities", |frame, index| {
                let reason = "the first frame has them: give them in all frames or in none";
                frame.velocities.ok_or(WriteProblem::NoVelocities { frame: index, reason })
            })?;
        }
        let mesh = self.animated.mesh;
        self.write_samples("normal3f[] normals", |frame, _| {
            Ok(mesh.vertex_normals(&frame.positions))
        })?;
        writeln!(
            self.out,
            "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )"
        )?;
        Ok(())
    }

    /// One vector per vertex and frame, computed from the frame.
    fn write_samples(
        &mut self,
        attribute: &str,
        mut values: impl FnMut(Frame, usize) -> Result<Vec<Vec3>, WriteProblem>,
    ) -> Result<(), WriteProblem> {
        let frames = if self.animated.animated { self.clip.frame_count } else { 1 };
        self.write_values(attribute, frames, |writer, index| values(writer.fetch(index)?, index))
    }

    /// An attribute: time samples where the mesh moves, a single value where it does not.
    fn write_values(
        &mut self,
        attribute: &str,
        frames: usize,
        mut values: impl FnMut(&mut Self, usize) -> Result<Vec<Vec3>, WriteProblem>,
    ) -> Result<(), WriteProblem> {
        if !self.animated.animated {
            let list = values(self, 0)?;
            write!(self.out, "        {attribute} = ")?;
            write_vectors(self.out, &list)?;
            writeln!(self.out)?;
            return Ok(());
        }
        writeln!(self.out, "        {attribute}.timeSamples = {{")?;
        for index in 0..frames {
            let list = values(self, index)?;
            write!(self.out, "            {index}: ")?;
            write_vectors(self.out, &list)?;
            writeln!(self.out, ",")?;
        }
        writeln!(self.out, "        }}")?;
        Ok(())
    }
}

/// The corners of the box around the points, as the file holds them.
fn extent(positions: &[Vec3]) -> Vec<Vec3> {
    let Some(&first) = positions.first() else {
        return vec![Vec3::ZERO; 2];
    };
    let (low, high) = positions.iter().fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
    vec![low, high]
}

#[cfg(test)]
mod tests;
