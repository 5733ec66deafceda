//! A frame of a garment of few particles takes no memory from the heap, with contacts of vertices and faces, long edges
//! and folds. The first one makes room for the parts of the body.

use muslin::sparse::GarmentSettings;
use muslin::sparse::skirt::{PAPER_RINGS, SkirtKick};

/// Long enough for a kick.
const FRAMES: usize = 100;

#[test]
fn frames_do_not_allocate() {
    for rings in [PAPER_RINGS.as_slice(), &[40; 25]] {
        let mut skirt = SkirtKick::with_rings(rings, GarmentSettings::default()).unwrap();
        skirt.frame(1.0 / 30.0).unwrap();
        let [mut vertices, mut faces, mut folds] = [0; 3];
        let info = allocation_counter::measure(|| {
            for _ in 0..FRAMES {
                let report = skirt.frame(1.0 / 30.0).unwrap();
                vertices += report.vertex_contacts;
                faces += report.face_contacts;
                folds += report.curved.folded;
            }
        });
        assert!(vertices > 0 && faces > 0 && folds > 0, "{vertices} {faces} {folds}");
        assert_eq!(info.count_total, 0, "{} particles", skirt.garment.particles().len());
    }
}
