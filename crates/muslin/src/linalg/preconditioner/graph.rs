//! Cutting graphs that are laid out in a plane: compact parts, and elimination orders with little fill.

use crate::math::Vec2;

/// Parts of at most this many vertices are not dissected further: their fill is small anyway.
const LEAF: usize = 6;

/// How far a cut may move from the wanted place to run through a gap, as a share of the vertices.
/// Straight borders between parts are worth more than equal sizes.
const SLACK: f64 = 0.12;

/// An undirected graph with a place for every vertex.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    layout: Vec<Vec2>,
}

impl Graph {
    /// The graph of `edges`, each listed once, between the vertices of `layout`.
    pub fn new(layout: Vec<Vec2>, edges: impl Iterator<Item = [u32; 2]> + Clone) -> Self {
        let size = layout.len();
        let mut starts = vec![0u32; size + 1];
        for v in edges.clone().flatten() {
            starts[v as usize + 1] += 1;
        }
        for v in 0..size {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; starts[size] as usize];
        for [a, b] in edges {
            for [from, to] in [[a, b], [b, a]] {
                neighbours[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Self { starts, neighbours, layout }
    }

    fn size(&self) -> usize {
        self.layout.len()
    }

    fn all(&self) -> Vec<u32> {
        (0..self.size() as u32).collect()
    }

    fn of(&self, v: u32) -> &[u32] {
        let v = v as usize;
        &self.neighbours[self.starts[v] as usize..self.starts[v + 1] as usize]
    }

    /// Compact connected parts of about `part_size` vertices: the part of every vertex, and their
    /// number.
    pub fn parts(&self, part_size: usize) -> (Vec<u32>, usize) {
        let mut cell = vec![0u32; self.size()];
        let mut cells = 0;
        let mut open = vec![self.all()];
        while let Some(members) = open.pop() {
            // Rounded: up to 1.5 part sizes stay whole.
            let pieces = (members.len() + part_size / 2) / part_size;
            if pieces < 2 {
                for v in members {
                    cell[v as usize] = cells;
                }
                cells += 1;
            } else {
                let (low, high) = self.cut(members, pieces / 2, pieces);
                open.extend([high, low]);
            }
        }
        self.connected(&cell)
    }

    /// An elimination order by nested dissection: both sides of a cut before the vertices on it.
    pub fn dissection(&self) -> Vec<u32> {
        let mut side = vec![0u32; self.size()];
        let mut reversed = Vec::with_capacity(self.size());
        let mut open = vec![self.all()];
        let mut mark = 0;
        while let Some(members) = open.pop() {
            if members.len() <= LEAF {
                reversed.extend(members);
                continue;
            }
            let (low, high) = self.cut(members, 1, 2);
            mark += 1;
            for &v in &high {
                side[v as usize] = mark;
            }
            let touches = |v: &u32| self.of(*v).iter().any(|&w| side[w as usize] == mark);
            let (separator, low): (Vec<u32>, Vec<u32>) = low.into_iter().partition(touches);
            reversed.extend(separator);
            open.extend([low, high]);
        }
        reversed.reverse();
        reversed
    }

    /// Splits `members` about in the ratio `share : whole − share`, across their longer extent, through
    /// the widest gap near the wanted place. Both sides get at least one member.
    fn cut(&self, mut members: Vec<u32>, share: usize, whole: usize) -> (Vec<u32>, Vec<u32>) {
        let at = |v: &u32| self.layout[*v as usize];
        let (low, high) = members.iter().map(at).fold(
            (Vec2::splat(f64::INFINITY), Vec2::splat(f64::NEG_INFINITY)),
            |(low, high), p| (low.min(p), high.max(p)),
        );
        let extent = high - low;
        let place = |v: &u32| if extent.x >= extent.y { at(v).x } else { at(v).y };
        members.sort_by(|v, w| place(v).total_cmp(&place(w)).then(v.cmp(w)));
        let wanted = (members.len() * share / whole).clamp(1, members.len() - 1);
        let slack = (members.len() as f64 * SLACK) as usize;
        let from = wanted.saturating_sub(slack).max(1);
        let to = (wanted + slack).min(members.len() - 1);
        let gap = |k: usize| place(&members[k]) - place(&members[k - 1]);
        // Rounding must not decide between equal gaps: only a clearly wider one moves the cut.
        let mut best = wanted;
        for k in from..=to {
            let (wider, nearer) =
                (gap(k) > 1.01 * gap(best), k.abs_diff(wanted) < best.abs_diff(wanted));
            if wider || (nearer && gap(k) > 0.99 * gap(best)) {
                best = k;
            }
        }
        let upper = members.split_off(best);
        (members, upper)
    }

    /// Splits cells that are not connected.
    fn connected(&self, cell: &[u32]) -> (Vec<u32>, usize) {
        let none = u32::MAX;
        let mut part = vec![none; self.size()];
        let mut count = 0;
        for start in 0..self.size() {
            if part[start] != none {
                continue;
            }
            part[start] = count;
            let mut open = vec![start as u32];
            while let Some(v) = open.pop() {
                for &w in self.of(v) {
                    if part[w as usize] == none && cell[w as usize] == cell[start] {
                        part[w as usize] = count;
                        open.push(w);
                    }
                }
            }
            count += 1;
        }
        (part, count as usize)
    }
}
