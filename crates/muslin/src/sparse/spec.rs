//! What a garment is made of, and why one cannot be made.

use super::integrate::Integrator;
use crate::finish::{CurvedError, CurvedSettings};
use crate::force::air::Air;
use crate::math::Vec3;
use crate::mesh::TriMesh;
use thiserror::Error;

/// A particle that rides on a body part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Particle number.
    pub particle: u32,
    /// Index of the part in the list given to every update.
    pub part: usize,
    /// Place in the part's frame \[m\].
    pub offset: Vec3,
}

/// How a garment is simulated and drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GarmentSettings {
    /// How particles are advanced (OS1).
    pub integrator: Integrator,
    /// Longest step \[s\]; a frame is divided into equal steps no longer than this.
    pub step: f64,
    /// Stretch of an edge beyond which its ends are pulled together (OS2) \[-\].
    pub stretch_limit: f64,
    /// Sweeps over all edges per step (OS2).
    pub limit_sweeps: usize,
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// The air and its wind.
    pub air: Air,
    /// Distance that faces keep from the body \[m\].
    pub thickness: f64,
    /// Distance that coarse faces keep from each other (OS8) \[m\], at most a quarter of the shortest
    /// edge; 0 lets them pass.
    pub self_distance: f64,
    /// Coefficient of friction between cloth and body \[-\].
    pub friction: f64,
    /// Distance that the drawn surface keeps from the body \[m\]; `None` leaves it where it is.
    pub drawn_margin: Option<f64>,
    /// Faces bend back to their start angles; else to flat.
    pub keep_start_angles: bool,
    /// How it is drawn.
    pub curved: CurvedSettings,
}

impl Default for GarmentSettings {
    /// The paper's: Euler, three steps of 1/90 s in a frame of 1/30 s.
    fn default() -> Self {
        Self {
            integrator: Integrator::Euler,
            step: 1.0 / 90.0,
            stretch_limit: 0.01,
            limit_sweeps: 6,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            air: Air::default(),
            thickness: 0.006,
            self_distance: 0.012,
            friction: 0.3,
            drawn_margin: Some(0.004),
            keep_start_angles: false,
            curved: CurvedSettings::default(),
        }
    }
}

/// Everything a garment is built from.
#[derive(Clone, Copy, Debug)]
pub struct GarmentSpec<'a> {
    /// Coarse mesh with its rest shape: tens to hundreds of particles.
    pub mesh: &'a TriMesh,
    /// Start positions \[m\].
    pub positions: &'a [Vec3],
    /// Areal density \[kg/m²\].
    pub density: f64,
    /// Spring constant of every edge \[N/m\]; `None` for the largest the step allows.
    ///
    /// It may be small: long edges are limited (OS2), and short ones are drawn at their full length
    /// by folds (OS6).
    pub stiffness: Option<f64>,
    /// Bending stiffness of every inner edge \[N·m\].
    pub bending: f64,
    /// Damping of the springs as a part of critical damping \[-\].
    pub damping: f64,
    /// Particles that ride on the body.
    pub attachments: &'a [Attachment],
    /// How it is simulated and drawn.
    pub settings: GarmentSettings,
}

impl<'a> GarmentSpec<'a> {
    /// Light cotton without attachments, with the paper's settings.
    pub fn new(mesh: &'a TriMesh, positions: &'a [Vec3]) -> Self {
        Self {
            mesh,
            positions,
            density: 0.15,
            stiffness: None,
            bending: 1e-5,
            damping: 0.2,
            attachments: &[],
            settings: GarmentSettings::default(),
        }
    }
}

/// Why a garment cannot be made or updated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GarmentError {
    /// A number is out of its range.
    #[error("{what} must be {range}, but it is {value}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// What is allowed.
        range: &'static str,
        /// What was given.
        value: f64,
    },
    /// Two vertices of an edge start at one place.
    #[error("the edge between particles {} and {} has no length at the start; move one of them", ends[0], ends[1])]
    Collapsed {
        /// The edge.
        ends: [u32; 2],
    },
    /// An edge starts at more than twice its rest length.
    #[error(
        "the edge between particles {} and {} starts at {ratio:.2} times its rest length; start nearer to the rest shape",
        ends[0], ends[1]
    )]
    Overstretched {
        /// The edge.
        ends: [u32; 2],
        /// Length over rest length.
        ratio: f64,
    },
    /// An explicit step would not hold these springs.
    #[error(
        "{what} {value:.3e} is too stiff for steps of {step:.2e} s; use at most {largest:.3e}, or shorter steps"
    )]
    TooStiff {
        /// Stretch or bending.
        what: &'static str,
        /// What was given.
        value: f64,
        /// The largest that is stable.
        largest: f64,
        /// The step \[s\].
        step: f64,
    },
    /// An attachment names a particle that does not exist.
    #[error("attachment {attachment} names particle {particle}, but there are only {count}")]
    NoSuchParticle {
        /// Attachment number.
        attachment: usize,
        /// The particle.
        particle: u32,
        /// Number of particles.
        count: usize,
    },
    /// A particle cannot be in two places.
    #[error("particle {particle} is attached twice; remove one attachment")]
    AttachedTwice {
        /// The particle.
        particle: u32,
    },
    /// The offset of an attachment is NaN or infinite.
    #[error("the offset of attachment {attachment} is not a finite number")]
    BadOffset {
        /// Attachment number.
        attachment: usize,
    },
    /// An attachment names a part that the body does not have.
    #[error("a particle is attached to body part {part}, but the body has only {count} parts")]
    NoSuchPart {
        /// Part index.
        part: usize,
        /// Number of parts given.
        count: usize,
    },
    /// A part has a size, pose or velocity that makes no sense.
    #[error(
        "body part {part} is not usable; sizes must be positive, rotations of unit length, and all numbers finite"
    )]
    BadPart {
        /// Part index.
        part: usize,
    },
    /// Positions became NaN or infinite; the garment is back at the state before the frame.
    #[error(
        "particle {particle} flew off; the frame was undone: use shorter steps or less stiffness"
    )]
    Diverged {
        /// The particle.
        particle: usize,
    },
    /// A state of another garment.
    #[error(
        "the state has {found} particles but the garment has {expected}; restore a state of this garment"
    )]
    StateCount {
        /// Particles of the garment.
        expected: usize,
        /// Particles of the state.
        found: usize,
    },
    /// The surface cannot be drawn.
    #[error(transparent)]
    Curved(#[from] CurvedError),
}

/// Refuses numbers outside their range.
fn within(
    what: &'static str,
    range: &'static str,
    value: f64,
    good: bool,
) -> Result<(), GarmentError> {
    if good && value.is_finite() {
        Ok(())
    } else {
        Err(GarmentError::OutOfRange { what, range, value })
    }
}

/// Checks everything that does not need the forces.
pub(super) fn check(spec: &GarmentSpec) -> Result<(), GarmentError> {
    let s = &spec.settings;
    within("the density", "a positive number of kg/m²", spec.density, spec.density > 0.0)?;
    let stiffness = spec.stiffness.unwrap_or(1.0);
    within("the stiffness", "a positive number of N/m", stiffness, stiffness > 0.0)?;
    within("the bending", "zero or a positive number of N·m", spec.bending, spec.bending >= 0.0)?;
    let damping = spec.damping;
    within("the damping", "from 0 to 1", damping, (0.0..=1.0).contains(&damping))?;
    within("the step", "from 0.00001 to 0.1 s", s.step, (1e-5..=0.1).contains(&s.step))?;
    let limit = s.stretch_limit;
    within("the stretch limit", "from 0 to 1", limit, (0.0..=1.0).contains(&limit))?;
    within("the thickness", "zero or a positive number of m", s.thickness, s.thickness >= 0.0)?;
    let apart = s.self_distance;
    within("the self distance", "zero or a positive number of m", apart, apart >= 0.0)?;
    within("the friction", "zero or a positive number", s.friction, s.friction >= 0.0)?;
    let margin = s.drawn_margin.unwrap_or(1.0);
    within("the drawn margin", "a positive number of m", margin, margin > 0.0)?;
    within("gravity", "finite", s.gravity.length(), true)?;
    let air = s.air.density + s.air.normal + s.air.tangential + s.air.wind.length();
    let positive = s.air.density.min(s.air.normal).min(s.air.tangential) >= 0.0;
    within("the air", "made of finite numbers, none negative", air, positive)?;
    check_attachments(spec)
}

fn check_attachments(spec: &GarmentSpec) -> Result<(), GarmentError> {
    let count = spec.mesh.vertex_count();
    let mut seen = vec![false; count];
    for (attachment, a) in spec.attachments.iter().enumerate() {
        let Some(seen) = seen.get_mut(a.particle as usize) else {
            let particle = a.particle;
            return Err(GarmentError::NoSuchParticle { attachment, particle, count });
        };
        if std::mem::replace(seen, true) {
            return Err(GarmentError::AttachedTwice { particle: a.particle });
        }
        if !a.offset.is_finite() {
            return Err(GarmentError::BadOffset { attachment });
        }
    }
    Ok(())
}

/// Checks that the start is near the rest shape; positions are finite and as many as particles.
pub(super) fn check_start(spec: &GarmentSpec) -> Result<(), GarmentError> {
    for (e, edge) in spec.mesh.topology().edges().iter().enumerate() {
        let [a, b] = edge.vertices.map(|v| spec.positions[v as usize]);
        let ratio = a.distance(b) / spec.mesh.rest_length(e);
        if ratio <= 1e-6 {
            return Err(GarmentError::Collapsed { ends: edge.vertices });
        }
        if ratio > 2.0 {
            return Err(GarmentError::Overstretched { ends: edge.vertices, ratio });
        }
    }
    Ok(())
}
