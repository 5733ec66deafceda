//! Many pictures on one page.

use crate::{Color, Image};

/// Gap between pictures and around the page [pixels].
const GAP: u32 = 12;
/// Gap between a picture and its label [pixels].
const LABEL_GAP: u32 = 6;

/// Puts the pictures in rows of `columns` on one page, each with its label below.
///
/// Every cell is as large as the largest picture. Missing labels are empty, labels without a
/// picture are left out; no labels at all leave no room for them.
pub fn contact_sheet(images: &[Image], labels: &[&str], columns: usize) -> Image {
    let columns = columns.clamp(1, images.len().max(1)) as u32;
    let rows = (images.len() as u32).div_ceil(columns);
    let cell_width = images.iter().map(Image::width).max().unwrap_or(0);
    let cell_height = images.iter().map(Image::height).max().unwrap_or(0);
    let scale = (cell_width / 320).clamp(1, 4);
    let (_, text_height) = Image::text_size("", scale);
    let label_height = if labels.is_empty() {
        0
    } else {
        LABEL_GAP + text_height
    };

    let (step_x, step_y) = (cell_width + GAP, cell_height + label_height + GAP);
    let paper = Color::from_srgb8(250, 249, 247);
    let ink = Color::from_srgb8(70, 66, 62);
    let mut page = Image::new(GAP + columns * step_x, GAP + rows * step_y, paper);
    for (number, image) in images.iter().enumerate() {
        let x = i64::from(GAP + number as u32 % columns * step_x);
        let y = i64::from(GAP + number as u32 / columns * step_y);
        page.draw_image((x, y), image);
        if let Some(label) = labels.get(number) {
            page.draw_text(
                (x, y + i64::from(cell_height + LABEL_GAP)),
                label,
                scale,
                ink,
            );
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_holds_every_picture_and_label() {
        let red = Color::from_srgb8(200, 0, 0);
        let images: Vec<Image> = (0..5).map(|_| Image::new(100, 50, red)).collect();
        let page = contact_sheet(&images, &["a", "b", "c", "d", "e"], 3);
        // 3 columns and 2 rows; a label is 8 dots high at scale 1.
        assert_eq!(page.width(), 12 + 3 * (100 + 12));
        assert_eq!(page.height(), 12 + 2 * (50 + 6 + 8 + 12));
        let red_pixels = page
            .pixels()
            .chunks(3)
            .filter(|p| *p == [200, 0, 0])
            .count();
        assert_eq!(red_pixels, 5 * 100 * 50);
        let ink = page
            .pixels()
            .chunks(3)
            .filter(|p| *p == [70, 66, 62])
            .count();
        assert!(ink >= 5 * 9, "five letters: {ink}");
        assert_eq!(page.pixel(12, 12), Some([200, 0, 0]));
        assert_eq!(
            page.pixel(12 + 2 * 112, 12 + 76),
            Some([250, 249, 247]),
            "the sixth is empty"
        );
    }

    #[test]
    fn an_empty_page_and_zero_columns_are_fine() {
        assert_eq!(contact_sheet(&[], &[], 0).height(), GAP);
        let page = contact_sheet(&[Image::new(3, 4, Color::BLACK)], &[], 0);
        assert_eq!((page.width(), page.height()), (3 + 24, 4 + 24));
    }
}
