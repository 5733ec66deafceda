//! Forces at the end of a frame: what holds the cloth, and how hard (BW9, BW11, BW12, MF9).

use super::islands::{Island, Stock};
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
}

/// The force on a vertex.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VertexForce {
    /// The vertex.
    pub vertex: u32,
    /// The force on it [N].
    pub force: [f64; 3],
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
        let number = |v: u32| numbers.get(v as usize).copied();
        let of_vertices = |forces: &[(u32, Vec3)]| -> Vec<VertexForce> {
            let force = |&(v, force): &(u32, Vec3)| {
                Some(VertexForce { vertex: number(v)?, force: force.to_array() })
            };
            forces.iter().filter_map(force).collect()
        };
        self.pinned.extend(of_vertices(&step.pin_forces));
        self.touching.extend(of_vertices(&step.contact_forces));
    }
}

fn plus(a: [f64; 3], b: Vec3) -> [f64; 3] {
    (Vec3::from_array(a) + b).to_array()
}
