//! The real-time scenes, built in code: `flag`, `curtains`, `curtain-open`, `stage-drape` (XU9).

use super::folds;
use super::{
    CollisionSpec, Curtain, CurtainError, CurtainSpec, Environment, Obstacle, PanelSpec, Rail,
    Report, Shape, TieBack, Top,
};
use crate::math::{Quat, Vec3};
use crate::wind::{Interpolation, Keyframes, Source, Turbulence, Wind};

/// A curtain with what acts on it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name as in a scene file.
    pub name: &'static str,
    /// The cloth.
    pub curtain: Curtain,
    /// Sources of wind.
    pub winds: Vec<Wind>,
    /// Surroundings at time 0; they move on with their velocities.
    pub obstacles: Vec<Obstacle>,
    /// Time so far \[s\].
    pub time: f64,
    now: Vec<Obstacle>,
}

impl Scene {
    fn new(
        name: &'static str,
        spec: &CurtainSpec,
        winds: Vec<Wind>,
        obstacles: Vec<Obstacle>,
    ) -> Result<Self, CurtainError> {
        Ok(Self {
            name,
            curtain: Curtain::new(spec)?,
            winds,
            now: obstacles.clone(),
            obstacles,
            time: 0.0,
        })
    }

    /// All four scenes.
    pub fn all() -> Result<[Self; 4], CurtainError> {
        Ok([flag()?, curtains()?, curtain_open()?, stage_drape()?])
    }

    /// Advances by a frame of `dt` \[s\].
    pub fn frame(&mut self, dt: f64) -> Result<&Report, CurtainError> {
        let time = self.time;
        self.time += dt;
        for (now, start) in self.now.iter_mut().zip(&self.obstacles) {
            *now = start.after(self.time);
        }
        let environment = Environment {
            winds: &self.winds,
            obstacles: &self.now,
            time,
            ..Environment::default()
        };
        self.curtain.update(dt, &environment)
    }
}

/// A flag of 240 nodes in a fresh breeze, without collisions.
pub fn flag() -> Result<Scene, CurtainError> {
    let panel = PanelSpec {
        rows: 20,
        height: 1.2,
        gaps: folds::flat(11, 0.8),
        top: Top::Rail(Rail::fixed(Vec3::Z * 2.4, Vec3::Z * 1.6)),
        hang: Vec3::new(1.0, 0.1, -0.2),
        density: 0.12,
        ..PanelSpec::default()
    };
    let spec = CurtainSpec {
        panels: vec![panel],
        collisions: CollisionSpec::OFF,
        ..CurtainSpec::default()
    };
    let mut breeze = Wind::uniform(Vec3::new(4.5, 0.4, 0.2));
    breeze.turbulence = Turbulence { seed: 1, intensity: 0.45, scale: 1.4 };
    Scene::new("flag", &spec, vec![breeze], Vec::new())
}

/// Two curtains of 880 nodes each at a window, gusts, a sill and an armchair.
pub fn curtains() -> Result<Scene, CurtainError> {
    let panel = |side: f64, seed: u64| PanelSpec {
        rows: 44,
        height: 2.2,
        gaps: folds::uneven(folds::wave(19, 2.1, 4), 0.4, seed),
        top: Top::Rail(Rail::fixed(
            Vec3::new(side * 1.05, 0.0, 2.3),
            Vec3::new(side * 0.015, 0.0, 2.3),
        )),
        ..PanelSpec::default()
    };
    let spec =
        CurtainSpec { panels: vec![panel(-1.0, 11), panel(1.0, 12)], ..CurtainSpec::default() };
    let gusts =
        [(0.0, 0.0), (1.0, 0.2), (2.0, 1.0), (3.0, 0.3), (4.5, 1.2), (6.0, 0.1), (8.0, 0.0)];
    let window = Source::Cone {
        apex: Vec3::new(0.1, 3.5, 1.5),
        base: Vec3::new(0.05, 0.4, 1.2),
        radius: 0.9,
        pressure: 7.0,
    };
    let mut draught = Wind::steady(window);
    draught.strength = keys(&gusts);
    draught.turbulence = Turbulence { seed: 2, intensity: 0.35, scale: 1.2 };
    let sill = upright_box(Vec3::new(0.0, 0.3, 0.85), Vec3::new(1.2, 0.16, 0.03));
    let armchair = upright_box(Vec3::new(1.1, -0.75, 0.4), Vec3::new(0.4, 0.4, 0.4));
    let wall = Shape::Plane { point: Vec3::Y * 0.45, normal: Vec3::NEG_Y };
    let obstacles = [sill, armchair, wall].map(|shape| Obstacle::still(shape, 0.3));
    Scene::new("curtains", &spec, vec![draught], obstacles.to_vec())
}

/// A curtain of 960 nodes drawn aside, tied back, and drawn again.
pub fn curtain_open() -> Result<Scene, CurtainError> {
    let rail = Rail {
        start: Vec3::new(-1.0, 0.0, 2.4),
        end: Vec3::new(1.0, 0.0, 2.4),
        lead: keys(&[(1.0, 0.95), (4.0, 0.24), (8.0, 0.24), (12.5, 0.95)]),
        bunched: 0.013,
        ..Rail::default()
    };
    let tie_back = TieBack {
        height: 0.55,
        hook: Vec3::new(-0.85, 0.05, 1.2),
        width: 0.34,
        engaged: keys(&[(4.5, 0.0), (5.5, 1.0), (6.5, 1.0), (7.5, 0.0)]),
    };
    let panel = PanelSpec {
        rows: 32,
        height: 2.3,
        gaps: folds::uneven(folds::wave(29, 3.2, 4), 0.3, 13),
        top: Top::Rail(rail),
        tie_backs: vec![tie_back],
        ..PanelSpec::default()
    };
    let spec = CurtainSpec {
        panels: vec![panel],
        collisions: CollisionSpec { thickness: 0.0015, ..CollisionSpec::default() },
        ..CurtainSpec::default()
    };
    Scene::new("curtain-open", &spec, Vec::new(), Vec::new())
}

/// A stage drape of 10,000 nodes, gusts from the wings and a figure walking past behind it.
pub fn stage_drape() -> Result<Scene, CurtainError> {
    let panel = PanelSpec {
        rows: 100,
        height: 5.0,
        gaps: folds::uneven(folds::wave(99, 15.0, 4), 0.4, 14),
        top: Top::Rail(Rail::fixed(Vec3::new(-4.0, 0.0, 5.2), Vec3::new(4.0, 0.0, 5.2))),
        density: 0.45,
        ..PanelSpec::default()
    };
    let spec = CurtainSpec { panels: vec![panel], ..CurtainSpec::default() };
    let mut wings = Wind::uniform(Vec3::new(0.9, 1.4, 0.0));
    wings.strength = keys(&[(0.0, 0.2), (2.0, 1.0), (4.0, 0.3), (6.0, 1.2), (9.0, 0.2)]);
    wings.turbulence = Turbulence { seed: 3, intensity: 0.6, scale: 2.5 };
    Scene::new("stage-drape", &spec, vec![wings], walker())
}

/// Legs, trunk and head of a figure that walks along x behind the drape.
fn walker() -> Vec<Obstacle> {
    let at = |z: f64| Vec3::new(-3.5, -0.18, z);
    let trunk = Shape::Capsule { ends: [at(0.9), at(1.4)], radius: 0.2 };
    let legs = Shape::Capsule { ends: [at(0.1), at(0.9)], radius: 0.12 };
    let head = Shape::Sphere { center: at(1.72), radius: 0.12 };
    let moving = |shape| Obstacle { shape, velocity: Vec3::X * 0.8, friction: 0.2 };
    [trunk, legs, head].map(moving).to_vec()
}

/// A curtain of about `nodes` first-level nodes, for measuring how the cost grows.
pub fn sized(nodes: usize, collisions: CollisionSpec) -> Result<Scene, CurtainError> {
    let columns = (nodes as f64).sqrt().round().max(2.0) as usize;
    let rows = nodes / columns;
    let width = 0.1 * (columns - 1) as f64;
    let panel = PanelSpec {
        rows,
        height: 0.05 * (rows - 1) as f64,
        gaps: folds::wave(columns - 1, width, 2),
        top: Top::Rail(Rail::fixed(Vec3::ZERO, Vec3::X * (0.55 * width))),
        ..PanelSpec::default()
    };
    let spec = CurtainSpec { panels: vec![panel], collisions, ..CurtainSpec::default() };
    let mut breeze = Wind::uniform(Vec3::new(0.1, 0.5, 0.0));
    breeze.turbulence = Turbulence { seed: 4, intensity: 0.3, scale: 2.0 };
    Scene::new("sized", &spec, vec![breeze], Vec::new())
}

fn upright_box(center: Vec3, half: Vec3) -> Shape {
    Shape::Box { center, half, rotation: Quat::IDENTITY }
}

/// Smooth keyframes; the lists in this file are never empty.
fn keys(list: &[(f64, f64)]) -> Keyframes {
    Keyframes::new(list.to_vec(), Interpolation::Smooth).unwrap_or_else(|| Keyframes::constant(0.0))
}
