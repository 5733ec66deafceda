//! The checksum of zip archives.

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

    /// The checksum of all bytes so far.
    pub(super) fn value(self) -> u32 {
        self.0
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
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
