//! Stitches against a load, and what welding keeps (BW15).

use super::*;
use crate::cloth::{Cloth, Maps};
use crate::fabric::Fabric;
use crate::integrate::implicit::Rule;
use crate::linalg::Tolerance;
use crate::link::Weld;
use crate::mesh::{Diagonals, Sheet};
use crate::pin::Pin;
use crate::sim::{Dynamics, Forecast, Params, Simulation, State, Weather};

/// Two upright strips 5 mm apart, the lower one sewn to the upper one, which is held; and how many stitches.
fn hung_strips(stiffness: f64, carried: f64) -> (Simulation, usize) {
    let sheet = Sheet::grid([0.1, 0.1], [3, 3], Diagonals::Regular).unwrap();
    let fabric = Fabric::named("cotton poplin").unwrap();
    let strip = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
    let upright = |up: f64| sheet.positions.iter().map(move |p| Vec3::new(p.x, 0.0, p.y + up));
    let x: Vec<Vec3> = upright(0.105).chain(upright(0.0)).collect();
    let top = x.iter().map(|x| x.z).fold(f64::MIN, f64::max);
    let pins = (0..9).filter(|&v| x[v as usize].z == top).map(Pin::fixed).collect();
    // Border vertices that face each other, those of the upper strip first.
    let facing = (0..9u32).flat_map(|a| (9..18u32).map(move |b| [a, b]));
    let near = |[a, b]: &[u32; 2]| x[*a as usize].distance(x[*b as usize]) < 0.006;
    let stitches: Vec<[u32; 2]> = facing.filter(near).collect();
    let count = stitches.len();
    let weather = Weather { air: None, ..Weather::default() };
    let params = Params {
        forecast: Forecast::Constant(weather),
        dynamics: Dynamics::Implicit { rule: Rule::BackwardEuler },
        tolerance: Tolerance { relative: 1e-10, max_iterations: 10_000 },
        strain_sweeps: 0,
        contact: None,
        ..Params::default()
    };
    let v = vec![Vec3::ZERO; x.len()];
    let cloth = Cloth::join(&[&strip, &strip]);
    let mut simulation = Simulation::new(cloth, vec![], pins, State::new(x, v), params);
    simulation.links.seams.push(Seam {
        stitches,
        stiffness: Strength::Constant(stiffness),
        force: Strength::Constant(f64::INFINITY),
        closing: 0.04,
        carried,
    });
    (simulation, count)
}

/// BW15: springs alone hold a strip open by its weight over their stiffness; stitches that carry what springs leave
/// over close it to a thousandth of that, within time constants that do not depend on the stiffness, and
/// carry the weight then; and no more than they may where that is too little.
#[test]
fn bw15_carried_stitches_close_against_a_load() {
    let stiffness = 0.5;
    let run = |carried: f64| {
        let (mut simulation, count) = hung_strips(stiffness, carried);
        // With τ = 0.04 s, `(1 + t/2τ) e^{−t/2τ}` is 1.4e-7 at the end.
        for _ in 0..90 {
            simulation.step(1.0 / 60.0).unwrap();
            // As dressing does it: where things come to rest is what counts.
            simulation.state.v.iter_mut().for_each(|v| *v *= 0.85);
        }
        let weight = 0.5 * simulation.cloth.total_mass() * 9.81;
        let gap = simulation.links.seams[0].widest(&simulation.state.x).unwrap().1;
        let carried: Vec3 = simulation.state.links.carried[0].iter().copied().sum();
        (gap, carried.z, weight, count as f64)
    };
    let (open, _, weight, count) = run(0.0);
    let expected = weight / (count * stiffness);
    assert!((open / expected - 1.0).abs() < 0.05, "{open} m, {expected} m");
    let (closed, carried, ..) = run(1.0);
    assert!(closed < 1e-3 * open, "{closed} m of {open} m");
    assert!((carried / weight - 1.0).abs() < 1e-2, "{carried} N of {weight} N");
    let most = 0.1 * weight / count;
    let (half, carried, ..) = run(most);
    assert!((carried / (most * count) - 1.0).abs() < 1e-3 && half > 0.5 * open, "{carried} N");
}

/// BW15: welded cloth has the same mass, triangles and rest shapes, and one vertex for a stitch.
#[test]
fn bw15_welded_cloth_keeps_what_it_is_made_of() {
    let (simulation, count) = hung_strips(1.0, 0.0);
    let (cloth, stitches) = (&simulation.cloth, &simulation.links.seams[0].stitches);
    let weld = Weld::new(cloth.vertex_count(), stitches).unwrap();
    let welded = weld.cloth(cloth);
    assert_eq!(welded.vertex_count(), cloth.vertex_count() - count);
    assert!((welded.total_mass() - cloth.total_mass()).abs() < 1e-15);
    assert_eq!(welded.triangle_rest, cloth.triangle_rest);
    let x = weld.positions(&simulation.state.x);
    for ([a, b], t) in stitches.iter().map(|s| (s, weld.map()[s[0] as usize] as usize)) {
        let [a, b] = [a, b].map(|v| *v as usize);
        assert!((welded.mass[t] - cloth.mass[a] - cloth.mass[b]).abs() < 1e-18);
        let middle = 0.5 * (simulation.state.x[a] + simulation.state.x[b]);
        assert!((x[t] - middle).length() < 1e-15);
    }
    let edges = welded.edges.iter().zip(&cloth.edges);
    let to = |v: u32| weld.map()[v as usize];
    assert!(edges.clone().all(|(new, old)| new.vertices == old.vertices.map(to)));
    assert!(edges.clone().all(|(new, old)| new.length == old.length));
}
