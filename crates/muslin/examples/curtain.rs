//! Two curtains in a draught that turns while it runs: how to embed curtains, and what a frame costs.
//!
//! `cargo run --release -p muslin --example curtain` prints buffer sizes and a line a second;
//! `cargo run --release -p muslin --example curtain -- FOLDER` also writes these frames as OBJ files into an
//! existing folder.

#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use muslin::curtain::{
    Curtain, CurtainSpec, Environment, Obstacle, PanelSpec, Rail, Shape, Top, folds,
};
use muslin::math::{Quat, Vec3};
use muslin::wind::{Turbulence, Wind};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// Seconds per frame.
const FRAME: f64 = 1.0 / 60.0;
/// Frames between the lines.
const SECOND: u32 = 60;

/// A curtain 2.1 m wide, in waves, on 1 m of rail.
fn panel(from: f64, to: f64, seed: u64) -> PanelSpec {
    let rail = Rail::fixed(Vec3::new(from, 0.0, 2.3), Vec3::new(to, 0.0, 2.3));
    PanelSpec {
        rows: 30,
        height: 2.2,
        gaps: folds::uneven(folds::wave(14, 2.1, 4), 0.4, seed),
        top: Top::Rail(rail),
        ..PanelSpec::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let panels = vec![panel(-1.05, -0.02, 1), panel(1.05, 0.02, 2)];
    let mut curtain = Curtain::new(&CurtainSpec { panels, ..CurtainSpec::default() })?;
    println!(
        "{} nodes; buffers: {} vertices, {} normals, {} indices ({} triangles)",
        curtain.nodes().len(),
        curtain.positions().len(),
        curtain.normals().len(),
        curtain.indices().len(),
        curtain.triangles().len()
    );
    let chair = Shape::Box {
        center: Vec3::new(0.6, -0.7, 0.3),
        half: Vec3::new(0.3, 0.3, 0.3),
        rotation: Quat::IDENTITY,
    };
    let obstacles = [Obstacle::still(chair, 0.3)];
    let mut draught = Wind::uniform(Vec3::ZERO);
    draught.turbulence = Turbulence { seed: 1, intensity: 0.4, scale: 1.0 };
    let mut slowest = 0.0_f64;
    for frame in 0..8 * SECOND {
        let time = f64::from(frame) * FRAME;
        // Anything may change from frame to frame: here the wind turns about the window.
        let (across, out) = (0.5 * time).sin_cos();
        draught.source = Wind::uniform(Vec3::new(across, -2.0 * out.abs(), 0.0)).source;
        let environment = Environment {
            winds: std::slice::from_ref(&draught),
            obstacles: &obstacles,
            time,
            ..Environment::default()
        };
        let clock = Instant::now();
        let report = *curtain.update(FRAME, &environment)?;
        slowest = slowest.max(clock.elapsed().as_secs_f64());
        if (frame + 1).is_multiple_of(SECOND) {
            println!(
                "{:.0} s: slowest frame {:.2} ms, {} contacts with the chair, {} left inside",
                time,
                1e3 * slowest,
                report.obstacle_contacts,
                report.inside()
            );
            slowest = 0.0;
            if let Some(folder) = std::env::args().nth(1) {
                write_obj(&curtain, &Path::new(&folder).join(format!("curtain-{frame:04}.obj")))?;
            }
        }
    }
    Ok(())
}

fn write_obj(curtain: &Curtain, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for x in curtain.positions() {
        writeln!(text, "v {} {} {}", x.x, x.y, x.z)?;
    }
    for n in curtain.normals() {
        writeln!(text, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    for t in curtain.triangles() {
        let [a, b, c] = t.map(|v| v + 1);
        writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    std::fs::write(path, text)?;
    Ok(())
}
