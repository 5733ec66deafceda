//! Reading an archive: the directory at its end, then each entry.

use super::{
    CENTRAL_BYTES, CENTRAL_SIGNATURE, END_BYTES, END_SIGNATURE, LOCAL_BYTES, LOCAL_SIGNATURE,
    crc32::Crc32,
};
use crate::formats::ReadError;

/// The entries of an archive in order, every checksum and size verified.
pub(in crate::formats) fn read<'a>(
    bytes: &'a [u8],
    file: &str,
) -> Result<Vec<(String, &'a [u8])>, ReadError> {
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
        let count = u16_at(tail, 10);
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
