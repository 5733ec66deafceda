//! Moves vertices along the surface until their triangles are even.

use super::Triangulation;
use super::closed::directed_edges;
use crate::anatomy::Anatomy;
use muslin::math::{Vec3, try_normalize};
use rayon::prelude::*;

/// Share of the way to the middle of its neighbours that a vertex goes.
const RATE: f64 = 0.6;

/// Neighbours of every vertex: `list[start[v]..start[v + 1]]`.
pub struct Neighbours {
    start: Vec<u32>,
    list: Vec<u32>,
}

impl Neighbours {
    /// The neighbours in a closed mesh.
    pub fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        let edges = directed_edges(triangles);
        let mut start = vec![0; vertex_count + 1];
        for e in &edges {
            start[e.0 as usize + 1] += 1;
        }
        for v in 0..vertex_count {
            start[v + 1] += start[v];
        }
        Self { start, list: edges.iter().map(|e| e.1).collect() }
    }

    /// The neighbours of a vertex.
    pub fn of(&self, v: usize) -> &[u32] {
        &self.list[self.start[v] as usize..self.start[v + 1] as usize]
    }
}

/// Smoothing along the surface `times` over, then `steps` of Newton's method onto it.
pub fn relax(mesh: &mut Triangulation, anatomy: &Anatomy, times: usize, steps: usize) {
    let neighbours = Neighbours::new(mesh.positions.len(), &mesh.triangles);
    for _ in 0..times {
        let normals = normals(mesh);
        let old = &mesh.positions;
        let moved = |(v, x): (usize, &Vec3)| {
            let around = neighbours.of(v);
            let sum: Vec3 = around.iter().map(|&w| old[w as usize]).sum();
            let towards = sum / around.len().max(1) as f64 - *x;
            let Some(normal) = try_normalize(normals[v]) else { return *x };
            *x + (towards - normal * towards.dot(normal)) * RATE
        };
        let new: Vec<Vec3> = old.par_iter().enumerate().map(moved).collect();
        mesh.positions = new;
    }
    mesh.positions.par_iter_mut().for_each(|x| *x = anatomy.project(*x, steps));
}

/// Normals of the vertices, not of unit length: sums over their triangles, weighted by area.
fn normals(mesh: &Triangulation) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; mesh.positions.len()];
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
        let normal = (b - a).cross(c - a);
        for &v in t {
            normals[v as usize] += normal;
        }
    }
    normals
}
