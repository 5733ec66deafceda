use super::*;
use crate::body::shape;
use crate::finish::{FoldSide, Folds, Tessellation};
use crate::mesh::{Diagonals, Sheet, TriMesh};
use crate::motion::Pose;
use crate::sparse::skirt::SkirtKick;
use crate::sparse::{Integrator, PartMesh, PartShape};
use std::sync::Arc;

const FRAME: f64 = 1.0 / 30.0;

/// Addresses and capacities of all buffers.
fn buffers(g: &Garment) -> Vec<(usize, usize)> {
    let vec = |v: &Vec<Vec3>| (v.as_ptr() as usize, v.capacity());
    let mut all = vec![
        vec(&g.state.positions),
        vec(&g.state.velocities),
        vec(&g.undo.positions),
        vec(&g.undo.velocities),
        vec(&g.before),
        (g.near.as_ptr() as usize, g.near.capacity()),
        (g.drawn_nearness.known.clear.as_ptr() as usize, g.drawn_nearness.known.clear.capacity()),
        (g.drawn_nearness.rows.as_ptr() as usize, g.drawn_nearness.rows.capacity()),
        (g.positions().as_ptr() as usize, g.positions().len()),
        (g.normals().as_ptr() as usize, g.normals().len()),
        (g.triangles().as_ptr() as usize, g.triangles().len()),
    ];
    // The two lists of parts change places every step, and states when a frame is undone.
    all.extend(g.apart.buffers());
    all.extend(g.nearness.buffers());
    all.extend(g.looks.buffers());
    all.extend(g.placed.iter().map(|p| (p.as_ptr() as usize, p.capacity())));
    all.sort_unstable();
    all
}

#[test]
fn no_buffer_moves_or_grows_in_a_thousand_frames() {
    let mut scene = SkirtKick::new(GarmentSettings::default()).unwrap();
    scene.frame(FRAME).unwrap();
    let start = buffers(&scene.garment);
    for _ in 0..1000 {
        scene.frame(FRAME).unwrap();
    }
    assert_eq!(buffers(&scene.garment), start);
}

/// A skirt of 400 particles with many triangles has the same bits outside of a pool and in pools of any size, and its
/// copies too.
#[test]
fn r4_threads_do_not_change_a_bit() {
    let mut settings = GarmentSettings::default();
    settings.curved.tessellation = Tessellation::Segments(4);
    let fresh = SkirtKick::with_rings(&[25; 16], settings).unwrap();
    assert!(fresh.garment.can_share());
    let run = |mut scene: SkirtKick| {
        let mut done = [0; 4];
        // The kick begins at once.
        scene.time = 0.2;
        for _ in 0..36 {
            let report = scene.frame(FRAME).unwrap();
            let counts = [report.face_contacts, report.self_contacts, report.drawn.moved];
            for (sum, count) in done.iter_mut().zip(counts.iter().chain([&report.curved.folded])) {
                *sum += count;
            }
        }
        let all = [scene.garment.positions(), scene.garment.normals(), scene.garment.particles()];
        (all.map(<[Vec3]>::to_vec), done)
    };
    let alone = run(SkirtKick::with_rings(&[25; 16], settings).unwrap());
    assert!(alone.1.iter().all(|&count| count > 10), "{:?}", alone.1);
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| run(fresh.clone())) == alone, "{threads} threads");
    }
}

/// Ten minutes of kicks at 1/30 s with three steps each: bounded, never inside, never torn.
#[test]
fn os1_ten_minutes_are_stable() {
    let mut settings = GarmentSettings::default();
    // What is drawn does not act on the particles; the least of it saves time.
    settings.curved.tessellation = Tessellation::Segments(1);
    let mut scene = SkirtKick::new(settings).unwrap();
    let (mut stretch, mut energy, mut contacts) = (0.0f64, 0.0f64, 0);
    let mut late_energy = 0.0f64;
    for frame in 0..18_000 {
        let report = *scene.frame(FRAME).unwrap();
        assert_eq!(report.steps, 3);
        stretch = stretch.max(report.stretch);
        contacts += report.vertex_contacts + report.face_contacts;
        let kinetic = scene.garment.kinetic_energy();
        if frame < 600 {
            energy = energy.max(kinetic);
        } else {
            late_energy = late_energy.max(kinetic);
        }
        let highest = scene.garment.particles().iter().map(|p| p.length()).fold(0.0, f64::max);
        assert!(highest < 1.8, "frame {frame}: {highest}");
    }
    // 9 g thrown at the speed of the foot, 8 m/s, would be 0.3 J a particle and 3 J for ten.
    assert!(late_energy <= 1.5 * energy && energy < 3.0, "{energy} then {late_energy}");
    assert!(stretch < 0.35, "{stretch}");
    assert!(contacts > 18_000, "{contacts}");
}

/// The same calls give the same bits, and a restored state goes on as before.
#[test]
fn frames_are_deterministic_and_restorable() {
    let run = |frames: usize, scene: &mut SkirtKick| {
        for _ in 0..frames {
            scene.frame(FRAME).unwrap();
        }
    };
    let mut a = SkirtKick::new(GarmentSettings::default()).unwrap();
    let mut b = SkirtKick::new(GarmentSettings::default()).unwrap();
    run(100, &mut a);
    run(100, &mut b);
    assert_eq!(a.garment.state(), b.garment.state());
    assert_eq!(a.garment.positions(), b.garment.positions());
    let (state, time, body) = (a.garment.state().clone(), a.time, a.body.clone());
    run(40, &mut a);
    let mut c = SkirtKick::new(GarmentSettings::default()).unwrap();
    c.garment.restore(&state).unwrap();
    (c.time, c.body) = (time, body);
    run(40, &mut c);
    assert_eq!(a.garment.positions(), c.garment.positions());
    assert_eq!(a.garment.normals(), c.garment.normals());
}

/// No point of any drawn triangle is inside the body, through two kicks.
#[test]
fn os3_the_drawn_skirt_is_never_inside_the_body() {
    let mut settings = GarmentSettings::default();
    settings.curved.side = FoldSide::Bending; // folds towards the body, too
    let mut scene = SkirtKick::new(settings).unwrap();
    let mut pushed = 0;
    for frame in 0..180 {
        let report = *scene.frame(FRAME).unwrap();
        pushed += report.drawn.moved;
        assert_eq!(report.drawn.inside, 0, "frame {frame}");
        let placed: Vec<Placed> = scene.body.iter().map(|part| part.placed(0.0)).collect();
        let x = scene.garment.positions();
        for t in scene.garment.triangles() {
            let [a, b, c] = t.map(|v| x[v as usize]);
            for (u, v) in
                [(0.0, 0.0), (0.5, 0.0), (0.25, 0.25), (0.25, 0.5), (0.5, 0.25), (0.1, 0.8)]
            {
                let p = a * (1.0 - u - v) + b * u + c * v;
                let each = scene.body.iter().zip(&placed);
                let distances = each.map(|(part, at)| part.shape.distance(at.local(p), 1.0).0);
                let distance = distances.fold(f64::INFINITY, f64::min);
                assert!(distance > 0.0, "frame {frame}: {distance}");
            }
        }
    }
    assert!(pushed > 100, "nothing was ever near: {pushed}");
}

/// A sheet that hangs from two corners: its edges keep their length, and it comes to rest.
#[test]
fn os2_hanging_cloth_does_not_stretch() {
    for integrator in [Integrator::Euler, Integrator::Rk4] {
        let Sheet { positions, mesh } =
            Sheet::grid([1.0, 1.0], [8, 8], Diagonals::Alternating).unwrap();
        let attachments =
            [0, 7].map(|i| Attachment { particle: i, part: 0, offset: positions[i as usize] });
        let settings =
            GarmentSettings { integrator, limit_sweeps: 12, ..GarmentSettings::default() };
        let spec = GarmentSpec {
            attachments: &attachments,
            settings,
            ..GarmentSpec::new(&mesh, &positions)
        };
        let mut cloth = Garment::new(&spec).unwrap();
        let body = [far_ball()];
        let mut peak = 0.0f64;
        for _ in 0..900 {
            cloth.update(FRAME, &body).unwrap();
            peak = peak.max(cloth.kinetic_energy());
        }
        let report = cloth.report();
        assert!(report.stretch < 0.06, "{integrator:?}: {}", report.stretch);
        assert!(cloth.kinetic_energy() < 5e-3 * peak, "{} of {peak}", cloth.kinetic_energy());
        // The middle of the free edge hangs below a side of the sheet.
        let lowest = cloth.particles().iter().map(|p| p.z).fold(0.0, f64::min);
        assert!(lowest < -0.95 && lowest > -1.5, "{lowest}");
    }
}

fn far_ball() -> BodyPart {
    BodyPart::still(PartShape::Sphere { radius: 0.1 }, Pose::IDENTITY)
}

/// A sheet falls on a ball, a box and the meshes of both, and stays on top; no face cuts the body.
#[test]
fn os3_cloth_lies_on_every_kind_of_part() {
    let mesh = |m| PartShape::Mesh(Arc::new(PartMesh::new(&m).unwrap()));
    let shapes = [
        PartShape::Sphere { radius: 0.2 },
        PartShape::Box { half_size: Vec3::splat(0.2) },
        mesh(shape::sphere(0.2, 0.05)),
        mesh(shape::cuboid(Vec3::splat(0.4))),
    ];
    for part in shapes {
        let Sheet { mut positions, mesh } =
            Sheet::grid([0.8, 0.8], [7, 7], Diagonals::Alternating).unwrap();
        for p in &mut positions {
            p.z = 0.3;
        }
        let settings = GarmentSettings { friction: 0.8, ..GarmentSettings::default() };
        let spec = GarmentSpec { settings, ..GarmentSpec::new(&mesh, &positions) };
        let mut cloth = Garment::new(&spec).unwrap();
        let body = [BodyPart::still(part, Pose::IDENTITY)];
        for _ in 0..90 {
            cloth.update(FRAME, &body).unwrap();
        }
        let x = cloth.particles();
        for t in mesh.triangles() {
            let [a, b, c] = t.map(|v| x[v as usize]);
            for (u, v) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5), (0.33, 0.33)] {
                let p = a * (1.0 - u - v) + b * u + c * v;
                let (distance, _) = body[0].shape.distance(p, 1.0);
                assert!(distance > -0.01, "{:?}: {distance}", body[0].shape);
            }
        }
        let highest = x.iter().map(|p| p.z).fold(-1.0, f64::max);
        assert!(highest > 0.2 && highest < 0.3, "{highest}");
        let report = cloth.report();
        assert!(report.vertex_contacts + report.face_contacts > 0 && report.drawn.inside == 0);
    }
}

#[test]
fn os7_the_paper_setting_draws_1944_triangles() {
    let scene = SkirtKick::new(GarmentSettings::default()).unwrap();
    assert_eq!(scene.garment.triangles().len(), 1944);
    assert_eq!(scene.garment.indices().len(), 3 * 1944);
    assert_eq!(scene.garment.uv().len(), 1944);
    // 66 particles, 174 edges of 3 inner points, 108 faces of 4: an open tube has E = V + F.
    assert_eq!(scene.garment.positions().len(), 66 + 174 * 3 + 108 * 4);
}

fn sheet() -> (TriMesh, Vec<Vec3>) {
    let Sheet { positions, mesh } = Sheet::grid([1.0, 1.0], [4, 4], Diagonals::Regular).unwrap();
    (mesh, positions)
}

#[test]
fn bad_garments_are_refused_with_a_reason() {
    let (mesh, positions) = sheet();
    let good = GarmentSpec::new(&mesh, &positions);
    let refused = |spec: GarmentSpec| Garment::new(&spec).unwrap_err();
    let number = |e: GarmentError| matches!(e, GarmentError::OutOfRange { .. });
    assert!(number(refused(GarmentSpec { density: 0.0, ..good })));
    assert!(number(refused(GarmentSpec { density: f64::NAN, ..good })));
    assert!(number(refused(GarmentSpec { stiffness: Some(-1.0), ..good })));
    assert!(number(refused(GarmentSpec { bending: f64::INFINITY, ..good })));
    assert!(number(refused(GarmentSpec { damping: 1.5, ..good })));
    let settings = GarmentSettings { step: 0.0, ..good.settings };
    assert!(number(refused(GarmentSpec { settings, ..good })));
    let GarmentError::TooStiff { largest, .. } =
        refused(GarmentSpec { stiffness: Some(1e6), ..good })
    else {
        panic!("a stiffness of 10⁶ N/m was taken");
    };
    assert!(Garment::new(&GarmentSpec { stiffness: Some(largest), ..good }).is_ok());
    assert!(matches!(
        refused(GarmentSpec { bending: 10.0, ..good }),
        GarmentError::TooStiff { .. }
    ));
    let attach = |particle| Attachment { particle, part: 0, offset: Vec3::ZERO };
    let spec = GarmentSpec { attachments: &[attach(16)], ..good };
    let missing = GarmentError::NoSuchParticle { attachment: 0, particle: 16, count: 16 };
    assert_eq!(refused(spec), missing);
    let spec = GarmentSpec { attachments: &[attach(3), attach(3)], ..good };
    assert_eq!(refused(spec), GarmentError::AttachedTwice { particle: 3 });
    let mut moved = positions.clone();
    moved[0] = moved[1];
    let spec = GarmentSpec { positions: &moved, ..good };
    assert_eq!(refused(spec), GarmentError::Collapsed { ends: [0, 1] });
    moved[0] = Vec3::splat(9.0);
    let spec = GarmentSpec { positions: &moved, ..good };
    assert!(matches!(refused(spec), GarmentError::Overstretched { .. }));
    let spec = GarmentSpec { positions: &positions[1..], ..good };
    assert!(matches!(refused(spec), GarmentError::Curved(_)));
}

#[test]
fn bad_frames_are_refused_and_change_nothing() {
    let (mesh, positions) = sheet();
    let attachments = [Attachment { particle: 0, part: 1, offset: Vec3::ZERO }];
    let spec = GarmentSpec { attachments: &attachments, ..GarmentSpec::new(&mesh, &positions) };
    let mut cloth = Garment::new(&spec).unwrap();
    let start = cloth.state().clone();
    for dt in [0.0, -0.1, f64::NAN, 5.0] {
        let refused = cloth.update(dt, &[far_ball(), far_ball()]).unwrap_err();
        assert!(matches!(refused, GarmentError::OutOfRange { .. }));
    }
    let refused = cloth.update(FRAME, &[far_ball()]).unwrap_err();
    assert_eq!(refused, GarmentError::NoSuchPart { part: 1, count: 1 });
    let mut bad = far_ball();
    bad.velocity.x = f64::NAN;
    let refused = cloth.update(FRAME, &[far_ball(), bad]).unwrap_err();
    assert_eq!(refused, GarmentError::BadPart { part: 1 });
    // A body that jumps to the edge of the numbers throws the cloth there; the frame is undone.
    let mut thrown = far_ball();
    thrown.pose.translation.x = 1e300;
    thrown.velocity.x = 1e308;
    let refused = cloth.update(FRAME, &[far_ball(), thrown]).unwrap_err();
    assert!(matches!(refused, GarmentError::Diverged { .. }), "{refused}");
    assert_eq!(cloth.state(), &start);
    let short = GarmentState { positions: vec![Vec3::ZERO; 3], velocities: vec![Vec3::ZERO; 3] };
    let refused = cloth.restore(&short).unwrap_err();
    assert_eq!(refused, GarmentError::StateCount { expected: 16, found: 3 });
}

/// More folds and finer triangles work in motion too.
#[test]
fn os8_all_kinds_of_surface_survive_kicks() {
    for (folds, segments) in [(Folds::None, 4), (Folds::Two, 4), (Folds::Four, 8)] {
        let mut settings = GarmentSettings::default();
        settings.curved.folds = folds;
        settings.curved.tessellation = Tessellation::Segments(segments);
        let mut scene = SkirtKick::new(settings).unwrap();
        let mut folded = 0;
        for _ in 0..120 {
            let report = scene.frame(FRAME).unwrap();
            folded += report.curved.folded;
            assert_eq!(report.drawn.inside, 0);
        }
        assert!(scene.garment.positions().iter().all(|p| p.is_finite()));
        assert_eq!(folded > 0, folds != Folds::None);
    }
}

/// A sheet in still air is pulled by a corner: the first step is the spring's alone, and in the end the corner
/// is where the pointer is (BW7). It is pulled along its diagonal, about which it cannot begin to spin: there
/// is little to stop that, and a sheet that spins pulls on the spring.
#[test]
fn bw7_a_pulled_corner_comes_to_the_pointer() {
    let Sheet { mut positions, mesh } =
        Sheet::grid([1.0, 1.0], [4, 4], Diagonals::Alternating).unwrap();
    // Away from the ball, whose middle is the origin.
    for x in &mut positions {
        x.z += 3.0;
    }
    let settings = GarmentSettings {
        gravity: Vec3::ZERO,
        integrator: Integrator::Euler,
        ..GarmentSettings::default()
    };
    let spec = GarmentSpec { settings, ..GarmentSpec::new(&mesh, &positions) };
    let mut cloth = Garment::new(&spec).unwrap();
    let target = positions[0] + Vec3::new(-0.25, -0.25, 0.4);
    let weak = Pull { target, velocity: Vec3::ZERO, stiffness: 1e-3, damping: 1e-4 };
    let (mass, body) = (cloth.springs.masses[0], [far_ball()]);
    cloth.set_pull(Some((0, weak)));
    cloth.update(settings.step, &body).unwrap();
    let expected = weak.velocity_after(positions[0], Vec3::ZERO, mass, settings.step);
    let first = cloth.state().velocities[0];
    assert!(first.distance(expected) < 1e-12 && first.length() > 1e-5, "{first}, not {expected}");
    cloth.set_pull(Some((0, Pull { stiffness: 20.0, damping: 0.5, ..weak })));
    for _ in 0..900 {
        cloth.update(FRAME, &body).unwrap();
    }
    assert!(cloth.particles()[0].distance(target) < 1e-3, "{}", cloth.particles()[0]);
    assert!(cloth.report().stretch < 0.06, "{}", cloth.report().stretch);
    cloth.set_pull(Some((99, weak)));
    assert_eq!(cloth.pull, None, "there is no such particle");
}
