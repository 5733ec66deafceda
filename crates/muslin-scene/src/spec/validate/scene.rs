//! Checks of the top of a scene: time, solver, contact, air, pictures.

use super::rules::{
    COUNT, FRICTION, Range, SIZE, STRAIN, THICKNESS, band, color, direction, schedule,
};
use super::{Checked, KeyPath, Problem, SceneErrorKind, exactly_one, known_name};
use crate::keyframes::Keyed;
use crate::spec::{
    Air, Checks, Contact, Dynamics, Finish, Integrator, Render, SceneSpec, Solver, Wind, WindSource,
};

pub(super) fn check(spec: &SceneSpec, top: &KeyPath) -> Checked {
    Range::positive("frames/s")
        .up_to(1e5, "fps is frames per second: 24 is usual")
        .check(&top.key("fps"), spec.fps)?;
    Range::not_negative("")
        .up_to(1e6, "run a long scene in parts")
        .check(&top.key("frames"), f64::from(spec.frames))?;
    let strong = Range::not_negative("m/s²")
        .up_to(1000.0, "expected SI units: did you give mm/s²? 9810 mm/s² is 9.81 m/s²");
    for gravity in spec.gravity.values() {
        strong.check(&top.key("gravity"), gravity.length())?;
    }
    solver(spec, &spec.solver, &top.key("solver"))?;
    contact(&spec.contact, &top.key("contact"))?;
    air(&spec.air, &top.key("air"))?;
    let pointer = top.key("pointer");
    Range::not_negative("N/m").check(&pointer.key("stiffness"), spec.pointer.stiffness)?;
    Range::not_negative("N·s/m").check(&pointer.key("damping"), spec.pointer.damping)?;
    let cloths: Vec<&str> = spec.cloth.iter().map(|cloth| cloth.name.as_str()).collect();
    for (i, drag) in spec.pointer.drag.iter().enumerate() {
        let path = pointer.key("drag").index(i);
        known_name(&path.key("cloth"), &drag.cloth, "cloth", &cloths)?;
        schedule(&path, drag.from, drag.until)?;
    }
    for (i, each) in spec.wind.iter().enumerate() {
        wind(each, &top.key("wind").index(i))?;
    }
    render(&spec.render, &top.key("render"))?;
    COUNT.check(
        &top.key("output").key("checkpoint_every"),
        f64::from(spec.output.checkpoint_every),
    )?;
    finish(&spec.finish, &top.key("finish"))?;
    spec.checks.as_ref().map_or(Ok(()), |each| checks(each, &top.key("checks")))
}

fn solver(spec: &SceneSpec, solver: &Solver, path: &KeyPath) -> Checked {
    COUNT.check(&path.key("steps_per_frame"), f64::from(solver.steps_per_frame))?;
    Range::positive("s").check_option(&path.key("max_step"), solver.max_step)?;
    let step = spec.max_step();
    Range::positive("s")
        .up_to(step, "it is larger than the largest step; make it smaller, or `max_step` larger")
        .check(&path.key("min_step"), solver.min_step)?;
    Range::positive("").check(&path.key("max_stretch_change"), solver.max_stretch_change)?;
    Range::not_negative("")
        .up_to(10.0, "ten halvings make a thousand steps of one")
        .check(&path.key("collision_halvings"), f64::from(solver.collision_halvings))?;
    Range::positive("")
        .up_to(0.5, "a tolerance is a fraction, such as 0.001")
        .check(&path.key("tolerance"), solver.tolerance)?;
    COUNT.check(&path.key("max_iterations"), f64::from(solver.max_iterations))?;
    STRAIN.check_limit(&path.key("strain_limit"), solver.strain_limit)?;
    STRAIN.check_limit(&path.key("strain_limit_compression"), solver.strain_limit_compression)?;
    STRAIN.check_limit(&path.key("strain_rate_limit"), solver.strain_rate_limit)?;
    COUNT.check(&path.key("strain_limit_passes"), f64::from(solver.strain_limit_passes))?;
    integrator(solver, path)
}

/// Each integrator belongs to one dynamics.
fn integrator(solver: &Solver, path: &KeyPath) -> Checked {
    let (owner, name) = match solver.integrator {
        Integrator::Auto => return Ok(()),
        Integrator::BackwardEuler | Integrator::Bdf2 | Integrator::TrBdf2 => {
            (Dynamics::Implicit, "implicit")
        }
        Integrator::Euler | Integrator::Rk4 => (Dynamics::Sparse, "sparse"),
    };
    if solver.dynamics == owner {
        return Ok(());
    }
    let path = path.key("integrator");
    let message = format!("`{path}` is one that only \"{name}\" dynamics has");
    Err(Problem::new(SceneErrorKind::WrongValue, &path, message)
        .expected("\"auto\", or an integrator of the chosen dynamics")
        .help(format!("leave it out, or set `dynamics = \"{name}\"`")))
}

fn contact(contact: &Contact, path: &KeyPath) -> Checked {
    THICKNESS.check_option(&path.key("thickness"), contact.thickness)?;
    FRICTION.check(&path.key("friction"), contact.friction)?;
    FRICTION.check_option(&path.key("friction_static"), contact.friction_static)?;
    FRICTION.check_option(&path.key("friction_kinetic"), contact.friction_kinetic)?;
    let stiffness = Range::not_negative("N/m");
    stiffness.check_option(&path.key("repulsion_stiffness"), contact.repulsion_stiffness)?;
    stiffness.check(&path.key("spring_stiffness"), contact.spring_stiffness)?;
    Range::not_negative("N·s/m").check(&path.key("spring_damping"), contact.spring_damping)?;
    let share = Range::positive("").up_to(1.0, "it is a fraction: give at most 1");
    share.check(&path.key("repulsion_fraction"), contact.repulsion_fraction)?;
    share.check_option(&path.key("relaxation"), contact.relaxation)?;
    COUNT.check(&path.key("max_passes"), f64::from(contact.max_passes))
}

fn air(air: &Air, path: &KeyPath) -> Checked {
    Range::not_negative("kg/m³")
        .up_to(100.0, "air has about 1.2 kg/m³")
        .check(&path.key("density"), air.density)?;
    Range::not_negative("").check_keyed(&path.key("drag"), &air.drag)?;
    Range::not_negative("").check_keyed(&path.key("lift"), &air.lift)?;
    let (path, resistance) = (path.key("resistance"), &air.resistance);
    let coefficient = Range::not_negative("");
    coefficient.check(&path.key("inside"), resistance.inside)?;
    coefficient.check(&path.key("border"), resistance.border)?;
    coefficient.check(&path.key("corner"), resistance.corner)?;
    Range::positive("m/s").check(&path.key("linear_below"), resistance.linear_below)
}

fn wind(wind: &Wind, path: &KeyPath) -> Checked {
    let all = ["uniform", "cone", "cylinder"];
    let there = [wind.uniform.is_some(), wind.cone.is_some(), wind.cylinder.is_some()];
    let given: Vec<&str> = all.into_iter().zip(there).filter(|pair| pair.1).map(|p| p.0).collect();
    exactly_one(path, &given, &all)?;
    schedule(path, wind.from, wind.until)?;
    if let Some(turbulence) = &wind.turbulence {
        let path = path.key("turbulence");
        Range::not_negative("").check_keyed(&path.key("amplitude"), &turbulence.amplitude)?;
        Range::positive("1/s").check(&path.key("frequency"), turbulence.frequency)?;
        SIZE.check(&path.key("length"), turbulence.length)?;
    }
    match wind.source() {
        Some(WindSource::Cone(cone)) => {
            let path = path.key("cone");
            SIZE.check(&path.key("base_radius"), cone.base_radius)?;
            Range::positive("").check(&path.key("decay"), cone.decay)?;
            Range::not_negative("").check(&path.key("porosity_effect"), cone.porosity_effect)?;
            if let (Keyed::Constant(apex), Keyed::Constant(base)) = (&cone.apex, &cone.base_center)
            {
                direction(&path.key("base_center"), *base - *apex).map_err(|problem| {
                    let message = format!("`{}` is at the apex", path.key("base_center"));
                    Problem { message, ..problem }
                        .expected("a point away from `apex`")
                        .help("move the base to where the wind leaves the source")
                })?;
            }
            Ok(())
        }
        Some(WindSource::Cylinder(cylinder)) => {
            let path = path.key("cylinder");
            SIZE.check(&path.key("radius"), cylinder.radius)?;
            Range::positive("").check(&path.key("decay"), cylinder.decay)?;
            Range::not_negative("")
                .check(&path.key("porosity_effect"), cylinder.porosity_effect)?;
            match &cylinder.force {
                Keyed::Constant(force) => direction(&path.key("force"), *force),
                Keyed::Keys(_) => Ok(()),
            }
        }
        Some(WindSource::Uniform(_)) | None => Ok(()),
    }
}

fn render(render: &Render, path: &KeyPath) -> Checked {
    let pixels = COUNT.up_to(16384.0, "draw a smaller picture");
    pixels.check(&path.key("width"), f64::from(render.width))?;
    pixels.check(&path.key("height"), f64::from(render.height))?;
    COUNT.check(&path.key("every"), f64::from(render.every))?;
    color(&path.key("background"), Some(&render.background))?;
    let Some(camera) = &render.camera else {
        return Ok(());
    };
    let path = path.key("camera");
    Range::positive("degrees")
        .up_to(170.0, "35 degrees look natural")
        .check(&path.key("fov"), camera.fov)?;
    if let (Keyed::Constant(eye), Keyed::Constant(target)) = (&camera.eye, &camera.target) {
        direction(&path.key("target"), *target - *eye).map_err(|problem| {
            let message = format!("`{}` is where the eye is", path.key("target"));
            Problem { message, ..problem }
                .expected("a point away from `eye`")
                .help("look at the middle of the cloth")
        })?;
    }
    Ok(())
}

fn finish(finish: &Finish, path: &KeyPath) -> Checked {
    let levels = Range::not_negative("").up_to(6.0, "each level has four times as many triangles");
    levels.check(&path.key("subdivide"), f64::from(finish.subdivide))?;
    if let Some(cleanup) = &finish.cleanup {
        let path = path.key("cleanup");
        SIZE.check(&path.key("reach"), cleanup.reach)?;
        Range::not_negative("m")
            .up_to(cleanup.reach, "it must not be larger than `reach`")
            .check(&path.key("margin"), cleanup.margin)?;
    }
    if let Some(curved) = &finish.curved {
        let path = path.key("curved");
        levels.check(&path.key("level"), f64::from(curved.level))?;
        Range::positive("").check(&path.key("fold_guess"), curved.fold_guess)?;
    }
    Ok(())
}

fn checks(checks: &Checks, path: &KeyPath) -> Checked {
    Range::not_negative("").check_option(&path.key("stretch_max"), checks.stretch_max)?;
    Range::not_negative("").check_option(&path.key("kinetic_energy"), checks.kinetic_energy)?;
    Range::not_negative("").check_option(&path.key("bend_energy"), checks.bend_energy)?;
    for (key, value) in [
        ("height", checks.height),
        ("lowest", checks.lowest),
        ("highest", checks.highest),
        ("fall", checks.fall),
        ("contacts", checks.contacts),
    ] {
        band(&path.key(key), value)?;
    }
    Ok(())
}
