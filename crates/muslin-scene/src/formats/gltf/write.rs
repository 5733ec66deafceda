//! glTF out: one `.glb` with all meshes, the motion as a morph target for every frame.
//!
//! Targets are quantised (`KHR_mesh_quantization`): 16-bit offsets of positions and 8-bit normals, 12 bytes
//! a vertex and frame. A position is off by at most half a step: `max(d, 1) / 65534` metres, where `d` is the
//! largest distance along an axis that a vertex is from frame 0, so 0.015 mm for motions below 1 m.
//!
//! Weights are 0 or 1: programs with a slider for them (Blender) cut off what is larger. So a mesh that moves
//! farther than 1 m is written smaller and its node enlarges it again. And because the difference of two normals
//! can be larger than 1, one more target takes the normals of frame 0 away whenever another frame
//! is shown, whose target then holds its normals themselves.
//!
//! Frames are fetched twice, to find the largest motion and to be written: one is in memory at a time.

mod json;
mod surface;

use crate::{
    formats::{
        WriteError, WriteProblem,
        animation::{AnimatedMesh, Clip, Frame, FrameSource},
        atomic::{self, Writer},
    },
    polymesh::UpAxis,
};
use json::{Sections, document};
use muslin::math::Vec3;
use std::{
    io::{Seek, SeekFrom, Write},
    path::Path,
};
use surface::Surface;

/// Bytes of one vertex in one target: three 16-bit numbers, two of padding, three 8-bit ones, one of
/// padding.
const TARGET_BYTES: usize = 12;
/// Header of the file and of its first chunk.
const JSON_AT: u64 = 20;
/// Header of a chunk.
const CHUNK_HEADER: u64 = 8;

/// Writes the meshes; the source numbers them as `meshes` does. glTF is y up, whatever the clip says.
pub fn write(
    path: &Path,
    clip: &Clip,
    meshes: &[AnimatedMesh],
    source: &mut impl FrameSource,
) -> Result<(), WriteError> {
    atomic::write(path, |out| {
        let clip = Clip { up: UpAxis::Y, ..*clip };
        clip.check()?;
        let mut surfaces = Vec::with_capacity(meshes.len());
        for (index, animated) in meshes.iter().enumerate() {
            let first = clip.fetch(source, (index, animated.mesh), 0)?;
            let scale = scale(&clip, source, (index, animated), &first.positions)?;
            surfaces.push(Surface::new(animated, &first.positions, clip.frame_count, scale)?);
        }
        let sections = Sections::new(&surfaces, clip.frame_count);
        let end = (clip.frame_count - 1) as f64 / clip.fps;
        // With the widest numbers, so that the real ones fit.
        let room = document(&surfaces, &sections, end).len().next_multiple_of(4);
        let binary_at = JSON_AT + room as u64 + CHUNK_HEADER;
        check_size(binary_at + sections.total as u64)?;
        for (surface, section) in surfaces.iter().zip(&sections.meshes) {
            out.seek(SeekFrom::Start(binary_at + section.start as u64))?;
            surface.write_constants(out)?;
        }
        for frame in 1..clip.frame_count {
            for (index, surface) in surfaces.iter_mut().enumerate() {
                if surface.targets.is_empty() {
                    continue;
                }
                let fetched = clip.fetch(source, (index, meshes[index].mesh), frame)?;
                let at = sections.meshes[index].target(frame - 1, surface.vertices());
                out.seek(SeekFrom::Start(binary_at + at as u64))?;
                write_target(out, surface, meshes[index].mesh, &fetched, frame - 1)?;
            }
        }
        out.seek(SeekFrom::Start(binary_at + sections.animation_at as u64))?;
        if sections.has_animation() {
            write_animation(out, &clip, &surfaces)?;
        }
        write_headers(out, &document(&surfaces, &sections, end), room, sections.total)
    })
}

/// By how much the node of a mesh enlarges it: how far a vertex is from frame 0 at most, along an axis [m],
/// and at least 1; a number of single precision.
fn scale(
    clip: &Clip,
    source: &mut impl FrameSource,
    (index, animated): (usize, &AnimatedMesh),
    first: &[Vec3],
) -> Result<f64, WriteProblem> {
    let mut reach = 0.0_f64;
    let frames = if animated.animated { clip.frame_count } else { 1 };
    for frame in 1..frames {
        let fetched = clip.fetch(source, (index, animated.mesh), frame)?;
        let moved = fetched.positions.iter().zip(first).map(|(x, x0)| *x - *x0);
        reach = moved.map(|d| d.abs().max_element()).fold(reach, f64::max);
    }
    Ok(f64::from(reach.max(1.0) as f32))
}

fn check_size(size: u64) -> Result<(), WriteProblem> {
    if u32::try_from(size).is_ok() {
        return Ok(());
    }
    Err(WriteProblem::TooLarge {
        what: "the animation [bytes]".into(),
        size,
        limit: u64::from(u32::MAX),
        advice: "export fewer frames, or .usda",
    })
}

/// The box around the offsets of a target, as its numbers.
#[derive(Clone, Copy, Debug)]
struct Target {
    low: [i16; 3],
    high: [i16; 3],
}

impl Target {
    /// The target whose numbers take the most room in the JSON.
    const WIDEST: Self = Self { low: [i16::MIN; 3], high: [i16::MIN; 3] };
}

/// Writes the offsets of a frame from frame 0, and its normals.
fn write_target(
    out: &mut Writer,
    surface: &mut Surface,
    mesh: &crate::polymesh::PolyMesh,
    frame: &Frame,
    target: usize,
) -> Result<(), WriteProblem> {
    let normals = mesh.vertex_normals(&frame.positions);
    let steps =
        |v: Vec3, most: f64| (v * most).round().clamp(-Vec3::splat(most), Vec3::splat(most));
    let (mut low, mut high) = ([i16::MAX; 3], [i16::MIN; 3]);
    let mut bytes = Vec::with_capacity(surface.from.len() * TARGET_BYTES);
    for (&from, base) in surface.from.iter().zip(&surface.positions) {
        let moved = (frame.positions[from as usize] - *base) / surface.scale;
        let position = steps(moved, f64::from(i16::MAX)).to_array().map(|x| x as i16);
        for axis in 0..3 {
            low[axis] = low[axis].min(position[axis]);
            high[axis] = high[axis].max(position[axis]);
            bytes.extend(position[axis].to_le_bytes());
        }
        bytes.extend([0; 2]);
        let normal = steps(normals[from as usize], f64::from(i8::MAX)).to_array().map(|x| x as i8);
        bytes.extend(normal.map(i8::cast_unsigned));
        bytes.push(0);
    }
    surface.targets[target] = Target { low, high };
    out.write_all(&bytes)?;
    Ok(())
}

/// The times, then for each mesh that moves the weights of all targets at every time: all zero but the frame's
/// own, and but the last, which takes the normals of frame 0 away.
fn write_animation(
    out: &mut Writer,
    clip: &Clip,
    surfaces: &[Surface],
) -> Result<(), WriteProblem> {
    for frame in 0..clip.frame_count {
        out.write_all(&((frame as f64 / clip.fps) as f32).to_le_bytes())?;
    }
    for surface in surfaces.iter().filter(|surface| !surface.targets.is_empty()) {
        for frame in 0..clip.frame_count {
            for target in 1..=surface.weights() {
                let is_shown = target == frame || (target == surface.weights() && frame > 0);
                out.write_all(&f32::from(u8::from(is_shown)).to_le_bytes())?;
            }
        }
    }
    Ok(())
}

/// The headers and the JSON, now that its numbers are known.
fn write_headers(
    out: &mut Writer,
    json: &str,
    room: usize,
    binary: usize,
) -> Result<(), WriteProblem> {
    let total = JSON_AT + room as u64 + CHUNK_HEADER + binary as u64;
    out.seek(SeekFrom::Start(0))?;
    out.write_all(b"glTF")?;
    out.write_all(&2_u32.to_le_bytes())?;
    out.write_all(&(total as u32).to_le_bytes())?;
    out.write_all(&(room as u32).to_le_bytes())?;
    out.write_all(b"JSON")?;
    out.write_all(json.as_bytes())?;
    out.write_all(&vec![b' '; room - json.len()])?;
    out.write_all(&(binary as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    Ok(())
}
