//! V4: strips cut from cloth, triangulated as garments are, bend as the elastica does.

use muslin::cloth::{Cloth, Maps};
use muslin::fabric::Fabric;
use muslin::integrate::implicit::Rule;
use muslin::linalg::Tolerance;
use muslin::math::Vec3;
use muslin::pin::Pin;
use muslin::sim::{Dynamics, Forecast, Params, Simulation, State, Weather};
use muslin_garment::{MeshSettings, build, from_toml};
use std::error::Error;

const G: f64 = 9.81;

/// A strip from −3 cm to 20 cm, which ends in two lines of mesh edges: where it is clamped, and its tip.
const STRIP: &str = r#"
name = "Strip"

[[panel]]
name = "strip"
start = [-0.03, 0]
edge = [{ to = [0.2, 0] }, { name = "tip", to = [0.2, WIDTH] }, { to = [-0.03, WIDTH] }, {}]

[[panel.line]]
name = "clamp"
start = [0, 0]
edge = [{ to = [0, WIDTH] }]
"#;

/// Drop ÷ reach of the tip at `Γ = ρgL³/D`.
fn sagging(gamma: f64, width: f64, edge_length: f64) -> Result<f64, Box<dyn Error>> {
    let text = STRIP.replace("WIDTH", &width.to_string());
    let garment = build(&from_toml(&text, "strip")?, &MeshSettings { edge_length })?;
    let mesh = garment.unwelded()?;
    let mut flat = vec![Vec3::ZERO; mesh.vertex_count()];
    for (corners, uv) in mesh.triangles().iter().zip(mesh.uv()) {
        for (&v, p) in corners.iter().zip(uv) {
            flat[v as usize] = Vec3::new(p.x, p.y, 0.0);
        }
    }
    let clamp = flat.iter().map(|p| p.x).fold(f64::INFINITY, f64::min) + 0.03;
    let density = 0.2;
    let fabric = Fabric {
        density,
        thickness: 5e-4,
        stretch: [2000.0; 2],
        shear: 500.0,
        bending: [density * G * 0.2f64.powi(3) / gamma; 2],
        stretch_damping: 0.0,
        shear_damping: 0.0,
        bend_damping: 0.0,
        friction_static: 0.0,
        friction_kinetic: 0.0,
        strain_limit: f64::INFINITY,
        compression_limit: f64::INFINITY,
    };
    let cloth = Cloth::new(&mesh, &fabric, &Maps::default())?;
    let held = (0..flat.len()).filter(|&v| flat[v].x < clamp + 1e-9);
    let pins = held.map(|v| Pin::fixed(v as u32)).collect();
    let weather = Weather { gravity: Vec3::new(0.0, 0.0, -G), air: None, winds: Vec::new() };
    let params = Params {
        forecast: Forecast::Constant(weather),
        dynamics: Dynamics::Implicit { rule: Rule::BackwardEuler },
        tolerance: Tolerance { relative: 1e-6, max_iterations: 10_000 },
        strain_sweeps: 0,
        contact: None,
        ..Params::default()
    };
    let start = State::new(flat.clone(), vec![Vec3::ZERO; flat.len()]);
    let mut simulation = Simulation::new(cloth, vec![], pins, start, params);
    for _ in 0..1000 {
        simulation.step(0.04)?;
        if simulation.state.v.iter().all(|v| v.length() < 1e-5) {
            break;
        }
    }
    let on_tip: Vec<usize> = (0..flat.len()).filter(|&v| flat[v].x > clamp + 0.2 - 1e-6).collect();
    assert!(on_tip.len() > 2);
    let tip = on_tip.iter().map(|&v| simulation.state.x[v]).sum::<Vec3>() / on_tip.len() as f64;
    Ok(-tip.z / (tip.x - clamp))
}

/// Drop ÷ reach of the elastica at Γ = 1 and 10, to the digits published: within 10 % on strips of two widths
/// and two mesh sizes.
#[test]
fn v4_strips_of_unstructured_mesh_are_the_elastica() -> Result<(), Box<dyn Error>> {
    for (gamma, exact) in [(1.0, 0.1246), (10.0, 1.0668)] {
        for (width, edge_length) in [(0.05, 0.01), (0.03, 0.006)] {
            let found = sagging(gamma, width, edge_length)?;
            let off = 100.0 * (found / exact - 1.0);
            println!("Γ = {gamma}, {width} m wide, edges {edge_length} m: {found:.4}, {off:+.1} %");
            assert!(off.abs() < 10.0, "Γ = {gamma}, {width} m: {found} of {exact}");
        }
    }
    Ok(())
}
