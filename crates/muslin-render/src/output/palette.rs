//! The best few colours for many pictures, and ordered dithering onto them.

use crate::Image;
use crate::shade::sampling::dither;
use rayon::prelude::*;

/// Bits per component of the colour grid.
const BITS: usize = 6;
const SIDE: usize = 1 << BITS;

/// How often each cell of a 64³ colour grid occurs.
pub(super) struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    pub fn new() -> Self {
        Self {
            counts: vec![0; SIDE * SIDE * SIDE],
        }
    }

    pub fn add(&mut self, image: &Image) {
        for pixel in image.pixels().chunks_exact(3) {
            self.counts[cell_of([pixel[0], pixel[1], pixel[2]])] += 1;
        }
    }
}

fn cell_of(pixel: [u8; 3]) -> usize {
    let [r, g, b] = pixel.map(|c| usize::from(c) >> (8 - BITS));
    (r << (2 * BITS)) | (g << BITS) | b
}

/// The middle of a grid cell, per component 0 … 255.
fn cell_color(cell: usize) -> [f64; 3] {
    let half = (1 << (8 - BITS)) as f64 / 2.0 - 0.5;
    let component = |shift: usize| ((cell >> shift & (SIDE - 1)) << (8 - BITS)) as f64 + half;
    [component(2 * BITS), component(BITS), component(0)]
}

/// A set of cells; its error is what one palette entry for all of them costs.
struct Group {
    cells: Vec<usize>,
    mean: [f64; 3],
    /// Sum over pixels of the squared distance from the mean, per component.
    errors: [f64; 3],
}

impl Group {
    fn new(cells: Vec<usize>, histogram: &Histogram) -> Self {
        let mut weight = 0.0;
        let mut sum = [0.0; 3];
        let mut squares = [0.0; 3];
        for &cell in &cells {
            let count = histogram.counts[cell] as f64;
            let color = cell_color(cell);
            weight += count;
            for i in 0..3 {
                sum[i] += count * color[i];
                squares[i] += count * color[i] * color[i];
            }
        }
        let mean = sum.map(|s| s / weight);
        let errors = std::array::from_fn(|i| (squares[i] - sum[i] * mean[i]).max(0.0));
        Self {
            cells,
            mean,
            errors,
        }
    }

    fn error(&self) -> f64 {
        self.errors.iter().sum()
    }

    /// Cuts at the mean of the component that varies most.
    fn cut(self, histogram: &Histogram) -> (Self, Option<Self>) {
        let widest = (0..3).max_by(|&a, &b| self.errors[a].total_cmp(&self.errors[b]));
        let axis = widest.unwrap_or(0);
        let (low, high): (Vec<usize>, Vec<usize>) = self
            .cells
            .iter()
            .partition(|&&cell| cell_color(cell)[axis] <= self.mean[axis]);
        if low.is_empty() || high.is_empty() {
            return (self, None);
        }
        (Self::new(low, histogram), Some(Self::new(high, histogram)))
    }
}

/// Up to 255 colours; the last index is left for "as before".
pub(super) struct Palette {
    colors: Vec<[u8; 3]>,
    /// Nearest colour of every grid cell.
    nearest: Vec<u8>,
}

/// Index that stands for a pixel that stays as it was.
pub(super) const UNCHANGED: u8 = 255;
const MOST_COLORS: usize = UNCHANGED as usize;
/// Span of the dither [code values]: about the distance between neighbouring palette colours of a
/// picture with two or three materials. Larger shows as grain, smaller as steps.
const DITHER_SPAN: f32 = 6.0;

impl Palette {
    /// Median cut by least error: the group that costs most is cut until the colours are used up.
    pub fn new(histogram: &Histogram) -> Self {
        let used = (0..histogram.counts.len())
            .filter(|&c| histogram.counts[c] > 0)
            .collect();
        let mut groups = vec![Group::new(used, histogram)];
        while groups.len() < MOST_COLORS {
            let worst = (0..groups.len())
                .filter(|&i| groups[i].cells.len() > 1)
                .max_by(|&a, &b| groups[a].error().total_cmp(&groups[b].error()));
            let Some(worst) = worst else { break };
            let (low, high) = groups.swap_remove(worst).cut(histogram);
            groups.push(low);
            let Some(high) = high else { break };
            groups.push(high);
        }
        let colors: Vec<[u8; 3]> = groups
            .iter()
            .map(|g| g.mean.map(|c| c.round() as u8))
            .collect();
        let nearest = (0..SIDE * SIDE * SIDE)
            .into_par_iter()
            .map(|cell| nearest_color(&colors, cell_color(cell)))
            .collect();
        Self { colors, nearest }
    }

    /// The colours as GIF wants them: red, green, blue, padded to 256.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.concat();
        bytes.resize(3 * 256, 0);
        bytes
    }

    /// The picture in palette indices. The dither depends on the place alone, so what stands
    /// still in a movie keeps its indices.
    pub fn indices(&self, image: &Image) -> Vec<u8> {
        let width = image.width() as usize;
        let mut indices = vec![0; image.pixels().len() / 3];
        indices.par_iter_mut().enumerate().for_each(|(i, index)| {
            let offset = dither(i % width, i / width) * DITHER_SPAN;
            let pixel = [0, 1, 2].map(|c| {
                (f32::from(image.pixels()[3 * i + c]) + offset + 0.5).clamp(0.0, 255.0) as u8
            });
            *index = self.nearest[cell_of(pixel)];
        });
        indices
    }
}

fn nearest_color(colors: &[[u8; 3]], target: [f64; 3]) -> u8 {
    let target = target.map(|c| c as i32);
    let distance_squared = |color: &[u8; 3]| -> i32 {
        (0..3)
            .map(|i| (i32::from(color[i]) - target[i]).pow(2))
            .sum()
    };
    let best = (0..colors.len()).min_by_key(|&i| distance_squared(&colors[i]));
    best.unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    #[test]
    fn few_colors_are_kept_to_the_grid_and_many_stay_close() {
        let mut image = Image::new(64, 64, Color::from_srgb8(200, 30, 60));
        image.fill_rectangle((0, 0), (1, 1), Color::from_srgb8(10, 220, 90));
        let mut histogram = Histogram::new();
        histogram.add(&image);
        let palette = Palette::new(&histogram);
        assert_eq!(palette.colors.len(), 2);
        // Half a cell of the grid is 1.5 code values; rounding adds a half.
        for (color, expected) in [([200, 30, 60], 0), ([10, 220, 90], 1)] {
            let close = |c: &[u8; 3]| (0..3).all(|i: usize| c[i].abs_diff(color[i]) <= 2);
            assert!(palette.colors.iter().any(close), "colour {expected}");
        }
    }

    #[test]
    fn a_gradient_keeps_its_mean_through_palette_and_dither() {
        let pixels: Vec<u8> = (0..256 * 64)
            .flat_map(|i| [(i % 256) as u8, 255 - (i % 256) as u8, 128])
            .collect();
        let image = Image::from_pixels(256, 64, pixels).unwrap();
        let mut histogram = Histogram::new();
        histogram.add(&image);
        let palette = Palette::new(&histogram);
        let indices = palette.indices(&image);
        for block in 0..32 {
            let mut mean = 0.0;
            for i in 0..64 * 8 {
                let index = indices[(i / 8) * 256 + block * 8 + i % 8];
                assert_ne!(index, UNCHANGED);
                mean += f64::from(palette.colors[usize::from(index)][0]) / 512.0;
            }
            let exact = block as f64 * 8.0 + 3.5;
            assert!((mean - exact).abs() < 2.5, "{mean} for {exact}");
        }
    }
}
