//! The assembly against a sum over elements with the formulas of single triangles and hinges.

use super::*;
use crate::cloth::Maps;
use crate::fabric::{StretchTable, library};
use crate::force::hinge::BendForm;
use crate::force::membrane::{self, Map};
use crate::force::{air, hinge};
use crate::math::{Mat3, Random, Vec2, lanes, outer};
use crate::mesh::{Diagonals, Sheet, TriMesh};
use crate::wind::Wind;

/// A cloth in some state of motion.
struct Case {
    cloth: Cloth,
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    shift: Vec<Vec3>,
    air: Option<Air>,
    winds: Vec<Blow>,
}

const BETA: f64 = 0.004;

impl Case {
    fn new(mesh: &TriMesh, rest: &[Vec3], maps: &Maps, seed: u64) -> Self {
        let cloth = Cloth::new(mesh, &library()[0].fabric, maps).unwrap();
        let mut random = Random::new(seed);
        let mut vectors = |size: f64| -> Vec<Vec3> {
            let mut number = || random.between(-size, size);
            rest.iter().map(|_| Vec3::new(number(), number(), number())).collect()
        };
        let x = vectors(0.1 / (rest.len() as f64).sqrt());
        Self {
            x: x.iter().zip(rest).map(|(d, p)| *p * 1.01 + *d).collect(),
            v: vectors(1.0),
            shift: vectors(0.01),
            cloth,
            air: None,
            winds: Vec::new(),
        }
    }

    fn at(&self) -> Linearised<'_> {
        let Self { x, v, shift, air, winds, .. } = self;
        Linearised { x, v, shift, air: air.as_ref(), winds, beta: BETA }
    }

    /// With registers of one kind.
    fn assembled_with(&self, level: Level) -> System {
        let mut system = System::new(&self.cloth);
        system.assemble_with(level, &self.cloth, &self.at());
        system
    }

    fn assembled(&self) -> System {
        let mut system = System::new(&self.cloth);
        system.assemble(&self.cloth, &self.at());
        // Again: nothing of a former solve may stay.
        system.assemble(&self.cloth, &self.at());
        system
    }

    /// Forces, shifted forces and the matrix, element by element.
    fn reference(&self, pattern: &Pattern) -> Sums {
        let Self { cloth, x, v, shift, .. } = self;
        let size = x.len();
        let mut sums = Sums {
            force: vec![Vec3::ZERO; size],
            shifted: vec![Vec3::ZERO; size],
            diagonal: cloth.mass.iter().map(|m| Mat3::from_diagonal(Vec3::splat(*m))).collect(),
            lower: vec![Mat3::ZERO; pattern.upper_count()],
        };
        for (t, corners) in cloth.triangles.iter().enumerate() {
            let of = |a: &[Vec3]| corners.map(|c| a[c as usize]);
            let rest = &cloth.triangle_rest[t];
            let (w, rate) = (Map::of(rest, of(x)), Map::of(rest, of(v)));
            let acting = cloth.rest_at(t, &w);
            let stress = membrane::stress(&acting, &w, &rate);
            let (k, d) = membrane::stiffness_and_damping(&acting, &w, &rate);
            let change = k.times(&Map::of(rest, of(shift)));
            let on = self.air.map(|flow| {
                let mean = |a: [Vec3; 3]| a.iter().sum::<Vec3>() / 3.0;
                let wind: Vec3 = self.winds.iter().map(|b| b.velocity(mean(of(x)))).sum();
                air::on_triangle(&Air { wind: flow.wind + wind, ..flow }, of(x), mean(of(v)))
            });
            let (push, drag) = on.map_or((Vec3::ZERO, Mat3::ZERO), |on| (on.force, on.rate));
            let full =
                |of: fn(&membrane::MapMatrix) -> Mat3| of(&k) * (BETA * BETA) + of(&d) * BETA;
            let (uu, uv, vv) = (full(|m| m.uu), full(|m| m.uv), full(|m| m.vv));
            for i in 0..3 {
                let (du, dv) = (rest.du[i], rest.dv[i]);
                let f = push / 3.0 - (stress.u * du + stress.v * dv);
                sums.add_force(corners[i], f, f - (change.u * du + change.v * dv));
                for j in 0..3 {
                    let (eu, ev) = (rest.du[j], rest.dv[j]);
                    let elastic = uu * (du * eu) + uv * (du * ev) + vv * (dv * ev);
                    let block = elastic + uv.transpose() * (dv * eu) + drag * (BETA / 9.0);
                    sums.add_block(pattern, corners[i], corners[j], block);
                }
            }
        }
        for rest in &cloth.hinges {
            let of = |a: &[Vec3]| rest.vertices.map(|c| a[c as usize]);
            let Some(angle) = hinge::angle(of(x)) else { continue };
            let (moment, g) = (hinge::moment(rest, &angle, of(v)), angle.gradient);
            let stiffness = hinge::tangent(rest, angle.value);
            let change: f64 = g.iter().zip(of(shift)).map(|(g, d)| g.dot(d)).sum();
            let weight = BETA * BETA * stiffness + BETA * rest.damping;
            for i in 0..4 {
                let (f, s) = (g[i] * -moment, g[i] * -(moment + stiffness * change));
                sums.add_force(rest.vertices[i], f, s);
                for j in 0..4 {
                    let block = outer(g[i] * weight, g[j]);
                    sums.add_block(pattern, rest.vertices[i], rest.vertices[j], block);
                }
            }
        }
        sums
    }

    fn check(&self) {
        let system = self.assembled();
        let expected = self.reference(system.matrix.pattern());
        let size = |a: &[Vec3]| a.iter().map(|f| f.length()).fold(0.0, f64::max);
        let far = |a: &[Vec3], b: &[Vec3]| {
            a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
        };
        let error = far(&system.force, &expected.force) / size(&expected.force);
        assert!(error < 1e-12, "forces {error}");
        let error = far(&system.shifted_force, &expected.shifted) / size(&expected.shifted);
        assert!(error < 1e-12, "shifted forces {error}");
        let entry = |m: &Mat3| m.to_cols_array().iter().fold(0.0, |a: f64, e| a.max(e.abs()));
        let largest = expected.diagonal.iter().map(entry).fold(0.0, f64::max);
        let all = system.matrix.diagonal.iter().chain(&system.matrix.lower);
        for (ours, expected) in all.zip(expected.diagonal.iter().chain(&expected.lower)) {
            let error = entry(&(*ours - *expected)) / largest;
            assert!(error < 1e-12, "{ours} is not {expected}");
        }
    }
}

struct Sums {
    force: Vec<Vec3>,
    shifted: Vec<Vec3>,
    diagonal: Vec<Mat3>,
    lower: Vec<Mat3>,
}

impl Sums {
    fn add_force(&mut self, vertex: u32, force: Vec3, shifted: Vec3) {
        self.force[vertex as usize] += force;
        self.shifted[vertex as usize] += shifted;
    }

    fn add_block(&mut self, pattern: &Pattern, row: u32, column: u32, block: Mat3) {
        if row == column {
            self.diagonal[row as usize] += block;
        } else if row < column {
            self.lower[pattern.find(row, column).unwrap()] += block.transpose();
        }
    }
}

/// A strip of `count` triangles, zigzag.
fn strip(count: usize) -> (TriMesh, Vec<Vec3>) {
    let place = |i: usize| Vec2::new(i as f64, if i.is_multiple_of(2) { 0.0 } else { 1.7 }) * 0.01;
    let at = |i: usize| if i.is_multiple_of(2) { [i, i + 2, i + 1] } else { [i, i + 1, i + 2] };
    let corners: Vec<[usize; 3]> = (0..count).map(at).collect();
    let triangles = corners.iter().map(|c| c.map(|i| i as u32)).collect();
    let uv = corners.iter().map(|c| c.map(place)).collect();
    let rest = (0..count + 2).map(|i| place(i).extend(0.0)).collect();
    (TriMesh::new(count + 2, triangles, uv).unwrap(), rest)
}

/// A sheet whose vertices are numbered at random: most of its elements reach into other chunks.
fn shuffled(side: usize) -> (TriMesh, Vec<Vec3>) {
    let sheet = Sheet::grid([1.0, 1.0], [side, side], Diagonals::Irregular(5)).unwrap();
    let mut random = Random::new(8);
    let count = sheet.positions.len();
    let mut number: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        number.swap(i, (random.bits() % (i as u64 + 1)) as usize);
    }
    let mut rest = vec![Vec3::ZERO; count];
    (0..count).for_each(|i| rest[number[i]] = sheet.positions[i]);
    let mesh = &sheet.mesh;
    let triangles: Vec<[u32; 3]> =
        mesh.triangles().iter().map(|t| t.map(|v| number[v as usize] as u32)).collect();
    let uv = triangles.iter().map(|t| t.map(|v| rest[v as usize].truncate())).collect();
    (TriMesh::new(count, triangles, uv).unwrap(), rest)
}

/// BW3 to BW6 with any number of elements: both lanes, one lane, and hinges none, one and more.
#[test]
fn any_number_of_elements_adds_up() {
    for count in 1..10 {
        let (mesh, rest) = strip(count);
        Case::new(&mesh, &rest, &Maps::default(), count as u64).check();
    }
}

/// BW3 to BW7, MF4: several chunks; air, lift and wind; the law of half sines; tables; degenerate wings.
#[test]
fn every_kind_of_element_adds_up() {
    let sheet = Sheet::grid([1.0, 1.0], [50, 50], Diagonals::Alternating).unwrap();
    let points = vec![[0.0, 0.0], [0.01, 5.0], [0.05, 60.0]];
    let table = StretchTable::new(points).unwrap();
    let maps = Maps { tables: Some([table.clone(), table]), ..Maps::default() };
    let mut case = Case::new(&sheet.mesh, &sheet.positions, &maps, 3);
    case.check();
    let plain = Cloth::new(&sheet.mesh, &library()[0].fabric, &Maps::default()).unwrap();
    case.cloth = plain.with_bend_form(BendForm::HalfSine);
    case.check();
    case.air = Some(Air { lift: 0.5, wind: Vec3::X, ..Air::default() });
    case.check();
    case.air = Some(Air::default());
    case.winds = vec![Wind::uniform(Vec3::new(3.0, 1.0, 0.0)).at(0.0)];
    case.check();
    // A corner of the sheet folded into a point: triangles and wings without area.
    for i in [0, 1, 2, 50, 51] {
        case.x[i] = case.x[100];
    }
    case.check();
}

/// Elements that reach across any number of chunks, and the same bits on 1, 2 and 8 threads (R4).
#[test]
fn r4_chunks_add_to_each_other_in_one_order() {
    let (mesh, rest) = shuffled(100);
    let mut case = Case::new(&mesh, &rest, &Maps::default(), 4);
    case.air = Some(Air::default());
    case.check();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| case.assembled())
    };
    let one = on(1);
    assert!(one.matrix.pattern().chunk_count() >= 4);
    for threads in [2, 8] {
        assert_eq!(bits(&one), bits(&on(threads)), "{threads} threads");
    }
}

/// All numbers of a system.
fn bits(system: &System) -> Vec<u64> {
    let System { matrix, force, shifted_force, .. } = system;
    let blocks = matrix.diagonal.iter().chain(&matrix.lower).flat_map(Mat3::to_cols_array);
    let forces = force.iter().chain(shifted_force).flat_map(Vec3::to_array);
    blocks.chain(forces).map(f64::to_bits).collect()
}

/// R4: whatever registers a machine has, all it assembles has the same bits: with air, laws of both kinds, tables, and
/// elements that reach into other chunks.
#[test]
fn r4_all_registers_assemble_the_same_bits() {
    let (mesh, rest) = shuffled(60);
    let table = StretchTable::new(vec![[0.0, 0.0], [0.01, 5.0], [0.05, 60.0]]).unwrap();
    let tables = Maps { tables: Some([table.clone(), table]), ..Maps::default() };
    for (maps, form) in [(Maps::default(), BendForm::Angle), (tables, BendForm::HalfSine)] {
        let mut case = Case::new(&mesh, &rest, &maps, 6);
        case.cloth = case.cloth.with_bend_form(form);
        for air in [None, Some(Air { lift: 0.5, wind: Vec3::X, ..Air::default() })] {
            case.air = air;
            let levels = lanes::levels();
            let first = bits(&case.assembled_with(levels[0]));
            for level in &levels[1..] {
                assert!(first == bits(&case.assembled_with(*level)), "{level:?}, {form:?}");
            }
        }
    }
}
