//! What stays the same from frame to frame, as a message.

use muslin_scene::cache::Topology;

/// First byte of a topology's message.
const TOPOLOGY: u8 = 2;

/// Triangles, cloth edges and their rest lengths; `cloth_count` vertices are cloth.
pub fn topology_message(topology: &Topology, cloth_count: usize) -> Vec<u8> {
    let mut out = vec![TOPOLOGY, 0, 0, 0];
    let counts = [
        cloth_count,
        topology.body_positions.len(),
        topology.triangles.len(),
        topology.edges.len(),
    ];
    out.extend(counts.iter().flat_map(|n| (*n as u32).to_le_bytes()));
    out.extend(topology.triangles.as_flattened().iter().flat_map(|v| v.to_le_bytes()));
    out.extend(topology.edges.as_flattened().iter().flat_map(|v| v.to_le_bytes()));
    out.extend(topology.rest_lengths.iter().flat_map(|l| (*l as f32).to_le_bytes()));
    out
}
