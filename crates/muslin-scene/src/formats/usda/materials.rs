//! Materials by name: one `Material` for each name, and the faces of each mesh that wear it.

use super::{
    ROOT,
    text::{PrimNames, quoted, write_list},
};
use crate::{
    formats::{WriteProblem, animation::AnimatedMesh},
    polymesh::PolyMesh,
};
use std::{collections::BTreeMap, io::Write};

/// The grey of a material whose mesh has no colour.
const GREY: [f64; 3] = [0.6, 0.6, 0.6];
/// Cloth is dull.
const ROUGHNESS: f64 = 0.8;

struct Material {
    /// The name in USD.
    prim: String,
    color: [f64; 3],
}

/// The materials of all meshes, shared by name.
pub(super) struct Materials {
    scope: String,
    by_name: BTreeMap<String, Material>,
}

impl Materials {
    pub(super) fn new(meshes: &[AnimatedMesh], siblings: &mut PrimNames) -> Self {
        let mut by_name: BTreeMap<String, Material> = BTreeMap::new();
        let mut names = PrimNames::default();
        for animated in meshes {
            for name in &animated.mesh.materials {
                by_name.entry(name.clone()).or_insert_with(|| Material {
                    prim: names.unique(name, "material"),
                    color: animated.color.unwrap_or(GREY),
                });
            }
        }
        let scope =
            if by_name.is_empty() { String::new() } else { siblings.unique("materials", "") };
        Self { scope, by_name }
    }

    /// Where a material is, from the root of the file.
    fn path(&self, prim: &str) -> String {
        format!("/{ROOT}/{}/{prim}", self.scope)
    }

    pub(super) fn write(&self, out: &mut impl Write) -> Result<(), WriteProblem> {
        if self.by_name.is_empty() {
            return Ok(());
        }
        writeln!(out, "    def Scope \"{}\"\n    {{", self.scope)?;
        for (name, Material { prim, color }) in &self.by_name {
            let path = self.path(prim);
            let [r, g, b] = color.map(|c| c as f32);
            writeln!(
                out,
                "        def Material \"{prim}\" (
            displayName = {shown}
        )
        {{
            token outputs:surface.connect = <{path}/surface.outputs:surface>

            def Shader \"surface\"
            {{
                uniform token info:id = \"UsdPreviewSurface\"
                color3f inputs:diffuseColor = ({r:?}, {g:?}, {b:?})
                float inputs:roughness = {ROUGHNESS}
                token outputs:surface
            }}
        }}",
                shown = quoted(name)
            )?;
        }
        writeln!(out, "    }}")?;
        Ok(())
    }

    /// The faces of a mesh that wear each of its materials.
    pub(super) fn write_subsets(
        &self,
        out: &mut impl Write,
        mesh: &PolyMesh,
    ) -> Result<(), WriteProblem> {
        if mesh.materials.is_empty() {
            return Ok(());
        }
        let complete = mesh.face_materials.iter().all(Option::is_some);
        let family = if complete { "partition" } else { "nonOverlapping" };
        writeln!(out, "        uniform token subsetFamily:materialBind:familyType = \"{family}\"")?;
        for (index, name) in mesh.materials.iter().enumerate() {
            let wears = |material: &Option<u32>| *material == Some(index as u32);
            let worn = mesh.face_materials.iter().enumerate().filter(|(_, m)| wears(m));
            let Some(Material { prim, .. }) = self.by_name.get(name) else {
                continue;
            };
            let path = self.path(prim);
            writeln!(
                out,
                "
        def GeomSubset \"{prim}\" (
            prepend apiSchemas = [\"MaterialBindingAPI\"]
        )
        {{
            uniform token elementType = \"face\"
            uniform token familyName = \"materialBind\"
            rel material:binding = <{path}>"
            )?;
            write!(out, "            int[] indices = ")?;
            write_list(out, worn.map(|(face, _)| face))?;
            writeln!(out, "        }}")?;
        }
        Ok(())
    }
}
