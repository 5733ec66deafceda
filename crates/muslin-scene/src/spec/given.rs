//! Meshes that a program gives instead of files, under names that a scene uses like file names.

use crate::polymesh::PolyMesh;
use muslin::body::Deform;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A mesh in memory.
#[derive(Clone)]
pub struct GivenMesh {
    /// The mesh [m], in the scene's axes.
    pub mesh: PolyMesh,
    /// How a body of this mesh deforms: writes its vertices [m] at a time [s]. `None` where it does not.
    pub deform: Option<Deform>,
}

impl PartialEq for GivenMesh {
    fn eq(&self, other: &Self) -> bool {
        let same_motion = match (&self.deform, &other.deform) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        same_motion && self.mesh == other.mesh
    }
}

impl fmt::Debug for GivenMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deforms = self.deform.is_some();
        f.debug_struct("GivenMesh").field("mesh", &self.mesh).field("deforms", &deforms).finish()
    }
}

/// All meshes that a program gives for a scene, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given(BTreeMap<String, GivenMesh>);

impl Given {
    /// Adds a mesh; one of the same name is replaced.
    pub fn add(&mut self, name: &str, mesh: GivenMesh) {
        self.0.insert(name.to_owned(), mesh);
    }

    /// The mesh of that name.
    pub fn mesh(&self, name: &str) -> Option<&GivenMesh> {
        self.0.get(name)
    }
}
