//! From a sculpted field to triangles: one vertex in every cell that the surface crosses, at the mean of
//! where it crosses the cell's edges, and a quad across every edge it crosses (surface nets).

use super::grid::Grid;
use crate::body::BodyMesh;
use crate::math::Vec3;

impl Grid {
    /// The surface where the distance is zero. It is closed if the distance is positive all around the
    /// grid.
    pub fn surface(&self) -> BodyMesh {
        let mut mesh = BodyMesh::default();
        let [nx, ny, nz] = self.counts;
        if self.values.len() != nx * ny * nz || nx.min(ny).min(nz) < 2 {
            return mesh;
        }
        let mut vertex = vec![u32::MAX; self.values.len()];
        for i in 0..self.values.len() {
            if let Some(x) = self.crossing(i) {
                vertex[i] = mesh.positions.len() as u32;
                mesh.positions.push(x);
            }
        }
        let strides = [ny * nz, nz, 1];
        for i in 0..self.values.len() {
            for axis in 0..3 {
                let (u, v) = (strides[(axis + 1) % 3], strides[(axis + 2) % 3]);
                let at = self.point(i);
                let has_ring = at[(axis + 1) % 3] > 0 && at[(axis + 2) % 3] > 0;
                if !has_ring || at[axis] + 1 >= self.counts[axis] {
                    continue;
                }
                let leaves = self.values[i] < 0.0;
                if leaves == (self.values[i + strides[axis]] < 0.0) {
                    continue;
                }
                let ring = [i, i - u, i - u - v, i - v].map(|cell| vertex[cell]);
                if ring.contains(&u32::MAX) {
                    continue;
                }
                let [a, b, c, d] = if leaves { ring } else { [ring[3], ring[2], ring[1], ring[0]] };
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        mesh
    }

    /// The mean of the points where the surface crosses the edges of the cell whose lowest point is `i`.
    fn crossing(&self, i: usize) -> Option<Vec3> {
        let [_, ny, nz] = self.counts;
        let at = self.point(i);
        if (0..3).any(|k| at[k] + 1 >= self.counts[k]) {
            return None;
        }
        let strides = [ny * nz, nz, 1];
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for axis in 0..3 {
            let (u, v) = (strides[(axis + 1) % 3], strides[(axis + 2) % 3]);
            for start in [i, i + u, i + v, i + u + v] {
                let end = start + strides[axis];
                let (a, b) = (self.values[start], self.values[end]);
                if (a < 0.0) != (b < 0.0) {
                    sum += self.place(start).lerp(self.place(end), a / (a - b));
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levelset::Solid;

    /// A ball comes out closed, facing outwards, and round.
    #[test]
    fn a_sculpted_ball_becomes_a_closed_mesh() {
        let grid = Grid::sample([25; 3], Vec3::splat(-0.24), 0.02, |p| p.length() - 0.2);
        let mesh = grid.surface();
        let solid = Solid::new(&mesh).unwrap();
        assert!(solid.is_closed() && mesh.triangles.len() > 2000);
        for x in &mesh.positions {
            assert!((x.length() - 0.2).abs() < 2e-3, "{x}");
        }
    }
}
