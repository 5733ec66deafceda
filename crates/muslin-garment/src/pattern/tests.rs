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
        wrap: Some(Wrap { radius: 0.2, axis: WrapAxis::V, at: 0.3 }),
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
fn mirrored_panels_are_mirror_images_in_space() {
    let mut panel = rectangle(0.6, 0.3);
    panel.placement = Placement {
        position: Vec3::new(0.2, -0.5, 1.0),
        rotation: Quat::from_rotation_z(0.4) * Quat::from_rotation_x(-0.7),
        wrap: Some(Wrap { radius: 0.3, axis: WrapAxis::V, at: 0.1 }),
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
