//! How good triangles are.

use muslin::math::Vec2;

/// Measures of a mesh's triangles in rest coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Smallest angle \[rad\].
    pub least_angle: f64,
    /// Shortest edge \[m\].
    pub shortest_edge: f64,
    /// Longest edge \[m\].
    pub longest_edge: f64,
    /// Area \[m²\].
    pub area: f64,
}

impl Quality {
    /// Measures rest triangles.
    pub fn of(triangles: &[[Vec2; 3]]) -> Self {
        let start = Self {
            least_angle: f64::INFINITY,
            shortest_edge: f64::INFINITY,
            longest_edge: 0.0,
            area: 0.0,
        };
        triangles.iter().fold(start, |sum, &[a, b, c]| {
            let sides = [(b - a).length(), (c - b).length(), (a - c).length()];
            Self {
                least_angle: sum.least_angle.min(least_angle([a, b, c])),
                shortest_edge: sides.iter().copied().fold(sum.shortest_edge, f64::min),
                longest_edge: sides.iter().copied().fold(sum.longest_edge, f64::max),
                area: sum.area + 0.5 * (b - a).perp_dot(c - a),
            }
        })
    }
}

/// The smallest angle of a triangle \[rad\]; not positive where it is turned over or flat.
pub(crate) fn least_angle(corners: [Vec2; 3]) -> f64 {
    let [x, y, z] = angles(corners);
    x.min(y).min(z)
}

/// The angles of a triangle at its corners \[rad\], negative where it is turned over.
pub(super) fn angles([a, b, c]: [Vec2; 3]) -> [f64; 3] {
    let angle = |p: Vec2, q: Vec2, r: Vec2| {
        let (u, v) = (q - p, r - p);
        u.perp_dot(v).atan2(u.dot(v))
    };
    [angle(a, b, c), angle(b, c, a), angle(c, a, b)]
}
