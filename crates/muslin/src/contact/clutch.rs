//! Contacts between features inside the implicit solve (BW12): cloth on cloth, and the edges and faces
//! of cloth on bodies.
//!
//! What is near is gripped by a stiff dashpot on its relative velocity: along the normal while it
//! presses, and across it while it sticks. The dashpot is implicit, so it stops what it grips within
//! the step, and the cloth around feels it; impulses after the solve only have its small remainder to
//! correct. What pulls is let go, what strains more than friction allows slides.
//!
//! Cloth on cloth has many more pairs than its motion has directions, so how they share the load is a matter
//! of chance. A pair that strains too much while others hold it does not slip, and keeps static friction;
//! only what slips goes over to sliding friction. The rate `μN/|v_T|` takes `|v_T|` from the solve before,
//! step after step, so friction never turns anything back.
//!
//! A dashpot alone yields: a pair that carries a load `F` would creep with `βF/B` for as long as it does, and be pressed
//! together until its thickness spring `u` makes up for it. So a pair that stays in its place starts with the load it has
//! come to carry, `(B/β)(u − v) + F`, and what is left to find is how the load changed: cloth at rest
//! rests (V16). A load that is gone pushes with a speed of `βF/B`, a three hundredth of what the impact took away.
//! Pairs that slide far begin with nothing: there the same pair is not in the same place, and pairs whose normals differ
//! by a thousandth would pull at each other.
//!
//! A load fades as features come farther apart than their thickness, until they are no pair any more: dropped at once it was a
//! kick. And cloth that is pressed beyond a quarter of its thickness gets firm: along itself it is ten times as stiff as a
//! dashpot, and what the solve let through, collisions undid again in every step.
//!
//! Friction as a dashpot `μN/|v_T|` never stops what slips: in every stage `|v_T|` shrinks by the ratio of what drives the pair to
//! what friction can take, nearly one next to the limit, to which whatever comes to rest by sliding comes. So slow slip that friction
//! can stop sticks in the next step.
//!
//! Three things end the game in which pairs that share a load take turns, which kept stacked cloth moving for ever: half of
//! the load just found is learnt in a step, so each carries its mean; what was let go between cloth and cloth is let go as a first
//! guess, since others carry its load; and what has ceased to slip, under less than static friction can hold, sticks
//! again and carries its load across the normal too.
//!
//! BW12 asks for implicit damped springs, and these are: a spring `k` with a damper `d` on an overlap `o`, taken
//! at the end of an implicit time `β`, has the force `k (o − β v) − d v = (B/β)(u − v)` with `B = β²k + βd` and
//! `u = βko/B`. So a dashpot `B` that wants the speed `u` is the spring `k = Bu/(βo)` with the damper
//! `d = B/β − βk`, which is not negative as long as `u` does not undo more than `o` in the time `β`. Here `B` is
//! a multiple of the mass and `u` what the thickness spring gives (`approach`), so that stiffness,
//! damping and step need no tuning against each other.

use super::approach::Nearby;
use super::touch::{Bodies, Grip, Outcome};
use crate::collide::surface::Pair;
use crate::linalg::Coupling;
use crate::math::{Mat3, Vec3, outer};

/// Strength of a dashpot: how many times the mass it grips, per implicit time. The relative speed left
/// over is the speed gained in that time divided by it; ten times more costs twice the iterations.
const STRENGTH: f64 = 300.0;

/// The same for a vertex that is held on one body and meets another: it is seen by preconditioners in full.
const FIRM: f64 = 1000.0 * STRENGTH;

/// Slip below this distance in a step counts as standing still \[m\].
const STILL: f64 = 1e-6;

/// A pair that slips by no more than this in a step goes on with the load it carried, one that slips by twice as
/// much begins with nothing \[m\].
const STAYING: f64 = 1e-3;

/// Slip below this distance in a step is slow: friction that can, stops it \[m\].
const SLOW: f64 = 1e-4;

/// Share of a load just found in what a pair carries on; the rest is what it carried before. Where pairs share a load by
/// chance and take turns, each then carries its mean.
const LEARNT: f64 = 0.5;

/// What is remembered of a pair of features from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clutched {
    /// Which features.
    pub pair: Pair,
    /// What it does.
    pub grip: Grip,
    /// Force on the first feature \[N\].
    pub load: Vec3,
}

/// A pair of features near each other, and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clutch {
    /// Which features.
    pub pair: Pair,
    /// What it does.
    pub grip: Grip,
    vertices: [u32; 4],
    weights: [f64; 4],
    normal: Vec3,
    /// Relative velocity to reach \[m/s\].
    velocity: Vec3,
    /// Force on the first feature that it has come to carry in the steps before \[N\].
    load: Vec3,
    /// The same after the step, by what was last solved for \[N\].
    carried: Vec3,
    /// Force on the first feature in what was last solved for; nothing of a pair that was let go then \[N\].
    acted: Vec3,
    /// Mass the contact feels \[kg\].
    mass: f64,
    /// `B` across whatever it grips \[kg\].
    strength: f64,
    friction: [f64; 2],
    /// How fast it slips, at the start of the step or as last solved for \[m/s\].
    slip_speed: f64,
    /// Slip below this speed counts as standing still \[m/s\].
    still: f64,
    /// Whether it touches already, does not slip, and may stick.
    rests: bool,
    /// Whether friction holds it, as last solved for.
    holds: bool,
}

impl Clutch {
    /// The clutch of a near pair; `None` if nothing in it can move. `before` is what was remembered,
    /// sorted by pair; `v` are the cloth's velocities.
    pub fn new(
        pair: Pair,
        near: &Nearby,
        bodies: &Bodies,
        inverse_mass: &[f64],
        v: &[Vec3],
        before: &[Clutched],
    ) -> Option<Self> {
        let Nearby { contact, .. } = near;
        let (mut vertices, mut weights) = (contact.vertices, contact.weights);
        let mut velocity = contact.surface + contact.normal * contact.target;
        let cloth = vertices.into_iter().find(|&v| (v as usize) < bodies.cloth_count)?;
        let mut compliance = 0.0;
        for (vertex, weight) in vertices.iter_mut().zip(&mut weights) {
            if *vertex as usize >= bodies.cloth_count {
                velocity -= bodies.body_velocity[*vertex as usize - bodies.cloth_count] * *weight;
                (*vertex, *weight) = (cloth, 0.0);
            }
            compliance += *weight * *weight * inverse_mass[*vertex as usize];
        }
        if compliance == 0.0 {
            return None;
        }
        let n = contact.normal;
        let relative = combine(&vertices, &weights, v) - velocity;
        let slip = relative - n * relative.dot(n);
        let remembered = before.binary_search_by_key(&pair, |before| before.pair).ok();
        let remembered = remembered.map(|k| &before[k]);
        let load = remembered.map_or(Vec3::ZERO, |before| before.load * near.carries);
        let between_cloth = is_difference(&weights);
        let firmness = if between_cloth { near.firmness } else { 1.0 };
        // What slides from triangle to triangle is another pair in every step: taken to press if it has met.
        let meets = contact.target > 0.0 && slip.length() * bodies.dt > STAYING;
        let leaves = relative.dot(n) >= 0.0;
        let grip = match remembered.map(|before| before.grip) {
            // Others carry the load: what presses again is found by the solve.
            Some(Grip::Released) if between_cloth => Grip::Released,
            // Held up by the cloth around it, perhaps: the solve will tell.
            Some(Grip::Released) if leaves => Grip::Released,
            None if leaves && !meets => Grip::Released,
            Some(Grip::Sliding(force)) => Grip::Sliding(force),
            // Still on its way: friction begins when it presses.
            _ if contact.target * bodies.dt < -STILL => Grip::Sliding(0.0),
            // It slips when it meets: gripping it first would find the force of a sudden stop.
            Some(Grip::Released) | None if slip.length() * bodies.dt > STILL => Grip::Sliding(0.0),
            _ => Grip::Sticking,
        };
        let frictionless = contact.friction[0] == 0.0 && grip == Grip::Sticking;
        Some(Self {
            pair,
            grip: if frictionless { Grip::Sliding(0.0) } else { grip },
            vertices,
            weights,
            normal: n,
            velocity,
            load,
            carried: Vec3::ZERO,
            acted: Vec3::ZERO,
            mass: 1.0 / compliance,
            strength: STRENGTH * firmness / compliance,
            friction: contact.friction,
            slip_speed: slip.length().max(f64::MIN_POSITIVE),
            still: STILL / bodies.dt,
            rests: contact.target * bodies.dt >= -STILL
                && contact.friction[0] > 0.0
                && slip.length() * bodies.dt <= STILL,
            holds: false,
        })
    }

    /// The clutch of a vertex in a wedge, which is held on another body already.
    pub fn on_body(
        near: &Nearby,
        bodies: &Bodies,
        inverse_mass: &[f64],
        v: &[Vec3],
        before: &[Clutched],
    ) -> Option<Self> {
        let pair = Pair::PointTriangle([near.contact.vertices[0]; 4]);
        let clutch = Self::new(pair, near, bodies, inverse_mass, v, before)?;
        let grip = if near.watched { Grip::Released } else { clutch.grip };
        Some(Self { strength: FIRM * clutch.mass, grip, ..clutch })
    }

    /// The vertex in a wedge that it grips, if it does.
    pub fn in_wedge(&self) -> Option<u32> {
        let [vertex, others @ ..] = self.pair.vertices();
        (others == [vertex; 3]).then_some(vertex)
    }

    /// `B` of the dashpot \[kg\]: its rate times the implicit time `beta`. Across the normal it is strong
    /// while it sticks, and `μ_k N/|v_T|` while it slides.
    fn block(&self, beta: f64) -> Mat3 {
        let strength = self.strength;
        let across = match self.grip {
            Grip::Sticking => strength,
            Grip::Sliding(force) => {
                (beta * self.friction_at(force) / self.slip_speed).min(strength)
            }
            Grip::Released => return Mat3::ZERO,
        };
        outer(self.normal * (strength - across), self.normal)
            + Mat3::from_diagonal(Vec3::splat(across))
    }

    /// Its part of the matrix and the relative velocity it wants; `None` once released.
    pub fn coupling(&self, beta: f64) -> Option<(Coupling, Vec3)> {
        let Self { vertices, weights, .. } = *self;
        let coupling = || Coupling { vertices, weights, block: self.block(beta) };
        let coupling = || (coupling(), self.wanted(beta));
        (self.grip != Grip::Released).then(coupling)
    }

    /// Relative velocity at which the dashpot has no force: `u + βF/B`, of which the part across the normal counts
    /// only while it sticks.
    fn wanted(&self, beta: f64) -> Vec3 {
        let load = match self.grip {
            Grip::Sticking => self.load,
            _ => self.normal * self.load.dot(self.normal),
        };
        self.velocity + load * (beta / self.strength)
    }

    /// The friction it can have when pressed with `force` \[N\]: static as long as it has not slipped.
    fn friction_at(&self, force: f64) -> f64 {
        force * self.friction[usize::from(self.slip_speed > self.still)]
    }

    /// Force on the first feature at velocities `v`, for a dashpot of implicit time `beta` \[N\].
    pub fn force(&self, v: &[Vec3], beta: f64) -> Vec3 {
        let relative = combine(&self.vertices, &self.weights, v) - self.wanted(beta);
        self.block(beta) * relative * (-1.0 / beta)
    }

    /// Force on the first feature in what was last solved for and judged \[N\]; nothing of a pair that was let go in it.
    pub fn acted(&self) -> Vec3 {
        self.acted
    }

    /// Unit normal, from the second feature to the first.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The cloth vertices of its features, and their weights.
    pub fn between(&self) -> impl Iterator<Item = (u32, f64)> {
        self.vertices.into_iter().zip(self.weights)
    }

    /// Whether both features are of cloth that can move.
    pub fn is_between_cloth(&self) -> bool {
        is_difference(&self.weights)
    }

    /// Friction counts on a share of what it was last found to press with only.
    pub fn discount(&mut self, share: f64) {
        if let Grip::Sliding(force) = &mut self.grip {
            *force *= share;
        }
    }

    /// What to remember for the next step: what no longer slips, and strains no more than static friction allows, sticks.
    pub fn remember(&self) -> Clutched {
        let grip = match self.grip {
            Grip::Sliding(_) if self.holds => Grip::Sticking,
            grip => grip,
        };
        Clutched { pair: self.pair, grip, load: self.carried }
    }

    /// Judges the grip by what came out of a solve; returns whether it changed.
    pub fn judge(&mut self, solved: &Outcome) -> bool {
        let Outcome { v, beta, .. } = *solved;
        let velocity = combine(&self.vertices, &self.weights, v);
        let relative = velocity - self.velocity;
        let force = self.force(v, beta);
        let pressing = force.dot(self.normal);
        let along = (force - self.normal * pressing).length();
        let mut started: f64 = 0.0;
        let next = match self.grip {
            Grip::Released if (velocity - self.wanted(beta)).dot(self.normal) < 0.0 => {
                if self.rests { Grip::Sticking } else { Grip::Sliding(0.0) }
            }
            Grip::Released => Grip::Released,
            _ if pressing < 0.0 => Grip::Released,
            Grip::Sticking if along > self.friction[0] * pressing => {
                let excess = along - self.friction[0] * pressing;
                started = excess * beta / self.mass;
                Grip::Sliding(pressing)
            }
            Grip::Sliding(_) => Grip::Sliding(pressing),
            Grip::Sticking => Grip::Sticking,
        };
        let before = self.slip_speed;
        let slip = (relative - self.normal * relative.dot(self.normal)).length();
        self.holds = self.is_held(pressing, along, [before, slip]);
        let starts = self.grip == Grip::Sliding(0.0) && self.friction[1] > 0.0;
        let changed = starts || std::mem::discriminant(&next) != std::mem::discriminant(&self.grip);
        self.slip_speed = slip.max(started).max(f64::MIN_POSITIVE);
        let slip = self.slip_speed * (STILL / self.still);
        let stays =
            if next == Grip::Sticking { 1.0 } else { (2.0 - slip / STAYING).clamp(0.0, 1.0) };
        let found = if pressing > 0.0 { force } else { Vec3::ZERO };
        self.carried = self.load.lerp(found, LEARNT) * stays;
        self.acted = force;
        self.grip = next;
        changed
    }

    /// Whether friction holds it, pressed with `pressing` and with `along` across it \[N\], while its slip went from one speed to
    /// another \[m/s\]: it stands still under less than static friction can hold, or slips slowly, and less drives it than
    /// sliding friction can take. A dashpot alone would let it creep.
    fn is_held(&self, pressing: f64, along: f64, [before, slip]: [f64; 2]) -> bool {
        let [sticking, sliding] = self.friction;
        let inertia = self.mass * self.still / STILL;
        let slow = slip.max(before) * STILL <= SLOW * self.still;
        let stops = along + inertia * (2.0 * slip - before) < sliding * pressing;
        let still = slip <= self.still && along <= sticking * pressing;
        still || matches!(self.grip, Grip::Sliding(known) if known > 0.0 && slow && stops)
    }
}

/// Whether weights take one feature of cloth from another.
fn is_difference(weights: &[f64; 4]) -> bool {
    weights.iter().any(|w| *w > 0.0) && weights.iter().any(|w| *w < 0.0)
}

fn combine(vertices: &[u32; 4], weights: &[f64; 4], v: &[Vec3]) -> Vec3 {
    vertices.iter().zip(weights).map(|(&i, w)| v[i as usize] * *w).sum()
}
