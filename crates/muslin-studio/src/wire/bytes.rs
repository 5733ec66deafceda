//! Whole numbers in few bytes: zigzag, variable length, runs of zeros.

/// Appends a number, seven bits a byte, lowest first; the top bit says that more follow.
pub fn push_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// 0, −1, 1, −2, … as 0, 1, 2, 3, …
pub fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

/// Appends numbers, most of which are small. A zero is followed by how many more zeros follow it.
pub fn push_small(out: &mut Vec<u8>, numbers: impl Iterator<Item = i32>) {
    let mut zeros = 0;
    for number in numbers {
        if number == 0 {
            zeros += 1;
            continue;
        }
        end_zeros(out, &mut zeros);
        push_varint(out, zigzag(number));
    }
    end_zeros(out, &mut zeros);
}

fn end_zeros(out: &mut Vec<u8>, zeros: &mut u32) {
    if *zeros > 0 {
        out.push(0);
        push_varint(out, *zeros - 1);
        *zeros = 0;
    }
}

/// Appends bytes as runs: a value, and how many more of it follow.
pub fn push_runs(out: &mut Vec<u8>, bytes: &[u8]) {
    for run in bytes.chunk_by(|a, b| a == b) {
        out.push(run[0]);
        push_varint(out, run.len() as u32 - 1);
    }
}

#[cfg(test)]
pub mod decode {
    //! The page's decoder in Rust, for round trips.

    pub fn varint(bytes: &mut &[u8]) -> u32 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (first, rest) = bytes.split_first().unwrap();
            *bytes = rest;
            number |= u32::from(first & 0x7f) << shift;
            shift += 7;
            if first & 0x80 == 0 {
                return number;
            }
        }
    }

    pub fn small(bytes: &mut &[u8], count: usize) -> Vec<i32> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            match varint(bytes) {
                0 => numbers.resize(numbers.len() + 1 + varint(bytes) as usize, 0),
                z => numbers.push((z >> 1) as i32 ^ -((z & 1) as i32)),
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_sizes_come_back() {
        let mut numbers: Vec<i32> = (-300..300).flat_map(|k| [k, 0, 0, k * k * k / 7]).collect();
        numbers.extend([0; 1000]);
        let mut out = Vec::new();
        push_small(&mut out, numbers.iter().copied());
        let mut rest = &out[..];
        assert_eq!(decode::small(&mut rest, numbers.len()), numbers);
        assert!(rest.is_empty());
    }

    #[test]
    fn a_thousand_zeros_take_three_bytes() {
        let mut out = Vec::new();
        push_small(&mut out, std::iter::repeat_n(0, 1000));
        assert_eq!(out.len(), 3);
    }

    #[test]
    fn runs_name_each_value_once() {
        let mut out = Vec::new();
        push_runs(&mut out, &[0, 0, 0, 5, 5, 1]);
        assert_eq!(out, [0, 2, 5, 1, 1, 0]);
    }
}
