//! Which vertices pushed each other in a step, and nothing else (V2): what they lose together they must get back.

use super::zone::Zones;
use crate::cloth::Cloth;

/// Weights of a contact that add up to less than this cancel: it pushes cloth both ways.
const BALANCED: f64 = 1e-9;

/// Groups of cloth vertices that exchanged momentum, grown as contacts push.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    groups: Zones,
    /// Vertices that were pushed by something other than free cloth.
    anchored: Vec<bool>,
}

impl Exchange {
    /// Nobody has pushed anybody among `count` vertices of cloth.
    pub fn new(count: usize) -> Self {
        Self { groups: Zones::new(count), anchored: vec![false; count] }
    }

    /// Notes a contact that pushed: where its weights on cloth that can move do not cancel, something else took or
    /// gave momentum.
    pub fn note(&mut self, vertices: [u32; 4], weights: [f64; 4], inverse_mass: &[f64]) {
        let is_free = |v: u32| (v as usize) < self.anchored.len() && inverse_mass[v as usize] > 0.0;
        let pushed = vertices.into_iter().zip(weights).filter(|&(v, w)| w != 0.0 && is_free(v));
        let (free, weights): (Vec<u32>, Vec<f64>) = pushed.unzip();
        let Some(&first) = free.first() else { return };
        self.groups.join(&free);
        self.anchored[first as usize] |= weights.iter().sum::<f64>().abs() > BALANCED;
    }

    /// The vertices of every group that only pushed itself. Strain limits pass momentum on along edges whose ends
    /// were both touched.
    pub fn groups(
        mut self,
        cloth: &Cloth,
        touched: &[bool],
        inverse_mass: &[f64],
    ) -> Vec<Vec<u32>> {
        for edge in &cloth.edges {
            if edge.vertices.iter().all(|&v| touched[v as usize]) {
                self.groups.join(&edge.vertices);
            }
        }
        let is_held = |&v: &u32| self.anchored[v as usize] || inverse_mass[v as usize] == 0.0;
        let groups = self.groups.groups().into_iter();
        let alone = groups.filter(|group| !group.iter().any(is_held));
        alone.map(|group| group.into_iter().filter(|&v| touched[v as usize]).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::Maps;
    use crate::fabric::library;
    use crate::mesh::{Diagonals, Sheet};

    /// Two squares: vertices 0 to 3 and 4 to 7.
    fn squares() -> Cloth {
        let sheet = Sheet::grid([0.1, 0.1], [2, 2], Diagonals::Alternating).unwrap();
        let square = Cloth::new(&sheet.mesh, &library()[0].fabric, &Maps::default()).unwrap();
        Cloth::join(&[&square, &square])
    }

    fn groups(contacts: &[([u32; 4], [f64; 4])], held: Option<usize>) -> Vec<Vec<u32>> {
        let mut inverse_mass = vec![1.0; 8];
        if let Some(held) = held {
            inverse_mass[held] = 0.0;
        }
        // A body vertex.
        inverse_mass.push(0.0);
        let mut exchange = Exchange::new(8);
        for (vertices, weights) in contacts {
            exchange.note(*vertices, *weights, &inverse_mass);
        }
        let touched = [true, true, false, false, true, true, true, false];
        exchange.groups(&squares(), &touched, &inverse_mass)
    }

    #[test]
    fn v2_only_what_pushed_itself_is_a_group() {
        let across = ([0, 4, 5, 6], [1.0, -0.5, -0.3, -0.2]);
        assert_eq!(groups(&[across], None), [[0, 1, 4, 5, 6]]);
        // A ball, a mesh of a body, and a pin: something else has the momentum.
        assert!(groups(&[across, ([1, 1, 1, 1], [1.0, 0.0, 0.0, 0.0])], None).is_empty());
        assert!(groups(&[across, ([1, 4, 5, 8], [1.0, -0.5, -0.3, -0.2])], None).is_empty());
        assert!(groups(&[across], Some(1)).is_empty());
        // Without a contact between them the squares are two groups.
        assert_eq!(groups(&[], None), [vec![0, 1], vec![4, 5, 6]]);
    }
}
