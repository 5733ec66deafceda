//! What ties cloth by a force, from scene text to frames: pointer, attachments, sticking, pressure, seams,
//! and pins on deforming bodies.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which fail by panicking")]

use muslin::math::Vec3;
use muslin_scene::runner::{Feature, FrameReport, Runner};
use muslin_scene::spec::SceneSpec;
use std::fmt::Write;

const G: f64 = 9.81;

fn scene(text: &str) -> SceneSpec {
    SceneSpec::from_toml(text, "test.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn run(runner: &mut Runner, frames: u32) -> FrameReport {
    let mut last = FrameReport::default();
    for _ in 0..frames {
        last = runner.advance().unwrap();
    }
    last
}

fn refusal(text: &str) -> String {
    match Runner::new(&scene(text)) {
        Ok(_) => panic!("it must be refused: {text}"),
        Err(error) => error.to_string(),
    }
}

const SHEET: &str = r#"
[air]
density = 0
[[cloth]]
name = "sheet"
grid = { size = [0.4, 0.4], vertices = [9, 9] }
position = [0, 0, 1]
fabric = { base = "cotton poplin", damping = 0.05 }
"#;

/// BW7: grabbing pulls a vertex to its target, releasing lets it fall; a run that is never touched and one
/// that was only asked to release are the same to the last bit.
#[test]
fn bw7_the_pointer_drags_and_lets_go() {
    let [mut free, mut released, mut dragged] = [0; 3].map(|_| Runner::new(&scene(SHEET)).unwrap());
    released.grab(0, 40, Vec3::new(0.0, 0.0, 2.0)).unwrap();
    released.release();
    let (a, b) = (run(&mut free, 6), run(&mut released, 6));
    assert!(free.frame() == released.frame() && a.forces == b.forces);

    let target = Vec3::new(0.1, 0.0, 1.2);
    dragged.grab(0, 40, target).unwrap();
    let report = run(&mut dragged, 48);
    let weight = 0.16 * muslin::fabric::Fabric::named("cotton poplin").unwrap().density * G;
    let held = Vec3::from_array(report.forces.pointer_force);
    assert!((held.z - weight).abs() < 0.25 * weight, "{held} of {weight}, still swinging a little");
    assert!(dragged.frame().positions[40].distance(target) < 0.05);
    dragged.grab(0, 40, target + Vec3::X * 0.2).unwrap();
    run(&mut dragged, 24);
    assert!(dragged.frame().positions[40].distance(target + Vec3::X * 0.2) < 0.1);
    dragged.release();
    assert_eq!(run(&mut dragged, 4).forces.pointer_force, [0.0; 3]);
    assert!(dragged.frame().velocities[40].z < -0.5, "it falls");
    assert!(dragged.grab(0, 81, target).is_err() && dragged.grab(1, 0, target).is_err());
}

/// The same as part of a scene, on a schedule.
#[test]
fn bw7_drags_are_scripted() {
    let drag = r#"
[[pointer.drag]]
cloth = "sheet"
vertex = 40
target = [[0, [0, 0, 1]], [0.25, [0, 0, 1.3]]]
until = 0.5
"#;
    let mut runner = Runner::new(&scene(&format!("{SHEET}{drag}"))).unwrap();
    let report = run(&mut runner, 12);
    assert!(report.forces.pointer_force[2] > 0.0);
    assert!(runner.frame().positions[40].z > 1.2);
    assert_eq!(run(&mut runner, 2).forces.pointer_force, [0.0; 3]);
    let missing = format!("{SHEET}{}", drag.replace("vertex = 40", "vertex = 400"));
    assert!(refusal(&missing).contains("vertex 400 does not exist"), "{}", refusal(&missing));
}

const HUNG: &str = r#"
gravity = [0, 0, -9.81]
[air]
density = 0
[solver]
integrator = "backward-euler"
contact = "none"
[[cloth]]
name = "upper"
grid = { size = [0.3, 0.3], vertices = [7, 7] }
rotation = [90, 0, 0]
position = [0, 0, 1]
[[cloth.pin]]
select = { edge = "v1" }
[[cloth]]
name = "lower"
grid = { size = [0.3, 0.2], vertices = [7, 5] }
rotation = [90, 0, 0]
position = [0, 0.02, 0.72]
[[cloth.attach]]
to = "upper"
select = { edge = "v1" }
select_to = { edge = "v0" }
stiffness = 200
damping = 1
"#;

/// Attached cloths are one island though they are far apart, the springs carry the lower one, and the pin
/// carries both (BW9, V17). At rest to a per cent.
#[test]
fn attachments_carry_what_hangs_on_them() {
    let mut runner = Runner::new(&scene(HUNG)).unwrap();
    let report = run(&mut runner, 72);
    let density = muslin::fabric::Fabric::named("cotton poplin").unwrap().density;
    let [upper, lower] = [0.09, 0.06].map(|area| area * density * G);
    let on_pin = Vec3::from_array(report.forces.pins[0].force);
    assert_eq!((report.forces.pins.len(), report.forces.attached), (1, 7));
    assert!((on_pin.z / (upper + lower) - 1.0).abs() < 0.01, "{on_pin} of {}", upper + lower);
    // Each of 7 springs carries at least a seventh, none more than half.
    let most = report.forces.attachment_force_max;
    assert!(most > lower / 7.0 * 0.99 && most < 0.5 * lower, "{most} of {lower}");
    let x = runner.frame().positions;
    assert!((0..7).all(|i| x[i].distance(x[49 + 28 + i]) < 0.01));
}

/// An attachment breaks at its force, and lets go when its time is over.
#[test]
fn attachments_break_and_end() {
    let weak = HUNG.replace("damping = 1", "damping = 1\nbreak_force = 0.001");
    let mut runner = Runner::new(&scene(&weak)).unwrap();
    let report = run(&mut runner, 12);
    assert_eq!((report.forces.attached, report.forces.broken), (0, 7));
    let short = HUNG.replace("damping = 1", "damping = 1\nuntil = 0.25");
    let mut runner = Runner::new(&scene(&short)).unwrap();
    assert_eq!(run(&mut runner, 6).forces.attached, 7);
    assert_eq!(run(&mut runner, 2).forces.attached, 0);
}

const STICKY: &str = r#"
[air]
density = 0
[[cloth]]
name = "sheet"
grid = { size = [0.3, 0.3], vertices = [13, 13] }
rotation = [90, 0, 0]
position = [0, 0, 1]
[[cloth.pin]]
select = { edge = "v1" }
until = 0.3
[[cloth.stick]]
select = { formula = "v < 0.4" }
to = "finger"
capture_distance = 0.006
release_distance = 0.03
stiffness = 40
strength = [[0, 1], [0.75, 1], [0.76, 0]]
[[body]]
name = "finger"
sphere = { radius = 0.03 }
position = [[0, [0, 0.034, 0.9]], [0.2, [0, 0.034, 0.9]], [0.7, [0, 0.25, 0.9]]]
"#;

/// MF9: the hand-like body takes the sheet along, carries it when the pin lets go, and lets it fall.
#[test]
fn mf9_a_sticky_body_takes_cloth_along_and_lets_go() {
    let mut runner = Runner::new(&scene(STICKY)).unwrap();
    let report = run(&mut runner, 12);
    assert!(report.forces.stuck >= 2, "{} stick", report.forces.stuck);
    let report = run(&mut runner, 5);
    let stuck = report.forces.stuck;
    assert!(stuck > 0 && report.forces.stick_force_max > 0.0, "{stuck} stick at 0.7 s");
    let middle = runner.frame().positions[4 * 13 + 6];
    assert!(middle.y > 0.1, "taken along: {middle}");
    let report = run(&mut runner, 4);
    assert_eq!((report.forces.stuck, report.forces.stick_force), (0, [0.0; 3]));
}

/// R3: what sticks, what is attached and what broke is all in the snapshot; and it is checked.
#[test]
fn r3_snapshots_hold_what_links_remember() {
    for text in [STICKY, HUNG] {
        let spec = scene(text);
        let mut straight = Runner::new(&spec).unwrap();
        run(&mut straight, 7);
        let snapshot = straight.snapshot();
        let mut resumed = Runner::new(&spec).unwrap();
        resumed.restore(&snapshot, 7).unwrap();
        for _ in 0..3 {
            let (a, b) = (straight.advance().unwrap(), resumed.advance().unwrap());
            assert!(straight.frame() == resumed.frame() && a.forces == b.forces);
        }
    }
    let mut other = Runner::new(&scene(
        &STICKY
            .replace("[[cloth.stick]]", "[[cloth.attach]]")
            .replace("capture_distance = 0.006\nrelease_distance = 0.03\n", "")
            .replace("strength = [[0, 1], [0.75, 1], [0.76, 0]]\n", ""),
    ))
    .unwrap();
    let mut sticky = Runner::new(&scene(STICKY)).unwrap();
    run(&mut sticky, 3);
    assert!(other.restore(&sticky.snapshot(), 3).is_err());
}

/// R6: regions that are not there are named.
#[test]
fn r6_bad_regions_are_refused() {
    let with = |what: &str| STICKY.replace("to = \"finger\"", what);
    let text = refusal(&with("to = \"finger\"\nselect_to = { near = [9, 9, 9], radius = 0.1 }"));
    assert!(text.contains("chooses no vertex"), "{text}");
    let text = refusal(&with("to = \"finger\"\nselect_to = { group = \"thumb\" }"));
    assert!(text.contains("no vertex group `thumb`"), "{text}");
    let text = refusal(&with("to = \"finger\"\nselect_to = { edge = \"u0\" }"));
    assert!(text.contains("no corners or sides"), "{text}");
    let unknown = SceneSpec::from_toml(&with("to = \"thumb\""), "test.toml", &[]).unwrap_err();
    assert!(unknown.to_string().contains("thumb"), "{unknown}");
    let plane = STICKY.replace("sphere = { radius = 0.03 }", "plane = {}");
    assert!(refusal(&plane).contains("no triangles"), "{}", refusal(&plane));
    let flat = format!("{SHEET}pressure = 20\n");
    assert!(refusal(&flat).contains("pressure needs closed cloth"), "{}", refusal(&flat));
}

/// Inflation: a slack ball in free fall becomes round and stays so: its volume is that of a sphere of the
/// same surface, to the one per cent that its 642 vertices leave.
#[test]
fn a_ball_of_cloth_is_inflated() {
    let mut runner = Runner::new(&scene(
        r#"
gravity = [0, 0, 0]
[air]
density = 0
[solver]
contact = "none"
[[cloth]]
sphere = { radius = 0.2, subdivisions = 3 }
pressure = [[0, 0], [0.2, 50]]
fabric = { stretch = 300, shear = 100, bending = 1e-6 }
"#,
    ))
    .unwrap();
    let triangles = runner.topology().triangles;
    let inside = |x: &[Vec3]| muslin::force::pressure::volume(&triangles, x);
    let before = inside(&runner.frame().positions);
    run(&mut runner, 24);
    let a = 50.0 * 0.2 / (2.0 * 300.0);
    let exact = (1.0 - (1.0_f64 - 4.0 * a).sqrt()) / (2.0 * a);
    let found = (inside(&runner.frame().positions) / before).cbrt();
    assert!((found / exact - 1.0).abs() < 0.01, "λ = {found}, not {exact}");
}

/// Two panels of 0.34 m by 0.12 m around a lying cylinder.
fn tube_scene() -> String {
    let outline = "outline = [[-0.17, 0], [0.17, 0], [0.17, 0.12], [-0.17, 0.12]]";
    let mut text = String::from(
        "[[body]]\ncylinder = { radius = 0.1, length = 0.6 }\nrotation = [90, 0, 0]\n[[cloth]]\n",
    );
    for (name, z, turn) in [("upper", 0.12, 0), ("lower", -0.12, 180)] {
        write!(
            text,
            "[[cloth.panel]]\nname = \"{name}\"\n{outline}\nedge_length = 0.034\nwrap_radius = 0.12\n\
             position = [0, -0.06, {z}]\nrotation = [0, {turn}, 0]\n"
        )
        .unwrap_or_default();
    }
    for (a, b) in [(1, 3), (3, 1)] {
        write!(
            text,
            "[[cloth.seam]]\na = {{ panel = \"upper\", edge = {a} }}\n\
             b = {{ panel = \"lower\", edge = {b}, reverse = true }}\nclosing_time = 0.2\n"
        )
        .unwrap_or_default();
    }
    text
}

/// BW15: two panels around a lying cylinder, sewn into a tube that hangs on it. Its circumference at rest
/// is the sum of the panels' widths, hanging it is the same to the stretch of its own weight, nothing
/// crosses, and it stays where it was dressed.
#[test]
fn bw15_panels_are_sewn_around_a_cylinder() {
    let width = 0.34;
    let mut runner = Runner::new(&scene(&tube_scene())).unwrap();
    let report = runner.dressing().unwrap();
    assert_eq!(report.stitches, 2 * 5);
    assert!(report.gap_before > 0.03 && report.gap_after < 1e-3);
    let topology = runner.topology();
    let x = runner.frame().positions;
    assert_eq!(x.len(), 5 * 20, "each seam is one column of vertices now");
    // Rings: edges along u, 20 of each of the five rows, of the panels' cell length at rest.
    let cell = width / 10.0;
    let along_u = |k: &usize| (topology.rest_lengths[*k] - cell).abs() < 1e-12;
    let rings: Vec<usize> = (0..topology.edges.len()).filter(along_u).collect();
    assert_eq!(rings.len(), 5 * 20);
    let length = |x: &[Vec3], k: usize| {
        let [a, b] = topology.edges[k].map(|v| x[v as usize]);
        a.distance(b)
    };
    let around = rings.iter().map(|&k| length(&x, k)).sum::<f64>() / 5.0;
    assert!((around / (2.0 * width) - 1.0).abs() < 0.01, "{around} of {}", 2.0 * width);
    run(&mut runner, 6);
    let later = runner.frame().positions;
    let moved = x.iter().zip(&later).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(moved < 0.01, "it was settled, but moved by {moved} m");
    let cloth = x.len() as u32;
    let (of_cloth, of_body): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
        topology.triangles.iter().partition(|t| t[0] < cloth);
    let of_body: Vec<[u32; 3]> = of_body.into_iter().map(|t| t.map(|v| v - cloth)).collect();
    let bodies = runner.frame().bodies;
    for x in [x, later] {
        assert!(muslin::judge::intersecting_pairs(&x, &of_cloth).is_empty());
        assert!(muslin::judge::crossing_pairs(&x, &of_cloth, &bodies, &of_body).is_empty());
    }
}

/// BW15: a seam that cannot close says which, by how much, and what to do.
#[test]
fn bw15_a_seam_that_cannot_close_is_named() {
    let text = refusal(
        r#"
[solver]
contact = "none"
[[cloth]]
[[cloth.panel]]
name = "a"
outline = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]
edge_length = 0.05
[[cloth.panel]]
name = "b"
outline = [[0, 0], [0.1, 0], [0.1, 0.2], [0, 0.2]]
edge_length = 0.05
position = [0.3, 0, 0]
[[cloth.seam]]
a = { panel = "a", edge = 1 }
b = { panel = "b", edge = 3, reverse = true }
"#,
    );
    assert!(text.contains("seam 0") && text.contains("3 and 5 vertices"), "{text}");
}

/// BW10: pins on a deforming body follow the material point of its nearest triangle exactly: a box that
/// shears as it moves, read as a mesh sequence.
#[test]
fn bw10_pins_ride_on_deforming_bodies() {
    let folder = std::env::temp_dir().join(format!("muslin-links-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let corners: Vec<Vec3> = (0..8)
        .map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), 0.2 * f64::from(i >> 2)))
        .collect();
    let shear = |x: Vec3, t: f64| Vec3::new(x.x + 0.3 * t * x.y, x.y, x.z + 0.1 * t);
    for frame in 0..3 {
        let mut text = String::new();
        for c in &corners {
            let p = shear(*c, f64::from(frame));
            writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
        }
        text += "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
        std::fs::write(folder.join(format!("box{frame}.obj")), text).unwrap();
    }
    let toml = r#"
fps = 24
[[cloth]]
grid = { size = [0.4, 0.4], vertices = [5, 5] }
position = [0.5, 0.7, 0.2]
[[cloth.pin]]
select = { corners = ["u0v0", "u1v1"] }
on_body = "box"
[solver]
contact = "none"
[[body]]
name = "box"
mesh_sequence = { files = "box#.obj", first = 0, last = 2, fps = 4 }
"#;
    let path = folder.join("scene.toml");
    std::fs::write(&path, toml).unwrap();
    let spec = SceneSpec::from_file(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut runner = Runner::new(&spec).unwrap();
    let start = runner.frame().positions;
    run(&mut runner, 12);
    let x = runner.frame().positions;
    for corner in [0, 24] {
        // On the top face, whose affine motion barycentric coordinates reproduce exactly.
        let expected = shear(start[corner], 2.0);
        assert!(x[corner].distance(expected) < 1e-12, "{} {expected}", x[corner]);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// BW15: a saved dressed state is read back to the bit, and a cloth that starts from it is not sewn again.
#[test]
fn bw15_a_dressed_state_is_saved_and_read() {
    let folder = std::env::temp_dir().join(format!("muslin-dressed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let panels = r#"
gravity = [0, 0, 0]
[solver]
contact = "none"
[[cloth]]
[[cloth.panel]]
name = "a"
outline = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]
edge_length = 0.05
[[cloth.panel]]
name = "b"
outline = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]
edge_length = 0.05
position = [0.12, 0, 0.01]
[[cloth.seam]]
a = { panel = "a", edge = 1 }
b = { panel = "b", edge = 3, reverse = true }
closing_time = 0.1
"#;
    let sewn = Runner::new(&scene(panels)).unwrap();
    let report = sewn.dressing().unwrap();
    assert!(report.gap_before > 0.02 && report.gap_after < report.gap_before / 10.0);
    assert_eq!(sewn.frame().positions.len(), 15);
    let file = folder.join("sewn.npz");
    sewn.save_positions(&file).unwrap();
    let path = folder.join("scene.toml");
    let again = panels.replace("[[cloth]]", "[[cloth]]\ninitial = { file = \"sewn.npz\" }");
    std::fs::write(&path, &again).unwrap();
    let again = Runner::new(&SceneSpec::from_file(&path, &[]).unwrap()).unwrap();
    assert!(again.dressing().is_none());
    assert!(again.frame().positions == sewn.frame().positions);
    std::fs::write(&file, b"not an archive").unwrap();
    assert!(Runner::new(&SceneSpec::from_file(&path, &[]).unwrap()).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A fabric's stretch table is read, checked, and felt: the limp start of it lets a hung strip sag more
/// than its stiff end would.
#[test]
fn stretch_tables_are_read_from_scenes() {
    let hung = |fabric: &str| {
        format!(
            "[air]\ndensity = 0\n[solver]\ncontact = \"none\"\nintegrator = \"backward-euler\"\n\
             [[cloth]]\ngrid = {{ size = [0.1, 0.5], vertices = [3, 11] }}\nrotation = [90, 0, 0]\n\
             fabric = {{ {fabric} }}\n[[cloth.pin]]\nselect = {{ edge = \"v1\" }}\n"
        )
    };
    let lowest = |fabric: &str| {
        let mut runner = Runner::new(&scene(&hung(fabric))).unwrap();
        run(&mut runner, 48);
        runner.frame().positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min)
    };
    // 0.5 m of 0.2 kg/m²: the mean tension is 0.49 N/m, the mean strain 0.49/50 or 0.49/5000.
    let soft = lowest("density = 0.2, stretch_table = { u = [[0, 0], [0.1, 5], [0.2, 900]] }");
    let stiff = lowest("density = 0.2, stretch_table = { u = [[0, 0], [0.1, 500]] }");
    let sag = 0.2 * G * 0.5 * 0.5 / 2.0;
    assert!((soft + 0.25 + sag / 50.0).abs() < 0.02 * sag / 50.0, "{soft}");
    assert!((stiff + 0.25 + sag / 5000.0).abs() < 0.02 * sag / 5000.0, "{stiff}");
    let text = refusal(&hung("stretch_table = { u = [[0, 0], [0.1, 5], [0.2, 4]] }"));
    assert!(text.contains("point 2 of the stretch table"), "{text}");
}

const OVER_BOX: &str = r#"
[air]
density = 0
[output]
forces = true
[[cloth]]
grid = { size = [0.4, 0.1], vertices = [17, 5] }
position = [0, 0, 0.01]
[[body]]
name = "bench"
box = { size = [0.2, 0.4, 0.2] }
position = [0, 0, -0.1]
"#;

const STACKED: &str = r#"
[air]
density = 0
[output]
forces = true
[[cloth]]
name = "lower"
grid = { size = [0.2, 0.2], vertices = [9, 9] }
position = [0, 0, 0.002]
[[cloth]]
name = "upper"
grid = { size = [0.12, 0.12], vertices = [6, 6] }
rotation = [0, 0, 20]
position = [0.01, 0, 0.005]
[[body]]
plane = {}
"#;

/// With `output.forces` every vertex on a body is listed with its force: what the ground carries is the weight of both
/// sheets, at rest to two per cent (BW9, BW11).
#[test]
fn every_vertex_on_a_body_is_listed_with_its_force() {
    let mut runner = Runner::new(&scene(STACKED)).unwrap();
    let report = run(&mut runner, 180);
    let each = report.forces.each.unwrap();
    let density = muslin::fabric::Fabric::named("cotton poplin").unwrap().density;
    let [lower, upper] = [0.04, 0.0144].map(|area| area * density * G);
    let on_ground: f64 = each.touching.iter().map(|touch| touch.force[2]).sum();
    assert!((on_ground / (lower + upper) - 1.0).abs() < 0.02, "{on_ground} of {}", lower + upper);
    assert_eq!(each.touching.len() as u64, report.forces.contacts);
    assert!(each.touching.iter().all(|touch| touch.vertex < 81 + 36));
}

/// The pairs between two sheets are listed with what they carry, and nothing else: the weight of the upper one, at rest
/// to two per cent (BW12).
#[test]
fn every_pair_of_features_is_listed_with_its_force() {
    let mut runner = Runner::new(&scene(STACKED)).unwrap();
    let report = run(&mut runner, 180);
    let each = report.forces.each.unwrap();
    let is_upper = |feature: &Feature| feature.vertices.iter().all(|v| (81..117).contains(v));
    let (mut lift, mut largest) = (0.0, 0.0_f64);
    for pair in &each.pairs {
        let [first, second] = [&pair.first, &pair.second].map(is_upper);
        assert!(first != second && pair.first.body.is_none(), "{pair:?}");
        assert_eq!(pair.first.vertices.len() + pair.second.vertices.len(), 4);
        lift += if first { pair.force[2] } else { -pair.force[2] };
        largest = largest.max(Vec3::from_array(pair.force).length());
    }
    let weight = 0.0144 * muslin::fabric::Fabric::named("cotton poplin").unwrap().density * G;
    assert!((lift / weight - 1.0).abs() < 0.02, "{lift} of {weight}");
    assert_eq!(largest, report.forces.pair_force_max);
}

/// A strip over the edge of a box hangs on its edges and faces: they are named as features of that body, and what it
/// carries is its weight.
#[test]
fn pairs_with_bodies_name_the_body() {
    let mut runner = Runner::new(&scene(OVER_BOX)).unwrap();
    let report = run(&mut runner, 240);
    let each = report.forces.each.unwrap();
    let mut lift: f64 = each.touching.iter().map(|touch| touch.force[2]).sum();
    let mut on_box = 0;
    for pair in &each.pairs {
        for (feature, sign) in [(&pair.first, 1.0), (&pair.second, -1.0)] {
            let Some(body) = &feature.body else { continue };
            assert_eq!(body, "bench");
            assert!(feature.vertices.iter().all(|v| *v < 8), "{feature:?}");
            lift -= sign * pair.force[2];
            on_box += 1;
        }
    }
    let weight = 0.04 * muslin::fabric::Fabric::named("cotton poplin").unwrap().density * G;
    assert!(on_box > 0 && (lift / weight - 1.0).abs() < 0.02, "{on_box}: {lift} of {weight}");
}

/// The forces on pinned vertices add up to that of their pin.
#[test]
fn every_pinned_vertex_is_listed_with_its_force() {
    let mut runner = Runner::new(&scene(&format!("{HUNG}\n[output]\nforces = true"))).unwrap();
    let report = run(&mut runner, 12);
    let each = report.forces.each.unwrap();
    let sum: Vec3 = each.pinned.iter().map(|on| Vec3::from_array(on.force)).sum();
    assert_eq!(each.pinned.len(), 7);
    // Sums of seven numbers in one order.
    assert!((sum - Vec3::from_array(report.forces.pins[0].force)).length() < 1e-12);
}
