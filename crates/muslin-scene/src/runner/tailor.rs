//! From a sewing pattern to cloth that is still to be sewn (BW15).

use super::RunError;
use super::cloth::{self, Piece};
use super::patchwork::Patch;
use super::unsewn::{Stitches, Unsewn};
use crate::spec::{self, PatternFile, SceneSpec, Select};
use muslin::link::Weld;
use muslin::mesh::{MeshError, TriMesh};
use muslin_garment::{
    Garment, GarmentError, MeshSettings, Part, Pattern, from_garment_code, library,
};

/// Stitches no longer than this are welded before anything moves [m].
const NO_GAP: f64 = 1e-6;

/// What a pattern says about the sewn cloth, in its numbering.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tailoring {
    /// Rest length of every triangle along u and v as factors (BW3): less than 1 in elastic bands. Empty
    /// where there are none.
    pub shrink: Vec<[f64; 2]>,
    /// Seams and fold lines with a rest angle.
    pub creases: Vec<Crease>,
    /// Pairs of vertices held together.
    pub buttons: Vec<[u32; 2]>,
    /// Panels of another fabric than the cloth's.
    pub patches: Vec<Patch>,
    /// Layer of the garment, besides that of the cloth in the scene: larger ones are dressed later.
    pub layer: i32,
}

/// A chain of mesh edges with a rest angle (MF5).
#[derive(Clone, Debug, PartialEq)]
pub struct Crease {
    /// Vertices from end to end.
    pub vertices: Vec<u32>,
    /// Rest angle [rad].
    pub angle: f64,
}

impl Tailoring {
    /// Gives the hinges of the sewn `mesh` that lie on a crease its rest angle.
    pub fn bend(&self, mesh: &TriMesh, angles: &mut Vec<f64>) {
        let hinges = mesh.topology().hinges();
        for crease in self.creases.iter().filter(|crease| crease.angle != 0.0) {
            angles.resize(hinges.len(), 0.0);
            let lies_on = |edge: [u32; 2]| {
                let along = &crease.vertices;
                along.windows(2).any(|w| edge == [w[0], w[1]] || edge == [w[1], w[0]])
            };
            for (hinge, angle) in hinges.iter().zip(angles.iter_mut()) {
                if lies_on([hinge.vertices[2], hinge.vertices[3]]) {
                    *angle = crease.angle;
                }
            }
        }
    }

    /// Multiplies what is painted by the elastic bands.
    pub fn tighten(&self, painted: &mut Vec<[f64; 2]>) {
        if self.shrink.is_empty() {
            return;
        }
        painted.resize(self.shrink.len(), [1.0, 1.0]);
        for (painted, own) in painted.iter_mut().zip(&self.shrink) {
            *painted = [painted[0] * own[0], painted[1] * own[1]];
        }
    }
}

/// The cloth of a pattern: built in (`@t-shirt`), Muslin's own format (`.toml`) or `GarmentCode`'s
/// (`.json`).
pub fn from_pattern(
    spec: &spec::Cloth,
    file: &PatternFile,
    scene: &SceneSpec,
    place: &str,
) -> Result<Piece, RunError> {
    let wrong = |error: GarmentError| RunError::part(place, error);
    let pattern = read(file, scene, place)?;
    let settings = MeshSettings { edge_length: file.edge_length };
    let garment = muslin_garment::build(&pattern, &settings).map_err(wrong)?;
    let closing: Vec<f64> = garment.seams.iter().map(|_| file.closing_time).collect();
    from_garment(&garment, &closing, spec, place)
}

fn read(file: &PatternFile, scene: &SceneSpec, place: &str) -> Result<Pattern, RunError> {
    let wrong = |error: GarmentError| RunError::part(place, error);
    let parameters: Vec<(String, f64)> =
        file.parameters.iter().map(|(name, value)| (name.clone(), *value)).collect();
    if file.built_in().is_some() {
        return library::pattern(&file.file, &parameters).map_err(wrong);
    }
    let path = scene.path(&file.file);
    let shown = path.display().to_string();
    let bytes = std::fs::read(&path)
        .map_err(|error| RunError::part(place, format!("{shown} cannot be read: {error}")))?;
    if path.extension().is_some_and(|e| e == "json") {
        if let Some((name, _)) = parameters.first() {
            let message =
                format!("{shown} has no parameter `{name}`; only .toml patterns have any");
            return Err(RunError::part(place, message));
        }
        return from_garment_code(&bytes, &shown).map_err(wrong);
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| RunError::part(place, format!("{shown} is no text; give TOML or JSON")))?;
    muslin_garment::from_toml_with(&text, &shown, &parameters).map_err(wrong)
}

/// Cloth of a meshed pattern; `closing` are the times in which its seams are drawn together [s].
pub fn from_garment(
    garment: &Garment,
    closing: &[f64],
    spec: &spec::Cloth,
    place: &str,
) -> Result<Piece, RunError> {
    let unfit = |error: MeshError| RunError::part(place, error);
    let scaled = |mesh: &TriMesh| {
        let uv = mesh.uv().iter().map(|corners| corners.map(|p| p * spec.scale)).collect();
        TriMesh::new(mesh.vertex_count(), mesh.triangles().to_vec(), uv)
    };
    let mesh = scaled(&garment.welded).map_err(unfit)?;
    let unsewn =
        unsewn(garment, closing, &scaled(&garment.unwelded().map_err(unfit)?).map_err(unfit)?);
    let mut piece = cloth::piece(spec, mesh, garment.welded_positions.clone(), None);
    for group in &garment.groups {
        let mut own: Vec<u32> = group.vertices.iter().map(|&v| garment.weld[v as usize]).collect();
        own.sort_unstable();
        own.dedup();
        let select = Select { vertices: Some(own), ..Select::default() };
        piece.groups.entry(group.name.clone()).or_insert(select);
    }
    piece.tailoring = tailoring(garment);
    piece.tailoring.layer = layer(garment, place)?;
    piece.unsewn = Some(unsewn);
    Ok(piece)
}

fn tailoring(garment: &Garment) -> Tailoring {
    let sewn = |v: u32| garment.weld[v as usize];
    let seams = garment.seams.iter().map(|seam| {
        let stitches = &garment.stitches[seam.stitches.start as usize..seam.stitches.end as usize];
        let vertices = stitches.iter().map(|[a, _]| sewn(*a)).collect();
        Crease { vertices, angle: seam.angle }
    });
    let folds = garment.folds.iter().map(|fold| Crease {
        vertices: fold.vertices.iter().map(|&v| sewn(v)).collect(),
        angle: fold.angle,
    });
    let tight = garment.shrink.iter().any(|factors| *factors != [1.0, 1.0]);
    Tailoring {
        shrink: if tight { garment.shrink.clone() } else { Vec::new() },
        creases: seams.chain(folds).filter(|crease| crease.angle != 0.0).collect(),
        buttons: garment.attachments.iter().map(|button| button.vertices.map(sewn)).collect(),
        patches: garment.parts.iter().filter_map(patch).collect(),
        layer: 0,
    }
}

fn patch(part: &Part) -> Option<Patch> {
    let fabric = part.fabric.clone()?;
    Some(Patch { fabric, triangles: part.triangles.clone() })
}

/// The layer all panels share: what is sewn together is dressed at once.
fn layer(garment: &Garment, place: &str) -> Result<i32, RunError> {
    let mut parts = garment.parts.iter();
    let Some(first) = parts.next() else { return Ok(0) };
    match parts.find(|part| part.layer != first.layer) {
        None => Ok(first.layer),
        Some(other) => {
            let message = format!(
                "panel {} is in layer {} and panel {} in layer {}, but one garment is dressed at once; make \
                 two patterns of it, or give all its panels the same layer",
                first.name, first.layer, other.name, other.layer
            );
            Err(RunError::part(place, message))
        }
    }
}

/// The panels as they start. Stitches without a gap are welded already.
fn unsewn(garment: &Garment, closing: &[f64], mesh: &TriMesh) -> Unsewn {
    let x = &garment.positions;
    let touching = |[a, b]: &[u32; 2]| x[*a as usize].distance(x[*b as usize]) <= NO_GAP;
    let closed: Vec<[u32; 2]> = garment.stitches.iter().filter(|s| touching(s)).copied().collect();
    let first = Weld::new(x.len(), &closed).ok();
    let (first, mesh) = first
        .and_then(|weld| weld.mesh(mesh).ok().map(|mesh| (weld, mesh)))
        .unwrap_or_else(|| (Weld::from_map((0..x.len() as u32).collect()), mesh.clone()));
    let now = first.map();
    let mut weld = vec![0; first.vertex_count()];
    for (&before, &sewn) in now.iter().zip(&garment.weld) {
        weld[before as usize] = sewn;
    }
    let seams = garment.seams.iter().zip(closing).map(|(seam, &closing_time)| {
        let range = seam.stitches.start as usize..seam.stitches.end as usize;
        let pairs = garment.stitches[range].iter().map(|pair| pair.map(|v| now[v as usize]));
        let pairs = pairs.filter(|[a, b]| a != b).collect();
        Stitches { name: seam.name.clone(), pairs, closing_time }
    });
    Unsewn {
        positions: first.positions(x),
        seams: seams.collect(),
        weld: Weld::from_map(weld),
        mesh,
        cloth: None,
    }
}
