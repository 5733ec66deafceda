//! Cloth caught between parts of a body (MF6): a point inside two level sets, or in one with another in the
//! way out, has no place outside; so it is held on the surface of least distance between them, and moves as
//! their mean.

use super::ladder::Motion;
use super::obstacle::Obstacle;
use crate::body::Body;
use crate::levelset::{Sample, meeting};
use crate::math::Vec3;
use crate::pin::{Hold, StepHold};
use rayon::prelude::*;

/// The vertices that are caught between level sets at the start of a step, and how they are held; sorted
/// by vertex.
pub(super) fn find(bodies: &[Body], motion: &Motion) -> Vec<StepHold> {
    let parts: Vec<&Body> = bodies.iter().filter(|body| body.level_set().is_some()).collect();
    if parts.len() < 2 {
        return Vec::new();
    }
    let free = |(i, _): &(usize, &Vec3)| motion.inverse_mass[*i] > 0.0;
    let vertices = motion.x.par_iter().enumerate().filter(free);
    vertices.filter_map(|(i, x)| pinched(i as u32, *x, &parts, motion)).collect()
}

fn pinched(vertex: u32, x: Vec3, parts: &[&Body], motion: &Motion) -> Option<StepHold> {
    let (start, dt) = (motion.start, motion.dt);
    let thickness = motion.cloth.thickness[vertex as usize];
    let mut near: Vec<(&Body, Sample)> = Vec::new();
    for &body in parts {
        let (distance, gradient) = body.exact_distance(x, start)?;
        if distance < thickness {
            near.push((body, Sample { distance, gradient }));
        }
    }
    // The two parts it is deepest in.
    near.sort_by(|a, b| a.1.distance.total_cmp(&b.1.distance));
    let [(body_a, a), (body_b, b), ..] = *near else { return None };
    let barred = a.distance + b.distance < 0.0 && a.gradient.dot(b.gradient) < 0.0;
    if b.distance >= 0.0 && !barred {
        return None;
    }
    let surface = meeting(&a, &b)?;
    let velocity = |body: &Body| Some((body.carry(x, start, start + dt)? - x) / dt);
    let mean = (velocity(body_a)? + velocity(body_b)?) * 0.5;
    let relaxation = Obstacle { body: body_a, start, dt }.relaxation_time();
    Some(StepHold {
        vertex,
        hold: Hold::Point,
        from: x,
        velocity: mean + surface.normal * (surface.offset / relaxation),
    })
}
