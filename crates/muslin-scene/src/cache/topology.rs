//! `topology.npz`: what stays the same from frame to frame.

use muslin::math::Vec3;

use super::run::Run;

/// Connectivity and rest data of all surfaces; vertices are numbered through, cloths then bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topology {
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Rest coordinates of each triangle's corners [m]; zeros on bodies.
    pub corner_uv: Vec<[[f64; 2]; 3]>,
    /// Where each polygon of the imported mesh starts in `polygon_vertices`, and the end of the
    /// last: one entry more than there are polygons.
    pub polygon_offsets: Vec<u32>,
    /// Vertices of the polygons, one after the other.
    pub polygon_vertices: Vec<u32>,
    /// Material of each polygon, an index into `material_names`; `None` where it wears none.
    pub polygon_materials: Vec<Option<u32>>,
    /// Names of the imported materials, surface after surface.
    pub material_names: Vec<String>,
    /// Texture coordinates [-], surface after surface, in the order of the imported file; of a
    /// sheet that was not imported, its rest coordinates [m].
    pub texture_uv: Vec<[f64; 2]>,
    /// Texture coordinate of each entry of `polygon_vertices`, an index into `texture_uv`; `None`
    /// where it has none.
    pub polygon_uv: Vec<Option<u32>>,
    /// Ends of each cloth edge.
    pub edges: Vec<[u32; 2]>,
    /// Rest length of each cloth edge [m].
    pub rest_lengths: Vec<f64>,
    /// Positions of the body vertices at the first frame [m].
    pub body_positions: Vec<Vec3>,
}

impl Topology {
    /// Checks the arrays against one another and against the run's surfaces; the message says
    /// which does not fit.
    pub(super) fn check(&self, run: &Run) -> Result<(), String> {
        self.check_counts(run)?;
        let offsets = &self.polygon_offsets;
        let ends = (offsets.first().copied(), offsets.last().copied());
        let vertex_count = self.polygon_vertices.len() as u32;
        if ends != (Some(0), Some(vertex_count)) || offsets.windows(2).any(|w| w[0] > w[1]) {
            return Err(format!("`polygon_offsets` must rise from 0 to {vertex_count}"));
        }
        let total = (run.cloth_vertex_count() + run.body_vertex_count()) as u32;
        let groups: [(&str, &[u32]); 3] = [
            ("triangles", self.triangles.as_flattened()),
            ("polygon_vertices", &self.polygon_vertices),
            ("edges", self.edges.as_flattened()),
        ];
        for (name, vertices) in groups {
            if let Some(at) = vertices.iter().position(|&v| v >= total) {
                return Err(format!(
                    "entry {at} of `{name}` is vertex {}, and there are {total} vertices",
                    vertices[at]
                ));
            }
        }
        self.check_looks()?;
        self.check_numbers()
    }

    /// Materials and texture coordinates that polygons name must be there.
    fn check_looks(&self) -> Result<(), String> {
        let groups = [
            ("polygon_materials", &self.polygon_materials, self.material_names.len()),
            ("polygon_uv", &self.polygon_uv, self.texture_uv.len()),
        ];
        for (name, indices, count) in groups {
            let wrong = |index: u32| index as usize >= count || i32::try_from(index).is_err();
            if let Some(at) = indices.iter().position(|index| index.is_some_and(wrong)) {
                let index = indices[at].unwrap_or_default();
                return Err(format!("entry {at} of `{name}` is {index}, and there are {count}"));
            }
        }
        Ok(())
    }

    fn check_counts(&self, run: &Run) -> Result<(), String> {
        let last = run.surfaces.last();
        let triangle_count = last.map_or(0, |s| s.triangles.range().end);
        let polygon_count = last.map_or(0, |s| s.polygons.range().end);
        let counts = [
            ("triangles", self.triangles.len(), triangle_count),
            ("corner_uv", self.corner_uv.len(), triangle_count),
            ("polygon_offsets", self.polygon_offsets.len(), polygon_count + 1),
            ("polygon_materials", self.polygon_materials.len(), polygon_count),
            ("polygon_uv", self.polygon_uv.len(), self.polygon_vertices.len()),
            ("rest_lengths", self.rest_lengths.len(), self.edges.len()),
            ("body_positions", self.body_positions.len(), run.body_vertex_count()),
        ];
        match counts.iter().find(|(_, count, expected)| count != expected) {
            None => Ok(()),
            Some((name, count, expected)) => {
                Err(format!("`{name}` has {count} rows, and the surfaces make {expected}"))
            }
        }
    }

    fn check_numbers(&self) -> Result<(), String> {
        let all_finite = |numbers: &[f64]| numbers.iter().all(|c| c.is_finite());
        let groups = [
            ("body_positions", self.body_positions.iter().all(|p| p.is_finite())),
            ("corner_uv", all_finite(self.corner_uv.as_flattened().as_flattened())),
            ("texture_uv", all_finite(self.texture_uv.as_flattened())),
        ];
        if let Some((name, _)) = groups.iter().find(|(_, finite)| !finite) {
            return Err(format!("`{name}` holds a number that is not finite"));
        }
        match self.rest_lengths.iter().position(|l| !(l.is_finite() && *l >= 0.0)) {
            None => Ok(()),
            Some(edge) => Err(format!(
                "the rest length of edge {edge} is {}, and must be finite and not negative",
                self.rest_lengths[edge]
            )),
        }
    }
}
