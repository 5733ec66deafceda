//! The tree of nodes and where it takes them at a time.

use super::{
    document::{Document, Node},
    track::{Property, Track, quaternion},
};
use crate::formats::ReadError;
use glam::{DAffine3, DMat4};
use muslin::math::{Quat, Vec3};

/// A place relative to the parent.
#[derive(Debug, Clone, Copy)]
struct Local {
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
}

/// The nodes of a file.
#[derive(Debug, Clone)]
pub(super) struct Skeleton {
    parents: Vec<Option<usize>>,
    locals: Vec<Local>,
    /// The matrices of nodes that have one and are not animated.
    matrices: Vec<Option<DAffine3>>,
    /// Parents before children.
    order: Vec<usize>,
}

impl Skeleton {
    pub(super) fn new(
        document: &Document,
        tracks: &[Track],
        file: &str,
    ) -> Result<Self, ReadError> {
        let nodes = &document.nodes;
        let parents = parents(nodes, file)?;
        let order = order(nodes, &parents, file)?;
        let mut matrices: Vec<Option<DAffine3>> = nodes.iter().map(matrix).collect();
        let mut locals: Vec<Local> = nodes.iter().map(local).collect();
        for track in tracks.iter().filter(|track| track.property != Property::Weights) {
            // glTF forbids animating a node that has a matrix; files do it all the same.
            if let Some(matrix) = matrices[track.node].take() {
                let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
                locals[track.node] = Local { translation, rotation, scale };
            }
        }
        let finite = |index: usize| {
            let Local { translation, rotation, scale } = locals[index];
            let own = matrices[index].is_none_or(|m| m.is_finite());
            own && translation.is_finite() && rotation.is_finite() && scale.is_finite()
        };
        if let Some(node) = (0..nodes.len()).find(|&node| !finite(node)) {
            let problem = format!("node {node} has a place that is not finite: export it again");
            return Err(ReadError::file(file, problem));
        }
        Ok(Self { parents, locals, matrices, order })
    }

    /// From every node to the world, with the tracks at a time [s].
    pub(super) fn worlds(&self, tracks: &[Track], time: f64) -> Vec<DAffine3> {
        let mut locals = self.locals.clone();
        for track in tracks.iter().filter(|track| track.property != Property::Weights) {
            let value = track.sample(time);
            let local = &mut locals[track.node];
            match track.property {
                Property::Translation => local.translation = Vec3::from_slice(&value),
                Property::Scale => local.scale = Vec3::from_slice(&value),
                Property::Rotation => local.rotation = quaternion(&value),
                Property::Weights => {}
            }
        }
        let mut worlds = vec![DAffine3::IDENTITY; locals.len()];
        for &node in &self.order {
            let Local { translation, rotation, scale } = locals[node];
            let own = self.matrices[node].unwrap_or_else(|| {
                DAffine3::from_scale_rotation_translation(scale, rotation, translation)
            });
            worlds[node] = self.parents[node].map_or(own, |parent| worlds[parent] * own);
        }
        worlds
    }

    /// The nodes that are inside or below one that is.
    pub(super) fn spread(&self, mut inside: Vec<bool>) -> Vec<bool> {
        for &node in &self.order {
            inside[node] |= self.parents[node].is_some_and(|parent| inside[parent]);
        }
        inside
    }
}

fn matrix(node: &Node) -> Option<DAffine3> {
    node.matrix.map(|columns| DAffine3::from_mat4(DMat4::from_cols_array(&columns)))
}

fn local(node: &Node) -> Local {
    Local {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from),
        rotation: node.rotation.map_or(Quat::IDENTITY, |xyzw| quaternion(&xyzw)),
        scale: node.scale.map_or(Vec3::ONE, Vec3::from),
    }
}

fn parents(nodes: &[Node], file: &str) -> Result<Vec<Option<usize>>, ReadError> {
    let mut parents = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let slot = parents.get_mut(child).ok_or_else(|| {
                let problem = format!(
                    "node {parent} has the child {child}, but the file has {} nodes",
                    nodes.len()
                );
                ReadError::file(file, problem)
            })?;
            if let Some(other) = slot.replace(parent) {
                let problem = format!("node {child} is below both node {other} and node {parent}");
                return Err(ReadError::file(file, problem));
            }
        }
    }
    Ok(parents)
}

/// Parents before children; refuses nodes that are below themselves.
fn order(nodes: &[Node], parents: &[Option<usize>], file: &str) -> Result<Vec<usize>, ReadError> {
    let mut order: Vec<usize> = (0..nodes.len()).filter(|&node| parents[node].is_none()).collect();
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        order.extend(&nodes[node].children);
        at += 1;
    }
    if order.len() == nodes.len() {
        return Ok(order);
    }
    let mut reached = vec![false; nodes.len()];
    for &node in &order {
        reached[node] = true;
    }
    let lost = reached.iter().position(|reached| !reached).unwrap_or(0);
    Err(ReadError::file(file, format!("node {lost} is below itself: export the file again")))
}
