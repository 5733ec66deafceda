//! A frame of the real-time path takes no memory from the heap, with gusts, sliding rings,
//! obstacles and contacts.

use muslin::curtain::scenes::Scene;

#[test]
fn frames_do_not_allocate() {
    let frames = [600, 300, 750, 60];
    for (mut scene, frames) in Scene::all().unwrap().into_iter().zip(frames) {
        let mut contacts = 0;
        let info = allocation_counter::measure(|| {
            for _ in 0..frames {
                let report = scene.frame(1.0 / 60.0).unwrap();
                contacts += report.contacts + report.obstacle_contacts;
            }
        });
        assert_eq!(info.count_total, 0, "{}", scene.name);
        if scene.name == "curtains" {
            assert!(contacts > 0, "nothing was touched");
        }
    }
}
