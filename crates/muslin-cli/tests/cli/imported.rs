//! What an imported mesh brings is in the export: polygons, vertex order, uv and materials.

use crate::support::{says, scene};
use muslin_scene::formats::read_mesh;
use muslin_scene::polymesh::PolyMesh;
use std::fs;
use std::path::{Path, PathBuf};

/// Four quads with vertices in no order, a uv seam down the middle, and two materials by turns.
const SHIRT: &str = "
v 0.2 0 0.5\nv 0 0 0.5\nv 0.4 0 0.5\nv 0.4 0.4 0.5\nv 0 0.4 0.5\nv 0.2 0.4 0.5
v 0 0.2 0.5\nv 0.2 0.2 0.5\nv 0.4 0.2 0.5
vt 0.75 0.5\nvt 0 0\nvt 0.25 0\nvt 0.25 0.25\nvt 0 0.25\nvt 0.25 0.5\nvt 0 0.5
vt 0.75 0\nvt 1 0\nvt 1 0.25\nvt 0.75 0.25\nvt 1 0.5
usemtl silk\nf 2/2 1/3 8/4 7/5
usemtl lining\nf 9/10 8/11 1/8 3/9
usemtl silk\nf 7/5 8/4 6/6 5/7
usemtl lining\nf 8/11 9/10 4/12 6/1
";

/// A cube of quads below the shirt. One side has no material, another no uv; `lining` is also a
/// material of the shirt.
const BLOCK: &str = "
v 0.1 0.1 0\nv 0.3 0.1 0\nv 0.3 0.3 0\nv 0.1 0.3 0
v 0.1 0.1 0.2\nv 0.3 0.1 0.2\nv 0.3 0.3 0.2\nv 0.1 0.3 0.2
vt 0 0\nvt 0.5 0\nvt 0.5 0.5\nvt 0 0.5\nvt 1 0\nvt 1 0.5
f 4/1 3/2 2/3 1/4
usemtl lining\nf 5/1 6/2 7/3 8/4
usemtl brass\nf 1 2 6 5
f 2/2 3/5 7/6 6/3\nf 3/1 4/2 8/3 7/4
usemtl lining\nf 4/2 1/5 5/6 8/3
";

/// A quad with nothing but its vertices.
const PLAIN: &str = "v 2 0 0.5\nv 2.2 0 0.5\nv 2.2 0.2 0.5\nv 2 0.2 0.5\nf 1 2 3 4\n";

const SCENE: &str = r#"
frames = 1
[[cloth]]
name = "shirt"
mesh = "shirt.obj"
[[cloth]]
name = "plain"
mesh = "plain.obj"
[[cloth]]
name = "sheet"
grid = { size = [0.4, 0.2], vertices = [5, 3] }
position = [4, 0, 0.5]
[[body]]
name = "block"
mesh = "block.obj"
[[body]]
name = "ball"
sphere = { radius = 0.1 }
position = [6, 0, 0]
"#;

/// A folder with the scene and its one-frame run in `scene.muslin`.
fn run(name: &str) -> PathBuf {
    let folder = scene(name, SCENE);
    for (file, text) in [("shirt", SHIRT), ("block", BLOCK), ("plain", PLAIN)] {
        fs::write(folder.join(file).with_extension("obj"), text).unwrap();
    }
    says(&folder, "run scene.toml -q --no-sheet", 0);
    folder
}

/// A surface of a frame, exported as OBJ and read back.
fn exported(folder: &Path, surface: &str, frame: u32) -> PolyMesh {
    let file = format!("out_{frame}.obj");
    let place = format!("-o {file} --overwrite --frame {frame}");
    says(folder, &format!("export scene.muslin {place} {surface}"), 0);
    read_mesh(&folder.join(file)).unwrap()
}

#[test]
fn obj_in_is_obj_out() {
    let folder = run("imported-obj");
    let shirt = read_mesh(&folder.join("shirt.obj")).unwrap();
    assert_eq!(shirt.materials, ["silk", "lining"]);
    assert!(shirt.vertex_uv().is_none(), "it has a seam");
    assert_eq!(exported(&folder, "--cloth shirt", 0), shirt);
    let mut fallen = exported(&folder, "--cloth shirt", 1);
    assert!(fallen.positions.iter().all(|x| x.z < 0.5), "it falls");
    fallen.positions.clone_from(&shirt.positions);
    assert_eq!(fallen, shirt);

    let block = read_mesh(&folder.join("block.obj")).unwrap();
    assert_eq!(block.face_materials.iter().filter(|m| m.is_none()).count(), 1);
    assert_eq!(block.uv.as_ref().unwrap().corners.iter().filter(|c| c.is_none()).count(), 4);
    assert_eq!(exported(&folder, "--body block", 1), block);

    let plain = read_mesh(&folder.join("plain.obj")).unwrap();
    assert_eq!((&plain.uv, plain.materials.len()), (&None, 0));
    assert_eq!(exported(&folder, "--cloth plain", 0), plain);
    assert_eq!(exported(&folder, "--body ball", 0).uv, None);
}

/// A sheet that Muslin made lies flat at first, as far apart in uv as in space [m].
#[test]
fn sheets_made_here_have_their_rest_coordinates_as_uv() {
    let folder = run("imported-sheet");
    let sheet = exported(&folder, "--cloth sheet", 0);
    let uv = sheet.vertex_uv().unwrap();
    assert_eq!(uv.len(), 15);
    for (a, x) in uv.iter().zip(&sheet.positions) {
        for (b, y) in uv.iter().zip(&sheet.positions) {
            assert!((a.distance(*b) - x.distance(*y)).abs() < 1e-12, "{a} {b} {x} {y}");
        }
    }
}

#[test]
fn usd_has_the_polygons_the_uv_and_a_subset_for_each_material() {
    let folder = run("imported-usd");
    says(&folder, "export scene.muslin -o out.usda", 0);
    let text = fs::read_to_string(folder.join("out.usda")).unwrap();
    for name in ["shirt", "block"] {
        let mesh = read_mesh(&folder.join(name).with_extension("obj")).unwrap();
        let (_, prim) = text.split_once(&format!("def Mesh \"{name}\"")).unwrap();
        let prim = prim.split("def Mesh").next().unwrap();
        assert_eq!(list(prim, "faceVertexCounts"), vec![4; mesh.face_count()]);
        assert_eq!(list(prim, "faceVertexIndices"), mesh.face_vertices);
        let values = uv_values(prim);
        for (corner, index) in list(prim, "primvars:st:indices").into_iter().enumerate() {
            let uv = mesh.corner_uv(corner).unwrap_or_default().to_array();
            assert_eq!(values[index as usize], uv, "corner {corner} of {name}");
        }
        for (material, shown) in mesh.materials.iter().enumerate() {
            let (_, subset) = prim.split_once(&format!("def GeomSubset \"{shown}\"")).unwrap();
            assert!(subset.contains(&format!("material:binding = </muslin/materials/{shown}>")));
            let worn = (0..mesh.face_count() as u32)
                .filter(|&face| mesh.face_materials[face as usize] == Some(material as u32));
            assert_eq!(list(subset, "int[] indices"), worn.collect::<Vec<_>>(), "{shown}");
        }
    }
    assert_eq!(text.matches("def Material \"lining\"").count(), 1, "shared by name");
    assert_eq!(text.matches("def GeomSubset").count(), 4, "none for the other surfaces");
}

/// The whole numbers after the first `name = [`.
fn list(text: &str, name: &str) -> Vec<u32> {
    let (_, rest) = text.split_once(&format!("{name} = [")).unwrap();
    rest.split(']').next().unwrap().split(", ").map(|number| number.parse().unwrap()).collect()
}

/// The pairs of `primvars:st`.
fn uv_values(text: &str) -> Vec<[f64; 2]> {
    let (_, rest) = text.split_once("primvars:st = [(").unwrap();
    let pairs = rest.split(")]").next().unwrap().split("), (");
    let numbers = pairs.map(|pair| pair.split_once(", ").unwrap());
    numbers.map(|(u, v)| [u.parse().unwrap(), v.parse().unwrap()]).collect()
}

/// R6: what is refused as open is taken once the scene says that it has two sides.
#[test]
fn r6_an_open_body_needs_two_sides() {
    let folder = run("imported-open");
    let lidless: Vec<&str> = BLOCK.lines().filter(|line| !line.starts_with("f 4/1")).collect();
    fs::write(folder.join("block.obj"), lidless.join("\n")).unwrap();
    let again = "run scene.toml -q --no-sheet --overwrite";
    let (_, error) = says(&folder, again, 2);
    for words in ["block.obj", "4 of its edges", "vertices 0 and 1", "two_sided = true"] {
        assert!(error.contains(words), "{error}");
    }
    says(&folder, &format!("{again} --set body.block.two_sided=true"), 0);
    let block = read_mesh(&folder.join("block.obj")).unwrap();
    assert_eq!(exported(&folder, "--body block", 1), block);
}
