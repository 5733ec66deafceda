//! Which parts of a scene a change touches.

use muslin_scene::spec::SceneSpec;

/// What has to be done about a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Nothing that is simulated changes.
    Nothing,
    /// The same cloth goes on under other conditions.
    Rebuild,
    /// Frames or vertices mean something else now: begin again.
    Restart,
}

/// What a change from one scene to another asks for. Whether vertices are still the same is seen only
/// when the scene is built.
pub fn work(from: &SceneSpec, to: &SceneSpec) -> Work {
    if from.fps != to.fps || from.up != to.up || from.seed != to.seed {
        return Work::Restart;
    }
    let unseen = SceneSpec {
        name: from.name.clone(),
        description: from.description.clone(),
        figure: from.figure.clone(),
        frames: from.frames,
        quality: from.quality,
        render: from.render.clone(),
        output: from.output.clone(),
        finish: from.finish.clone(),
        checks: from.checks.clone(),
        ..to.clone()
    };
    if unseen == *from { Work::Nothing } else { Work::Rebuild }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_touched_is_done_again() {
        let scene = SceneSpec::default();
        let mut other = scene.clone();
        other.frames = 7;
        other.render.background = "#000000".to_owned();
        assert_eq!(work(&scene, &other), Work::Nothing);
        other.solver.tolerance = 1e-6;
        assert_eq!(work(&scene, &other), Work::Rebuild);
        other.fps = 60.0;
        assert_eq!(work(&scene, &other), Work::Restart);
    }
}
