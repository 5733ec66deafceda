//! Draws the figure: `poses DIRECTORY [WORD …]` writes contact sheets of the WORDs `woman`, `man`,
//! `stances`, `motions` or a motion's name, and of `.bvh` files; without any, of all but files.

use muslin::math::Vec3;
use muslin_figure::bvh::{Bvh, Clip, ClipRange};
use muslin_figure::{Figure, Girth, Motion, PoseData, Proportions, Stance};
use muslin_render::{Camera, Ground, Image, Settings, Surface, contact_sheet, render};
use std::error::Error;
use std::path::Path;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Views: name and direction from the figure to the camera.
const VIEWS: [(&str, Vec3); 4] = [
    ("front", Vec3::new(0.0, -1.0, 0.08)),
    ("three-quarter", Vec3::new(0.7, -0.75, 0.15)),
    ("side", Vec3::new(1.0, 0.0, 0.08)),
    ("back", Vec3::new(0.0, 1.0, 0.08)),
];

fn picture(figure: &Figure, pose: &PoseData, towards: Vec3, height: u32) -> Outcome<Image> {
    let mut x = figure.mesh().positions.clone();
    figure.positions(pose, &mut x);
    let size = figure.proportions().height;
    let target = Vec3::new(pose.root.x, pose.root.y, 0.5 * size);
    let eye = target + towards * (2.3 * size);
    let camera = Camera { eye, target, up: Vec3::Z, vertical_fov: 0.49 };
    let ground = Some(Ground::at(0.0));
    let settings = Settings {
        width: height * 3 / 4,
        height,
        ambient_occlusion_samples: 4,
        soft_shadow_samples: 2,
        samples: 4,
        ground,
        ..Settings::default()
    };
    Ok(render(&[Surface::body(&x, &figure.mesh().triangles)], &camera, &settings)?)
}

/// A sheet of poses, each from all `views`.
fn sheet(
    figure: &Figure,
    poses: &[(String, PoseData)],
    views: &[(&str, Vec3)],
    (height, columns): (u32, usize),
    path: &Path,
) -> Outcome<()> {
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    for (name, pose) in poses {
        for (view, towards) in views {
            images.push(picture(figure, pose, *towards, height)?);
            labels.push(format!("{name} {view}"));
        }
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    contact_sheet(&images, &labels, columns).write_png(path)?;
    Ok(())
}

/// Eight moments of a motion.
fn moments(motion: &Motion, from: f64, to: f64) -> Vec<(String, PoseData)> {
    let at = |k: i32| from + (to - from) * f64::from(k) / 8.0;
    (0..8).map(|k| (format!("{:.2} s", at(k)), motion.at(at(k)))).collect()
}

fn report(name: &str, figure: &Figure) {
    eprintln!("{name}: {} triangles", figure.mesh().triangles.len());
    for girth in Girth::ALL {
        let (got, asked) = (figure.girth(girth), girth.asked(figure.proportions()));
        eprintln!("  {girth:?}: {got:.3} m of {asked:.3} m");
    }
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give a directory for the pictures")?;
    let folder = Path::new(&folder);
    let words: Vec<String> = arguments.collect();
    let asked = |word: &str| words.is_empty() || words.iter().any(|w| w == word);
    let woman = Figure::new(&Proportions::woman())?;
    let rest = [("a".to_owned(), PoseData::REST)];
    if asked("woman") {
        report("woman", &woman);
        sheet(&woman, &rest, &VIEWS, (640, 4), &folder.join("woman.png"))?;
    }
    if asked("man") {
        let man = Figure::new(&Proportions::man())?;
        report("man", &man);
        sheet(&man, &rest, &VIEWS, (640, 4), &folder.join("man.png"))?;
    }
    if asked("stances") {
        let pose = |s: Stance| (format!("{s:?}"), s.pose(woman.skeleton()));
        let poses = [Stance::T, Stance::Stand, Stance::Sit].map(pose);
        sheet(&woman, &poses, &VIEWS, (360, 4), &folder.join("stances.png"))?;
    }
    for name in Motion::NAMES {
        let Some(motion) = Motion::by_name(name, woman.skeleton()) else { continue };
        let length = match &motion {
            Motion::Gait(gait) => gait.cycle(),
            Motion::Keyed(keyed) => keyed.period(),
            _ => continue,
        };
        if asked("motions") || asked(name) {
            let path = folder.join(format!("{name}.png"));
            sheet(&woman, &moments(&motion, 0.0, length), &VIEWS[1..3], (300, 8), &path)?;
        }
    }
    let is_file = |path: &&Path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bvh"));
    for file in words.iter().map(Path::new).filter(is_file) {
        let bvh = Bvh::parse(&std::fs::read(file)?)?;
        let clip = Clip::new(&bvh, woman.skeleton(), ClipRange::default())?;
        let poses = moments(&Motion::Clip(clip.clone()), 0.0, clip.duration());
        let path = folder.join(file.file_name().unwrap_or_default()).with_extension("png");
        sheet(&woman, &poses, &VIEWS[1..3], (300, 8), &path)?;
    }
    Ok(())
}
