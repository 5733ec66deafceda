//! Draws the figure: `poses DIRECTORY [WORD …]` writes one contact sheet a WORD.

use muslin::math::Vec3;
use muslin_figure::{Figure, Girth, PoseData, Proportions, Stance};
use muslin_render::{Camera, Ground, Image, Settings, Surface, contact_sheet, render};
use std::error::Error;
use std::path::Path;

/// A view: its name and the direction from the figure to the camera.
const VIEWS: [(&str, Vec3); 4] = [
    ("front", Vec3::new(0.0, -1.0, 0.08)),
    ("three-quarter", Vec3::new(0.7, -0.75, 0.15)),
    ("side", Vec3::new(1.0, 0.0, 0.08)),
    ("back", Vec3::new(0.0, 1.0, 0.08)),
];

fn picture(figure: &Figure, pose: &PoseData, towards: Vec3, size: [u32; 2]) -> Result<Image, Box<dyn Error>> {
    let mut x = figure.mesh().positions.clone();
    figure.positions(pose, &mut x);
    let height = figure.proportions().height;
    let target = Vec3::new(pose.root.x, pose.root.y, 0.5 * height);
    let camera = Camera {
        eye: target + towards * (2.35 * height),
        target,
        up: Vec3::Z,
        vertical_fov: 0.49,
    };
    let settings = Settings {
        width: size[0],
        height: size[1],
        ground: Some(Ground::at(0.0)),
        ..Settings::default()
    };
    Ok(render(&[Surface::body(&x, &figure.mesh().triangles)], &camera, &settings)?)
}

fn sheet(
    figure: &Figure,
    poses: &[(String, PoseData)],
    views: &[(&str, Vec3)],
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    for (name, pose) in poses {
        for (view, towards) in views {
            images.push(picture(figure, pose, *towards, [420, 560])?);
            labels.push(format!("{name} {view}"));
        }
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    contact_sheet(&images, &labels, 4).write_png(path)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give a directory for the pictures")?;
    let words: Vec<String> = arguments.collect();
    let asked = |word: &str| words.is_empty() || words.iter().any(|w| w == word);
    let folder = Path::new(&folder);
    for (build, proportions) in [("woman", Proportions::woman()), ("man", Proportions::man())] {
        if !asked(build) {
            continue;
        }
        let start = std::time::Instant::now();
        let figure = Figure::new(&proportions)?;
        eprintln!("{build}: {} triangles, {:?}", figure.mesh().triangles.len(), start.elapsed());
        for girth in Girth::ALL {
            eprintln!("  {girth:?}: {:.3} of {:.3}", figure.girth(girth), girth.asked(&proportions));
        }
        let rest = [("a".to_owned(), PoseData::REST)];
        sheet(&figure, &rest, &VIEWS, &folder.join(format!("{build}.png")))?;
        let poses: Vec<_> = [Stance::T, Stance::Stand, Stance::Sit]
            .into_iter()
            .map(|s| (format!("{s:?}"), s.pose(figure.skeleton())))
            .collect();
        if asked("stances") {
            sheet(&figure, &poses, &VIEWS, &folder.join(format!("{build}-stances.png")))?;
        }
    }
    Ok(())
}
