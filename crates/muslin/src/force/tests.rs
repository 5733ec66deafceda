//! V1: every gradient and Hessian against central differences, and positive semi-definiteness.

use super::*;
use crate::cloth::{HingeRest, Maps, TriangleRest};
use crate::fabric::Fabric;
use crate::force::air::Air;
use crate::math::{Mat3, Random, Vec2};
use crate::mesh::{Diagonals, Sheet, TriMesh};
use membrane::{Map, MapMatrix};

fn fabric() -> Fabric {
    Fabric {
        density: 0.15,
        thickness: 0.001,
        stretch: [1200.0, 700.0],
        shear: 90.0,
        bending: [2e-5, 1e-5],
        stretch_damping: 0.7,
        shear_damping: 0.2,
        bend_damping: 1e-7,
        friction_static: 0.4,
        friction_kinetic: 0.3,
        strain_limit: 0.1,
        compression_limit: f64::INFINITY,
    }
}

fn vector(random: &mut Random, size: f64) -> Vec3 {
    Vec3::new(random.between(-size, size), random.between(-size, size), random.between(-size, size))
}

/// Random rest triangles from round to needle-like, and positions from at rest to badly strained.
fn triangle_case(random: &mut Random) -> (TriangleRest, [Vec3; 3]) {
    let squash = 10f64.powf(random.between(-2.0, 0.0));
    let uv = [
        Vec2::ZERO,
        Vec2::new(0.1, random.between(-0.02, 0.02) * squash),
        Vec2::new(random.between(0.0, 0.1), 0.1 * squash),
    ];
    let mesh = TriMesh::new(3, vec![[0, 1, 2]], vec![uv]).unwrap();
    let maps = Maps { shrink: vec![[random.between(0.7, 1.3), 1.0]], ..Maps::default() };
    let cloth = Cloth::new(&mesh, &fabric(), &maps).unwrap();
    let strain = 10f64.powf(random.between(-3.0, -0.5)) * 0.1 * squash;
    let turn = crate::math::Quat::from_scaled_axis(vector(random, 3.0));
    let x = uv.map(|p| turn * (p.extend(0.0)) + vector(random, strain));
    (cloth.triangle_rest[0], x)
}

fn gradient_by_differences<const N: usize>(
    x: [Vec3; N],
    h: f64,
    energy: impl Fn([Vec3; N]) -> f64,
) -> [Vec3; N] {
    std::array::from_fn(|i| {
        let mut g = Vec3::ZERO;
        for axis in 0..3 {
            let (mut low, mut high) = (x, x);
            low[i][axis] -= h;
            high[i][axis] += h;
            g[axis] = (energy(high) - energy(low)) / (2.0 * h);
        }
        g
    })
}

fn membrane_force(rest: &TriangleRest, x: [Vec3; 3], v: [Vec3; 3]) -> [Vec3; 3] {
    let p = membrane::stress(rest, &Map::of(rest, x), &Map::of(rest, v));
    std::array::from_fn(|i| -(p.u * rest.du[i] + p.v * rest.dv[i]))
}

#[test]
fn v1_membrane_force_is_minus_the_gradient_of_its_energy() {
    let mut random = Random::new(11);
    for _ in 0..2000 {
        let (rest, x) = triangle_case(&mut random);
        let f = membrane_force(&rest, x, [Vec3::ZERO; 3]);
        let scale = f.iter().map(|f| f.length()).fold(1e-6, f64::max);
        // The error of a central difference falls as h²: two steps, the smaller one must be better.
        let error = |h: f64| {
            let g = gradient_by_differences(x, h, |x| membrane::energy(&rest, x));
            (0..3).map(|i| (f[i] + g[i]).length()).fold(0.0, f64::max) / scale
        };
        let altitude = 2.0 * rest.area / 0.1;
        let (coarse, fine) = (error(1e-2 * altitude), error(1e-3 * altitude));
        assert!(fine < 1e-3, "{fine}");
        assert!(fine < 0.02 * coarse + 1e-6, "{coarse} → {fine} does not fall as h²");
    }
}

fn dense(m: &MapMatrix) -> [[f64; 6]; 6] {
    let mut out = [[0.0; 6]; 6];
    for i in 0..3 {
        for j in 0..3 {
            out[i][j] = m.uu.col(j)[i];
            out[i][j + 3] = m.uv.col(j)[i];
            out[j + 3][i] = m.uv.col(j)[i];
            out[i + 3][j + 3] = m.vv.col(j)[i];
        }
    }
    out
}

/// Eigenvalues of a symmetric matrix by Jacobi rotations.
fn eigenvalues<const N: usize>(mut a: [[f64; N]; N]) -> [f64; N] {
    for _ in 0..60 {
        for p in 0..N {
            for q in p + 1..N {
                let t = 0.5 * f64::atan2(2.0 * a[p][q], a[q][q] - a[p][p]);
                let (s, c) = t.sin_cos();
                for k in 0..N {
                    let (x, y) = (a[k][p], a[k][q]);
                    (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..N {
                    let (x, y) = (a[p][k], a[q][k]);
                    (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    std::array::from_fn(|i| a[i][i])
}

/// The exact Hessian of the energy in map space by differences of the stress.
fn hessian_by_differences(rest: &TriangleRest, w: &Map) -> [[f64; 6]; 6] {
    let h = 1e-6;
    let mut out = [[0.0; 6]; 6];
    for j in 0..6 {
        let shifted = |s: f64| {
            let mut w = *w;
            if j < 3 {
                w.u[j] += s;
            } else {
                w.v[j - 3] += s;
            }
            let p = membrane::stress(rest, &w, &Map::default());
            [p.u.x, p.u.y, p.u.z, p.v.x, p.v.y, p.v.z]
        };
        let (low, high) = (shifted(-h), shifted(h));
        for i in 0..6 {
            out[i][j] = (high[i] - low[i]) / (2.0 * h);
        }
    }
    out
}

/// Without shear, a triangle stretched both ways has a positive semi-definite Hessian, and ours equals
/// it; elsewhere ours is projected. With shear it is positive semi-definite too.
#[test]
fn v1_membrane_hessian_is_exact_where_definite_and_projected_elsewhere() {
    let mut random = Random::new(5);
    let (mut exact, mut projected) = (0, 0);
    for _ in 0..4000 {
        let (mut rest, x) = triangle_case(&mut random);
        let w = Map::of(&rest, x);
        let (k, _) = membrane::stiffness_and_damping(&rest, &w, &Map::default());
        let largest = eigenvalues(dense(&k)).iter().copied().fold(0.0, f64::max);
        assert!(eigenvalues(dense(&k)).iter().all(|e| *e >= -1e-10 * largest));
        rest.shear = 0.0;
        let (k, _) = membrane::stiffness_and_damping(&rest, &w, &Map::default());
        let (ours, reference) = (dense(&k), hessian_by_differences(&rest, &w));
        let scale = eigenvalues(reference).iter().fold(0.0, |m, e| f64::max(m, e.abs()));
        let stretched = w.u.length() >= rest.target[0] && w.v.length() >= rest.target[1];
        if stretched {
            exact += 1;
            for i in 0..6 {
                for j in 0..6 {
                    assert!((ours[i][j] - reference[i][j]).abs() < 1e-6 * scale);
                }
            }
        } else {
            projected += 1;
        }
    }
    assert!(exact > 20 && projected > 500, "{exact} exact, {projected} projected");
}

/// The shear part alone: our projection equals the spectral one, found here by Jacobi rotations
/// through the identity tr(P) = Σ max(λ, 0) and ‖P‖² = Σ max(λ, 0)².
#[test]
fn v1_shear_projection_is_the_spectral_one() {
    let mut random = Random::new(8);
    for _ in 0..2000 {
        let (mut rest, x) = triangle_case(&mut random);
        rest.stretch = [0.0; 2];
        let w = Map::of(&rest, x);
        let (k, _) = membrane::stiffness_and_damping(&rest, &w, &Map::default());
        let (ours, reference) = (dense(&k), eigenvalues(hessian_by_differences(&rest, &w)));
        let scale = reference.iter().fold(0.0, |m, e| f64::max(m, e.abs()));
        let positive = reference.map(|e| e.max(0.0));
        let trace: f64 = (0..6).map(|i| ours[i][i]).sum();
        let norm: f64 = ours.iter().flatten().map(|a| a * a).sum();
        assert!((trace - positive.iter().sum::<f64>()).abs() < 1e-6 * scale);
        let squares: f64 = positive.iter().map(|e| e * e).sum();
        assert!((norm - squares).abs() < 1e-5 * scale * scale);
    }
}

/// BW6: `−∂d/∂v` against differences in v, and damping that never gives energy.
#[test]
fn v1_membrane_damping_matrix_matches_differences() {
    let mut random = Random::new(21);
    for _ in 0..500 {
        let (rest, x) = triangle_case(&mut random);
        let w = Map::of(&rest, x);
        let v: [Vec3; 3] = std::array::from_fn(|_| vector(&mut random, 1.0));
        let rate = Map::of(&rest, v);
        let (_, d) = membrane::stiffness_and_damping(&rest, &w, &rate);
        let with = membrane::stress(&rest, &w, &rate);
        let without = membrane::stress(&rest, &w, &Map::default());
        // Damping is linear in the rate, so the matrix must reproduce it exactly.
        let by_matrix = d.times(&rate);
        let scale = (with.u - without.u).length() + (with.v - without.v).length() + 1e-12;
        assert!((with.u - without.u - by_matrix.u).length() < 1e-9 * scale);
        assert!((with.v - without.v - by_matrix.v).length() < 1e-9 * scale);
        let power = by_matrix.u.dot(rate.u) + by_matrix.v.dot(rate.v);
        assert!(power >= 0.0);
    }
}

/// Hinges folded to ±175°, of all shapes.
fn hinge_case(random: &mut Random) -> ([Vec3; 4], f64) {
    let theta = random.between(-175.0, 175.0).to_radians();
    let tip = |random: &mut Random| (random.between(0.2, 0.8), random.between(0.02, 0.1));
    let ((s0, d0), (s1, d1)) = (tip(random), tip(random));
    // Wing 0 lies at y < 0 in the plane z = 0, wing 1 turns about the edge along x by θ.
    let x2 = Vec3::ZERO;
    let x3 = Vec3::new(0.1, 0.0, 0.0);
    let x0 = Vec3::new(0.1 * s0, d0, 0.0);
    let x1 = Vec3::new(0.1 * s1, -d1 * theta.cos(), -d1 * theta.sin());
    let turn = crate::math::Quat::from_scaled_axis(vector(random, 3.0));
    ([x0, x1, x2, x3].map(|p| turn * p), theta)
}

#[test]
fn v1_hinge_angle_and_gradient() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let (x, theta) = hinge_case(&mut random);
        let angle = hinge::angle(x).unwrap();
        assert!((angle.value - theta).abs() < 1e-12, "{} is not {theta}", angle.value);
        let by_differences = gradient_by_differences(x, 1e-7, |x| hinge::angle(x).unwrap().value);
        let scale = angle.gradient.iter().map(|g| g.length()).fold(0.0, f64::max);
        for i in 0..4 {
            assert!((angle.gradient[i] - by_differences[i]).length() < 1e-6 * scale);
        }
        // V2: no net force and no net torque, to rounding.
        let sum: Vec3 = angle.gradient.iter().sum();
        let torque: Vec3 = (0..4).map(|i| x[i].cross(angle.gradient[i])).sum();
        assert!(sum.length() < 1e-12 * scale && torque.length() < 1e-12 * scale);
    }
}

/// MF4 too: its energy, the same for small angles, and a moment that grows with the angle up to a full fold.
#[test]
fn v1_hinge_force_is_minus_the_gradient_of_its_energy() {
    let mut random = Random::new(4);
    for form in [hinge::BendForm::Angle, hinge::BendForm::HalfSine] {
        for _ in 0..500 {
            let (x, theta) = hinge_case(&mut random);
            let rest = HingeRest {
                vertices: [0, 1, 2, 3],
                stiffness: 3e-4,
                damping: 0.0,
                rest_angle: random.between(-1.0, 1.0),
                form,
            };
            let angle = hinge::angle(x).unwrap();
            let moment = hinge::moment(&rest, &angle, [Vec3::ZERO; 4]);
            let g = gradient_by_differences(x, 1e-7, |x| hinge::energy(&rest, x));
            let scale = g.iter().map(|g| g.length()).fold(1e-9, f64::max);
            for i in 0..4 {
                assert!((angle.gradient[i] * moment - g[i]).length() < 1e-5 * scale);
            }
            let at = |value: f64| hinge::elastic_moment(&rest, value);
            let slope = (at(theta + 1e-6) - at(theta - 1e-6)) / 2e-6;
            let tangent = hinge::tangent(&rest, angle.value);
            assert!(tangent >= 0.0 && (tangent - slope).abs() < 1e-8 * rest.stiffness);
            assert!(at(rest.rest_angle).abs() < 1e-18);
        }
    }
}

/// MF4 as printed: `F_i = k |E|²/(|N1|+|N2|) sin(θ/2) u_i` with `k = 4D`, on a hinge whose wings have not changed.
#[test]
fn mf4_is_the_printed_force_with_four_times_the_rigidity() {
    let mut random = Random::new(12);
    for _ in 0..200 {
        let (x, theta) = hinge_case(&mut random);
        let n1 = (x[0] - x[2]).cross(x[0] - x[3]);
        let n2 = (x[1] - x[3]).cross(x[1] - x[2]);
        let (e, d) = (x[3] - x[2], 2e-5);
        let rest = HingeRest {
            vertices: [0, 1, 2, 3],
            stiffness: d * e.length_squared() / (0.5 * n1.length() + 0.5 * n2.length()),
            damping: 0.0,
            rest_angle: 0.0,
            form: hinge::BendForm::HalfSine,
        };
        let ours = hinge::elastic_moment(&rest, hinge::angle(x).unwrap().value);
        let cosine = n1.dot(n2) / (n1.length() * n2.length());
        let sine = (0.5 * (1.0 - cosine)).sqrt() * theta.signum();
        let printed = 4.0 * d * e.length_squared() / (n1.length() + n2.length()) * sine;
        assert!((ours - printed).abs() < 1e-9 * printed.abs(), "{ours} is not {printed}");
    }
}

/// A small sheet, bent and stretched, moving at random.
fn rumpled_sheet(random: &mut Random) -> (Cloth, Vec<Vec3>, Vec<Vec3>) {
    let sheet = Sheet::grid([0.3, 0.2], [5, 4], Diagonals::Irregular(3)).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &fabric(), &Maps::default()).unwrap();
    let x = sheet.positions.iter().map(|p| *p + vector(random, 0.02)).collect();
    let v = sheet.positions.iter().map(|_| vector(random, 0.5)).collect();
    (cloth, x, v)
}

fn assembled(cloth: &Cloth, x: &[Vec3], v: &[Vec3], air: Option<&Air>, beta: f64) -> System {
    let mut system = System::new(cloth);
    let shift = vec![Vec3::ZERO; x.len()];
    system.assemble(cloth, &Linearised { x, v, shift: &shift, air, winds: &[], beta });
    system
}

/// V2: a sheet in any shape and motion exerts no net force and no net torque on itself.
#[test]
fn v2_internal_forces_keep_momentum() {
    let mut random = Random::new(9);
    let (cloth, x, v) = rumpled_sheet(&mut random);
    let system = assembled(&cloth, &x, &v, None, 0.01);
    let size: f64 = system.force.iter().map(|f| f.length()).sum();
    let force: Vec3 = system.force.iter().sum();
    let torque: Vec3 = x.iter().zip(&system.force).map(|(x, f)| x.cross(*f)).sum();
    assert!(size > 1.0 && force.length() < 1e-12 * size && torque.length() < 1e-12 * size);
}

/// V2: a rigidly moving sheet feels no internal force, elastic or damping.
#[test]
fn v2_rigid_motion_is_free() {
    let sheet = Sheet::grid([0.3, 0.2], [5, 4], Diagonals::Alternating).unwrap();
    let cloth = Cloth::new(&sheet.mesh, &fabric(), &Maps::default()).unwrap();
    let turn = crate::math::Quat::from_scaled_axis(Vec3::new(0.3, -1.0, 2.0));
    let x: Vec<Vec3> = sheet.positions.iter().map(|p| turn * *p + Vec3::ONE).collect();
    let spin = Vec3::new(3.0, 1.0, -2.0);
    let v: Vec<Vec3> = x.iter().map(|x| spin.cross(*x) + Vec3::X).collect();
    let system = assembled(&cloth, &x, &v, None, 0.01);
    let largest = system.force.iter().map(|f| f.length()).fold(0.0, f64::max);
    assert!(largest < 1e-10, "{largest} N; stiffness is 1200 N/m and rounding 1e-16");
}

/// The assembled force is the sum over elements, and the shifted one is `f + K d` with the matrix's own K.
#[test]
fn assembly_agrees_with_its_elements() {
    let mut random = Random::new(14);
    let (cloth, x, v) = rumpled_sheet(&mut random);
    let still = vec![Vec3::ZERO; x.len()];
    let system = assembled(&cloth, &x, &still, None, 0.01);
    let h = 1e-6;
    let total = |x: &[Vec3]| {
        let e = elastic_energy(&cloth, x);
        e.membrane + e.bend
    };
    for i in 0..x.len() {
        for axis in 0..3 {
            let (mut low, mut high) = (x.clone(), x.clone());
            low[i][axis] -= h;
            high[i][axis] += h;
            let slope = (total(&high) - total(&low)) / (2.0 * h);
            assert!((system.force[i][axis] + slope).abs() < 1e-4 * (1.0 + slope.abs()));
        }
    }
    // With beta large the matrix is β²K + βD + M; take K d out of it and compare.
    let beta = 0.02;
    let shift: Vec<Vec3> = x.iter().map(|_| vector(&mut random, 1e-3)).collect();
    let undamped = {
        let mut cloth = cloth.clone();
        cloth
            .triangle_rest
            .iter_mut()
            .for_each(|r| (r.stretch_damping, r.shear_damping) = (0.0, 0.0));
        cloth.hinges.iter_mut().for_each(|h| h.damping = 0.0);
        cloth
    };
    let mut system = System::new(&undamped);
    system.assemble(
        &undamped,
        &Linearised { x: &x, v: &v, shift: &shift, air: None, winds: &[], beta },
    );
    let mut image = vec![Vec3::ZERO; x.len()];
    system.matrix.multiply(&shift, &mut image);
    for i in 0..x.len() {
        let k_d = -(image[i] - shift[i] * undamped.mass[i]) / (beta * beta);
        let expected = system.force[i] + k_d;
        let scale = 1.0 + expected.length();
        assert!((system.shifted_force[i] - expected).length() < 1e-9 * scale);
    }
}

/// `−∂f/∂v` of air on a triangle, by central differences.
fn air_rate_by_differences(air: &Air, x: [Vec3; 3], v: Vec3) -> Mat3 {
    let h = 1e-5;
    let mut rate = Mat3::ZERO;
    for axis in 0..3 {
        let mut e = Vec3::ZERO;
        e[axis] = h;
        let high = air::on_triangle(air, x, v + e).force;
        let low = air::on_triangle(air, x, v - e).force;
        *rate.col_mut(axis) = -(high - low) / (2.0 * h);
    }
    rate
}

fn largest_entry(m: Mat3) -> f64 {
    m.to_cols_array().into_iter().fold(0.0, |a, b| a.max(b.abs()))
}

/// BW7, V1: the air's matrix is `−∂f/∂v` of its drag; drag takes energy.
#[test]
fn v1_air_rate_matches_differences() {
    let mut random = Random::new(6);
    let wind = Vec3::new(1.0, 2.0, 0.5);
    let air = Air { tangential: 0.3, wind, ..Air::default() };
    for _ in 0..200 {
        let x: [Vec3; 3] = std::array::from_fn(|_| vector(&mut random, 0.1));
        let v = vector(&mut random, 3.0);
        let at = air::on_triangle(&air, x, v);
        let error = largest_entry(air_rate_by_differences(&air, x, v) - at.rate);
        // Central differences of a function with a kink in its second derivative.
        assert!(error < 1e-5 * (1e-3 + at.largest_rate()), "{error}");
        assert!(at.force.dot(v - wind) <= 0.0);
    }
}

/// BW7, V1: of the lift's derivative the matrix has the positive part of what is symmetric: the difference
/// has no positive eigenvalue and is not felt by what is kept. Lift does no work.
#[test]
fn v1_lift_rate_is_the_positive_part_of_its_derivative() {
    let mut random = Random::new(8);
    let wind = Vec3::new(1.0, 2.0, 0.5);
    let air = Air { normal: 0.0, tangential: 0.0, lift: 0.7, wind, ..Air::default() };
    for _ in 0..200 {
        let x: [Vec3; 3] = std::array::from_fn(|_| vector(&mut random, 0.1));
        let v = vector(&mut random, 3.0);
        let at = air::on_triangle(&air, x, v);
        assert!(at.force.length() > 0.0 && at.force.dot(v - wind).abs() < 1e-12);
        let whole = air_rate_by_differences(&air, x, v);
        let rest = (whole + whole.transpose()) * 0.5 - at.rate;
        let tolerance = 1e-5 * (1e-3 + at.largest_rate());
        assert!(largest_entry(at.rate * rest) < tolerance * largest_entry(whole));
        for _ in 0..20 {
            let d = vector(&mut random, 1.0);
            assert!(d.dot(at.rate * d) >= -1e-12 * at.largest_rate());
            assert!(d.dot(rest * d) <= tolerance);
        }
    }
}
