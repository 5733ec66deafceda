use super::*;
use crate::formats::{animation::SourceError, tests::Scratch};

fn triangle() -> PolyMesh {
    PolyMesh::from_triangles(vec![Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]])
}

fn clip(up: UpAxis) -> Clip {
    Clip { frame_count: 2, fps: 24.0, up }
}

/// The file for a triangle that rises 0.5 m in each frame.
fn written(scratch: &Scratch, up: UpAxis, meshes: &[AnimatedMesh]) -> String {
    let mut source = |mesh: usize, frame: usize| -> Result<Frame, SourceError> {
        let rise = Vec3::Z * 0.5 * frame as f64;
        let positions = meshes[mesh].mesh.positions.iter().map(|&p| p + rise).collect();
        let velocities = Some(vec![Vec3::Z * 12.0; meshes[mesh].mesh.vertex_count()]);
        Ok(Frame { positions, velocities, time: frame as f64 / 24.0 })
    };
    let path = scratch.path("a.usda");
    write(&path, &clip(up), meshes, &mut source).unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_moving_triangle_is_written_in_full() {
    let mesh = triangle();
    let color = Some([1.0, 0.5, 0.25]);
    let meshes = [AnimatedMesh { mesh: &mesh, name: "cloth", color, animated: true }];
    let expected = r#"#usda 1.0
(
    defaultPrim = "muslin"
    endTimeCode = 1
    framesPerSecond = 24
    metersPerUnit = 1
    startTimeCode = 0
    timeCodesPerSecond = 24
    upAxis = "Y"
)

def Xform "muslin" (
    kind = "component"
)
{
    def Mesh "cloth" (
        displayName = "cloth"
    )
    {
        uniform bool doubleSided = 1
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        color3f[] primvars:displayColor = [(1.0, 0.5, 0.25)] (
            interpolation = "constant"
        )
        point3f[] points.timeSamples = {
            0: [(0.0, 0.0, -0.0), (1.0, 0.0, -0.0), (0.0, 0.0, -1.0)],
            1: [(0.0, 0.5, -0.0), (1.0, 0.5, -0.0), (0.0, 0.5, -1.0)],
        }
        float3[] extent.timeSamples = {
            0: [(0.0, 0.0, -1.0), (1.0, 0.0, -0.0)],
            1: [(0.0, 0.5, -1.0), (1.0, 0.5, -0.0)],
        }
        vector3f[] velocities.timeSamples = {
            0: [(0.0, 12.0, -0.0), (0.0, 12.0, -0.0), (0.0, 12.0, -0.0)],
            1: [(0.0, 12.0, -0.0), (0.0, 12.0, -0.0), (0.0, 12.0, -0.0)],
        }
        normal3f[] normals.timeSamples = {
            0: [(0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)],
            1: [(0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)],
        }
        normal3f[] normals (
            interpolation = "vertex"
        )
    }
}
"#;
    assert_eq!(written(&Scratch::new("usda-full"), UpAxis::Y, &meshes), expected);
}

#[test]
fn names_become_valid_and_stay_distinct() {
    let mut names = PrimNames::default();
    let wanted = ["cloth", "cloth", "left sleeve", "left-sleeve", "3d", "", "Ärmel", "\"", "mesh"];
    let given = wanted.map(|name| names.unique(name, "mesh"));
    let expected = [
        "cloth",
        "cloth_1",
        "left_sleeve",
        "left_sleeve_1",
        "_3d",
        "mesh",
        "_rmel",
        "mesh_1",
        "mesh_2",
    ];
    assert_eq!(given, expected);
    assert_eq!(quoted("a \"b\" \\ c\n"), r#""a \"b\" \\ c ""#);
}

#[test]
fn colours_and_uv_must_be_finite() {
    let scratch = Scratch::new("usda-constants");
    let mut mesh = triangle();
    let attempt = |mesh: &PolyMesh, color| {
        let meshes = [AnimatedMesh { mesh, name: "cloth", color, animated: true }];
        let mut source =
            |_: usize, _: usize| -> Result<Frame, SourceError> { Err("unused".into()) };
        let error = write(&scratch.path("a.usda"), &clip(UpAxis::Z), &meshes, &mut source);
        error.unwrap_err().problem.to_string()
    };
    let message = "a uv or the colour of `cloth` is not a finite 32-bit number";
    assert_eq!(attempt(&mesh, Some([0.0, 1e39, 0.0])), message);
    let values = vec![muslin::math::Vec2::NAN];
    mesh.uv = Some(crate::polymesh::CornerUv { values, corners: vec![Some(0); 3] });
    assert_eq!(attempt(&mesh, None), message);
}

#[test]
fn bodies_that_stand_still_are_written_once() {
    let mesh = triangle();
    let meshes = [AnimatedMesh { mesh: &mesh, name: "floor", color: None, animated: false }];
    let text = written(&Scratch::new("usda-still"), UpAxis::Z, &meshes);
    assert!(
        text.contains("point3f[] points = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]\n")
    );
    assert!(!text.contains("timeSamples") && !text.contains("velocities"));
}

#[test]
fn bad_frames_are_refused_and_leave_the_old_file() {
    let scratch = Scratch::new("usda-bad");
    let path = scratch.path("a.usda");
    std::fs::write(&path, "old").unwrap();
    let mesh = triangle();
    let meshes = [AnimatedMesh { mesh: &mesh, name: "cloth", color: None, animated: true }];
    let good = || Frame {
        positions: mesh.positions.clone(),
        velocities: Some(vec![Vec3::ZERO; 3]),
        time: 0.0,
    };
    let cases: [(Result<Frame, SourceError>, &str); 4] = [
        (Err("disk on fire".into()), "frame 1 is not available: disk on fire"),
        (
            Ok(Frame { positions: vec![Vec3::ZERO; 2], ..good() }),
            "frame 1 has 2 positions, but the mesh has 3 vertices",
        ),
        (
            Ok(Frame { positions: vec![Vec3::splat(1e39); 3], ..good() }),
            "frame 1, vertex 0: one of the positions is not a finite 32-bit number",
        ),
        (
            Ok(Frame { velocities: None, ..good() }),
            "frame 1 has no velocities, but the first frame has them: give them in all frames or \
             in none",
        ),
    ];
    for (second, message) in cases {
        let mut second = Some(second);
        // Points and velocities both ask for frame 1; the second time it is as the first.
        let mut kept = None;
        let mut source = |_: usize, frame: usize| -> Result<Frame, SourceError> {
            match (frame, second.take()) {
                (0, taken) => {
                    second = taken;
                    Ok(good())
                }
                (_, Some(Ok(frame))) => Ok(kept.insert(frame).clone()),
                (_, Some(Err(error))) => Err(error),
                (_, None) => Ok(kept.clone().unwrap_or_default()),
            }
        };
        let error = write(&path, &clip(UpAxis::Z), &meshes, &mut source).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write {}: {message}", path.display()));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(scratch.names(), ["a.usda"]);
    }
}
