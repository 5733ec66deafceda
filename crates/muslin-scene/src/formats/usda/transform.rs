//! Transform operations of prims, over time.

use super::{
    cursor::{Span, numbers},
    layer::Prim,
};
use crate::formats::ReadError;
use glam::{DAffine3, DMat4};
use muslin::math::{Quat, Vec3};

/// More operations on one prim than this are refused.
const MAX_OPERATIONS: usize = 64;

/// What an operation does with its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Translate,
    Scale,
    Orient,
    Matrix,
    /// Rotations about these axes, the first one first.
    Rotate([u8; 3], usize),
}

/// One operation of `xformOpOrder`.
#[derive(Debug, Clone)]
struct Operation {
    kind: Kind,
    inverse: bool,
    /// By time code, ascending; one entry where it does not change.
    samples: Vec<(f64, Vec<f64>)>,
}

/// From a prim's space to its parent's.
#[derive(Debug, Clone, Default)]
pub(super) struct Transform {
    operations: Vec<Operation>,
    /// Whether it starts from the world instead of the parent.
    pub(super) resets: bool,
}

impl Transform {
    pub(super) fn read(prim: &Prim, bytes: &[u8], file: &str) -> Result<Self, ReadError> {
        let order = prim.attribute("xformOpOrder").and_then(|order| order.any());
        let Some(order) = order else { return Ok(Self::default()) };
        let text = String::from_utf8_lossy(&bytes[order.clone()]);
        let names: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        let mut transform = Self::default();
        let fail =
            |problem: String| ReadError::file(file, format!("prim `{}`: {problem}", prim.name));
        if names.len() > MAX_OPERATIONS {
            return Err(fail(format!("{} transform operations: bake them", names.len())));
        }
        for name in names {
            if name == "!resetXformStack!" {
                transform.resets = true;
                transform.operations.clear();
                continue;
            }
            let (inverse, name) = match name.strip_prefix("!invert!") {
                Some(name) => (true, name),
                None => (false, name),
            };
            let kind = kind(name).ok_or_else(|| {
                fail(format!("the transform `{name}` is not known: bake it into a matrix"))
            })?;
            let Some(attribute) = prim.attribute(name) else { continue };
            let fixed = attribute.fixed.iter().map(|span| (0.0, span.clone()));
            let spans: Vec<(f64, Span)> = if attribute.samples.is_empty() {
                fixed.collect()
            } else {
                attribute.samples.clone()
            };
            let mut samples = Vec::with_capacity(spans.len());
            for (code, span) in spans {
                let values = numbers(bytes, &span, file)?;
                let (found, needed) = (values.len(), kind.width());
                if found != needed {
                    return Err(fail(format!("`{name}` has {found} numbers, but needs {needed}")));
                }
                samples.push((code, values));
            }
            if !samples.is_empty() {
                transform.operations.push(Operation { kind, inverse, samples });
            }
        }
        Ok(transform)
    }

    /// The matrix at a time code. The first operation of the order is the outermost.
    pub(super) fn at(&self, code: f64) -> DAffine3 {
        self.operations.iter().fold(DAffine3::IDENTITY, |outer, operation| {
            let own = operation.kind.matrix(&operation.values(code));
            outer * if operation.inverse { own.inverse() } else { own }
        })
    }

    /// The time codes at which it is given.
    pub(super) fn codes(&self) -> impl Iterator<Item = f64> + '_ {
        let moving = self.operations.iter().filter(|operation| operation.samples.len() > 1);
        moving.flat_map(|operation| operation.samples.iter().map(|(code, _)| *code))
    }
}

impl Operation {
    /// Linear between samples, held outside; rotations given as quaternions turn evenly.
    fn values(&self, code: f64) -> Vec<f64> {
        let after = self.samples.partition_point(|(at, _)| *at <= code);
        let (Some(a), Some(b)) = (self.samples.get(after.wrapping_sub(1)), self.samples.get(after))
        else {
            let held = if after == 0 { self.samples.first() } else { self.samples.last() };
            return held.map(|(_, values)| values.clone()).unwrap_or_default();
        };
        let s = (code - a.0) / (b.0 - a.0);
        if self.kind == Kind::Orient {
            let turned = quaternion(&a.1).slerp(quaternion(&b.1), s);
            return vec![turned.w, turned.x, turned.y, turned.z];
        }
        a.1.iter().zip(&b.1).map(|(a, b)| a + (b - a) * s).collect()
    }
}

impl Kind {
    fn width(self) -> usize {
        match self {
            Self::Translate | Self::Scale => 3,
            Self::Orient => 4,
            Self::Matrix => 16,
            Self::Rotate(_, count) => count,
        }
    }

    fn matrix(self, values: &[f64]) -> DAffine3 {
        match self {
            Self::Translate => DAffine3::from_translation(Vec3::from_slice(values)),
            Self::Scale => DAffine3::from_scale(Vec3::from_slice(values)),
            Self::Orient => DAffine3::from_quat(quaternion(values)),
            // USD multiplies row vectors from the left: its rows are our columns.
            Self::Matrix => DAffine3::from_mat4(DMat4::from_cols_slice(values)),
            Self::Rotate(axes, count) => {
                let mut turn = Quat::IDENTITY;
                for (k, &axis) in axes.iter().take(count).enumerate() {
                    // Angles of a triple are always listed as x, y, z.
                    let degrees = if count == 1 { values[0] } else { values[axis as usize] };
                    let direction =
                        Vec3::from([0_u8, 1, 2].map(|x| f64::from(u8::from(x == axis))));
                    let next = Quat::from_axis_angle(direction, degrees.to_radians());
                    turn = if k == 0 { next } else { next * turn };
                }
                DAffine3::from_quat(turn)
            }
        }
    }
}

/// `xformOp:rotateXYZ:name` and its like.
fn kind(name: &str) -> Option<Kind> {
    let operation = name.strip_prefix("xformOp:")?.split(':').next()?;
    Some(match operation {
        "translate" => Kind::Translate,
        "scale" => Kind::Scale,
        "orient" => Kind::Orient,
        "transform" => Kind::Matrix,
        _ => {
            let letters = operation.strip_prefix("rotate")?.as_bytes();
            let mut axes = [0; 3];
            if !matches!(letters.len(), 1 | 3) {
                return None;
            }
            for (axis, letter) in axes.iter_mut().zip(letters) {
                *axis = letter.checked_sub(b'X').filter(|&axis| axis < 3)?;
            }
            Kind::Rotate(axes, letters.len())
        }
    })
}

/// USD writes the real part first.
fn quaternion(values: &[f64]) -> Quat {
    let [w, x, y, z] = [0, 1, 2, 3].map(|k| values.get(k).copied().unwrap_or(0.0));
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length > 0.0 && length.is_finite() {
        Quat::from_xyzw(x / length, y / length, z / length, w / length)
    } else {
        Quat::IDENTITY
    }
}
