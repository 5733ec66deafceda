//! Cloth resting on bodies as constraints inside the implicit solve (BW11): capture, release when the
//! constraint would pull, stick and slide from the constraint force.
//!
//! The rest of the ladder stops what approaches *after* the internal dynamics have had their say; stiff
//! cloth draped over a body then fights the two against each other. A vertex within its thickness of a
//! body is therefore held at the surface during the solve, and its neighbours feel it.

use super::approach::Nearby;
use super::impulse::Contact;
use crate::linalg::Coupling;
use crate::math::{Mat3, Vec3, outer, try_normalize};
use crate::pin::{Hold, StepHold};

/// Slip below this distance in a step counts as standing still \[m\].
const STILL: f64 = 1e-6;

/// Sliding friction is known as a force where it would take more steps than this to stop the slip: as a dashpot it would
/// be that of the speed when the step began, and too strong by the share `a Δt/v` while it gets faster.
const COASTING: f64 = 2.0;

/// Slip above this distance in a step is fast enough for that \[m\]: what slows down to rest is stopped by a dashpot.
const FAST: f64 = 1e-4;

/// Slow slip is stopped where what drives it is less than this share of sliding friction \[-\].
const ARRESTS: f64 = 0.8;

/// Two surfaces are wedged where the sine of the angle between them is larger than this \[-\]: they have different normals,
/// and are not opposite to each other.
const WEDGE: f64 = 0.2;

/// What a vertex in contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// It moves with the surface.
    Sticking,
    /// It slides, pressed on with this force \[N\]; friction opposes its slip.
    Sliding(f64),
    /// It was pulling: let go.
    Released,
}

/// What is remembered of a vertex in contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The vertex.
    pub vertex: u32,
    /// What it does.
    pub grip: Grip,
}

/// A vertex near a body at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    vertex: u32,
    normal: Vec3,
    /// Velocity of the surface, plus that of the thickness spring along the normal \[m/s\].
    velocity: Vec3,
    friction: [f64; 2],
    /// Where it is when the step starts, altered \[m\].
    x: Vec3,
    /// `y`, by which its position is altered \[m\] (BW13).
    altered: Vec3,
    /// What friction takes from its slip when it lands \[m/s\]: `μ_k` times what the surface takes from its approach (BF9).
    braked: f64,
    /// How fast it slips at the start of the step, after that \[m/s\].
    slip_speed: f64,
    /// Friction that is known as a force \[N\]: on a vertex that stuck when the step began, and slips, since how fast is not
    /// known yet, but against what is; and on one that goes on slipping whatever friction does.
    drag: Option<Vec3>,
    /// The largest friction that is treated as such a force \[N\]: a larger one could stop it.
    most_drag: f64,
    /// Whether it is on the surface already, and not slipping.
    rests: bool,
    /// Whether it touches another body too, at an angle: then it slides along both.
    wedged: bool,
    /// Its mass over the length of the step \[kg/s\].
    inertia: f64,
    /// Slip up to this speed is slow \[m/s\].
    slow: f64,
    /// Whether it slides, and friction stops it, as last solved for.
    arrested: bool,
    grip: Grip,
}

/// Velocities and inverse masses of cloth and bodies at the start of a step.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// Number of cloth vertices; the bodies' come after them.
    pub cloth_count: usize,
    /// Positions \[m\].
    pub x: &'a [Vec3],
    /// Velocities of the bodies' vertices over the step \[m/s\].
    pub body_velocity: &'a [Vec3],
    /// Length of the step \[s\].
    pub dt: f64,
}

/// The vertices that near contacts hold on bodies, one contact each: the one with the largest overlap.
///
/// `v` are the cloth's velocities at the start of the step; `before` what was remembered, sorted.
pub fn capture(
    near: &[Nearby],
    bodies: &Bodies,
    inverse_mass: &[f64],
    v: &[Vec3],
    before: &[Touch],
) -> Vec<Touching> {
    let mut found: Vec<(u32, (bool, f64), Touching)> = near
        .iter()
        .filter_map(|near| {
            let mut touching = touching(near, bodies, v, before)?;
            let inverse = inverse_mass[touching.vertex as usize];
            touching.inertia = 1.0 / (inverse * bodies.dt);
            touching.coast(v[touching.vertex as usize], inverse, bodies.dt);
            (inverse > 0.0).then_some((touching.vertex, (near.watched, -near.overlap), touching))
        })
        .collect();
    found.sort_by(|(a, (watched, order), _), (b, (others, beside), _)| {
        a.cmp(b).then(watched.cmp(others)).then(order.total_cmp(beside))
    });
    found.dedup_by_key(|(vertex, _, _)| *vertex);
    found.into_iter().map(|(_, _, touching)| touching).collect()
}

/// The contacts of vertices of `touching` with further exact shapes that meet the first at an angle, and which vertices
/// these are: where a ball stands on the ground, cloth in the wedge between the two touches both.
pub fn wedged(near: &[Nearby], touching: &[Touching], cloth_count: usize) -> Vec<(Nearby, usize)> {
    let on_shape =
        |near: &&Nearby| near.pair.is_none() && is_vertex_on_body(&near.contact, cloth_count);
    let contacts = near.iter().filter(on_shape).filter_map(|near| {
        let vertex = near.contact.vertices[0];
        let first = touching.binary_search_by_key(&vertex, |t| t.vertex).ok()?;
        let sine = touching[first].normal.cross(near.contact.normal).length();
        (sine > WEDGE).then_some((*near, first))
    });
    let mut wedged: Vec<(Nearby, usize)> = contacts.collect();
    wedged.sort_by_key(|(_, first)| *first);
    wedged
}

/// Whether a contact is that of a single cloth vertex with a body.
pub fn is_vertex_on_body(contact: &Contact, cloth_count: usize) -> bool {
    let [vertex, others @ ..] = contact.vertices;
    let single = contact.weights[1..].iter().all(|w| *w == 0.0);
    let on_body = others.iter().all(|&o| o as usize >= cloth_count);
    contact.weights[0] == 1.0 && (vertex as usize) < cloth_count && (single || on_body)
}

/// The contact of a single cloth vertex with a body, if it is one.
fn touching(near: &Nearby, bodies: &Bodies, v: &[Vec3], before: &[Touch]) -> Option<Touching> {
    let Nearby { overlap, altered, ref contact, .. } = *near;
    if !is_vertex_on_body(contact, bodies.cloth_count) {
        return None;
    }
    let [vertex, others @ ..] = contact.vertices;
    let single = contact.weights[1..].iter().all(|w| *w == 0.0);
    let mut surface = contact.surface;
    if !single {
        for (&o, w) in others.iter().zip(&contact.weights[1..]) {
            surface -= bodies.body_velocity[o as usize - bodies.cloth_count] * *w;
        }
    }
    let n = contact.normal;
    let relative = v[vertex as usize] - surface;
    let slip = relative - n * relative.dot(n);
    let stopped = (contact.target.min(0.0) - relative.dot(n)).max(0.0);
    let lands = stopped > 0.0;
    let braked = contact.friction[1] * stopped;
    let slip_speed = (slip.length() - braked).max(0.0);
    let grip = match before.binary_search_by_key(&vertex, |t| t.vertex).map(|k| before[k].grip) {
        Ok(Grip::Sliding(_)) if slip.length() * bodies.dt <= STILL => Grip::Sticking,
        // Held up by the cloth around it, perhaps: the solve will tell.
        Ok(Grip::Released) if !lands => Grip::Released,
        Err(_) if !lands && overlap < 0.0 => Grip::Released,
        // Still on its way: friction begins when it presses.
        Ok(Grip::Released) | Err(_) if overlap < 0.0 => Grip::Sliding(0.0),
        // It slips when it lands: holding it would stop it whatever friction can do.
        Ok(Grip::Released) | Err(_) if slip_speed * bodies.dt > STILL => Grip::Sliding(0.0),
        Ok(Grip::Released) | Err(_) => Grip::Sticking,
        Ok(grip) => grip,
    };
    let grip = if contact.friction[0] == 0.0 && grip == Grip::Sticking {
        Grip::Sliding(0.0)
    } else {
        grip
    };
    Some(Touching {
        vertex,
        normal: n,
        velocity: surface + n * contact.target,
        friction: contact.friction,
        x: bodies.x[vertex as usize] + n * altered,
        altered: n * altered,
        braked,
        slip_speed: slip_speed.max(STILL / bodies.dt),
        drag: None,
        most_drag: f64::INFINITY,
        rests: overlap >= -STILL && slip.length() * bodies.dt <= STILL,
        wedged: false,
        inertia: f64::INFINITY,
        slow: FAST / bodies.dt,
        arrested: false,
        grip,
    })
}

/// Adds to positions `x` what alters them (BW13).
pub fn alter(touching: &[Touching], x: &mut [Vec3]) {
    for t in touching {
        x[t.vertex as usize] += t.altered;
    }
}

/// The holds of all vertices that have not let go.
pub fn holds(touching: &[Touching]) -> Vec<StepHold> {
    let held = touching.iter().filter(|t| t.grip != Grip::Released);
    held.map(|t| StepHold {
        vertex: t.vertex,
        hold: if t.grip == Grip::Sticking { Hold::Point } else { Hold::Plane(t.normal) },
        from: t.x,
        velocity: t.velocity,
    })
    .collect()
}

/// Sliding friction as a dashpot: `−μ_k N v_T/|v_T|` with `|v_T|` from the start of the step, so that it
/// can stop what slides but never turn it back.
pub fn friction(touching: &Touching, beta: f64) -> Option<(Coupling, Vec3)> {
    let Grip::Sliding(force) = touching.grip else { return None };
    if touching.drag.is_some() {
        return None;
    }
    let rate = beta * touching.friction[1] * force / touching.slip_speed;
    let n = touching.normal;
    let block = (Mat3::IDENTITY - outer(n, n)) * rate;
    let coupling =
        Coupling { vertices: [touching.vertex; 4], weights: [1.0, 0.0, 0.0, 0.0], block };
    Some((coupling, touching.velocity))
}

/// Friction that is known as a force: on vertices that have just begun to slip \[N\].
pub fn drag(touching: &Touching) -> Option<(u32, Vec3)> {
    let slides = matches!(touching.grip, Grip::Sliding(_));
    touching.drag.filter(|_| slides).map(|drag| (touching.vertex, drag))
}

/// An impact is inelastic, with friction: velocities at the start of the step take over the held motion.
pub fn land(touching: &[Touching], v: &mut [Vec3]) {
    for t in touching {
        let v = &mut v[t.vertex as usize];
        match t.grip {
            Grip::Sticking => *v = t.velocity,
            Grip::Sliding(_) => {
                *v += t.normal * (t.velocity - *v).dot(t.normal);
                let slip = *v - t.velocity;
                *v -= slip.clamp_length_max(t.braked);
            }
            Grip::Released => {}
        }
    }
}

/// What came out of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Constraint forces of the vertices held in contact \[N\].
    pub forces: &'a [(u32, Vec3)],
    /// Positions of the cloth when the stage began \[m\], and the time that had passed in the step by then \[s\].
    pub began: (&'a [Vec3], f64),
    /// Positions of the cloth \[m\].
    pub x: &'a [Vec3],
    /// Velocities of the cloth \[m/s\].
    pub v: &'a [Vec3],
    /// Time since the start of the step \[s\].
    pub elapsed: f64,
    /// Implicit time of the solve \[s\].
    pub beta: f64,
    /// How often the forces count: 2 where they act at the end of a stage for the whole of it.
    pub share: f64,
}

/// Judges grips by what came out of a solve: what has been let go and comes too near is caught, what
/// pulls is released, what strains more than static friction allows slides. Returns how many changed.
pub fn judge(touching: &mut [Touching], solved: &Outcome) -> usize {
    let mut changed = 0;
    let mut forces = solved.forces.iter().peekable();
    for t in touching {
        let force = forces.next_if(|(vertex, _)| *vertex == t.vertex);
        let next = match (t.grip, force) {
            (Grip::Released, _) if t.comes_too_near(solved) => {
                let sticks = t.rests && t.friction[0] > 0.0 && !t.wedged;
                if sticks { Grip::Sticking } else { Grip::Sliding(0.0) }
            }
            (_, Some((_, force))) => t.strained(*force / solved.share, solved),
            (grip, None) => grip,
        };
        changed += usize::from(std::mem::discriminant(&next) != std::mem::discriminant(&t.grip));
        t.grip = next;
    }
    changed
}

impl Touching {
    /// It slides along another surface too.
    pub fn slide(&mut self) {
        (self.wedged, self.drag) = (true, None);
        if self.grip == Grip::Sticking {
            self.grip = Grip::Sliding(0.0);
        }
    }

    /// Makes friction a force where it cannot stop the vertex, of velocity `v`, for some steps of length `dt` \[s\].
    fn coast(&mut self, v: Vec3, inverse_mass: f64, dt: f64) {
        let Grip::Sliding(force) = self.grip else { return };
        let relative = v - self.velocity;
        let slip = relative - self.normal * relative.dot(self.normal);
        let slip = slip - slip.clamp_length_max(self.braked);
        let friction = self.friction[1] * force;
        let most = slip.length() / (COASTING * inverse_mass * dt);
        if 0.0 < friction && friction < most && slip.length() * dt > FAST {
            self.drag = try_normalize(slip).map(|along| along * -friction);
            self.most_drag = most;
        }
    }

    /// Whether friction was a force because it could not stop the vertex, and now it can, or the vertex turned back.
    fn was_coasting(&self, slip: Vec3, pressing: f64) -> bool {
        let turned = self.drag.is_some_and(|drag| drag.dot(slip) > 0.0);
        self.most_drag.is_finite() && (turned || self.friction[1] * pressing > self.most_drag)
    }

    /// The grip of a vertex that is held with this force \[N\].
    fn strained(&mut self, force: Vec3, solved: &Outcome) -> Grip {
        let slip = solved.v[self.vertex as usize] - self.velocity;
        let pressing = force.dot(self.normal);
        let along = force - self.normal * pressing;
        self.arrested = false;
        match self.grip {
            _ if pressing < 0.0 => Grip::Released,
            Grip::Sticking if along.length() > self.friction[0] * pressing => {
                self.drag = Some(along * (self.friction[1] * pressing / along.length()));
                Grip::Sliding(pressing)
            }
            // Something else turns it, or it is pressed on harder than was known: a dashpot again.
            Grip::Sliding(_) if self.was_coasting(slip, pressing) => {
                self.drag = None;
                Grip::Sliding(pressing)
            }
            // Friction stops, it does not turn back.
            Grip::Sliding(_) if self.drag.is_some_and(|drag| drag.dot(slip) > 0.0) => {
                self.drag = None;
                self.stay(solved);
                Grip::Sticking
            }
            Grip::Sliding(known) => {
                self.arrested = self.is_arrested(known, slip, pressing);
                self.drag =
                    self.drag.and_then(try_normalize).map(|d| d * self.friction[1] * pressing);
                Grip::Sliding(pressing)
            }
            Grip::Sticking | Grip::Released => self.grip,
        }
    }

    /// Whether friction stops its slow slip within the step. As a dashpot it only makes the slip smaller, by the ratio of what
    /// drives the vertex to what friction can hold; next to its limit that is nearly one, and a whole heap creeps on. What drives it
    /// is the friction that the dashpot had, and what slowed it down.
    fn is_arrested(&self, known: f64, slip: Vec3, pressing: f64) -> bool {
        let speed = (slip - self.normal * slip.dot(self.normal)).length();
        if self.wedged || self.drag.is_some() || speed.max(self.slip_speed) > self.slow {
            return false;
        }
        let had = self.friction[1] * known * speed / self.slip_speed;
        let driven = had + self.inertia * (speed - self.slip_speed);
        known > 0.0 && driven + self.inertia * speed < ARRESTS * self.friction[1] * pressing
    }

    /// Holds the vertex where it was when the stage began: it may have slipped since the step did.
    fn stay(&mut self, solved: &Outcome) {
        let (x, elapsed) = solved.began;
        let slipped = x[self.vertex as usize] - (self.x + self.velocity * elapsed);
        self.x += slipped - self.normal * slipped.dot(self.normal);
    }

    /// Whether a vertex that has been let go ends up behind the surface.
    fn comes_too_near(&self, solved: &Outcome) -> bool {
        let surface = self.x + self.velocity * solved.elapsed;
        (solved.x[self.vertex as usize] - surface).dot(self.normal) < 0.0
    }
}

/// What to remember for the next step.
pub fn remember(touching: &[Touching]) -> Vec<Touch> {
    let grip = |t: &Touching| match t.grip {
        Grip::Sliding(_) if t.arrested => Grip::Sticking,
        grip => grip,
    };
    touching.iter().map(|t| Touch { vertex: t.vertex, grip: grip(t) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vertex of 1 g that slides along x on the ground, pressed on with 1 mN.
    fn sliding(speed: f64, dt: f64) -> Touching {
        let mut touching = Touching {
            vertex: 0,
            normal: Vec3::Z,
            velocity: Vec3::ZERO,
            friction: [0.5, 0.4],
            x: Vec3::ZERO,
            altered: Vec3::ZERO,
            braked: 0.0,
            slip_speed: speed,
            drag: None,
            most_drag: f64::INFINITY,
            rests: false,
            wedged: false,
            inertia: 1e-3 / dt,
            slow: FAST / dt,
            arrested: false,
            grip: Grip::Sliding(1e-3),
        };
        touching.coast(Vec3::X * speed, 1e3, dt);
        touching
    }

    fn judged(touching: &mut Touching, pressing: f64, speed: f64) {
        let v = [Vec3::X * speed];
        let (forces, x) = ([(0, Vec3::Z * pressing)], [Vec3::ZERO]);
        let solved = Outcome {
            forces: &forces,
            began: (&x, 0.0),
            x: &x,
            v: &v,
            elapsed: 0.01,
            beta: 0.01,
            share: 1.0,
        };
        judge(std::slice::from_mut(touching), &solved);
    }

    /// Friction of 0.4 mN takes 4 mm/s from it in a hundredth of a second: what is twice as fast, and moves on by more than
    /// 0.1 mm, has it as a force.
    #[test]
    fn v7_friction_is_a_force_where_it_cannot_stop_the_slip() {
        let dt = 0.01;
        assert_eq!(sliding(0.0099, dt).drag, None, "hardly moves on");
        assert_eq!(sliding(0.011, dt).drag, Some(Vec3::X * -4e-4));
        assert_eq!(sliding(0.07, 0.1).drag, None, "stops within two steps");
        assert!(friction(&sliding(0.07, 0.1), dt).is_some(), "a dashpot");
        assert!(friction(&sliding(0.1, dt), dt).is_none());
    }

    /// Such a force follows what presses, but never so far that it would turn the vertex back; then it is a dashpot.
    #[test]
    fn v7_friction_that_can_stop_the_slip_is_no_force() {
        let of = |pressing: f64, speed: f64| {
            let mut touching = sliding(0.1, 0.01);
            judged(&mut touching, pressing, speed);
            touching
        };
        assert!((of(2e-3, 0.09).drag.unwrap() - Vec3::X * -8e-4).length() < 1e-18);
        for (pressing, speed) in [(1.0, 0.09), (1e-3, -0.01)] {
            let turned = of(pressing, speed);
            assert_eq!((turned.drag, turned.grip), (None, Grip::Sliding(pressing)));
        }
        assert_eq!(of(-1e-3, 0.09).grip, Grip::Released);
    }
}
