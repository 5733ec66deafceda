use super::*;

/// Same input, same bits; another seed, another motion.
#[test]
fn motion_is_deterministic() {
    let run = |seed: u64| {
        let mut curtain = build(small(10));
        let mut winds = gusts(1.5);
        winds[0].turbulence.seed = seed;
        blow(&mut curtain, &winds, 0..240);
        curtain.state()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// A restored curtain continues with the same bits, buffers included.
#[test]
fn restore_continues_with_the_same_bits() {
    let winds = gusts(2.0);
    let mut curtain = build(small(10));
    blow(&mut curtain, &winds, 0..90);
    let state = curtain.state();
    let mut other = build(small(10));
    other.restore(&state).unwrap();
    assert_eq!(other.positions(), curtain.positions());
    assert_eq!(other.normals(), curtain.normals());
    blow(&mut curtain, &winds, 90..150);
    blow(&mut other, &winds, 90..150);
    assert_eq!(other.state(), curtain.state());
    assert_eq!(other.positions(), curtain.positions());
    assert_eq!(other.velocities(), curtain.velocities());
    let wrong = build(small(11)).restore(&state);
    assert!(matches!(wrong, Err(CurtainError::State { .. })));
}

/// Buffers fit together: unit normals that agree with the triangles, velocities that lead from
/// frame to frame.
#[test]
fn buffers_are_consistent() {
    let mut curtain = build(small(10));
    blow(&mut curtain, &gusts(2.0), 0..60);
    let before = curtain.positions().to_vec();
    blow(&mut curtain, &gusts(2.0), 60..61);
    let (x, v, n) = (curtain.positions(), curtain.velocities(), curtain.normals());
    assert_eq!(x.len(), 10 * 25);
    assert_eq!(curtain.triangles().len(), 2 * 9 * 24);
    for k in 0..x.len() {
        assert!((before[k] + v[k] / 60.0 - x[k]).length() < 1e-12);
        assert!((n[k].length() - 1.0).abs() < 1e-12);
    }
    for t in curtain.triangles() {
        let [a, b, c] = t.map(|k| k as usize);
        let normal = (x[b] - x[a]).cross(x[c] - x[a]);
        assert!(normal.dot(n[a] + n[b] + n[c]) > 0.0);
    }
}

/// Second-level nodes keep the lengths of their sections in motion.
#[test]
fn sections_keep_their_length_in_motion() {
    let mut curtain = build(small(10));
    for frame in 0..120 {
        blow(&mut curtain, &gusts(2.5), frame..frame + 1);
        let panel = &curtain.panels[0];
        for row in curtain.positions().chunks_exact(panel.mesh_columns) {
            for rod in &panel.rods {
                let joints = &row[rod.first_column..=rod.first_column + rod.sections];
                if joints[0].distance(joints[rod.sections]) >= 0.999 * rod.length {
                    continue;
                }
                for pair in joints.windows(2) {
                    let error = pair[0].distance(pair[1]) * 4.0 / rod.length - 1.0;
                    assert!(error.abs() < 1e-9, "frame {frame}: {error}");
                }
            }
        }
    }
}

/// A frame longer than the longest step is divided, and the report says so.
#[test]
fn long_frames_are_divided() {
    let mut curtain = build(small(5));
    let environment = Environment::default();
    assert_eq!(curtain.update(1.0 / 60.0, &environment).unwrap().substeps, 1);
    assert_eq!(curtain.update(1.0 / 24.0, &environment).unwrap().substeps, 3);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let refused = curtain.update(dt, &environment);
        assert!(matches!(refused, Err(CurtainError::Value { .. })), "{dt}");
    }
}

/// Numbers that are not numbers are reported with the node, not spread silently.
#[test]
fn bad_wind_is_reported() {
    let mut curtain = build(small(5));
    let state = curtain.state();
    let winds = [Wind::uniform(Vec3::new(f64::NAN, 0.0, 0.0))];
    let environment = Environment { winds: &winds, ..Environment::default() };
    let answer = curtain.update(1.0 / 60.0, &environment);
    assert!(matches!(answer, Err(CurtainError::Diverged { .. })), "{answer:?}");
    curtain.restore(&state).unwrap();
    assert!(curtain.update(1.0 / 60.0, &Environment::default()).is_ok());
}

/// Every wrong number in a specification is refused, none panics.
#[test]
fn wrong_specifications_are_refused() {
    let refused = |change: &dyn Fn(&mut PanelSpec)| {
        let mut panel = small(5);
        change(&mut panel);
        Curtain::new(&CurtainSpec { panels: vec![panel], ..CurtainSpec::default() }).unwrap_err()
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(refused(&|p| p.height = bad), CurtainError::Value { what: "height", .. }));
        assert!(matches!(refused(&|p| p.density = bad), CurtainError::Value { .. }));
        assert!(matches!(refused(&|p| p.gaps[2].width = bad), CurtainError::Value { .. }));
        let sections = refused(&|p| p.gaps[2].sections[1] = bad);
        assert!(matches!(sections, CurtainError::Sections { panel: 0, gap: 2, sections: 4 }));
    }
    assert!(matches!(refused(&|p| p.rows = 1), CurtainError::Size { .. }));
    assert!(matches!(refused(&|p| p.rows = usize::MAX), CurtainError::Size { .. }));
    assert!(matches!(refused(&|p| p.hang = Vec3::ZERO), CurtainError::Value { what: "hang", .. }));
    assert!(matches!(refused(&|p| p.permeability.porosity = 1.5), CurtainError::Value { .. }));
    let wide = refused(&|p| p.top = Top::Rail(Rail::fixed(Vec3::ZERO, Vec3::X * 1.01)));
    assert!(matches!(wide, CurtainError::TooNarrow { panel: 0, .. }), "{wide}");
    assert!(matches!(Curtain::new(&CurtainSpec::default()), Err(CurtainError::Empty)));
}
