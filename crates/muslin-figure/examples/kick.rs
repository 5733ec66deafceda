//! The four pictures of the sparse-particles paper's Figure 8, on the mannequin at the height of a kick:
//! coarse mesh, plain PN faces, the full method, and what its controls did.
//!
//! `cargo run --release -p muslin-figure --example kick -- kick.png` writes them side by side. In the
//! last one, yellow sticks are the plain normals, orange ones the controlled normals, purple ones the
//! folds, three times as long as they are high, as in the paper.

#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use muslin::body::BodyMesh;
use muslin::collide::aabb::Aabb;
use muslin::finish::Folds;
use muslin::math::{Quat, Vec3};
use muslin::motion::Pose;
use muslin::sparse::skirt::{PAPER_RINGS, SkirtShape};
use muslin::sparse::{
    Attachment, BodyPart, Garment, GarmentSettings, GarmentSpec, PartMesh, PartShape,
};
use muslin_figure::{Figure, Joint, Motion, Performance, PoseData, Proportions, Stance};
use muslin_render::{Bounds, Camera, Color, Settings, Shading, Surface, contact_sheet, render};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Seconds per frame, as in the paper.
const FRAME: f64 = 1.0 / 30.0;
/// The frame of the pictures: the leg is up.
const PICTURE_FRAME: u32 = 50;
/// How long the figure stands before it kicks [s].
const HOLD: f64 = 0.6;
/// Height of the waist of the skirt [m].
const WAIST: f64 = 1.03;
/// Distance that is drawn between skirt and body [m]: the skin of bent joints is outside of rigid parts.
const MARGIN: f64 = 0.006;
/// Times the height of a fold that its stick is long, or it would end where the cloth is drawn.
const FOLD_LENGTH: f64 = 3.0;
/// Least radius of the figure's ridges where the skirt reaches [m].
const ROUNDNESS: f64 = 0.04;

/// The mannequin as rigid pieces, one a bone.
struct Dancer {
    figure: Figure,
    performance: Performance,
    pieces: Vec<(Joint, Vec3, PartShape)>,
}

impl Dancer {
    fn new() -> Result<Self, Box<dyn Error>> {
        let figure = Figure::new(&Proportions::woman())?;
        let motion = Motion::by_name("kick", figure.skeleton()).ok_or("there is no kick")?;
        let from = Stance::Stand.pose(figure.skeleton());
        let performance = Performance { from, motion, start: 0.0, speed: 1.0, blend: 0.4 };
        let mut pieces = Vec::new();
        for part in figure.parts() {
            let bounds = Aabb::around(part.mesh.positions.iter().copied());
            let centre = (bounds.min + bounds.max) * 0.5;
            let positions = part.mesh.positions.iter().map(|x| *x - centre).collect();
            let mesh = BodyMesh { positions, triangles: part.mesh.triangles.clone() };
            let shape = PartShape::Mesh(Arc::new(PartMesh::rounded(&mesh, ROUNDNESS)?));
            pieces.push((part.joint, centre, shape));
        }
        Ok(Self { figure, performance, pieces })
    }

    fn pose(&self, t: f64) -> PoseData {
        self.performance.at(t - HOLD)
    }

    /// Where the pieces are at a time [s].
    fn poses(&self, t: f64) -> Vec<Pose> {
        let bones = self.figure.bone_transforms(&self.pose(t));
        let at = |centre: Vec3| Pose { rotation: Quat::IDENTITY, translation: centre };
        self.pieces.iter().map(|(j, centre, _)| bones[j.index()].after(&at(*centre))).collect()
    }

    fn body(&self) -> Vec<BodyPart> {
        let still = |(piece, pose): (&(Joint, Vec3, PartShape), Pose)| {
            BodyPart::still(piece.2.clone(), pose)
        };
        self.pieces.iter().zip(self.poses(0.0)).map(still).collect()
    }

    /// A skirt that hangs on the hips, at the frame of the pictures.
    fn kick(&self, settings: GarmentSettings) -> Result<Garment, Box<dyn Error>> {
        let shape = SkirtShape { hem: [0.27, 0.3], ..SkirtShape::with_rings(&PAPER_RINGS) };
        let (mesh, mut x) = shape.build()?;
        for x in &mut x {
            x.z += WAIST;
        }
        let mut body = self.body();
        let hips = self.pieces.iter().position(|piece| piece.0 == Joint::Hips).ok_or("no hips")?;
        let from_world = body[hips].pose.inverse();
        let attachments: Vec<Attachment> = (0..PAPER_RINGS[0])
            .map(|i| Attachment { particle: i as u32, part: hips, offset: from_world.apply(x[i]) })
            .collect();
        let spec =
            GarmentSpec { attachments: &attachments, settings, ..GarmentSpec::new(&mesh, &x) };
        let mut garment = Garment::new(&spec)?;
        for frame in 1..=PICTURE_FRAME {
            for (part, pose) in body.iter_mut().zip(self.poses(f64::from(frame) * FRAME)) {
                part.move_to(pose, FRAME);
            }
            garment.update(FRAME, &body)?;
        }
        Ok(garment)
    }
}

/// Sticks as thin pyramids, for a renderer that knows only triangles.
#[derive(Default)]
struct Sticks {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Sticks {
    fn add(&mut self, from: Vec3, way: Vec3) {
        const WIDTH: f64 = 0.004;
        let side = (way / way.length().max(1e-9)).any_orthonormal_vector() * WIDTH;
        let other = way.cross(side) / way.length().max(1e-9);
        let first = self.positions.len() as u32;
        self.positions.extend([from + side, from - side + other, from - side - other, from + way]);
        let faces = [[0, 1, 3], [1, 2, 3], [2, 0, 3], [0, 2, 1]];
        self.triangles.extend(faces.map(|t| t.map(|v: u32| first + v)));
    }

    fn surface(&self, [r, g, b]: [u8; 3]) -> Surface<'_> {
        let color = Color::from_srgb8(r, g, b);
        let shading = Shading::Flat;
        Surface {
            front: color,
            back: color,
            shading,
            ..Surface::cloth(&self.positions, &self.triangles)
        }
    }
}

/// Plain normals, controlled normals and folds of a garment.
fn sticks(garment: &Garment) -> [Sticks; 3] {
    let control = garment.surface().control_vectors();
    let mut sticks = [Sticks::default(), Sticks::default(), Sticks::default()];
    for ((x, n), m) in garment.particles().iter().zip(control.plain).zip(control.controlled) {
        sticks[0].add(*x, *n * 0.06);
        sticks[1].add(*x, *m * 0.06);
    }
    for (x, way) in control.folds.iter().filter(|(_, way)| way.length() > 1e-3) {
        sticks[2].add(*x, *way * FOLD_LENGTH);
    }
    sticks
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name the picture to write: kick.png")?;
    let dancer = Dancer::new()?;
    let mut settings = GarmentSettings { drawn_margin: Some(MARGIN), ..GarmentSettings::default() };
    let full = dancer.kick(settings)?;
    settings.curved.folds = Folds::None;
    settings.curved.normal_control = false;
    let plain = dancer.kick(settings)?;
    let mut skin = vec![Vec3::ZERO; dancer.figure.mesh().positions.len()];
    dancer.figure.positions(&dancer.pose(f64::from(PICTURE_FRAME) * FRAME), &mut skin);
    let figure = Surface::body(&skin, &dancer.figure.mesh().triangles);
    let mesh = full.surface().mesh();
    let coarse =
        Surface { shading: Shading::Flat, ..Surface::cloth(full.particles(), mesh.triangles()) };
    let sticks = sticks(&full);
    let smooth = Surface::cloth(full.positions(), full.triangles());
    let colors = [[240, 210, 40], [240, 120, 20], [130, 40, 170]];
    let mut drawn = vec![figure, smooth];
    drawn.extend(sticks.iter().zip(colors).map(|(sticks, color)| sticks.surface(color)));
    let scenes = [
        vec![figure, coarse],
        vec![figure, Surface::cloth(plain.positions(), plain.triangles())],
        vec![figure, smooth],
        drawn,
    ];
    let settings = Settings { width: 300, height: 300, ..Settings::default() };
    let camera = Camera {
        eye: Vec3::new(1.0, -1.6, 1.05),
        target: Vec3::new(0.0, -0.1, 0.85),
        vertical_fov: 34f64.to_radians(),
        ..Camera::framing(Bounds::of_points(&skin), settings.aspect(), Vec3::Z)
    };
    let pictures =
        scenes.iter().map(|s| render(s, &camera, &settings)).collect::<Result<Vec<_>, _>>()?;
    let labels = ["a coarse mesh", "b plain PN faces", "c full method", "d control vectors"];
    contact_sheet(&pictures, &labels, 4).write_png(Path::new(&file))?;
    println!("wrote {file}");
    Ok(())
}
