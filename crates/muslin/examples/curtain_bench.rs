//! Times the real-time curtain scenes: median and worst 1 % of frames, what collisions found and
//! left, and how the cost grows with the number of nodes.
//!
//! `curtain_bench [--frames N] [--scene NAME | --nodes N [--collide]] [--growth] [--obj DIR --every K]`
//!
//! `--nodes` runs one curtain of that size, for counting instructions (`tools/count_instructions.sh`).

use muslin::curtain::scenes::{Scene, sized};
use muslin::curtain::{CollisionSpec, CurtainError, Report};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

const FRAME: f64 = 1.0 / 60.0;

struct Options {
    frames: usize,
    scene: Option<String>,
    nodes: Option<usize>,
    collide: bool,
    growth: bool,
    obj: Option<PathBuf>,
    every: usize,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        frames: 600,
        scene: None,
        nodes: None,
        collide: false,
        growth: false,
        obj: None,
        every: 60,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--frames" => options.frames = value()?.parse()?,
            "--scene" => options.scene = Some(value()?),
            "--nodes" => options.nodes = Some(value()?.parse()?),
            "--collide" => options.collide = true,
            "--growth" => options.growth = true,
            "--obj" => options.obj = Some(value()?.into()),
            "--every" => options.every = value()?.parse()?,
            _ => return Err(format!("unknown option {word}").into()),
        }
    }
    Ok(options)
}

/// Seconds of every frame and the sums and maxima of the reports.
#[derive(Default)]
struct Measured {
    seconds: Vec<f64>,
    total: Report,
}

impl Measured {
    fn add(&mut self, seconds: f64, report: &Report) {
        self.seconds.push(seconds);
        let total = &mut self.total;
        total.substeps = total.substeps.max(report.substeps);
        total.width_excess = total.width_excess.max(report.width_excess);
        total.pairs_tested += report.pairs_tested;
        total.contacts += report.contacts;
        total.obstacle_contacts += report.obstacle_contacts;
        total.zones += report.zones;
        total.contacts_left += report.contacts_left;
        total.vertices_inside += report.vertices_inside;
        total.edges_inside += report.edges_inside;
        total.corners_inside += report.corners_inside;
        total.deepest = total.deepest.max(report.deepest);
        total.contacts_dropped += report.contacts_dropped;
    }

    /// Median and 99th percentile [ms].
    fn milliseconds(&self) -> (f64, f64) {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize] * 1e3;
        (at(0.5), at(0.99))
    }
}

fn run(scene: &mut Scene, options: &Options, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut measured = Measured::default();
    for frame in 0..options.frames {
        let start = Instant::now();
        let report = *scene.frame(FRAME)?;
        measured.add(start.elapsed().as_secs_f64(), &report);
        if let Some(folder) = options.obj.as_deref()
            && (frame + 1).is_multiple_of(options.every)
        {
            write_obj(folder, scene, frame + 1)?;
        }
    }
    let (median, worst) = measured.milliseconds();
    let t = &measured.total;
    writeln!(
        out,
        "{:<13} {:>6} nodes {:>6} vertices  median {median:.4} ms  worst 1 % {worst:.4} ms  substeps {}",
        scene.name,
        scene.curtain.nodes().len(),
        scene.curtain.positions().len(),
        t.substeps,
    )?;
    writeln!(
        out,
        "    width excess {:.3} %  pairs {}  contacts {} (left {}, dropped {})  zones {}  obstacle {} \
         (inside {}, deepest {:.1} mm)",
        t.width_excess * 100.0,
        t.pairs_tested,
        t.contacts,
        t.contacts_left,
        t.contacts_dropped,
        t.zones,
        t.obstacle_contacts,
        t.inside(),
        t.deepest * 1e3,
    )?;
    Ok(())
}

/// Median time of a step from 240 to 250,000 nodes, and the exponent of a straight line through
/// the logarithms.
fn growth(collisions: CollisionSpec, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut points = Vec::new();
    for nodes in [240, 1_000, 4_000, 16_000, 64_000, 250_000] {
        let mut scene = sized(nodes, collisions)?;
        let mut measured = Measured::default();
        for _ in 0..(400_000 / nodes).clamp(12, 400) {
            let start = Instant::now();
            let report = *scene.frame(FRAME)?;
            measured.add(start.elapsed().as_secs_f64(), &report);
        }
        let count = scene.curtain.nodes().len() as f64;
        let (median, _) = measured.milliseconds();
        let each = median * 1e6 / count;
        writeln!(out, "    {count:>7} nodes  {median:.4} ms  {each:.0} ns a node")?;
        points.push((count.ln(), median.ln()));
    }
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = mean(&|p| (p.0 - mx) * (p.1 - my)) / mean(&|p| (p.0 - mx) * (p.0 - mx));
    writeln!(out, "    exponent {slope:.3}")?;
    Ok(())
}

fn write_obj(folder: &Path, scene: &Scene, frame: usize) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{}-{frame:05}.obj", scene.name));
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for x in scene.curtain.positions() {
        writeln!(file, "v {} {} {}", x.x, x.y, x.z)?;
    }
    for n in scene.curtain.normals() {
        writeln!(file, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    for t in scene.curtain.triangles() {
        let [a, b, c] = t.map(|v| v + 1);
        writeln!(file, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    Ok(())
}

fn scenes(options: &Options) -> Result<Vec<Scene>, CurtainError> {
    if let Some(nodes) = options.nodes {
        let collisions =
            if options.collide { CollisionSpec::default() } else { CollisionSpec::OFF };
        return Ok(vec![sized(nodes, collisions)?]);
    }
    let chosen = |s: &Scene| options.scene.as_deref().is_none_or(|name| name == s.name);
    Ok(Scene::all()?.into_iter().filter(chosen).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let mut out = std::io::stdout();
    for mut scene in scenes(&options)? {
        run(&mut scene, &options, &mut out)?;
    }
    if options.growth {
        writeln!(out, "growth without collisions")?;
        growth(CollisionSpec::OFF, &mut out)?;
        writeln!(out, "growth with collisions")?;
        growth(CollisionSpec::default(), &mut out)?;
    }
    Ok(())
}
