//! Settings of implicit dynamics (BW), from the scene file to what the cloth does.

use muslin::math::Vec3;
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;

fn scene(text: &str) -> SceneSpec {
    SceneSpec::from_toml(text, "test.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// A square held by two corners, with lines added to `[solver]`.
fn hanging(solver: &str, side: u32) -> SceneSpec {
    scene(&format!(
        "fps = 24\n[solver]\ncontact = \"none\"\nstrain_limit = \"off\"\n{solver}\n[air]\ndrag = 0\n\
         [[cloth]]\ngrid = {{ size = [0.5, 0.5], vertices = [{side}, {side}] }}\n\
         fabric = {{ density = 0.2, stretch = 500, shear = 200, bending = 1e-5 }}\n\
         [[cloth.pin]]\nselect = {{ corners = [\"u0v1\", \"u1v1\"] }}\n"
    ))
}

/// Positions and iterations after so many frames.
#[expect(clippy::unwrap_used, reason = "a test")]
fn run(spec: &SceneSpec, frames: u32) -> (Vec<Vec3>, u32) {
    let mut runner = Runner::new(spec).unwrap();
    let mut iterations = 0;
    for _ in 0..frames {
        iterations += runner.advance().unwrap().iterations;
    }
    (runner.frame().positions, iterations)
}

/// BW9: the preconditioner changes how fast a solve gets there, not where it gets.
#[test]
fn bw9_preconditioners_agree_to_the_tolerance() {
    let tolerance = 1e-8;
    let mut found = Vec::new();
    for kind in ["block-jacobi", "block-ic", "multilevel"] {
        let solver = format!(
            "preconditioner = \"{kind}\"\ntolerance = {tolerance:e}\nmax_iterations = 5000"
        );
        found.push(run(&hanging(&solver, 33), 3));
    }
    let fallen = 0.5 * 9.81 * (3.0_f64 / 24.0).powi(2);
    let (reference, most) = &found[0];
    for (x, iterations) in &found[1..] {
        let apart = x.iter().zip(reference).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{apart:.1e} m apart; {iterations} iterations, block-Jacobi {most}");
        assert!(apart > 0.0, "it is another method");
        assert!(apart < 100.0 * tolerance * fallen, "{apart} m");
        assert!(2 * iterations < *most, "{iterations} iterations, block-Jacobi {most}");
    }
}

/// R6: what is not there is said in one sentence.
#[test]
fn r6_a_direct_solver_is_refused() {
    let error = Runner::new(&hanging("preconditioner = \"direct\"", 5)).err().unwrap();
    assert!(error.to_string().contains("preconditioner = \"direct\""), "{error}");
    assert!(error.to_string().contains("\"multilevel\""), "{error}");
}

/// A square above a ball, with lines added to `[solver]`.
fn draped(solver: &str) -> SceneSpec {
    scene(&format!(
        "fps = 24\n[solver]\ncontact = \"constraint\"\n{solver}\n\
         [[cloth]]\ngrid = {{ size = [0.8, 0.8], vertices = [17, 17] }}\nposition = [0, 0, 0.62]\n\
         [[body]]\nsphere = {{ radius = 0.3 }}\nposition = [0, 0, 0.3]\n[[body]]\nplane = {{}}\n"
    ))
}

/// BW11: constraints alone hold cloth on a ball and on the ground, without one impulse; friction keeps it
/// from sliding off.
#[test]
fn bw11_constraints_alone_hold_cloth_on_a_ball() {
    let mut runner = Runner::new(&draped("")).unwrap();
    for _ in 0..24 {
        let report = runner.advance().unwrap();
        let contact = &report.contact;
        assert_eq!((contact.impulses, contact.repulsions, contact.passes), (0, 0, 0));
    }
    assert!(runner.report().contact.near > 0);
    let x = runner.frame().positions;
    let centre = Vec3::new(0.0, 0.0, 0.3);
    let nearest = x.iter().map(|x| x.distance(centre) - 0.3).fold(f64::INFINITY, f64::min);
    let lowest = x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    println!("nearest to the ball {nearest:.2e} m, lowest {lowest:.3} m");
    assert!(nearest > 0.0 && lowest > 0.0, "nearest {nearest} m, lowest {lowest} m");
    assert!(x.iter().any(|x| x.z > 0.6), "it lies on the ball");
    assert!(lowest < 0.35, "its corners hang down");
}

/// R6: constraints belong to the implicit solve.
#[test]
fn r6_constraint_contact_needs_implicit_dynamics() {
    let error = Runner::new(&draped("dynamics = \"mixed\"")).err().unwrap().to_string();
    assert!(error.contains("without \"implicit\" dynamics"), "{error}");
}

/// BW3: the printed area scaling makes triangles larger than 1 cm² stiffer, from the scene file on; springs
/// have no areas to scale by.
#[test]
fn bw3_literal_scaling_from_the_scene() {
    // Two triangles a cell of 5 cm: 12.5 cm² each.
    let stretch = |solver: &str| {
        let mut runner = Runner::new(&hanging(solver, 11)).unwrap();
        (0..6).map(|_| runner.advance().unwrap().stretch_max).fold(0.0, f64::max)
    };
    let (usual, literal) = (stretch(""), stretch("literal = true"));
    assert!(literal < 0.3 * usual, "{literal} instead of {usual}");
    let springs = hanging("literal = true\ndynamics = \"springs\"", 5);
    let error = Runner::new(&springs).err().unwrap().to_string();
    assert!(error.contains("literal = true with \"springs\" dynamics"), "{error}");
}
