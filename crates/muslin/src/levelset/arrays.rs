//! A field as plain arrays, to be stored and read again.

use super::field::{Field, LEAF};
use super::lattice::{Lattice, MOST_CELLS};
use crate::math::Vec3;
use thiserror::Error;

/// Most times that cells can be split.
const MOST_LEVELS: u32 = 20;

/// Everything a field consists of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldArrays {
    /// The lowest corner of the field's box \[m\].
    pub origin: Vec3,
    /// Side of the finest cells \[m\].
    pub cell: f64,
    /// How often the coarsest cells can be split: they are `2^levels` finest cells long.
    pub levels: u32,
    /// Coarsest cells along x, y and z.
    pub roots: [u32; 3],
    /// The first of eight children (x fastest, then y, then z), or the number of a leaf plus 2³¹; the
    /// coarsest cells come first, x fastest.
    pub nodes: Vec<u32>,
    /// The corners of each leaf: numbers of values, x fastest.
    pub corners: Vec<[u32; 8]>,
    /// Signed distances \[m\].
    pub values: Vec<f64>,
    /// The nearest triangle at each value, or nothing.
    pub nearest: Vec<u32>,
}

/// Why arrays are not a field.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the stored field is damaged ({0}); delete it, and it is made again")]
pub struct FieldDamage(&'static str);

impl Field {
    /// The field as plain arrays.
    pub fn to_arrays(&self) -> FieldArrays {
        let Self { lattice, nodes, corners, values, nearest } = self.clone();
        let Lattice { origin, cell, levels, roots } = lattice;
        FieldArrays { origin, cell, levels, roots, nodes, corners, values, nearest }
    }

    /// The field of plain arrays, after checking that every question will find an answer.
    pub fn from_arrays(arrays: FieldArrays) -> Result<Self, FieldDamage> {
        check_numbers(&arrays)?;
        check_tree(&arrays)?;
        let FieldArrays { origin, cell, levels, roots, nodes, corners, values, nearest } = arrays;
        let lattice = Lattice { origin, cell, levels, roots };
        Ok(Self { lattice, nodes, corners, values, nearest })
    }
}

fn check_numbers(arrays: &FieldArrays) -> Result<(), FieldDamage> {
    let FieldArrays { origin, cell, levels, roots, corners, values, nearest, .. } = arrays;
    let says = |right: bool, what| if right { Ok(()) } else { Err(FieldDamage(what)) };
    says(origin.is_finite() && *cell > 0.0 && cell.is_finite(), "its place is not finite")?;
    says(*levels <= MOST_LEVELS, "it has too many levels")?;
    let fits = |n: &u32| {
        *n > 0 && n.checked_shl(*levels).is_some_and(|m| m >> levels == *n && m <= MOST_CELLS)
    };
    says(roots.iter().all(fits), "its size makes no sense")?;
    says(values.iter().all(|v| v.is_finite()), "a distance is not finite")?;
    let count = values.len();
    says(corners.iter().flatten().all(|&i| (i as usize) < count), "a corner is missing")?;
    says(nearest.is_empty() || nearest.len() == count, "nearest triangles are missing")
}

/// Every node must be reached once, children after their parents, and not too deep.
fn check_tree(arrays: &FieldArrays) -> Result<(), FieldDamage> {
    let FieldArrays { levels, roots, nodes, corners, .. } = arrays;
    let root_count = roots.iter().map(|n| u64::from(*n)).product::<u64>();
    if root_count > nodes.len() as u64 {
        return Err(FieldDamage("cells are missing"));
    }
    let mut level: Vec<Option<u32>> = vec![None; nodes.len()];
    level[..root_count as usize].fill(Some(0));
    for (i, &node) in nodes.iter().enumerate() {
        let Some(own) = level[i] else { return Err(FieldDamage("a cell belongs nowhere")) };
        if node & LEAF != 0 {
            if (node & !LEAF) as usize >= corners.len() {
                return Err(FieldDamage("a leaf is missing"));
            }
            continue;
        }
        let children = node as usize..node as usize + 8;
        let fresh = |l: &[Option<u32>]| l.iter().all(Option::is_none);
        let slots = level.get_mut(children).filter(|l| node as usize > i && fresh(l));
        match slots {
            Some(slots) if own < *levels => slots.fill(Some(own + 1)),
            _ => return Err(FieldDamage("cells are out of order")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape;
    use crate::levelset::{Resolution, Solid};
    use crate::math::Random;

    #[test]
    fn fields_survive_as_arrays_and_damage_is_refused() {
        let solid = Solid::new(&shape::sphere(0.1, 0.03)).unwrap();
        let field = Field::with_nearest(&solid, Resolution::new(0.01));
        let arrays = field.to_arrays();
        assert_eq!(Field::from_arrays(arrays.clone()).unwrap(), field);
        // Any change of the tree is refused, or leaves a field that answers everywhere.
        let mut random = Random::new(11);
        let mut refused = 0;
        for _ in 0..2000 {
            let mut damaged = arrays.clone();
            let i = random.bits() as usize % damaged.nodes.len();
            damaged.nodes[i] ^= 1 << (random.bits() % 32);
            match Field::from_arrays(damaged) {
                Ok(field) => {
                    let p = Vec3::from([0; 3].map(|_: u8| random.between(-0.2, 0.2)));
                    assert!(field.sample(p).distance.is_finite());
                }
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 1000, "{refused}");
        for damage in [
            FieldArrays { cell: f64::NAN, ..arrays.clone() },
            FieldArrays { levels: 31, ..arrays.clone() },
            FieldArrays { roots: [u32::MAX; 3], ..arrays.clone() },
            FieldArrays { values: arrays.values[1..].to_vec(), ..arrays.clone() },
            FieldArrays {
                nodes: arrays.nodes[..arrays.nodes.len() - 1].to_vec(),
                ..arrays.clone()
            },
        ] {
            assert!(Field::from_arrays(damage).is_err());
        }
    }
}
