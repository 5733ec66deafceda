//! Impulses at contacts: inelastic normal impulses, the capped thickness spring, Coulomb friction
//! (BF7, BF8, BF9).

use crate::math::Vec3;

/// Four vertices in contact. Point–triangle, edge–edge and vertex–shape contacts are all alike: the
/// relative velocity is `Σ w_i v_i − surface`, and an impulse `j` changes `v_i` by `w_i j / m_i`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Vertices; unused ones have weight zero.
    pub vertices: [u32; 4],
    /// Weights.
    pub weights: [f64; 4],
    /// Unit normal, from the second feature to the first.
    pub normal: Vec3,
    /// Velocity of an exact shape at the contact \[m/s\]; zero where the other side has vertices.
    pub surface: Vec3,
    /// Separation speed to reach at least \[m/s\]: zero stops the approach, more is the thickness
    /// spring (BF8).
    pub target: f64,
    /// Static and kinetic friction \[-\].
    pub friction: [f64; 2],
}

/// A contact with the impulses it has passed on so far.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    contact: Contact,
    /// `1 / Σ w_i²/m_i` \[kg\]; the mass the contact feels.
    mass: f64,
    normal: f64,
    tangent: Vec3,
}

impl Active {
    /// A contact that has not acted yet; `None` if nothing in it can move.
    pub fn new(contact: Contact, inverse_mass: &[f64]) -> Option<Self> {
        let compliance: f64 = contact
            .vertices
            .iter()
            .zip(contact.weights)
            .map(|(&v, w)| w * w * inverse_mass[v as usize])
            .sum();
        (compliance > 0.0).then(|| Self {
            contact,
            mass: 1.0 / compliance,
            normal: 0.0,
            tangent: Vec3::ZERO,
        })
    }

    /// Sets the separation speed to reach \[m/s\].
    pub fn aim(&mut self, target: f64) {
        self.contact.target = target;
    }

    /// Whether the contact has pushed.
    pub fn pushed(&self) -> bool {
        self.normal > 0.0
    }

    /// The vertices it pushes, and how strongly each.
    pub fn between(&self) -> ([u32; 4], [f64; 4]) {
        (self.contact.vertices, self.contact.weights)
    }

    /// One relaxation: brings the normal speed to its target, never pulling, then friction within
    /// Coulomb's cone of the normal impulse so far. Returns the size of the change \[N·s\].
    ///
    /// In a first visit this is BF8 and BF9: `Δv_N = target − v_N`,
    /// `v_T = max(1 − μ Δv_N/|v_T|, 0) v_T`.
    pub fn relax(&mut self, inverse_mass: &[f64], v: &mut [Vec3]) -> f64 {
        let n = self.contact.normal;
        let speed = self.relative_velocity(v).dot(n);
        let wanted = (self.normal + (self.contact.target - speed) * self.mass).max(0.0);
        let change = wanted - self.normal;
        self.normal = wanted;
        let mut moved = change.abs();
        if change != 0.0 {
            self.push(n * change, inverse_mass, v);
        }
        let [sticking, sliding] = self.contact.friction;
        if sticking > 0.0 && (self.normal > 0.0 || self.tangent != Vec3::ZERO) {
            let relative = self.relative_velocity(v);
            let slip = relative - n * relative.dot(n);
            let mut tangent = self.tangent - slip * self.mass;
            let size = tangent.length();
            if size > sticking * self.normal {
                tangent *= sliding * self.normal / size;
            }
            let change = tangent - self.tangent;
            self.tangent = tangent;
            moved += change.length();
            self.push(change, inverse_mass, v);
        }
        moved
    }

    fn relative_velocity(&self, v: &[Vec3]) -> Vec3 {
        let Contact { vertices, weights, surface, .. } = &self.contact;
        let sum: Vec3 = vertices.iter().zip(weights).map(|(&i, w)| v[i as usize] * *w).sum();
        sum - *surface
    }

    fn push(&self, impulse: Vec3, inverse_mass: &[f64], v: &mut [Vec3]) {
        for (&i, w) in self.contact.vertices.iter().zip(self.contact.weights) {
            v[i as usize] += impulse * (w * inverse_mass[i as usize]);
        }
    }
}

/// What else is kept while contacts are.
pub trait Beside {
    /// A contact moved these vertices.
    fn moved(&mut self, vertices: [u32; 4]);

    /// One sweep of its own; returns the largest speed change it made \[m/s\].
    fn sweep(&mut self, v: &mut [Vec3]) -> f64;
}

/// Nothing.
impl Beside for () {
    fn moved(&mut self, _: [u32; 4]) {}

    fn sweep(&mut self, _: &mut [Vec3]) -> f64 {
        0.0
    }
}

/// Which contacts a sweep may pass over, because they would do nothing again: what changed nothing when it was last visited,
/// and none of whose vertices has moved since. It changes no bit.
struct Visits {
    /// How many visits there were.
    now: u32,
    /// Per vertex: in which visit a contact moved it last.
    moved: Vec<u32>,
    /// Per contact: in which visit it was found to change nothing; 0 where it did.
    quiet: Vec<u32>,
    /// The last visit before something else moved vertices.
    stale: u32,
}

impl Visits {
    fn new(vertices: usize, contacts: usize) -> Self {
        Self { now: 1, moved: vec![0; vertices], quiet: vec![0; contacts], stale: 0 }
    }

    fn may_pass(&self, index: usize, vertices: &[u32; 4]) -> bool {
        let quiet = self.quiet[index];
        quiet > self.stale && vertices.iter().all(|&v| self.moved[v as usize] < quiet)
    }

    fn note(&mut self, index: usize, vertices: &[u32; 4], moved: bool) {
        self.now += 1;
        self.quiet[index] = if moved { 0 } else { self.now };
        if moved {
            for &v in vertices {
                self.moved[v as usize] = self.now;
            }
        }
    }
}

/// Sweeps over contacts in order, each followed by one of what is `beside` (strain limits, for instance), until no
/// speed changes by more than `goal` \[m/s\] or `max_sweeps` are made.
pub fn relax(
    contacts: &mut [Active],
    inverse_mass: &[f64],
    max_sweeps: usize,
    goal: f64,
    v: &mut [Vec3],
    beside: &mut impl Beside,
) -> usize {
    let mut visits = Visits::new(v.len(), contacts.len());
    for sweep in 1..=max_sweeps {
        let mut largest: f64 = 0.0;
        for (index, contact) in contacts.iter_mut().enumerate() {
            let vertices = contact.contact.vertices;
            if visits.may_pass(index, &vertices) {
                continue;
            }
            let moved = contact.relax(inverse_mass, v);
            if moved != 0.0 {
                beside.moved(vertices);
            }
            visits.note(index, &vertices, moved != 0.0);
            largest = largest.max(moved / contact.mass);
        }
        let others = beside.sweep(v);
        if others != 0.0 {
            visits.stale = visits.now;
        }
        if largest.max(others) <= goal {
            return sweep;
        }
    }
    max_sweeps
}

#[cfg(test)]
mod tests;
