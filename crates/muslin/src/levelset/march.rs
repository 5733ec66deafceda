//! Fast marching (MF6): from the distances that are known to all others, nearest first, by the upwind
//! solution of `|∇φ| = 1`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Distances on a grid, x fastest.
pub(super) struct March {
    /// Points along each axis.
    pub counts: [usize; 3],
    /// Distance between neighbours \[m\].
    pub spacing: f64,
    /// Signed distances \[m\]; not a number where they are not known yet.
    pub values: Vec<f64>,
    /// The nearest triangle of each point.
    pub nearest: Vec<u32>,
}

impl March {
    /// Fills in all values that are not known. The sign and the nearest triangle of a point are those of
    /// the neighbour from which it is reached.
    pub fn fill(&mut self) {
        let mut fixed: Vec<bool> = self.values.iter().map(|v| !v.is_nan()).collect();
        // Non-negative numbers are in the order of their bits.
        let mut front: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
        for i in 0..self.values.len() {
            if fixed[i] {
                self.offer_around(i, &fixed, &mut front);
            }
        }
        while let Some(Reverse((bits, i))) = front.pop() {
            if fixed[i] {
                continue;
            }
            let from = self.nearest_fixed(i, &fixed);
            self.values[i] = f64::from_bits(bits).copysign(self.values[from]);
            self.nearest[i] = self.nearest[from];
            fixed[i] = true;
            self.offer_around(i, &fixed, &mut front);
        }
    }

    fn offer_around(
        &self,
        i: usize,
        fixed: &[bool],
        front: &mut BinaryHeap<Reverse<(u64, usize)>>,
    ) {
        for j in self.neighbours(i).into_iter().flatten().flatten().filter(|&j| !fixed[j]) {
            front.push(Reverse((self.solve(j, fixed).to_bits(), j)));
        }
    }

    /// The neighbours along each axis, below and above.
    fn neighbours(&self, i: usize) -> [[Option<usize>; 2]; 3] {
        let [nx, ny, _] = self.counts;
        let at = [i % nx, i / nx % ny, i / (nx * ny)];
        let stride = [1, nx, nx * ny];
        [0, 1, 2].map(|axis| {
            let below = (at[axis] > 0).then(|| i - stride[axis]);
            let above = (at[axis] + 1 < self.counts[axis]).then(|| i + stride[axis]);
            [below, above]
        })
    }

    fn nearest_fixed(&self, i: usize, fixed: &[bool]) -> usize {
        let size = |j: &usize| self.values[*j].abs();
        let around = self.neighbours(i).into_iter().flatten().flatten().filter(|&j| fixed[j]);
        around.min_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(i)
    }

    /// The distance of a point from its fixed neighbours: the largest root of `Σ (φ − a_k)² = h²` over
    /// the smallest neighbours `a_k` of each axis, as long as it is above all of them.
    fn solve(&self, i: usize, fixed: &[bool]) -> f64 {
        let mut known = [f64::INFINITY; 3];
        for (axis, pair) in self.neighbours(i).into_iter().enumerate() {
            for j in pair.into_iter().flatten().filter(|&j| fixed[j]) {
                known[axis] = known[axis].min(self.values[j].abs());
            }
        }
        known.sort_by(f64::total_cmp);
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut best = f64::INFINITY;
        for (k, a) in known.into_iter().enumerate().take_while(|(_, a)| a.is_finite()) {
            if best <= a {
                break;
            }
            sum += a;
            squares += a * a;
            let n = (k + 1) as f64;
            let root = sum * sum - n * (squares - self.spacing * self.spacing);
            if root >= 0.0 {
                best = (sum + root.sqrt()) / n;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the points within a quarter of the middle, marching reaches the corner of a cube: the error
    /// is below a spacing, and falls with it.
    #[test]
    fn v11_marching_converges_to_the_distance_from_a_point() {
        let error = |n: usize| {
            let h = 1.0 / (n - 1) as f64;
            let distance = |i: usize| {
                let c = [i % n, i / n % n, i / n / n].map(|c| c as f64 * h - 0.5);
                (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]).sqrt()
            };
            let exact: Vec<f64> = (0..n * n * n).map(distance).collect();
            let values = exact.iter().map(|d| if *d < 0.25 { *d } else { f64::NAN }).collect();
            let nearest = vec![0; exact.len()];
            let mut march = March { counts: [n; 3], spacing: h, values, nearest };
            march.fill();
            let wrong = march.values.iter().zip(&exact).map(|(a, b)| (a - b).abs());
            wrong.fold(0.0, f64::max)
        };
        let [coarse, fine] = [error(21), error(41)];
        assert!(coarse < 0.05 && fine < 0.55 * coarse, "{coarse} {fine}");
    }

    /// Plane waves along an axis are exact, and signs stay on their side.
    #[test]
    fn v11_marching_is_exact_along_an_axis() {
        let counts = [9, 2, 2];
        let known = |i: usize| match i % 9 {
            4 => -0.01,
            5 => 0.09,
            _ => f64::NAN,
        };
        let mut march = March {
            counts,
            spacing: 0.1,
            values: (0..36).map(known).collect(),
            nearest: (0..36).map(|i| u32::from(i % 9 == 5)).collect(),
        };
        march.fill();
        for i in 0..36 {
            let exact = (i % 9) as f64 * 0.1 - 0.41;
            assert!((march.values[i] - exact).abs() < 1e-12, "{i}: {}", march.values[i]);
            assert_eq!(march.nearest[i], u32::from(exact > 0.0));
        }
    }
}
