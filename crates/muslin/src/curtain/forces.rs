//! The unified force on a node and where it would go without rods (XU2–XU4).

use super::Environment;
use super::nodes::Nodes;
use super::panel::Panel;
use super::spec::{AirResistance, Top};
use crate::link::Pull;
use crate::math::Vec3;

/// Share of its mobility that a node keeps in a closed tie-back. Zero would overdetermine a
/// straight column between rail and hook.
const TIED_MOBILITY: f64 = 0.01;

/// Sums the wind at `time` over all sources: as moving air and as force per node.
///
/// `normals` are the unit normals of the mesh; those of first-level nodes are used.
pub(super) fn blow(
    nodes: &mut Nodes,
    panels: &[Panel],
    normals: &[Vec3],
    environment: &Environment,
    time: f64,
) {
    nodes.air.fill(Vec3::ZERO);
    nodes.load.fill(Vec3::ZERO);
    for wind in environment.winds {
        let blow = wind.at(time);
        if blow.is_stream() {
            for (air, &x) in nodes.air.iter_mut().zip(&nodes.x) {
                *air += blow.velocity(x);
            }
            continue;
        }
        for panel in panels {
            for i in 0..panel.rows {
                let row = panel.first_node + i * panel.columns;
                let mesh_row = panel.first_vertex + i * panel.mesh_columns;
                for (node, column) in (row..).zip(panel.node_columns()) {
                    let normal = normals[mesh_row + column];
                    let pressure = blow.pressure(nodes.x[node], normal, &panel.permeability);
                    nodes.load[node] += pressure * nodes.area[node];
                }
            }
        }
    }
}

/// Where all nodes would be after `dt` without rods, and how mobile they are. XU §3, Eq. (1), (4).
///
/// `v* = (v + dt (g + f_wind/m + k u_air)) / (1 + dt k)`, `k = ρ c_r A max(|v − u_air|, threshold) / m`.
///
/// Deviation: the resistance is taken at the end of the step, so it never overshoots; below the
/// threshold it is linear with the slope it has at the threshold, so it has no jump there; it acts
/// on the velocity relative to the air, so that a uniform wind carries cloth along.
pub(super) fn predict(nodes: &mut Nodes, air: &AirResistance, gravity: Vec3, dt: f64) {
    for k in 0..nodes.x.len() {
        let v = nodes.v[k];
        let u = nodes.air[k];
        let inv_mass = 1.0 / nodes.mass[k];
        let rate = nodes.drag[k] * (v - u).length().max(air.threshold);
        let yielding = 1.0 / (1.0 + dt * rate);
        let accelerated = v + (gravity + nodes.load[k] * inv_mass + u * rate) * dt;
        nodes.next[k] = nodes.x[k] + accelerated * (yielding * dt);
        nodes.mobility[k] = inv_mass * yielding;
    }
}

/// Adds the pointer's spring (BW7) to what [`predict`] found for a node, as if it had been in its equation:
/// `1 / mobility` is the mass that the drag makes heavier, and the spring does so once more.
pub(super) fn pull(nodes: &mut Nodes, node: usize, pull: &Pull, dt: f64) {
    let (x, mass) = (nodes.x[node], 1.0 / nodes.mobility[node]);
    let predicted = (nodes.next[node] - x) / dt;
    nodes.next[node] = x + pull.velocity_after(x, predicted, mass, dt) * dt;
    nodes.mobility[node] = 1.0 / (mass + pull.inertia(dt));
}

/// Puts held nodes where they have to be at `time`: rings, tie-backs.
pub(super) fn hold(nodes: &mut Nodes, panel: &Panel, rings: &[f64], time: f64) {
    if let Top::Rail(rail) = &panel.top {
        for (j, &place) in rings.iter().enumerate() {
            nodes.next[panel.first_node + j] = rail.point(place);
            nodes.mobility[panel.first_node + j] = 0.0;
        }
    }
    let down = panel.frame[1];
    for tie in &panel.tie_backs {
        let engaged = tie.engaged.at(time).clamp(0.0, 1.0);
        let row = (tie.height * (panel.rows - 1) as f64).round() as usize;
        if row == 0 {
            continue;
        }
        let first = panel.first_node + row * panel.columns;
        for j in 0..panel.columns {
            let across = (j as f64 + 0.5) / panel.columns as f64 - 0.5;
            let target = tie.hook + panel.frame[0] * (tie.width * across);
            let next = &mut nodes.next[first + j];
            let off = target - *next;
            *next += (off - down * off.dot(down)) * engaged;
            nodes.bend[first + j] = 1.0 - engaged;
            nodes.mobility[first + j] *= 1.0 - engaged * (1.0 - TIED_MOBILITY);
        }
    }
}
