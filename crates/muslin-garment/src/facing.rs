//! Which panels are turned over so that the sewn garment has one outside.

use crate::error::GarmentError;
use crate::pattern::Pattern;
use crate::plan::{Plan, Shapes, material_left};

/// For every panel, whether its outside is behind its plane.
///
/// Across a seam cloth continues: walking along it, the cloth of one side is on the left and of
/// the other on the right. Where both are on the same side, one of the two panels is turned over.
/// The first panel of each connected piece keeps the side that its outline tells.
pub(crate) fn turned_over(
    pattern: &Pattern,
    shapes: &Shapes,
    plan: &Plan,
) -> Result<Vec<bool>, GarmentError> {
    let count = pattern.panels.len();
    let mut links: Vec<Vec<(usize, bool, usize)>> = vec![Vec::new(); count];
    for strand in &plan.sewn {
        let [a, b] = [strand.sides[0], strand.sides[1]];
        let differ = material_left(shapes, a) == material_left(shapes, b);
        let seam = strand.seam.unwrap_or(0);
        links[a.panel].push((b.panel, differ, seam));
        links[b.panel].push((a.panel, differ, seam));
    }
    let mut turned: Vec<Option<bool>> = vec![None; count];
    for start in 0..count {
        if turned[start].is_some() {
            continue;
        }
        turned[start] = Some(pattern.panels[start].facing() < 0.0);
        let mut queue = vec![start];
        while let Some(panel) = queue.pop() {
            let own = turned[panel].unwrap_or(false);
            for &(other, differ, seam) in &links[panel] {
                match turned[other] {
                    None => {
                        turned[other] = Some(own != differ);
                        queue.push(other);
                    }
                    Some(known) if known != (own != differ) => {
                        let seam = pattern.seams[seam].name.clone();
                        return Err(GarmentError::Twisted { seam });
                    }
                    Some(_) => {}
                }
            }
        }
    }
    Ok(turned.into_iter().map(|turned| turned.unwrap_or(false)).collect())
}
