//! A look at the nesting of TOML text before anything recursive touches it (R7).

/// How deep tables and lists may nest, dotted keys included.
pub(super) const MAX_DEPTH: usize = 64;

/// Where the text nests deeper than [`MAX_DEPTH`], if it does: the byte.
///
/// Counts brackets, and the dots of keys, outside strings and comments.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    let (mut depth, mut dots, mut header) = (0, 0, 0);
    let mut line_is_blank = true;
    let mut in_header = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at = line_end(bytes, at),
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                line_is_blank = false;
                continue;
            }
            b'\n' => {
                if in_header {
                    header = dots;
                    in_header = false;
                    open.clear();
                    depth = 0;
                }
                dots = 0;
                line_is_blank = true;
                at += 1;
                continue;
            }
            b'[' | b'{' => {
                if line_is_blank && open.is_empty() {
                    in_header = true;
                    header = 0;
                }
                open.push(1 + dots);
                depth += 1 + dots;
                dots = 0;
            }
            b']' | b'}' => depth -= open.pop().unwrap_or(0),
            b',' => dots = 0,
            b'.' => dots += 1,
            _ => {}
        }
        if depth + dots + header > MAX_DEPTH {
            return Some(at.min(bytes.len().saturating_sub(1)));
        }
        line_is_blank &= bytes.get(at).is_some_and(|b| *b == b' ' || *b == b'\t');
        // A comment stops at the end of its line, which still has to be seen.
        at += usize::from(bytes.get(at) != Some(&b'\n'));
    }
    None
}

/// The byte that ends the line of `at`, or the end of the text. A carriage return counts: the
/// parser leaves comments and strings there, so this must too.
fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|b| is_line_end(*b)).map_or(bytes.len(), |i| at + i)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The byte after the string that starts at `at`; strings of one line end with their line.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let is_long = bytes.get(at..at + 3) == Some(&[quote; 3]);
    let mut i = at + if is_long { 3 } else { 1 };
    while i < bytes.len() {
        match bytes[i] {
            b if is_line_end(b) && !is_long => return i,
            b'\\' if quote == b'"' => {
                let line_goes_on = bytes.get(i + 1).is_some_and(|b| !is_line_end(*b));
                i += usize::from(is_long || line_goes_on);
            }
            b if b == quote && !is_long => return i + 1,
            b if b == quote && bytes.get(i..i + 3) == Some(&[quote; 3]) => return i + 3,
            _ => {}
        }
        i += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_through_brackets_headers_and_dots() {
        let shallow = "a = [[1.5, 2.5], [3.5, 4.5]]\n[x.y.z]\nb.c = { d = '[[[[' } # [[[[\n";
        assert_eq!(too_deep(shallow), None);
        assert_eq!(too_deep(&format!("a = {}", "[".repeat(64))), None);
        assert_eq!(too_deep(&format!("a = {}", "[".repeat(65))), Some(4 + 64));
        assert_eq!(too_deep(&format!("a{} = 1", ".a".repeat(64))), None);
        assert_eq!(too_deep(&format!("a{} = 1", ".a".repeat(65))), Some(2 * 64 + 1));
        let split = format!("[a{}]\nb{} = [1]", ".a".repeat(30), ".b".repeat(40));
        assert!(too_deep(&split).is_some());
        let text = format!("a = \"{}\"", "[".repeat(1000));
        assert_eq!(too_deep(&text), None);
        assert!(too_deep(&format!("#\r{}", "[".repeat(65))).is_some());
    }

    #[test]
    fn long_lists_of_numbers_are_not_deep() {
        let numbers = vec!["[0.25, 1.75]"; 1000].join(", ");
        assert_eq!(too_deep(&format!("keys = [{numbers}]\nvalues = [\n  {numbers}\n]")), None);
    }

    #[test]
    fn strings_end_where_toml_ends_them() {
        for (text, end) in [
            ("\"a\" [", 3),
            ("'a\\' [", 4),
            ("\"a\\\"b\" [", 6),
            ("\"\"\"a\"b\"\"\" [", 9),
            ("\"open\n[", 5),
            ("\"open\\\n[", 6),
            ("'open\r[", 5),
            ("''", 2),
        ] {
            assert_eq!(string_end(text.as_bytes(), 0), end, "{text}");
        }
    }
}
