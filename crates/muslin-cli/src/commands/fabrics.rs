//! `muslin fabrics`: the library, one of its fabrics, or one from laboratory numbers.

mod lab;

use crate::console::Console;
use crate::text::{number, table, wrap};
use crate::{Failure, Outcome};
use clap::Args;
use muslin::fabric::{Entry, Fabric, Range, Source, library};
use serde_json::{Value, json};

/// Arguments of `muslin fabrics`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  muslin fabrics                     all fabrics with their main numbers
  muslin fabrics denim               all numbers of one, where they come from, and its TOML
  muslin fabrics --from-lab weight=168g/m2 bending_length=15mm,14.5mm emt=5 kes_shear=0.6

Numbers of a lab sheet (two values: warp,weft; one value: both):
  weight          kg/m2, or g/m2, oz/yd2, momme       base        fabric for what was not measured
  thickness       m, or cm, mm                        bending_length, overhang    m, or cm, mm
  kes_bending     B of KES-F [gf cm2/cm]              emt         EMT of KES-F [percent]
  kes_shear       G of KES-F [gf/(cm degree)]         bias_extension  EB5 of FAST [percent]
  stretch         force per width ÷ strain [N/m]")]
pub struct FabricsArguments {
    /// The fabric to show; all of them when not given
    #[arg(value_name = "NAME", conflicts_with = "from_lab")]
    pub name: Option<String>,
    /// Make a fabric from laboratory numbers
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub from_lab: Option<Vec<String>>,
}

/// Lists the fabrics, shows one, or makes one.
pub fn fabrics(arguments: &FabricsArguments, console: Console) -> Result<Outcome, Failure> {
    if let Some(numbers) = &arguments.from_lab {
        let fabric = lab::fabric(numbers)?;
        console.answer(&toml(&fabric))?;
        console.object(&json!({ "fabric": values(&fabric) }))?;
    } else if let Some(name) = &arguments.name {
        let entry = entry(name)?;
        console.answer(&describe(entry))?;
        console.object(&detail(entry))?;
    } else {
        console.answer(&list())?;
        let entries: Vec<Value> = library().iter().map(detail).collect();
        console.object(&json!({ "fabrics": entries }))?;
    }
    Ok(Outcome::Done)
}

/// The entry of that name, as lenient as [`Fabric::named`].
fn entry(name: &str) -> Result<&'static Entry, Failure> {
    let fabric = Fabric::named(name)?;
    let found = library().iter().find(|entry| entry.fabric == fabric);
    found.ok_or_else(|| Failure::new("unknown-fabric", name, format!("no fabric `{name}`")))
}

fn list() -> String {
    let header = ["fabric", "g/m²", "mm", "stretch N/m", "shear N/m", "bending µN·m", ""];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for Entry { name, description, fabric, .. } in library() {
        let pair =
            |[u, v]: [f64; 2], unit: f64| format!("{} {}", number(u / unit), number(v / unit));
        rows.push(vec![
            (*name).to_owned(),
            number(fabric.density * 1e3),
            number(fabric.thickness * 1e3),
            pair(fabric.stretch, 1.0),
            number(fabric.shear),
            pair(fabric.bending, 1e-6),
            (*description).to_owned(),
        ]);
    }
    table(&rows)
}

/// Everything about one fabric, for a person.
fn describe(entry: &Entry) -> String {
    let published = &entry.published;
    let fabric = &entry.fabric;
    let row = |name: &str, values: &[f64], unit: &str, range: &Range| {
        let values: Vec<String> = values.iter().map(|v| number(*v)).collect();
        let ordinary = format!("{} to {}", number(range.low), number(range.high));
        let source = format!("[{}]", range.source.letter());
        vec![name.to_owned(), values.join(" "), unit.to_owned(), ordinary, source]
    };
    let friction = [fabric.friction_static, fabric.friction_kinetic];
    let rows = [
        ["property", "value (warp weft)", "unit", "ordinary", "source"].map(str::to_owned).to_vec(),
        row("density", &[fabric.density], "kg/m²", &published.density),
        row("thickness", &[fabric.thickness], "m", &published.thickness),
        row("stretch", &fabric.stretch, "N/m", &published.stretch),
        row("shear", &[fabric.shear], "N/m", &published.shear),
        row("bending", &fabric.bending, "N·m", &published.bending),
        row("friction", &friction, "static kinetic", &published.friction),
    ];
    let sources =
        Source::ALL.iter().filter(|source| ranges(entry).iter().any(|r| r.source == **source));
    let sources: Vec<String> = sources
        .map(|source| {
            format!("[{}] {}", source.letter(), wrap(source.citation(), 4, 92).trim_start())
        })
        .collect();
    format!(
        "{}: {}\n\n{}\n\n{}\n\nIn a scene file: fabric = \"{}\", or its numbers:\n\n{}",
        entry.name,
        entry.description,
        table(&rows),
        sources.join("\n"),
        entry.name,
        toml(fabric)
    )
}

fn ranges(entry: &Entry) -> [Range; 6] {
    let p = &entry.published;
    [p.density, p.thickness, p.stretch, p.shear, p.bending, p.friction]
}

fn detail(entry: &Entry) -> Value {
    let keys = ["density", "thickness", "stretch", "shear", "bending", "friction"];
    let published: serde_json::Map<String, Value> = keys
        .into_iter()
        .zip(ranges(entry))
        .map(|(key, range)| {
            let Range { low, high, source } = range;
            let value = json!({ "low": low, "high": high, "source": source.citation() });
            (key.to_owned(), value)
        })
        .collect();
    json!({
        "name": entry.name,
        "description": entry.description,
        "fabric": values(&entry.fabric),
        "published": published,
    })
}

/// The numbers of a fabric, SI units; a limit that is off is null.
fn values(fabric: &Fabric) -> Value {
    let limit = |limit: f64| limit.is_finite().then_some(limit);
    json!({
        "density": fabric.density,
        "thickness": fabric.thickness,
        "stretch": fabric.stretch,
        "shear": fabric.shear,
        "bending": fabric.bending,
        "stretch_damping": fabric.stretch_damping,
        "shear_damping": fabric.shear_damping,
        "bend_damping": fabric.bend_damping,
        "friction_static": fabric.friction_static,
        "friction_kinetic": fabric.friction_kinetic,
        "strain_limit": limit(fabric.strain_limit),
        "compression_limit": limit(fabric.compression_limit),
    })
}

/// The fabric as a table of a scene file.
fn toml(fabric: &Fabric) -> String {
    let relaxation = fabric.relaxation();
    let pair = |[u, v]: [f64; 2]| format!("[{}, {}]", number(u), number(v));
    let limit = |limit: f64| if limit.is_finite() { number(limit) } else { "\"off\"".to_owned() };
    format!(
        "[cloth.fabric]\ndensity = {}  # kg/m²\nthickness = {}  # m\nstretch = {}  # N/m\n\
         shear = {}  # N/m\nbending = {}  # N·m\n\
         damping = {{ stretch = {}, shear = {}, bend = {} }}  # s\n\
         friction_static = {}\nfriction_kinetic = {}\nstrain_limit = {}\n\
         strain_limit_compression = {}",
        number(fabric.density),
        number(fabric.thickness),
        pair(fabric.stretch),
        number(fabric.shear),
        pair(fabric.bending),
        number(relaxation.stretch),
        number(relaxation.shear),
        number(relaxation.bend),
        number(fabric.friction_static),
        number(fabric.friction_kinetic),
        limit(fabric.strain_limit),
        limit(fabric.compression_limit),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin_scene::spec::SceneSpec;

    #[test]
    fn the_toml_of_every_fabric_is_a_scene_file_with_its_numbers() {
        for entry in library() {
            let text = format!("[[cloth]]\ngrid = {{ size = [1, 1] }}\n{}", toml(&entry.fabric));
            let scene = SceneSpec::from_toml(&text, "fabric.toml", &[]).unwrap();
            let density = scene.cloth[0].fabric.density.unwrap();
            assert!((density / entry.fabric.density - 1.0).abs() < 1e-3, "{}", entry.name);
        }
    }
}
