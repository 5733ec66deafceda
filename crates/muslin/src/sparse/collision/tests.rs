use super::super::body_part::BodyPart;
use super::*;
use crate::math::Quat;
use crate::motion::Pose;

const H: f64 = 0.01;
const THICKNESS: f64 = 0.01;

fn capsule() -> BodyPart {
    let shape = PartShape::Capsule { radius: 0.1, half_length: 0.3 };
    BodyPart::still(shape, Pose::IDENTITY)
}

struct Cloth {
    before: Vec<Vec3>,
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    inverse_masses: Vec<f64>,
}

impl Cloth {
    fn moving(before: &[Vec3], v: Vec3) -> Self {
        Self {
            before: before.to_vec(),
            x: before.iter().map(|x| *x + v * H).collect(),
            v: vec![v; before.len()],
            inverse_masses: vec![1.0; before.len()],
        }
    }

    /// Vertex contacts and face contacts with one part.
    fn collide(&mut self, part: &BodyPart, friction: f64) -> (usize, usize) {
        let Self { before, x, v, inverse_masses } = self;
        let mut cloth = Particles { before, x, v, inverse_masses };
        let parts = std::slice::from_ref(part);
        let (earlier, now) = ([part.placed(H)], [part.placed(0.0)]);
        let body = NearParts { parts, near: &[0], before: &earlier, now: &now };
        let collider = Collider { body, thickness: THICKNESS, friction };
        let mut nearness = Nearness::default();
        nearness.begin(cloth.x.len(), 1);
        let faces: &[[u32; 3]] = if cloth.x.len() == 3 { &[[0, 1, 2]] } else { &[] };
        collider.measure(&cloth, faces, &mut nearness);
        let vertices = collider.vertices(&mut cloth, &nearness);
        let mut looks = FaceLooks::new(cloth.x, faces.len());
        looks.begin_frame(1);
        (vertices, collider.faces(&mut cloth, faces, &nearness, &mut looks))
    }
}

/// A particle just inside goes to the nearest point and loses what approached, no more.
#[test]
fn os3_a_vertex_inside_goes_to_the_nearest_point() {
    let mut cloth = Cloth::moving(&[Vec3::new(0.12, 0.0, 0.1)], Vec3::new(-3.0, 0.0, 1.0));
    assert_eq!(cloth.collide(&capsule(), 0.0), (1, 0));
    assert!(cloth.x[0].distance(Vec3::new(0.11, 0.0, 0.11)) < 1e-15, "{}", cloth.x[0]);
    assert!(cloth.v[0].distance(Vec3::Z) < 1e-15);
    // Leaving motion is not touched.
    let mut cloth = Cloth::moving(&[Vec3::new(0.1, 0.0, 0.1)], Vec3::new(0.5, 0.0, 1.0));
    cloth.collide(&capsule(), 0.7);
    assert_eq!(cloth.v[0], Vec3::new(0.5, 0.0, 1.0));
}

/// Coulomb: with 3 m/s of approach removed and μ = 0.2, 0.6 m/s of sliding are taken, never more than
/// there are.
#[test]
fn friction_takes_its_part() {
    for (sliding, left) in [(1.0, 0.4), (0.5, 0.0)] {
        let mut cloth = Cloth::moving(&[Vec3::new(0.12, 0.0, 0.1)], Vec3::new(-3.0, 0.0, sliding));
        cloth.collide(&capsule(), 0.2);
        assert!(cloth.v[0].distance(Vec3::Z * left) < 1e-14, "{}", cloth.v[0]);
    }
}

/// Contact is relative: a part that moves takes the particle along.
#[test]
fn os3_moving_parts_push_at_their_own_speed() {
    let mut part = capsule();
    part.move_to(Pose::at(Vec3::X * 0.02), H);
    let mut cloth = Cloth::moving(&[Vec3::new(0.115, 0.0, 0.0)], Vec3::ZERO);
    assert_eq!(cloth.collide(&part, 0.0), (1, 0));
    assert!((cloth.v[0] - Vec3::X * 2.0).length() < 1e-12);
    assert!((cloth.x[0].x - 0.13).abs() < 1e-14);
}

/// R8: thrown at 50 m/s a particle does not come out on the other side, and neither does a thin part
/// that is thrown at the particle.
#[test]
fn os3_nothing_tunnels() {
    for speed in [5.0, 12.0, 15.0, 20.0, 30.0, 50.0] {
        let mut cloth = Cloth::moving(&[Vec3::new(0.12, 0.01, 0.0)], Vec3::X * -speed);
        assert_eq!(cloth.collide(&capsule(), 0.0).0, 1);
        assert!(cloth.x[0].x > 0.1 && cloth.v[0].x > -0.2 * speed, "{speed}: {}", cloth.x[0]);
        let mut part = capsule();
        part.move_to(Pose::at(Vec3::X * speed * H), H);
        let mut cloth = Cloth::moving(&[Vec3::new(0.12, 0.0, 0.0)], Vec3::ZERO);
        assert_eq!(cloth.collide(&part, 0.0).0, 1);
        assert!(cloth.x[0].x >= 0.11 + speed * H - 1e-9, "{speed}: {}", cloth.x[0]);
    }
    // A near miss stays a miss.
    let mut cloth = Cloth::moving(&[Vec3::new(0.3, 0.12, 0.0)], Vec3::X * -50.0);
    assert_eq!(cloth.collide(&capsule(), 0.0).0, 0);
}

/// A wide face over a thin capsule: all corners are outside, yet it is moved out whole, by the depth.
#[test]
fn os3_a_cut_face_is_moved_out_whole() {
    let face = [(-0.5, -0.4), (0.5, -0.4), (0.0, 0.6)].map(|(y, z)| Vec3::new(0.07, y, z));
    let mut cloth = Cloth::moving(&face, Vec3::X * -0.5);
    let start = cloth.x.clone();
    assert_eq!(cloth.collide(&capsule(), 0.0), (0, 1));
    for (a, b) in cloth.x.iter().zip(&start) {
        assert!((*a - *b).distance(Vec3::X * (0.11 - 0.065)) < 1e-12, "{}", *a - *b);
    }
    assert!(cloth.v.iter().all(|v| v.length() < 1e-12));
}

/// With one corner attached the other two move farther, so that the deepest point is out all the same.
#[test]
fn os3_attached_corners_stay_and_the_others_make_up_for_it() {
    let face = [(-0.5, -0.4), (0.5, -0.4), (0.0, 0.6)].map(|(y, z)| Vec3::new(0.09, y, z));
    let mut cloth = Cloth::moving(&face, Vec3::ZERO);
    cloth.inverse_masses[2] = 0.0;
    assert_eq!(cloth.collide(&capsule(), 0.0).1, 1);
    assert_eq!(cloth.x[2], face[2]);
    assert!(cloth.collide(&capsule(), 0.0).1 == 0 || cloth.x[0].x < 0.2);
    let part = &capsule().shape;
    for i in 0..=50 {
        let p = cloth.x[0].lerp(cloth.x[1], 0.5).lerp(cloth.x[2], f64::from(i) / 50.0);
        assert!(part.distance(p, 1.0).0 > 0.0);
    }
}

/// A capsule that comes up through a face from below lifts it, however far its axis is through.
#[test]
fn os3_a_pierced_face_is_lifted_off_the_tip() {
    let face = [(-0.5, -0.4), (0.5, -0.4), (0.0, 0.6)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let mut part = capsule();
    part.pose = Pose { rotation: Quat::IDENTITY, translation: Vec3::Z * -0.45 };
    part.move_to(Pose::at(Vec3::Z * -0.25), H);
    let mut cloth = Cloth::moving(&face, Vec3::ZERO);
    assert_eq!(cloth.collide(&part, 0.0), (0, 1));
    // The tip of the axis is at 0.05, its cap at 0.15, and the face keeps its thickness.
    assert!(cloth.x.iter().all(|x| (x.z - 0.16).abs() < 1e-12), "{:?}", cloth.x);
    assert!(cloth.v.iter().all(|v| (v.z - 20.0).abs() < 1e-9));
}
