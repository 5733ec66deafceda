use super::*;
use crate::{Background, Bounds, Ground, KeyLight, Shading};
use muslin::math::Vec3;
use std::f64::consts::{PI, TAU};

fn small() -> Settings {
    Settings {
        width: 160,
        height: 90,
        ..Settings::default()
    }
}

/// A camera at −y that looks level along +y.
fn level_camera() -> Camera {
    Camera {
        eye: Vec3::new(0.0, -4.0, 0.0),
        target: Vec3::ZERO,
        up: Vec3::Z,
        vertical_fov: 0.6,
    }
}

/// Linear light of one channel of a pixel.
fn linear(image: &Image, x: u32, y: u32) -> [f32; 3] {
    let [r, g, b] = image.pixel(x, y).unwrap();
    let color = Color::from_srgb8(r, g, b);
    [color.r, color.g, color.b]
}

fn sphere(center: Vec3, radius: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (around, along) = (48_u32, 24_u32);
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for j in 0..=along {
        let (sin_t, cos_t) = (PI * f64::from(j) / f64::from(along)).sin_cos();
        for i in 0..around {
            let (sin_p, cos_p) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
            positions.push(center + Vec3::new(sin_t * cos_p, sin_t * sin_p, cos_t) * radius);
            if j < along {
                let (a, b) = (j * around + i, j * around + (i + 1) % around);
                triangles.push([a, a + around, b + around]);
                triangles.push([a, b + around, b]);
            }
        }
    }
    (positions, triangles)
}

/// A square in the xz plane, `half` [m] from its middle to its sides, with its front towards −y.
fn standing_square(half: f64) -> ([Vec3; 4], [[u32; 3]; 2]) {
    let corner = |x: f64, z: f64| Vec3::new(x * half, 0.0, z * half);
    let positions = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    (positions, [[0, 1, 2], [0, 2, 3]])
}

#[test]
fn front_and_back_show_their_own_colors() {
    let (positions, triangles) = standing_square(0.5);
    let (red, green) = (Color::new(0.6, 0.02, 0.02), Color::new(0.02, 0.6, 0.02));
    let cloth = Surface {
        front: red,
        back: green,
        ..Surface::cloth(&positions, &triangles)
    };
    let mut camera = level_camera();
    let [r, g, _] = linear(&render(&[cloth], &camera, &small()).unwrap(), 80, 45);
    assert!(r > 5.0 * g, "front: {r} {g}");
    camera.eye = -camera.eye;
    let [r, g, _] = linear(&render(&[cloth], &camera, &small()).unwrap(), 80, 45);
    assert!(g > 5.0 * r, "back: {r} {g}");
    let blue = [Color::new(0.02, 0.02, 0.6); 4];
    let map = Surface {
        vertex_colors: Some(&blue),
        ..cloth
    };
    let [r, g, b] = linear(&render(&[map], &camera, &small()).unwrap(), 80, 45);
    assert!(b > 5.0 * r && b > 5.0 * g, "vertex colours: {r} {g} {b}");
}

#[test]
fn an_open_floor_and_an_open_table_show_their_own_color() {
    // Light is normalised to luminance 1 on an open horizontal place, so grey stays itself
    // (below the shoulder of the tone curve, and but for the lamps' slight tint and sheen).
    let grey = Color::new(0.4, 0.4, 0.4);
    let camera = Camera {
        eye: Vec3::new(0.0, -3.0, 3.0),
        target: Vec3::ZERO,
        up: Vec3::Z,
        vertical_fov: 0.4,
    };
    let ground = Some(Ground {
        height: 0.0,
        color: grey,
    });
    let settings = Settings { ground, ..small() };
    let floor = render(&[], &camera, &settings).unwrap();
    for channel in linear(&floor, 80, 45) {
        assert!((channel - 0.4).abs() < 0.006, "{channel}");
    }
    let dim = Settings {
        exposure: 0.5,
        ..settings
    };
    let floor = render(&[], &camera, &dim).unwrap();
    assert!((linear(&floor, 80, 45)[1] - 0.2).abs() < 0.004);

    let corner = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    let positions = [
        corner(-1., -1.),
        corner(1., -1.),
        corner(1., 1.),
        corner(-1., 1.),
    ];
    let table = Surface {
        front: grey,
        ..Surface::cloth(&positions, &[[0, 1, 2], [0, 2, 3]])
    };
    let image = render(&[table], &camera, &small()).unwrap();
    let [r, g, b] = linear(&image, 80, 45);
    let luminance = Color::new(r, g, b).luminance();
    assert!((luminance - 0.4).abs() < 0.012, "{luminance}");
}

#[test]
fn a_sphere_is_bright_towards_the_lamp_and_a_mirrored_studio_mirrors_the_picture() {
    let (positions, triangles) = sphere(Vec3::ZERO, 0.8);
    let body = Surface::body(&positions, &triangles);
    let lamp = |azimuth: f64| Settings {
        key_light: KeyLight {
            azimuth,
            ..KeyLight::default()
        },
        ..small()
    };
    let left = render(&[body], &level_camera(), &lamp(1.0)).unwrap();
    let right = render(&[body], &level_camera(), &lamp(-1.0)).unwrap();
    // The sphere's radius is 0.8/4/tan(0.3) of half the height: about 29 pixels.
    assert!(linear(&left, 65, 35)[1] > 1.5 * linear(&left, 95, 55)[1]);
    let mut total = 0;
    for y in 0..90 {
        for x in 0..160 {
            let (a, b) = (left.pixel(x, y).unwrap(), right.pixel(159 - x, y).unwrap());
            let difference = (0..3)
                .map(|i| u32::from(a[i].abs_diff(b[i])))
                .max()
                .unwrap();
            assert!(difference < 40, "pixel {x} {y}: {a:?} {b:?}");
            total += difference;
        }
    }
    assert!(
        total < 160 * 90,
        "mean difference below one code value: {total}"
    );
}

#[test]
fn the_shadow_lies_where_the_lamp_puts_it() {
    let (center, radius) = (Vec3::new(0.0, 0.0, 0.8), 0.3);
    let (positions, triangles) = sphere(center, radius);
    let camera = Camera {
        eye: Vec3::new(0.0, -6.0, 5.0),
        target: Vec3::ZERO,
        up: Vec3::Z,
        vertical_fov: 0.5,
    };
    let settings = Settings {
        ground: Some(Ground::at(0.0)),
        ..small()
    };
    let with = render(&[Surface::body(&positions, &triangles)], &camera, &settings).unwrap();
    let without = render(&[], &camera, &settings).unwrap();
    // Azimuth 0 is towards the camera (−y), positive to its left (−x).
    let key = settings.key_light;
    let to_lamp = Vec3::new(
        -key.azimuth.sin() * key.elevation.cos(),
        -key.azimuth.cos() * key.elevation.cos(),
        key.elevation.sin(),
    );
    let ratio = |point: Vec3| {
        let (x, y) = camera.project(point, settings.aspect()).unwrap();
        let (px, py) = (((x + 1.0) * 80.0) as u32, ((1.0 - y) * 45.0) as u32);
        linear(&with, px, py)[1] / linear(&without, px, py)[1]
    };
    let shadow = center - to_lamp * (center.z / to_lamp.z);
    assert!(ratio(shadow) < 0.6, "umbra: {}", ratio(shadow));
    let lit = Vec3::new(-shadow.x, -0.6, 0.0);
    assert!(ratio(lit) > 0.85, "opposite: {}", ratio(lit));
    // Below the sphere it hides (r/d)² = 14 % of a uniform dome, which gives about a third of the
    // light of the floor.
    let below = 1.0 - ratio(Vec3::ZERO);
    assert!((0.03..0.07).contains(&below), "below: {below}");
}

#[test]
fn silhouettes_cover_pixels_by_area() {
    // A black square turned by 30° in front of white: the missing light is its area.
    let turn = PI / 6.0;
    let half = 0.5;
    let (square, triangles) = standing_square(half);
    let positions = square.map(|p| {
        Vec3::new(
            p.x * turn.cos() - p.z * turn.sin(),
            0.0,
            p.x * turn.sin() + p.z * turn.cos(),
        )
    });
    let black = Surface {
        front: Color::BLACK,
        shading: Shading::Flat,
        ..Surface::cloth(&positions, &triangles)
    };
    let background = Background {
        top: Color::WHITE,
        bottom: Color::WHITE,
    };
    let settings = Settings {
        background,
        ..small()
    };
    let image = render(&[black], &level_camera(), &settings).unwrap();
    // Dither makes pixels differ; its mean over whole 8 x 8 blocks is exact.
    let white = (0..160 * 8)
        .map(|i| linear(&image, i % 160, i / 160)[1])
        .sum::<f32>()
        / 1280.0;
    let missing: f32 = (0..160 * 90)
        .map(|i| 1.0 - linear(&image, i % 160, i / 160)[1] / white)
        .sum();
    // Pixels per metre at the square: 45 / (4 tan 0.3).
    let side = 2.0 * half * 45.0 / (4.0 * 0.3_f64.tan());
    let error = f64::from(missing) / (side * side) - 1.0;
    assert!(error.abs() < 0.01, "relative error of the area: {error}");
    let partly = image
        .pixels()
        .chunks(3)
        .filter(|p| (20..230).contains(&p[1]))
        .count();
    assert!(partly > 100, "edge pixels are grey: {partly}");
}

#[test]
fn pictures_are_the_same_bits_on_any_number_of_threads() {
    let (positions, triangles) = sphere(Vec3::new(0.0, 0.0, 0.5), 0.5);
    let settings = Settings {
        ground: Some(Ground::at(0.0)),
        ..small()
    };
    let bounds = Bounds::of_points(&positions);
    let camera = Camera::framing(bounds, settings.aspect(), Vec3::Z);
    let [one, two, five] = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let surfaces = [Surface::body(&positions, &triangles)];
        pool.install(|| render(&surfaces, &camera, &settings).unwrap())
    });
    assert_eq!(one, two);
    assert_eq!(one, five);
}

#[test]
fn a_picture_does_not_depend_on_where_the_scene_lies() {
    let (positions, triangles) = sphere(Vec3::ZERO, 0.5);
    let far = Vec3::new(4096.0, -2048.0, 1024.0);
    let moved: Vec<Vec3> = positions.iter().map(|&p| p + far).collect();
    let settings = Settings {
        ground: Some(Ground::at(-0.5)),
        ..small()
    };
    let moved_settings = Settings {
        ground: Some(Ground::at(1023.5)),
        ..small()
    };
    let camera = level_camera();
    let moved_camera = Camera {
        eye: camera.eye + far,
        target: camera.target + far,
        ..camera
    };
    let near = render(&[Surface::body(&positions, &triangles)], &camera, &settings).unwrap();
    let body = Surface::body(&moved, &triangles);
    let away = render(&[body], &moved_camera, &moved_settings).unwrap();
    // Adding the offset rounds positions by 1e-12 m, which f32 mostly rounds away again.
    let differing = near
        .pixels()
        .iter()
        .zip(away.pixels())
        .filter(|(a, b)| a.abs_diff(**b) > 2);
    assert!(differing.count() < 30);
}

#[test]
fn wrong_input_is_named_and_degenerate_input_is_drawn() {
    let (positions, triangles) = standing_square(0.5);
    let cloth = Surface::cloth(&positions, &triangles);
    let camera = level_camera();
    let error = |surface: Surface, camera: &Camera, settings: &Settings| {
        render(&[surface], camera, settings).unwrap_err()
    };
    let empty = Settings {
        width: 0,
        ..small()
    };
    assert!(matches!(
        error(cloth, &camera, &empty),
        RenderError::Size { width: 0, .. }
    ));
    let huge = Settings {
        width: 16384,
        height: 16384,
        ..small()
    };
    assert!(matches!(
        error(cloth, &camera, &huge),
        RenderError::Size { .. }
    ));
    let wrong = Surface {
        triangles: &[[0, 1, 2], [0, 1, 4]],
        ..cloth
    };
    let message = error(wrong, &camera, &small()).to_string();
    assert!(
        message.contains("triangle 1 of surface 0 uses vertex 4"),
        "{message}"
    );
    let nowhere = [Vec3::ZERO, Vec3::NAN, Vec3::X, Vec3::Y];
    let wrong = Surface {
        positions: &nowhere,
        ..cloth
    };
    let expected = RenderError::Position {
        surface: 0,
        vertex: 1,
    };
    assert_eq!(error(wrong, &camera, &small()), expected);
    let wrong = Surface {
        vertex_colors: Some(&[Color::WHITE]),
        ..cloth
    };
    assert!(matches!(
        error(wrong, &camera, &small()),
        RenderError::Colors { color_count: 1, .. }
    ));
    let blind = Camera {
        vertical_fov: 4.0,
        ..camera
    };
    assert_eq!(
        error(cloth, &blind, &small()),
        RenderError::Studio { what: "camera" }
    );
}

#[test]
fn degenerate_input_is_drawn() {
    let (positions, triangles) = standing_square(0.5);
    let cloth = Surface::cloth(&positions, &triangles);
    let enormous = [Vec3::ZERO, Vec3::X * 1e300, Vec3::Y, Vec3::Y];
    let odd = Surface {
        positions: &enormous,
        ..cloth
    };
    let inside = Camera {
        eye: Vec3::ZERO,
        target: Vec3::ZERO,
        up: Vec3::ZERO,
        ..level_camera()
    };
    for camera in [level_camera(), inside] {
        let settings = Settings {
            ambient_occlusion_samples: 0,
            ..small()
        };
        let image = render(&[odd, cloth], &camera, &settings);
        assert_eq!(image.unwrap().width(), 160);
    }
}
