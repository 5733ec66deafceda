//! Poses against a direct evaluation with 4×4 matrices, written out here on their own.

use super::{Builder, read};
use glam::{DMat4, DVec4};
use muslin::math::{Random, Vec3};
use serde_json::json;

/// Row by row, as the quaternion's matrix is printed in textbooks.
fn rotation([x, y, z, w]: [f64; 4]) -> DMat4 {
    let n = (x * x + y * y + z * z + w * w).sqrt();
    let (x, y, z, w) = (x / n, y / n, z / n, w / n);
    DMat4::from_cols(
        DVec4::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w), 0.0),
        DVec4::new(2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w), 0.0),
        DVec4::new(2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y), 0.0),
        DVec4::W,
    )
}

fn slerp(a: [f64; 4], b: [f64; 4], s: f64) -> [f64; 4] {
    // Single precision leaves lengths of one only nearly so.
    let [a, b] = [a, b].map(|q| q.map(|x| x / q.iter().map(|x| x * x).sum::<f64>().sqrt()));
    let dot: f64 = (0..4).map(|k| a[k] * b[k]).sum();
    let angle = dot.abs().acos();
    let (p, q) = (((1.0 - s) * angle).sin() / angle.sin(), (s * angle).sin() / angle.sin());
    [0, 1, 2, 3].map(|k| p * a[k] + dot.signum() * q * b[k])
}

fn unit(random: &mut Random) -> [f64; 4] {
    let q = [0; 4].map(|_| random.between(-1.0, 1.0));
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    // As the file will hold it.
    q.map(|x| f64::from((x / n) as f32))
}

const JOINTS: usize = 6;
const VERTICES: usize = 40;

/// A chain of six joints with uneven scales, turned by LINEAR keys, moved by a CUBICSPLINE, scaled by
/// STEP; vertices follow eight joints each.
#[test]
#[expect(clippy::too_many_lines, reason = "the file and its direct evaluation, side by side")]
fn skinning_is_the_sum_of_weighted_matrices() {
    let mut random = Random::new(3);
    let mut builder = Builder::default();
    let f = |x: f64| f64::from(x as f32);
    let points: Vec<f64> = (0..3 * VERTICES).map(|_| f(random.between(-1.0, 1.0))).collect();
    let (mut joints, mut weights) = ([vec![], vec![]], [vec![], vec![]]);
    for k in 0..8 * VERTICES {
        joints[k % 8 / 4].push((random.bits() % JOINTS as u64) as u16);
        weights[k % 8 / 4].push(f(random.unit()));
    }
    let bind: Vec<DMat4> = (0..JOINTS)
        .map(|_| rotation(unit(&mut random)) * DMat4::from_translation(Vec3::splat(random.unit())))
        .collect();
    let bind: Vec<DMat4> =
        bind.iter().map(|m| DMat4::from_cols_array(&m.to_cols_array().map(f))).collect();
    let single = |numbers: &[f64]| numbers.iter().map(|&x| x as f32).collect::<Vec<f32>>();
    let position = builder.floats("VEC3", &single(&points));
    let attributes = json!({
        "POSITION": position,
        "JOINTS_0": builder.shorts("VEC4", &joints[0]),
        "JOINTS_1": builder.shorts("VEC4", &joints[1]),
        "WEIGHTS_0": builder.floats("VEC4", &single(&weights[0])),
        "WEIGHTS_1": builder.floats("VEC4", &single(&weights[1])),
    });
    let columns: Vec<f64> = bind.iter().flat_map(DMat4::to_cols_array).collect();
    let inverse = builder.floats("MAT4", &single(&columns));
    let times = builder.floats("SCALAR", &[0.5, 1.0, 2.0]);
    let turns: Vec<[f64; 4]> = (0..3).map(|_| unit(&mut random)).collect();
    let turn = builder.floats("VEC4", &single(turns.as_flattened()));
    // In-tangent, value, out-tangent for each of the three keys.
    let curve: Vec<[f64; 3]> =
        (0..9).map(|_| [0; 3].map(|_| f(random.between(-1.0, 1.0)))).collect();
    let spline = builder.floats("VEC3", &single(curve.as_flattened()));
    let sizes: [[f64; 3]; 3] = [[1.0, 2.0, 0.5], [0.25, 1.0, 1.5], [3.0, 0.5, 1.0]];
    let size = builder.floats("VEC3", &single(sizes.as_flattened()));
    let mut nodes = vec![json!({"mesh": 0, "skin": 0, "translation": [9.0, 9.0, 9.0]})];
    let offsets: Vec<Vec3> =
        (0..JOINTS).map(|_| Vec3::new(random.unit(), random.unit(), random.unit())).collect();
    for (joint, offset) in offsets.iter().enumerate() {
        let children: Vec<usize> = if joint + 1 < JOINTS { vec![joint + 2] } else { vec![] };
        let scale = [1.0, 0.5 + 0.25 * joint as f64, 2.0];
        nodes.push(json!({
            "translation": offset.to_array(), "scale": scale, "children": children,
        }));
    }
    let skin: Vec<usize> = (1..=JOINTS).collect();
    let file = builder.glb(json!({
        "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": attributes}]}],
        "skins": [{"joints": skin, "inverseBindMatrices": inverse}],
        "animations": [{
            "samplers": [
                {"input": times, "output": turn},
                {"input": times, "output": spline, "interpolation": "CUBICSPLINE"},
                {"input": times, "output": size, "interpolation": "STEP"},
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 3, "path": "translation"}},
                {"sampler": 2, "target": {"node": 4, "path": "scale"}},
            ],
        }],
    }));
    let figure = read(&file).unwrap();
    assert_eq!((figure.mesh().vertex_count(), figure.duration()), (VERTICES, 2.0));
    for time in [0.0, 0.5, 0.6, 0.999, 1.0, 1.7, 2.0, 5.0_f64] {
        let t = time.clamp(0.5, 2.0);
        let (key, s, length) = if t < 1.0 { (0, (t - 0.5) / 0.5, 0.5) } else { (1, t - 1.0, 1.0) };
        let turned = slerp(turns[key], turns[key + 1], s);
        let (h, g) = ((1.0 - s) * (1.0 - s), s * s);
        let moved = [0, 1, 2].map(|k| {
            h * (1.0 + 2.0 * s) * curve[3 * key + 1][k]
                + length * s * h * curve[3 * key + 2][k]
                + g * (3.0 - 2.0 * s) * curve[3 * key + 4][k]
                + length * g * (s - 1.0) * curve[3 * key + 3][k]
        });
        let stepped = if t >= 2.0 { sizes[2] } else { sizes[key] };
        let mut world = DMat4::IDENTITY;
        let mut matrices = Vec::new();
        for joint in 0..JOINTS {
            let translation = if joint == 2 { Vec3::from(moved) } else { offsets[joint] };
            let rest = Vec3::new(1.0, 0.5 + 0.25 * joint as f64, 2.0);
            let scale = if joint == 3 { Vec3::from(stepped) } else { rest };
            let turn = if joint == 1 { rotation(turned) } else { DMat4::IDENTITY };
            world = world * DMat4::from_translation(translation) * turn * DMat4::from_scale(scale);
            matrices.push(world * bind[joint]);
        }
        let mut found = vec![Vec3::ZERO; VERTICES];
        figure.positions_at(time, &mut found);
        for vertex in 0..VERTICES {
            let point = Vec3::from_slice(&points[3 * vertex..]).extend(1.0);
            let (mut sum, mut total) = (DVec4::ZERO, 0.0);
            for k in 0..8 {
                let (set, at) = (k / 4, 4 * vertex + k % 4);
                let weight = weights[set][at];
                sum += matrices[joints[set][at] as usize] * point * weight;
                total += weight;
            }
            let expected = (sum / total).truncate();
            assert!(found[vertex].distance(expected) < 1e-9, "{time} {vertex}");
        }
    }
}

/// One target as 16-bit normalised numbers, one sparse, weights over time; the node turns as a whole.
#[test]
fn morph_targets_add_before_the_node_moves() {
    let mut builder = Builder::default();
    let rest = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32];
    let position = builder.floats("VEC3", &rest);
    let steps: [i16; 9] = [32767, 0, 0, -32767, 16384, 0, 0, 0, -32768];
    let bytes: Vec<u8> = steps.iter().flat_map(|x| x.to_le_bytes()).collect();
    let first = builder.array("VEC3", 5122, 9, &bytes, true);
    let index = builder.view(&[2]);
    let value = builder.view(&[0.0_f32, 0.0, 4.0].map(f32::to_le_bytes).concat());
    let second = builder.accessor(json!({
        "componentType": 5126, "count": 3, "type": "VEC3",
        "sparse": {
            "count": 1,
            "indices": {"bufferView": index, "componentType": 5121},
            "values": {"bufferView": value},
        },
    }));
    let times = builder.floats("SCALAR", &[0.0, 1.0]);
    let weights = builder.floats("SCALAR", &[0.0, 1.0, 1.0, 0.5]);
    let file = builder.glb(json!({
        "nodes": [{"mesh": 0, "scale": [1.0, 2.0, 3.0]}],
        "meshes": [{
            "weights": [0.25, 0.0],
            "primitives": [{
                "attributes": {"POSITION": position},
                "targets": [{"POSITION": first}, {"POSITION": second}],
            }],
        }],
        "animations": [{
            "samplers": [{"input": times, "output": weights}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
        }],
    }));
    let figure = read(&file).unwrap();
    assert!(!figure.is_rigid() && figure.is_animated());
    // Without animation the mesh's own weights hold.
    assert!(figure.mesh().positions[0].distance(Vec3::new(0.25, 0.0, 0.0)) < 1e-15);
    let mut found = [Vec3::ZERO; 3];
    figure.positions_at(0.5, &mut found);
    let half = 16384.0 / 32767.0;
    let expected = [
        Vec3::new(0.5, 0.0, 0.0),
        Vec3::new(1.0 - 0.5, 2.0 * 0.5 * half, 0.0),
        Vec3::new(0.0, 2.0, 3.0 * (0.75 * 4.0 - 0.5)),
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.distance(expected) < 1e-12, "{found} {expected}");
    }
}

/// A node without a skin that turns and moves is a rigid body.
#[test]
fn a_node_that_only_moves_is_rigid() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let times = builder.floats("SCALAR", &[0.0, 2.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = builder.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]);
    let moved = builder.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 4.0]);
    let whole = |path: &str, output: usize| {
        builder.glb(json!({
            "nodes": [{"children": [1], "scale": [2.0, 2.0, 2.0]}, {"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}],
            "animations": [{
                "samplers": [{"input": times, "output": turn}, {"input": times, "output": output}],
                "channels": [
                    {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                    {"sampler": 1, "target": {"node": 1, "path": path}},
                ],
            }],
        }))
    };
    let figure = read(&whole("translation", moved)).unwrap();
    assert!(figure.is_rigid());
    let pose = figure.rigid_pose(1.0).unwrap();
    // 45° about z, and 2 m of the node are 4 m below a scale of 2.
    let x = pose.apply(Vec3::X * 2.0);
    let diagonal = 2.0 * std::f64::consts::FRAC_1_SQRT_2;
    assert!(x.distance(Vec3::new(diagonal, diagonal, 4.0)) < 1e-7, "{x}");
    let mut found = [Vec3::ZERO; 3];
    figure.positions_at(1.0, &mut found);
    assert!(found[1].distance(x) < 1e-12);
    assert!(!read(&whole("scale", moved)).unwrap().is_rigid());
}
