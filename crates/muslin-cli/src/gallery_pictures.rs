//! Pictures of the gallery's scenes, for the studio. A scene without one is drawn when it is asked for.
//!
//! Each is a frame of the scene, 400 × 250 in at most 192 colours, made by `scenes/pictures/draw.py NAME`, which
//! also says which frame.

macro_rules! pictures {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            include_bytes!(concat!("../../../scenes/pictures/", $name, ".png")).as_slice(),
        )),*]
    };
}

/// PNG by the scene's name.
const PICTURES: &[(&str, &[u8])] = pictures![
    "balloon",
    "cape-run",
    "curtain-ball",
    "curtain-breeze",
    "curtain-open",
    "curtain-walk",
    "curtains",
    "cylinder-drape",
    "dancer-long-skirt",
    "dancer-short-skirt",
    "drape-sphere",
    "flag",
    "grab",
    "hang",
    "pattern-shirt",
    "pleats",
    "robe",
    "rotating-sphere",
    "skirt-kick",
    "stack",
    "stage-drape",
    "tablecloth-legs",
    "tight-torso",
    "twist",
    "twisting-shirt",
    "two-particles",
    "walking-man",
    "water-bottle",
];

/// The picture of the scene of that name.
pub fn of(name: &str) -> Option<&'static [u8]> {
    PICTURES.iter().find(|(own, _)| *own == name).map(|(_, picture)| *picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;

    #[test]
    fn pictures_are_of_scenes_and_are_png_of_one_size() {
        for (name, picture) in PICTURES {
            assert!(gallery::find(name).is_ok(), "{name}");
            assert_eq!(picture[..8], *b"\x89PNG\r\n\x1a\n", "{name}");
            let size = [16, 20].map(|k| u32::from_be_bytes(picture[k..k + 4].try_into().unwrap()));
            assert_eq!(size, [400, 250], "{name}");
            assert!(picture.len() < 36_000, "{name} has {} bytes", picture.len());
        }
    }
}
