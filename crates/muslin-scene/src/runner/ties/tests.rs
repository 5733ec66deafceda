//! Renumbering when islands merge.

use super::*;

fn attachment(vertex: u32, to: Region) -> Attachment {
    Attachment {
        vertex,
        to,
        stiffness: Strength::Constant(1.0),
        damping: 0.0,
        from: 0.0,
        until: 1.0,
        break_force: 1.0,
    }
}

/// Cloths 1 and 2 are tied and remember it; joined by cloth 0, which comes first, everything moves up by
/// its vertices, and attachments and sticks keep their own memory.
#[test]
fn v17_memory_moves_along_when_islands_merge() {
    let cloth = |triangle: [u32; 3]| Region { owner: Owner::Cloth, triangles: vec![triangle] };
    let body = Region { owner: Owner::Body(0), triangles: vec![[7, 8, 9]] };
    let stick = |to: Region| Stick {
        vertices: vec![3],
        to,
        capture: 1.0,
        release: 1.0,
        stiffness: 1.0,
        prediction: 1.0,
        strength: Strength::Constant(1.0),
    };
    let ties = Ties {
        attachments: vec![
            Tie { piece: 0, to: None, link: attachment(1, body.clone()) },
            Tie { piece: 2, to: Some(1), link: attachment(4, cloth([0, 1, 2])) },
        ],
        sticks: vec![
            Tie { piece: 0, to: None, link: stick(body) },
            Tie { piece: 2, to: Some(1), link: stick(cloth([4, 5, 6])) },
        ],
        ..Ties::default()
    };
    assert!(ties.join(&[1], &[0, 2]) && !ties.join(&[0], &[1, 2]));
    // Cloths 0, 1, 2 have 5, 10 and 20 vertices.
    let (alone, pair) = (
        Offsets { members: &[0], starts: vec![0] },
        Offsets { members: &[1, 2], starts: vec![0, 10] },
    );
    let links = ties.links(&pair);
    assert_eq!(links.attachments[0].vertex, 14);
    assert_eq!(links.sticks[0].vertices, vec![13]);
    assert_eq!(links.sticks[0].to.triangles, vec![[4, 5, 6]]);
    let foot = |corners: [u32; 3]| Foot { corners, weights: [0.2, 0.3, 0.5] };
    let stuck = |stick: u32, vertex: u32, at: Foot| Stuck { stick, vertex, foot: at, height: 0.1 };
    let of_alone = Memory {
        holds: vec![Hold::Broken],
        stuck: vec![stuck(0, 3, foot([7, 8, 9]))],
        ..Memory::default()
    };
    let of_pair = Memory {
        holds: vec![Hold::On(foot([0, 1, 2]))],
        stuck: vec![stuck(0, 13, foot([4, 5, 6]))],
        ..Memory::default()
    };
    let all = Offsets { members: &[0, 1, 2], starts: vec![0, 5, 15] };
    let merged = ties.carry(&[(alone, &of_alone), (pair, &of_pair)], &all);
    let expected = Memory {
        holds: vec![Hold::Broken, Hold::On(foot([5, 6, 7]))],
        stuck: vec![stuck(0, 3, foot([7, 8, 9])), stuck(1, 18, foot([9, 10, 11]))],
        ..Memory::default()
    };
    assert_eq!(merged, expected);
}
