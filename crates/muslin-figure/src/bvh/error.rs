//! Why a BVH file cannot be used.

use thiserror::Error;

/// Why a BVH file cannot be used; lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BvhError {
    /// Something else stands where a word of the format should.
    #[error("line {line}: found {found:?} where {expected} should be")]
    Unexpected {
        /// Line.
        line: usize,
        /// What the format asks for.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The file ends too early.
    #[error("line {line}: the file ends where {expected} should be")]
    End {
        /// Last line.
        line: usize,
        /// What the format asks for.
        expected: &'static str,
    },
    /// A number is infinite or not a number.
    #[error("line {line}: {found:?} is not a finite number")]
    NotFinite {
        /// Line.
        line: usize,
        /// What is there.
        found: String,
    },
    /// Too many joints or channels for a human being.
    #[error("line {line}: more than {most} {what}; this is no figure's motion")]
    TooMany {
        /// Line.
        line: usize,
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// Two joints have the same name.
    #[error("line {line}: a second joint is called {name:?}; names must differ")]
    SameName {
        /// Line.
        line: usize,
        /// The name.
        name: String,
    },
    /// No frames.
    #[error("line {line}: the motion has no frames; record at least one")]
    NoFrames {
        /// Line.
        line: usize,
    },
    /// Frames take no time.
    #[error("line {line}: the frame time is {value} s, but it must be positive")]
    FrameTime {
        /// Line.
        line: usize,
        /// What is there \[s\].
        value: f64,
    },
    /// A frame has too many or too few numbers.
    #[error("line {line}: the frame has {found} numbers, but the joints have {expected} channels")]
    ChannelCount {
        /// Line.
        line: usize,
        /// Channels of all joints.
        expected: usize,
        /// Numbers on the line.
        found: usize,
    },
    /// There are fewer or more frames than the file says.
    #[error("line {line}: {expected} frames are announced, but {found} follow")]
    FrameCount {
        /// Line of the announcement.
        line: usize,
        /// Announced.
        expected: usize,
        /// Found.
        found: usize,
    },
    /// Joints that the figure needs are missing.
    #[error(
        "no joint for {missing} among {found}; rename the joints as in CMU, Mixamo or Biped files"
    )]
    MissingJoints {
        /// Names of the figure's joints.
        missing: String,
        /// Names in the file.
        found: String,
    },
    /// The legs have no length, so nothing says how large the motion is.
    #[error("the legs of the rest pose have no length or direction; give the joints their offsets")]
    NoLegs,
    /// The hips jump.
    #[error(
        "the hips jump {distance:.2} m from frame {frame} to the next (counted from 0); choose a \
         range without the jump"
    )]
    Jump {
        /// The frame before the jump.
        frame: usize,
        /// How far \[m\].
        distance: f64,
    },
    /// The chosen range holds no frame.
    #[error("the range from {from} s to {to} s holds none of the motion's {length} s")]
    Range {
        /// Start \[s\].
        from: f64,
        /// End \[s\].
        to: f64,
        /// Length of the motion \[s\].
        length: f64,
    },
}
