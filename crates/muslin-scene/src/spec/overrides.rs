//! `--set cloth.sheet.fabric=denim`: values given on the command line win over the file's.

use super::error::{KeyPath, Place, Problem, SceneError, SceneErrorKind, Sources, listed};
use super::node::{Entry, Node, Value};
use super::suggest::did_you_mean;

/// Keys that hold lists of tables; a path into one needs an index or a name.
const LISTS: [&str; 8] = ["cloth", "body", "wind", "pin", "attach", "seam", "stick", "panel"];

/// Keys that may be written as one string, and what the string then is.
const STRING_FORMS: [(&str, &str); 7] = [
    ("fabric", "base"),
    ("mesh", "file"),
    ("initial", "file"),
    ("pattern", "file"),
    ("gltf", "file"),
    ("select", "group"),
    ("select_to", "group"),
];

/// Puts the override `text`, `path=value`, into the scene.
pub(super) fn apply(root: &mut Node, text: &str, sources: &mut Sources) -> Result<(), SceneError> {
    let source = sources.add("--set", text);
    let sources = &*sources;
    let whole = Place { source, span: 0..text.len() };
    let fail = |message: String, expected: &str, help: String, place: &Place| {
        let problem = Problem::new(SceneErrorKind::Override, &KeyPath::default(), message);
        sources.error(problem.expected(expected).help(help), place)
    };
    let Some((path, value)) = text.split_once('=') else {
        return Err(fail(
            format!("the override `{text}` has no `=`"),
            "key.path=value",
            "write it like solver.steps_per_frame=8".to_owned(),
            &whole,
        ));
    };
    let steps = split(path, source);
    if steps.iter().any(|step| step.key.is_empty()) || steps.len() > super::nesting::MAX_DEPTH {
        return Err(fail(
            format!("`{}` is not a path of keys", path.trim()),
            "keys joined by dots",
            "write it like cloth.0.fabric=denim".to_owned(),
            &whole,
        ));
    }
    let value = read_value(value, (source, path.len() + 1), sources)?;
    put(root, "", &steps, value).map_err(|(message, help, place)| {
        fail(message, "the path of a key of a scene", help, &place)
    })
}

/// One key, index or name of an override's path.
struct Step {
    key: String,
    place: Place,
}

fn split(path: &str, source: usize) -> Vec<Step> {
    let mut start = 0;
    path.split('.')
        .map(|part| {
            let begin = start + (part.len() - part.trim_start().len());
            start += part.len() + 1;
            let key = part.trim().to_owned();
            let place = Place { source, span: begin..begin + key.len() };
            Step { key, place }
        })
        .collect()
}

/// The value as TOML, or else as the text it is.
fn read_value(
    value: &str,
    (source, offset): (usize, usize),
    sources: &Sources,
) -> Result<Node, SceneError> {
    let trimmed = value.trim();
    let offset = offset + (value.len() - value.trim_start().len());
    match Node::parse_value(trimmed, (source, offset), sources) {
        Ok(node) => Ok(node),
        Err(error)
            if error.kind == SceneErrorKind::Syntax && !trimmed.starts_with(['[', '{', '"']) =>
        {
            let place = Place { source, span: offset..offset + trimmed.len() };
            Ok(Node { value: Value::Text(trimmed.to_owned()), place })
        }
        Err(error) => Err(error),
    }
}

type Misfit = (String, String, Place);

fn put(node: &mut Node, name: &str, steps: &[Step], value: Node) -> Result<(), Misfit> {
    let Some((step, rest)) = steps.split_first() else {
        *node = value;
        return Ok(());
    };
    match &mut node.value {
        Value::List(list) => put(item(list, name, step)?, &step.key, rest, value),
        Value::Table(entries) => put(entry(entries, step, rest)?, &step.key, rest, value),
        _ => Err((
            format!("there is no `{}` in `{name}`, which is {}", step.key, node.kind()),
            "leave it out of the path".to_owned(),
            step.place.clone(),
        )),
    }
}

/// The item of a list with this index or name.
fn item<'a>(list: &'a mut [Node], name: &str, step: &Step) -> Result<&'a mut Node, Misfit> {
    let names: Vec<String> =
        list.iter().filter_map(|node| node.text("name").map(str::to_owned)).collect();
    let index = match step.key.parse::<usize>() {
        Ok(index) => Some(index),
        Err(_) => list.iter().position(|node| node.text("name") == Some(&step.key)),
    };
    let count = list.len();
    index.and_then(|index| list.get_mut(index)).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let help = match did_you_mean(&step.key, &known) {
            Some(close) => format!("did you mean `{close}`?"),
            None if known.is_empty() => format!("give an index below {count}"),
            None => format!("give an index below {count}, or one of {}", listed(&known, "and")),
        };
        (format!("there is no `{}` in `{name}`", step.key), help, step.place.clone())
    })
}

/// The value of a key, made where it is not there yet.
fn entry<'a>(
    entries: &'a mut Vec<Entry>,
    step: &Step,
    rest: &[Step],
) -> Result<&'a mut Node, Misfit> {
    let found = entries.iter().position(|entry| entry.key == step.key);
    let index = match found {
        Some(index) => index,
        None if !rest.is_empty() && LISTS.contains(&step.key.as_str()) => {
            let message = format!("there is no `{}` in the scene to change", step.key);
            let help = format!("add a `[[{}]]` to the file", step.key);
            return Err((message, help, step.place.clone()));
        }
        None => {
            let node = Node { value: Value::Table(Vec::new()), place: step.place.clone() };
            entries.push(Entry { key: step.key.clone(), key_place: step.place.clone(), node });
            entries.len() - 1
        }
    };
    let entry = &mut entries[index];
    if rest.is_empty() {
        entry.key_place = step.place.clone();
        return Ok(&mut entry.node);
    }
    let main_key = STRING_FORMS.iter().find(|(key, _)| *key == entry.key).map(|pair| pair.1);
    if let (Some(main_key), Value::Text(_)) = (main_key, &entry.node.value) {
        let place = entry.node.place.clone();
        let text = std::mem::replace(
            &mut entry.node,
            Node { value: Value::Table(Vec::new()), place: place.clone() },
        );
        entry.node.value =
            Value::Table(vec![Entry { key: main_key.to_owned(), key_place: place, node: text }]);
    }
    Ok(&mut entry.node)
}
