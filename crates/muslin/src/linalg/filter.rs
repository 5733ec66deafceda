//! Per-vertex constraints inside the linear solve (BW9, BW10).

use crate::math::{Mat3, Vec3, outer};

/// What a vertex may not do, and the velocity change it must make (BW §5.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// Constrained vertex.
    pub vertex: u32,
    /// Filter block `S`: `0`, `I − ppᵀ − qqᵀ` or `I − ppᵀ`.
    pub allowed: Mat3,
    /// Prescribed change `z` \[m/s\], non-zero only in constrained directions.
    pub change: Vec3,
}

impl Constraint {
    /// All three directions are held.
    pub fn point(vertex: u32, change: Vec3) -> Self {
        Self { vertex, allowed: Mat3::ZERO, change }
    }

    /// The unit direction `p` is held; `change` is the wanted change along it.
    pub fn plane(vertex: u32, p: Vec3, change: f64) -> Self {
        Self { vertex, allowed: Mat3::IDENTITY - outer(p, p), change: p * change }
    }

    /// Only motion along the unit `direction` is free.
    pub fn line(vertex: u32, direction: Vec3, change: Vec3) -> Self {
        let allowed = outer(direction, direction);
        Self { vertex, allowed, change: change - allowed * change }
    }
}

/// All constraints of one solve; unlisted vertices are free (`S = I`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    constraints: Vec<Constraint>,
}

impl Filter {
    /// A filter from constraints, at most one per vertex.
    pub fn new(constraints: Vec<Constraint>) -> Self {
        Self { constraints }
    }

    /// The constraints.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// `a ← S a`.
    pub fn apply(&self, a: &mut [Vec3]) {
        for c in &self.constraints {
            let slot = &mut a[c.vertex as usize];
            *slot = c.allowed * *slot;
        }
    }

    /// `a ← S a + z`: keeps what is free of `a`, prescribes the rest.
    pub fn prescribe(&self, a: &mut [Vec3]) {
        for c in &self.constraints {
            let slot = &mut a[c.vertex as usize];
            *slot = c.allowed * *slot + c.change;
        }
    }
}
