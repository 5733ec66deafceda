//! First-level nodes: state and working arrays, row by row, panel after panel.

use super::panel::Panel;
use super::spec::AirResistance;
use crate::math::Vec3;

/// The nodes of all panels.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// Positions \[m\].
    pub x: Vec<Vec3>,
    /// Velocities \[m/s\].
    pub v: Vec<Vec3>,
    /// Masses \[kg\].
    pub mass: Vec<f64>,
    /// Areas \[m²\].
    pub area: Vec<f64>,
    /// Air resistance at unit speed over mass, `ρ c_r A / m` \[1/m\].
    pub drag: Vec<f64>,
    /// New positions, as far as the step knows them \[m\].
    pub next: Vec<Vec3>,
    /// How easily a node moves: 0 if held, else one over its mass including the drag it
    /// will meet during the step \[1/kg\].
    pub mobility: Vec<f64>,
    /// Wind force \[N\].
    pub load: Vec<Vec3>,
    /// Velocity of the air \[m/s\].
    pub air: Vec<Vec3>,
    /// How much the rods above and below a node are smoothed into line: 1, less in a tie-back \[-\].
    pub bend: Vec<f64>,
    /// Direction from the upper neighbour, later the whole rod.
    pub rod: Vec<Vec3>,
    /// Reciprocal pivot, tension and coupling to the rod above, of the upward sweep.
    pub pivot: Vec<f64>,
    pub tension: Vec<f64>,
    pub coupling: Vec<f64>,
}

impl Nodes {
    /// Adds the nodes of a panel at rest at `positions`.
    pub fn add(
        &mut self,
        panel: &Panel,
        air: &AirResistance,
        positions: impl Iterator<Item = Vec3>,
    ) {
        self.x.extend(positions);
        let count = self.x.len();
        for i in 0..panel.rows {
            for j in 0..panel.columns {
                let (mass, area) = (panel.mass(i, j), panel.area(i, j));
                self.mass.push(mass);
                self.area.push(area);
                let resistance = panel.resistance(air, i, j);
                self.drag.push(air.density * resistance * area / mass);
            }
        }
        for vectors in [&mut self.v, &mut self.next, &mut self.load, &mut self.air, &mut self.rod] {
            vectors.resize(count, Vec3::ZERO);
        }
        for scalars in [&mut self.mobility, &mut self.pivot, &mut self.tension, &mut self.coupling]
        {
            scalars.resize(count, 0.0);
        }
        self.bend.resize(count, 1.0);
        self.next.copy_from_slice(&self.x);
    }
}
