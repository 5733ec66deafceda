//! What can be wrong with a pattern, one sentence each.

use thiserror::Error;

/// Why a pattern cannot be read or made into a garment.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GarmentError {
    /// Not TOML, or not a pattern's TOML.
    #[error("{file}: {message}")]
    Toml {
        /// Name of the pattern file.
        file: String,
        /// What the parser said, with the line.
        message: String,
    },
    /// Not JSON, or not a GarmentCode pattern.
    #[error("{file}: not a GarmentCode pattern: {message}")]
    Json {
        /// Name of the pattern file.
        file: String,
        /// What the parser said, with the line.
        message: String,
    },
    /// There is no garment of this name.
    #[error("there is no garment {name:?}; known are {known}")]
    UnknownGarment {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A number or formula of the pattern is wrong.
    #[error("{place}: {message}")]
    Number {
        /// Where it stands.
        place: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// A named thing is missing.
    #[error("{place} names the {kind} {name:?}, which does not exist; {hint}")]
    Missing {
        /// Who names it.
        place: String,
        /// Panel, edge, parameter …
        kind: &'static str,
        /// The name.
        name: String,
        /// What there is instead.
        hint: String,
    },
    /// Two things of one kind have one name.
    #[error("{place} has two {kind}s called {name:?}; rename one")]
    Twice {
        /// The pattern or panel.
        place: String,
        /// Panel, edge …
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The outline or hole is not a closed loop.
    #[error("panel {panel:?}: edge {edge:?} does not start where edge {before:?} ends; join them")]
    OpenOutline {
        /// The panel.
        panel: String,
        /// The edge.
        edge: String,
        /// The edge before it.
        before: String,
    },
    /// An edge, hole or line is degenerate.
    #[error("panel {panel:?}: {message}")]
    Shape {
        /// The panel.
        panel: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// An edge is too short to be meshed.
    #[error(
        "panel {panel:?}: edge {edge:?} is {length:.3e} m long, too short for mesh edges of \
         {edge_length} m; remove it or mesh finer"
    )]
    ShortEdge {
        /// The panel.
        panel: String,
        /// The edge.
        edge: String,
        /// Its length \[m\].
        length: f64,
        /// The length of mesh edges \[m\].
        edge_length: f64,
    },
    /// Two edges of a panel cross or touch.
    #[error(
        "panel {panel:?}: {first} and {second} cross or touch near ({x:.4}, {y:.4}) m; move them \
         apart"
    )]
    Crossing {
        /// The panel.
        panel: String,
        /// One edge or line.
        first: String,
        /// The other.
        second: String,
        /// Where in the panel \[m\].
        x: f64,
        /// Where in the panel \[m\].
        y: f64,
    },
    /// A hole or line lies outside the outline.
    #[error("panel {panel:?}: {what} lies outside the outline; move it inside")]
    Outside {
        /// The panel.
        panel: String,
        /// The hole, line or point.
        what: String,
    },
    /// The sides of a seam are too different in length.
    #[error(
        "seam {seam:?} joins {a:.4} m to {b:.4} m, a ratio above {limit}; make the sides alike{hint}"
    )]
    SeamLengths {
        /// The seam.
        seam: String,
        /// Length of the first side \[m\].
        a: f64,
        /// Length of the second side \[m\].
        b: f64,
        /// The largest ratio allowed.
        limit: f64,
        /// What else can be done.
        hint: &'static str,
    },
    /// Part of an edge is in two seams.
    #[error(
        "edge {edge:?} of panel {panel:?} is sewn in seam {first:?} and again in seam {second:?}; \
         cloth joins two sides at a seam, so split the edge or drop a seam"
    )]
    SewnTwice {
        /// The panel.
        panel: String,
        /// The edge.
        edge: String,
        /// One seam.
        first: String,
        /// The other seam.
        second: String,
    },
    /// Seams that would give a surface with one side only.
    #[error(
        "seam {seam:?} would twist the cloth so that it has one side only; turn one side of it \
         around"
    )]
    Twisted {
        /// The seam.
        seam: String,
    },
    /// The mesh is too coarse to be sewn.
    #[error(
        "panel {panel:?} is too small for mesh edges of {edge_length} m: sewn together, its \
         triangles would coincide; mesh finer"
    )]
    TooCoarse {
        /// The panel.
        panel: String,
        /// The length of mesh edges \[m\].
        edge_length: f64,
    },
    /// The mesh would be too large.
    #[error(
        "meshing {what} with edges of {edge_length} m would take more than {limit} vertices; mesh \
         coarser, or check the pattern's unit"
    )]
    TooFine {
        /// The panel or pattern.
        what: String,
        /// The length of mesh edges \[m\].
        edge_length: f64,
        /// The largest number of vertices.
        limit: usize,
    },
    /// The edge length is not a positive number.
    #[error("the edge length is {0} m; give a positive number")]
    EdgeLength(f64),
    /// A pattern without panels.
    #[error("pattern {0:?} has no panels; give it at least one")]
    NoPanels(String),
    /// The engine refused the sewn mesh.
    #[error("pattern {pattern:?}: the sewn mesh is not cloth: {source}")]
    Mesh {
        /// The pattern.
        pattern: String,
        /// Why.
        source: muslin::mesh::MeshError,
    },
}
