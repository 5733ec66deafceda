//! Panels start around the body: off it, off each other, and with short ways to sew.

#[path = "../examples/draw_patterns/stand_in.rs"]
#[expect(dead_code, reason = "the surface is for pictures")]
mod stand_in;

use muslin::judge::intersecting_pairs;
use muslin_garment::{MeshSettings, build, library};
use stand_in::StandIn;

/// The standard adults: height, and girths of chest, waist and hip \[m\].
const WOMAN: (f64, [f64; 3]) = (1.72, [0.90, 0.72, 0.97]);
const MAN: (f64, [f64; 3]) = (1.78, [0.98, 0.84, 0.98]);

/// The parameters of a garment that a body decides.
fn measures(name: &str, (height, [chest, waist, hip]): (f64, [f64; 3])) -> Vec<(String, f64)> {
    let text = library::text(name).unwrap_or_default();
    [("height", height), ("chest", chest), ("waist", waist), ("hip", hip)]
        .into_iter()
        .filter(|(key, _)| text.lines().any(|line| line.starts_with(&format!("{key} ="))))
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

#[test]
fn garments_start_off_the_body_and_off_themselves() {
    for (height, girths) in [WOMAN, MAN] {
        let body = StandIn::new(height, girths);
        for name in library::names() {
            let pattern = library::pattern(name, &measures(name, (height, girths))).expect(name);
            let garment = build(&pattern, &MeshSettings { edge_length: 0.04 }).expect(name);
            for part in &garment.parts {
                for v in part.vertices.clone() {
                    let p = garment.positions[v as usize];
                    let clear = body.clearance(p);
                    assert!(clear > 0.008, "{name}.{}: {clear:.3} m at {p}", part.name);
                }
            }
            let crossings = intersecting_pairs(&garment.positions, &garment.triangles);
            assert_eq!(crossings, vec![], "{name} of {height} m");
            for seam in &garment.seams {
                let range = seam.stitches.start as usize..seam.stitches.end as usize;
                for &[a, b] in &garment.stitches[range] {
                    let way = garment.positions[a as usize] - garment.positions[b as usize];
                    assert!(way.length() < 0.45, "{name}.{}: {:.3} m", seam.name, way.length());
                }
            }
        }
    }
}

#[test]
fn garments_fit_the_girths_they_are_made_for() {
    let girth = |name: &str, groups: &[&str]| -> f64 {
        let pattern = library::pattern(name, &measures(name, WOMAN)).expect(name);
        let garment = build(&pattern, &MeshSettings { edge_length: 0.02 }).expect(name);
        groups
            .iter()
            .map(|group| {
                let vertices = garment.group(group).expect("there");
                let place = |v: u32| garment.positions[v as usize];
                vertices.windows(2).map(|w| (place(w[1]) - place(w[0])).length()).sum::<f64>()
            })
            .sum()
    };
    // Around the waist: the girth and its ease; chords are a little shorter than arcs.
    let skirt = girth("@skirt-long", &["left.waist", "right.waist"]);
    assert!((skirt - 0.77).abs() < 0.01, "{skirt}");
    let shirt = girth("@t-shirt", &["front.hem", "back.hem"]);
    assert!((shirt - (0.90 + 0.12)).abs() < 0.005, "{shirt}");
}
