//! Garments in real time from few particles (OS1–OS8).
//!
//! A garment is a coarse mesh of tens to hundreds of particles. Soft springs, limits on long edges and
//! contact with a body made of rigid parts move the particles; what is drawn is a smooth surface over
//! them whose curves keep the cloth's length by folds. Build once, update every frame, draw:
//!
//! ```
//! use muslin::math::{Quat, Vec3};
//! use muslin::mesh::{Diagonals, Sheet};
//! use muslin::motion::Pose;
//! use muslin::sparse::{Attachment, BodyPart, Garment, GarmentSpec, PartShape};
//!
//! // A cape of 7 × 6 particles; its upper row rides on a bar.
//! let Sheet { mut positions, mesh } = Sheet::grid([0.9, 0.75], [7, 6], Diagonals::Alternating)?;
//! for p in &mut positions {
//!     *p = Vec3::new(p.x, 0.0, 1.4 + p.y); // hang it up
//! }
//! let attachments: Vec<Attachment> = (35..42)
//!     .map(|i| Attachment { particle: i, part: 0, offset: positions[i as usize] - Vec3::Z * 1.8 })
//!     .collect();
//! let spec = GarmentSpec { attachments: &attachments, ..GarmentSpec::new(&mesh, &positions) };
//! let mut cape = Garment::new(&spec)?;
//!
//! let bar = PartShape::Capsule { radius: 0.02, half_length: 0.5 };
//! let mut body = [BodyPart::still(bar, Pose::at(Vec3::Z * 1.8))];
//! let dt = 1.0 / 60.0;
//! for frame in 0..30 {
//!     let turn = Quat::from_rotation_z(0.02 * f64::from(frame));
//!     body[0].move_to(Pose { rotation: turn, translation: Vec3::Z * 1.8 }, dt);
//!     let report = cape.update(dt, &body)?;
//!     assert!(report.stretch < 0.1);
//!     // What a renderer uploads: vertices, normals, and indices that never change.
//!     let (vertices, normals, indices) = (cape.positions(), cape.normals(), cape.triangles());
//!     assert_eq!(vertices.len(), normals.len());
//!     assert_eq!(indices.len(), 18 * mesh.triangles().len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A frame allocates nothing, but for the first, which makes room for the parts of the body, and starts no threads; the
//! same calls give the same bits. Called from inside of a rayon pool, a garment of [`MANY_PARTICLES`], or a surface of
//! as many triangles as [`crate::finish::MANY_TRIANGLES`], shares the work among the threads of that pool, with the
//! same bits again.

mod bending;
mod body_part;
mod collision;
mod deepest;
mod descent;
mod drawn_nearness;
mod edge_limit;
mod first_distances;
mod garment;
mod integrate;
mod keep_apart;
mod nearness;
mod part_field;
mod part_mesh;
mod paths;
mod report;
pub mod skirt;
mod spec;
mod springs;

pub use body_part::{BodyPart, PartShape};
pub use garment::{Garment, GarmentState, MANY_PARTICLES};
pub use integrate::Integrator;
pub use part_mesh::{PartError, PartMesh};
pub use report::Report;
pub use spec::{Attachment, GarmentError, GarmentSettings, GarmentSpec};
