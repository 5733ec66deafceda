//! PC2 point caches (3ds Max, Blender, Houdini): little endian, positions only.
//!
//! `"POINTCACHE2\0"`, version 1, vertex count, first frame, frames per sample, sample count, then
//! `x y z` as 32-bit numbers, vertex after vertex, sample after sample.

use super::{
    ReadError, WriteError,
    animation::{Clip, FrameSource},
    atomic,
    point_cache::{ByteOrder, Header, Layout, PointCache, encode},
};
use crate::polymesh::PolyMesh;
use std::{io::Write, path::Path};

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const VERSION: usize = 1;
/// Positions follow the header.
pub(super) const HEADER_BYTES: u64 = 32;

/// Writes the frames of mesh 0 of the source.
pub fn write(
    path: &Path,
    clip: &Clip,
    mesh: &PolyMesh,
    source: &mut impl FrameSource,
) -> Result<(), WriteError> {
    atomic::write(path, |writer| {
        clip.check()?;
        writer.write_all(MAGIC)?;
        writer.write_all(&(VERSION as i32).to_le_bytes())?;
        writer.write_all(&Clip::count_i32("vertices", mesh.vertex_count())?.to_le_bytes())?;
        let (first_frame, frames_per_sample) = (0.0_f32, 1.0_f32);
        writer.write_all(&first_frame.to_le_bytes())?;
        writer.write_all(&frames_per_sample.to_le_bytes())?;
        writer.write_all(&Clip::count_i32("frames", clip.frame_count)?.to_le_bytes())?;
        let mut bytes = Vec::new();
        for frame in 0..clip.frame_count {
            let fetched = clip.fetch(source, (0, mesh), frame)?;
            encode(&fetched.positions, ByteOrder::Little, &mut bytes);
            writer.write_all(&bytes)?;
        }
        Ok(())
    })
}

/// Reads a cache; `file` is its name in messages.
pub fn read<'a>(bytes: &'a [u8], file: &'a str) -> Result<PointCache<'a>, ReadError> {
    Ok(PointCache::over(layout(bytes, bytes.len(), file)?, bytes))
}

/// Reads the header of a file of `total` bytes, of which `bytes` are the first.
pub(super) fn layout(bytes: &[u8], total: usize, file: &str) -> Result<Layout, ReadError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ReadError::file(
            file,
            "a PC2 file starts with `POINTCACHE2`, but this does not",
        ));
    }
    let mut header = Header { bytes, at: MAGIC.len(), order: ByteOrder::Little, file, total };
    let version = header.count("version")?;
    if version != VERSION {
        let problem = format!("version {version} of PC2 is not known, only {VERSION} is");
        return Err(ReadError::byte(file, MAGIC.len(), problem));
    }
    let vertex_count = header.count("vertex count")?;
    let first_frame = header.f32("first frame")?;
    let frames_per_sample = header.f32("frames per sample")?;
    let frame_count = header.count("sample count")?;
    header.rest(frame_count, vertex_count.saturating_mul(12))?;
    let times = (0..frame_count).map(|i| first_frame + i as f32 * frames_per_sample).collect();
    Ok(Layout { vertex_count, times, order: header.order, start: header.at })
}
