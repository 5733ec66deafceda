//! Cutting graphs: compact parts of equal size, and elimination orders with little fill.

use std::collections::VecDeque;

/// Distance of a vertex that a search did not reach.
const UNREACHED: i64 = 1 << 32;

/// Parts of at most this many vertices are not dissected further: their fill is small anyway.
const LEAF: usize = 6;

/// An undirected graph: the neighbours of every vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// The graph of `edges` between vertices below `size`, each listed once.
    pub fn new(size: usize, edges: impl Iterator<Item = [u32; 2]> + Clone) -> Self {
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
        Self { starts, neighbours }
    }

    fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Neighbours of a vertex.
    pub fn of(&self, v: u32) -> &[u32] {
        let v = v as usize;
        &self.neighbours[self.starts[v] as usize..self.starts[v + 1] as usize]
    }

    /// Compact parts of about `part_size` vertices: the part of every vertex, and their number.
    pub fn parts(&self, part_size: usize) -> (Vec<u32>, usize) {
        let mut cutter = Cutter::new(self);
        let mut part = vec![0; self.size()];
        let mut count = 0;
        let mut open = vec![(0..self.size() as u32).collect::<Vec<u32>>()];
        while let Some(members) = open.pop() {
            // Rounded: 1.5 part sizes stay whole.
            let pieces = (members.len() + part_size / 2) / part_size;
            if pieces < 2 {
                members.iter().for_each(|&v| part[v as usize] = count);
                count += 1;
                continue;
            }
            let (low, high) = cutter.cut(members, pieces / 2, pieces);
            open.extend([high, low]);
        }
        (part, count as usize)
    }

    /// An elimination order by nested dissection: both sides of a cut before the vertices on it.
    pub fn dissection(&self) -> Vec<u32> {
        let mut cutter = Cutter::new(self);
        let mut side = vec![0u32; self.size()];
        let mut reversed = Vec::with_capacity(self.size());
        let mut open = vec![(0..self.size() as u32).collect::<Vec<u32>>()];
        let mut mark = 0;
        while let Some(members) = open.pop() {
            if members.len() <= LEAF {
                reversed.extend(members);
                continue;
            }
            let (low, high) = cutter.cut(members, 1, 2);
            mark += 1;
            high.iter().for_each(|&v| side[v as usize] = mark);
            let touches = |v: &u32| self.of(*v).iter().any(|&w| side[w as usize] == mark);
            let (separator, low): (Vec<u32>, Vec<u32>) = low.into_iter().partition(touches);
            reversed.extend(separator);
            open.extend([low, high]);
        }
        reversed.reverse();
        reversed
    }
}

/// Work space of cuts.
struct Cutter<'a> {
    graph: &'a Graph,
    /// Which set a vertex was last seen in.
    seen: Vec<u32>,
    round: u32,
    distances: [Vec<i64>; 2],
}

impl<'a> Cutter<'a> {
    fn new(graph: &'a Graph) -> Self {
        let size = graph.size();
        Self {
            graph,
            seen: vec![0; size],
            round: 0,
            distances: [vec![UNREACHED; size], vec![UNREACHED; size]],
        }
    }

    /// Splits `members` in the ratio `share : whole − share`, across their longest extent: by the
    /// difference of the distances to two vertices far apart.
    fn cut(&mut self, mut members: Vec<u32>, share: usize, whole: usize) -> (Vec<u32>, Vec<u32>) {
        let inner = self.search(&members, members[0], 0);
        let first = self.search(&members, inner, 0);
        let end = self.search(&members, first, 0);
        self.search(&members, end, 1);
        let [from_first, from_end] = &self.distances;
        members.sort_by_key(|&v| (from_first[v as usize] - from_end[v as usize], v));
        let high = members.split_off(members.len() * share / whole);
        (members, high)
    }

    /// Distances from `start` inside `members`; returns the vertex reached last.
    fn search(&mut self, members: &[u32], start: u32, which: usize) -> u32 {
        self.round += 1;
        let distances = &mut self.distances[which];
        for &v in members {
            self.seen[v as usize] = self.round;
            distances[v as usize] = UNREACHED;
        }
        distances[start as usize] = 0;
        let mut queue = VecDeque::from([start]);
        let mut last = start;
        while let Some(v) = queue.pop_front() {
            last = v;
            for &w in self.graph.of(v) {
                let (inside, distance) =
                    (self.seen[w as usize] == self.round, distances[v as usize]);
                if inside && distances[w as usize] == UNREACHED {
                    distances[w as usize] = distance + 1;
                    queue.push_back(w);
                }
            }
        }
        last
    }
}
