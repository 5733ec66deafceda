use super::*;
use muslin::math::Vec2;

fn stage(text: &str) -> Stage {
    Stage::read(text.as_bytes().to_vec(), "a.usda", None).unwrap_or_else(|e| panic!("{e}"))
}

fn message(text: &str) -> String {
    let all_frames = |stage: Stage| -> Result<(), ReadError> {
        (0..stage.times().len()).try_for_each(|frame| stage.positions(frame).map(drop))
    };
    let read = Stage::read(text.as_bytes().to_vec(), "a.usda", None);
    read.and_then(all_frames).unwrap_err().to_string()
}

/// As other programs write it: comments, metadata of all kinds, prims that are not meshes, uv over
/// vertices, a mirrored pivot, time samples of points and of a parent's rotation.
const SCENE: &str = r#"#usda 1.0
(
    "a file with (brackets] in a string"
    customLayerData = { string note = "}" }
    metersPerUnit = 0.01
    timeCodesPerSecond = 50
    upAxis = "Z"
)
# a comment
def Xform "root" (
    prepend apiSchemas = ["SomeAPI"]
    doc = """three
    quotes "inside" """
)
{
    float3 xformOp:rotateXYZ.timeSamples = {
        10: (0, 0, 0),
        20: (0, 0, 90),
    }
    uniform token[] xformOpOrder = ["xformOp:rotateXYZ"]
    rel material:binding = </root/mat>
    def Scope "empty"
    {
    }
    def Mesh "cloth"
    {
        int[] faceVertexCounts = [4, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 2]
        point3f[] points = [(9, 9, 9)]
        point3f[] points.timeSamples = {
            10: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0.5, 0)],
            20: [(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1), (2, 0.5, 1)],
        }
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1), (2, 0.5)] (
            interpolation = "vertex"
        )
        double3 xformOp:translate = (100, 0, 0)
        double3 xformOp:translate:pivot = (1, 0, 0)
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:translate:pivot",
            "xformOp:scale", "!invert!xformOp:translate:pivot"]
        uniform token orientation = "leftHanded"
        asset thing = @some/path.png@
        token visibility
    }
    def Mesh "helper"
    {
        uniform token purpose = "guide"
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    }
}
"#;

#[test]
fn transforms_and_samples_are_those_of_usd() {
    let stage = stage(SCENE);
    assert_eq!((stage.up(), stage.metres_per_unit()), (UpAxis::Z, 0.01));
    assert_eq!(stage.times(), [0.0, 0.2]);
    let mesh = stage.mesh();
    assert_eq!((mesh.vertex_count(), mesh.face_count()), (5, 2));
    // Left-handed faces are turned round, uv with them.
    assert_eq!(mesh.face(0), [3, 2, 1, 0]);
    assert_eq!(mesh.corner_uv(0), Some(Vec2::new(0.0, 1.0)));
    assert_eq!(mesh.groups[0].name, "cloth");
    // Scaled by 2 about (1, 0, 0), then moved by 100.
    let scaled = |p: Vec3| (p - Vec3::X) * 2.0 + Vec3::X + Vec3::X * 100.0;
    let rest = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (2.0, 0.5)];
    for (frame, z) in [0.0, 1.0].into_iter().enumerate() {
        let found = stage.positions(frame).unwrap();
        for (found, (x, y)) in found.iter().zip(rest) {
            let own = scaled(Vec3::new(x, y, z));
            // At the second time the parent has turned a quarter about z.
            let turned = Vec3::new(-own.y, own.x, own.z);
            let expected = if frame == 0 { own } else { turned };
            assert!(found.distance(expected) < 1e-12, "{found} {expected}");
        }
    }
}

#[test]
fn rotation_orders_and_matrices() {
    let mesh = "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n\
                point3f[] points = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]\n";
    let with = |op: &str, name: &str| {
        let text = format!(
            "#usda 1.0\ndef Mesh \"m\"\n{{\n{mesh}{op}\n\
             uniform token[] xformOpOrder = [\"{name}\"]\n}}"
        );
        stage(&text).positions(0).unwrap()
    };
    // First 90° about x takes y to z, then 90° about z leaves z.
    let found = with("float3 xformOp:rotateXYZ = (90, 0, 90)", "xformOp:rotateXYZ");
    assert!(found[1].distance(Vec3::Z) < 1e-12, "{}", found[1]);
    // First 90° about z takes y to -x, then about x leaves it.
    let found = with("float3 xformOp:rotateZYX = (90, 0, 90)", "xformOp:rotateZYX");
    assert!(found[1].distance(-Vec3::X) < 1e-12, "{}", found[1]);
    let found = with("float xformOp:rotateY = 90", "xformOp:rotateY");
    assert!(found[2].distance(Vec3::X) < 1e-12, "{}", found[2]);
    // The real part of a quaternion comes first: this is half a turn about x.
    let found = with("quatf xformOp:orient = (0, 1, 0, 0)", "xformOp:orient");
    assert!(found[1].distance(-Vec3::Y) < 1e-12, "{}", found[1]);
    // The last row of a matrix moves.
    let matrix = "matrix4d xformOp:transform = ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (5,6,7,1) )";
    let found = with(matrix, "xformOp:transform");
    assert_eq!(found[0], Vec3::new(6.0, 6.0, 7.0));
}

#[test]
fn damage_is_named_with_its_line() {
    assert_eq!(message("hello"), "a.usda, line 1: USD text starts with `#usda`, but this does not");
    assert_eq!(
        message("#usda 1.0\ndef Mesh \"m\"\n{\n"),
        "a.usda, line 4: the file ends inside a prim: copy or export it again"
    );
    assert_eq!(
        message("#usda 1.0\ndef Xform \"m\"\n{\n}"),
        "a.usda: there are no meshes in it: export one"
    );
    assert_eq!(
        message("#usda 1.0\ndef Xform \"m\" (\n references = @b.usd@\n)\n{\n}"),
        "a.usda: its meshes come from other files or variants: flatten it (usdcat --flatten)"
    );
    let damaged = |from: &str, to: &str| message(&SCENE.replace(from, to));
    assert_eq!(damaged("(1, 0, 1)", "(1, x, 1)"), "a.usda, line 32: `x` is not a finite number");
    assert_eq!(
        damaged("[4, 3]", "[4, 4]"),
        "a.usda: mesh `cloth`: its faces have 8 corners, but 7 indices follow"
    );
    assert_eq!(
        damaged("1, 4, 2]", "1, 5, 2]"),
        "a.usda: mesh `cloth`: a face names point 5, but there are 5"
    );
    assert_eq!(
        damaged("        20: [(0, 0, 1), ", "        20: ["),
        format!(
            "a.usda: the points at byte {} are 4, but the mesh has 5 vertices: keep the topology \
             constant",
            SCENE.find("20: [(0, 0, 1)").unwrap() + 4
        )
    );
    assert_eq!(
        damaged(
            "int[] faceVertexCounts = [4, 3]",
            "int[] faceVertexCounts.timeSamples = { 0: [4, 3], 1: [3, 4] }"
        ),
        "a.usda: mesh `cloth`: `faceVertexCounts` changes at time 1: keep the topology constant"
    );
    let deep = format!("#usda 1.0\n{}", "def \"a\" {".repeat(200));
    assert!(message(&deep).contains("prims more than 100 deep"));
}
