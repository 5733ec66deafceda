//! Where bodies close in on cloth from opposite sides and will leave it less room than it is thick (R1).

use super::approach::{Approach, Nearby};
use super::ladder::{LANDING_SHARE, Ladder};
use super::touch;
use crate::math::Vec3;

/// Normals are opposed where the cosine between them is below this.
const OPPOSED: f64 = -0.7;

/// Room that is too little, as a share of the thickness: that which collisions leave.
const TOO_LITTLE: f64 = LANDING_SHARE;

/// One side of a vertex: a body there, and how far from the vertex it will be at the end of the step if
/// the vertex stays.
struct Side {
    vertex: u32,
    normal: Vec3,
    room: f64,
}

impl Approach {
    /// The vertices that bodies will have no room for at the end of the step; sorted.
    pub fn squeezed(&self, ladder: &Ladder) -> Vec<u32> {
        let mut sides: Vec<Side> =
            self.near.iter().filter_map(|near| self.side(near, ladder)).collect();
        sides.sort_by_key(|side| side.vertex);
        let squeezed = |sides: &&[Side]| {
            let too_little = TOO_LITTLE * ladder.thickness[sides[0].vertex as usize];
            let tight = |a: &Side, b: &Side| {
                a.normal.dot(b.normal) < OPPOSED && a.room + b.room < too_little
            };
            sides.iter().enumerate().any(|(k, a)| sides[..k].iter().any(|b| tight(a, b)))
        };
        let groups = sides.chunk_by(|a, b| a.vertex == b.vertex);
        groups.filter(squeezed).map(|sides| sides[0].vertex).collect()
    }

    fn side(&self, near: &Nearby, ladder: &Ladder) -> Option<Side> {
        let Nearby { overlap, contact, .. } = near;
        if near.watched || !touch::is_vertex_on_body(contact, ladder.cloth_count) {
            return None;
        }
        let [vertex, others @ ..] = contact.vertices;
        let mut surface = contact.surface;
        for (&other, weight) in others.iter().zip(&contact.weights[1..]) {
            if *weight != 0.0 {
                surface -= self.all.v[other as usize] * *weight;
            }
        }
        let thickness = ladder.thickness[vertex as usize];
        let room = thickness - *overlap - surface.dot(contact.normal) * self.all.dt;
        Some(Side { vertex, normal: contact.normal, room })
    }
}
