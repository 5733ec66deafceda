//! Forces at the end of a frame: what holds the cloth, and how hard (BW9, BW11, BW12, MF9).

use super::islands::{Island, Stock};
use muslin::collide::surface::Pair;
use muslin::link::{Hold, Source};
use muslin::math::Vec3;
use muslin::report::StepReport;
use serde::Serialize;

/// Forces at the end of a frame [N].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ForceReport {
    /// Every pin of the scene that holds.
    pub pins: Vec<PinForce>,
    /// Vertices that touch a body.
    pub contacts: u64,
    /// Force of all bodies on the cloth.
    pub contact_force: [f64; 3],
    /// Largest force of a body on a vertex.
    pub contact_force_max: f64,
    /// Largest force between two features of cloth, or the edge of a body and one of cloth.
    pub pair_force_max: f64,
    /// Attachments that hold.
    pub attached: u64,
    /// Attachments that broke.
    pub broken: u64,
    /// Largest force of an attachment.
    pub attachment_force_max: f64,
    /// Vertices that stick.
    pub stuck: u64,
    /// Force of all that sticks, on the adhering cloth.
    pub stick_force: [f64; 3],
    /// Largest force on a vertex that sticks.
    pub stick_force_max: f64,
    /// Force of pointers and drags.
    pub pointer_force: [f64; 3],
    /// One by one, where the scene asks for that.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub each: Option<EachForce>,
}

/// Every constraint force by itself (`output.forces`). Vertices are numbered as in the cache.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EachForce {
    /// On pinned vertices.
    pub pinned: Vec<VertexForce>,
    /// Of bodies on vertices that touch them.
    pub touching: Vec<VertexForce>,
    /// Between features of cloth, and between those of cloth and the edges and faces of bodies.
    pub pairs: Vec<PairForce>,
}

/// The force on a vertex.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VertexForce {
    /// The vertex.
    pub vertex: u32,
    /// The force on it [N].
    pub force: [f64; 3],
}

/// The force between two features, a vertex and a face or two edges.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairForce {
    /// The first feature.
    pub first: Feature,
    /// The second.
    pub second: Feature,
    /// The force on the first [N]; that on the second is its opposite.
    pub force: [f64; 3],
}

/// A vertex, an edge or a face.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Feature {
    /// The body it belongs to; absent where that is cloth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// One, two or three vertices, of a body as they are numbered in its mesh.
    pub vertices: Vec<u32>,
}

/// The force of one `[[cloth.pin]]` on all its vertices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PinForce {
    /// Number of the cloth.
    pub cloth: u64,
    /// Number of the pin.
    pub pin: u64,
    /// Its force [N].
    pub force: [f64; 3],
}

impl ForceReport {
    /// Adds what an island's last step of the frame says.
    pub fn add(&mut self, island: &Island, stock: &Stock, step: &StepReport) {
        self.add_pins(island, stock, step);
        if stock.lists_forces {
            self.each.get_or_insert_default().add(island, stock, step);
        }
        self.contacts += step.contact_forces.len() as u64;
        let contact: Vec3 = step.contact_forces.iter().map(|(_, f)| *f).sum();
        self.contact_force = plus(self.contact_force, contact);
        let largest = |largest: f64, f: Vec3| largest.max(f.length());
        let on_bodies = step.contact_forces.iter().map(|(_, f)| *f);
        self.contact_force_max = on_bodies.fold(self.contact_force_max, largest);
        let on_pairs = step.pair_forces.iter().map(|(_, f)| *f);
        self.pair_force_max = on_pairs.fold(self.pair_force_max, largest);
        let holds = &island.simulation.state.links.holds;
        self.attached += holds.iter().filter(|h| matches!(h, Hold::On(_))).count() as u64;
        self.broken += holds.iter().filter(|h| **h == Hold::Broken).count() as u64;
        for group in step.link_forces.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let force: Vec3 = group.iter().map(|(_, _, f)| *f).sum();
            match group[0].0 {
                Source::Grab(_) => self.pointer_force = plus(self.pointer_force, force),
                Source::Attachment(_) => {
                    self.attachment_force_max = self.attachment_force_max.max(force.length());
                }
                Source::Stick(_) => {
                    self.stuck += 1;
                    self.stick_force = plus(self.stick_force, force);
                    self.stick_force_max = self.stick_force_max.max(force.length());
                }
                Source::Seam(_) => {}
            }
        }
    }

    /// Forces come in the order of the pins that hold.
    fn add_pins(&mut self, island: &Island, stock: &Stock, step: &StepReport) {
        let entries = island.members.iter().flat_map(|&m| {
            stock.pin_entries[m].iter().map(move |&entry| (m as u64, u64::from(entry)))
        });
        let anchors = &island.simulation.state.anchors;
        let holding = entries.zip(anchors).filter(|(_, anchor)| anchor.is_some());
        for (((cloth, pin), _), (_, force)) in holding.zip(&step.pin_forces) {
            match self.pins.iter_mut().find(|p| (p.cloth, p.pin) == (cloth, pin)) {
                Some(known) => known.force = plus(known.force, *force),
                None => self.pins.push(PinForce { cloth, pin, force: force.to_array() }),
            }
        }
    }
}

impl EachForce {
    fn add(&mut self, island: &Island, stock: &Stock, step: &StepReport) {
        let count = island.simulation.cloth.vertex_count() as u32;
        // In the cache the cloths of the scene come one after the other, in an island its members.
        let numbers = stock.numbered(island, &(0..count).collect::<Vec<_>>());
        let on_vertex = |&(v, force): &(u32, Vec3)| {
            let vertex = *numbers.get(v as usize)?;
            Some(VertexForce { vertex, force: force.to_array() })
        };
        self.pinned.extend(step.pin_forces.iter().filter_map(on_vertex));
        self.touching.extend(step.contact_forces.iter().filter_map(on_vertex));
        self.pairs.extend(step.pair_forces.iter().filter_map(|(pair, force)| {
            let vertices = pair.vertices();
            let (first, second) = vertices.split_at(match pair {
                Pair::PointTriangle(_) => 1,
                Pair::EdgeEdge(_) => 2,
            });
            let [first, second] = [first, second].map(|of| feature(of, &numbers, stock));
            Some(PairForce { first: first?, second: second?, force: force.to_array() })
        }));
    }
}

/// A feature with its vertices as they are numbered in contact: those of cloth, and of one body after the other.
fn feature(vertices: &[u32], cloth: &[u32], stock: &Stock) -> Option<Feature> {
    let first = *vertices.first()? as usize;
    if first < cloth.len() {
        let numbers = vertices.iter().map(|&v| cloth.get(v as usize).copied());
        return Some(Feature { body: None, vertices: numbers.collect::<Option<_>>()? });
    }
    let mut offset = cloth.len();
    for (body, name) in stock.bodies.iter().zip(&stock.body_names) {
        let next = offset + body.mesh.positions.len();
        if first < next {
            let vertices = vertices.iter().map(|&v| v - offset as u32).collect();
            return Some(Feature { body: Some(name.clone()), vertices });
        }
        offset = next;
    }
    None
}

fn plus(a: [f64; 3], b: Vec3) -> [f64; 3] {
    (Vec3::from_array(a) + b).to_array()
}
