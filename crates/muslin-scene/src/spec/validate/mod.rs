//! Checks that types cannot make: ranges, units, names, files, exactly-one-of (R6).

mod body;
mod cloth;
mod constraint;
mod crease;
mod mannequin;
mod realtime;
mod rules;
mod scene;

use super::SceneSpec;
use super::error::{KeyPath, Problem, SceneErrorKind, listed};
use super::suggest::did_you_mean;

type Checked = Result<(), Problem>;

/// Checks everything; gives the first problem.
pub(super) fn validate(spec: &SceneSpec) -> Checked {
    let top = KeyPath::default();
    if spec.cloth.is_empty() {
        return Err(Problem::new(SceneErrorKind::WrongKeys, &top, "the scene has no cloth")
            .expected("at least one `[[cloth]]`")
            .help("add `[[cloth]]` and `grid = { size = [1, 1] }`"));
    }
    scene::check(spec, &top)?;
    realtime::scene(spec, &top)?;
    names(spec, &top)?;
    cloth::check_sizes(spec, &top)?;
    for (i, cloth) in spec.cloth.iter().enumerate() {
        cloth::check(spec, cloth, &top.key("cloth").index(i))?;
    }
    for (i, body) in spec.body.iter().enumerate() {
        body::check(spec, body, &top.key("body").index(i))?;
    }
    Ok(())
}

/// Cloths and bodies share one set of names, because attachments may name either.
fn names(spec: &SceneSpec, top: &KeyPath) -> Checked {
    let cloths = spec.cloth.iter().enumerate().map(|(i, cloth)| ("cloth", i, &cloth.name));
    let bodies = spec.body.iter().enumerate().map(|(i, body)| ("body", i, &body.name));
    let mut seen = std::collections::BTreeMap::new();
    for (kind, i, name) in cloths.chain(bodies) {
        if let Some((other, j)) = seen.insert(name, (kind, i)) {
            let path = top.key(kind).index(i).key("name");
            let message = format!("`{path}` is \"{name}\", but `{other}[{j}]` has that name");
            return Err(Problem::new(SceneErrorKind::WrongName, &path, message)
                .expected("a name that no other cloth or body has")
                .help(format!("call it \"{name}-2\"")));
        }
    }
    Ok(())
}

/// `name` must be one of `known` things of a `kind`.
fn known_name(path: &KeyPath, name: &str, kind: &str, known: &[&str]) -> Checked {
    if known.contains(&name) {
        return Ok(());
    }
    let message = format!("`{path}` names \"{name}\", but there is no {kind} of that name");
    let help = match did_you_mean(name, known) {
        Some(close) => format!("did you mean \"{close}\"?"),
        None => format!("give that name to a {kind}, or use one that is there"),
    };
    Err(Problem::new(SceneErrorKind::WrongName, path, message)
        .expected(format!("one of {}", listed(known, "and")))
        .help(help))
}

/// Exactly one of the keys `all` may be there; `given` are.
fn exactly_one(path: &KeyPath, given: &[&str], all: &[&str]) -> Checked {
    if given.len() == 1 {
        return Ok(());
    }
    let message = if given.is_empty() {
        format!("`{path}` has none of the keys that say what it is")
    } else {
        format!("`{path}` has {}, which exclude each other", listed(given, "and"))
    };
    let path = &given.get(1).map_or_else(|| path.clone(), |second| path.key(second));
    let help = match given.first() {
        Some(first) => format!("keep one of them, such as `{first}`"),
        None => format!("add one of them, such as `{}`", all.first().unwrap_or(&"")),
    };
    Err(Problem::new(SceneErrorKind::WrongKeys, path, message)
        .expected(format!("exactly one of {}", listed(all, "and")))
        .help(help))
}

/// A file the scene names must be there.
fn file(spec: &SceneSpec, path: &KeyPath, file: &str) -> Checked {
    if spec.given.mesh(file).is_some() || spec.path(file).is_file() {
        return Ok(());
    }
    let message = format!("`{path}` names the file \"{file}\", which is not there");
    let help = match similar_file(spec, file) {
        Some(close) => format!("did you mean \"{close}\"?"),
        None => "paths are relative to the scene file".to_owned(),
    };
    let expected = format!("a file at \"{}\"", spec.path(file).display());
    Err(Problem::new(SceneErrorKind::MissingFile, path, message).expected(expected).help(help))
}

/// A file in the same folder with almost the same name.
fn similar_file(spec: &SceneSpec, file: &str) -> Option<String> {
    const MOST: usize = 1000;
    let wanted = std::path::Path::new(file);
    let folder = spec.folder.join(wanted.parent()?);
    let folder = if folder.as_os_str().is_empty() { ".".into() } else { folder };
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .take(MOST)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let close = did_you_mean(wanted.file_name()?.to_str()?, &known)?;
    Some(wanted.with_file_name(close).display().to_string())
}
