//! From `[[cloth]]` to the engine's cloth: shape, rest shape, fabric, maps, pins.

use super::bodies::moving::Placed;
use super::patchwork::{self, Patch};
use super::tailor::{self, Tailoring};
use super::unsewn::Unsewn;
use super::{RunError, crease, dressed, dynamics, hang, panels, sculpted, select, skirt};
use crate::formats::foreign::{Animation, Options};
use crate::keyframes::rotation;
use crate::polymesh::PolyMesh;
use crate::spec::{self, ClothShape, Damping, RestAngles, RestShape, SceneSpec, Select, UpAxis};
use muslin::cloth::{Cloth, Maps};
use muslin::fabric::lab::{Bend, LabSheet, Shear, Tensile, Weight};
use muslin::fabric::{Fabric, Relaxation, StretchTable};
use muslin::force::hinge;
use muslin::math::{Quat, Vec2, Vec3};
use muslin::mesh::{Diagonals, Sheet, TriMesh, flattened};
use std::collections::BTreeMap;

/// The fabric of cloth that names none.
const DEFAULT_FABRIC: &str = "cotton poplin";

/// One cloth of the scene, built.
pub struct Piece {
    /// Name in the scene.
    pub name: String,
    /// Mesh with rest coordinates.
    pub mesh: TriMesh,
    /// Positions at frame 0 [m].
    pub positions: Vec<Vec3>,
    /// Rest coordinates of every vertex, from 0 to 1 across the cloth.
    pub unit_uv: Vec<Vec2>,
    /// The imported mesh, whose polygons the cache keeps.
    pub source: Option<PolyMesh>,
    /// Vertex groups of the scene.
    pub groups: BTreeMap<String, Select>,
    /// The panels it is sewn from, before they are (BW15).
    pub unsewn: Option<Unsewn>,
    /// What its pattern says about it, sewn.
    pub tailoring: Tailoring,
}

/// Builds the cloth, without pins.
pub fn build(spec: &spec::Cloth, scene: &SceneSpec) -> Result<(Piece, Cloth), RunError> {
    let place = format!("cloth `{}`", spec.name);
    let (mut piece, rest_positions) = placed(spec, scene, &place)?;
    let fabric = fabric(&spec.fabric, scene, &place)?;
    let mut maps = maps(spec, &piece, &fabric, &rest_positions, scene, &place)?;
    crease::apply(spec, &piece, &fabric, &mut maps)?;
    piece.tailoring.bend(&piece.mesh, &mut maps.rest_angles);
    piece.tailoring.tighten(&mut maps.shrink);
    let patches = &piece.tailoring.patches;
    let cloth = patchwork::cloth(&piece.mesh, &fabric, &maps, patches, &place)?;
    let cloth = dynamics::prepare(cloth, &piece, &fabric, spec, scene)?;
    if let Some(mut unsewn) = piece.unsewn.take() {
        let patches = &piece.tailoring.patches;
        unsewn.cloth = Some(panels_cloth(&unsewn, spec, (&fabric, patches), scene, &place)?);
        piece.unsewn = Some(unsewn);
    }
    Ok((piece, cloth))
}

/// The cloth where it is at frame 0, and the positions its shape has by itself [m].
pub fn placed(
    spec: &spec::Cloth,
    scene: &SceneSpec,
    place: &str,
) -> Result<(Piece, Vec<Vec3>), RunError> {
    if spec.hang.is_some() {
        let piece = hang::piece(spec, scene, place)?;
        let rest_positions = piece.positions.clone();
        return Ok((piece, rest_positions));
    }
    let mut piece = shape(spec, scene, place)?;
    let rest_positions = piece.positions.clone();
    let turn = rotation(spec.rotation) * upright(scene.up, piece.source.is_some());
    let panels = piece.unsewn.iter_mut().flat_map(|unsewn| &mut unsewn.positions);
    for x in piece.positions.iter_mut().chain(panels) {
        *x = turn * (*x * spec.scale) + spec.position;
    }
    if let Some(initial) = &spec.initial {
        let positions = start_positions(spec, initial, scene, place)?;
        if positions.len() != piece.positions.len() {
            let (found, expected) = (positions.len(), piece.positions.len());
            return Err(RunError::part(
                place,
                format!("`initial` has {found} vertices, but the cloth has {expected}"),
            ));
        }
        piece.positions = positions;
        piece.unsewn = None;
    }
    Ok((piece, rest_positions))
}

/// Positions from a mesh file, or from a dressed state.
fn start_positions(
    spec: &spec::Cloth,
    initial: &spec::MeshFile,
    scene: &SceneSpec,
    place: &str,
) -> Result<Vec<Vec3>, RunError> {
    let path = scene.path(&initial.file);
    if path.extension().is_some_and(|e| e == "npz") {
        let number = scene.cloth.iter().position(|cloth| cloth.name == spec.name);
        return dressed::read(&path, number.unwrap_or(0), place);
    }
    Ok(read_mesh(initial, scene, place)?.positions)
}

/// The panels of a cloth that is still to be sewn, as cloth of its fabric.
fn panels_cloth(
    unsewn: &Unsewn,
    spec: &spec::Cloth,
    (fabric, patches): (&Fabric, &[Patch]),
    scene: &SceneSpec,
    place: &str,
) -> Result<Cloth, RunError> {
    let flat = piece(spec, unsewn.mesh.clone(), unsewn.positions.clone(), None);
    let maps = maps(spec, &flat, fabric, &unsewn.positions, scene, place)?;
    patchwork::cloth(&flat.mesh, fabric, &maps, patches, place)
}

/// Sheets are made lying in the xy plane, tubes along z: turned where y points up. Files come as they are.
pub fn upright(up: UpAxis, from_file: bool) -> Quat {
    if up == UpAxis::Y && !from_file {
        Quat::from_rotation_x(-std::f64::consts::FRAC_PI_2)
    } else {
        Quat::IDENTITY
    }
}

fn shape(spec: &spec::Cloth, scene: &SceneSpec, place: &str) -> Result<Piece, RunError> {
    let diagonals = |d: spec::Diagonals| match d {
        spec::Diagonals::Alternating => Diagonals::Alternating,
        spec::Diagonals::Regular => Diagonals::Regular,
        spec::Diagonals::Irregular => Diagonals::Irregular(u64::from(scene.seed)),
    };
    let counts = |n: [u32; 2]| n.map(|n| n as usize);
    let scaled = |size: [f64; 2]| size.map(|s| s * spec.scale);
    let sheet = match spec.shape() {
        Some(ClothShape::Grid(g)) => {
            Sheet::grid(scaled(g.size), counts(g.vertices), diagonals(g.diagonals))
        }
        Some(ClothShape::Strip(s)) => {
            Sheet::grid(scaled(s.size), counts(s.cells.map(|n| n + 1)), diagonals(s.diagonals))
        }
        Some(ClothShape::Disc(d)) => Sheet::disc(d.radius * spec.scale, d.rings as usize),
        Some(ClothShape::Tube(t)) if t.radius_top.is_none_or(|r| r == t.radius) => {
            Sheet::tube(t.radius * spec.scale, t.length * spec.scale, counts(t.vertices))
        }
        Some(ClothShape::Mesh(file)) => return from_file(spec, file, scene, place),
        Some(ClothShape::Tube(_)) => {
            return Err(RunError::unsupported(place, "radius_top", "give a mesh file"));
        }
        Some(ClothShape::Skirt(skirt)) => return skirt::piece(spec, skirt, place),
        Some(ClothShape::Sphere(s)) => Sheet::ball(s.radius * spec.scale, s.subdivisions),
        Some(ClothShape::Blend(b)) => return sculpted::piece_of(spec, b, place),
        Some(ClothShape::Panels(_)) => return panels::piece(spec, place),
        Some(ClothShape::Pattern(file)) => return tailor::from_pattern(spec, file, scene, place),
        None => return Err(RunError::part(place, "it has no shape; give one, such as grid")),
    };
    let Sheet { positions, mesh } = sheet.map_err(|e| RunError::part(place, e))?;
    // The sheet is already scaled; undo it, because placing scales.
    let positions = positions.into_iter().map(|x| x / spec.scale).collect();
    Ok(piece(spec, mesh, positions, None))
}

pub fn piece(
    spec: &spec::Cloth,
    mesh: TriMesh,
    positions: Vec<Vec3>,
    source: Option<PolyMesh>,
) -> Piece {
    let mut uv = vec![Vec2::ZERO; positions.len()];
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for (corners, rest) in mesh.triangles().iter().zip(mesh.uv()) {
        for (&v, p) in corners.iter().zip(rest) {
            uv[v as usize] = *p;
            (low, high) = (low.min(*p), high.max(*p));
        }
    }
    let unit_uv = uv.into_iter().map(|p| (p - low) / (high - low)).collect();
    let (groups, tailoring) = (spec.group.clone(), Tailoring::default());
    Piece {
        name: spec.name.clone(),
        mesh,
        positions,
        unit_uv,
        source,
        groups,
        unsewn: None,
        tailoring,
    }
}

fn from_file(
    spec: &spec::Cloth,
    file: &spec::MeshFile,
    scene: &SceneSpec,
    place: &str,
) -> Result<Piece, RunError> {
    let mesh = read_mesh(file, scene, place)?;
    let problem = mesh.problems(1).into_iter().next();
    if let Some(problem) = problem {
        return Err(RunError::part(place, format!("{}: {problem}", file.file)));
    }
    let cut = mesh.triangulate();
    let has_uv = mesh.uv.is_some();
    let by_uv = match file.rest {
        RestShape::Uv if !has_uv => {
            return Err(RunError::part(
                place,
                format!("{} has no uv coordinates; set rest = \"mesh\"", file.file),
            ));
        }
        RestShape::Uv => true,
        RestShape::Auto => has_uv && file.rest_file.is_none() && file.uv_scale.is_some(),
        RestShape::Mesh => false,
    };
    let rest = match &file.rest_file {
        Some(name) => {
            let other = spec::MeshFile { file: name.clone(), rest_file: None, ..file.clone() };
            let other = read_mesh(&other, scene, place)?;
            if other.positions.len() != mesh.positions.len() {
                let (found, expected) = (other.positions.len(), mesh.positions.len());
                return Err(RunError::part(
                    place,
                    format!("{name} has {found} vertices, but {} has {expected}", file.file),
                ));
            }
            other.positions
        }
        None => mesh.positions.clone(),
    };
    let unit = file.uv_scale.unwrap_or(1.0) * spec.scale;
    let uv = cut
        .triangles
        .iter()
        .zip(&cut.corners)
        .map(|(t, corners)| {
            if by_uv {
                corners.map(|c| mesh.corner_uv(c as usize).unwrap_or(Vec2::ZERO) * unit)
            } else {
                flattened(t.map(|v| rest[v as usize] * spec.scale))
            }
        })
        .collect();
    let built = TriMesh::new(mesh.positions.len(), cut.triangles.clone(), uv)
        .map_err(|e| RunError::part(place, format!("{}: {e}", file.file)))?;
    let positions = mesh.positions.clone();
    Ok(piece(spec, built, positions, Some(mesh)))
}

/// Reads a mesh file into the scene's axes and metres.
pub fn read_mesh(
    file: &spec::MeshFile,
    scene: &SceneSpec,
    place: &str,
) -> Result<PolyMesh, RunError> {
    if let Some(given) = scene.given.mesh(&file.file) {
        return Ok(given.mesh.clone());
    }
    let options = Options { object: file.object.as_deref(), ..Options::default() };
    let animation = Animation::open(&scene.path(&file.file), &options)
        .map_err(|source| RunError::File { place: place.to_owned(), source })?;
    let placed = Placed::new(&animation, file.up, file.unit, scene);
    let mut mesh = animation.into_mesh();
    for x in &mut mesh.positions {
        *x = placed.scene_from_file(*x);
    }
    Ok(mesh)
}

/// The engine's fabric: the base, then the lab sheet, then single numbers.
pub fn fabric(spec: &spec::Fabric, scene: &SceneSpec, place: &str) -> Result<Fabric, RunError> {
    let base = spec.base.as_deref().unwrap_or(DEFAULT_FABRIC);
    let mut fabric = Fabric::named(base).map_err(|e| RunError::part(place, e))?;
    if let Some(lab) = &spec.lab {
        fabric = lab_sheet(lab).apply(&fabric).map_err(|e| RunError::part(place, e))?;
    }
    let relaxation = fabric.relaxation();
    let number = |paint: &spec::Paint| match paint {
        spec::Paint::Number(value) => Some(*value),
        _ => None,
    };
    fabric.density = spec.density.unwrap_or(fabric.density);
    fabric.thickness = scene.contact.thickness.or(spec.thickness).unwrap_or(fabric.thickness);
    if let Some(stretch) = &spec.stretch {
        let [u, v] = fabric.stretch;
        fabric.stretch = [number(&stretch.u).unwrap_or(u), number(&stretch.v).unwrap_or(v)];
    }
    fabric.shear = spec.shear.as_ref().and_then(number).unwrap_or(fabric.shear);
    if let Some(bending) = &spec.bending {
        let [u, v] = fabric.bending;
        fabric.bending = [number(&bending.u).unwrap_or(u), number(&bending.v).unwrap_or(v)];
    }
    let times = match spec.damping {
        Some(Damping { stretch, shear, bend }) => Relaxation { stretch, shear, bend },
        None => relaxation,
    };
    fabric = fabric.with_relaxation(times);
    let friction = spec.friction;
    fabric.friction_static = spec.friction_static.or(friction).unwrap_or(fabric.friction_static);
    fabric.friction_kinetic = spec.friction_kinetic.or(friction).unwrap_or(fabric.friction_kinetic);
    let solver = &scene.solver;
    let limit = |own: Option<spec::Limit>, shared: spec::Limit| {
        own.unwrap_or(shared).value().unwrap_or(f64::INFINITY)
    };
    fabric.strain_limit = limit(spec.strain_limit, solver.strain_limit);
    fabric.compression_limit =
        limit(spec.strain_limit_compression, solver.strain_limit_compression);
    fabric.validate().map_err(|e| RunError::part(place, e))?;
    Ok(fabric)
}

fn lab_sheet(lab: &spec::Lab) -> LabSheet {
    let bend = |k: usize| {
        lab.bending_length
            .map(|l| Bend::Length(l[k]))
            .or(lab.overhang.map(|o| Bend::Overhang(o[k])))
    };
    let tensile = |k: usize| {
        lab.tensile.as_ref().map(|t| Tensile::At { force_per_width: t.load, strain: t.strain[k] })
    };
    // Force per width over the angle, in the unit of the KES instrument.
    let shear = lab.shear.as_ref().map(|s| {
        let per_radian = s.load / s.angle.to_radians();
        Shear::Kes(per_radian / muslin::fabric::lab::KES_SHEAR)
    });
    LabSheet {
        weight: lab.weight.map(|w| Weight::GramsPerSquareMetre(w * 1000.0)),
        bend: [bend(0), bend(1)],
        tensile: [tensile(0), tensile(1)],
        shear,
        ..LabSheet::default()
    }
}

fn maps(
    spec: &spec::Cloth,
    piece: &Piece,
    fabric: &Fabric,
    rest_positions: &[Vec3],
    scene: &SceneSpec,
    place: &str,
) -> Result<Maps, RunError> {
    let directional = |paint: &Option<spec::Directional>,
                       unpainted: [f64; 2]|
     -> Result<Vec<[f64; 2]>, RunError> {
        let Some(paint) = paint else { return Ok(Vec::new()) };
        let u = select::per_triangle(&paint.u, unpainted[0], piece, scene, place)?;
        let v = select::per_triangle(&paint.v, unpainted[1], piece, scene, place)?;
        Ok(u.into_iter().zip(v).map(|(u, v)| [u, v]).collect())
    };
    let shear = match &spec.fabric.shear {
        Some(paint) => select::per_triangle(paint, fabric.shear, piece, scene, place)?,
        None => Vec::new(),
    };
    let hinges = piece.mesh.topology().hinges();
    let bending = directional(&spec.fabric.bending, fabric.bending)?;
    let on_hinge = |h: &muslin::mesh::Hinge, list: &[[f64; 2]]| {
        let [a, b] = h.triangles.map(|t| list[t as usize]);
        [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
    };
    let rest_angles = match &spec.rest_angles {
        RestAngles::Flat => Vec::new(),
        RestAngles::RestShape => hinges
            .iter()
            .map(|h| {
                hinge::angle(h.vertices.map(|v| rest_positions[v as usize]))
                    .map_or(0.0, |a| a.value)
            })
            .collect(),
        RestAngles::Painted(paint) => {
            let degrees = select::per_triangle(paint, 0.0, piece, scene, place)?;
            hinges
                .iter()
                .map(|h| {
                    let [a, b] = h.triangles.map(|t| degrees[t as usize]);
                    (0.5 * (a + b)).to_radians()
                })
                .collect()
        }
    };
    let maps = Maps {
        shrink: directional(&spec.shrink, [1.0, 1.0])?,
        stretch: directional(&spec.fabric.stretch, fabric.stretch)?,
        shear,
        bending: if bending.is_empty() {
            Vec::new()
        } else {
            hinges.iter().map(|h| on_hinge(h, &bending)).collect()
        },
        rest_angles,
        tables: spec.fabric.stretch_table.as_ref().map(|t| stretch_tables(t, place)).transpose()?,
    };
    check_values(&maps, place)?;
    Ok(maps)
}

fn stretch_tables(curve: &spec::StretchCurve, place: &str) -> Result<[StretchTable; 2], RunError> {
    let table = |points: &[[f64; 2]]| {
        StretchTable::new(points.to_vec()).map_err(|e| RunError::part(place, e))
    };
    Ok([table(&curve.u)?, table(curve.v.as_ref().unwrap_or(&curve.u))?])
}

fn check_values(maps: &Maps, place: &str) -> Result<(), RunError> {
    let pairs = [
        ("shrink", &maps.shrink, true),
        ("stretch", &maps.stretch, false),
        ("bending", &maps.bending, false),
    ];
    for (name, values, positive) in pairs {
        let wrong = |x: &f64| !x.is_finite() || *x < 0.0 || (positive && *x == 0.0);
        if let Some(at) = values.iter().position(|v| v.iter().any(wrong)) {
            return Err(RunError::part(
                place,
                format!(
                    "the {name} map is {:?} at element {at}; give positive numbers",
                    values[at]
                ),
            ));
        }
    }
    if let Some(at) = maps.shear.iter().position(|x| !x.is_finite() || *x < 0.0) {
        return Err(RunError::part(
            place,
            format!("the shear map is {} at triangle {at}; give positive numbers", maps.shear[at]),
        ));
    }
    Ok(())
}
