//! Collision response: momentum-conserving shifts with sliding, and zones (XU7).

use super::detect::Contact;
use crate::curtain::mesh::Mesh;
use crate::curtain::nodes::Nodes;
use crate::math::Vec3;

const NO_ZONE: u32 = u32::MAX;

/// Shifts of the nodes and the zones they form, for one pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    /// How far each node is moved by this pass \[m\].
    pub shift: Vec<Vec3>,
    /// Zone of each node: a parent in the same zone, or the node itself, or [`NO_ZONE`].
    parent: Vec<u32>,
    /// Nodes that are in a zone.
    members: Vec<u32>,
    /// Mass and momentum (over the step) of a zone, at its root.
    mass: Vec<f64>,
    moved: Vec<Vec3>,
}

/// A combination `Σ cₖ xₖ` of nodes; four vertices depend on eight nodes at most.
#[derive(Default)]
pub(super) struct Combination {
    nodes: [u32; 8],
    factors: [f64; 8],
    count: usize,
}

impl Combination {
    fn of(contact: &Contact, mesh: &Mesh) -> Self {
        let mut sum = Self::default();
        for (&vertex, &weight) in contact.vertices.iter().zip(&contact.weights) {
            let support = &mesh.support[vertex as usize];
            for k in 0..2 {
                sum.add(support.nodes[k], weight * support.weights[k]);
            }
        }
        sum
    }

    pub fn add(&mut self, node: u32, factor: f64) {
        if factor == 0.0 {
            return;
        }
        let known = self.nodes[..self.count].iter().position(|&n| n == node);
        let k = known.unwrap_or(self.count);
        if known.is_none() {
            self.nodes[k] = node;
            self.count += 1;
        }
        self.factors[k] += factor;
    }

    pub fn terms(&self) -> impl Iterator<Item = (usize, f64)> {
        let nodes = self.nodes.iter().map(|&n| n as usize);
        nodes.zip(self.factors).take(self.count)
    }

    /// How far the combination moves per unit of impulse.
    fn mobility(&self, nodes: &Nodes) -> f64 {
        self.terms().map(|(n, c)| c * c * nodes.mobility[n]).sum()
    }
}

/// The part of the sliding that friction takes away: at most `most` \[m\] of it.
pub(super) fn slowed(motion: Vec3, normal: Vec3, most: f64) -> Vec3 {
    let sliding = motion - normal * motion.dot(normal);
    let speed = sliding.length();
    if speed > 0.0 { sliding * (most / speed).min(1.0) } else { Vec3::ZERO }
}

impl Response {
    pub fn new(node_count: usize) -> Self {
        Self {
            shift: vec![Vec3::ZERO; node_count],
            parent: vec![NO_ZONE; node_count],
            members: Vec::with_capacity(node_count),
            mass: vec![0.0; node_count],
            moved: vec![Vec3::ZERO; node_count],
        }
    }

    /// A vertex after the shifts so far.
    pub fn shifted(&self, vertex: u32, mesh: &Mesh) -> Vec3 {
        let s = &mesh.support[vertex as usize];
        let [a, b] = s.nodes.map(|n| self.shift[n as usize]);
        mesh.x[vertex as usize] + a * s.weights[0] + b * s.weights[1]
    }

    /// Moves the two features apart by what they lack of `thickness` at the end of the step.
    ///
    /// Every node gets `±` the same impulse times its weight, so momentum is kept. Sliding is slowed
    /// by the same kind of impulse, `friction` times as large at most.
    pub fn separate(
        &mut self,
        contact: &Contact,
        (nodes, mesh): (&Nodes, &Mesh),
        (thickness, friction): (f64, f64),
    ) {
        let (mut apart, mut motion) = (Vec3::ZERO, Vec3::ZERO);
        for (&vertex, &weight) in contact.vertices.iter().zip(&contact.weights) {
            let x = self.shifted(vertex, mesh);
            apart += x * weight;
            motion += (x - mesh.before[vertex as usize]) * weight;
        }
        let lacking = thickness - apart.dot(contact.normal);
        let sum = Combination::of(contact, mesh);
        let mobility = sum.mobility(nodes);
        if lacking <= 0.0 || mobility <= 0.0 {
            return;
        }
        let slowed = slowed(motion, contact.normal, friction * lacking);
        let impulse = (contact.normal * lacking - slowed) / mobility;
        for (node, factor) in sum.terms() {
            self.shift[node] += impulse * (factor * nodes.mobility[node]);
        }
    }

    /// Groups the nodes of `contacts` into zones and lets each zone move as one, with its own mean
    /// velocity, so that nothing in it collides; returns the number of zones.
    pub fn freeze_zones(&mut self, contacts: &[Contact], nodes: &Nodes, mesh: &Mesh) -> usize {
        for contact in contacts {
            let mut first = None;
            for (node, _) in Combination::of(contact, mesh).terms() {
                if nodes.mobility[node] > 0.0 {
                    self.enter(node);
                    let root = self.root(node as u32);
                    let joined = *first.get_or_insert(root);
                    self.parent[root as usize] = self.root(joined);
                }
            }
        }
        for k in 0..self.members.len() {
            let node = self.members[k] as usize;
            let root = self.root(node as u32) as usize;
            self.mass[root] += nodes.mass[node];
            self.moved[root] += (nodes.next[node] - nodes.x[node]) * nodes.mass[node];
        }
        let mut zones = 0;
        for k in 0..self.members.len() {
            let node = self.members[k] as usize;
            let root = self.root(node as u32) as usize;
            zones += usize::from(root == node);
            let mean = self.moved[root] / self.mass[root];
            self.shift[node] = nodes.x[node] + mean - nodes.next[node];
        }
        for node in self.members.drain(..) {
            self.parent[node as usize] = NO_ZONE;
        }
        zones
    }

    /// Makes `node` a zone of its own if it is in none.
    fn enter(&mut self, node: usize) {
        if self.parent[node] == NO_ZONE {
            self.parent[node] = node as u32;
            self.mass[node] = 0.0;
            self.moved[node] = Vec3::ZERO;
            self.members.push(node as u32);
        }
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let grandparent = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = grandparent;
            node = grandparent;
        }
        node
    }
}
