//! The bodies of a cache, and which side of them cloth is on.

use super::{Cleaning, Source};
use crate::cache::SurfaceKind;
use muslin::body::BodyMesh;
use muslin::finish::cleanup::CleanUp;
use muslin::finish::{BodyField, BodyParts, BodySolids, Cleaner, HalfSpace, WrinkleField};
use muslin::math::Vec3;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// The triangles of all bodies, and which of them are whose.
#[derive(Debug)]
pub(super) struct Bodies {
    /// Triangles, in vertices of all bodies.
    pub triangles: Vec<[u32; 3]>,
    /// Vertices and triangles of each body among those of all bodies.
    each: Vec<(Range<usize>, Range<usize>)>,
    /// Where all bodies stand at first [m].
    first: Vec<Vec3>,
    clean_up: Option<Cleaning>,
    /// Distances to the bodies where they stand at first: most never move.
    still: OnceLock<Inside>,
}

/// Distances to all bodies at one moment, as one way of cleaning needs them.
#[derive(Clone, Debug)]
pub(super) enum Inside {
    /// To be pushed out of, to this distance [m].
    Flat(BodyParts, f64),
    /// To be moved out of with its wrinkles.
    Wrinkles(BodySolids, CleanUp),
}

impl Bodies {
    /// The bodies of a source whose cloths have this many triangles, cleaned in this way.
    pub(super) fn new(source: &Source, cloth_triangles: usize, clean_up: Option<Cleaning>) -> Self {
        let cloth_vertices = source.run.cloth_vertex_count();
        let own = |range: Range<usize>, first: usize| range.start - first..range.end - first;
        let bodies = source.run.surfaces.iter().filter(|s| s.kind == SurfaceKind::Body);
        Self {
            triangles: source.topology.triangles[cloth_triangles..]
                .iter()
                .map(|t| t.map(|v| v - cloth_vertices as u32))
                .collect(),
            each: bodies
                .map(|s| {
                    let (vertices, triangles) = (s.vertices.range(), s.triangles.range());
                    (own(vertices, cloth_vertices), own(triangles, cloth_triangles))
                })
                .collect(),
            first: source.topology.body_positions.clone(),
            clean_up,
            still: OnceLock::new(),
        }
    }

    /// Distances to the bodies at `positions` [m], where cloth is cleaned.
    pub(super) fn inside(&self, positions: &[Vec3]) -> Option<Cow<'_, Inside>> {
        let how = self.clean_up?;
        let build = || {
            let mesh = |(vertices, triangles): &(Range<usize>, Range<usize>)| BodyMesh {
                positions: positions[vertices.clone()].to_vec(),
                triangles: self.triangles[triangles.clone()]
                    .iter()
                    .map(|t| t.map(|v| v - vertices.start as u32))
                    .collect(),
            };
            let solid = self.each.iter().filter(|(_, triangles)| !triangles.is_empty());
            let meshes: Vec<BodyMesh> = solid.map(mesh).collect();
            match how {
                Cleaning::Flatten(margin) => Inside::Flat(BodyParts::new(&meshes), margin),
                Cleaning::KeepWrinkles(settings) => {
                    Inside::Wrinkles(BodySolids::new(&meshes), settings)
                }
            }
        };
        Some(if positions == self.first {
            Cow::Borrowed(self.still.get_or_init(build))
        } else {
            Cow::Owned(build())
        })
    }
}

impl Inside {
    /// Moves cloth out of the bodies and of `planes`.
    pub(super) fn cleaner<'a>(&'a self, planes: &'a [HalfSpace]) -> Cleaner<'a> {
        match self {
            Self::Flat(parts, margin) => {
                Cleaner::Flatten(BodyField { parts, planes, margin: *margin })
            }
            Self::Wrinkles(solids, settings) => {
                Cleaner::KeepWrinkles(WrinkleField { solids, planes, settings: *settings })
            }
        }
    }

    /// Numbers of the bodies that have no inside, among those with triangles.
    pub(super) fn left_out(&self) -> Vec<usize> {
        match self {
            Self::Flat(parts, _) => parts.left_out.iter().map(|(index, _)| *index).collect(),
            Self::Wrinkles(solids, _) => solids.left_out.iter().map(|(index, _)| *index).collect(),
        }
    }
}
