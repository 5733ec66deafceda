//! One level: every triangle becomes four, and every new place is a mean of old ones (BF13).

use super::mask::Mask;
use super::rules::{Rules, VertexRule};
use crate::math::{Vec2, Vec3};
use crate::mesh::{MeshError, NO_TRIANGLE, TriMesh};
use rayon::prelude::*;

/// Vertices whose means one parallel task computes, at least.
const MIN_VERTICES: usize = 2048;

/// A mesh to be refined, with what refining keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Cage {
    /// Triangles and rest coordinates of all cloths, one after the other.
    pub mesh: TriMesh,
    /// End of each cloth's vertices, ascending; the last is the number of vertices.
    pub part_ends: Vec<usize>,
    /// Rest length of every edge of the mesh \[m\].
    pub rest_lengths: Vec<f64>,
    /// Edges kept sharp besides the boundary, smaller vertex first, sorted.
    pub creases: Vec<[u32; 2]>,
}

impl Cage {
    /// One cloth, rest lengths from its rest coordinates, no creases.
    pub fn new(mesh: TriMesh) -> Self {
        let rest_lengths =
            (0..mesh.topology().edges().len()).map(|e| mesh.rest_length(e)).collect();
        Self { part_ends: vec![mesh.vertex_count()], rest_lengths, creases: Vec::new(), mesh }
    }

    /// Edges at which the rest coordinates of both sides disagree: where cloth was sewn together.
    pub fn seams(&self) -> Vec<[u32; 2]> {
        let sewn = self.mesh.topology().edges().iter().filter(|edge| {
            let [a, b] = edge.triangles;
            b != NO_TRIANGLE
                && self.mesh.edge_uv(a as usize, edge.vertices)
                    != self.mesh.edge_uv(b as usize, edge.vertices)
        });
        sewn.map(|edge| edge.vertices).collect()
    }
}

/// From one cage to the next finer one.
#[derive(Clone, Debug)]
pub struct Level {
    fine: Cage,
    /// Both ends of the edge each fine vertex halves; twice itself for a vertex that stays.
    parents: Vec<[u32; 2]>,
    /// Where the weights of each fine vertex start, and the end of the last.
    starts: Vec<u32>,
    /// Coarse vertices and their weights in the smooth place of a fine vertex.
    weights: Vec<(u32, f64)>,
}

impl Level {
    /// Refines a cage once. Fine vertices of a cloth are its coarse ones in their order, then one for
    /// each edge in theirs; triangle `t` becomes `4t … 4t + 3`.
    pub fn new(coarse: &Cage) -> Result<Self, MeshError> {
        let numbers = Numbers::new(coarse);
        let rules = Rules::new(coarse);
        let count = coarse.mesh.vertex_count() + coarse.mesh.topology().edges().len();
        let mut parents = vec![[0; 2]; count];
        let mut means: Vec<Vec<(u32, f64)>> = vec![Vec::new(); count];
        for v in 0..coarse.mesh.vertex_count() as u32 {
            let fine = numbers.vertex(v);
            parents[fine] = [v; 2];
            means[fine] = vertex_mean(&rules, v);
        }
        for (e, edge) in coarse.mesh.topology().edges().iter().enumerate() {
            let fine = numbers.edge(e);
            parents[fine] = edge.vertices;
            means[fine] = edge_mean(coarse, &rules, e);
        }
        let mut starts = vec![0];
        let mut weights = Vec::with_capacity(means.iter().map(Vec::len).sum());
        for mean in means {
            weights.extend(mean);
            starts.push(weights.len() as u32);
        }
        Ok(Self { fine: refine(coarse, &numbers)?, parents, starts, weights })
    }

    /// The finer cage.
    pub fn fine(&self) -> &Cage {
        &self.fine
    }

    /// Vectors of the coarse vertices, halfway between them on the new ones: the same surface.
    pub fn split(&self, coarse: &[Vec3]) -> Vec<Vec3> {
        let half = |&[a, b]: &[u32; 2]| {
            let (a, b) = (coarse[a as usize], coarse[b as usize]);
            if a == b { a } else { (a + b) * 0.5 }
        };
        self.parents.iter().map(half).collect()
    }

    /// Where smoothing wants the fine vertices, for coarse ones at `coarse` \[m\].
    pub fn smooth(&self, coarse: &[Vec3]) -> Vec<Vec3> {
        let mean = |fine: usize| {
            let range = self.starts[fine] as usize..self.starts[fine + 1] as usize;
            self.weights[range].iter().map(|&(v, w)| coarse[v as usize] * w).sum()
        };
        (0..self.parents.len()).into_par_iter().with_min_len(MIN_VERTICES).map(mean).collect()
    }
}

/// Numbers of fine vertices, cloth after cloth.
struct Numbers {
    part_ends: Vec<usize>,
    /// Number of edges before each part, and of all.
    edges_before: Vec<usize>,
}

impl Numbers {
    fn new(coarse: &Cage) -> Self {
        // Edges are sorted by their first vertex, and no edge joins two cloths.
        let edges = coarse.mesh.topology().edges();
        let before = |end: &usize| edges.partition_point(|e| (e.vertices[0] as usize) < *end);
        let mut edges_before = vec![0];
        edges_before.extend(coarse.part_ends.iter().map(before));
        Self { part_ends: coarse.part_ends.clone(), edges_before }
    }

    fn vertex(&self, v: u32) -> usize {
        let part = self.part_ends.partition_point(|end| *end <= v as usize);
        v as usize + self.edges_before[part]
    }

    fn edge(&self, e: usize) -> usize {
        let part = self.edges_before[1..].partition_point(|before| *before <= e);
        self.part_ends[part] + e
    }

    fn fine_ends(&self) -> Vec<usize> {
        self.part_ends.iter().zip(&self.edges_before[1..]).map(|(v, e)| v + e).collect()
    }
}

/// The smooth place of a vertex.
fn vertex_mean(rules: &Rules, v: u32) -> Vec<(u32, f64)> {
    match rules.of(v) {
        VertexRule::Fixed => vec![(v, 1.0)],
        VertexRule::Curve([a, b]) => vec![(v, 0.75), (*a, 0.125), (*b, 0.125)],
        VertexRule::Smooth { ring, .. } => {
            let mask = rules.mask(ring.len());
            let share = (1.0 - mask.vertex) / ring.len() as f64;
            std::iter::once((v, mask.vertex)).chain(ring.iter().map(|&p| (p, share))).collect()
        }
    }
}

/// The smooth place of the vertex on an edge: Loop's regular mask, or that of an extraordinary end; the mean
/// of both where both ends are.
fn edge_mean(cage: &Cage, rules: &Rules, e: usize) -> Vec<(u32, f64)> {
    let edge = &cage.mesh.topology().edges()[e];
    let [a, b] = edge.vertices;
    if rules.is_sharp(edge) {
        return vec![(a, 0.5), (b, 0.5)];
    }
    let ends = [(a, b), (b, a)];
    let mut masks: Vec<Vec<(u32, f64)>> =
        ends.iter().filter_map(|&(from, to)| extraordinary_mean(rules, from, to)).collect();
    if masks.len() == 2 {
        let second = masks.pop().unwrap_or_default();
        masks[0].extend(second);
        masks[0].iter_mut().for_each(|(_, weight)| *weight *= 0.5);
    }
    masks.pop().unwrap_or_else(|| {
        let tip = |t: u32| {
            let corners = cage.mesh.triangles()[t as usize];
            corners.into_iter().find(|v| *v != a && *v != b).unwrap_or(a)
        };
        let [c, d] = edge.triangles.map(tip);
        vec![(a, 0.375), (b, 0.375), (c, 0.125), (d, 0.125)]
    })
}

fn extraordinary_mean(rules: &Rules, from: u32, to: u32) -> Option<Vec<(u32, f64)>> {
    let VertexRule::Smooth { ring, whole: true } = rules.of(from) else { return None };
    if ring.len() == 6 {
        return None;
    }
    let mask: &Mask = rules.mask(ring.len());
    let first = ring.iter().position(|&p| p == to)?;
    let around = ring.iter().cycle().skip(first).zip(&mask.ring).map(|(&p, &w)| (p, w));
    Some(std::iter::once((from, mask.centre)).chain(around.filter(|(_, w)| *w != 0.0)).collect())
}

/// Triangles, rest coordinates, rest lengths and creases of the finer cage.
fn refine(coarse: &Cage, numbers: &Numbers) -> Result<Cage, MeshError> {
    let mesh = &coarse.mesh;
    let edges = mesh.topology().edges();
    let edge_of = |a: u32, b: u32| {
        edges.binary_search_by(|e| e.vertices.cmp(&[a.min(b), a.max(b)])).unwrap_or(0)
    };
    let (mut triangles, mut uv) = (Vec::new(), Vec::new());
    let mut lengths: Vec<([u32; 2], f64)> = Vec::new();
    let mut note = |a: usize, b: usize, length: f64| {
        lengths.push(([a.min(b) as u32, a.max(b) as u32], length));
    };
    for (corners, rest) in mesh.triangles().iter().zip(mesh.uv()) {
        let sides = [0, 1, 2].map(|k| edge_of(corners[k], corners[(k + 1) % 3]));
        let old = corners.map(|v| numbers.vertex(v));
        let mid = sides.map(|e| numbers.edge(e));
        let half: [Vec2; 3] = [0, 1, 2].map(|k: usize| (rest[k] + rest[(k + 1) % 3]) * 0.5);
        for k in 0..3 {
            let before = (k + 2) % 3;
            triangles.push([old[k], mid[k], mid[before]].map(|v| v as u32));
            uv.push([rest[k], half[k], half[before]]);
            // The side that cuts off corner k is half as long as the side it is parallel to.
            note(mid[k], mid[before], 0.5 * coarse.rest_lengths[sides[(k + 1) % 3]]);
        }
        triangles.push(mid.map(|v| v as u32));
        uv.push(half);
    }
    for (e, edge) in edges.iter().enumerate() {
        for v in edge.vertices {
            note(numbers.vertex(v), numbers.edge(e), 0.5 * coarse.rest_lengths[e]);
        }
    }
    // Sorted by vertices, as the edges of a mesh are.
    lengths.sort_unstable_by_key(|(vertices, _)| *vertices);
    let halves = coarse.creases.iter().flat_map(|&[a, b]| {
        let middle = numbers.edge(edge_of(a, b)) as u32;
        [a, b].map(|v| numbers.vertex(v) as u32).map(|v| [v.min(middle), v.max(middle)])
    });
    let mut creases: Vec<[u32; 2]> = halves.collect();
    creases.sort_unstable();
    let part_ends = numbers.fine_ends();
    let vertex_count = part_ends.last().copied().unwrap_or(0);
    Ok(Cage {
        mesh: TriMesh::new(vertex_count, triangles, uv)?,
        part_ends,
        rest_lengths: lengths.into_iter().map(|(_, length)| length).collect(),
        creases,
    })
}
