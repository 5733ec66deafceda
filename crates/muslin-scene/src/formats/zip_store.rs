//! Zip archives whose entries are stored as they are (method 0): what `.npz` files are. The same
//! content gives the same bytes: entries carry a fixed date.

use super::{ReadError, WriteProblem};
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

/// `TABLES[k][b]`: the checksum of byte `b` followed by `k` zero bytes.
const TABLES: [[u32; 256]; 8] = checksum_tables();

const fn checksum_tables() -> [[u32; 256]; 8] {
    /// The polynomial of CRC-32, lowest power first.
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let mut remainder = i as u32;
        let mut bit = 0;
        while bit < 8 {
            remainder = (remainder >> 1) ^ if remainder & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        tables[0][i] = remainder;
        i += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut i = 0;
        while i < 256 {
            let shorter = tables[k - 1][i];
            tables[k][i] = (shorter >> 8) ^ tables[0][(shorter & 0xff) as usize];
            i += 1;
        }
        k += 1;
    }
    tables
}

/// CRC-32 (IEEE 802.3), eight bytes at a time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Crc32(u32);

impl Crc32 {
    pub(super) fn of(bytes: &[u8]) -> u32 {
        let mut crc = Self::default();
        crc.update(bytes);
        crc.0
    }

    fn update(&mut self, bytes: &[u8]) {
        let mut state = !self.0;
        let mut eights = bytes.chunks_exact(8);
        for eight in &mut eights {
            let head = state ^ u32::from_le_bytes([eight[0], eight[1], eight[2], eight[3]]);
            let [a, b, c, d] = head.to_le_bytes();
            let block = [a, b, c, d, eight[4], eight[5], eight[6], eight[7]];
            state = (0..8).fold(0, |sum, k| sum ^ TABLES[7 - k][block[k] as usize]);
        }
        for &byte in eights.remainder() {
            state = (state >> 8) ^ TABLES[0][((state ^ byte as u32) & 0xff) as usize];
        }
        self.0 = !state;
    }
}

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
    Ok([entry.checksum.0.to_le_bytes(), size, size].concat())
}

/// The entries of an archive in order, every checksum and size verified.
pub(super) fn read<'a>(bytes: &'a [u8], file: &str) -> Result<Vec<(String, &'a [u8])>, ReadError> {
    Archive { bytes, file }.entries()
}

struct Archive<'a, 'f> {
    bytes: &'a [u8],
    file: &'f str,
}

impl<'a> Archive<'a, '_> {
    fn fail<T>(&self, offset: usize, problem: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError::byte(self.file, offset, problem))
    }

    fn slice(&self, at: usize, length: usize, what: &str) -> Result<&'a [u8], ReadError> {
        let end = at.checked_add(length);
        match end.and_then(|end| self.bytes.get(at..end)) {
            Some(slice) => Ok(slice),
            None => self.fail(at, format!("the file ends before its {what}: copy it again")),
        }
    }

    fn entries(&self) -> Result<Vec<(String, &'a [u8])>, ReadError> {
        let end = self.end_record()?;
        let tail = self.slice(end, END_BYTES, "end record")?;
        let count = u16_at(tail, 10) as usize;
        let mut at = u32_at(tail, 16);
        let mut entries = Vec::new();
        // Entries that overlap would let a small file claim any amount of memory.
        let mut room = self.bytes.len();
        for _ in 0..count {
            let header = self.slice(at, CENTRAL_BYTES, "directory")?;
            if u32_at(header, 0) != CENTRAL_SIGNATURE as usize {
                return self.fail(at, "a directory entry was expected here: copy the file again");
            }
            let name_bytes = self.slice(at + CENTRAL_BYTES, u16_at(header, 28), "entry name")?;
            let name = String::from_utf8_lossy(name_bytes).into_owned();
            let content = self.content(header, at, &name)?;
            match room.checked_sub(content.len()) {
                Some(left) => room = left,
                None => return self.fail(at, "entries overlap, which no writer does"),
            }
            entries.push((name, content));
            at += CENTRAL_BYTES + u16_at(header, 28) + u16_at(header, 30) + u16_at(header, 32);
        }
        Ok(entries)
    }

    /// The end record is at the end, before a comment of at most 65,535 bytes.
    fn end_record(&self) -> Result<usize, ReadError> {
        let Some(last) = self.bytes.len().checked_sub(END_BYTES) else {
            return Err(ReadError::file(self.file, "too short for a zip archive: copy it again"));
        };
        let first = last.saturating_sub(u16::MAX as usize);
        let signature = END_SIGNATURE.to_le_bytes();
        let found = (first..=last).rev().find(|&at| self.bytes[at..].starts_with(&signature));
        let problem = "no zip directory at the end: the file is cut off or not an archive";
        found.ok_or_else(|| ReadError::file(self.file, problem))
    }

    fn content(&self, header: &[u8], at: usize, name: &str) -> Result<&'a [u8], ReadError> {
        let method = u16_at(header, 10);
        if method != 0 {
            let problem = format!(
                "`{name}` is compressed (method {method}), but only stored arrays can be read: \
                 save it with numpy.savez instead of savez_compressed"
            );
            return self.fail(at, problem);
        }
        let (size, stored) = (u32_at(header, 24), u32_at(header, 20));
        if size != stored || size == u32::MAX as usize {
            let problem = format!("`{name}` has sizes that do not agree or need zip64: split it");
            return self.fail(at, problem);
        }
        let local_at = u32_at(header, 42);
        let local = self.slice(local_at, LOCAL_BYTES, "entry header")?;
        if u32_at(local, 0) != LOCAL_SIGNATURE as usize {
            return self.fail(local_at, format!("the header of `{name}` was expected here"));
        }
        let local_size = u32_at(local, 22);
        // A writer that kept room for 64-bit sizes says so with all ones.
        if local_size != size && local_size != u32::MAX as usize {
            let problem = format!("`{name}` is {local_size} bytes here, {size} in the directory");
            return self.fail(local_at, problem);
        }
        let start = local_at + LOCAL_BYTES + u16_at(local, 26) + u16_at(local, 28);
        let content = self.slice(start, size, "content")?;
        let (found, expected) = (Crc32::of(content), u32_at(header, 16) as u32);
        if found != expected {
            let problem = format!(
                "the checksum of `{name}` is {found:08x} instead of {expected:08x}: \
                 the file is damaged"
            );
            return self.fail(start, problem);
        }
        Ok(content)
    }
}

/// A 16-bit number of a header whose length was checked.
fn u16_at(bytes: &[u8], at: usize) -> usize {
    u16::from_le_bytes([bytes[at], bytes[at + 1]]) as usize
}

/// A 32-bit number of a header whose length was checked.
fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}

#[cfg(test)]
mod tests {
    use super::Crc32;

    #[test]
    fn checksum_matches_the_published_check_value() {
        assert_eq!(Crc32::of(b"123456789"), 0xcbf4_3926);
        assert_eq!(Crc32::of(b"The quick brown fox jumps over the lazy dog"), 0x414f_a339);
        assert_eq!(Crc32::of(b""), 0);
    }

    #[test]
    fn checksum_does_not_depend_on_where_the_bytes_are_cut() {
        let bytes: Vec<u8> = (0..100_u8).collect();
        for cut in 0..bytes.len() {
            let mut crc = Crc32::default();
            crc.update(&bytes[..cut]);
            crc.update(&bytes[cut..]);
            assert_eq!(crc.0, Crc32::of(&bytes));
        }
    }
}
