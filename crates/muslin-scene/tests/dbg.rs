#![allow(missing_docs, clippy::all, clippy::unwrap_used)]
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
#[test]
fn dbg() {
    let text = std::fs::read_to_string(std::env::var("DBGSCENE").unwrap()).unwrap();
    let frames: usize = std::env::var("DBGFRAMES").unwrap().parse().unwrap();
    let mut runner = Runner::new(&SceneSpec::from_toml(&text, "dbg.toml", &[]).unwrap()).unwrap();
    let mut rested = None;
    for f in 0..frames {
        eprintln!("FRAME {f}");
        let r = runner.advance().unwrap();
        if r.energy.kinetic < 1e-13 { rested.get_or_insert(f); } else { rested = None; }
        if f % 12 == 11 { println!("DBG {f} ke {:.2e} imp {} rep {} steps {}", r.energy.kinetic, r.contact.impulses, r.contact.repulsions, r.steps); }
    }
    println!("DBG rested {rested:?}");
}
