//! Which nodes of a field are inside, asked once for every region that the surface does not divide.

use super::Field;
use crate::math::Vec3;

impl Field {
    /// Makes the distances of all nodes that are `inside` negative, and those of all others positive.
    ///
    /// Nobody comes from one side to the other on a way that is shorter than the distances of both its ends together,
    /// so nodes with such ways between them are all on one side. Nodes that are nearer to the surface than that are
    /// asked for one by one.
    pub fn set_sides(&mut self, inside: impl Fn(Vec3) -> bool) {
        let strides = [1, self.counts[0], self.counts[0] * self.counts[1]];
        let mut known = vec![false; self.values.len()];
        let mut open = Vec::new();
        for first in 0..self.values.len() {
            if std::mem::replace(&mut known[first], true) {
                continue;
            }
            let sign = if inside(self.node(first)) { -1.0 } else { 1.0 };
            open.push(first);
            while let Some(i) = open.pop() {
                let distance = self.values[i].abs();
                self.values[i] = sign * distance;
                for (axis, &stride) in strides.iter().enumerate() {
                    let along = i / stride % self.counts[axis];
                    let below = (along > 0).then(|| i - stride);
                    let above = (along + 1 < self.counts[axis]).then(|| i + stride);
                    for next in [below, above].into_iter().flatten() {
                        let both = f64::from(distance) + f64::from(self.values[next].abs());
                        // A little more, for what single precision rounds off.
                        if !known[next] && both > 1.0001 * self.cell {
                            known[next] = true;
                            open.push(next);
                        }
                    }
                }
            }
        }
    }

    /// Place of a node \[m\].
    pub(super) fn node(&self, i: usize) -> Vec3 {
        let [nx, ny, _] = self.counts;
        let at = Vec3::new((i % nx) as f64, (i / nx % ny) as f64, (i / (nx * ny)) as f64);
        self.origin + at * self.cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::aabb::Aabb;
    use std::cell::Cell;

    /// Two balls that overlap: every node gets the sign of the union, and few are asked for.
    #[test]
    fn sides_of_two_balls() {
        let union = |p: Vec3| {
            let ball = |x: f64| p.distance(Vec3::X * x) - 1.0;
            ball(-0.7).min(ball(0.7))
        };
        let bounds = Aabb { min: Vec3::new(-1.7, -1.0, -1.0), max: Vec3::new(1.7, 1.0, 1.0) };
        let mut field = Field::around(bounds);
        // Signs are lost.
        field.fill(|p| union(p).abs());
        let asked = Cell::new(0);
        field.set_sides(|p| {
            asked.set(asked.get() + 1);
            union(p) < 0.0
        });
        for (i, value) in field.values.iter().enumerate() {
            let expected = union(field.node(i));
            assert!((f64::from(*value) - expected).abs() < 1e-6, "{i}: {value} {expected}");
        }
        assert!(asked.get() < field.values.len() / 20, "{}", asked.get());
    }
}
