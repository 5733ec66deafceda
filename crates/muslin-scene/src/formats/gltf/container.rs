//! What surrounds glTF's JSON: the binary container, and buffers inside, beside or written out as
//! text.

use super::document::{Buffer, Document};
use crate::formats::ReadError;
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: &[u8; 4] = b"JSON";
const BINARY_CHUNK: &[u8; 4] = b"BIN\0";

/// Extensions that hide geometry from a reader that does not know them.
const HIDING: [&str; 4] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "EXT_mesh_gpu_instancing",
];

/// The JSON and the bytes of every buffer. `folder` is where external buffers lie.
pub(super) fn unpack(
    bytes: &[u8],
    file: &str,
    folder: &Path,
) -> Result<(Document, Vec<Vec<u8>>), ReadError> {
    let (json, binary) =
        if bytes.starts_with(MAGIC) { chunks(bytes, file)? } else { (bytes, None) };
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        ReadError::file(file, format!("this is not glTF ({error}): export it again"))
    })?;
    let required = &document.extensions_required;
    if let Some(name) = required.iter().find(|name| HIDING.contains(&name.as_str())) {
        let problem =
            format!("the geometry needs {name}: export without compression or instancing");
        return Err(ReadError::file(file, problem));
    }
    let mut buffers = Vec::new();
    for (index, buffer) in document.buffers.iter().enumerate() {
        let content = match &buffer.uri {
            None => binary.filter(|_| index == 0).map(<[u8]>::to_vec).ok_or_else(|| {
                let problem = format!("buffer {index} has no `uri` and is not in the file");
                ReadError::file(file, problem)
            })?,
            Some(uri) => fetch(uri, buffer, (index, file), folder)?,
        };
        if content.len() < buffer.byte_length {
            let problem = format!(
                "buffer {index} has {} bytes, but {} were promised: copy or export it again",
                content.len(),
                buffer.byte_length
            );
            return Err(ReadError::file(file, problem));
        }
        buffers.push(content);
    }
    Ok((document, buffers))
}

/// The JSON chunk and the binary chunk of a `.glb`.
fn chunks<'a>(bytes: &'a [u8], file: &str) -> Result<(&'a [u8], Option<&'a [u8]>), ReadError> {
    let number = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
        four.map(u32::from_le_bytes).ok_or_else(|| {
            ReadError::byte(file, at, "the file ends in its header: copy or export it again")
        })
    };
    let version = number(4)?;
    if version != 2 {
        let problem = format!("version {version} of glTF is not known, only 2 is");
        return Err(ReadError::byte(file, 4, problem));
    }
    let mut found: [Option<&[u8]>; 2] = [None, None];
    let mut at = 12;
    while at + 8 <= bytes.len() {
        let length = number(at)? as usize;
        let kind = &bytes[at + 4..at + 8];
        let content = bytes.get(at + 8..(at + 8).saturating_add(length)).ok_or_else(|| {
            let problem = format!(
                "a chunk of {length} bytes, but only {} are left: copy or export the file again",
                bytes.len() - at - 8
            );
            ReadError::byte(file, at, problem)
        })?;
        for (slot, name) in found.iter_mut().zip([JSON_CHUNK, BINARY_CHUNK]) {
            if kind == name && slot.is_none() {
                *slot = Some(content);
            }
        }
        at += 8 + length;
    }
    match found {
        [Some(json), binary] => Ok((json, binary)),
        [None, _] => Err(ReadError::byte(file, 12, "there is no JSON chunk: export it again")),
    }
}

/// The bytes that a `uri` stands for.
fn fetch(
    uri: &str,
    buffer: &Buffer,
    (index, file): (usize, &str),
    folder: &Path,
) -> Result<Vec<u8>, ReadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
        return encoded.and_then(base64).ok_or_else(|| {
            ReadError::file(file, format!("buffer {index} is not base64 data: export it again"))
        });
    }
    if uri.contains("://") {
        let problem = format!("buffer {index} is at {uri}: save it beside the file");
        return Err(ReadError::file(file, problem));
    }
    let path: PathBuf = folder.join(percent_decoded(uri));
    let name = path.display().to_string();
    let fail = |source| ReadError::Io { file: name.clone(), source };
    let opened = fs::File::open(&path).map_err(fail)?;
    let about = opened.metadata().map_err(fail)?;
    let (found, wanted) = (about.len(), buffer.byte_length as u64);
    if !about.is_file() || found < wanted {
        let problem = format!("{found} bytes, but {file} needs {wanted}: copy or export it again");
        return Err(ReadError::file(&name, problem));
    }
    let mut content = Vec::new();
    opened.take(wanted).read_to_end(&mut content).map_err(fail)?;
    Ok(content)
}

/// Decodes base64 with or without padding; `None` where a character is none of it.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for &digit in group {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        let [_, bytes @ ..] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        match group.len() {
            1 => return None,
            length => out.extend(&bytes[..length - 1]),
        }
    }
    Some(out)
}

/// `%20` and its like as the characters they stand for.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|two| std::str::from_utf8(two).ok());
        if let Some(byte) = code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn base64_as_the_standard_says() {
        let cases = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (encoded, plain) in cases {
            assert_eq!(base64(encoded).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(base64("Zm9v!"), None);
        assert_eq!(base64("Zm9vY"), None);
        assert_eq!(percent_decoded("a%20b%C3%A4%zz%4"), "a bä%zz%4");
    }
}
