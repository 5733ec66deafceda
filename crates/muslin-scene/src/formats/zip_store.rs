//! Zip archives whose entries are stored as they are (method 0): what `.npz` files are. The same
//! content gives the same bytes: entries carry a fixed date.

mod crc32;
mod read;

pub(super) use read::read;

use super::WriteProblem;
use crc32::Crc32;
use std::io::{Seek, SeekFrom, Write};

const LOCAL_SIGNATURE: u32 = 0x0403_4b50;
const CENTRAL_SIGNATURE: u32 = 0x0201_4b50;
const END_SIGNATURE: u32 = 0x0605_4b50;
const LOCAL_BYTES: usize = 30;
const CENTRAL_BYTES: usize = 46;
const END_BYTES: usize = 22;
/// Zip 2.0, the lowest version that archives of plain files ask for.
const VERSION: u16 = 20;
/// 1 January 1980, the first day zip can say.
const DATE: u16 = 0x0021;
/// Where a local header keeps the checksum and the two sizes.
const CHECKSUM_AT: u64 = 14;

struct Entry {
    name: String,
    header_at: u64,
    size: u64,
    checksum: Crc32,
}

/// Writes an archive, one entry after the other, without holding an entry in memory.
pub(super) struct ZipWriter<W> {
    out: W,
    /// Where in `out` the archive begins.
    base: u64,
    length: u64,
    entries: Vec<Entry>,
}

impl<W: Write + Seek> ZipWriter<W> {
    pub(super) fn new(mut out: W) -> Result<Self, WriteProblem> {
        let base = out.stream_position()?;
        Ok(Self { out, base, length: 0, entries: Vec::new() })
    }

    /// Begins an entry; [`Self::append`] and [`Self::end_entry`] follow.
    pub(super) fn begin_entry(&mut self, name: &str) -> Result<(), WriteProblem> {
        fits("the entry name", name.len() as u64, u16::MAX as u64)?;
        let checksum = Crc32::default();
        let entry = Entry { name: name.into(), header_at: self.length, size: 0, checksum };
        let mut header = LOCAL_SIGNATURE.to_le_bytes().to_vec();
        header.extend(common_fields(&entry)?);
        header.extend_from_slice(name.as_bytes());
        self.out.write_all(&header)?;
        self.length += header.len() as u64;
        self.entries.push(entry);
        Ok(())
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), WriteProblem> {
        if let Some(entry) = self.entries.last_mut() {
            self.out.write_all(bytes)?;
            entry.checksum.update(bytes);
            entry.size += bytes.len() as u64;
            self.length += bytes.len() as u64;
            fits("the archive", self.length, u32::MAX as u64)?;
        }
        Ok(())
    }

    /// Goes back to the entry's header, now that checksum and size are known.
    pub(super) fn end_entry(&mut self) -> Result<(), WriteProblem> {
        if let Some(entry) = self.entries.last() {
            let fields = checksum_fields(entry)?;
            self.out.seek(SeekFrom::Start(self.base + entry.header_at + CHECKSUM_AT))?;
            self.out.write_all(&fields)?;
            self.out.seek(SeekFrom::Start(self.base + self.length))?;
        }
        Ok(())
    }

    /// Writes the directory and hands the output back.
    pub(super) fn finish(mut self) -> Result<W, WriteProblem> {
        let mut directory = Vec::new();
        for entry in &self.entries {
            directory.extend(CENTRAL_SIGNATURE.to_le_bytes());
            directory.extend(VERSION.to_le_bytes());
            directory.extend(common_fields(entry)?);
            // Comment length, disk, internal attributes (2 bytes each), external ones (4).
            directory.extend([0; 10]);
            directory.extend((entry.header_at as u32).to_le_bytes());
            directory.extend_from_slice(entry.name.as_bytes());
        }
        fits("the number of arrays", self.entries.len() as u64, u16::MAX as u64 - 1)?;
        let count = (self.entries.len() as u16).to_le_bytes();
        fits("the archive", self.length + directory.len() as u64, u32::MAX as u64 - 1)?;
        let directory_bytes = (directory.len() as u32).to_le_bytes();
        directory.extend(END_SIGNATURE.to_le_bytes());
        directory.extend([0; 4]);
        directory.extend(count);
        directory.extend(count);
        directory.extend(directory_bytes);
        directory.extend((self.length as u32).to_le_bytes());
        directory.extend([0; 2]);
        self.out.write_all(&directory)?;
        Ok(self.out)
    }
}

fn fits(what: &str, size: u64, limit: u64) -> Result<(), WriteProblem> {
    let advice = "write fewer frames to each file";
    let too_large = || WriteProblem::TooLarge { what: what.into(), size, limit, advice };
    (size <= limit).then_some(()).ok_or_else(too_large)
}

/// What local and central headers share, from the version needed to the length of extra fields.
fn common_fields(entry: &Entry) -> Result<Vec<u8>, WriteProblem> {
    let mut fields = VERSION.to_le_bytes().to_vec();
    // Flags, method 0 (stored), time of day: all zero.
    fields.extend([0; 6]);
    fields.extend(DATE.to_le_bytes());
    fields.extend(checksum_fields(entry)?);
    fields.extend((entry.name.len() as u16).to_le_bytes());
    fields.extend([0; 2]);
    Ok(fields)
}

fn checksum_fields(entry: &Entry) -> Result<Vec<u8>, WriteProblem> {
    fits(&format!("the array {}", entry.name), entry.size, u32::MAX as u64 - 1)?;
    let size = (entry.size as u32).to_le_bytes();
    Ok([entry.checksum.value().to_le_bytes(), size, size].concat())
}
