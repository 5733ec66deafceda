//! Which nodes and animations of a file to take, by name.

use super::{Choice, document::Document, skeleton::Skeleton};
use crate::formats::ReadError;

/// The nodes to take, in file order.
pub(super) fn chosen(
    skeleton: &Skeleton,
    document: &Document,
    choice: Choice,
    file: &str,
) -> Result<Vec<usize>, ReadError> {
    let mut taken = in_scene(skeleton, document, file)?;
    if let Some(name) = choice.node {
        let mut inside = vec![false; document.nodes.len()];
        for node in 0..document.nodes.len() {
            let mesh = document.nodes[node].mesh.and_then(|mesh| document.meshes.get(mesh));
            let mesh = mesh.and_then(|mesh| mesh.name.as_deref());
            inside[node] = document.nodes[node].name.as_deref() == Some(name) || mesh == Some(name);
        }
        if !inside.contains(&true) {
            let names = document.nodes.iter().map(|node| node.name.as_deref());
            return Err(missing(file, "node or mesh", name, names));
        }
        let inside = skeleton.spread(inside);
        taken.retain(|&node| inside[node]);
    }
    if let Some(name) = choice.skin {
        let found = document.skins.iter().position(|skin| skin.name.as_deref() == Some(name));
        let Some(skin) = found else {
            let names = document.skins.iter().map(|skin| skin.name.as_deref());
            return Err(missing(file, "skin", name, names));
        };
        taken.retain(|&node| document.nodes[node].skin == Some(skin));
    }
    Ok(taken)
}

/// The nodes of the scene that the file shows first; all where it names none.
fn in_scene(skeleton: &Skeleton, document: &Document, file: &str) -> Result<Vec<usize>, ReadError> {
    let count = document.nodes.len();
    let Some(scene) = document.scenes.get(document.scene.unwrap_or(0)) else {
        return Ok((0..count).collect());
    };
    let mut inside = vec![false; count];
    for &root in &scene.nodes {
        let slot = inside.get_mut(root).ok_or_else(|| {
            let problem = format!("the scene shows node {root}, but the file has {count}");
            ReadError::file(file, problem)
        })?;
        *slot = true;
    }
    let inside = skeleton.spread(inside);
    Ok((0..count).filter(|&node| inside[node]).collect())
}

/// Something that was asked for by name and is not there.
pub(super) fn missing<'a>(
    file: &str,
    kind: &str,
    name: &str,
    present: impl Iterator<Item = Option<&'a str>>,
) -> ReadError {
    let names: Vec<String> =
        present.flatten().take(8).map(|present| format!("`{present}`")).collect();
    let advice = if names.is_empty() {
        "it names none, so leave that out".to_owned()
    } else {
        format!("choose {}", names.join(", "))
    };
    ReadError::file(file, format!("there is no {kind} `{name}` in it: {advice}"))
}
