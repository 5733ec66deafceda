//! What stays the same about a panel, for those who store or export it.

use super::Curtain;
use super::panel::Panel;
use crate::math::Vec2;
use std::ops::Range;

/// Connectivity and rest shape of one panel; vertices are numbered from its first one.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelLayout {
    /// Where its vertices are in [`Curtain::positions`].
    pub vertices: Range<usize>,
    /// How many of them, from the first on, are the top row.
    pub top: usize,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Rest coordinates of every vertex \[m\]: u from the last column to the first, v from the hem up, so
    /// that triangles are wound alike in both.
    pub rest: Vec<Vec2>,
    /// What has a length of its own \[m\]: the rods of the columns (XU1) and the sections (XU6).
    pub rods: Vec<([u32; 2], f64)>,
}

impl Curtain {
    /// Number of panels.
    pub fn panel_count(&self) -> usize {
        self.panels.len()
    }

    /// The layout of panel `index`; `None` if there is no such panel.
    pub fn layout(&self, index: usize) -> Option<PanelLayout> {
        self.panels.get(index).map(layout)
    }
}

fn layout(panel: &Panel) -> PanelLayout {
    let places = places(panel);
    let stride = panel.mesh_columns as u32;
    let mut rods = Vec::new();
    for i in 0..panel.rows {
        let row = i as u32 * stride;
        let sections = places.windows(2).zip(row..);
        rods.extend(sections.map(|(ends, a)| ([a, a + 1], ends[1] - ends[0])));
        if i + 1 < panel.rows {
            let columns = panel.rods.iter().map(|rod| rod.first_column as u32);
            let columns = columns.chain([stride - 1]);
            rods.extend(columns.map(|c| ([row + c, row + c + stride], panel.rod)));
        }
    }
    let first = panel.first_vertex as u32;
    PanelLayout {
        vertices: panel.vertices(),
        top: panel.mesh_columns,
        triangles: panel.triangles().map(|t| t.map(|v| v - first)).collect(),
        rest: rest(panel),
        rods,
    }
}

/// Rest coordinates of every vertex \[m\], see [`PanelLayout::rest`].
pub(super) fn rest(panel: &Panel) -> Vec<Vec2> {
    let places = places(panel);
    let width = places.last().copied().unwrap_or(0.0);
    let row = |i: usize| {
        let v = panel.rod * (panel.rows - 1 - i) as f64;
        places.iter().map(move |place| Vec2::new(width - place, v))
    };
    (0..panel.rows).flat_map(row).collect()
}

/// Distance of every mesh column from the first, along the cloth \[m\].
fn places(panel: &Panel) -> Vec<f64> {
    let mut places = Vec::with_capacity(panel.mesh_columns);
    let mut start = 0.0;
    for rod in &panel.rods {
        places.extend(rod.fractions[..rod.sections].iter().map(|f| start + f * rod.length));
        start += rod.length;
    }
    places.push(start);
    places
}
