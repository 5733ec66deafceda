use super::*;
use crate::{MeshSettings, build, library};
use muslin::math::{Vec2, Vec3};
use proptest::prelude::*;

const TEXT: &str = r#"
name = "Bib"
unit = "cm"
[parameters]
width = 30
half = "width / 2"
[[panel]]
name = "bib"
start = ["-half", 0]
edge = [
  { name = "hem", to = ["half", 0], curve = [[0, -5]] },
  { name = "side", to = ["half", 20] },
  { name = "neck", to = ["-half", 20], arc = { radius = "half", bulge = "left" } },
  { name = "other" },
]
grain = 90
position = [0, -20, 130]
rotation = [0, 0, 90]
wrap = { radius = 20 }
fabric = "linen"
layer = 2
[[panel]]
name = "mirror"
mirror_of = "bib"
"#;

#[test]
fn a_pattern_is_read_as_written() {
    let pattern = from_toml(TEXT, "bib.toml").expect("readable");
    assert_eq!(pattern.name, "Bib");
    let panel = &pattern.panels[0];
    assert_eq!((panel.fabric.as_deref(), panel.layer), (Some("linen"), 2));
    // 30 × 20 cm, a parabola of height 2.5 added below, half a circle cut out above.
    let exact = 0.06 + 2.0 / 3.0 * 0.3 * 0.025 - std::f64::consts::PI * 0.15 * 0.15 / 2.0;
    assert!((panel.area() - exact).abs() < 1e-14);
    let place = panel.place(Vec2::new(0.0, 0.1));
    assert!((place - Vec3::new(0.0, -0.2, 1.4)).length() < 1e-15);
    let wide = from_toml_with(TEXT, "bib.toml", &[("width".into(), 40.0)]).expect("readable");
    assert!((wide.panels[0].outline[1].curve.end().x - 0.2).abs() < 1e-15);
    assert_eq!(pattern.panels[1].layer, 2);
    assert!((pattern.panels[1].area() - exact).abs() < 1e-14);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let message = |from: &str, to: &str| {
        let text = TEXT.replacen(from, to, 1);
        from_toml(&text, "bib.toml").expect_err("refused").to_string()
    };
    assert!(message("unit = \"cm\"", "unit = \"ell\"").starts_with("bib.toml: line 3: "));
    assert!(message("layer = 2", "layers = 2").contains("layers"));
    assert!(message("width / 2", "widht / 2").contains("parameter \"widht\""));
    assert!(message("mirror_of = \"bib\"", "mirror_of = \"bob\"").contains("\"bob\""));
    assert!(message("radius = \"half\"", "radius = 1").contains("\"neck\""));
    assert!(message("[[0, -5]]", "[]").contains("1 or 2 control points"));
    let seam = |line: &str| {
        let text = format!("{TEXT}[[seam]]\nname = \"s\"\n{line}\n");
        from_toml(&text, "bib.toml").expect_err("refused").to_string()
    };
    let missing = seam("a = [\"bib.sied\"]\nb = [\"bib.hem\"]");
    assert!(
        missing.contains("seam \"s\"") && missing.contains("\"sied\"") && missing.contains("side")
    );
    assert!(seam("a = [\"bob.side\"]\nb = [\"bib.hem\"]").contains("panel \"bob\""));
    assert!(seam("a = [\"side\"]\nb = [\"bib.hem\"]").contains("panel.edge"));
    assert!(library::pattern("@shirt", &[]).expect_err("unknown").to_string().contains("@t-shirt"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in "\\PC{0,120}") {
        let _ = from_toml(&text, "noise");
    }

    /// One of our patterns with a few bytes replaced: read and meshed, or refused.
    #[test]
    fn damaged_patterns_are_survived(
        changes in proptest::collection::vec((0..10_000_usize, 0x20_u8..0x7f), 1..4),
    ) {
        let mut bytes = library::text("poncho").expect("there").as_bytes().to_vec();
        let length = bytes.len();
        for (at, byte) in changes {
            if bytes[at % length].is_ascii() {
                bytes[at % length] = byte;
            }
        }
        if let Ok(text) = String::from_utf8(bytes)
            && let Ok(pattern) = from_toml(&text, "damaged")
            && let Err(error) = build(&pattern, &MeshSettings { edge_length: 0.1 })
        {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
