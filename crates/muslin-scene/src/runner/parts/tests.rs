use super::*;
use crate::runner::bodies;
use muslin::body::BodyMotion;
use muslin::math::Random;
use muslin_figure::{Figure, Joint, Proportions};

const TRIANGLES: usize = 10_000;

/// The parts of a mannequin with these keys, and its vertices at a time [s].
fn dressed(keys: &str, t: f64) -> (Vec<Part>, Vec<Vec3>) {
    let text = format!(
        "fps = 30\n[[cloth]]\ngrid = {{ size = [1, 1] }}\n[[body]]\nname = \"figure\"\nscale = 0.9\nposition = [1, 2, 0.5]\nrotation = [0, 0, 30]\n\
         mannequin = {{ triangles = {TRIANGLES}{keys} }}\n"
    );
    let scene = SceneSpec::from_toml(&text, "test.toml", &[]).unwrap();
    let built = bodies::build(&scene.body[0], &scene).unwrap().0;
    let mut x = built.body.mesh.positions.clone();
    let BodyMotion::Deforming(deform) = &built.body.motion else { panic!("it does not deform") };
    deform(t, &mut x);
    (parts(&[built], &scene).unwrap(), x)
}

/// Signed distance of a point of the world from a part at a time [m].
fn distance(part: &Part, t: f64, x: Vec3) -> f64 {
    part.shape.distance(part.pose(t).inverse().apply(x), 0.0).0
}

/// OS3: at rest the pieces of all bones together are the whole figure: no vertex of the skinned mesh is
/// more than 3 mm outside of them.
#[test]
fn os3_the_parts_of_a_resting_figure_cover_it() {
    let (parts, x) = dressed("", 0.0);
    assert_eq!(parts.len(), Joint::COUNT);
    for x in x {
        let nearest = parts.iter().map(|part| distance(part, 0.0, x)).fold(f64::INFINITY, f64::min);
        assert!(nearest < 0.003, "{x}: {nearest}");
    }
}

/// OS3: at the height of a kick, vertices that one bone alone moves are within 3 mm of the surface of
/// its part.
#[test]
fn os3_parts_move_with_the_bones_of_a_kick() {
    let t = 0.9;
    let (parts, x) = dressed(", motion = \"kick\", blend = 0.1", t);
    let figure =
        Figure::new(&Proportions { triangles: TRIANGLES, ..Proportions::woman() }).unwrap();
    let mut rigid = 0;
    for (x, influences) in x.iter().zip(figure.influences()) {
        for (part, joint) in parts.iter().zip(Joint::ALL) {
            if influences.weight(joint) > 0.999 {
                let off = distance(part, t, *x).abs();
                assert!(off < 0.003, "{joint} {x}: {off}");
                rigid += 1;
            }
        }
    }
    assert!(rigid > 500, "{rigid}");
}

/// OS3: distances of a part change by no more than the way gone, along each axis, anywhere in its box: there is no place
/// where the outside turns into the inside at once. The lids of thighs fold over the skin at the groin.
#[test]
fn os3_distances_of_parts_do_not_jump() {
    let (parts, _) = dressed("", 0.0);
    let mut random = Random::new(5);
    let step = 0.004;
    for part in &parts {
        let PartShape::Mesh(mesh) = &part.shape else { continue };
        let bounds = mesh.bounds();
        let size = bounds.max - bounds.min;
        for _ in 0..4000 {
            let mut unit = || Vec3::new(random.unit(), random.unit(), random.unit());
            let p = bounds.min + unit() * size;
            let q = (p + (unit() - Vec3::splat(0.5)) * step).clamp(bounds.min, bounds.max);
            let [a, b] = [p, q].map(|x| part.shape.distance(x, 0.0).0);
            let most = 1.001 * 3f64.sqrt() * p.distance(q) + 1e-6;
            assert!((a - b).abs() <= most, "{:?} {p} {q}: {a} {b}", part.bone);
        }
    }
}
