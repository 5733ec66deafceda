//! `A..B`: frames from A to B, both ends included.

use std::fmt;
use std::str::FromStr;

/// The largest frame number a cache can have.
const MAX_FRAME: u64 = u32::MAX as u64;

/// Frames from `first` to `last`, both ends included; an open end is where the frames end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// First frame.
    pub first: u64,
    /// Last frame, included; `None` for the last there is.
    pub last: Option<u64>,
}

impl FrameRange {
    /// Whether a frame is one of them.
    pub fn contains(self, frame: u64) -> bool {
        frame >= self.first && self.last.is_none_or(|last| frame <= last)
    }
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "write A..B, such as 0..24 (both ends included), A.., ..B or one frame";
        let number = |part: &str| match part.trim().parse::<u64>() {
            Ok(frame) if frame <= MAX_FRAME => Ok(frame),
            Ok(frame) => Err(format!("frame {frame} is above {MAX_FRAME}: {expected}")),
            Err(_) => Err(format!("`{part}` is no frame number: {expected}")),
        };
        let Some((first, last)) = text.split_once("..") else {
            let frame = number(text)?;
            return Ok(Self { first: frame, last: Some(frame) });
        };
        let first = if first.trim().is_empty() { 0 } else { number(first)? };
        let last = if last.trim().is_empty() { None } else { Some(number(last)?) };
        match last {
            Some(last) if last < first => {
                Err(format!("{last} comes before {first}: give the smaller frame first"))
            }
            _ => Ok(Self { first, last }),
        }
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            Some(last) => write!(f, "{}..{last}", self.first),
            None => write!(f, "{}..", self.first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_included_and_either_may_be_open() {
        let range = |first, last| Ok(FrameRange { first, last });
        assert_eq!("2..5".parse(), range(2, Some(5)));
        assert_eq!("2..".parse(), range(2, None));
        assert_eq!("..5".parse(), range(0, Some(5)));
        assert_eq!("7".parse(), range(7, Some(7)));
        let inside = |text: &str, frame| text.parse::<FrameRange>().unwrap().contains(frame);
        assert!(inside("2..5", 2) && inside("2..5", 5));
        assert!(!inside("2..5", 1) && !inside("2..5", 6) && inside("2..", 99));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "a..b", "5..2", "-1..2", "1...3", "1.5..2", "99999999999..", "2..1e3"] {
            assert!(text.parse::<FrameRange>().is_err(), "{text}");
        }
    }
}
