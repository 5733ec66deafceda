//! temporary
/// Fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct Fabric {
    /// Areal density [kg/m²].
    pub density: f64,
    /// Thickness [m].
    pub thickness: f64,
    /// Stretch [N/m].
    pub stretch: [f64; 2],
    /// Shear [N/m].
    pub shear: f64,
    /// Bending [N·m].
    pub bending: [f64; 2],
    /// Damping [N·s/m].
    pub stretch_damping: f64,
    /// Damping [N·s/m].
    pub shear_damping: f64,
    /// Damping [N·m·s].
    pub bend_damping: f64,
    /// Friction.
    pub friction_static: f64,
    /// Friction.
    pub friction_kinetic: f64,
    /// Strain limit.
    pub strain_limit: f64,
    /// Compression limit.
    pub compression_limit: f64,
}
