//! SHA-256 (FIPS 180-4): names a scene's text and fingerprints a run's result.

/// Bytes in one message block.
const BLOCK: usize = 64;

/// Initial hash value (§5.3.3): fractional parts of the square roots of the first 8 primes.
const INITIAL: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// Round constants K (§4.2.2): fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const ROUND: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// A SHA-256 sum in progress: bytes may come in pieces of any length.
#[derive(Debug, Clone)]
pub struct Sha256 {
    state: [u32; 8],
    /// Bytes that do not fill a block yet: the first `length % 64` of them count.
    pending: [u8; BLOCK],
    /// Bytes taken so far.
    length: u64,
}

impl Default for Sha256 {
    fn default() -> Self {
        Self { state: INITIAL, pending: [0; BLOCK], length: 0 }
    }
}

impl Sha256 {
    /// Takes the next bytes of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        let filled = (self.length % BLOCK as u64) as usize;
        self.length += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(BLOCK - filled));
        self.pending[filled..filled + head.len()].copy_from_slice(head);
        if filled + head.len() < BLOCK {
            return;
        }
        compress(&mut self.state, &self.pending);
        let (blocks, tail) = rest.as_chunks::<BLOCK>();
        for block in blocks {
            compress(&mut self.state, block);
        }
        self.pending[..tail.len()].copy_from_slice(tail);
    }

    /// The sum of everything taken, as 64 lower-case hexadecimal digits.
    pub fn finish(self) -> String {
        self.words().map(|word| format!("{word:08x}")).concat()
    }

    /// The first 16 bytes of the sum of everything taken.
    pub fn finish_short(self) -> [u8; 16] {
        let [a, b, c, d, ..] = self.words();
        [a, b, c, d].map(u32::to_be_bytes).as_flattened().try_into().unwrap_or_default()
    }

    /// The sum of everything taken, from its first word on.
    fn words(mut self) -> [u32; 8] {
        // §5.1.1: a one bit, zeros, and the length in bits, to the end of a block.
        let bits = self.length.wrapping_mul(8);
        let filled = (self.length % BLOCK as u64) as usize;
        let padding = if filled < 56 { 56 - filled } else { BLOCK + 56 - filled };
        let mut end = [0; BLOCK + 8];
        end[0] = 0x80;
        end[padding..padding + 8].copy_from_slice(&bits.to_be_bytes());
        self.update(&end[..padding + 8]);
        self.state
    }
}

/// The SHA-256 of `bytes`, as 64 lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut sum = Sha256::default();
    sum.update(bytes);
    sum.finish()
}

/// Works one block into the hash value (§6.2.2); `a..h` are `v[0]..v[7]`, `w` the message schedule.
fn compress(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    let mut w = [0u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ (w[t - 15] >> 3);
        let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1);
    }
    let mut v = *state;
    for t in 0..64 {
        let [a, b, c, d, e, f, g, h] = v;
        let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 =
            h.wrapping_add(sum1).wrapping_add(choice).wrapping_add(ROUND[t]).wrapping_add(w[t]);
        let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        v = [t1.wrapping_add(sum0).wrapping_add(majority), a, b, c, d.wrapping_add(t1), e, f, g];
    }
    for (word, change) in state.iter_mut().zip(v) {
        *word = word.wrapping_add(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of FIPS 180-4's examples (NIST): empty, one block, two blocks, a million letters.
    #[test]
    fn agrees_with_the_standards_vectors() {
        let cases: [(&[u8], &str); 3] = [
            (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ];
        for (message, sum) in cases {
            assert_eq!(sha256_hex(message), sum);
        }
        assert_eq!(
            sha256_hex(&vec![b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }

    /// Pieces of any length give the sum of the whole, across every block boundary.
    #[test]
    fn pieces_make_no_difference() {
        let message: Vec<u8> = (0..300u32).map(|i| (i * 7 + i / 13) as u8).collect();
        for length in 0..message.len() {
            let whole = sha256_hex(&message[..length]);
            for piece in [1, 3, 55, 56, 63, 64, 65, 130] {
                let mut sum = Sha256::default();
                for bytes in message[..length].chunks(piece) {
                    sum.update(bytes);
                }
                assert_eq!(sum.finish(), whole, "length {length} in pieces of {piece}");
            }
        }
    }
}
