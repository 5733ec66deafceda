//! One cloth of several fabrics: panels of a pattern that name their own.
//!
//! The cloth is made once of every fabric; of each, the triangles that are cut from it are taken. What lies between
//! two fabrics is of both: a hinge bends with the mean rigidity, an edge stretches as little as the tighter of
//! them, a vertex weighs its share of the triangles around it.

use super::RunError;
use muslin::cloth::{Cloth, EdgeRest, HingeRest, Maps};
use muslin::fabric::Fabric;
use muslin::mesh::{NO_TRIANGLE, TriMesh};
use std::ops::Range;

/// Triangles cut from a fabric of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Name of the fabric.
    pub fabric: String,
    /// The triangles.
    pub triangles: Range<u32>,
}

/// The cloth of a mesh, a fabric and painted maps, with patches of other fabrics.
pub fn cloth(
    mesh: &TriMesh,
    fabric: &Fabric,
    maps: &Maps,
    patches: &[Patch],
    place: &str,
) -> Result<Cloth, RunError> {
    let of = |fabric: &Fabric| Cloth::new(mesh, fabric, maps).map_err(|e| RunError::part(place, e));
    if maps.tables.is_some()
        && let Some(patch) = patches.first()
    {
        let message = format!(
            "a panel is of {}, but a `stretch_table` is for one fabric; leave out one of them",
            patch.fabric
        );
        return Err(RunError::part(place, message));
    }
    let mut pieces = Vec::new();
    for patch in patches {
        pieces.push((patch.clone(), of(&named(&patch.fabric, fabric, place)?)?));
    }
    let main = of(fabric)?;
    Ok(if pieces.is_empty() { main } else { sew_on(main, mesh, &pieces) })
}

/// The fabric `name`, with the strain limits of the cloth's own, `main`, and at least its thickness.
fn named(name: &str, main: &Fabric, place: &str) -> Result<Fabric, RunError> {
    let own = Fabric::named(name).map_err(|e| RunError::part(place, e))?;
    Ok(Fabric {
        thickness: own.thickness.max(main.thickness),
        strain_limit: main.strain_limit,
        compression_limit: main.compression_limit,
        ..own
    })
}

/// `main` with its `patches`, each given with the same cloth made of its fabric alone.
fn sew_on(mut main: Cloth, mesh: &TriMesh, patches: &[(Patch, Cloth)]) -> Cloth {
    let mut cut = vec![0; main.triangles.len()];
    for (k, (patch, cloth)) in patches.iter().enumerate() {
        for t in patch.triangles.clone().map(|t| t as usize) {
            cut[t] = k + 1;
            main.triangle_rest[t] = cloth.triangle_rest[t];
        }
    }
    let all: Vec<Cloth> =
        std::iter::once(main.clone()).chain(patches.iter().map(|(_, c)| c.clone())).collect();
    let sides = mesh.topology().edges().iter().map(|edge| {
        let [a, b] = edge.triangles;
        let first = cut[a as usize];
        [first, if b == NO_TRIANGLE { first } else { cut[b as usize] }]
    });
    for (i, pair) in sides.enumerate() {
        main.edges[i] = tighter(pair.map(|k| all[k].edges[i]));
    }
    for (i, hinge) in mesh.topology().hinges().iter().enumerate() {
        main.hinges[i] = mean(hinge.triangles.map(|t| all[cut[t as usize]].hinges[i]));
    }
    share_vertices(&mut main, &all, &cut);
    main
}

fn tighter([a, b]: [EdgeRest; 2]) -> EdgeRest {
    EdgeRest {
        strain_limit: a.strain_limit.min(b.strain_limit),
        compression_limit: a.compression_limit.min(b.compression_limit),
        ..a
    }
}

fn mean([a, b]: [HingeRest; 2]) -> HingeRest {
    HingeRest {
        stiffness: 0.5 * (a.stiffness + b.stiffness),
        damping: 0.5 * (a.damping + b.damping),
        ..a
    }
}

/// Mass, thickness and friction of every vertex: by area, of the triangles around it (BW2).
fn share_vertices(main: &mut Cloth, all: &[Cloth], cut: &[usize]) {
    let count = main.vertex_count();
    let (mut area, mut of) = (vec![0.0; count], vec![vec![0.0; count]; all.len()]);
    for (t, corners) in main.triangles.iter().enumerate() {
        for &v in corners {
            area[v as usize] += main.triangle_rest[t].area;
            of[cut[t]][v as usize] += main.triangle_rest[t].area;
        }
    }
    for v in 0..count {
        let share = |k: usize| of[k][v] / area[v];
        let sum = |value: &dyn Fn(&Cloth) -> f64| -> f64 {
            all.iter().enumerate().map(|(k, cloth)| share(k) * value(cloth)).sum()
        };
        main.mass[v] = sum(&|cloth| cloth.mass[v]);
        main.friction[v] = [sum(&|cloth| cloth.friction[v][0]), sum(&|cloth| cloth.friction[v][1])];
        let worn = all.iter().enumerate().filter(|(k, _)| share(*k) > 0.0);
        main.thickness[v] = worn.map(|(_, cloth)| cloth.thickness[v]).fold(0.0, f64::max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin::mesh::{Diagonals, Sheet};

    /// Half a sheet of one fabric, half of another: total mass is that of both halves, triangles have their own
    /// stiffness, and hinges on the border the mean.
    #[test]
    fn halves_of_two_fabrics_weigh_as_much_as_both() {
        let sheet = Sheet::grid([0.4, 0.2], [5, 3], Diagonals::Alternating).unwrap();
        let [light, heavy] = ["chiffon", "denim"].map(|name| {
            let fabric = Fabric::named(name).unwrap();
            (Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap(), fabric)
        });
        let half = sheet.mesh.triangles().len() as u32 / 2;
        let patch = Patch { fabric: "denim".to_owned(), triangles: half..2 * half };
        let both = sew_on(light.0.clone(), &sheet.mesh, &[(patch, heavy.0.clone())]);
        let expected = 0.04 * (light.1.density + heavy.1.density);
        assert!((both.total_mass() - expected).abs() < 1e-12 * expected);
        assert_eq!(both.triangle_rest[0].stretch, light.1.stretch);
        assert_eq!(both.triangle_rest[half as usize].stretch, heavy.1.stretch);
        for (i, hinge) in sheet.mesh.topology().hinges().iter().enumerate() {
            let of = |t: u32| if t < half { &light.0 } else { &heavy.0 };
            let [a, b] = hinge.triangles.map(|t| of(t).hinges[i].stiffness);
            assert!((both.hinges[i].stiffness - 0.5 * (a + b)).abs() < 1e-15);
        }
    }
}
