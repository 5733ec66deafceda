//! MDD point caches (LightWave, Blender, Modo): big endian, positions only.
//!
//! Frame count, vertex count, the time of every frame [s], then `x y z` as 32-bit numbers, vertex
//! after vertex, frame after frame.

use super::{
    ReadError, WriteError,
    animation::{Clip, FrameSource},
    atomic,
    point_cache::{ByteOrder, Header, Layout, PointCache, encode},
};
use crate::polymesh::PolyMesh;
use std::{
    io::{Seek, SeekFrom, Write},
    path::Path,
};

/// The times follow the two counts.
pub(super) const TIMES_AT: u64 = 8;

/// Writes the frames of mesh 0 of the source.
pub fn write(
    path: &Path,
    clip: &Clip,
    mesh: &PolyMesh,
    source: &mut impl FrameSource,
) -> Result<(), WriteError> {
    atomic::write(path, |writer| {
        clip.check()?;
        writer.write_all(&Clip::count_i32("frames", clip.frame_count)?.to_be_bytes())?;
        writer.write_all(&Clip::count_i32("vertices", mesh.vertex_count())?.to_be_bytes())?;
        // The times are known once every frame has been seen: leave room, come back.
        let mut times = vec![0; 4 * clip.frame_count];
        writer.write_all(&times)?;
        times.clear();
        let mut bytes = Vec::new();
        for frame in 0..clip.frame_count {
            let fetched = clip.fetch(source, (0, mesh), frame)?;
            times.extend((fetched.time as f32).to_be_bytes());
            encode(&fetched.positions, ByteOrder::Big, &mut bytes);
            writer.write_all(&bytes)?;
        }
        writer.seek(SeekFrom::Start(TIMES_AT))?;
        writer.write_all(&times)?;
        Ok(())
    })
}

/// Reads a cache; `file` is its name in messages.
pub fn read<'a>(bytes: &'a [u8], file: &'a str) -> Result<PointCache<'a>, ReadError> {
    Ok(PointCache::over(layout(bytes, bytes.len(), file)?, bytes))
}

/// How many bytes of times follow the counts that a file starts with.
pub(super) fn time_bytes(counts: &[u8]) -> u64 {
    let frames = counts.first_chunk().map_or(0, |four| u32::from_be_bytes(*four));
    4 * u64::from(frames)
}

/// Reads the header of a file of `total` bytes, of which `bytes` are the first.
pub(super) fn layout(bytes: &[u8], total: usize, file: &str) -> Result<Layout, ReadError> {
    let mut header = Header { bytes, at: 0, order: ByteOrder::Big, file, total };
    let frame_count = header.count("frame count")?;
    let vertex_count = header.count("vertex count")?;
    // A time and the positions for every frame.
    header.rest(frame_count, vertex_count.saturating_mul(12).saturating_add(4))?;
    let times = (0..frame_count).map(|_| header.f32("times")).collect::<Result<_, _>>()?;
    Ok(Layout { vertex_count, times, order: header.order, start: header.at })
}
