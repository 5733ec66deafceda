//! The four-wide hierarchy and its two questions: what is nearest, is anything in the way.

use super::build::{Aabb, Primitive, Tree, build_tree};
use super::pack::{Hit, Ray, RayLanes, TrianglePack};
use crate::Vec3f;
use glam::Vec4;

/// Four boxes side by side. An unused slot has an inverted box, which no ray meets.
struct Node {
    /// For each axis the four least, then the four greatest coordinates.
    planes: [[Vec4; 2]; 3],
    /// Index of a node, or of a pack where [`LEAF_BIT`] is set.
    children: [u32; 4],
}

const LEAF_BIT: u32 = 1 << 31;
/// Slab tests err towards hitting by a few units in the last place of f32.
const SLAB_SLACK: f32 = 1.0 + 4e-7;

/// A bounding volume hierarchy in two flat arrays; the root is node 0.
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    packs: Vec<TrianglePack>,
}

impl Bvh {
    /// Builds the hierarchy over triangles of finite corners; hits name them by their index.
    pub fn build(triangle_count: usize, corners: impl Fn(usize) -> [Vec3f; 3]) -> Self {
        let mut primitives: Vec<Primitive> = (0..triangle_count)
            .map(|i| {
                let bounds = Aabb::around(&corners(i));
                Primitive {
                    bounds,
                    center: 0.5 * (bounds.min + bounds.max),
                    id: i as u32,
                }
            })
            .collect();
        let mut bvh = Self {
            nodes: Vec::new(),
            packs: Vec::new(),
        };
        if !primitives.is_empty() {
            let tree = build_tree(&mut primitives, 0);
            bvh.flatten(&tree, &corners);
        }
        bvh
    }

    /// Appends the node whose children are `tree`'s nearest descendants, the largest opened first.
    fn flatten(&mut self, tree: &Tree, corners: &impl Fn(usize) -> [Vec3f; 3]) -> u32 {
        let mut children: Vec<&Tree> = vec![tree];
        while children.len() < 4 {
            let largest = (0..children.len())
                .filter(|&i| matches!(children[i], Tree::Inner { .. }))
                .max_by(|&a, &b| {
                    let area = |i: usize| children[i].bounds().half_area();
                    area(a).total_cmp(&area(b))
                });
            let Some(largest) = largest else { break };
            if let Tree::Inner {
                children: grandchildren,
                ..
            } = children[largest]
            {
                children[largest] = &grandchildren[0];
                children.push(&grandchildren[1]);
            }
        }
        let index = self.nodes.len();
        let inverted = [Vec4::splat(f32::INFINITY), Vec4::splat(f32::NEG_INFINITY)];
        self.nodes.push(Node {
            planes: [inverted; 3],
            children: [0; 4],
        });
        for (slot, child) in children.into_iter().enumerate() {
            let reference = match child {
                Tree::Leaf { ids, .. } => {
                    let triangles = ids.iter().map(|&id| (id, corners(id as usize)));
                    self.packs.push(TrianglePack::new(triangles));
                    (self.packs.len() - 1) as u32 | LEAF_BIT
                }
                Tree::Inner { .. } => self.flatten(child, corners),
            };
            let node = &mut self.nodes[index];
            node.children[slot] = reference;
            for axis in 0..3 {
                node.planes[axis][0][slot] = child.bounds().min[axis];
                node.planes[axis][1][slot] = child.bounds().max[axis];
            }
        }
        index as u32
    }
}

impl Node {
    /// The slots whose boxes the ray meets before `t_max`, as bits, and where it enters them.
    #[inline]
    fn meet(&self, ray: &RayLanes, t_max: f32) -> (u32, Vec4) {
        let plane = |axis: usize, side: usize| {
            (self.planes[axis][side & 1] - ray.origin[axis]) * ray.inverse_direction[axis]
        };
        let [bx, by, bz] = ray.backwards;
        let near = plane(0, bx)
            .max(plane(1, by))
            .max(plane(2, bz).max(Vec4::ZERO));
        let far = plane(0, bx ^ 1).min(plane(1, by ^ 1)).min(plane(2, bz ^ 1));
        let far = (far * SLAB_SLACK).min(Vec4::splat(t_max));
        (near.cmple(far).bitmask(), near)
    }
}

/// Asks a [`Bvh`]; keeps the stack between questions.
pub(crate) struct Tracer<'a> {
    bvh: &'a Bvh,
    stack: Vec<(u32, f32)>,
}

impl<'a> Tracer<'a> {
    pub fn new(bvh: &'a Bvh) -> Self {
        Self {
            bvh,
            stack: Vec::with_capacity(256),
        }
    }

    /// The first triangle along the ray.
    pub fn nearest(&mut self, ray: &Ray) -> Option<Hit> {
        let lanes = RayLanes::new(ray);
        let mut best = Hit {
            t: f32::INFINITY,
            triangle: u32::MAX,
            u: 0.0,
            v: 0.0,
        };
        self.restart();
        while let Some((reference, enter)) = self.stack.pop() {
            if enter > best.t {
                continue;
            }
            if reference & LEAF_BIT != 0 {
                let pack = &self.bvh.packs[(reference & !LEAF_BIT) as usize];
                let found = pack.intersect(&lanes, best.t);
                for lane in 0..4 {
                    if found.mask >> lane & 1 != 0 && found.t[lane] < best.t {
                        let (u, v) = (found.u[lane], found.v[lane]);
                        best = Hit {
                            t: found.t[lane],
                            triangle: pack.ids[lane],
                            u,
                            v,
                        };
                    }
                }
                continue;
            }
            let node = &self.bvh.nodes[reference as usize];
            let (mask, near) = node.meet(&lanes, best.t);
            let bottom = self.stack.len();
            for lane in 0..4 {
                if mask >> lane & 1 != 0 {
                    self.stack.push((node.children[lane], near[lane]));
                }
            }
            // Farthest first, so that the nearest is popped next.
            self.stack[bottom..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
        }
        best.t.is_finite().then_some(best)
    }

    /// True where any triangle crosses the ray.
    pub fn occluded(&mut self, ray: &Ray) -> bool {
        let lanes = RayLanes::new(ray);
        self.restart();
        while let Some((reference, _)) = self.stack.pop() {
            let node = &self.bvh.nodes[reference as usize];
            let (mut mask, _) = node.meet(&lanes, f32::INFINITY);
            while mask != 0 {
                let child = node.children[mask.trailing_zeros() as usize & 3];
                mask &= mask - 1;
                if child & LEAF_BIT == 0 {
                    self.stack.push((child, 0.0));
                    continue;
                }
                let pack = &self.bvh.packs[(child & !LEAF_BIT) as usize];
                if pack.intersect(&lanes, f32::INFINITY).mask != 0 {
                    return true;
                }
            }
        }
        false
    }

    fn restart(&mut self) {
        self.stack.clear();
        if !self.bvh.nodes.is_empty() {
            self.stack.push((0, 0.0));
        }
    }
}
