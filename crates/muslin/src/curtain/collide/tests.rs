use super::detect::Contact;
use super::*;
use crate::collide::ccd;
use crate::curtain::{
    AirResistance, Curtain, CurtainSpec, Environment, PanelSpec, Rail, Top, folds,
};
use crate::math::Random;
use crate::wind::Wind;

/// Two panels side by side whose vertices are moved at random, far enough to tangle.
fn tangle(seed: u64) -> Curtain {
    let panel = |y: f64| PanelSpec {
        rows: 6,
        height: 0.5,
        gaps: folds::wave(4, 0.5, 3),
        top: Top::Rail(Rail::fixed(Vec3::Y * y, Vec3::new(0.3, y, 0.0))),
        ..PanelSpec::default()
    };
    let mut curtain = Curtain::new(&CurtainSpec {
        panels: vec![panel(0.0), panel(0.08)],
        ..CurtainSpec::default()
    })
    .unwrap();
    let mut random = Random::new(seed);
    let mesh = &mut curtain.mesh;
    for x in mesh.x.iter_mut().chain(&mut mesh.before) {
        *x += Vec3::from_array([(); 3].map(|()| random.between(-0.012, 0.012)));
    }
    // Common motion, which the boxes must see through.
    mesh.x.iter_mut().for_each(|x| x.y += 0.4);
    // No curvature pruning: it is a judgement about smooth surfaces.
    mesh.signs.fill(0);
    mesh.signs_before.fill(0);
    curtain
}

/// All contacts, by testing everything with everything.
fn brute_force(curtain: &Curtain, separation: f64) -> Vec<[u32; 4]> {
    let mesh = &curtain.mesh;
    let triangles = &mesh.triangles;
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for t in triangles {
        for [a, b] in [[t[0], t[1]], [t[1], t[2]], [t[0], t[2]]] {
            edges.push([a.min(b), a.max(b)]);
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let at = |v: [u32; 4]| {
        let pick = |x: &[Vec3]| v.map(|k| x[k as usize]);
        (pick(&mesh.before), pick(&mesh.x))
    };
    let mut found = Vec::new();
    for p in 0..mesh.x.len() as u32 {
        for &[a, b, c] in triangles.iter().filter(|t| !t.contains(&p)) {
            let (x0, x1) = at([p, a, b, c]);
            if ccd::point_triangle(&x0, &x1, separation).is_some() {
                found.push(canonical([p, a, b, c], 1));
            }
        }
    }
    for (k, &[a, b]) in edges.iter().enumerate() {
        for &[c, d] in &edges[k + 1..] {
            let (x0, x1) = at([a, b, c, d]);
            let apart = a != c && a != d && b != c && b != d;
            if apart && ccd::edge_edge(&x0, &x1, separation).is_some() {
                found.push(canonical([a, b, c, d], 2));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Features with sorted vertices, the smaller edge first.
fn canonical(mut v: [u32; 4], first: usize) -> [u32; 4] {
    v[..first].sort_unstable();
    v[first..].sort_unstable();
    if first == 2 && v[2] < v[0] {
        v = [v[2], v[3], v[0], v[1]];
    }
    v
}

/// The tree finds exactly what brute force finds.
#[test]
fn search_equals_brute_force() {
    for seed in 0..4 {
        let mut curtain = tangle(seed);
        let separation = 0.003;
        let expected = brute_force(&curtain, separation);
        let moving =
            Moving { panels: &curtain.panels, nodes: &mut curtain.nodes, mesh: &mut curtain.mesh };
        let mut collider = Collider::new(CollisionSpec::default(), moving.panels, 5000);
        collider.find(&moving, 1.0);
        let triangles = &moving.mesh.triangles;
        let kind = |c: &Contact| {
            let positive = c.weights.iter().filter(|&&w| w > 0.0).count();
            let corner = [c.vertices[1], c.vertices[2], c.vertices[3]];
            let is_triangle = triangles.contains(&corner);
            assert!(positive <= 2);
            if is_triangle { 1 } else { 2 }
        };
        let list = &collider.contacts.list;
        let mut found: Vec<_> = list.iter().map(|c| canonical(c.vertices, kind(c))).collect();
        found.sort_unstable();
        assert!(expected.len() > 50, "only {} contacts to find", expected.len());
        let missing = expected.iter().filter(|c| !found.contains(c)).count();
        assert_eq!((missing, found.len()), (0, expected.len()));
    }
}

/// Responses keep the momentum and end at the thickness.
#[test]
fn separation_keeps_momentum() {
    let mut curtain = tangle(1);
    curtain.nodes.mobility = curtain.nodes.mass.iter().map(|m| 1.0 / m).collect();
    let moving =
        Moving { panels: &curtain.panels, nodes: &mut curtain.nodes, mesh: &mut curtain.mesh };
    let mut collider = Collider::new(CollisionSpec::default(), moving.panels, 5000);
    collider.find(&moving, 1.0);
    let cloth = (&*moving.nodes, &*moving.mesh);
    for contact in collider.contacts.list.iter().take(200) {
        for friction in [0.0, 0.5] {
            let mut response = Response::new(moving.nodes.x.len());
            response.separate(contact, cloth, (0.003, friction));
            let momentum: Vec3 =
                response.shift.iter().zip(&moving.nodes.mass).map(|(&s, &m)| s * m).sum();
            assert!(momentum.length() < 1e-15, "{momentum}");
            let terms = contact.vertices.iter().zip(contact.weights);
            let apart: Vec3 = terms.map(|(&v, w)| response.shifted(v, moving.mesh) * w).sum();
            assert!(apart.dot(contact.normal) > 0.003 - 1e-12);
        }
    }
}

/// A zone moves as one, with the momentum its nodes had.
#[test]
fn zones_move_as_one() {
    let mut curtain = tangle(2);
    let mut random = Random::new(5);
    for k in 0..curtain.nodes.x.len() {
        curtain.nodes.mobility[k] = 1.0 / curtain.nodes.mass[k];
        curtain.nodes.next[k] += Vec3::new(random.unit(), random.unit(), random.unit()) * 0.01;
    }
    let (nodes, mesh) = (&curtain.nodes, &curtain.mesh);
    let contact = |vertices: [u32; 4]| Contact {
        vertices,
        weights: [1.0, -0.3, -0.3, -0.4],
        normal: Vec3::X,
        point_triangle: true,
    };
    // Vertices 0 to 12 are the first row of the first panel, every third a first-level node.
    let contacts = [contact([0, 3, 16, 19]), contact([19, 22, 23, 6]), contact([60, 63, 66, 69])];
    let mut response = Response::new(nodes.x.len());
    assert_eq!(response.freeze_zones(&contacts, nodes, mesh), 2);
    let moved: Vec<Vec3> =
        (0..nodes.x.len()).map(|k| nodes.next[k] + response.shift[k] - nodes.x[k]).collect();
    let zone = |contacts: &[Contact]| {
        let vertices = contacts.iter().flat_map(|c| c.vertices);
        let supports = vertices.map(|v| mesh.support[v as usize]);
        let used = |s: crate::curtain::mesh::Support| {
            let pairs = s.nodes.into_iter().zip(s.weights);
            pairs.filter(|p| p.1 > 0.0).map(|p| p.0 as usize).collect::<Vec<_>>()
        };
        let mut members: Vec<usize> = supports.flat_map(used).collect();
        members.sort_unstable();
        members.dedup();
        members
    };
    for members in [zone(&contacts[..2]), zone(&contacts[2..])] {
        let momentum = |f: &dyn Fn(usize) -> Vec3| -> Vec3 {
            members.iter().map(|&k| f(k) * nodes.mass[k]).sum()
        };
        for &k in &members {
            assert!((moved[k] - moved[members[0]]).length() < 1e-15);
        }
        let before = momentum(&|k| nodes.next[k] - nodes.x[k]);
        assert!((momentum(&|k| moved[k]) - before).length() < 1e-15);
    }
}

/// Number of mesh edges that pass through triangles they share no vertex with.
fn crossings(curtain: &Curtain) -> usize {
    let x = curtain.positions();
    let mut count = 0;
    let through = |p: Vec3, q: Vec3, t: [Vec3; 3]| {
        let n = (t[1] - t[0]).cross(t[2] - t[0]);
        let (a, b) = ((p - t[0]).dot(n), (q - t[0]).dot(n));
        if a * b >= 0.0 {
            return false;
        }
        let at = p + (q - p) * (a / (a - b));
        (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(at - t[k]).dot(n) > 0.0)
    };
    for t in curtain.triangles() {
        let corners = t.map(|k| x[k as usize]);
        for s in curtain.triangles() {
            for k in 0..3 {
                let edge = [s[k], s[(k + 1) % 3]];
                if edge.iter().all(|v| !t.contains(v)) {
                    let [p, q] = edge.map(|v| x[v as usize]);
                    count += usize::from(through(p, q, corners));
                }
            }
        }
    }
    count
}

/// Two curtains blown through each other's place collide, do not cross, and nothing is left.
#[test]
fn two_curtains_do_not_pass_through_each_other() {
    let panel = |y: f64, density: f64| PanelSpec {
        rows: 12,
        height: 0.8,
        density,
        gaps: folds::wave(6, 0.8, 2),
        top: Top::Rail(Rail::fixed(Vec3::Y * y, Vec3::new(0.6, y, 0.0))),
        ..PanelSpec::default()
    };
    // The lighter curtain hangs to windward.
    let mut curtain = Curtain::new(&CurtainSpec {
        panels: vec![panel(0.0, 0.1), panel(0.25, 0.6)],
        air: AirResistance::default(),
        ..CurtainSpec::default()
    })
    .unwrap();
    assert_eq!(crossings(&curtain), 0);
    let winds = [Wind::uniform(Vec3::new(0.1, 1.6, 0.0))];
    let mut contacts = 0;
    for frame in 0..150 {
        let environment =
            Environment { winds: &winds, time: f64::from(frame) / 60.0, ..Environment::default() };
        let report = *curtain.update(1.0 / 60.0, &environment).unwrap();
        contacts += report.contacts;
        assert_eq!(report.contacts_left, 0, "frame {frame}: {report:?}");
        if frame % 5 == 0 {
            assert_eq!(crossings(&curtain), 0, "frame {frame}: {report:?}");
        }
    }
    assert!(contacts > 100, "{contacts} contacts");
}
