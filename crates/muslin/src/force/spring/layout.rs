//! Which springs a mesh gets, and how stiff they are, so that they make the fabric they stand for.

use super::{BendSpring, Spring, Springs};
use crate::cloth::lattice;
use crate::fabric::Fabric;
use crate::math::Vec2;
use crate::mesh::TriMesh;

/// What carries springs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The rows and columns of a regular grid, as in BF1: vertex `i + j·columns`, both diagonals of every
    /// cell, chords from every vertex to the next but one.
    Grid {
        /// Vertices along u and v.
        vertices: [usize; 2],
    },
    /// Any triangle mesh: edges, chords between the tips of neighbouring triangles.
    Mesh,
}

/// Share of the stabilising spring's stiffness that the chord gets: at a full fold, where a chord of `2h`
/// is gone and the stabilising spring is `h` long, both store the same.
const CHORD_SHARE: f64 = 0.25;

/// The springs of a mesh made of a fabric.
pub fn springs(mesh: &TriMesh, fabric: &Fabric, layout: Layout) -> Springs {
    let times = fabric.relaxation();
    let mut builder = Builder { springs: Springs::default(), bend_time: times.bend };
    match layout {
        Layout::Grid { vertices } => builder.grid(mesh, fabric, vertices),
        Layout::Mesh => builder.mesh(mesh, fabric),
    }
    builder.springs
}

struct Builder {
    springs: Springs,
    /// Damping of bending ÷ stiffness \[s\].
    bend_time: f64,
}

impl Builder {
    fn add(&mut self, vertices: [u32; 2], across: Vec2, stiffness: f64, time: f64) {
        let length = across.length();
        self.springs.axial.push(Spring {
            vertices,
            length,
            stiffness,
            damping: time * stiffness,
            direction: across / length,
        });
    }

    /// A stabilising spring and its chord, which runs by `across` \[m\] at rest.
    fn add_bend(&mut self, bend: BendSpring, across: Vec2) {
        let [a, b, ..] = bend.vertices;
        self.add([a, b], across, CHORD_SHARE * bend.stiffness, self.bend_time);
        self.springs.bend.push(BendSpring { damping: self.bend_time * bend.stiffness, ..bend });
    }

    /// BF1 on cells of `h_u × h_v`, diagonal `ℓ`.
    ///
    /// Diagonals: `k = G ℓ²/(2 h_u h_v)` each make the shear rigidity `G`. They also resist stretch, by
    /// `C_uu = G r`, `C_vv = G/r`, `C_uv = G` with `r = h_u²/h_v²`; the structural springs add to `C_uu` and `C_vv`
    /// what is missing for the stiffness of a strip that may narrow, `C_uu − G²/C_vv = K_u`, so
    /// `C_uu = ½(K_u + √(K_u² + 4G²K_u/K_v))`.
    ///
    /// Bending: `|d| = ½κh²`, so `k = 4 D_u h_v/h_u³` makes `½Dκ²` per area.
    fn grid(&mut self, mesh: &TriMesh, fabric: &Fabric, [columns, rows]: [usize; 2]) {
        let uv = vertex_uv(mesh);
        let (extent, times) = (uv[columns * rows - 1] - uv[0], fabric.relaxation());
        let cell = extent / Vec2::new((columns - 1) as f64, (rows - 1) as f64);
        let ([k_u, k_v], shear) = (fabric.stretch, fabric.shear);
        let diagonal = shear * cell.length_squared() / (2.0 * cell.x * cell.y);
        let complete = |own: f64, other: f64, of_diagonals: f64| {
            let whole = 0.5 * (own + (own * own + 4.0 * shear * shear * own / other).sqrt());
            (whole - of_diagonals).max(0.0)
        };
        let ratio = cell.x * cell.x / (cell.y * cell.y);
        let along = [complete(k_u, k_v, shear * ratio), complete(k_v, k_u, shear / ratio)];
        let at = |i: usize, j: usize| (i + j * columns) as u32;
        for j in 0..rows {
            for i in 0..columns {
                // A row on the border stands for half a cell.
                let width =
                    |k: usize, count: usize| if k == 0 || k == count - 1 { 0.5 } else { 1.0 };
                let (in_row, in_column) = (width(j, rows) * cell.y, width(i, columns) * cell.x);
                if i + 1 < columns {
                    let k = along[0] * in_row / cell.x;
                    self.add([at(i, j), at(i + 1, j)], Vec2::X * cell.x, k, times.stretch);
                }
                if j + 1 < rows {
                    let k = along[1] * in_column / cell.y;
                    self.add([at(i, j), at(i, j + 1)], Vec2::Y * cell.y, k, times.stretch);
                }
                if i + 1 < columns && j + 1 < rows {
                    let falling = Vec2::new(-cell.x, cell.y);
                    self.add([at(i, j), at(i + 1, j + 1)], cell, diagonal, times.shear);
                    self.add([at(i + 1, j), at(i, j + 1)], falling, diagonal, times.shear);
                }
                let [d_u, d_v] = fabric.bending;
                if i + 2 < columns && d_u > 0.0 {
                    let line = [at(i, j), at(i + 2, j), at(i + 1, j)];
                    let k = 4.0 * d_u * in_row / cell.x.powi(3);
                    self.add_bend(on_line(line, k, cell.x), Vec2::X * (2.0 * cell.x));
                }
                if j + 2 < rows && d_v > 0.0 {
                    let line = [at(i, j), at(i, j + 2), at(i, j + 1)];
                    let k = 4.0 * d_v * in_column / cell.y.powi(3);
                    self.add_bend(on_line(line, k, cell.y), Vec2::Y * (2.0 * cell.y));
                }
            }
        }
    }

    /// Edges: `k = Σ A K(φ)/L²` over the triangles of an edge, with the modulus along it
    /// `K(φ) = K_u cos⁴φ + K_v sin⁴φ + 4G sin²φ cos²φ` (Van Gelder 1998, which is exact for equilateral triangles
    /// of an isotropic fabric). Hinges: at an angle θ the chord is `|d| = θ h_0 h_1/(h_0 + h_1)` from the edge,
    /// with `h` the heights of the tips, so `k = k_e/(|d|/θ)²` makes the energy `½k_eθ²` of V5, corrected as
    /// hinges are (V4).
    fn mesh(&mut self, mesh: &TriMesh, fabric: &Fabric) {
        let times = fabric.relaxation();
        for edge in mesh.topology().edges() {
            let sides = edge.triangles.iter().filter(|&&t| t != crate::mesh::NO_TRIANGLE);
            let (mut stiffness, mut across) = (0.0, Vec2::ZERO);
            for &t in sides {
                let [a, b] = mesh.edge_uv(t as usize, edge.vertices);
                across = b - a;
                stiffness +=
                    mesh.rest_area(t as usize) * modulus(fabric, across) / across.length_squared();
            }
            self.add(edge.vertices, across, stiffness, times.stretch);
        }
        let stiffer = lattice::corrections(mesh);
        for (hinge, stiffer) in mesh.topology().hinges().iter().zip(stiffer) {
            let flat = Flat::of(mesh, hinge);
            let rigidity = flat.rigidity(fabric) * stiffer;
            if rigidity > 0.0 {
                let stiffness = rigidity / (flat.reach * flat.reach);
                let bend = BendSpring {
                    vertices: hinge.vertices,
                    weights: flat.weights,
                    stiffness,
                    damping: 0.0,
                    reach: flat.reach,
                };
                self.add_bend(bend, flat.chord);
            }
        }
    }
}

/// The stabilising spring of three vertices in line: both ends, then the middle.
fn on_line([a, b, middle]: [u32; 3], stiffness: f64, spacing: f64) -> BendSpring {
    BendSpring {
        vertices: [a, b, middle, middle],
        weights: [0.5, 0.5, -1.0, 0.0],
        stiffness,
        damping: 0.0,
        reach: 0.5 * spacing,
    }
}

/// Stiffness of the fabric along a direction \[N/m\].
fn modulus(fabric: &Fabric, along: Vec2) -> f64 {
    let q = along * along / along.length_squared();
    fabric.stretch[0] * q.x * q.x + fabric.stretch[1] * q.y * q.y + 4.0 * fabric.shear * q.x * q.y
}

/// The rest coordinates of every vertex, of its first triangle.
fn vertex_uv(mesh: &TriMesh) -> Vec<Vec2> {
    let mut uv = vec![None; mesh.vertex_count()];
    for (corners, rest) in mesh.triangles().iter().zip(mesh.uv()) {
        for (&v, p) in corners.iter().zip(rest) {
            uv[v as usize].get_or_insert(*p);
        }
    }
    uv.into_iter().map(Option::unwrap_or_default).collect()
}

/// Two triangles laid flat: both edges of their own material coordinates made one.
struct Flat {
    /// Of the stabilising spring.
    weights: [f64; 4],
    /// `|d|` at one radian \[m\].
    reach: f64,
    /// From tip to tip \[m\].
    chord: Vec2,
    /// The shared edge in the first triangle \[m\].
    edge: Vec2,
    /// `|e|²/(A1 + A2)` \[-\].
    shape: f64,
}

impl Flat {
    fn of(mesh: &TriMesh, hinge: &crate::mesh::Hinge) -> Self {
        let [tip0, tip1, a, b] = hinge.vertices;
        // Heights and feet of both tips over the edge, in frames whose x runs along it.
        let wing = |t: u32, tip: u32| {
            let [pa, pb] = mesh.edge_uv(t as usize, [a, b]);
            let [p, _] = mesh.edge_uv(t as usize, [tip, a]);
            let e = pb - pa;
            let foot = (p - pa).dot(e) / e.length_squared();
            (foot, 2.0 * mesh.rest_area(t as usize) / e.length(), e)
        };
        let (foot0, height0, edge) = wing(hinge.triangles[0], tip0);
        let (foot1, height1, _) = wing(hinge.triangles[1], tip1);
        let length = edge.length();
        let share = height0 / (height0 + height1);
        let crossing = foot0 + (foot1 - foot0) * share;
        let along = edge / length;
        let across = Vec2::new(along.y, -along.x);
        let areas: f64 = hinge.triangles.iter().map(|&t| mesh.rest_area(t as usize)).sum();
        Self {
            weights: [1.0 - share, share, crossing - 1.0, -crossing],
            reach: height1 * share,
            chord: along * ((foot1 - foot0) * length) + across * (height0 + height1),
            edge,
            shape: length * length / areas,
        }
    }

    /// `k_e = D|e|²/(A1+A2)` \[N·m\], with the rigidity of the yarns across the edge (BW5, V5).
    fn rigidity(&self, fabric: &Fabric) -> f64 {
        let [d_u, d_v] = fabric.bending;
        let q = self.edge * self.edge / self.edge.length_squared();
        (d_u * q.y + d_v * q.x) * self.shape
    }
}
