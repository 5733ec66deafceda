use super::*;
use crate::toml_format::from_toml;
use crate::{Garment, MeshSettings, build};
use proptest::prelude::*;

fn one_panel(text: &str, edge_length: f64) -> Garment {
    let pattern = from_toml(text, "test").expect("a readable pattern");
    build(&pattern, &MeshSettings { edge_length }).expect("a garment")
}

/// Promises of every mesh whose outline allows them.
fn check_quality(garment: &Garment, edge_length: f64, least_degrees: f64, [short, long]: [f64; 2]) {
    let quality = garment.quality();
    let degrees = quality.least_angle.to_degrees();
    assert!(degrees >= least_degrees, "smallest angle {degrees}°");
    assert!(quality.shortest_edge >= short * edge_length, "{} m", quality.shortest_edge);
    assert!(quality.longest_edge <= long * edge_length, "{} m", quality.longest_edge);
}

const SQUARE: &str = r#"
[[panel]]
name = "square"
start = [0, 0]
edge = [{ to = [0.5, 0] }, { to = [0.5, 0.5] }, { to = [0, 0.5] }, {}]
"#;

#[test]
fn a_square_is_filled_with_even_triangles() {
    for edge_length in [0.2, 0.05, 0.02, 0.013] {
        let garment = one_panel(SQUARE, edge_length);
        check_quality(&garment, edge_length, 29.0, [0.5, 1.7]);
        // Polygons keep their area exactly, up to rounding.
        assert!((garment.quality().area - 0.25).abs() < 1e-14);
        let mesh = garment.unwelded().expect("manifold");
        let topology = mesh.topology();
        // A disc: V − E + T = 1.
        let euler = mesh.vertex_count() as i64 - topology.edges().len() as i64
            + mesh.triangles().len() as i64;
        assert_eq!(euler, 1);
    }
}

const CURVED: &str = r#"
[[panel]]
name = "curved"
start = [0, 0]
edge = [
  { name = "arc", to = [0.6, 0], arc = { radius = 0.5 } },
  { name = "cubic", to = [0.5, 0.6], curve = [[0.7, 0.2], [0.5, 0.4]] },
  { name = "quadratic", to = [0.1, 0.55], curve = [[0.3, 0.5]] },
  { name = "line" },
]
[[panel.hole]]
circle = { center = [0.3, 0.15], radius = 0.07, name = "hole" }
[[panel.line]]
name = "crease"
start = [0.12, 0.3]
edge = [{ to = [0.45, 0.33], curve = [[0.3, 0.36]] }]
fold = 60
"#;

#[test]
fn curves_holes_and_lines_are_kept() {
    let edge_length = 0.02;
    let garment = one_panel(CURVED, edge_length);
    check_quality(&garment, edge_length, 25.0, [0.4, 1.7]);
    let pattern = from_toml(CURVED, "test").unwrap();
    let exact = pattern.area();
    assert!((garment.quality().area / exact - 1.0).abs() < 1e-3);
    // The hole's vertices lie on its circle, and the mesh is a ring: V − E + T = 0.
    for edge in ["curved.hole_top", "curved.hole_bottom"] {
        for &v in garment.group(edge).expect("a group") {
            let p = garment.positions[v as usize];
            assert!(((p.x - 0.3).hypot(p.z - 0.15) - 0.07).abs() < 1e-14);
        }
    }
    let mesh = garment.unwelded().unwrap();
    let edges = mesh.topology().edges();
    let euler = mesh.vertex_count() as i64 - edges.len() as i64 + mesh.triangles().len() as i64;
    assert_eq!(euler, 0);
    let fold = &garment.folds[0];
    assert_eq!(fold.angle, 60.0_f64.to_radians());
    assert!(fold.vertices.len() > 15);
    for pair in fold.vertices.windows(2) {
        let ends = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        assert!(edges.iter().any(|edge| edge.vertices == ends), "{ends:?} is no mesh edge");
    }
}

#[test]
fn short_edges_are_graded_not_slivered() {
    // A notch edge of a quarter of the edge length.
    let text = r#"
[[panel]]
name = "notched"
start = [0, 0]
edge = [{ to = [0.4, 0] }, { to = [0.4, 0.2] }, { to = [0.405, 0.2] }, { to = [0.4, 0.4] }, { to = [0, 0.4] }, {}]
"#;
    let garment = one_panel(text, 0.02);
    let quality = garment.quality();
    assert!(quality.least_angle.to_degrees() >= 25.0, "{}", quality.least_angle.to_degrees());
    assert!(quality.shortest_edge >= 0.4 * 0.005);
}

#[test]
fn meshes_are_the_same_every_time() {
    assert_eq!(one_panel(CURVED, 0.03), one_panel(CURVED, 0.03));
}

fn refused(text: &str) -> String {
    let pattern = from_toml(text, "test").expect("readable");
    let error = build(&pattern, &MeshSettings { edge_length: 0.02 }).expect_err("refused");
    error.to_string()
}

#[test]
fn broken_outlines_are_refused_by_name() {
    let panel = |start: &str, edges: &str| {
        format!("[[panel]]\nname = \"p\"\nstart = {start}\nedge = [{edges}]\n")
    };
    let bow = panel(
        "[0, 0]",
        r#"{ name = "a", to = [0.3, 0.3] }, { name = "b", to = [0.3, 0] }, { name = "c", to = [0, 0.3] }, { name = "d" }"#,
    );
    let message = refused(&bow);
    assert!(
        message.contains("\"p\"") && message.contains("\"a\"") && message.contains("\"c\""),
        "{message}"
    );
    let tiny = panel(
        "[0, 0]",
        r#"{ to = [0.3, 0] }, { name = "tiny", to = [0.3, 0.0001] }, { to = [0, 0.3] }, {}"#,
    );
    assert!(refused(&tiny).contains("\"tiny\""));
    for center in ["[0.9, 0.9]", "[0.3, 0.15]"] {
        let hole = format!(
            "{SQUARE}[[panel.hole]]\ncircle = {{ center = [0.3, 0.3], radius = 0.18, name = \"h\" }}\n\
             [[panel.hole]]\ncircle = {{ center = {center}, radius = 0.02, name = \"g\" }}\n"
        );
        assert!(refused(&hole).contains("hole 2 lies outside"), "{}", refused(&hole));
    }
    let touching = format!(
        "{SQUARE}[[panel.hole]]\ncircle = {{ center = [0.4, 0.2], radius = 0.15, name = \"h\" }}\n"
    );
    assert!(refused(&touching).contains("cross or touch"));
    let line = format!(
        "{SQUARE}[[panel.line]]\nname = \"l\"\nstart = [0.7, 0.7]\nedge = [{{ to = [0.9, 0.8] }}]\n"
    );
    assert!(refused(&line).contains("outside"), "{}", refused(&line));
    let huge = SQUARE.replace("0.5", "5e5");
    assert!(refused(&huge).contains("vertices"));
    let line_edge = panel("[0, 0]", "{ to = [0.3, 0] }, {}");
    assert!(refused(&line_edge).contains("cross or touch"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Star-shaped outlines with curved edges: meshed well, or refused in a sentence.
    #[test]
    fn random_panels_are_meshed_or_refused(
        radii in proptest::collection::vec(0.1_f64..0.4, 3..9),
        bends in proptest::collection::vec(-0.3_f64..0.3, 9),
        edge_length in 0.015_f64..0.08,
    ) {
        let count = radii.len();
        let corner = |k: usize| {
            let angle = std::f64::consts::TAU * (k % count) as f64 / count as f64;
            radii[k % count] * Vec2::from_angle(angle)
        };
        let edge = |k: usize| {
            let (a, b) = (corner(k), corner(k + 1));
            let control = 0.5 * (a + b) + (b - a).perp() * bends[k];
            format!(
                "{{ to = [{:?}, {:?}], curve = [[{:?}, {:?}]] }}", b.x, b.y, control.x, control.y
            )
        };
        let edges = (0..count).map(edge).collect::<Vec<_>>().join(", ");
        let start = corner(0);
        let text = format!(
            "[[panel]]\nname = \"star\"\nstart = [{:?}, {:?}]\nedge = [{edges}]\n", start.x, start.y
        );
        let pattern = from_toml(&text, "test").unwrap();
        match build(&pattern, &MeshSettings { edge_length }) {
            Err(error) => prop_assert!(error.to_string().contains("cross"), "{error}"),
            Ok(garment) => {
                let quality = garment.quality();
                prop_assert!((quality.area / pattern.area() - 1.0).abs() < 1e-3);
                let mesh = garment.unwelded().unwrap();
                let euler = mesh.vertex_count() as i64 - mesh.topology().edges().len() as i64
                    + mesh.triangles().len() as i64;
                prop_assert_eq!(euler, 1);
                prop_assert!(quality.longest_edge <= 2.2 * edge_length);
                prop_assert!(quality.least_angle > 0.0);
            }
        }
    }
}
