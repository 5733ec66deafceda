use super::*;
use crate::{MeshSettings, build};
use proptest::prelude::*;

const SMALL: &str = r#"{
  "pattern": {
    "panels": {
      "f": { "translation": [0, 100, 20], "rotation": [0, 0, 0],
             "vertices": [[0, 0], [40, 0], [40, 30], [0, 30]],
             "edges": [{"endpoints": [0, 1], "curvature": [0.5, 0.1]},
                       {"endpoints": [1, 2]},
                       {"endpoints": [2, 3], "curvature": {"type": "circle", "params": [25, 0, 1]}},
                       {"endpoints": [3, 0]}] },
      "b": { "translation": [0, 100, -20], "rotation": [0, 90, 0],
             "vertices": [[0, 0], [0, 30], [40, 30], [40, 0]],
             "edges": [{"endpoints": [0, 1]}, {"endpoints": [1, 2]},
                       {"endpoints": [2, 3]}, {"endpoints": [3, 0]}] }
    },
    "stitches": [[{"panel": "f", "edge": 3}, {"panel": "b", "edge": 0}, "right_wrong"]]
  },
  "properties": {"units_in_meter": 100, "curvature_coords": "relative"}
}"#;

#[test]
fn a_small_file_is_read_as_written() {
    let pattern = from_garment_code(SMALL.as_bytes(), "small").expect("readable");
    let panel = |name: &str| pattern.panels.iter().find(|p| p.name == name).expect("there");
    let (front, back) = (panel("f"), panel("b"));
    // 0.4 × 0.3 m, the quadratic's bulge to the left (inside) takes ⅔ of base × ½ height.
    let quadratic = 2.0 / 3.0 * 0.4 * (0.04 / 2.0);
    let half_angle = (0.2_f64 / 0.25).asin();
    let segment = 0.25 * 0.25 * (half_angle - half_angle.sin() * half_angle.cos());
    assert!((front.area() - (0.12 - quadratic + segment)).abs() < 1e-12);
    // Y up becomes z up; +z (the front) becomes −y.
    assert!((front.place(Vec2::new(0.1, 0.2)) - Vec3::new(0.1, -0.2, 1.2)).length() < 1e-15);
    // 90° about y takes x to −z, which is +y here.
    assert!((back.place(Vec2::new(0.1, 0.2)) - Vec3::new(0.0, 0.3, 1.2)).length() < 1e-15);
    assert_eq!((front.facing(), back.facing()), (1.0, -1.0));
    build(&pattern, &MeshSettings::default()).expect("a garment");
}

#[test]
fn missing_names_are_told() {
    let message = |from: &str, to: &str| {
        let text = SMALL.replacen(from, to, 1);
        from_garment_code(text.as_bytes(), "small").expect_err("refused").to_string()
    };
    let edge = message(r#""panel": "b", "edge": 0"#, r#""panel": "b", "edge": 9"#);
    assert_eq!(
        edge,
        "stitch 0 names the edge \"9 of panel b\", which does not exist; the panel has 4 edges, \
         numbered from 0"
    );
    let panel = message(r#""panel": "f", "edge": 3"#, r#""panel": "g", "edge": 3"#);
    assert!(panel.contains("stitch 0") && panel.contains("\"g\"") && panel.contains("b, f"));
    assert!(message("[0, 1]", "[0, 7]").contains("vertex"));
    assert!(message("\"circle\"", "\"spline\"").contains("spline"));
    assert!(message("[25, 0, 1]", "[5, 0, 1]").contains("radius"));
    assert!(message("\"units_in_meter\": 100", "\"units_in_meter\": 0").contains("units_in_meter"));
    assert!(message("{", "[").contains("not a GarmentCode pattern"));
}

/// The real file: all panels meshed, all stitches matched end to end.
#[test]
fn the_shirt_of_garment_code_is_sewn() {
    let Some(folder) = std::env::var_os("MUSLIN_SHARED") else {
        eprintln!("skipped: MUSLIN_SHARED names no folder with patterns");
        return;
    };
    let path = std::path::Path::new(&folder).join("data/patterns/shirt_mean_specification.json");
    let pattern = from_garment_code(&std::fs::read(path).expect("the file"), "shirt").unwrap();
    assert_eq!((pattern.panels.len(), pattern.seams.len()), (8, 18));
    for edge_length in [0.03, 0.015] {
        let garment = build(&pattern, &MeshSettings { edge_length }).expect("a garment");
        let area = garment.quality().area / pattern.area();
        assert!((area - 1.0).abs() < 1e-3, "area {area}");
        assert!(garment.quality().least_angle.to_degrees() >= 24.0, "{:?}", garment.quality());
        // Panels of one garment are about 0.45 m apart at most where they are sewn.
        for &[a, b] in &garment.stitches {
            let gap = garment.positions[a as usize] - garment.positions[b as usize];
            assert!(gap.length() < 0.5, "a stitch over {} m", gap.length());
        }
        // A shirt has four openings: neck, waist and two sleeves. χ = 2 − 4.
        let mesh = &garment.welded;
        let euler = mesh.vertex_count() as i64 - mesh.topology().edges().len() as i64
            + mesh.triangles().len() as i64;
        assert_eq!(euler, -2);
        // Every outline faces the outside, so none is turned: fronts to −y, backs to +y.
        for part in &garment.parts {
            let [a, b, c] = garment.triangles[part.triangles.start as usize]
                .map(|v| garment.positions[v as usize]);
            let y = (b - a).cross(c - a).y;
            let front = part.name.contains("ftorso") || part.name.ends_with("_f");
            assert_eq!(y < 0.0, front, "{}", part.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = from_garment_code(&bytes, "noise");
    }

    /// The file with a few bytes replaced: read and meshed, or refused.
    #[test]
    fn damaged_files_are_survived(
        changes in proptest::collection::vec((0..SMALL.len(), 0x20_u8..0x7f), 1..4),
    ) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        if let Ok(pattern) = from_garment_code(&bytes, "damaged")
            && let Err(error) = build(&pattern, &MeshSettings { edge_length: 0.05 })
        {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
