use crate::spec::SceneSpec;
#[test]
fn probe() {
    let g = "[[cloth]]\ngrid = { size = [1, 1] }\n";
    let cases: Vec<(String, Vec<&str>)> = vec![
        ("fps = 24\n[[cloth]]\nfabirc = \"denim\"\ngrid = { size = [1, 1] }\n".into(), vec![]),
        (format!("fps = 0\n{g}"), vec![]),
        (format!("fps = \"fast\"\n{g}"), vec![]),
        (format!("fps = nan\n{g}"), vec![]),
        (format!("frames = -1\n{g}"), vec![]),
        (format!("frames = 2.5\n{g}"), vec![]),
        (format!("{g}fabric = {{ density = 150 }}\n"), vec![]),
        (format!("{g}fabric = {{ density = -0.1 }}\n"), vec![]),
        (format!("{g}fabric = {{ thickness = 2 }}\n"), vec![]),
        ("[[cloth]]\ngrid = { size = [1, 1], vertices = [31623, 31623] }\n".into(), vec![]),
        ("[[cloth]]\nmesh = \"shrit.obj\"\n".into(), vec![]),
        ("[[cloth]]\nname = \"a\"\n".into(), vec![]),
        (format!("{g}disc = {{ radius = 1 }}\n"), vec![]),
        (format!("{g}position = [0, 1]\n"), vec![]),
        (format!("{g}position = [0, 1, 2, 3]\n"), vec![]),
        (
            format!(
                "{g}[[cloth.attach]]\nto = \"bal\"\nselect = \"all\"\n[[body]]\nname = \"ball\"\nsphere = {{ radius = 1 }}\n"
            ),
            vec![],
        ),
        (format!("{g}[[cloth.attach]]\nselect = \"all\"\n"), vec![]),
        (format!("{g}[[cloth.pin]]\nselect = {{ formula = \"v > \" }}\n"), vec![]),
        (format!("{g}[[cloth.pin]]\nselect = {{ corners = [\"u0v2\"] }}\n"), vec![]),
        (format!("{g}[solver]\ndynamics = \"implict\"\n"), vec![]),
        (format!("{g}[solver]\nstrain_limit = 10\n"), vec![]),
        (format!("{g}[solver]\nstrain_limit = \"on\"\n"), vec![]),
        (format!("gravity = [[0, [0,0,0]], [0, [0,0,1]]]\n{g}"), vec![]),
        (format!("gravity = 9.81\n{g}"), vec![]),
        (format!("gravity = {{ keys = [[0, 1]] }}\n{g}"), vec![]),
        (format!("{g}[[body]]\nplane = {{ normal = [0, 0, 0] }}\n"), vec![]),
        ("fps = = 3\n".into(), vec![]),
        ("fps = 3\nfps = 4\n".into(), vec![]),
        ("fps = 3\nname = foo\n".into(), vec![]),
        (String::new(), vec![]),
        (format!("x = {}", "[".repeat(100)), vec![]),
        (g.into(), vec!["cloth.0.fabirc=denim"]),
        (g.into(), vec!["cloth.shet.fabric=denim"]),
        (g.into(), vec!["body.0.friction=1"]),
        (g.into(), vec!["fps.x=1"]),
        (g.into(), vec!["fps=fast"]),
        (g.into(), vec!["fps"]),
        (g.into(), vec!["solver.tolerance=[1"]),
        (format!("{g}shrink = {{ formula = \"1\", group = \"a\" }}"), vec![]),
        (format!("{g}fabric = {{ bending = [1, 2, 3] }}"), vec![]),
        (format!("up = 1979-05-27\n{g}"), vec![]),
        (format!("{g}[[cloth.pin]]\nselect = {{ near = [0,0,0] }}\n"), vec![]),
        (format!("{g}grid.size = [1, -1]\n"), vec![]),
        (format!("{g}name = \"a\"\n{g}name = \"a\"\n"), vec![]),
        (format!("{g}color = \"red\"\n"), vec![]),
        (format!("quality = \"fast\"\n{g}"), vec![]),
    ];
    for (text, o) in cases {
        let o: Vec<String> = o.iter().map(|s| s.to_string()).collect();
        match SceneSpec::from_toml(&text, "scenes/test.toml", &o) {
            Ok(_) => println!("OK?? {text} {o:?}"),
            Err(e) => println!("{e}\n     [{:?}] key={}\n", e.kind, e.key),
        }
    }
    for f in ["hang", "drape-sphere"] {
        let p = format!("../../scenes/{f}.toml");
        let s = SceneSpec::from_file(p.as_ref(), &[]).unwrap_or_else(|e| panic!("{e}"));
        println!("{}", s.to_toml().unwrap());
        let t =
            SceneSpec::from_toml(&s.to_toml().unwrap(), &p, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(s, t);
    }
    println!("{}", serde_json::to_string(&SceneSpec::schema()).unwrap().len());
}
