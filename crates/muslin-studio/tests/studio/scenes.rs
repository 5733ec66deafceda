//! Small scenes, and studios that show them.

use muslin_studio::{GalleryEntry, Show, Studio};
use std::net::{Ipv4Addr, SocketAddr};

/// A towel on two pins in a light wind.
pub const TOWEL: &str = "
description = \"A towel on two pins\"
fps = 30
frames = 40
quality = \"preview\"

[[cloth]]
name = \"towel\"
grid = { size = [0.6, 0.8], vertices = [11, 15] }
rotation = [90, 0, 0]
position = [0, 0, 1]
fabric = { density = 0.2, stretch = 500, shear = 200, bending = 1e-5, thickness = 0.003, friction = 0.3 }
color = \"#3a6ea5\"

[[cloth.pin]]
select = { corners = [\"u0v1\", \"u1v1\"] }

[[wind]]
uniform = { velocity = [0, 1, 0] }

[[body]]
name = \"block\"
box = { size = [0.25, 0.25, 0.25] }
position = [0, 0.35, 0.8]
";

/// A napkin that falls on a ball on the ground.
pub const NAPKIN: &str = "
description = \"A napkin falls on a ball\"
fps = 30
frames = 30
quality = \"preview\"

[[cloth]]
name = \"napkin\"
grid = { size = [0.8, 0.8], vertices = [21, 21] }
position = [0, 0, 0.5]

[[body]]
name = \"block\"
box = { size = [0.3, 0.3, 0.44] }
position = [0, 0, 0.23]

[[body]]
name = \"ground\"
plane = {}
";

/// A curtain in a draught that rises by two metres a second every second, in real time.
pub const CURTAIN: &str = "
description = \"A curtain in a draught\"
fps = 30
frames = 600
solver = { dynamics = \"curtain\" }
contact = { thickness = 0.003 }

[[wind]]
name = \"draught\"
turbulence = { amplitude = 0.35, length = 1.2, frequency = 2.8, seed = 1 }
[wind.uniform.velocity]
keys = [[0, [0, 0, 0]], [5, [0, 10, 0]]]

[[cloth]]
name = \"curtain\"
grid = { size = [2, 1.6], vertices = [20, 32] }
rods = { style = \"wave\", sections = [4, 4], uneven = 0.4, seed = 10 }
fabric = { density = 0.25, porosity = 0.2, friction = 0.3 }
color = \"#7a8f5c\"
hang = { rail = { from = [-0.5, 0, 1.7], to = [0.5, 0, 1.7] } }
";

/// A skirt of few particles, hung by its waist.
pub const SKIRT: &str = "
fps = 30
frames = 10000
solver = { dynamics = \"sparse\" }

[[cloth]]
name = \"skirt\"
skirt = { rings = [8, 12, 14, 16, 16], radius = [0.165, 0.27], depth = [0.125, 0.3], length = 0.47 }
position = [0, 0, 0.795]
fabric = { density = 0.15, bending = 1e-5, friction = 0.3 }

[[cloth.pin]]
select = { edge = \"v1\" }

[[body]]
plane = {}
";

/// A few vertices that fall freely: frames come as fast as they can be sent.
pub const HANDKERCHIEF: &str = "
frames = 100
solver = { contact = \"none\" }
[[cloth]]
grid = { size = [0.2, 0.2], vertices = [3, 3] }
";

pub fn gallery() -> Vec<GalleryEntry> {
    let entry = |name, text| GalleryEntry {
        name,
        description: "A small scene".to_owned(),
        text,
        picture: None,
    };
    vec![entry("napkin", NAPKIN), entry("towel", TOWEL)]
}

pub fn show(text: &str) -> Show {
    Show::Scene { text: text.to_owned(), file_name: "towel.toml".to_owned(), sets: Vec::new() }
}

/// A studio on the loopback address.
pub fn studio(text: &str) -> Studio {
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
    Studio::open(show(text), address, gallery()).unwrap()
}

/// The path of a file of a studio, with the token.
pub fn path(studio: &Studio, file: &str) -> String {
    let link = studio.link();
    let token = link.trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
    format!("/{token}/{file}")
}
