//! Strain as colour, and the key to read it.

use crate::{Color, Image};

/// sRGB bytes of the map at −limit, −limit/2, 0, limit/2 and limit: blue is shortened, red is
/// stretched. Lightness falls alike on both sides, so the map also reads in grey and for
/// red-green blindness.
const STOPS: [[u8; 3]; 5] = [
    [33, 82, 160],
    [122, 167, 212],
    [240, 235, 226],
    [228, 150, 96],
    [176, 42, 40],
];

/// Colour for a strain of `value`, where ±`limit` are the ends of the map: blue for shortened,
/// pale for none, red for stretched. Values beyond the limit keep the end colour, a value that is
/// not a number is magenta, and a limit that is not positive shows everything as the middle.
pub fn strain_color(value: f64, limit: f64) -> Color {
    if value.is_nan() {
        return Color::from_srgb8(255, 0, 255);
    }
    let relative = if limit > 0.0 {
        (value / limit).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    let position = (relative + 1.0) * 0.5 * (STOPS.len() - 1) as f64;
    let below = (position as usize).min(STOPS.len() - 2);
    let t = (position - below as f64) as f32;
    let [low, high] =
        [STOPS[below], STOPS[below + 1]].map(|[r, g, b]| Color::from_srgb8(r, g, b).to_oklab());
    Color::from_oklab(std::array::from_fn(|i| low[i] + (high[i] - low[i]) * t))
}

/// Draws the key of [`strain_color`] into the bottom right corner: a bar from −`limit` to `limit`
/// with its numbers in percent and `title` above.
pub fn draw_strain_legend(image: &mut Image, limit: f64, title: &str) {
    let scale = (image.height() / 360).max(1);
    let (bar_width, bar_height) = (100 * scale, 7 * scale);
    let text_height = Image::text_size("", scale).1;
    let ends = [-1.0, 0.0, 1.0].map(|side| percent(side * limit));
    // Labels are centred under the ends of the bar, so half a label stands out on the right.
    let overhang = Image::text_size(&ends[2], scale).0 / 2;
    let left = i64::from(image.width()) - i64::from(bar_width + overhang + 12 * scale);
    let top = i64::from(image.height()) - i64::from(bar_height + text_height + 14 * scale);
    let ink = Color::from_srgb8(70, 66, 62);

    let unit = i64::from(scale);
    image.fill_rectangle(
        (left - unit, top - unit),
        (bar_width + 2 * scale, bar_height + 2 * scale),
        ink,
    );
    for column in 0..bar_width {
        let relative = 2.0 * (f64::from(column) + 0.5) / f64::from(bar_width) - 1.0;
        let color = strain_color(relative, 1.0);
        image.fill_rectangle((left + i64::from(column), top), (1, bar_height), color);
    }
    for (number, label) in ends.iter().enumerate() {
        let middle = left + number as i64 * i64::from(bar_width) / 2;
        let x = middle - i64::from(Image::text_size(label, scale).0 / 2);
        image.draw_text(
            (x, top + i64::from(bar_height) + 4 * unit),
            label,
            scale,
            ink,
        );
    }
    let title_left =
        left + (i64::from(bar_width) - i64::from(Image::text_size(title, scale).0)) / 2;
    image.draw_text(
        (title_left, top - i64::from(text_height) - 3 * unit),
        title,
        scale,
        ink,
    );
}

/// A strain in percent with as many digits as it needs: "+12%", "-0.5%", "0".
fn percent(strain: f64) -> String {
    let value = strain * 100.0;
    if value == 0.0 {
        return "0".to_owned();
    }
    let round = value.abs() >= 10.0 || value == value.round();
    let decimals = usize::from(!round);
    format!("{value:+.decimals$}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_meets_its_ends_and_is_pale_in_the_middle() {
        assert_eq!(strain_color(0.1, 0.1).to_srgb8(), STOPS[4]);
        assert_eq!(strain_color(9.0, 0.1).to_srgb8(), STOPS[4]);
        assert_eq!(strain_color(-0.1, 0.1).to_srgb8(), STOPS[0]);
        assert_eq!(strain_color(0.0, 0.1).to_srgb8(), STOPS[2]);
        assert_eq!(strain_color(5.0, 0.0).to_srgb8(), STOPS[2]);
        assert_eq!(strain_color(f64::NAN, 0.1).to_srgb8(), [255, 0, 255]);
    }

    #[test]
    fn lightness_falls_steadily_and_hue_tells_the_sign() {
        for side in [-1.0, 1.0] {
            let lightness: Vec<f32> = (0..=20)
                .map(|i| strain_color(side * f64::from(i), 20.0).to_oklab()[0])
                .collect();
            for pair in lightness.windows(2) {
                let step = pair[0] - pair[1];
                assert!(step > 0.005 && step < 0.05, "even steps: {step}");
            }
        }
        for i in 4..=20 {
            let stretched = strain_color(f64::from(i), 20.0);
            let shortened = strain_color(-f64::from(i), 20.0);
            assert!(stretched.r > stretched.b && shortened.b > shortened.r);
        }
    }

    #[test]
    fn labels_say_the_limit() {
        assert_eq!(percent(0.1), "+10%");
        assert_eq!(percent(-0.005), "-0.5%");
        assert_eq!(percent(0.0), "0");
        assert_eq!(percent(0.125), "+12%");
    }

    #[test]
    fn the_legend_is_visible_and_inside() {
        let blank = Image::new(640, 360, Color::WHITE);
        let mut with = blank.clone();
        draw_strain_legend(&mut with, 0.1, "strain");
        let ink = Color::from_srgb8(70, 66, 62).to_srgb8();
        let changed: Vec<(u32, u32)> = (0..640 * 360)
            .map(|i| (i % 640, i / 640))
            .filter(|&(x, y)| with.pixel(x, y) != blank.pixel(x, y))
            .collect();
        // The bar with its frame is 102 × 9; the rest is lettering, away from the picture's border.
        let lettering = changed
            .iter()
            .filter(|&&(x, y)| with.pixel(x, y) == Some(ink))
            .count();
        assert!(lettering > 100 + 2 * (102 + 9), "{lettering}");
        assert!(
            changed
                .iter()
                .all(|&(x, y)| x < 636 && y < 356 && x > 480 && y > 310)
        );
        let mut other = blank.clone();
        draw_strain_legend(&mut other, 0.2, "strain");
        assert_ne!(with, other, "the numbers follow the limit");
    }
}
