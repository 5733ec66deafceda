//! From `[[cloth.attach]]`, `[[cloth.stick]]`, `[[pointer.drag]]` and `pressure` to ties.

use super::{Tie, Ties};
use crate::keyframes::Keyed;
use crate::runner::bodies::BuiltBody;
use crate::runner::cloth::Piece;
use crate::runner::dress::BUTTON_STIFFNESS;
use crate::runner::{RunError, select};
use crate::spec::{self, PaintPoint, SceneSpec, Select, Selection};
use muslin::force::pressure::volume;
use muslin::link::{Attachment, Grab, Owner, Point, Region, Stick, Strength};
use muslin::math::{Vec2, Vec3};
use muslin::mesh::NO_TRIANGLE;
use muslin::motion::{Motion, Pose};
use std::sync::Arc;

/// Damping of buttons [N·s/m].
const BUTTON_DAMPING: f64 = 1.0;

/// What ties can lead to.
pub struct Things<'a> {
    /// The scene.
    pub scene: &'a SceneSpec,
    /// Its cloths.
    pub pieces: &'a [Piece],
    /// Its bodies.
    pub bodies: &'a [BuiltBody],
}

/// All ties of a scene.
pub fn build(things: &Things) -> Result<Ties, RunError> {
    let mut ties = Ties::default();
    for (m, (spec, piece)) in things.scene.cloth.iter().zip(things.pieces).enumerate() {
        for (k, attach) in spec.attach.iter().enumerate() {
            let place = format!("cloth `{}`, attach {k}", spec.name);
            ties.attachments.extend(attachments(attach, m, things, &place)?);
        }
        for (k, stick) in spec.stick.iter().enumerate() {
            let place = format!("cloth `{}`, stick {k}", spec.name);
            ties.sticks.push(sticking(stick, m, things, &place)?);
        }
        ties.attachments.extend(buttons(piece, m));
        let place = format!("cloth `{}`", spec.name);
        let value = pressure(&spec.pressure, piece, &place)?;
        ties.pressures.push((value, piece.mesh.triangles().len()));
    }
    for (k, drag) in things.scene.pointer.drag.iter().enumerate() {
        ties.grabs.push(dragging(drag, things, &format!("pointer, drag {k}"))?);
    }
    Ok(ties)
}

fn strength(value: &Keyed<f64>) -> Strength {
    match value {
        Keyed::Constant(value) => Strength::Constant(*value),
        Keyed::Keys(_) => {
            let value = value.clone();
            Strength::Changing(Arc::new(move |t| value.at(t)))
        }
    }
}

fn attachments(
    attach: &spec::Attach,
    piece: usize,
    things: &Things,
    place: &str,
) -> Result<Vec<Tie<Attachment>>, RunError> {
    let vertices = select::vertices(&attach.select, &things.pieces[piece], place)?;
    let Chosen { to, owner, triangles, vertices: chosen } =
        things.choose(&attach.to, attach.select_to.as_ref(), place)?;
    // Chosen vertices are points: triangles that are as small as can be.
    let triangles = match chosen {
        Some(chosen) => chosen.into_iter().map(|v| [v; 3]).collect(),
        None => triangles,
    };
    let region = Region { owner, triangles };
    let link = |vertex: u32| Attachment {
        vertex,
        to: region.clone(),
        stiffness: strength(&attach.stiffness),
        damping: attach.damping,
        from: attach.from.unwrap_or(f64::NEG_INFINITY),
        until: attach.until.unwrap_or(f64::INFINITY),
        break_force: attach.break_force.unwrap_or(f64::INFINITY),
    };
    Ok(vertices.into_iter().map(|v| Tie { piece, to, link: link(v) }).collect())
}

/// The buttons of a pattern.
fn buttons(piece: &Piece, number: usize) -> impl Iterator<Item = Tie<Attachment>> {
    piece.tailoring.buttons.iter().map(move |&[vertex, other]| Tie {
        piece: number,
        to: Some(number),
        link: Attachment {
            vertex,
            to: Region { owner: Owner::Cloth, triangles: vec![[other; 3]] },
            stiffness: Strength::Constant(BUTTON_STIFFNESS),
            damping: BUTTON_DAMPING,
            from: f64::NEG_INFINITY,
            until: f64::INFINITY,
            break_force: f64::INFINITY,
        },
    })
}

fn sticking(
    stick: &spec::Stick,
    piece: usize,
    things: &Things,
    place: &str,
) -> Result<Tie<Stick>, RunError> {
    let vertices = select::vertices(&stick.select, &things.pieces[piece], place)?;
    let Chosen { to, owner, mut triangles, vertices: chosen } =
        things.choose(&stick.to, stick.select_to.as_ref(), place)?;
    if let Some(chosen) = chosen {
        triangles.retain(|t| t.iter().all(|v| chosen.binary_search(v).is_ok()));
        if triangles.is_empty() {
            let message = "`select_to` chooses no whole triangle; widen it";
            return Err(RunError::part(place, message));
        }
    }
    let link = Stick {
        vertices,
        to: Region { owner, triangles },
        capture: stick.capture_distance,
        release: stick.release_distance,
        stiffness: stick.stiffness,
        prediction: stick.relaxation_time,
        strength: strength(&stick.strength),
    };
    Ok(Tie { piece, to, link })
}

fn dragging(drag: &spec::Drag, things: &Things, place: &str) -> Result<Tie<Grab>, RunError> {
    let piece = things.piece(&drag.cloth).ok_or_else(|| {
        RunError::part(place, format!("there is no cloth `{}`; name one that is there", drag.cloth))
    })?;
    let count = things.pieces[piece].positions.len();
    if drag.vertex as usize >= count {
        let message = format!(
            "vertex {} does not exist: the cloth has {count} vertices, numbered from 0",
            drag.vertex
        );
        return Err(RunError::part(place, message));
    }
    let target = drag.target.clone();
    let pointer = &things.scene.pointer;
    let link = Grab {
        point: Point::vertex(drag.vertex),
        target: Motion::moving(move |t| Pose::at(target.at(t))),
        stiffness: Strength::Constant(pointer.stiffness),
        damping: pointer.damping,
        from: drag.from.unwrap_or(f64::NEG_INFINITY),
        until: drag.until.unwrap_or(f64::INFINITY),
    };
    Ok(Tie { piece, to: None, link })
}

/// Only closed cloth, seen from outside, can be inflated.
fn pressure(value: &Keyed<f64>, piece: &Piece, place: &str) -> Result<Option<Strength>, RunError> {
    if value.values().iter().all(|p| *p == 0.0) {
        return Ok(None);
    }
    let edges = piece.mesh.topology().edges();
    let open = edges.iter().filter(|e| e.triangles[1] == NO_TRIANGLE).count();
    if open > 0 {
        let message = format!(
            "pressure needs closed cloth, but {open} edges belong to one triangle only; close the \
             mesh, use sphere, or leave pressure out"
        );
        return Err(RunError::part(place, message));
    }
    if volume(piece.mesh.triangles(), &piece.positions) <= 0.0 {
        let message = "pressure needs triangles that face outwards; turn the faces of the mesh";
        return Err(RunError::part(place, message));
    }
    Ok(Some(strength(value)))
}

/// What a tie leads to: all triangles of a cloth or body, and the vertices chosen of it.
struct Chosen {
    to: Option<usize>,
    owner: Owner,
    triangles: Vec<[u32; 3]>,
    vertices: Option<Vec<u32>>,
}

impl Things<'_> {
    fn piece(&self, name: &str) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.name == name)
    }

    fn choose(&self, name: &str, of: Option<&Select>, place: &str) -> Result<Chosen, RunError> {
        if let Some(m) = self.piece(name) {
            let piece = &self.pieces[m];
            let vertices = of.map(|of| select::vertices(of, piece, place)).transpose()?;
            let triangles = piece.mesh.triangles().to_vec();
            return Ok(Chosen { to: Some(m), owner: Owner::Cloth, triangles, vertices });
        }
        let body = self.scene.body.iter().position(|body| body.name == name).ok_or_else(|| {
            RunError::part(place, format!("there is no cloth or body `{name}`; name one"))
        })?;
        let triangles = self.bodies[body].body.mesh.triangles.clone();
        if triangles.is_empty() {
            let message = format!("`{name}` has no triangles to hold on to; use a pin or a box");
            return Err(RunError::part(place, message));
        }
        let vertices = of.map(|of| self.body_vertices(body, of, place)).transpose()?;
        Ok(Chosen { to: None, owner: Owner::Body(body), triangles, vertices })
    }

    /// Vertices of a body by where they are at the start, in increasing order.
    fn body_vertices(&self, body: usize, of: &Select, place: &str) -> Result<Vec<u32>, RunError> {
        let mut x = Vec::new();
        self.bodies[body].body.append_positions(0.0, &mut x);
        let all = 0..x.len() as u32;
        let chosen: Vec<u32> = match of.selection() {
            Some(Selection::All) => all.collect(),
            Some(Selection::Vertices(list)) => list.to_vec(),
            Some(Selection::Near { point, radius }) => {
                all.filter(|&v| x[v as usize].distance(point) <= radius).collect()
            }
            Some(Selection::Formula(formula)) => {
                let at = |v: u32| point_of(x[v as usize], v as usize);
                all.filter(|&v| formula.at(&at(v)) != 0.0).collect()
            }
            Some(Selection::Group(group)) => {
                let source = self.bodies[body].source.as_ref();
                source.and_then(|mesh| mesh.group_vertices(group)).ok_or_else(|| {
                    let message =
                        format!("the body has no vertex group `{group}`; name one of its mesh");
                    RunError::part(place, message)
                })?
            }
            Some(Selection::Corners(_) | Selection::Edge(_)) | None => {
                let message =
                    "a body has no corners or sides; use near, formula, vertices or group";
                return Err(RunError::part(place, message));
            }
        };
        if let Some(v) = chosen.iter().find(|&&v| v as usize >= x.len()) {
            let message = format!("vertex {v} does not exist: the body has {} vertices", x.len());
            return Err(RunError::part(place, message));
        }
        if chosen.is_empty() {
            return Err(RunError::part(place, "`select_to` chooses no vertex; widen it"));
        }
        let mut chosen = chosen;
        chosen.sort_unstable();
        Ok(chosen)
    }
}

fn point_of(position: Vec3, index: usize) -> PaintPoint {
    PaintPoint { uv: Vec2::ZERO, position, index, time: 0.0 }
}
