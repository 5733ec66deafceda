//! Plots as SVG: lines over logarithmic axes, for how cost grows with size.

use std::fmt::Write as _;

/// Size of the picture [pixels].
const SIZE: [f64; 2] = [640.0, 420.0];
/// Room left, right, above and below the axes [pixels].
const ROOM: [f64; 4] = [72.0, 24.0, 40.0, 56.0];
/// Colours of the lines, in turn.
const COLOURS: [&str; 5] = ["#2f5f8f", "#b3302a", "#4f7f3f", "#8e6f1f", "#6d3f8f"];

/// One line of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it shows, for the legend.
    pub label: String,
    /// Points (x, y); those that are not positive and finite are left out.
    pub points: Vec<[f64; 2]>,
    /// Whether it is dashed and without marks, as a guide for the eye.
    pub guide: bool,
}

/// A plot over two logarithmic axes.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLog {
    /// Above it.
    pub title: String,
    /// Along the horizontal axis.
    pub x_label: String,
    /// Along the vertical axis.
    pub y_label: String,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A logarithmic axis: from a range of values to a range of pixels.
struct Axis {
    /// Exponents of 10 at its ends.
    decades: [f64; 2],
    pixels: [f64; 2],
}

impl Axis {
    /// Whole decades around the values.
    fn around(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Self {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let decades = if low <= high {
            let (low, high) = (low.log10().floor(), high.log10().ceil());
            [low, high.max(low + 1.0)]
        } else {
            [0.0, 1.0]
        };
        Self { decades, pixels }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.log10() - self.decades[0]) / (self.decades[1] - self.decades[0]);
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    fn ticks(&self) -> impl Iterator<Item = i32> {
        self.decades[0] as i32..=self.decades[1] as i32
    }
}

impl LogLog {
    /// The plot as the text of an SVG file.
    pub fn to_svg(&self) -> String {
        let [width, height] = SIZE;
        let [left, right, above, below] = ROOM;
        let shown = |p: &&[f64; 2]| p.iter().all(|v| *v > 0.0 && v.is_finite());
        let all = || self.lines.iter().flat_map(|line| &line.points).filter(shown);
        let x = Axis::around(all().map(|p| p[0]), [left, width - right]);
        let y = Axis::around(all().map(|p| p[1]), [height - below, above]);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        grid(&mut svg, &x, &y);
        let middle = [0.5 * (x.pixels[0] + x.pixels[1]), 0.5 * (y.pixels[0] + y.pixels[1])];
        text(&mut svg, [middle[0], 24.0], "middle", &self.title, "font-size=\"15\"");
        text(&mut svg, [middle[0], height - 12.0], "middle", &self.x_label, "");
        let turned = format!("transform=\"rotate(-90 18 {})\"", middle[1]);
        text(&mut svg, [18.0, middle[1]], "middle", &self.y_label, &turned);
        for (k, line) in self.lines.iter().enumerate() {
            let points = line.points.iter().filter(shown);
            let points: Vec<[f64; 2]> = points.map(|p| [x.at(p[0]), y.at(p[1])]).collect();
            draw(&mut svg, &points, line.guide, COLOURS[k % COLOURS.len()]);
            let row = y.pixels[1] + 20.0 + 20.0 * k as f64;
            let start = x.pixels[0] + 16.0;
            draw(
                &mut svg,
                &[[start, row], [start + 28.0, row]],
                line.guide,
                COLOURS[k % COLOURS.len()],
            );
            text(&mut svg, [start + 38.0, row + 4.0], "start", &line.label, "");
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// Lines and labels at every power of ten.
fn grid(svg: &mut String, x: &Axis, y: &Axis) {
    let ([left, right], [bottom, top]) = (x.pixels, y.pixels);
    for decade in x.ticks() {
        let at = x.at(10_f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {bottom:.1}V{top:.1}\" stroke=\"#dddddd\" fill=\"none\"/>"
        );
        text(svg, [at, bottom + 18.0], "middle", &power(decade), "");
    }
    for decade in y.ticks() {
        let at = y.at(10_f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {at:.1}H{right:.1}\" stroke=\"#dddddd\" fill=\"none\"/>"
        );
        text(svg, [left - 8.0, at + 4.0], "end", &power(decade), "");
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" stroke=\"#444444\" fill=\"none\"/>"
    );
}

fn draw(svg: &mut String, points: &[[f64; 2]], guide: bool, colour: &str) {
    let list: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    let dashes = if guide { " stroke-dasharray=\"6 5\"" } else { "" };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>",
        list.join(" ")
    );
    for [x, y] in points.iter().filter(|_| !guide) {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
    }
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, words: &str, more: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let space = if more.is_empty() { "" } else { " " };
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{space}{more}>{words}</text>"
    );
}

/// `1,000`, `10`, `0.01`.
fn power(decade: i32) -> String {
    match decade {
        0..=9 => crate::text::count(10_u64.pow(decade.unsigned_abs())),
        -6..=-1 => format!("{:.*}", decade.unsigned_abs() as usize, 10_f64.powi(decade)),
        _ => format!("1e{decade}"),
    }
}

/// The exponent `p` of the power law `y ~ x^p` that fits the points best: the slope of the
/// straight line of least squares through their logarithms. Zero for fewer than two points.
pub fn exponent(points: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = points.iter().map(|p| p.map(f64::ln)).collect();
    let n = logs.len().max(1) as f64;
    let mean = |of: &dyn Fn(&[f64; 2]) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p[0]), mean(&|p| p[1]));
    let spread = mean(&|p| (p[0] - x) * (p[0] - x));
    if spread > 0.0 { mean(&|p| (p[0] - x) * (p[1] - y)) / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact power laws give their exponent.
    #[test]
    fn exponents_of_power_laws() {
        for p in [0.5, 1.0, 1.15, 2.0] {
            let points: Vec<[f64; 2]> =
                [240.0, 1e3, 1.6e4, 2.5e5].map(|x: f64| [x, 3.0 * x.powf(p)]).to_vec();
            assert!((exponent(&points) - p).abs() < 1e-12);
        }
        assert_eq!(exponent(&[[1.0, 2.0]]), 0.0);
        assert_eq!(exponent(&[]), 0.0);
    }

    /// Points are where their logarithms say, between ticks at whole decades; bad points and
    /// markup do no harm.
    #[test]
    fn points_lie_between_the_ticks_around_them() {
        let axis = Axis::around([20.0, 500.0].into_iter(), [0.0, 200.0]);
        assert_eq!(axis.ticks().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!((axis.at(10.0), axis.at(100.0), axis.at(1000.0)), (0.0, 100.0, 200.0));
        let plot = LogLog {
            title: "a < b & c".to_owned(),
            x_label: "x".to_owned(),
            y_label: "y".to_owned(),
            lines: vec![Line {
                label: "l".to_owned(),
                points: vec![[1.0, 1.0], [f64::NAN, 2.0], [0.0, 3.0], [10.0, 10.0]],
                guide: false,
            }],
        };
        let svg = plot.to_svg();
        assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"));
        let (left, right) = (ROOM[0], SIZE[0] - ROOM[1]);
        let line = format!("{left:.1},{:.1} {right:.1},{:.1}", SIZE[1] - ROOM[3], ROOM[2]);
        assert!(svg.contains(&line), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 4, "two points, two marks in the legend");
    }
}
