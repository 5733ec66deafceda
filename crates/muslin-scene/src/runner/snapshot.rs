//! Everything the next step reads, as named arrays (R3).

pub mod links;
mod previous;

use super::RunError;
use super::islands::Island;
use crate::cache::Snapshot;
use muslin::collide::surface::Pair;
use muslin::contact::Memory;
use muslin::contact::clutch::Clutched;
use muslin::contact::loose::Loose;
use muslin::contact::touch::{Grip, Touch};
use muslin::math::Vec3;
use muslin::sim::{Controller, State};

/// The state of all islands.
pub fn save(islands: &[Island]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    let members = islands.iter().flat_map(|island| {
        let count = std::iter::once(island.members.len() as u64);
        count.chain(island.members.iter().map(|&m| m as u64))
    });
    snapshot.push("islands", members.collect::<Vec<u64>>());
    for (k, island) in islands.iter().enumerate() {
        let state = &island.simulation.state;
        snapshot.push(format!("time_{k}"), vec![state.time]);
        snapshot.push(format!("x_{k}"), flat(&state.x));
        snapshot.push(format!("v_{k}"), flat(&state.v));
        snapshot.push(format!("acceleration_{k}"), flat(&state.acceleration));
        let anchors = state.anchors.iter().map(|a| a.unwrap_or(Vec3::ZERO)).collect::<Vec<_>>();
        snapshot.push(format!("anchors_{k}"), flat(&anchors));
        let held = state.anchors.iter().map(|a| u8::from(a.is_some())).collect::<Vec<u8>>();
        snapshot.push(format!("anchored_{k}"), held);
        let Controller { level, successes, patience, grown, collisions, clean } = state.controller;
        let controller =
            [level, successes, patience, u32::from(grown), collisions, clean].map(u64::from);
        snapshot.push(format!("controller_{k}"), controller.to_vec());
        save_contact(&state.contact, k, &mut snapshot);
        previous::save(state.previous.as_ref(), k, &mut snapshot);
        save_loose(&state.loose, k, &mut snapshot);
        links::save(&state.links, k, &mut snapshot);
    }
    snapshot
}

fn widened(list: &[u32]) -> Vec<u64> {
    list.iter().map(|&v| u64::from(v)).collect()
}

/// What contact leaves out in island `k`.
pub fn save_loose(loose: &Loose, k: usize, snapshot: &mut Snapshot) {
    let tangled = loose.tangled.as_flattened().as_flattened();
    snapshot.push(format!("tangled_{k}"), widened(tangled));
    snapshot.push(format!("pinched_{k}"), widened(&loose.pinched));
}

fn save_contact(memory: &Memory, k: usize, snapshot: &mut Snapshot) {
    let vertices = memory.touches.iter().map(|t| u64::from(t.vertex)).collect::<Vec<u64>>();
    snapshot.push(format!("touch_vertices_{k}"), vertices);
    let (kinds, forces): (Vec<u8>, Vec<f64>) =
        memory.touches.iter().map(|t| grip_code(t.grip)).unzip();
    snapshot.push(format!("touch_kinds_{k}"), kinds);
    snapshot.push(format!("touch_forces_{k}"), forces);
    let vertices = memory.clutches.iter().flat_map(|c| c.pair.vertices().map(u64::from));
    snapshot.push(format!("clutch_vertices_{k}"), vertices.collect::<Vec<u64>>());
    let edges = memory.clutches.iter().map(|c| u8::from(matches!(c.pair, Pair::EdgeEdge(_))));
    snapshot.push(format!("clutch_edges_{k}"), edges.collect::<Vec<u8>>());
    let (kinds, forces): (Vec<u8>, Vec<f64>) =
        memory.clutches.iter().map(|c| grip_code(c.grip)).unzip();
    snapshot.push(format!("clutch_kinds_{k}"), kinds);
    snapshot.push(format!("clutch_forces_{k}"), forces);
    let loads = memory.clutches.iter().flat_map(|c| c.load.to_array());
    snapshot.push(format!("clutch_loads_{k}"), loads.collect::<Vec<f64>>());
}

/// What contact leaves out in island `k` of so many vertices.
pub fn loose(snapshot: &Snapshot, k: usize, vertex_count: usize) -> Result<Loose, RunError> {
    let vertices = |name: &str| -> Result<Vec<u32>, RunError> {
        let list = snapshot.u64s(&format!("{name}_{k}")).ok_or_else(|| missing(name))?;
        let known = list.iter().all(|&v| v < vertex_count as u64);
        let list = list.iter().map(|&v| v as u32).collect();
        if known { Ok(list) } else { Err(missing(name)) }
    };
    let tangled = vertices("tangled")?;
    let tangled = tangled.chunks_exact(6).map(|v| [[v[0], v[1], v[2]], [v[3], v[4], v[5]]]);
    Ok(Loose { tangled: tangled.collect(), pinched: vertices("pinched")? })
}

fn load_contact(snapshot: &Snapshot, k: usize) -> Result<Memory, RunError> {
    let floats = |name: &str| snapshot.f64s(&format!("{name}_{k}")).ok_or_else(|| missing(name));
    let bytes = |name: &str| snapshot.u8s(&format!("{name}_{k}")).ok_or_else(|| missing(name));
    let integers = |name: &str| snapshot.u64s(&format!("{name}_{k}")).ok_or_else(|| missing(name));
    let grips = |kinds: &[u8], forces: &[f64]| -> Vec<Grip> {
        kinds.iter().zip(forces).map(|(&kind, &force)| grip_of(kind, force)).collect()
    };
    let touches = grips(bytes("touch_kinds")?, floats("touch_forces")?);
    let touches = integers("touch_vertices")?.iter().zip(touches);
    let clutches = grips(bytes("clutch_kinds")?, floats("clutch_forces")?);
    let pairs = integers("clutch_vertices")?.chunks_exact(4).zip(bytes("clutch_edges")?);
    let pairs = pairs.map(|(v, &edges)| {
        let vertices = [v[0], v[1], v[2], v[3]].map(|v| v as u32);
        if edges == 1 { Pair::EdgeEdge(vertices) } else { Pair::PointTriangle(vertices) }
    });
    let loads = floats("clutch_loads")?.chunks_exact(3).map(Vec3::from_slice);
    let clutches = pairs.zip(clutches).zip(loads);
    let clutches = clutches.map(|((pair, grip), load)| Clutched { pair, grip, load });
    Ok(Memory {
        touches: touches.map(|(&v, grip)| Touch { vertex: v as u32, grip }).collect(),
        clutches: clutches.collect(),
    })
}

fn grip_of(kind: u8, force: f64) -> Grip {
    match kind {
        0 => Grip::Sticking,
        1 => Grip::Sliding(force),
        _ => Grip::Released,
    }
}

fn grip_code(grip: Grip) -> (u8, f64) {
    match grip {
        Grip::Sticking => (0, 0.0),
        Grip::Sliding(force) => (1, force),
        Grip::Released => (2, 0.0),
    }
}

/// The members of every island of a snapshot.
pub fn members(snapshot: &Snapshot) -> Result<Vec<Vec<usize>>, RunError> {
    let list = snapshot.u64s("islands").ok_or_else(|| missing("islands"))?;
    let mut islands = Vec::new();
    let mut rest = list;
    while let Some((&count, after)) = rest.split_first() {
        if count as usize > after.len() {
            return Err(RunError::Snapshot("its islands are cut short".to_owned()));
        }
        let (now, next) = after.split_at(count as usize);
        islands.push(now.iter().map(|&m| m as usize).collect());
        rest = next;
    }
    Ok(islands)
}

/// The peak of kinetic energy so far [J].
pub fn peak_kinetic(snapshot: &Snapshot) -> Result<f64, RunError> {
    let list = snapshot.f64s("peak_kinetic").ok_or_else(|| missing("peak_kinetic"))?;
    list.first().copied().ok_or_else(|| missing("peak_kinetic"))
}

/// The state of island `k`, which has `vertex_count` vertices and `pin_count` pins.
pub fn state(
    snapshot: &Snapshot,
    k: usize,
    vertex_count: usize,
    pin_count: usize,
) -> Result<State, RunError> {
    let floats = |name: &str| snapshot.f64s(&format!("{name}_{k}")).ok_or_else(|| missing(name));
    let bytes = |name: &str| snapshot.u8s(&format!("{name}_{k}")).ok_or_else(|| missing(name));
    let integers = |name: &str| snapshot.u64s(&format!("{name}_{k}")).ok_or_else(|| missing(name));
    let vectors = |name: &str, count: usize| -> Result<Vec<Vec3>, RunError> {
        let flat = floats(name)?;
        if flat.len() != 3 * count {
            return Err(RunError::Snapshot(format!(
                "`{name}_{k}` has {} numbers, expected {}",
                flat.len(),
                3 * count
            )));
        }
        Ok(flat.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect())
    };
    let held = bytes("anchored")?;
    let anchor_count = held.len();
    if anchor_count != 0 && anchor_count != pin_count {
        return Err(RunError::Snapshot(format!(
            "it has {anchor_count} pins, the scene has {pin_count}"
        )));
    }
    let anchors = vectors("anchors", anchor_count)?;
    let controller = integers("controller")?;
    let &[level, successes, patience, grown, collisions, clean] = controller else {
        return Err(missing("controller"));
    };
    Ok(State {
        time: floats("time")?.first().copied().ok_or_else(|| missing("time"))?,
        x: vectors("x", vertex_count)?,
        v: vectors("v", vertex_count)?,
        acceleration: if floats("acceleration")?.is_empty() {
            Vec::new()
        } else {
            vectors("acceleration", vertex_count)?
        },
        anchors: anchors.into_iter().zip(held).map(|(a, &held)| (held == 1).then_some(a)).collect(),
        contact: load_contact(snapshot, k)?,
        previous: previous::load(snapshot, k, vertex_count)?,
        loose: loose(snapshot, k, vertex_count)?,
        links: links::load(snapshot, k)?,
        controller: Controller {
            level: level as u32,
            successes: successes as u32,
            patience: patience as u32,
            grown: grown != 0,
            collisions: collisions as u32,
            clean: clean as u32,
        },
    })
}

fn missing(name: &str) -> RunError {
    RunError::Snapshot(format!("`{name}` is missing"))
}

/// Vectors as one list of numbers.
pub fn flat(list: &[Vec3]) -> Vec<f64> {
    list.iter().flat_map(Vec3::to_array).collect()
}

/// The vectors called `name`.
pub fn vectors(snapshot: &Snapshot, name: &str) -> Result<Vec<Vec3>, RunError> {
    let flat = snapshot.f64s(name).ok_or_else(|| missing(name))?;
    Ok(flat.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect())
}
