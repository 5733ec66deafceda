//! A scene before it runs: does it read, can it be built, does it start clean?

use super::{Report, cache::add_verdict};
use crate::cache_scene::CacheScene;
use crate::failure::Failure;
use crate::judgement::Judge;
use crate::scene_source::SceneSource;
use muslin_scene::runner::{FieldNote, Runner};

/// Kinds of failures that are about the question, not about the scene.
const NOT_ABOUT_THE_SCENE: [&str; 4] = ["unreadable", "unknown-scene", "override", "io"];

/// Checks the scene of that name.
pub fn check(name: &str, overrides: &[String], pairs: usize) -> Result<Report, Failure> {
    let mut report = Report::default();
    let source = match SceneSource::load(name, overrides) {
        Ok(source) => source,
        Err(failure) if NOT_ABOUT_THE_SCENE.contains(&failure.kind.as_str()) => {
            return Err(failure);
        }
        Err(failure) => {
            report.problems.push(failure.into());
            return Ok(report);
        }
    };
    let runner = match Runner::new(&source.scene) {
        Ok(runner) => runner,
        Err(error) => {
            report.problems.push(Failure::from(error).into());
            return Ok(report);
        }
    };
    let run = runner.plan(&source.scene, overrides, u64::from(source.scene.frames));
    let (topology, scene) = (runner.topology(), CacheScene::of(&source.scene));
    let judge = Judge::new(&run, &topology, &scene);
    let frame = runner.frame();
    let verdict = judge.frame(0, &frame);
    add_verdict(&mut report, &judge, &verdict, &frame.report, pairs);
    report.notes.extend(runner.fields().iter().map(FieldNote::in_words));
    let estimate = runner.estimate();
    report.notes.push(format!("{} vertices, {} triangles", estimate.vertices, estimate.triangles));
    Ok(report)
}
