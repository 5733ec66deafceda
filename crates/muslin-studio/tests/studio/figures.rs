//! Bytes a frame at several sizes; slow, so only when asked for:
//! `cargo test --release -p muslin-studio --test studio -- --ignored --nocapture figures`.

use crate::client::Socket;
use crate::scenes::{path, studio};
use std::time::Instant;

#[test]
#[ignore = "slow: measures"]
fn figures_of_bytes_and_frames() {
    for side in [45, 148, 316] {
        let text = format!(
            "fps = 24\nframes = 40\nquality = \"preview\"\n[[cloth]]\n\
             grid = {{ size = [1, 1], vertices = [{side}, {side}] }}\nposition = [0, 0, 0.56]\n\
             [[body]]\nname = \"ball\"\nsphere = {{ radius = 0.25 }}\nposition = [0, 0, 0.28]\n"
        );
        let studio = studio(&text);
        let mut viewer = Socket::open(studio.address(), &path(&studio, "socket")).unwrap();
        let whole = viewer.hear_frame().1.len();
        viewer.say(r#"{"do":"speed","value":0}"#).unwrap();
        viewer.say(r#"{"do":"play"}"#).unwrap();
        let (mut sizes, begin) = (Vec::new(), Instant::now());
        let end = if side > 200 { 6 } else { 30 };
        while sizes.len() < end {
            sizes.push(viewer.hear_frame().1.len());
        }
        let seconds = begin.elapsed().as_secs_f64() / end as f64;
        let mean = sizes.iter().sum::<usize>() / sizes.len();
        println!(
            "{} vertices: whole {whole} B, then {mean} B a frame (largest {}), {:.1} frames/s simulated",
            side * side,
            sizes.iter().max().unwrap(),
            1.0 / seconds
        );
    }
}
