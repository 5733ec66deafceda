use super::*;

fn rectangle(width: f64, height: f64) -> Panel {
    let corners =
        [Vec2::ZERO, Vec2::new(width, 0.0), Vec2::new(width, height), Vec2::new(0.0, height)];
    let outline = (0..4)
        .map(|k| PanelEdge {
            name: format!("e{k}"),
            curve: Curve::Line { from: corners[k], to: corners[(k + 1) % 4] },
        })
        .collect();
    Panel {
        name: "r".into(),
        outline,
        holes: Vec::new(),
        lines: Vec::new(),
        grain: 0.1,
        placement: Placement::FLAT,
        fabric: None,
        layer: 0,
    }
}

#[test]
fn a_wrapped_panel_lies_on_its_cylinder() {
    let mut panel = rectangle(0.6, 0.3);
    panel.placement = Placement {
        position: Vec3::new(1.0, -0.5, 2.0),
        rotation: Quat::IDENTITY,
        wrap: Some(Wrap::cylinder(0.2, WrapAxis::V, 0.3)),
    };
    // The cylinder touches the panel at u = 0.3 from behind: its axis is at y = −0.5 + 0.2.
    for u in [0.0, 0.1, 0.3, 0.6] {
        let p = panel.place(Vec2::new(u, 0.25));
        let radius = (p.x - 1.3).hypot(p.y + 0.3);
        assert!((radius - 0.2).abs() < 1e-14 && (p.z - 2.25).abs() < 1e-14);
        assert!(((p.x - 1.3).atan2(-(p.y + 0.3)) - (u - 0.3) / 0.2).abs() < 1e-13);
    }
}

#[test]
fn a_panel_with_two_corners_is_half_a_box() {
    let mut panel = rectangle(0.6, 0.3);
    let quarter = std::f64::consts::FRAC_PI_2;
    let wrap = Wrap { flat: 0.1, turn: quarter, ..Wrap::cylinder(0.02, WrapAxis::V, 0.2) };
    panel.placement.wrap = Some(wrap);
    let place = |u: f64| panel.place(Vec2::new(u, 0.1));
    assert_eq!(place(0.25), Vec3::new(0.25, 0.0, 0.1));
    // Behind the corner it runs straight back: 0.12 m off the middle, 0.02 m deep and on.
    let corner = 0.1 + 0.02 * quarter;
    let expected = Vec3::new(0.2 + 0.12, 0.02 + 0.2, 0.1);
    assert!((place(0.2 + corner + 0.2) - expected).length() < 1e-15);
    // Lengths are kept: 1000 chords are as long as the panel is wide, less what arcs are longer.
    let chords = (0..1000)
        .map(|k| (place(0.0006 * f64::from(k + 1)) - place(0.0006 * f64::from(k))).length());
    assert!((chords.sum::<f64>() - 0.6).abs() < 1e-5);
}

#[test]
fn mirrored_panels_are_mirror_images_in_space() {
    let mut panel = rectangle(0.6, 0.3);
    panel.placement = Placement {
        position: Vec3::new(0.2, -0.5, 1.0),
        rotation: Quat::from_rotation_z(0.4) * Quat::from_rotation_x(-0.7),
        wrap: Some(Wrap::cylinder(0.3, WrapAxis::V, 0.1)),
    };
    let mirror = panel.mirrored("m");
    assert_eq!((panel.facing(), mirror.facing()), (1.0, 1.0));
    for point in [Vec2::new(0.1, 0.2), Vec2::new(0.5, 0.05)] {
        let (p, q) = (panel.place(point), mirror.place(Vec2::new(-point.x, point.y)));
        assert!((p - Vec3::new(-q.x, q.y, q.z)).length() < 1e-14);
    }
    assert!((mirror.area() - 0.18).abs() < 1e-15);
    for pair in mirror.outline.windows(2) {
        assert_eq!(pair[0].curve.end(), pair[1].curve.start());
    }
}
