//! Ogawa, the container of Alembic: a tree of groups and data blocks that point at each other by their
//! place in the file. All numbers are little endian.
//!
//! A header of 16 bytes: `Ogawa`, `0xff` once the file is whole, the version as two bytes, the place of the
//! root group. A group: how many children it has and an entry for each. A data block: how many bytes follow,
//! and they. An entry: the place of the child, with the highest bit set for data.

use crate::formats::{WriteProblem, atomic::Writer};
use std::io::{Seek, SeekFrom, Write};

const HEADER_BYTES: u64 = 16;
const MAGIC: &[u8; 5] = b"Ogawa";
const WHOLE: u8 = 0xff;
const VERSION: [u8; 2] = [0, 1];
/// Marks entries that are data.
const IS_DATA: u64 = 1 << 63;

/// A group or a data block, as groups name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node(u64);

impl Node {
    /// A block without bytes, which takes no room.
    pub(super) const NO_DATA: Self = Self(IS_DATA);
    /// A group without children, which takes no room.
    pub(super) const NO_CHILDREN: Self = Self(0);
}

/// An Ogawa file being written, from its start to its end: children before the groups that hold them.
pub(super) struct Ogawa<'a> {
    out: &'a mut Writer,
    at: u64,
}

impl<'a> Ogawa<'a> {
    /// Leaves room for the header.
    pub(super) fn begin(out: &'a mut Writer) -> Result<Self, WriteProblem> {
        out.write_all(&[0; HEADER_BYTES as usize])?;
        Ok(Self { out, at: HEADER_BYTES })
    }

    /// Writes a data block made of several pieces.
    pub(super) fn data(&mut self, pieces: &[&[u8]]) -> Result<Node, WriteProblem> {
        let size: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
        if size == 0 {
            return Ok(Node::NO_DATA);
        }
        let node = Node(self.at | IS_DATA);
        self.write(&size.to_le_bytes())?;
        for piece in pieces {
            self.write(piece)?;
        }
        Ok(node)
    }

    /// Writes a group of children that have been written.
    pub(super) fn group(&mut self, children: &[Node]) -> Result<Node, WriteProblem> {
        if children.is_empty() {
            return Ok(Node::NO_CHILDREN);
        }
        let node = Node(self.at);
        self.write(&(children.len() as u64).to_le_bytes())?;
        for child in children {
            self.write(&child.0.to_le_bytes())?;
        }
        Ok(node)
    }

    /// Writes the header, now that everything else is there.
    pub(super) fn end(self, root: Node) -> Result<(), WriteProblem> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(MAGIC)?;
        self.out.write_all(&[WHOLE])?;
        self.out.write_all(&VERSION)?;
        self.out.write_all(&root.0.to_le_bytes())?;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteProblem> {
        self.at += bytes.len() as u64;
        Ok(self.out.write_all(bytes)?)
    }
}
