//! Cloth in the shape of a sculpture: limbs that flow into each other, closed all around (MF10).

mod even;

use super::RunError;
use super::bodies::blended;
use super::cloth::{Piece, piece};
use crate::spec::{self, Blend};
use muslin::body::BodyMesh;
use muslin::math::Vec3;
use muslin::mesh::{MeshError, TriMesh, flattened};

/// Edges that are tried one after the other, as shares of the one asked for [-]: where limbs nearly touch,
/// cells may see more than one sheet of the surface and tie them together.
const EDGES: [f64; 8] = [1.0, 0.98, 0.96, 0.94, 0.92, 0.9, 0.88, 0.86];

/// The surface of a blend as cloth that is at rest in that shape.
pub(super) fn piece_of(spec: &spec::Cloth, blend: &Blend, place: &str) -> Result<Piece, RunError> {
    let mut problem = None;
    for share in EDGES {
        let (mesh, positions) = match surface(blend, spec.scale, share) {
            Ok(made) => made,
            Err(error) => {
                problem.get_or_insert(error);
                continue;
            }
        };
        // Placing scales what is scaled already.
        let positions = positions.into_iter().map(|x| x / spec.scale).collect();
        return Ok(piece(spec, mesh, positions, None));
    }
    let problem = problem.map(|error| format!(" ({error})")).unwrap_or_default();
    let remedy =
        "a smaller `edge` or a larger `smooth` keeps limbs that nearly touch apart or joins them";
    Err(RunError::part(place, format!("the surface of its blend is no cloth{problem}; {remedy}")))
}

/// The surface, scaled, with triangles of this share of their edge [m].
fn surface(blend: &Blend, scale: f64, share: f64) -> Result<(TriMesh, Vec<Vec3>), MeshError> {
    let mut sculpture = blended(blend, scale, share);
    even::even_out(&mut sculpture);
    let BodyMesh { positions, triangles } = sculpture;
    let uv = triangles.iter().map(|t| flattened(t.map(|v| positions[v as usize]))).collect();
    Ok((TriMesh::new(positions.len(), triangles, uv)?, positions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin::levelset::Solid;

    /// A sculpted ball has the size it was given, is closed, and has no needles.
    #[test]
    fn mf10_a_ball_is_closed_and_even() {
        let limb = spec::Limb { from: Vec3::ZERO, to: Vec3::ZERO, radii: [0.2; 2] };
        let blend = Blend { limbs: vec![limb], carved: Vec::new(), smooth: 0.0, edge: Some(0.02) };
        let cloth = spec::Cloth { scale: 2.0, ..spec::Cloth::default() };
        let ball = piece_of(&cloth, &blend, "ball").unwrap();
        let (x, triangles) = (ball.positions.clone(), ball.mesh.triangles().to_vec());
        for x in &x {
            assert!((x.length() - 0.2).abs() < 2e-3, "{x}");
        }
        // Twice the size, of spheres of area 4πr².
        let rest: f64 = (0..triangles.len()).map(|t| ball.mesh.rest_area(t)).sum();
        assert!((rest / (16.0 * std::f64::consts::PI * 0.04) - 1.0).abs() < 0.02, "{rest}");
        // Euler: a closed surface of one piece without handles.
        assert_eq!(triangles.len(), 2 * x.len() - 4);
        let edges = ball.mesh.topology().edges();
        let lengths: Vec<f64> = (0..edges.len()).map(|e| ball.mesh.rest_length(e)).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        let shortest = lengths.iter().copied().fold(f64::MAX, f64::min);
        assert!(shortest > 0.2 * mean, "{shortest} of {mean}");
        assert!(Solid::new(&BodyMesh { positions: x, triangles }).unwrap().is_closed());
    }
}
