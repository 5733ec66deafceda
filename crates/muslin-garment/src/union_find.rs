//! Classes of things that were joined pair by pair.

/// Disjoint sets over `0 … n − 1`; the smallest member stands for each.
#[derive(Clone, Debug)]
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// The smallest member of the set of `a`.
    pub fn find(&mut self, a: u32) -> u32 {
        let mut root = a;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        let mut walk = a;
        while self.parent[walk as usize] != root {
            walk = std::mem::replace(&mut self.parent[walk as usize], root);
        }
        root
    }

    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}
