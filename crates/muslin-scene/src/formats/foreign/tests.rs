use super::*;
use crate::formats::{
    animation::{Clip, Frame, SourceError},
    mdd, obj, pc2,
    tests::Scratch,
};

/// Three vertices on a curve that no polynomial of low degree is: every program's file of it must
/// give these positions back.
fn frame_at(time: f64) -> Vec<Vec3> {
    (0..3).map(|k| Vec3::new((time + f64::from(k)).sin(), f64::from(k * k), time)).collect()
}

const FPS: f64 = 25.0;
const FRAMES: usize = 6;

fn write_files(scratch: &Scratch) -> PolyMesh {
    let mesh = PolyMesh::from_triangles(frame_at(0.0), &[[0, 1, 2]]);
    let clip = Clip { frame_count: FRAMES, fps: FPS, up: UpAxis::Z };
    let mut source = |_: usize, frame: usize| -> Result<Frame, SourceError> {
        let time = frame as f64 / FPS;
        Ok(Frame { positions: frame_at(time), velocities: None, time })
    };
    obj::write_sequence(&scratch.path("clip.obj"), &clip, &mesh, &mut source).unwrap();
    pc2::write(&scratch.path("cache.pc2"), &clip, &mesh, &mut source).unwrap();
    mdd::write(&scratch.path("cache.mdd"), &clip, &mesh, &mut source).unwrap();
    obj::write(&scratch.path("cache.obj"), &mesh).unwrap();
    let animated = crate::formats::animation::AnimatedMesh {
        mesh: &mesh,
        name: "cloth",
        color: None,
        animated: true,
    };
    crate::formats::usda::write(&scratch.path("clip.usda"), &clip, &[animated], &mut source)
        .unwrap();
    crate::formats::gltf::write(&scratch.path("clip.glb"), &clip, &[animated], &mut source)
        .unwrap();
    mesh
}

#[test]
fn every_format_gives_the_same_frames() {
    let scratch = Scratch::new("foreign-all");
    let mesh = write_files(&scratch);
    // OBJ keeps six or more digits, the others single precision, glTF 16 bits of 2 m.
    let cases = [
        ("clip_####.obj", 1e-6),
        ("cache.pc2", 1e-6),
        ("cache.mdd", 1e-6),
        ("clip.usda", 1e-6),
        ("clip.glb", 2.0 / 65534.0 + 1e-6),
    ];
    let options = Options { fps: Some(FPS), ..Options::default() };
    for (name, tolerance) in cases {
        let animation = Animation::open(&scratch.path(name), &options).unwrap();
        assert_eq!(animation.frame_count(), FRAMES, "{name}");
        assert!(animation.mesh().same_topology(&mesh), "{name}");
        for frame in 0..FRAMES {
            let time = frame as f64 / FPS;
            assert!((animation.times()[frame] - time).abs() < 1e-6, "{name}");
            let up = animation.up().unwrap_or(UpAxis::Z);
            for (found, expected) in animation.positions(frame).unwrap().iter().zip(frame_at(time))
            {
                let off = (up.world_from_file(*found) - expected).length();
                assert!(off <= tolerance, "{name}, frame {frame}: {off}");
            }
        }
        assert!(animation.positions(FRAMES).is_err(), "{name}");
    }
    let usd = Animation::open(&scratch.path("clip.usda"), &Options::default()).unwrap();
    assert_eq!((usd.up(), usd.metres_per_unit()), (Some(UpAxis::Z), Some(1.0)));
    // A file's own rate holds where none is given; MDD has seconds.
    for name in ["clip.usda", "cache.mdd"] {
        let own = Animation::open(&scratch.path(name), &Options::default()).unwrap();
        assert!((own.times()[FRAMES - 1] - 0.2).abs() < 1e-6, "{name}");
    }
}

#[test]
fn between_frames_linear_is_straight_and_smooth_is_third_order() {
    let scratch = Scratch::new("foreign-between");
    write_files(&scratch);
    let options = Options { fps: Some(FPS), ..Options::default() };
    let open = || Animation::open(&scratch.path("cache.pc2"), &options).unwrap();
    let linear = Playback::new(open(), Interpolation::Linear);
    let smooth = Playback::new(open(), Interpolation::Smooth);
    let (a, b) = (2.0 / FPS, 3.0 / FPS);
    let mut found = vec![Vec3::ZERO; 3];
    assert!(linear.positions_at(0.25 * a + 0.75 * b, &mut found));
    for ((x, p), q) in found.iter().zip(frame_at(a)).zip(frame_at(b)) {
        assert!(x.distance(p * 0.25 + q * 0.75) < 1e-6);
    }
    // sin has |f'''| ≤ 1 and |f''''| ≤ 1: chords miss slopes by h²/6, which a quarter of h carries to
    // the middle at most (h³/24), and a cubic misses by h⁴/384.
    let h: f64 = 1.0 / FPS;
    assert!(smooth.positions_at(0.5 * (a + b), &mut found));
    for (x, exact) in found.iter().zip(frame_at(0.5 * (a + b))) {
        assert!(x.distance(exact) < h.powi(3) / 24.0 + h.powi(4) / 384.0 + 1e-6);
    }
    for (time, frame) in [(-1.0, 0.0), (99.0, 0.2)] {
        for playback in [&linear, &smooth] {
            assert!(playback.positions_at(time, &mut found));
            assert!(found[1].distance(frame_at(frame)[1]) < 1e-6);
        }
    }
}

#[test]
fn a_file_that_goes_away_is_reported() {
    let scratch = Scratch::new("foreign-gone");
    write_files(&scratch);
    let options = Options { fps: Some(FPS), numbers: (Some(1), Some(4)), ..Options::default() };
    let animation = Animation::open(&scratch.path("clip_####.obj"), &options).unwrap();
    assert_eq!(animation.frame_count(), 4);
    let playback = Playback::new(animation, Interpolation::Linear);
    std::fs::remove_file(scratch.path("clip_0003.obj")).unwrap();
    let mut found = vec![Vec3::ONE; 3];
    assert!(playback.positions_at(0.0, &mut found));
    assert!(found[0].distance(frame_at(1.0 / FPS)[0]) < 1e-6);
    let before = found.clone();
    assert!(!playback.positions_at(2.0 / FPS, &mut found));
    assert_eq!(found, before);
    let failure = playback.failure().unwrap().to_string();
    assert!(failure.contains("clip_0003.obj"), "{failure}");
    assert!(playback.failure().is_none());
}

#[test]
fn what_does_not_fit_is_refused() {
    let scratch = Scratch::new("foreign-refused");
    write_files(&scratch);
    let message = |name: &str, options: &Options| {
        let path = scratch.path(name);
        let error = Animation::open(&path, options).unwrap_err().to_string();
        error.replace(&scratch.path("").display().to_string(), "")
    };
    let options = Options { numbers: (Some(2), Some(9)), ..Options::default() };
    assert_eq!(
        message("clip_####.obj", &options),
        "/clip_0000.obj: there is no file number 9: they go from 0 to 5"
    );
    std::fs::remove_file(scratch.path("cache.obj")).unwrap();
    assert!(message("cache.pc2", &Options::default()).contains("a point cache has no faces"));
    std::fs::write(scratch.path("cache.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 2 2\nf 1 2 3")
        .unwrap();
    assert_eq!(
        message("cache.mdd", &Options::default()),
        "/cache.mdd: 3 vertices a frame, but /cache.obj has 4: export both from the same mesh"
    );
    std::fs::remove_file(scratch.path("clip_0002.obj")).unwrap();
    assert!(message("clip_####.obj", &Options::default()).contains("number 3 follows 1"));
    let options = Options { object: Some("shirt"), ..Options::default() };
    assert_eq!(
        message("clip.usda", &options),
        "/clip.usda: there is no prim `shirt` in it: choose `cloth`"
    );
}

/// Binary USD goes through usd-core, which is asked to make the file in the first place.
#[test]
fn binary_usd_through_usd_core() {
    let scratch = Scratch::new("foreign-usdc");
    write_files(&scratch);
    let binary = scratch.path("clip.usdc");
    if let Err(problem) =
        crate::formats::usd_core::convert(&scratch.path("clip.usda"), &binary, &|| false)
    {
        let problem = problem.to_string();
        eprintln!("SKIPPED: {problem}");
        assert!(problem.contains("usd-core"), "{problem}");
        return;
    }
    let animation = Animation::open(&binary, &Options::default()).unwrap();
    assert_eq!(animation.frame_count(), FRAMES);
    for frame in 0..FRAMES {
        for (found, expected) in
            animation.positions(frame).unwrap().iter().zip(frame_at(frame as f64 / FPS))
        {
            assert!(found.distance(expected) < 1e-6);
        }
    }
}
