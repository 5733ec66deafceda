//! The secret in the link.

use std::fmt;
use std::hint::black_box;

/// Bytes of randomness: 192 bits.
const BYTES: usize = 24;

/// A secret that only the person with the printed link knows.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new secret from the operating system's randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))))
    }

    /// The secret as it stands in the link.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `guess` is the secret. Takes the same time for every guess of the right length.
    pub fn matches(&self, guess: &str) -> bool {
        let (own, guess) = (self.0.as_bytes(), guess.as_bytes());
        if own.len() != guess.len() {
            return false;
        }
        let different = own.iter().zip(guess).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
        different == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_secret_matches() {
        let token = Token::random().unwrap();
        let text = token.as_str().to_owned();
        assert_eq!(text.len(), 48);
        assert!(token.matches(&text));
        for k in 0..text.len() {
            let mut wrong = text.clone().into_bytes();
            wrong[k] ^= 1;
            assert!(!token.matches(&String::from_utf8(wrong).unwrap()), "byte {k}");
            assert!(!token.matches(&text[..k]));
        }
        assert!(!token.matches(&format!("{text}0")));
        assert!(!Token::random().unwrap().matches(&text), "each studio has its own");
    }
}
