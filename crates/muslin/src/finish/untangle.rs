//! Self-collision of the curved faces, cheap: faces that cross others are drawn flatter (OS8).
//!
//! Beyond the paper, which leaves it open. Coarse faces that do not cross stay apart when they are drawn
//! flat, so wherever drawn triangles cross, the two faces go half the way back to flat, and in the end
//! all the way. Most pairs of faces are cleared without looking at their triangles: by their boxes, or,
//! where they share a particle, because all their triangles face along its normal.

use super::box_tree::BoxTree;
use super::pair_tree::PairTree;
use super::tessellation::Template;
use crate::collide::aabb::Aabb;
use crate::math::{Vec2, Vec3};
use crate::mesh::TriMesh;
use crate::share::Share;

/// What faces that cross keep of their distance from flat, pass after pass \[-\].
pub(super) const KEPT: [f64; 3] = [0.5, 0.5, 0.0];

/// Buffers for the search.
#[derive(Clone, Debug)]
pub(super) struct Untangle {
    /// Over all faces; the second where each has many triangles, to look at one after the other.
    pairs: PairTree,
    tree: BoxTree,
    /// Box around the drawn triangles of every face.
    boxes: Vec<Aabb>,
    /// Box around every drawn triangle of the faces that are looked at closely.
    small: Vec<Aabb>,
    /// Which faces these are.
    fitted: Vec<bool>,
    /// Drawn vertices of every face, as many for each.
    points: Vec<u32>,
    /// Per face and corner: the particle there if all drawn triangles of the face lie along its normal, else [`NONE`].
    along: Vec<[u32; 3]>,
    /// Particles of faces that cross.
    marked: Vec<bool>,
    /// Faces that cross.
    crossed: Vec<bool>,
    /// Faces that are not where they were found clear of all others.
    changed: Vec<bool>,
    /// Drawn vertices when they were last looked at \[m\].
    last: Vec<Vec3>,
    /// Over the drawn triangles of one face, where there are many.
    within: Option<BoxTree>,
    /// Pairs of faces that may cross, some at a time.
    suspects: [Vec<Suspect>; 2],
}

/// Two faces, or one with itself, that may cross.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    faces: [u32; 2],
    /// Whether they still may, or do.
    guilty: bool,
}

/// Faces and suspects that a thread looks at at once.
const AT_ONCE: usize = 128;

/// What is noted of faces, each in its row.
type Faces<'a> = ((&'a mut [bool], &'a mut [Aabb]), (&'a mut [[u32; 3]], &'a mut [bool]));

/// Drawn triangles of a face from which on a tree over them is faster than looking at all pairs.
const MANY: usize = 40;

/// Suspects that are looked at together, for every face.
const SUSPECTS_EACH: usize = 12;

/// No particle.
const NONE: u32 = u32::MAX;

/// The drawn surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn<'a> {
    pub mesh: &'a TriMesh,
    pub positions: &'a [Vec3],
    /// As many for every face, face by face.
    pub triangles: &'a [[u32; 3]],
    /// Unit normals of the particles.
    pub normals: &'a [Vec3],
}

impl Drawn<'_> {
    /// Drawn triangles of a face.
    fn each(&self) -> usize {
        self.triangles.len() / self.mesh.triangles().len()
    }

    fn of_face(&self, f: usize) -> &[[u32; 3]] {
        let each = self.each();
        &self.triangles[f * each..(f + 1) * each]
    }

    #[inline]
    fn corners(&self, [a, b, c]: [u32; 3]) -> [Vec3; 3] {
        let at = |v: u32| self.positions[v as usize];
        [at(a), at(b), at(c)]
    }

    /// The corners of face `f` along whose normals all its drawn triangles face; [`NONE`] for others.
    fn along(&self, f: usize) -> [u32; 3] {
        let corners = self.mesh.triangles()[f];
        let [a, b, c] = corners.map(|v| self.normals[v as usize]);
        let mut least = [f64::INFINITY; 3];
        for &t in self.of_face(f) {
            let p = self.corners(t);
            let area = (p[1] - p[0]).cross(p[2] - p[0]);
            least[0] = least[0].min(area.dot(a));
            least[1] = least[1].min(area.dot(b));
            least[2] = least[2].min(area.dot(c));
        }
        let along = |k: usize| if least[k] > 0.0 { corners[k] } else { NONE };
        [along(0), along(1), along(2)]
    }

    /// Whether two faces have a particle in common.
    fn share_particle(&self, [f, g]: [usize; 2]) -> bool {
        let ([a, b, c], others) = (self.mesh.triangles()[f], self.mesh.triangles()[g]);
        others.into_iter().any(|v| v == a || v == b || v == c)
    }

    /// Whether a plane across the direction `n` has the first of these drawn vertices before it and the second behind
    /// it: then triangles between them do not cross.
    fn separates(&self, n: Vec3, [before, behind]: [&[u32]; 2]) -> bool {
        let height = |v: &u32| self.positions[*v as usize].dot(n);
        let most = before.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        behind.iter().all(|v| height(v) > most)
    }

    /// Boxes around the drawn triangles of face `f`.
    fn fit(&self, f: usize, boxes: &mut [Aabb]) {
        for (&t, bounds) in self.of_face(f).iter().zip(boxes) {
            *bounds = Aabb::around(self.corners(t));
        }
    }
}

/// Drawn vertices of every face, each once.
fn points(triangles: &[[u32; 3]], faces: usize) -> Vec<u32> {
    let each = triangles.len() / faces.max(1);
    let own = |triangles: &[[u32; 3]]| {
        let mut own = triangles.as_flattened().to_vec();
        own.sort_unstable();
        own.dedup();
        own
    };
    triangles.chunks_exact(each.max(1)).flat_map(own).collect()
}

impl Untangle {
    /// Buffers for a mesh that starts at `x` \[m\] and its drawn `triangles` with their rest coordinates.
    pub fn new(mesh: &TriMesh, x: &[Vec3], triangles: &[[u32; 3]], uv: &[[Vec2; 3]]) -> Self {
        let centroid = |t: &[u32; 3]| t.iter().map(|&v| x[v as usize]).sum::<Vec3>() / 3.0;
        let faces = mesh.triangles().len();
        let drawn_triangles = uv.len();
        let vertices = triangles.as_flattened().iter().map(|&v| v as usize + 1).max().unwrap_or(0);
        // All faces are cut alike, so one order serves them all.
        let each = drawn_triangles / faces.max(1);
        let middle = |t: &[Vec2; 3]| ((t[0] + t[1] + t[2]) / 3.0).extend(0.0);
        let within = (each >= MANY)
            .then(|| BoxTree::new(&uv[..each].iter().map(middle).collect::<Vec<_>>()));
        let middles: Vec<Vec3> = mesh.triangles().iter().map(centroid).collect();
        Self {
            pairs: PairTree::new(&middles, faces),
            tree: BoxTree::new(&middles),
            boxes: vec![Aabb::EMPTY; faces],
            small: vec![Aabb::EMPTY; drawn_triangles],
            fitted: vec![false; faces],
            points: points(triangles, faces),
            along: vec![[NONE; 3]; faces],
            marked: vec![false; mesh.vertex_count()],
            crossed: vec![false; faces],
            changed: vec![false; faces],
            last: vec![Vec3::ZERO; vertices],
            within,
            suspects: [(); 2].map(|()| Vec::with_capacity(SUSPECTS_EACH * faces)),
        }
    }

    /// Marks faces whose drawn triangles cross those of others or their own; how many pairs of faces. When the
    /// same surface is looked at `again`, faces that are where they were found clear are not compared anew.
    pub fn find(&mut self, drawn: &Drawn, again: bool, share: Share) -> usize {
        self.note_changes(drawn, again, share);
        self.marked.fill(false);
        self.crossed.fill(false);
        if drawn.each() >= MANY {
            return self.find_among_many(drawn);
        }
        let Self { pairs, boxes, along, changed, suspects, .. } = self;
        pairs.refit(|f| boxes[f as usize]);
        let room = SUSPECTS_EACH * boxes.len();
        let look = |f: u32, g: u32, kept: &mut Vec<Suspect>| {
            let [a, b] = [f as usize, g as usize];
            let due = changed[a] || changed[b];
            if cleared(along, [a, b]) || !due || !boxes[a].overlaps(&boxes[b]) {
                return 0;
            }
            let full = kept.len() == room;
            if !full {
                kept.push(Suspect { faces: [f, g], guilty: true });
            }
            usize::from(full)
        };
        let mut left_out = 0;
        for f in 0..boxes.len() as u32 {
            left_out += look(f, f, &mut suspects[0]);
        }
        left_out += pairs.own_pairs_in_halves(share, suspects, look);
        if left_out > 0 {
            return self.find_in_turns(drawn, share);
        }
        self.try_suspects(drawn, share, 0) + self.try_suspects(drawn, share, 1)
    }

    /// The same where there are more suspects than there is room for: they are tried whenever that is full.
    fn find_in_turns(&mut self, drawn: &Drawn, share: Share) -> usize {
        let faces = self.boxes.len();
        let pairs = std::mem::take(&mut self.pairs);
        self.suspects.iter_mut().for_each(Vec::clear);
        let mut crossing = 0;
        let mut look = |f: u32, g: u32| {
            let [a, b] = [f as usize, g as usize];
            let due = self.changed[a] || self.changed[b];
            if cleared(&self.along, [a, b]) || !due || !self.boxes[a].overlaps(&self.boxes[b]) {
                return;
            }
            self.suspects[0].push(Suspect { faces: [f, g], guilty: true });
            if self.suspects[0].len() == SUSPECTS_EACH * faces {
                crossing += self.try_suspects(drawn, share, 0);
            }
        };
        (0..faces as u32).for_each(|f| look(f, f));
        pairs.own_pairs(&mut look);
        crossing += self.try_suspects(drawn, share, 0);
        self.pairs = pairs;
        crossing
    }

    /// Looks at the triangles of all suspects; how many pairs cross.
    fn try_suspects(&mut self, drawn: &Drawn, share: Share, half: usize) -> usize {
        let Self { boxes, small, fitted, points, suspects, crossed, marked, .. } = self;
        let suspects = &mut suspects[half];
        let each = drawn.each();
        let per_face = points.len() / boxes.len().max(1);
        let of_face = |f: u32| &points[f as usize * per_face..(f as usize + 1) * per_face];
        share.each(suspects.as_mut_slice(), AT_ONCE, |_, suspects: &mut [Suspect]| {
            for Suspect { faces: [f, g], guilty } in suspects {
                let [a, b] = [&boxes[*f as usize], &boxes[*g as usize]];
                let toward = (b.min + b.max) - (a.min + a.max);
                *guilty = drawn.share_particle([*f as usize, *g as usize])
                    || !drawn.separates(toward, [of_face(*f), of_face(*g)]);
            }
        });
        for face in suspects.iter().filter(|s| s.guilty).flat_map(|s| s.faces) {
            let face = face as usize;
            if !std::mem::replace(&mut fitted[face], true) {
                drawn.fit(face, &mut small[face * each..(face + 1) * each]);
            }
        }
        share.each(suspects.as_mut_slice(), AT_ONCE, |_, suspects: &mut [Suspect]| {
            for Suspect { faces, guilty } in suspects.iter_mut().filter(|s| s.guilty) {
                let [f, g] = faces.map(|f| f as usize);
                let shared = common(&boxes[f], &boxes[g]);
                *guilty = cross(drawn, [f, g], &shared, small, None);
            }
        });
        let mut crossing = 0;
        for Suspect { faces, .. } in suspects.drain(..).filter(|s| s.guilty) {
            crossing += 1;
            mark(drawn, faces.map(|f| f as usize), crossed, marked);
        }
        crossing
    }

    /// The same as [`Untangle::find`] where faces have many triangles: face by face, so that a tree over its triangles
    /// is fitted once.
    fn find_among_many(&mut self, drawn: &Drawn) -> usize {
        let Self { tree, boxes, small, fitted, along, .. } = self;
        let Self { marked, crossed, changed, within, points, .. } = self;
        let each = drawn.each();
        let per_face = points.len() / boxes.len().max(1);
        let of_face = |f: usize| &points[f * per_face..(f + 1) * per_face];
        let (mut crossing, mut in_tree) = (0, usize::MAX);
        let mut look = |f: usize, g: usize| {
            let due = changed[f] || changed[g];
            if cleared(along, [f, g]) || !due || !boxes[f].overlaps(&boxes[g]) {
                return;
            }
            let toward = (boxes[g].min + boxes[g].max) - (boxes[f].min + boxes[f].max);
            if !drawn.share_particle([f, g]) && drawn.separates(toward, [of_face(f), of_face(g)]) {
                return;
            }
            for face in [f, g] {
                if !std::mem::replace(&mut fitted[face], true) {
                    drawn.fit(face, &mut small[face * each..(face + 1) * each]);
                }
            }
            if let Some(within) = within.as_mut().filter(|_| in_tree != f) {
                within.refit(|t| small[f * each + t as usize]);
                in_tree = f;
            }
            if cross(drawn, [f, g], &common(&boxes[f], &boxes[g]), small, within.as_ref()) {
                crossing += 1;
                mark(drawn, [f, g], crossed, marked);
            }
        };
        tree.refit(|f| boxes[f as usize]);
        for f in 0..boxes.len() {
            let near = |node: &Aabb| if node.overlaps(&boxes[f]) { 0.0 } else { f64::INFINITY };
            tree.search(1.0, near, |g, best| {
                if g as usize >= f {
                    look(f, g as usize);
                }
                best
            });
        }
        crossing
    }

    /// Notes which faces have changed or crossed, and fits their boxes.
    fn note_changes(&mut self, drawn: &Drawn, again: bool, share: Share) {
        let Self { points, last, crossed, changed, boxes, along, fitted, .. } = self;
        let per_face = points.len() / boxes.len().max(1);
        let rows = (
            (changed.as_mut_slice(), boxes.as_mut_slice()),
            (along.as_mut_slice(), fitted.as_mut_slice()),
        );
        share.each(rows, AT_ONCE, |first, ((changed, boxes), (along, fitted)): Faces| {
            let faces = changed.iter_mut().zip(boxes).zip(along.iter_mut().zip(fitted));
            for (i, ((changed, bounds), (along, fitted))) in faces.enumerate() {
                let f = first + i;
                let own = points[f * per_face..(f + 1) * per_face].iter().map(|&v| v as usize);
                *changed =
                    !again || crossed[f] || own.clone().any(|v| last[v] != drawn.positions[v]);
                if *changed {
                    *bounds = Aabb::around(own.map(|v| drawn.positions[v]));
                    *along = drawn.along(f);
                    *fitted = false;
                }
            }
        });
        self.last.copy_from_slice(drawn.positions);
    }

    /// Draws marked faces flatter: their points keep the part `kept` of their way from the flat faces
    /// between the particles at `x` \[m\]. How many faces.
    pub fn flatten(
        &self,
        mesh: &TriMesh,
        template: &Template,
        x: &[Vec3],
        positions: &mut [Vec3],
        kept: f64,
    ) -> usize {
        let part = |v: u32| if self.marked[v as usize] { kept } else { 1.0 };
        let each = template.segments - 1;
        let edges = mesh.topology().edges();
        for (edge, points) in edges.iter().zip(positions[x.len()..].chunks_mut(each.max(1))) {
            let [a, b] = edge.vertices;
            if part(a) == 1.0 && part(b) == 1.0 {
                continue;
            }
            for (i, p) in points.iter_mut().enumerate().take(each) {
                let t = (i + 1) as f64 / template.segments as f64;
                let flat = x[a as usize].lerp(x[b as usize], t);
                *p = flat.lerp(*p, part(a) + (part(b) - part(a)) * t);
            }
        }
        let first = x.len() + each * edges.len();
        let mut flattened = 0;
        for (f, corners) in mesh.triangles().iter().enumerate() {
            let parts = corners.map(part);
            if parts == [1.0; 3] {
                continue;
            }
            flattened += 1;
            let inner = &template.inner;
            let points = &mut positions[first + f * inner.len()..];
            for (point, p) in inner.iter().zip(points) {
                let b = point.barycentric;
                let flat: Vec3 = (0..3).map(|k| x[corners[k] as usize] * b[k]).sum();
                *p = flat.lerp(*p, (0..3).map(|k| parts[k] * b[k]).sum());
            }
        }
        flattened
    }
}

/// Takes note of two faces that cross, and of their particles.
fn mark(drawn: &Drawn, faces: [usize; 2], crossed: &mut [bool], marked: &mut [bool]) {
    for f in faces {
        crossed[f] = true;
        for &v in &drawn.mesh.triangles()[f] {
            marked[v as usize] = true;
        }
    }
}

/// Whether two faces, or one with itself, cannot cross because all their triangles face along the normal
/// of a particle that they share: seen along it they lie side by side.
#[inline]
fn cleared(along: &[[u32; 3]], [f, g]: [usize; 2]) -> bool {
    let (a, [x, y, z]) = (along[f], along[g]);
    a.into_iter().any(|v| v != NONE && (v == x || v == y || v == z))
}

/// What two boxes share.
fn common(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.max(b.min), max: a.max.min(b.max) }
}

/// Whether drawn triangles of two faces, or of one, cross; both reach into `shared`, `small` are the boxes
/// of all drawn triangles, and `within` is a tree over those of the first face.
fn cross(
    drawn: &Drawn,
    [f, g]: [usize; 2],
    shared: &Aabb,
    small: &[Aabb],
    within: Option<&BoxTree>,
) -> bool {
    let each = drawn.each();
    let meet = |i: usize, j: usize| {
        let index = [drawn.triangles[i], drawn.triangles[j]];
        small[i].overlaps(&small[j])
            && (f != g || i < j)
            && triangles_cross(index, index.map(|t| drawn.corners(t)))
    };
    let mut others = (g * each..(g + 1) * each).filter(|&j| small[j].overlaps(shared));
    others.any(|j| match within {
        None => (f * each..(f + 1) * each).any(|i| meet(i, j)),
        Some(tree) => {
            let near = |node: &Aabb| if node.overlaps(&small[j]) { 0.0 } else { f64::INFINITY };
            // Below zero ends the search.
            let found = |t: u32, best| if meet(f * each + t as usize, j) { -1.0 } else { best };
            tree.search(1.0, near, found) < 0.0
        }
    })
}

/// Whether a side of one triangle passes through the other. Sides at a shared vertex do not count, and
/// triangles that share a side do not cross.
fn triangles_cross(index: [[u32; 3]; 2], at: [[Vec3; 3]; 2]) -> bool {
    let shared = index[0].iter().filter(|v| index[1].contains(v)).count();
    if shared > 1 {
        return false;
    }
    [[0, 1], [1, 0]].into_iter().any(|[a, b]| {
        (0..3).any(|k| {
            let next = (k + 1) % 3;
            let apart = ![index[a][k], index[a][next]].iter().any(|v| index[b].contains(v));
            apart && passes(at[a][k], at[a][next], at[b])
        })
    })
}

/// Whether the segment from `p` to `q` meets a triangle.
fn passes(p: Vec3, q: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    let n = (b - a).cross(c - a);
    let (hp, hq) = ((p - a).dot(n), (q - a).dot(n));
    if hp * hq > 0.0 || hp == hq {
        return false;
    }
    let x = p.lerp(q, hp / (hp - hq));
    let within = |s: Vec3, t: Vec3| (t - s).cross(x - s).dot(n) >= 0.0;
    within(a, b) && within(b, c) && within(c, a)
}

#[cfg(test)]
mod tests;
