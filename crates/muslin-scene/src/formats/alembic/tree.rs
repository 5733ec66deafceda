//! Objects and properties as Alembic keeps them in Ogawa.
//!
//! An object is a group: its properties, its children, and the headers of its children. A compound property
//! is a group: its properties and their headers. Any other property is a group of its samples. Names, types
//! and metadata stand in the headers, which the parent keeps.

use super::ogawa::{Node, Ogawa};
use crate::{cache::Sha256, formats::WriteProblem};

/// Bytes of the sum that goes before every sample, so that readers know equal ones.
pub(super) const KEY_BYTES: usize = 16;
/// The sampling of everything that the clip moves: see [`super::archive`].
const CLIP_SAMPLING: u32 = 1;
/// Metadata stands in the header itself, not in the archive's table.
const METADATA_HERE: u32 = 0xff;

/// The type of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pod {
    /// 32 bits without a sign.
    U32 = 5,
    /// 32 bits with a sign.
    I32 = 6,
    /// Single precision.
    F32 = 10,
    /// Double precision.
    F64 = 11,
}

/// A sample in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    node: Node,
    key: [u8; KEY_BYTES],
}

impl Sample {
    /// Writes the bytes of a sample.
    pub(super) fn write(out: &mut Ogawa, bytes: &[u8]) -> Result<Self, WriteProblem> {
        let mut sum = Sha256::default();
        sum.update(bytes);
        let key = sum.finish_short();
        Ok(Self { node: out.data(&[&key, bytes])?, key })
    }
}

/// What a property holds.
#[derive(Debug)]
pub(super) enum Content {
    /// Other properties.
    Compound(Vec<Property>),
    /// One item in every sample.
    Scalar(Vec<Sample>),
    /// Any number of items in every sample, the same in all.
    Array(Vec<Sample>),
}

/// A property.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: &'static str,
    /// `key=value`, joined by semicolons.
    pub(super) metadata: &'static str,
    /// Type of a number, and numbers in an item; of no meaning for compounds.
    pub(super) item: (Pod, u32),
    pub(super) content: Content,
}

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) metadata: &'static str,
    pub(super) properties: Vec<Property>,
    pub(super) children: Vec<Object>,
}

/// What was written, with a sum of it.
pub(super) struct Written {
    pub(super) node: Node,
    key: [u8; KEY_BYTES],
}

impl Property {
    /// A property that holds others.
    pub(super) fn compound(
        name: &'static str,
        metadata: &'static str,
        properties: Vec<Self>,
    ) -> Self {
        let content = Content::Compound(properties);
        Self { name, metadata, item: (Pod::I32, 1), content }
    }

    /// The header. The lowest bits say: compound, scalar or array (0 to 2); 32-bit counts follow (8); the
    /// type of a number (from bit 4); that there is a sampling (0x100); that samples are of one size (0x400);
    /// that all are the same (0x800); numbers in an item (from bit 12); where the metadata is (from bit 20).
    fn header(&self) -> Vec<u8> {
        let mut info = 8 | METADATA_HERE << 20;
        let mut counts = Vec::new();
        if let Content::Scalar(samples) | Content::Array(samples) = &self.content {
            let (pod, extent) = self.item;
            info |= if matches!(self.content, Content::Scalar(_)) { 1 } else { 2 };
            info |= (pod as u32) << 4 | 0x100 | 0x400 | extent << 12;
            if samples.len() == 1 {
                info |= 0x800;
            }
            counts = vec![samples.len() as u32, CLIP_SAMPLING];
        }
        let mut header = info.to_le_bytes().to_vec();
        header.extend(counts.into_iter().flat_map(u32::to_le_bytes));
        push_text(&mut header, self.name);
        push_text(&mut header, self.metadata);
        header
    }

    fn write(&self, out: &mut Ogawa) -> Result<Written, WriteProblem> {
        let (children, samples) = match &self.content {
            Content::Compound(properties) => return write_compound(out, properties),
            Content::Scalar(samples) => (samples.iter().map(|s| s.node).collect(), samples),
            Content::Array(samples) => {
                // The dimensions of a plain list follow from its size.
                let pairs = samples.iter().flat_map(|sample| [sample.node, Node::NO_DATA]);
                (pairs.collect::<Vec<Node>>(), samples)
            }
        };
        let key = summed(samples.iter().map(|sample| &sample.key[..]));
        Ok(Written { node: out.group(&children)?, key })
    }
}

fn write_compound(out: &mut Ogawa, properties: &[Property]) -> Result<Written, WriteProblem> {
    let written: Vec<Written> =
        properties.iter().map(|property| property.write(out)).collect::<Result<_, _>>()?;
    let headers: Vec<u8> = properties.iter().flat_map(Property::header).collect();
    let mut children: Vec<Node> = written.iter().map(|written| written.node).collect();
    if !headers.is_empty() {
        children.push(out.data(&[&headers])?);
    }
    let keys = written.iter().map(|written| &written.key[..]);
    let key = summed(keys.chain([&headers[..]]));
    Ok(Written { node: out.group(&children)?, key })
}

impl Object {
    /// Writes the object and everything below it.
    pub(super) fn write(&self, out: &mut Ogawa) -> Result<Written, WriteProblem> {
        let properties = write_compound(out, &self.properties)?;
        let mut children = vec![properties.node];
        let mut headers = Vec::new();
        let mut keys = Vec::new();
        for child in &self.children {
            let written = child.write(out)?;
            children.push(written.node);
            keys.push(written.key);
            push_text(&mut headers, &child.name);
            headers.push(METADATA_HERE as u8);
            push_text(&mut headers, child.metadata);
        }
        let below = summed(keys.iter().map(|key| &key[..]).chain([&headers[..]]));
        children.push(out.data(&[&headers, &properties.key, &below])?);
        let key = summed([&properties.key[..], &below[..]].into_iter());
        Ok(Written { node: out.group(&children)?, key })
    }
}

/// The length of a text, and the text.
fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn summed<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> [u8; KEY_BYTES] {
    let mut sum = Sha256::default();
    pieces.for_each(|piece| sum.update(piece));
    sum.finish_short()
}
