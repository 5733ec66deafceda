//! Implicit integration with one linearised solve per stage (BW8): backward Euler, first order, and
//! TR-BDF2, second order.
//!
//! Both are made of stages of one form. A stage looks for `x`, `v` with
//!
//! ```text
//! v = v* + β a(x, v),      x = x* + β v
//! ```
//!
//! and linearises the forces at `(x̂, v̂)`. With `v = v̂ + Δv`, `d = x* + β v̂ − x̂`:
//!
//! ```text
//! (M − β ∂f/∂v − β² ∂f/∂x) Δv = M (v* − v̂) + β (f(x̂, v̂) + (∂f/∂x) d + M g)
//! ```
//!
//! Backward Euler is one stage with `β = h`, `x* = x⁰`, `v* = v⁰`: BW's equation. TR-BDF2 is a
//! trapezoidal stage over `γh`, then a BDF2 stage over the rest, `γ = 2 − √2`, which makes `β = γh/2` in
//! both. It is L-stable, and exact for free fall whatever the step; backward Euler falls `h/2`
//! seconds ahead of time.
//!
//! Where contact alters a position by `y` (BW13), `x*` has it: `d` then does, and with it the force on the
//! vertices around, as in BW's `(∂f/∂x) y`.
//!
//! A stage is linearised where it starts, and where the cloth turns out to have turned far from there, or a
//! contact let go, once more at what was found: then only the remainder is solved for. Without that,
//! cloth that turns by an angle `φ` in a step ends up stretched by `φ²/2`, which the next step pulls
//! back and takes away as heat: the sheet that falls on a ball fell 10 % too slowly.

use super::Candidate;
use crate::cloth::Cloth;
use crate::contact::Grips;
use crate::contact::touch::{self, Outcome};
use crate::force::air::Air;
use crate::force::pressure::Pressure;
use crate::force::{Linearised, System};
use crate::linalg::{Coupling, Pcg, Preconditioner, Solve, Tolerance};
use crate::link::spring::{self, Spring};
use crate::math::Vec3;
use crate::pin::{Held, Stage};
use crate::wind::Blow;
use rayon::prelude::*;

/// Which implicit rule advances the cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// First order; strongly damped at large steps.
    BackwardEuler,
    /// Second order, L-stable; two solves a step, each as well-conditioned as a backward Euler step of
    /// 0.29 h.
    #[default]
    TrBdf2,
}

impl Rule {
    /// The implicit time `β` of the last stage of a step of length `h` \[s\].
    pub fn beta(self, h: f64) -> f64 {
        match self {
            Self::BackwardEuler => h,
            Self::TrBdf2 => (1.0 - std::f64::consts::FRAC_1_SQRT_2) * h,
        }
    }
}

/// What acts on the cloth during a step.
#[derive(Clone, Copy, Debug)]
pub struct Loads<'a> {
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Air, if any.
    pub air: Option<&'a Air>,
    /// Winds as they blow now.
    pub winds: &'a [Blow],
    /// Further forces, one a vertex \[N\]; empty for none.
    pub external: &'a [Vec3],
    /// Pins; contacts are held by the grips.
    pub held: Held<'a>,
    /// Springs of pointers, attachments, seams and sticking (BW7, BW15, MF9).
    pub springs: &'a [Spring],
    /// Inflated pieces.
    pub pressures: &'a [Pressure],
}

impl Loads<'_> {
    /// Adds springs and pressures: to `force` at the start of the step and positions `x`, to `shifted` at
    /// time `t` \[s\] and positions `x + shift`.
    fn add_ties(&self, cloth: &Cloth, at: &Linearised, t: f64, [force, shifted]: [&mut [Vec3]; 2]) {
        let (x, d) = (at.x, at.shift);
        spring::forces(self.springs, x, at.v, self.held.start, force);
        spring::shifted_forces(self.springs, [x, d], at.v, t, shifted);
        for pressure in self.pressures {
            pressure.add(&cloth.triangles, |v| x[v as usize], self.held.start, force);
            let ahead = |v: u32| x[v as usize] + d[v as usize];
            pressure.add(&cloth.triangles, ahead, t, shifted);
        }
    }
}

impl Loads<'_> {
    /// Gravity and further forces on vertex `i` of mass `mass` \[kg\], in newtons.
    #[inline]
    fn on(&self, i: usize, mass: f64) -> Vec3 {
        let weight = self.gravity * mass;
        self.external.get(i).map_or(weight, |force| weight + *force)
    }
}

/// How the linear systems of a step ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solved {
    /// One entry per linear system.
    pub solves: Vec<Solve>,
    /// Constraint force on every pinned vertex at the end of the step \[N\] (BW9).
    pub pin_forces: Vec<(u32, Vec3)>,
    /// Constraint force on every vertex held by contact at the end of the step \[N\] (BW9, BW11).
    pub contact_forces: Vec<(u32, Vec3)>,
    /// Seconds spent linearising and assembling.
    pub assembly_seconds: f64,
    /// Seconds spent in conjugate gradients.
    pub solve_seconds: f64,
}

/// Work space: matrix, solver buffers and vectors. Dropping it between steps changes nothing.
#[derive(Clone, Debug)]
pub struct Workspace {
    system: System,
    pcg: Pcg,
    shift: Vec<Vec3>,
    rhs: Vec<Vec3>,
    delta: Vec<Vec3>,
}

impl Workspace {
    /// Work space for a cloth.
    pub fn new(cloth: &Cloth) -> Self {
        let zeros = vec![Vec3::ZERO; cloth.vertex_count()];
        Self {
            system: System::new(cloth),
            pcg: Pcg::default(),
            shift: zeros.clone(),
            rhs: zeros.clone(),
            delta: zeros,
        }
    }

    /// Which preconditioner the solves use; `None` for the one that suits the size.
    pub fn precondition(&mut self, preconditioner: Option<Preconditioner>) {
        self.pcg.precondition(preconditioner);
    }
}

/// The state a step starts from.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Time \[s\].
    pub time: f64,
    /// Positions \[m\].
    pub x: &'a [Vec3],
    /// Velocities \[m/s\].
    pub v: &'a [Vec3],
}

/// Most linear systems of a stage.
const ROUNDS: usize = 2;

/// Grips that change are left to the next step where they are fewer than one in this many.
const FEW: usize = 50;

/// How much less a first system is solved for when a second one is to be expected \[-\].
const ROUGHLY: f64 = 10.0;

/// An edge is far from where it was linearised when it has turned by this angle \[rad\] or stretched by this
/// share \[-\]: what is left is of the order of half its square.
const FAR: f64 = 0.1;

/// Edges that are far are many where they are more than one in this many.
const MANY: usize = 200;

/// Square of how many times its momentum may stand for the load of cloth near equilibrium \[-\].
const STIRRED: f64 = 100.0;

/// Square of the least part of its weight that does \[-\].
const SLIGHT: f64 = 1e-6;

/// Candidate after a step of length `h` \[s\], with what is in contact held and gripped while it presses
/// (BW11, BW12).
pub fn advance(
    cloth: &Cloth,
    rule: Rule,
    step: (&Start, f64),
    loads: &Loads,
    grips: &mut Grips,
    tolerance: Tolerance,
    work: &mut Workspace,
) -> (Candidate, Solved) {
    let (start, h) = step;
    let mut run = Run { cloth, loads, grips, tolerance, work, solved: Solved::default() };
    let candidate = match rule {
        Rule::BackwardEuler => run.backward_euler(start, h),
        Rule::TrBdf2 => run.tr_bdf2(start, h),
    };
    (candidate, run.solved)
}

/// One step in progress.
struct Run<'a, 'b> {
    cloth: &'a Cloth,
    loads: &'a Loads<'b>,
    grips: &'a mut Grips,
    tolerance: Tolerance,
    work: &'a mut Workspace,
    solved: Solved,
}

/// A stage: `v = v* + β a(x, v)`, `x = x* + β v`.
struct Plan {
    /// `x*` \[m\].
    base: Vec<Vec3>,
    /// `v*` \[m/s\], without the `β a⁰` of a trapezoidal stage.
    v_base: Vec<Vec3>,
    /// `β` \[s\].
    beta: f64,
    /// Time at the start of the stage \[s\].
    start: f64,
    /// Time at the end of the stage \[s\].
    time: f64,
    /// Whether it is trapezoidal: `v*` is pushed by the acceleration at its start. Contact forces act at
    /// the end of a stage only; in a trapezoidal one, whose first half does not know them, for the whole
    /// of it.
    trapezoidal: bool,
}

impl Plan {
    /// How often contact forces count.
    fn share(&self) -> f64 {
        if self.trapezoidal { 2.0 } else { 1.0 }
    }

    /// Where everything would be at the end of the stage with velocities `v`.
    fn flown(&self, v: Vec<Vec3>) -> Candidate {
        let x = self.base.par_iter().zip(&v).map(|(x, v)| *x + *v * self.beta).collect();
        Candidate { x, v }
    }
}

/// What the first system of a stage leaves to the others.
#[derive(Default)]
struct First {
    /// Squared size of its right-hand side.
    scale: Option<f64>,
    /// `β a⁰` of a trapezoidal stage \[m/s\].
    push: Option<Vec<Vec3>>,
}

impl Run<'_, '_> {
    fn backward_euler(&mut self, start: &Start, h: f64) -> Candidate {
        self.stage(|run| {
            let v = run.landed(start.v);
            let (base, v_base, time) = (run.altered(start.x), v.clone(), start.time + h);
            let plan = Plan { base, v_base, beta: h, start: start.time, time, trapezoidal: false };
            (plan, Candidate { x: start.x.to_vec(), v })
        })
    }

    /// TR over `γh`: `v* = v⁰ + β a⁰`, `x* = x⁰ + β v⁰`. BDF2: `u* = c u^γ − (c − 1) u⁰`,
    /// `c = 1/(γ(2 − γ))`.
    fn tr_bdf2(&mut self, start: &Start, h: f64) -> Candidate {
        let gamma = 2.0 - std::f64::consts::SQRT_2;
        let beta = 0.5 * gamma * h;
        let middle = self.stage(|run| {
            let v = run.landed(start.v);
            let base = run.altered(start.x).iter().zip(&v).map(|(x, v)| *x + *v * beta).collect();
            let (v_base, time) = (v.clone(), start.time + gamma * h);
            let plan = Plan { base, v_base, beta, start: start.time, time, trapezoidal: true };
            (plan, Candidate { x: start.x.to_vec(), v })
        });
        let c = 1.0 / (gamma * (2.0 - gamma));
        let blend = |now: &[Vec3], before: &[Vec3]| -> Vec<Vec3> {
            now.iter().zip(before).map(|(a, b)| *a * c - *b * (c - 1.0)).collect()
        };
        self.stage(|run| {
            let v_base = blend(&middle.v, &run.landed(start.v));
            let (base, time) = (blend(&middle.x, &run.altered(start.x)), start.time + h);
            let began = start.time + gamma * h;
            let plan = Plan { base, v_base, beta, start: began, time, trapezoidal: false };
            (plan, middle.clone())
        })
    }

    /// Positions at the start, with `y` added (BW13).
    fn altered(&self, x: &[Vec3]) -> Vec<Vec3> {
        let mut x = x.to_vec();
        touch::alter(&self.grips.touching, &mut x);
        x
    }

    /// Velocities at the start, with impacts inelastic.
    fn landed(&self, v: &[Vec3]) -> Vec<Vec3> {
        let landed = &self.grips.landed;
        let mut v = if landed.is_empty() { v.to_vec() } else { landed.clone() };
        touch::land(&self.grips.touching, &mut v);
        v
    }

    /// Solves a stage in rounds: linearise, solve, judge the grips; again while the solution is far from
    /// where it was linearised, and comes nearer. Where grips change, it begins anew: `plan` makes the
    /// stage, and where it starts, out of the grips.
    fn stage(&mut self, plan: impl Fn(&Self) -> (Plan, Candidate)) -> Candidate {
        let (mut stage, mut at) = plan(self);
        let began = at.x.clone();
        let (mut first, mut before) = (First::default(), f64::INFINITY);
        for round in 1.. {
            let next = self.solve(&stage, &at, &mut first);
            let forces = self.solved.pin_forces.split_off(self.pinned());
            let (again, strayed) = self.strayed(&at.x, &next.x);
            if again && strayed > before {
                break;
            }
            let changed = self.grips.judge(&Outcome {
                forces: &forces,
                began: (&began, stage.start - self.loads.held.start),
                x: &next.x,
                v: &next.v,
                elapsed: stage.time - self.loads.held.start,
                beta: stage.beta,
                share: stage.share(),
            });
            (at, self.solved.contact_forces) = (next, forces);
            let settled = changed * FEW <= self.grips.count();
            if (settled && !again) || round == ROUNDS {
                break;
            }
            before = 0.5 * strayed;
            if changed > 0 {
                stage = plan(self).0;
            }
        }
        at
    }

    /// Whether enough edges changed their direction or length between `from` and `to` for a stage to be
    /// linearised again, and the largest such change, as a share of the length. What moves as a whole is
    /// as exact far away as near.
    fn strayed(&self, from: &[Vec3], to: &[Vec3]) -> (bool, f64) {
        let edges = &self.cloth.edges;
        let changes = edges.par_iter().map(|edge| {
            let [a, b] = edge.vertices.map(|v| v as usize);
            ((to[b] - to[a]) - (from[b] - from[a])).length() / edge.length
        });
        let many = changes.clone().filter(|change| *change > FAR).count() * MANY > edges.len();
        (many, changes.reduce(|| 0.0, f64::max))
    }

    /// How many pins hold now: their constraints come first.
    fn pinned(&self) -> usize {
        self.loads.held.anchors.iter().filter(|anchor| anchor.is_some()).count()
    }

    /// Linearises at `at`, for a stage that ends at `time` \[s\].
    fn linearise(&mut self, at: &Candidate, beta: f64, time: f64) {
        let Workspace { system, shift, .. } = &mut *self.work;
        let Loads { air, winds, .. } = *self.loads;
        let at = Linearised { x: &at.x, v: &at.v, shift, air, winds, beta };
        system.assemble(self.cloth, &at);
        let forces: [&mut [Vec3]; 2] = [&mut system.force, &mut system.shifted_force];
        self.loads.add_ties(self.cloth, &at, time, forces);
    }

    /// One linear system: linearised at `at`, solved to what the first system of the stage asks for. The
    /// constraint forces of all held vertices, pins first, are left in `solved.pin_forces`.
    fn solve(&mut self, plan: &Plan, at: &Candidate, first: &mut First) -> Candidate {
        let clock = crate::clock::start();
        let beta = plan.beta;
        self.work.shift.par_iter_mut().enumerate().for_each(|(i, d)| {
            *d = plan.base[i] + at.v[i] * beta - at.x[i];
        });
        self.linearise(at, beta, plan.time);
        let ahead: Vec<Vec3> =
            at.x.par_iter().zip(&self.work.shift).map(|(x, d)| *x + *d).collect();
        let (expected, _) = self.strayed(&at.x, &ahead);
        let Workspace { system, pcg, rhs, delta, .. } = &mut *self.work;
        let (mass, loads) = (&self.cloth.mass, self.loads);
        if plan.trapezoidal && first.push.is_none() {
            let forces = system.force.par_iter().zip(mass).enumerate();
            let push = forces.map(|(i, (f, m))| {
                let gravity =
                    loads.external.get(i).map_or(loads.gravity, |e| loads.gravity + *e / *m);
                (*f / *m + gravity) * beta
            });
            first.push = Some(push.collect());
        }
        let push = first.push.as_deref();
        rhs.par_iter_mut().enumerate().for_each(|(i, b)| {
            let v_base = plan.v_base[i] + push.map_or(Vec3::ZERO, |push| push[i]);
            let history = (v_base - at.v[i]) * mass[i];
            *b = history + (system.shifted_force[i] + loads.on(i, mass[i])) * beta;
        });
        let (couplings, wanted) = self.grips.dashpots(beta);
        let stronger = |c: Coupling| Coupling { block: c.block * plan.share(), ..c };
        let mut couplings: Vec<Coupling> = couplings.into_iter().map(stronger).collect();
        for (coupling, wanted) in couplings.iter().zip(wanted) {
            coupling.load(wanted, &at.v, rhs);
        }
        for (vertex, force) in self.grips.drags() {
            rhs[vertex as usize] += force * (beta * plan.share());
        }
        couplings.extend(self.loads.springs.iter().map(|spring| spring.coupling(beta)));
        system.matrix.couple(&couplings);
        self.solved.assembly_seconds += clock.seconds();

        let clock = crate::clock::start();
        let stage = Stage { base: &plan.base, v: &at.v, beta, time: plan.time };
        let holds = self.grips.holds();
        let filter = Held { holds: &holds, ..self.loads.held }.constraints(&stage);
        delta.fill(Vec3::ZERO);
        let mut tolerance = self.tolerance;
        if first.scale.is_none() && expected {
            tolerance.relative *= ROUGHLY;
        }
        let floor = floor(mass, &at.v, beta * loads.gravity);
        let scale = &mut first.scale;
        let solve =
            pcg.solve_to(&mut system.matrix, rhs, &filter, tolerance, (scale, floor), delta);
        let forces = pcg.constraint_forces(&mut system.matrix, rhs, &filter, delta, beta);
        self.solved.solve_seconds += clock.seconds();
        self.solved.solves.push(solve);
        let held = filter.constraints().iter().map(|c| c.vertex);
        self.solved.pin_forces = held.zip(forces).collect();
        plan.flown(at.v.par_iter().zip(&*delta).map(|(v, d)| *v + *d).collect())
    }
}

/// What a residual of a stage is at least measured by: near equilibrium its load is next to nothing, and ten
/// times the momentum of what still moves is enough, but no more than the weight during the stage. Less
/// would be lost on what comes to rest, more would keep it moving: what a solve leaves over pushes the cloth
/// again in every step.
///
/// `v` are the velocities, `pull` that which gravity adds in the stage \[m/s\].
fn floor(mass: &[f64], v: &[Vec3], pull: Vec3) -> f64 {
    let moving: f64 = v.iter().zip(mass).map(|(v, m)| v.length_squared() * m).sum();
    let weight = pull.length_squared() * mass.iter().sum::<f64>();
    (STIRRED * moving).clamp(SLIGHT * weight, weight)
}
