//! From `[[cloth.crease]]` to rest angles of hinges (MF5).

use super::RunError;
use super::cloth::Piece;
use crate::spec::{self, Crease};
use muslin::cloth::Maps;
use muslin::fabric::Fabric;
use muslin::math::Vec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Writes all creases of a cloth into its maps; later ones win where they meet.
pub fn apply(
    spec: &spec::Cloth,
    piece: &Piece,
    fabric: &Fabric,
    maps: &mut Maps,
) -> Result<(), RunError> {
    if spec.crease.is_empty() {
        return Ok(());
    }
    let hinges = piece.mesh.topology().hinges();
    maps.rest_angles.resize(hinges.len(), 0.0);
    maps.bending.resize(hinges.len(), fabric.bending);
    for (number, crease) in spec.crease.iter().enumerate() {
        let place = format!("cloth `{}`, crease {number}", spec.name);
        let mut edges = edges(crease, piece, &place)?;
        edges.sort_unstable();
        let mut found = 0;
        for (k, hinge) in hinges.iter().enumerate() {
            // The ends of a hinge's edge are in increasing order.
            if edges.binary_search(&[hinge.vertices[2], hinge.vertices[3]]).is_ok() {
                maps.rest_angles[k] = crease.angle.to_radians();
                maps.bending[k] = maps.bending[k].map(|d| d * crease.stiffness);
                found += 1;
            }
        }
        if found == 0 {
            let message = "it lies on no edge between two triangles; move it into the cloth";
            return Err(RunError::part(&place, message));
        }
    }
    Ok(())
}

/// The edges of a crease, each with its smaller vertex first.
fn edges(crease: &Crease, piece: &Piece, place: &str) -> Result<Vec<[u32; 2]>, RunError> {
    let sorted = |a: u32, b: u32| [a.min(b), a.max(b)];
    let all = piece.mesh.topology().edges();
    if let Some(formula) = &crease.formula {
        let chosen = |v: u32| formula.at(&piece.point(v as usize)) != 0.0;
        let inside = all.iter().filter(|e| e.vertices.into_iter().all(chosen));
        return Ok(inside.map(|e| e.vertices).collect());
    }
    let chain = match (&crease.chain, crease.line) {
        (Some(chain), _) => chain.clone(),
        (None, Some(line)) => along(line.map(Vec2::from), piece),
        (None, None) => Vec::new(),
    };
    let mut edges = Vec::new();
    for pair in chain.windows(2) {
        let edge = sorted(pair[0], pair[1]);
        if all.binary_search_by_key(&edge, |e| e.vertices).is_err() {
            let [a, b] = [pair[0], pair[1]];
            let message = format!(
                "vertices {a} and {b} of its chain are not joined by an edge; name every vertex in between"
            );
            return Err(RunError::part(place, message));
        }
        edges.push(edge);
    }
    Ok(edges)
}

/// The chain of edges that leaves a line least on its way from one end to the other: the path of the least
/// `∫ (ε² + distance²)`, with ε a hundredth of an edge, so that among paths on the line the shortest wins.
fn along([from, to]: [Vec2; 2], piece: &Piece) -> Vec<u32> {
    let uv = &piece.unit_uv;
    let nearest = |p: Vec2| {
        let far = |v: &usize| (uv[*v] - p).length_squared();
        (0..uv.len()).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0)
    };
    let (start, end) = (nearest(from), nearest(to));
    let axis = (to - from) / (to - from).length();
    let distance = |v: usize| (uv[v] - from).perp_dot(axis);
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); uv.len()];
    for edge in piece.mesh.topology().edges() {
        let [a, b] = edge.vertices.map(|v| v as usize);
        next[a].push(b);
        next[b].push(a);
    }
    let cost = |a: usize, b: usize| {
        let length = (uv[a] - uv[b]).length();
        let (p, q) = (distance(a), distance(b));
        length * (1e-4 * length * length + (p * p + p * q + q * q) / 3.0)
    };
    let mut least = vec![f64::INFINITY; uv.len()];
    let mut before = vec![usize::MAX; uv.len()];
    // Costs are positive, so their bits sort like they do.
    let mut queue = BinaryHeap::from([Reverse((0u64, start))]);
    least[start] = 0.0;
    while let Some(Reverse((bits, v))) = queue.pop() {
        if v == end {
            break;
        }
        if f64::from_bits(bits) > least[v] {
            continue;
        }
        for &w in &next[v] {
            let total = least[v] + cost(v, w);
            if total < least[w] {
                (least[w], before[w]) = (total, v);
                queue.push(Reverse((total.to_bits(), w)));
            }
        }
    }
    let mut chain = vec![end as u32];
    let mut at = end;
    while at != start && before[at] != usize::MAX {
        at = before[at];
        chain.push(at as u32);
    }
    chain
}

#[cfg(test)]
mod tests {
    use crate::runner::Runner;
    use crate::spec::SceneSpec;

    fn creased(crease: &str) -> Result<Vec<f64>, String> {
        let text = format!(
            "[[cloth]]\ngrid = {{ size = [1, 1], vertices = [11, 11] }}\n[[cloth.crease]]\n{crease}"
        );
        let scene = SceneSpec::from_toml(&text, "a.toml", &[]).map_err(|e| e.to_string())?;
        let runner = Runner::new(&scene).map_err(|e| e.to_string())?;
        Ok(runner.rest_angles())
    }

    /// A line of 10 edges, the same as a chain and as a formula; 90° is π/2.
    #[test]
    fn mf5_a_line_a_chain_and_a_formula_crease_the_same_edges() {
        let chain: Vec<String> = (0..11).map(|j| (j * 11 + 4).to_string()).collect();
        let by_chain = creased(&format!("chain = [{}]\nangle = 90", chain.join(", "))).unwrap();
        let by_line = creased("line = [[0.4, 0], [0.4, 1]]\nangle = 90").unwrap();
        let by_formula = creased("formula = \"abs(u - 0.4) < 0.01\"\nangle = 90").unwrap();
        let count = by_line.iter().filter(|a| **a == std::f64::consts::FRAC_PI_2).count();
        assert_eq!((count, &by_line, &by_line), (10, &by_chain, &by_formula));
        assert_eq!(by_line.iter().filter(|a| **a == 0.0).count(), by_line.len() - 10);
    }

    #[test]
    fn r6_creases_that_do_not_fit_are_named() {
        let cases = [
            (
                "chain = [0, 2]\nangle = 90",
                "vertices 0 and 2 of its chain are not joined by an edge",
            ),
            ("chain = [0, 121]\nangle = 90", "is vertex 121, but the cloth has 121 vertices"),
            ("line = [[0, 0], [0, 1]]\nangle = 90", "it lies on no edge between two triangles"),
            ("line = [[0, 0], [0, 1.5]]\nangle = 90", "which is too large"),
            ("line = [[0, 0], [0, 0]]\nangle = 90", "starts where it ends"),
            ("chain = [0, 1]\nangle = 190", "which is too large"),
            ("chain = [0]\nangle = 9", "has 1 vertices"),
            ("angle = 9", "exactly one of"),
        ];
        for (text, message) in cases {
            let error = creased(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
