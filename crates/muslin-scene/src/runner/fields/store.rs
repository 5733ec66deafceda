//! The fields of a deforming body: a few frames ahead in parallel, and on disk under the hash of all they
//! depend on.

use crate::cache::Sha256;
use crate::formats::field;
use muslin::body::{Body, BodyMesh};
use muslin::levelset::{Field, Frame, FrameSource, Resolution, Solid};
use muslin::math::Vec3;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Frames made at a time.
const AHEAD: usize = 4;

/// Part of every hash: changed when fields are made or stored in another way.
const VERSION: &str = "muslin field 1";

/// Where fields are kept: a folder of the user's cache, or the one that `MUSLIN_FIELDS` names.
pub fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    variable("MUSLIN_FIELDS").or_else(|| {
        let caches = variable("XDG_CACHE_HOME")
            .or_else(|| variable("LOCALAPPDATA"))
            .or_else(|| variable("HOME").map(|home| home.join(".cache")));
        caches.map(|caches| caches.join("muslin").join("fields"))
    })
}

/// The triangles of a body as they are at time `t` [s].
pub fn mesh_at(body: &Body, t: f64) -> BodyMesh {
    let mut positions = Vec::with_capacity(body.mesh.positions.len());
    body.append_positions(t, &mut positions);
    BodyMesh { positions, triangles: body.mesh.triangles.clone() }
}

/// The frames of a body. What cannot be written to the folder is made again next time.
pub fn source(
    body: Body,
    fps: f64,
    count: usize,
    resolution: Resolution,
    folder: Option<PathBuf>,
) -> FrameSource {
    let made: Mutex<Vec<(usize, Arc<Frame>)>> = Mutex::new(Vec::new());
    Arc::new(move |k| {
        let kept = || made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, frame)) = kept().iter().find(|(number, _)| *number == k) {
            return Arc::clone(frame);
        }
        let last = (k + AHEAD).min(count).max(k + 1);
        let frames: Vec<(usize, Arc<Frame>)> = (k..last)
            .into_par_iter()
            .map(|k| {
                let mesh = mesh_at(&body, k as f64 / fps);
                (k, Arc::new(frame(mesh, resolution, folder.as_deref())))
            })
            .collect();
        let first = Arc::clone(&frames[0].1);
        *kept() = frames;
        first
    })
}

/// The frame of a mesh: from the disk if it is there and whole, else made and put there.
pub fn frame(mesh: BodyMesh, resolution: Resolution, folder: Option<&Path>) -> Frame {
    let path = folder.map(|folder| folder.join(format!("{}.npz", name(&mesh, resolution))));
    let stored = path.as_ref().and_then(|path| {
        let bytes = std::fs::read(path).ok()?;
        field::read(&bytes, &path.display().to_string()).ok()
    });
    let field = stored.filter(|field| field.cell() > 0.0).unwrap_or_else(|| {
        let field = Field::with_nearest(&Solid::of_frame(&mesh), resolution);
        if let Some(path) = &path {
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            // Only a shortcut for the next run: without it, the field is made again.
            let _ = folder.is_ok() && field::write(path, &field).is_ok();
        }
        field
    });
    Frame { positions: mesh.positions, field }
}

/// The hash of everything a field depends on.
fn name(mesh: &BodyMesh, resolution: Resolution) -> String {
    let Resolution { cell, band, tolerance, levels } = resolution;
    let mut sum = Sha256::default();
    sum.update(VERSION.as_bytes());
    for number in [cell, band, tolerance, f64::from(levels)] {
        sum.update(&number.to_le_bytes());
    }
    for count in [mesh.positions.len(), mesh.triangles.len()] {
        sum.update(&(count as u64).to_le_bytes());
    }
    for number in mesh.positions.iter().flat_map(Vec3::to_array) {
        sum.update(&number.to_le_bytes());
    }
    for index in mesh.triangles.as_flattened() {
        sum.update(&index.to_le_bytes());
    }
    sum.finish()
}
