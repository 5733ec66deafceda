//! What holds each vertex at the moment: for pictures, not for the simulation.

use super::Runner;
use super::engine::Engine;
use muslin::contact::touch::Grip;

/// A pin holds it.
pub const PINNED: u8 = 1;
/// It rests on a body.
pub const ON_BODY: u8 = 2;
/// It does not slide on what it rests on.
pub const STICKING: u8 = 4;
/// It rests on cloth.
pub const ON_CLOTH: u8 = 8;

impl Runner {
    /// A sum of [`PINNED`], [`ON_BODY`], [`STICKING`] and [`ON_CLOTH`] for every cloth vertex; real-time
    /// dynamics only know what is pinned.
    pub fn marks(&self) -> Vec<u8> {
        let mut marks = vec![0; self.vertex_count()];
        let engine = match &self.engine {
            Engine::Implicit(engine) => engine,
            Engine::Curtain(engine) => {
                engine.held().for_each(|vertex| marks[vertex] = PINNED);
                return marks;
            }
            Engine::Sparse(engine) => {
                engine.held().for_each(|vertex| marks[vertex] = PINNED);
                return marks;
            }
        };
        let mut first = 0;
        for (m, piece) in self.pieces.iter().enumerate() {
            for island in engine.islands.iter().filter(|island| island.members.contains(&m)) {
                let (vertices, _) = engine.stock.ranges(island, m);
                let mut mark = |vertex: u32, bits: u8| {
                    if vertices.contains(&(vertex as usize)) {
                        marks[first + vertex as usize - vertices.start] |= bits;
                    }
                };
                let state = &island.simulation.state;
                for (pin, anchor) in island.simulation.pins.iter().zip(&state.anchors) {
                    mark(pin.vertex, if anchor.is_some() { PINNED } else { 0 });
                }
                for touch in &state.contact.touches {
                    mark(touch.vertex, grip_bits(touch.grip, ON_BODY));
                }
                for clutched in &state.contact.clutches {
                    let bits = grip_bits(clutched.grip, ON_CLOTH);
                    clutched.pair.vertices().into_iter().for_each(|v| mark(v, bits));
                }
            }
            first += piece.positions.len();
        }
        marks
    }
}

fn grip_bits(grip: Grip, touching: u8) -> u8 {
    match grip {
        Grip::Sticking => touching | STICKING,
        Grip::Sliding(_) => touching,
        Grip::Released => 0,
    }
}
