//! What a page may ask for.

use serde::Deserialize;
use serde_json::Value;

/// Most characters of a key path.
const MAX_PATH: usize = 200;
/// Farthest a pointer may pull from the origin [m].
const MAX_REACH: f64 = 1e4;
/// Most frames sent ahead of the one asked for.
const MAX_AHEAD: u32 = 48;

/// A message from a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Go on simulating.
    Play {},
    /// Stop after this frame.
    Pause {},
    /// Simulate one frame.
    Step {},
    /// Begin again at frame 0.
    Restart {},
    /// Simulated seconds for a second of the clock; 0 for as fast as can be.
    Speed {
        /// The ratio.
        value: f64,
    },
    /// Change a setting of the scene.
    Set {
        /// Its key path, like `solver.tolerance`.
        path: String,
        /// Its value; null takes the change back.
        value: Value,
    },
    /// Take back all changes.
    Reset {},
    /// Run a scene of the gallery.
    Open {
        /// Its name.
        scene: String,
    },
    /// Pull a vertex of the cloth towards a place (BW7).
    Grab {
        /// The vertex, numbered through all cloths.
        vertex: u32,
        /// The place [m].
        target: [f64; 3],
    },
    /// Let go.
    Release {},
    /// Show a frame, and send the ones after it too.
    See {
        /// The frame.
        frame: u32,
        /// How many more.
        #[serde(default)]
        ahead: u32,
    },
    /// Show what is being simulated.
    Follow {},
    /// Look for crossings in what is shown.
    Judge {
        /// Or no longer.
        on: bool,
    },
    /// Take control from whoever has it.
    Take {},
}

/// A message that makes no sense. The connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonsense;

impl Command {
    /// Reads a message, and checks what serde can not.
    pub fn parse(text: &str) -> Result<Self, Nonsense> {
        let command: Self = serde_json::from_str(text).map_err(|_| Nonsense)?;
        let sound = match &command {
            Self::Speed { value } => (0.0..=100.0).contains(value),
            Self::Set { path, .. } => path.len() <= MAX_PATH,
            Self::Grab { target, .. } => target.iter().all(|x| x.abs() <= MAX_REACH),
            Self::See { ahead, .. } => *ahead <= MAX_AHEAD,
            _ => true,
        };
        if sound { Ok(command) } else { Err(Nonsense) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        assert_eq!(Command::parse(r#"{"do":"play"}"#), Ok(Command::Play {}));
        let see = Command::parse(r#"{"do":"see","frame":7}"#);
        assert_eq!(see, Ok(Command::See { frame: 7, ahead: 0 }));
        let grab = Command::parse(r#"{"do":"grab","vertex":3,"target":[0,1,2]}"#);
        assert_eq!(grab, Ok(Command::Grab { vertex: 3, target: [0.0, 1.0, 2.0] }));
    }

    #[test]
    fn nonsense_is_known_as_such() {
        let cases = [
            "",
            "{",
            "[]",
            "null",
            r#"{"do":"format"}"#,
            r#"{"do":"play","now":true}"#,
            r#"{"do":"see","frame":-1}"#,
            r#"{"do":"see","frame":1,"ahead":1000}"#,
            r#"{"do":"speed","value":1e400}"#,
            r#"{"do":"speed","value":-1}"#,
            r#"{"do":"grab","vertex":3,"target":[0,1]}"#,
            r#"{"do":"grab","vertex":3,"target":[0,1,1e9]}"#,
            r#"{"do":"set","value":1}"#,
        ];
        for text in cases {
            assert_eq!(Command::parse(text), Err(Nonsense), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let deep = format!(r#"{{"do":"set","path":"a","value":{deep}}}"#);
        assert_eq!(Command::parse(&deep), Err(Nonsense));
        let long = format!(r#"{{"do":"set","path":"{}","value":1}}"#, "a".repeat(MAX_PATH + 1));
        assert_eq!(Command::parse(&long), Err(Nonsense));
    }
}
