//! From `[cloth.hang]` and `cloth.rods` to a panel of columns (XU1, XU6, XU8), for curtain dynamics
//! and for cloth of other dynamics that hangs like a curtain.

use super::RunError;
use super::cloth::{self, Piece};
use crate::keyframes::{Keyed, rotation};
use crate::spec::{self, Pleats, SceneSpec, WindSource};
use muslin::curtain::{
    CollisionSpec, Curtain, CurtainSpec, Gap, PanelLayout, PanelSpec, Rail, TieBack, Top, folds,
};
use muslin::fabric::Fabric;
use muslin::math::{Vec2, Vec3};
use muslin::mesh::TriMesh;
use muslin::motion::{Motion, Pose};
use muslin::pin::{Hold, Pin};
use muslin::wind::{Keyframes, Permeability};

/// Porosity of fabrics that do not say.
const POROSITY: f64 = 0.2;

/// The panel a cloth hangs as.
pub fn panel(
    spec: &spec::Cloth,
    fabric: &Fabric,
    scene: &SceneSpec,
    place: &str,
) -> Result<PanelSpec, RunError> {
    let Some(grid) = &spec.grid else {
        return Err(RunError::part(place, "only a grid hangs as a curtain; use grid"));
    };
    let [width, height] = grid.size.map(|s| s * spec.scale);
    let (top, hang) = top(spec, [width, height], scene);
    let tie_backs = spec.hang.iter().flat_map(|hang| &hang.tie_back);
    Ok(PanelSpec {
        rows: grid.vertices[1] as usize,
        height,
        gaps: gaps(&spec.rods, grid.vertices[0].saturating_sub(1) as usize, width, scene.seed),
        top,
        hang,
        density: fabric.density,
        yarn: spec.fabric.yarn.unwrap_or(1.0),
        permeability: permeability(spec, scene)?,
        smoothing: spec.rods.smoothing,
        tie_backs: tie_backs.map(tie_back).collect(),
    })
}

/// What holds the top row, and where the columns point at the start. Cloth that says nothing
/// hangs from a rail along the side v = 1 of its grid, as it lies.
fn top(spec: &spec::Cloth, [width, height]: [f64; 2], scene: &SceneSpec) -> (Top, Vec3) {
    let fixed =
        |from: Vec3, to: Vec3, offset: Vec3| Top::Rail(Rail { offset, ..Rail::fixed(from, to) });
    let Some(hang) = &spec.hang else {
        let turn = rotation(spec.rotation) * cloth::upright(scene.up, false);
        let at = |u: f64| turn * Vec3::new(u, 0.5 * height, 0.0) + spec.position;
        let (from, to) = (at(0.5 * width), at(-0.5 * width));
        return (fixed(from, to, Vec3::ZERO), turn * Vec3::NEG_Y);
    };
    let offset = hang.offset.as_ref().map_or(Vec3::ZERO, |offset| offset.at(0.0));
    let top = match (&hang.rail, &hang.pole, &hang.free) {
        (Some(rail), _, _) => Top::Rail(Rail {
            start: rail.from,
            end: rail.to,
            lead: Keyframes::constant(rail.lead.at(0.0)),
            bunched: rail.bunched,
            evening: rail.evening,
            offset,
        }),
        (_, Some(pole), _) => fixed(pole.from, pole.to, offset),
        (_, _, Some(free)) => Top::Free { start: free.from, end: free.to },
        _ => fixed(Vec3::ZERO, Vec3::X * width, offset),
    };
    (top, hang.direction.unwrap_or(-scene.up.vector()))
}

fn tie_back(tie: &spec::TieBack) -> TieBack {
    TieBack {
        height: tie.height,
        hook: tie.hook,
        width: tie.width,
        engaged: Keyframes::constant(tie.engaged.at(0.0)),
    }
}

/// The rods between columns (XU8).
fn gaps(rods: &spec::Rods, count: usize, width: f64, seed: u32) -> Vec<Gap> {
    let [fewest, most] = rods.sections.map(|n| n as usize);
    let seed = u64::from(seed) + u64::from(rods.seed);
    let mut gaps = match rods.style {
        Pleats::Random => folds::random(count, width, (fewest, most), seed),
        Pleats::Flat => folds::flat(count, width),
        Pleats::Wave => folds::wave(count, width, most),
        Pleats::Pinch => folds::pinch_pleat(count / 4, width),
        Pleats::Goblet => folds::goblet(count / 2, width),
    };
    if let Some(lengths) = &rods.lengths {
        for gap in &mut gaps {
            gap.sections.clone_from(lengths);
        }
    }
    if rods.uneven > 0.0 { folds::uneven(gaps, rods.uneven, seed) } else { gaps }
}

/// Porosity belongs to the fabric and its weight c_μ to the winds (XU3), which have to agree on it.
fn permeability(spec: &spec::Cloth, scene: &SceneSpec) -> Result<Permeability, RunError> {
    let weights = scene.wind.iter().filter_map(|wind| match wind.source()? {
        WindSource::Uniform(_) => None,
        WindSource::Cone(cone) => Some(cone.porosity_effect),
        WindSource::Cylinder(cylinder) => Some(cylinder.porosity_effect),
    });
    let weights: Vec<f64> = weights.collect();
    let porosity_weight = weights.first().copied().unwrap_or(1.0);
    if weights.iter().any(|w| *w != porosity_weight) {
        let message = "the winds differ in porosity_effect; give all of them the same";
        return Err(RunError::part("wind", message));
    }
    let porosity = spec.fabric.porosity.unwrap_or(POROSITY);
    Ok(Permeability { porosity, porosity_weight, ..Permeability::default() })
}

/// The cloth of other dynamics that hangs like a curtain: the same mesh in the same folds.
pub fn piece(spec: &spec::Cloth, scene: &SceneSpec, place: &str) -> Result<Piece, RunError> {
    let fabric = cloth::fabric(&spec.fabric, scene, place)?;
    let curtain = Curtain::new(&CurtainSpec {
        panels: vec![panel(spec, &fabric, scene, place)?],
        collisions: CollisionSpec { thickness: fabric.thickness, ..CollisionSpec::default() },
        ..CurtainSpec::default()
    });
    let curtain = curtain.map_err(|e| RunError::part(place, e))?;
    let layout = curtain.layout(0).ok_or_else(|| RunError::part(place, "it has no panel"))?;
    panel_piece(spec, &layout, curtain.positions(), place)
}

/// The mesh of a panel; `x` are the positions of all panels [m].
pub fn panel_piece(
    spec: &spec::Cloth,
    layout: &PanelLayout,
    x: &[Vec3],
    place: &str,
) -> Result<Piece, RunError> {
    let uv = layout.triangles.iter().map(|t| t.map(|v| layout.rest[v as usize])).collect();
    let positions = x[layout.vertices.clone()].to_vec();
    let mesh = TriMesh::new(positions.len(), layout.triangles.clone(), uv)
        .map_err(|e| RunError::part(place, e))?;
    let mut piece = cloth::piece(spec, mesh, positions, None);
    let size = layout.rest.iter().copied().fold(Vec2::ZERO, Vec2::max);
    piece.unit_uv = layout.rest.iter().map(|p| *p / size).collect();
    Ok(piece)
}

/// The pins by which other dynamics hold the heading of a hung cloth.
pub fn pins(spec: &spec::Cloth, piece: &Piece) -> Result<Vec<Pin>, RunError> {
    let Some(hang) = &spec.hang else { return Ok(Vec::new()) };
    let place = format!("cloth `{}`, hang", spec.name);
    let lead = hang.rail.as_ref().map(|rail| &rail.lead);
    if lead.is_some_and(Keyed::is_animated) || !hang.tie_back.is_empty() {
        let remedy = "use dynamics = \"curtain\", or leave them out";
        return Err(RunError::unsupported(&place, "moving rings and tie-backs here", remedy));
    }
    if hang.free.is_some() {
        return Ok(Vec::new());
    }
    let motion = match &hang.offset {
        Some(offset) if offset.is_animated() => {
            let (offset, start) = (offset.clone(), offset.at(0.0));
            Motion::moving(move |t| Pose::at(offset.at(t) - start))
        }
        _ => Motion::default(),
    };
    let top = (0..).zip(&piece.unit_uv).filter(|(_, uv)| uv.y > 1.0 - 1e-9);
    let pin = |(vertex, _)| Pin {
        vertex,
        hold: Hold::Point,
        motion: motion.clone(),
        from: f64::NEG_INFINITY,
        until: f64::INFINITY,
    };
    Ok(top.map(pin).collect())
}
