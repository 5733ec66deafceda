//! Dual contouring: one vertex for every sheet of surface in a cell, one quad for every edge of
//! the grid that the surface crosses.

use super::Triangulation;
use super::grid::Grid;
use muslin::math::Vec3;

/// A cell's corners are numbered `x + 2 y + 4 z`, its edges `4 axis + b₁ + 2 b₂` with the bits of
/// the two axes that follow the edge's own.
const EDGE_COUNT: usize = 12;

/// No vertex, no cell.
const NONE: u32 = u32::MAX;

fn corner_bits(axis: usize, along: usize, first: usize, second: usize) -> usize {
    along << axis | first << ((axis + 1) % 3) | second << ((axis + 2) % 3)
}

/// The two corners of an edge.
fn edge_corners(edge: usize) -> [usize; 2] {
    let (axis, first, second) = (edge / 4, edge & 1, edge >> 1 & 1);
    [0, 1].map(|along| corner_bits(axis, along, first, second))
}

/// Corners and edges of the face across `axis` on side `side`, going around: edge `k` joins the
/// corners `k` and `k + 1`.
fn face(axis: usize, side: usize) -> ([usize; 4], [usize; 4]) {
    let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
    let corners =
        [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| side << axis | a << second | b << third);
    // Along `second` the following axes are (third, axis); along `third` they are (axis, second).
    let along_second = |b: usize| 4 * second + b + 2 * side;
    let along_third = |a: usize| 4 * third + side + 2 * a;
    (corners, [along_second(0), along_third(1), along_second(1), along_third(0)])
}

/// For every edge of a cell the sheet that crosses it, counted from 0; `NONE` where none does.
fn sheets(values: &[f64; 8]) -> ([u32; EDGE_COUNT], u32) {
    let inside = |c: usize| values[c] < 0.0;
    let mut links = [[NONE as usize; 2]; EDGE_COUNT];
    let mut link = |a: usize, b: usize| {
        for (from, to) in [(a, b), (b, a)] {
            let slot = usize::from(links[from][0] != NONE as usize);
            links[from][slot] = to;
        }
    };
    for axis in 0..3 {
        for side in 0..2 {
            let (corners, edges) = face(axis, side);
            let crossed: Vec<usize> =
                (0..4).filter(|&k| inside(corners[k]) != inside(corners[(k + 1) % 4])).collect();
            match crossed[..] {
                [a, b] => link(edges[a], edges[b]),
                [_, _, _, _] => {
                    // The face is crossed twice; what its middle belongs to is connected.
                    let middle: f64 = corners.iter().map(|&c| values[c]).sum();
                    let cut_first = inside(corners[0]) != (middle < 0.0);
                    let first = usize::from(!cut_first);
                    for corner in [first, first + 2] {
                        link(edges[(corner + 3) % 4], edges[corner % 4]);
                    }
                }
                _ => {}
            }
        }
    }
    let (mut sheet, mut count) = ([NONE; EDGE_COUNT], 0);
    for start in 0..EDGE_COUNT {
        if links[start][0] == NONE as usize || sheet[start] != NONE {
            continue;
        }
        let mut edge = start;
        while sheet[edge] == NONE {
            sheet[edge] = count;
            let [a, b] = links[edge];
            edge = if sheet[a] == NONE { a } else { b };
        }
        count += 1;
    }
    (sheet, count)
}

/// Every cell that the surface passes, with the vertex of each of its edges.
struct Active {
    cell_of: Vec<u32>,
    vertices: Vec<[u32; EDGE_COUNT]>,
}

/// The surface of a grid.
pub fn contour(grid: &Grid) -> Triangulation {
    let mut mesh = Triangulation::default();
    let active = place_vertices(grid, &mut mesh.positions);
    let [nx, ny, nz] = grid.nodes;
    for z in 1..nz - 1 {
        for y in 1..ny - 1 {
            for x in 1..nx - 1 {
                for axis in 0..3 {
                    add_quad(grid, &active, [x, y, z], axis, &mut mesh);
                }
            }
        }
    }
    mesh
}

fn cell_index(grid: &Grid, [x, y, z]: [usize; 3]) -> usize {
    x + (grid.nodes[0] - 1) * (y + (grid.nodes[1] - 1) * z)
}

fn place_vertices(grid: &Grid, positions: &mut Vec<Vec3>) -> Active {
    let [cx, cy, cz] = grid.nodes.map(|n| n - 1);
    let mut active = Active { cell_of: vec![NONE; cx * cy * cz], vertices: Vec::new() };
    for z in 0..cz {
        for y in 0..cy {
            for x in 0..cx {
                let corner = |c: usize| [x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)];
                let values: [f64; 8] = std::array::from_fn(|c| grid.value(corner(c)));
                let inside = values.iter().filter(|v| **v < 0.0).count();
                if inside == 0 || inside == 8 {
                    continue;
                }
                let (sheet, count) = sheets(&values);
                let first = positions.len() as u32;
                let mut sums = vec![(Vec3::ZERO, 0.0); count as usize];
                for edge in (0..EDGE_COUNT).filter(|&e| sheet[e] != NONE) {
                    let [a, b] = edge_corners(edge);
                    let s = values[a] / (values[a] - values[b]);
                    let point = grid.position(corner(a)).lerp(grid.position(corner(b)), s);
                    let sum = &mut sums[sheet[edge] as usize];
                    *sum = (sum.0 + point, sum.1 + 1.0);
                }
                positions.extend(sums.iter().map(|(sum, n)| *sum / *n));
                active.cell_of[cell_index(grid, [x, y, z])] = active.vertices.len() as u32;
                active.vertices.push(sheet.map(|s| if s == NONE { NONE } else { first + s }));
            }
        }
    }
    active
}

/// The quad around the edge that starts at a node, if the surface crosses it, as two triangles.
fn add_quad(grid: &Grid, active: &Active, node: [usize; 3], axis: usize, mesh: &mut Triangulation) {
    let mut next = node;
    next[axis] += 1;
    let (low, high) = (grid.value(node) < 0.0, grid.value(next) < 0.0);
    if low == high {
        return;
    }
    let corner = |first: usize, second: usize| {
        let mut cell = node;
        cell[(axis + 1) % 3] -= first;
        cell[(axis + 2) % 3] -= second;
        let slot = active.cell_of[cell_index(grid, cell)] as usize;
        active.vertices[slot][4 * axis + first + 2 * second]
    };
    // Counter-clockwise seen from the edge's far end.
    let mut quad = [corner(1, 1), corner(0, 1), corner(0, 0), corner(1, 0)];
    if !low {
        quad.reverse();
    }
    let length = |i: usize, j: usize| {
        mesh.positions[quad[i] as usize].distance_squared(mesh.positions[quad[j] as usize])
    };
    let [a, b, c, d] = quad;
    if length(0, 2) <= length(1, 3) {
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    } else {
        mesh.triangles.extend([[b, c, d], [b, d, a]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_list_the_edges_between_their_corners() {
        for (axis, side) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
            let (corners, edges) = face(axis, side);
            for k in 0..4 {
                let mut expected = [corners[k], corners[(k + 1) % 4]];
                expected.sort_unstable();
                assert_eq!(edge_corners(edges[k]), expected);
            }
        }
    }

    #[test]
    fn every_sign_pattern_gives_closed_sheets() {
        for pattern in 0..256_u32 {
            let values = std::array::from_fn(|c| if pattern >> c & 1 == 1 { -1.0 } else { 1.5 });
            let (sheet, count) = sheets(&values);
            for edge in 0..EDGE_COUNT {
                let [a, b] = edge_corners(edge);
                assert_eq!(sheet[edge] != NONE, (values[a] < 0.0) != (values[b] < 0.0));
            }
            for s in 0..count {
                assert!(sheet.iter().filter(|&&x| x == s).count() >= 3, "{pattern:08b}");
            }
        }
    }
}
