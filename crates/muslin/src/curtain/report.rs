//! What a frame cost and what it left undone.

/// Counts of one call of [`Curtain::update`](super::Curtain::update), over all its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Steps the frame was divided into.
    pub substeps: usize,
    /// Largest distance of neighbouring columns over the width of their cloth, minus 1 \[-\].
    pub width_excess: f64,
    /// Pairs of features given to the exact test.
    pub pairs_tested: usize,
    /// Contacts between layers of cloth, over all passes.
    pub contacts: usize,
    /// Contacts found but not treated, because the buffer was full.
    pub contacts_dropped: usize,
    /// Vertices and edges pushed out of obstacles, over all passes.
    pub obstacle_contacts: usize,
    /// Most passes a step took.
    pub passes: usize,
    /// Zones moved as one.
    pub zones: usize,
    /// Pairs still touching or crossing after the last pass.
    pub contacts_left: usize,
    /// Vertices still inside an obstacle after the last pass.
    pub vertices_inside: usize,
    /// Edges that still reach into an obstacle between ends that are outside.
    pub edges_inside: usize,
    /// Corners of boxes that still reach through the middle of a triangle.
    pub corners_inside: usize,
    /// How deep the deepest of these is \[m\].
    pub deepest: f64,
}

impl Report {
    /// Vertices, edges and corners that are still inside.
    pub fn inside(&self) -> usize {
        self.vertices_inside + self.edges_inside + self.corners_inside
    }

    /// Adds the counts of one step.
    pub(super) fn add(&mut self, step: &Self) {
        self.width_excess = self.width_excess.max(step.width_excess);
        self.pairs_tested += step.pairs_tested;
        self.contacts += step.contacts;
        self.contacts_dropped += step.contacts_dropped;
        self.obstacle_contacts += step.obstacle_contacts;
        self.passes = self.passes.max(step.passes);
        self.zones += step.zones;
        self.contacts_left += step.contacts_left;
        self.vertices_inside += step.vertices_inside;
        self.edges_inside += step.edges_inside;
        self.corners_inside += step.corners_inside;
        self.deepest = self.deepest.max(step.deepest);
    }
}
