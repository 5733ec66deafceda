//! `Cloth`: a mesh made of a fabric, with masses and everything that never changes precomputed.
//!
//! Several cloths that can touch form an island (V17); an island is again one [`Cloth`], made by
//! [`Cloth::join`], so that nothing downstream knows how many pieces it holds.

pub(crate) mod lattice;

use crate::fabric::{Fabric, StretchTable};
use crate::force::hinge::BendForm;
use crate::force::membrane::{self, Map};
use crate::force::spring::Springs;
use crate::math::{Vec2, Vec3};
use crate::mesh::{Hinge, NO_TRIANGLE, TriMesh};
use std::ops::Range;
use thiserror::Error;

/// Contact thickness is at most this share of the shortest rest edge at a vertex: beyond it,
/// neighbours in a flat sheet would repel each other.
const MAX_THICKNESS_PER_EDGE: f64 = 0.4;

/// Contact thickness is at least this share of the shortest rest edge at a vertex: coarse cloth cuts the
/// corners of what it lies on, and with less its edges would touch a body that its vertices only rest on.
const MIN_THICKNESS_PER_EDGE: f64 = 0.1;

/// The triangle whose stiffness is the same with the printed scaling of BW as without \[m²\]: 1 cm², the
/// unit of area of the paper's figures.
const LITERAL_AREA: f64 = 1e-4;

/// One triangle at rest (BW3, BW4).
///
/// The deformation map is linear in positions: `w_u = Σ du_i x_i`, `w_v = Σ dv_i x_i`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleRest {
    /// Rest area `a` \[m²\].
    pub area: f64,
    /// Weights of the corners in `w_u` \[1/m\].
    pub du: [f64; 3],
    /// Weights of the corners in `w_v` \[1/m\].
    pub dv: [f64; 3],
    /// Targets `b_u`, `b_v` of `|w_u|`, `|w_v|` \[-\].
    pub target: [f64; 2],
    /// Stretch stiffness in u and v \[N/m\].
    pub stretch: [f64; 2],
    /// Shear stiffness \[N/m\].
    pub shear: f64,
    /// Damping of the stretch conditions \[N·s/m\].
    pub stretch_damping: f64,
    /// Damping of the shear condition \[N·s/m\].
    pub shear_damping: f64,
}

/// One edge with its rest length and how far it may stretch (BF2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeRest {
    /// End points.
    pub vertices: [u32; 2],
    /// Rest length \[m\], targets `b_u`, `b_v` included.
    pub length: f64,
    /// Largest strain \[-\]; infinite where there is no limit.
    pub strain_limit: f64,
    /// Largest compression \[-\]; infinite where there is no limit (MF3).
    pub compression_limit: f64,
    /// Largest change of length in a step, as a share of the present length \[-\]; infinite where there is
    /// no limit (BF2).
    pub rate_limit: f64,
}

/// One hinge at rest (BW5, MF4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeRest {
    /// Wing tips and edge ends, in the order of [`Hinge`].
    pub vertices: [u32; 4],
    /// Angular stiffness `k_e = D|e|²/(A1+A2)` \[N·m\] (V5), times what the mesh around needs (V4).
    pub stiffness: f64,
    /// Angular damping \[N·m·s\].
    pub damping: f64,
    /// Rest angle `θ̄` \[rad\] (MF5).
    pub rest_angle: f64,
    /// How the moment grows with the angle (MF4).
    pub form: BendForm,
}

impl HingeRest {
    /// The same hinge, stiffer and more damped.
    fn times(self, stiffer: f64) -> Self {
        Self { stiffness: self.stiffness * stiffer, damping: self.damping * stiffer, ..self }
    }
}

/// What varies over a cloth (painted maps). Empty vectors mean "the same everywhere".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// Targets `b_u`, `b_v` per triangle \[-\] (BW3).
    pub shrink: Vec<[f64; 2]>,
    /// Stretch stiffness in u and v per triangle \[N/m\].
    pub stretch: Vec<[f64; 2]>,
    /// Shear stiffness per triangle \[N/m\].
    pub shear: Vec<f64>,
    /// Flexural rigidity in u and v per hinge \[N·m\].
    pub bending: Vec<[f64; 2]>,
    /// Rest angle per hinge \[rad\] (MF5).
    pub rest_angles: Vec<f64>,
    /// How the fabric stiffens along u and v, instead of `stretch`.
    pub tables: Option<[StretchTable; 2]>,
}

/// A map whose length does not fit the mesh.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the {map} map has {found} values, but the mesh has {expected} {element}s; give one each")]
pub struct MapError {
    /// Which map.
    pub map: &'static str,
    /// What it is painted on.
    pub element: &'static str,
    /// How many values were given.
    pub found: usize,
    /// How many are needed.
    pub expected: usize,
}

/// Cloth: fixed for the whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloth {
    /// Lumped mass of every vertex \[kg\] (BW2).
    pub mass: Vec<f64>,
    /// Vertices of every triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Rest data of every triangle.
    pub triangle_rest: Vec<TriangleRest>,
    /// All edges.
    pub edges: Vec<EdgeRest>,
    /// All interior edges with their bending data.
    pub hinges: Vec<HingeRest>,
    /// Springs of mass–spring dynamics (BF1); none where triangles and hinges make the forces.
    pub springs: Springs,
    /// Contact thickness per vertex \[m\].
    pub thickness: Vec<f64>,
    /// Static and kinetic friction per vertex \[-\].
    pub friction: Vec<[f64; 2]>,
    /// Which piece of the island a vertex came from.
    pub piece: Vec<u32>,
    /// Triangles of fabric that stiffens along u and v, piece by piece.
    pub tables: Vec<(Range<usize>, [StretchTable; 2])>,
}

impl Cloth {
    /// Cloth from a mesh, a fabric and painted maps.
    pub fn new(mesh: &TriMesh, fabric: &Fabric, maps: &Maps) -> Result<Self, MapError> {
        let triangle_count = mesh.triangles().len();
        let hinges = mesh.topology().hinges();
        check_map("shrink", "triangle", maps.shrink.len(), triangle_count)?;
        check_map("stretch", "triangle", maps.stretch.len(), triangle_count)?;
        check_map("shear", "triangle", maps.shear.len(), triangle_count)?;
        check_map("bending", "hinge", maps.bending.len(), hinges.len())?;
        check_map("rest angle", "hinge", maps.rest_angles.len(), hinges.len())?;
        let triangle_rest: Vec<_> =
            (0..triangle_count).map(|t| triangle_rest(mesh, fabric, maps, t)).collect();
        let edges: Vec<_> = edge_rest(mesh, fabric, &triangle_rest);
        Ok(Self {
            mass: masses(mesh, fabric),
            triangles: mesh.triangles().to_vec(),
            hinges: hinges
                .iter()
                .zip(lattice::corrections(mesh))
                .enumerate()
                .map(|(i, (hinge, stiffer))| {
                    hinge_rest(mesh, fabric, maps, i, hinge).times(stiffer)
                })
                .collect(),
            springs: Springs::default(),
            thickness: thickness(mesh.vertex_count(), fabric.thickness, &edges),
            friction: vec![[fabric.friction_static, fabric.friction_kinetic]; mesh.vertex_count()],
            piece: vec![0; mesh.vertex_count()],
            tables: maps.tables.iter().map(|t| (0..triangle_count, t.clone())).collect(),
            triangle_rest,
            edges,
        })
    }

    /// Several cloths as one: vertices, triangles, edges and hinges one after the other.
    pub fn join(pieces: &[&Cloth]) -> Self {
        let mut joined = Self {
            mass: Vec::new(),
            triangles: Vec::new(),
            triangle_rest: Vec::new(),
            edges: Vec::new(),
            hinges: Vec::new(),
            springs: Springs::default(),
            thickness: Vec::new(),
            friction: Vec::new(),
            piece: Vec::new(),
            tables: Vec::new(),
        };
        for (number, piece) in pieces.iter().enumerate() {
            let offset = joined.mass.len() as u32;
            joined.mass.extend(&piece.mass);
            let first = joined.triangles.len();
            let tables = piece.tables.iter();
            joined.tables.extend(
                tables.map(|(range, t)| (range.start + first..range.end + first, t.clone())),
            );
            joined.triangles.extend(piece.triangles.iter().map(|t| t.map(|v| v + offset)));
            joined.triangle_rest.extend(&piece.triangle_rest);
            joined.edges.extend(
                piece
                    .edges
                    .iter()
                    .map(|e| EdgeRest { vertices: e.vertices.map(|v| v + offset), ..*e }),
            );
            joined.hinges.extend(
                piece
                    .hinges
                    .iter()
                    .map(|h| HingeRest { vertices: h.vertices.map(|v| v + offset), ..*h }),
            );
            joined.springs.append(&piece.springs, offset);
            joined.thickness.extend(&piece.thickness);
            joined.friction.extend(&piece.friction);
            joined.piece.extend(piece.mass.iter().map(|_| number as u32));
        }
        joined
    }

    /// Rest data of triangle `t` as it acts at the deformation `w`: that of a fabric with tables has the
    /// slope of the table as stiffness, and the target that gives its tension.
    #[inline]
    pub fn rest_at(&self, t: usize, w: &Map) -> TriangleRest {
        let mut rest = self.triangle_rest[t];
        if let Some((_, tables)) = self.tables.iter().find(|(range, _)| range.contains(&t)) {
            for (axis, length) in [w.u.length(), w.v.length()].into_iter().enumerate() {
                let (tension, slope) = tables[axis].at(length - rest.target[axis]);
                rest.stretch[axis] = slope;
                rest.target[axis] = length - tension / slope;
            }
        }
        rest
    }

    /// Stretch and shear energy of triangle `t` \[J\].
    pub fn membrane_energy(&self, t: usize, x: &[Vec3]) -> f64 {
        let rest = self.triangle_rest[t];
        let corners = self.triangles[t].map(|v| x[v as usize]);
        let Some((_, tables)) = self.tables.iter().find(|(range, _)| range.contains(&t)) else {
            return membrane::energy(&rest, corners);
        };
        let w = Map::of(&rest, corners);
        let strains = [w.u.length() - rest.target[0], w.v.length() - rest.target[1]];
        let stretch: f64 = tables.iter().zip(strains).map(|(table, e)| table.energy(e)).sum();
        membrane::energy(&TriangleRest { stretch: [0.0; 2], ..rest }, corners) + rest.area * stretch
    }

    /// This cloth with another law of bending at all its hinges (MF4).
    #[must_use]
    pub fn with_bend_form(mut self, form: BendForm) -> Self {
        self.hinges.iter_mut().for_each(|hinge| hinge.form = form);
        self
    }

    /// This cloth with stretch and shear conditions scaled by the area `a`, as BW print them, instead of by
    /// `√a`: the energy of a triangle is `½ k a²|C|²` per 1 cm², so that small triangles are soft, and
    /// refining a mesh makes cloth softer. Only for comparison. Bending is not scaled by area in either.
    #[must_use]
    pub fn with_literal_areas(mut self) -> Self {
        for rest in &mut self.triangle_rest {
            let share = rest.area / LITERAL_AREA;
            rest.stretch = rest.stretch.map(|k| k * share);
            rest.shear *= share;
            rest.stretch_damping *= share;
            rest.shear_damping *= share;
        }
        self
    }

    /// This cloth with springs between its vertices (BF1).
    #[must_use]
    pub fn with_springs(self, springs: Springs) -> Self {
        Self { springs, ..self }
    }

    /// This cloth with edges that may change their length by no more than `limit` in a step \[-\] (BF2).
    #[must_use]
    pub fn with_rate_limit(mut self, limit: f64) -> Self {
        self.edges.iter_mut().for_each(|edge| edge.rate_limit = limit);
        self
    }

    /// This cloth with the same mass at every vertex (BF1): borders are heavier than their area.
    #[must_use]
    pub fn with_equal_masses(mut self) -> Self {
        let each = self.total_mass() / self.vertex_count() as f64;
        self.mass.fill(each);
        self
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.mass.len()
    }

    /// Total mass \[kg\].
    pub fn total_mass(&self) -> f64 {
        self.mass.iter().sum()
    }

    /// Largest edge length ÷ rest length − 1 at positions `x`.
    pub fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        self.edges.iter().map(|e| edge_length(e, x) / e.length - 1.0).fold(f64::MIN, f64::max)
    }
}

fn edge_length(edge: &EdgeRest, x: &[Vec3]) -> f64 {
    let [a, b] = edge.vertices.map(|v| x[v as usize]);
    a.distance(b)
}

fn check_map(
    map: &'static str,
    element: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), MapError> {
    if found == 0 || found == expected {
        Ok(())
    } else {
        Err(MapError { map, element, found, expected })
    }
}

/// The painted value where there is a map, else the fabric's.
fn painted<T: Copy>(map: &[T], index: usize, fabric: T) -> T {
    map.get(index).copied().unwrap_or(fabric)
}

/// Damping of a painted element: the fabric's, in proportion to the stiffness.
fn scaled(damping: f64, stiffness: f64, fabric_stiffness: f64) -> f64 {
    if fabric_stiffness > 0.0 { damping * stiffness / fabric_stiffness } else { 0.0 }
}

/// BW3, BW4: `w_u = (Δx1 Δv2 − Δx2 Δv1)/D`, `w_v = (Δx2 Δu1 − Δx1 Δu2)/D`.
fn triangle_rest(mesh: &TriMesh, fabric: &Fabric, maps: &Maps, t: usize) -> TriangleRest {
    let uv = &mesh.uv()[t];
    let (e1, e2) = (uv[1] - uv[0], uv[2] - uv[0]);
    let d = e1.perp_dot(e2);
    let (du1, du2) = (e2.y / d, -e1.y / d);
    let (dv1, dv2) = (-e2.x / d, e1.x / d);
    let stretch = painted(&maps.stretch, t, fabric.stretch);
    let shear = painted(&maps.shear, t, fabric.shear);
    let [mean, fabric_mean] = [stretch, fabric.stretch].map(|[u, v]| 0.5 * (u + v));
    TriangleRest {
        area: 0.5 * d,
        du: [-du1 - du2, du1, du2],
        dv: [-dv1 - dv2, dv1, dv2],
        target: painted(&maps.shrink, t, [1.0, 1.0]),
        stretch,
        shear,
        stretch_damping: scaled(fabric.stretch_damping, mean, fabric_mean),
        shear_damping: scaled(fabric.shear_damping, shear, fabric.shear),
    }
}

/// BW2: a third of density × rest area of every incident triangle.
fn masses(mesh: &TriMesh, fabric: &Fabric) -> Vec<f64> {
    let mut mass = vec![0.0; mesh.vertex_count()];
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let third = fabric.density * mesh.rest_area(t) / 3.0;
        for &v in corners {
            mass[v as usize] += third;
        }
    }
    mass
}

fn edge_rest(mesh: &TriMesh, fabric: &Fabric, rest: &[TriangleRest]) -> Vec<EdgeRest> {
    let length_in = |t: u32, vertices: [u32; 2]| {
        let [a, b] = mesh.edge_uv(t as usize, vertices);
        let [bu, bv] = rest[t as usize].target;
        ((b - a) * Vec2::new(bu, bv)).length()
    };
    mesh.topology()
        .edges()
        .iter()
        .map(|edge| {
            let first = length_in(edge.triangles[0], edge.vertices);
            let length = match edge.triangles[1] {
                NO_TRIANGLE => first,
                t => 0.5 * (first + length_in(t, edge.vertices)),
            };
            EdgeRest {
                vertices: edge.vertices,
                length,
                strain_limit: fabric.strain_limit,
                compression_limit: fabric.compression_limit,
                rate_limit: f64::INFINITY,
            }
        })
        .collect()
}

/// BW5 with V5: rigidity across the edge `D = (D_u Δv² + D_v Δu²)/(Δu² + Δv²)`, and
/// `k_e = D|e|²/(A1+A2)` so that `½k_e(θ−θ̄)²` summed over hinges is `½D∫κ²`.
///
/// Deviation: BW interpolates `k_u`, `k_v` by the edge's own direction; a fold *along* an edge bends
/// the yarns *across* it, so an edge along v takes the rigidity of the u yarns it bends. And every hinge is
/// as much stiffer as the [`lattice`] it is part of needs (V4).
fn hinge_rest(
    mesh: &TriMesh,
    fabric: &Fabric,
    maps: &Maps,
    index: usize,
    hinge: &Hinge,
) -> HingeRest {
    let ends = [hinge.vertices[2], hinge.vertices[3]];
    let rigidity = painted(&maps.bending, index, fabric.bending);
    let mut stiffness = 0.0;
    let mut length_squared = 0.0;
    for t in hinge.triangles {
        let [a, b] = mesh.edge_uv(t as usize, ends);
        let e = b - a;
        let [d_u, d_v] = rigidity;
        stiffness += 0.5 * (d_u * e.y * e.y + d_v * e.x * e.x) / e.length_squared();
        length_squared += 0.5 * e.length_squared();
    }
    let areas: f64 = hinge.triangles.iter().map(|&t| mesh.rest_area(t as usize)).sum();
    let shape = length_squared / areas;
    let [mean, fabric_mean] = [rigidity, fabric.bending].map(|[u, v]| 0.5 * (u + v));
    HingeRest {
        vertices: hinge.vertices,
        stiffness: stiffness * shape,
        damping: scaled(fabric.bend_damping, mean, fabric_mean) * shape,
        rest_angle: painted(&maps.rest_angles, index, 0.0),
        form: BendForm::default(),
    }
}

fn thickness(vertex_count: usize, thickness: f64, edges: &[EdgeRest]) -> Vec<f64> {
    let mut shortest = vec![f64::INFINITY; vertex_count];
    for edge in edges {
        for v in edge.vertices {
            shortest[v as usize] = shortest[v as usize].min(edge.length);
        }
    }
    let clamp =
        |edge: f64| thickness.max(MIN_THICKNESS_PER_EDGE * edge).min(MAX_THICKNESS_PER_EDGE * edge);
    shortest.into_iter().map(clamp).collect()
}
