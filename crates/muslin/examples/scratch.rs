use muslin::body::*;
use muslin::cloth::*;
use muslin::fabric::*;
use muslin::math::*;
use muslin::mesh::*;
use muslin::motion::*;
use muslin::sim::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let spf: usize = a[2].parse().unwrap();
    let tol: f64 = a[3].parse().unwrap();
    let frames: usize = a[4].parse().unwrap();
    let sheet = Sheet::grid([1.0, 1.0], [n, n], Diagonals::Alternating).unwrap();
    let fabric = Fabric {
        density: 0.15,
        thickness: 0.002,
        stretch: [1000.0; 2],
        shear: 250.0,
        bending: [1e-5; 2],
        stretch_damping: 1000.0 * 0.002,
        shear_damping: 250.0 * 0.01,
        bend_damping: 1e-5 * 0.01,
        friction_static: 0.4,
        friction_kinetic: 0.4,
        strain_limit: 0.1,
        compression_limit: f64::INFINITY,
    };
    let mut fabric = fabric;
    if let Ok(s) = std::env::var("DAMP") {
        let s: f64 = s.parse().unwrap();
        fabric.stretch_damping *= s;
        fabric.shear_damping *= s;
        fabric.bend_damping *= s;
    }
    if let Ok(s) = std::env::var("SHEAR") {
        fabric.shear = s.parse().unwrap();
    }
    let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
    let x: Vec<Vec3> = sheet.positions.iter().map(|p| *p + Vec3::Z * 0.6).collect();
    let v = vec![Vec3::ZERO; x.len()];
    let mut p = Params::default();
    p.tolerance.relative = tol;
    p.forecast = Forecast::Constant(Weather { air: None, ..Weather::default() });
    if std::env::var("BE").is_ok() {
        p.rule = muslin::integrate::implicit::Rule::BackwardEuler;
    }
    if std::env::var("NOSELF").is_ok() {
        p.contact.as_mut().unwrap().self_collision = false;
    }
    let mut cloth = cloth;
    if std::env::var("NOLIM").is_ok() {
        for e in &mut cloth.edges {
            e.strain_limit = f64::INFINITY;
        }
    }
    let fr: f64 = std::env::var("FR").map(|s| s.parse().unwrap()).unwrap_or(0.4);
    let ball = Body {
        shape: Shape::Sphere(0.3),
        mesh: shape::sphere(0.3, 0.02),
        motion: BodyMotion::Rigid(Motion::Still(Pose::at(Vec3::new(0.0, 0.0, 0.29)))),
        friction: Some([fr; 2]),
    };
    let ground = Body {
        shape: Shape::Plane(Vec3::Z),
        mesh: BodyMesh::default(),
        motion: BodyMotion::Rigid(Motion::default()),
        friction: Some([fr; 2]),
    };
    let mut sim = Simulation::new(cloth, vec![ball, ground], vec![], State::new(x, v), p);
    let dt = 1.0 / (24.0 * spf as f64);
    let t0 = std::time::Instant::now();
    let mut secs = muslin::report::Seconds::default();
    let mut its = 0;
    let mut sm = 0f64;
    for f in 1..=frames {
        let mut sw = 0;
        let mut c = muslin::report::ContactCounts::default();
        let mut pm = 0;
        let mut zz = 0;
        for _ in 0..spf {
            match sim.step(dt) {
                Ok(r) => {
                    secs.add(&r.seconds);
                    its += r.solves.iter().map(|s| s.iterations).sum::<usize>();
                    sw += r.strain.sweeps;
                    c = r.contact;
                    pm = pm.max(c.passes);
                    zz = zz.max(c.zone_vertices);
                }
                Err(e) => {
                    println!("{e}");
                    return;
                }
            }
        }
        let low = sim.state.x.iter().map(|p| p.z).fold(f64::MAX, f64::min);
        let st = sim.cloth.largest_stretch(&sim.state.x);
        sm = sm.max(st);
        if f == 6 {
            let t = 6.0 / 24.0;
            println!("fall {:.4}", (0.6 - low) / (0.5 * 9.81 * t * t));
        }
        if f % 4 == 0 || std::env::var("ALL").is_ok() {
            println!(
                "{:.1}s its {its} {:?} f{f} low {low:.4} stretch {st:.3} sweeps {sw} KE {:.3e} near {} rep {} imp {} passes {pm} zonev {zz}",
                t0.elapsed().as_secs_f64(),
                secs,
                sim.energy().kinetic,
                c.near,
                c.repulsions,
                c.impulses
            );
        }
    }
    println!(
        "{:.3} s/frame, its/solve {:.1} stretch_max {sm:.4} {:?}",
        t0.elapsed().as_secs_f64() / frames as f64,
        its as f64 / (frames * spf) as f64,
        secs
    );
    use std::io::Write;
    let mut o = std::io::BufWriter::new(std::fs::File::create("/tmp/out.obj").unwrap());
    for p in &sim.state.x {
        writeln!(o, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    for t in &sim.cloth.triangles {
        writeln!(o, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1).unwrap();
    }
}
