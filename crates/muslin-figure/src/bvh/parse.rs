//! Reads BVH text.

use super::BvhError;
use super::token::{Tokens, parse_number};
use muslin::math::{Quat, Vec3};

/// Most joints of a file.
const MOST_JOINTS: usize = 1000;
/// Most channels of a joint.
const MOST_CHANNELS: usize = 12;

/// What a number of a frame does to a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Moves it along x, y or z.
    Position(usize),
    /// Turns it about x, y or z.
    Rotation(usize),
}

/// A joint of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileJoint {
    /// Name; empty for an end site.
    pub name: String,
    /// Place in the list of joints.
    pub parent: Option<usize>,
    /// Place relative to the parent, in the file's unit.
    pub offset: Vec3,
    /// What its numbers mean.
    pub channels: Vec<Channel>,
    first_channel: usize,
}

/// A BVH file.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    /// Joints, parents before children; end sites are joints without a name.
    pub(super) joints: Vec<FileJoint>,
    channel_count: usize,
    /// Time of a frame \[s\].
    pub(super) frame_time: f64,
    frames: Vec<f64>,
}

/// Where the joints of a frame are.
pub struct FileFrame {
    /// Rotations relative to the rest pose.
    pub rotations: Vec<Quat>,
    /// Places, in the file's unit.
    pub positions: Vec<Vec3>,
}

impl Bvh {
    /// Reads a file's bytes; what is not UTF-8 in names is replaced.
    pub fn parse(bytes: &[u8]) -> Result<Self, BvhError> {
        let text = String::from_utf8_lossy(bytes);
        let mut tokens = Tokens::new(text.trim_start_matches('\u{feff}'));
        tokens.keyword("HIERARCHY")?;
        let (joints, channel_count) = hierarchy(&mut tokens)?;
        tokens.keyword("Frames:")?;
        let announced = tokens.count()?;
        let announced_line = tokens.line();
        if announced == 0 {
            return Err(BvhError::NoFrames { line: announced_line });
        }
        tokens.keyword("Frame")?;
        tokens.keyword("Time:")?;
        let frame_time = tokens.number()?;
        if frame_time <= 0.0 {
            return Err(BvhError::FrameTime { line: tokens.line(), value: frame_time });
        }
        let frames = frames(&tokens, channel_count)?;
        let found = frames.len() / channel_count;
        if found != announced {
            return Err(BvhError::FrameCount { line: announced_line, expected: announced, found });
        }
        Ok(Self { joints, channel_count, frame_time, frames })
    }

    /// How many frames there are; at least one.
    pub fn frame_count(&self) -> usize {
        self.frames.len() / self.channel_count
    }

    /// Time from the first to the last frame \[s\].
    pub fn duration(&self) -> f64 {
        (self.frame_count() - 1) as f64 * self.frame_time
    }

    /// Names of all joints.
    pub fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.joints.iter().map(|j| j.name.as_str()).filter(|name| !name.is_empty())
    }

    /// Whether the first frame is a pose struck on purpose before the motion, as in the CMU files:
    /// the root is turned by exactly nothing, and there are more frames.
    pub(super) fn starts_with_reference(&self) -> bool {
        let Some(root) = self.joints.first() else { return false };
        let turns = |row: usize| {
            let first = row * self.channel_count + root.first_channel;
            let values = root.channels.iter().zip(&self.frames[first..]);
            values.filter(|(c, _)| matches!(c, Channel::Rotation(_))).any(|(_, v)| *v != 0.0)
        };
        self.frame_count() > 1 && !turns(0) && turns(1)
    }

    /// Where the joints are in the rest pose.
    pub(super) fn rest(&self) -> Vec<Vec3> {
        let mut places: Vec<Vec3> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let parent = joint.parent.map_or(Vec3::ZERO, |p| places[p]);
            places.push(parent + joint.offset);
        }
        places
    }

    /// Where the joints are in a frame. Channels are applied in their order: the first turns last.
    pub(super) fn frame(&self, frame: usize) -> FileFrame {
        let row = &self.frames[frame * self.channel_count..(frame + 1) * self.channel_count];
        let mut placed = FileFrame { rotations: Vec::new(), positions: Vec::new() };
        for joint in &self.joints {
            let (mut rotation, mut moved, mut shift) = (Quat::IDENTITY, false, Vec3::ZERO);
            for (channel, value) in joint.channels.iter().zip(&row[joint.first_channel..]) {
                match *channel {
                    Channel::Position(axis) => {
                        moved = true;
                        shift[axis] = *value;
                    }
                    Channel::Rotation(axis) => {
                        let angle = value.to_radians();
                        rotation *= Quat::from_axis_angle(Vec3::AXES[axis], angle);
                    }
                }
            }
            // Where a joint has a position it stands instead of the offset.
            let offset = if moved { shift } else { joint.offset };
            let (parent_rotation, parent_place) = match joint.parent {
                Some(p) => (placed.rotations[p], placed.positions[p]),
                None => (Quat::IDENTITY, Vec3::ZERO),
            };
            placed.rotations.push((parent_rotation * rotation).normalize());
            placed.positions.push(parent_place + parent_rotation * offset);
        }
        placed
    }
}

/// Reads joints up to and with the word MOTION.
fn hierarchy(tokens: &mut Tokens<'_>) -> Result<(Vec<FileJoint>, usize), BvhError> {
    let mut joints: Vec<FileJoint> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut channel_count = 0;
    loop {
        let word = tokens.word("ROOT, JOINT, End Site, OFFSET, CHANNELS, } or MOTION")?;
        let lower = word.to_ascii_lowercase();
        match (lower.as_str(), open.last().copied()) {
            ("root" | "joint" | "end", parent) => {
                if joints.len() >= MOST_JOINTS {
                    let line = tokens.line();
                    return Err(BvhError::TooMany { line, what: "joints", most: MOST_JOINTS });
                }
                let rest = tokens.rest_of_line();
                // Some writers put the brace on the same line.
                let (rest, brace) = match rest.strip_suffix('{') {
                    Some(rest) => (rest.trim(), true),
                    None => (rest, false),
                };
                let name = if lower == "end" { "" } else { rest };
                if !name.is_empty() && joints.iter().any(|j| j.name == name) {
                    return Err(BvhError::SameName { line: tokens.line(), name: name.to_owned() });
                }
                if !brace {
                    tokens.keyword("{")?;
                }
                open.push(joints.len());
                joints.push(FileJoint {
                    name: name.to_owned(),
                    parent,
                    offset: Vec3::ZERO,
                    channels: Vec::new(),
                    first_channel: channel_count,
                });
            }
            ("offset", Some(joint)) => {
                let offset = [tokens.number()?, tokens.number()?, tokens.number()?];
                joints[joint].offset = Vec3::from(offset);
            }
            ("channels", Some(joint)) => {
                joints[joint].channels = channels(tokens)?;
                joints[joint].first_channel = channel_count;
                channel_count += joints[joint].channels.len();
            }
            ("}", Some(_)) => {
                open.pop();
            }
            ("motion", None) if !joints.is_empty() && channel_count > 0 => {
                return Ok((joints, channel_count));
            }
            _ => {
                return Err(
                    tokens.unexpected("a joint's part, a joint, or MOTION after all joints", word)
                );
            }
        }
    }
}

fn channels(tokens: &mut Tokens<'_>) -> Result<Vec<Channel>, BvhError> {
    let count = tokens.count()?;
    if count > MOST_CHANNELS {
        let line = tokens.line();
        return Err(BvhError::TooMany { line, what: "channels of a joint", most: MOST_CHANNELS });
    }
    let read = |_: usize| {
        let word = tokens.word("a channel")?;
        Ok(match word.to_ascii_lowercase().as_str() {
            "xposition" => Channel::Position(0),
            "yposition" => Channel::Position(1),
            "zposition" => Channel::Position(2),
            "xrotation" => Channel::Rotation(0),
            "yrotation" => Channel::Rotation(1),
            "zrotation" => Channel::Rotation(2),
            _ => return Err(tokens.unexpected("a channel such as Xrotation", word)),
        })
    };
    (0..count).map(read).collect()
}

/// The numbers of all frames, one line each.
fn frames(tokens: &Tokens<'_>, channel_count: usize) -> Result<Vec<f64>, BvhError> {
    let mut numbers = Vec::new();
    for (line, text) in tokens.following_lines() {
        let before = numbers.len();
        for word in text.split_whitespace() {
            numbers.push(parse_number(word, line)?);
        }
        let found = numbers.len() - before;
        if found != channel_count {
            return Err(BvhError::ChannelCount { line, expected: channel_count, found });
        }
    }
    Ok(numbers)
}
