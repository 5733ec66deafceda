//! Numbers in the words of a person: times, sizes, percentages, tables.

/// Seconds as `0.4 s`, `34 s`, `2:05 min` or `1:02:05 h`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..10 => format!("{:.1} s", seconds.max(0.0)),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60),
    }
}

/// Bytes as `12 kB`, `3.4 MB`, `1.2 GB`.
pub fn bytes(count: u64) -> String {
    let (mut value, mut unit) = (count as f64, "B");
    for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] {
        if value < 1000.0 {
            break;
        }
        (value, unit) = (value / 1000.0, larger);
    }
    if value >= 10.0 || unit == "B" {
        format!("{value:.0} {unit}")
    } else {
        format!("{value:.1} {unit}")
    }
}

/// A whole number with thin groups of three: `19 602`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A fraction in percent.
pub fn percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}

/// A number with four significant digits at most, in the shortest form.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if (1e-3..1e6).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

/// Rows in columns as wide as their widest entry, the first column and the last one flush left,
/// numbers between them flush right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            let left = column == 0 || column + 1 == columns;
            if left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `text` in lines of at most `width` characters, each after `indent` spaces.
pub fn wrap(text: &str, indent: usize, width: usize) -> String {
    let blank = " ".repeat(indent);
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines.iter().map(|line| format!("{blank}{line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_sizes_and_counts_read_like_a_person_writes_them() {
        assert_eq!(duration(0.42), "0.4 s");
        assert_eq!(duration(34.4), "34 s");
        assert_eq!(duration(125.0), "2:05 min");
        assert_eq!(duration(3725.0), "1:02:05 h");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(3_400_000), "3.4 MB");
        assert_eq!(bytes(120_000_000_000), "120 GB");
        assert_eq!(count(19602), "19 602");
        assert_eq!(count(7), "7");
        assert_eq!(number(0.00001234567), "1.235e-5");
        assert_eq!(number(1000.0), "1000");
        assert_eq!(number(0.15), "0.15");
    }

    #[test]
    fn tables_line_up_and_words_wrap() {
        let rows = [
            vec!["a".to_owned(), "1".to_owned(), "x".to_owned()],
            vec!["bcd".to_owned(), "23".to_owned(), "y".to_owned()],
        ];
        assert_eq!(table(&rows), "a     1  x\nbcd  23  y");
        assert_eq!(wrap("one two three", 2, 7), "  one two\n  three");
    }
}
