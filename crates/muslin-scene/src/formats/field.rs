//! Distance fields in `.npz` files: plain grids, which other programs can sculpt, and the octrees that
//! Muslin keeps of deforming bodies. `docs/levelset.md` describes both.

use super::{
    ReadError, WriteError,
    npy::{Array, Values},
    npz,
};
use muslin::levelset::{Field, FieldArrays, Grid};
use muslin::math::Vec3;
use std::path::Path;

/// The arrays of an octree file, in their order.
const OCTREE: [&str; 8] =
    ["nodes", "corners", "values", "nearest", "origin", "cell", "levels", "roots"];

/// Reads a field: `phi` (nx, ny, nz) with `origin` (3) and `spacing`, or an octree.
pub fn read(bytes: &[u8], file: &str) -> Result<Field, ReadError> {
    let arrays = Arrays { arrays: npz::read(bytes, file)?, file };
    if arrays.get("phi").is_none() && arrays.get("nodes").is_some() {
        return octree(&arrays);
    }
    let phi = arrays.named("phi")?;
    let &[nx, ny, nz] = phi.shape() else {
        let problem = format!("`phi` has shape {:?}; expected (nx, ny, nz)", phi.shape());
        return Err(ReadError::file(file, problem));
    };
    let [spacing] = arrays.floats("spacing")?;
    let origin = Vec3::from(arrays.floats("origin")?);
    let values = floats(phi.values())
        .ok_or_else(|| ReadError::file(file, "`phi` must hold floating-point numbers"))?;
    let grid = Grid { counts: [nx, ny, nz], origin, spacing, values };
    grid.into_field().map_err(|error| ReadError::file(file, error.to_string()))
}

fn octree(arrays: &Arrays) -> Result<Field, ReadError> {
    let [cell] = arrays.floats("cell")?;
    let corners = arrays.whole("corners")?;
    let (eights, rest) = corners.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(ReadError::file(arrays.file, "`corners` must have eight columns"));
    }
    let wrong = |name: &str| ReadError::file(arrays.file, format!("`{name}` has a wrong length"));
    let levels = arrays.whole("levels")?.first().copied().ok_or_else(|| wrong("levels"))?;
    let roots = <[u32; 3]>::try_from(arrays.whole("roots")?).map_err(|_| wrong("roots"))?;
    let values = floats(arrays.named("values")?.values())
        .ok_or_else(|| ReadError::file(arrays.file, "`values` must hold floating-point numbers"))?;
    let parts = FieldArrays {
        origin: Vec3::from(arrays.floats("origin")?),
        cell,
        levels,
        roots,
        nodes: arrays.whole("nodes")?.to_vec(),
        corners: eights.to_vec(),
        values,
        nearest: arrays.whole("nearest")?.to_vec(),
    };
    Field::from_arrays(parts).map_err(|error| ReadError::file(arrays.file, error.to_string()))
}

/// Writes a field as an octree.
pub fn write(path: &Path, field: &Field) -> Result<(), WriteError> {
    let FieldArrays { origin, cell, levels, roots, nodes, corners, values, nearest } =
        field.to_arrays();
    let fail = |problem| WriteError { path: path.into(), problem };
    let whole = |numbers: Vec<u32>| Array::new(&[numbers.len()], Values::U32(numbers));
    let float = |numbers: Vec<f64>| Array::new(&[numbers.len()], Values::F64(numbers));
    let eights = Array::new(&[corners.len(), 8], Values::U32(corners.into_flattened()));
    let arrays = [
        whole(nodes),
        eights,
        float(values),
        whole(nearest),
        float(origin.to_array().to_vec()),
        float(vec![cell]),
        whole(vec![levels]),
        whole(roots.to_vec()),
    ];
    let arrays = arrays.into_iter().collect::<Result<Vec<_>, _>>().map_err(fail)?;
    npz::write(path, OCTREE.into_iter().zip(&arrays))
}

struct Arrays<'a> {
    arrays: Vec<(String, Array)>,
    file: &'a str,
}

impl Arrays<'_> {
    fn get(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|(own, _)| own == name).map(|(_, array)| array)
    }

    fn named(&self, name: &str) -> Result<&Array, ReadError> {
        self.get(name).ok_or_else(|| {
            let problem = format!(
                "it has no array `{name}`: a field has `phi` (nx, ny, nz), `origin` (3) and `spacing`"
            );
            ReadError::file(self.file, problem)
        })
    }

    /// An array of exactly `N` floating-point numbers.
    fn floats<const N: usize>(&self, name: &str) -> Result<[f64; N], ReadError> {
        let numbers = floats(self.named(name)?.values());
        numbers.and_then(|n| <[f64; N]>::try_from(n).ok()).ok_or_else(|| {
            let problem = format!("`{name}` must be {N} floating-point number(s)");
            ReadError::file(self.file, problem)
        })
    }

    fn whole(&self, name: &str) -> Result<&[u32], ReadError> {
        match self.named(name)?.values() {
            Values::U32(numbers) => Ok(numbers),
            _ => Err(ReadError::file(self.file, format!("`{name}` must hold 32-bit numbers"))),
        }
    }
}

fn floats(values: &Values) -> Option<Vec<f64>> {
    match values {
        Values::F64(numbers) => Some(numbers.clone()),
        Values::F32(numbers) => Some(numbers.iter().map(|x| f64::from(*x)).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin::body::shape;
    use muslin::levelset::{Resolution, Solid};
    use muslin::math::Random;

    fn archive(arrays: &[(&str, Array)]) -> Vec<u8> {
        let mut npz = npz::NpzWriter::new(std::io::Cursor::new(Vec::new())).unwrap();
        for (name, array) in arrays {
            npz.add(name, array).unwrap();
        }
        npz.finish().unwrap().into_inner()
    }

    fn floats(shape: &[usize], numbers: Vec<f64>) -> Array {
        Array::new(shape, Values::F64(numbers)).unwrap()
    }

    /// A ball of 0.3 m, sculpted.
    fn ball() -> Vec<(&'static str, Array)> {
        let grid = Grid::sample([9, 9, 9], Vec3::splat(-0.4), 0.1, |p| p.length() - 0.3);
        vec![
            ("phi", floats(&[9, 9, 9], grid.values)),
            ("origin", floats(&[3], vec![-0.4; 3])),
            ("spacing", floats(&[], vec![0.1])),
        ]
    }

    #[test]
    fn sculpted_fields_are_read() {
        let field = read(&archive(&ball()), "ball.npz").unwrap();
        assert!((field.sample(Vec3::X * 0.3).distance).abs() < 1e-12);
        assert!((field.sample(-Vec3::Z * 0.4).distance - 0.1).abs() < 1e-12);
    }

    #[test]
    fn damaged_and_wrong_files_are_named() {
        let message =
            |arrays: &[(&str, Array)]| read(&archive(arrays), "ball.npz").unwrap_err().to_string();
        let without = |name: &str| -> Vec<(&str, Array)> {
            ball().into_iter().filter(|(own, _)| *own != name).collect()
        };
        assert!(message(&without("phi")).contains("no array `phi`"));
        assert!(message(&without("spacing")).contains("no array `spacing`"));
        let mut flat = ball();
        flat[0].1 = floats(&[81, 9], vec![0.1; 729]);
        assert!(message(&flat).contains("expected (nx, ny, nz)"));
        let mut centimetres = ball();
        centimetres[2].1 = floats(&[1], vec![0.001]);
        assert!(message(&centimetres).contains("give it in metres"), "{}", message(&centimetres));
        let bytes = archive(&ball());
        let mut random = Random::new(1);
        for _ in 0..500 {
            let mut damaged = bytes.clone();
            damaged[random.bits() as usize % bytes.len()] ^= 1 << (random.bits() % 8);
            // An error or a field, never a panic.
            let _ = read(&damaged, "ball.npz");
            let _ = read(&bytes[..random.bits() as usize % bytes.len()], "ball.npz").unwrap_err();
        }
    }

    #[test]
    fn octrees_come_back_bit_for_bit() {
        let solid = Solid::new(&shape::sphere(0.1, 0.03)).unwrap();
        let field = Field::with_nearest(&solid, Resolution::new(0.01));
        let folder = std::env::temp_dir().join(format!("muslin-field-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("ball.npz");
        write(&path, &field).unwrap();
        let again = read(&std::fs::read(&path).unwrap(), "ball.npz").unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(again, field);
    }
}
