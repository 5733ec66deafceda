//! "Did you mean": the closest known name to a misspelt one.

/// Words people reach for first, and ours.
const SYNONYMS: [(&str, &str); 24] = [
    ("colour", "color"),
    ("mass", "density"),
    ("weight", "density"),
    ("mu", "friction"),
    ("dt", "max_step"),
    ("timestep", "max_step"),
    ("time_step", "max_step"),
    ("substeps", "steps_per_frame"),
    ("location", "position"),
    ("translation", "position"),
    ("translate", "position"),
    ("center", "position"),
    ("orientation", "rotation"),
    ("material", "fabric"),
    ("resolution", "vertices"),
    ("vertex", "vertices"),
    ("collider", "body"),
    ("obstacle", "body"),
    ("cube", "box"),
    ("floor", "plane"),
    ("ground", "plane"),
    ("framerate", "fps"),
    ("pins", "pin"),
    ("fixed", "pin"),
];

/// The known name closest to `name`, if one is close enough to be what was meant.
pub(crate) fn did_you_mean<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let synonym = SYNONYMS.iter().find(|(word, _)| *word == lower).map(|pair| pair.1);
    if let Some(&found) = known.iter().find(|&&k| Some(k) == synonym) {
        return Some(found);
    }
    let is_start = |k: &&&str| lower.len() >= 4 && k.starts_with(&lower);
    if let Some(&found) = known.iter().find(is_start) {
        return Some(found);
    }
    let close = |k: &&&str| distance(&lower, &k.to_lowercase());
    let best = known.iter().min_by_key(close)?;
    let allowed = (lower.chars().count().max(best.chars().count()) / 3).clamp(1, 3);
    let far = lower.chars().count() <= 1;
    (!far && close(&best) <= allowed).then_some(*best)
}

/// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 64;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let shifted = rows[i - 1][j].min(rows[i][j - 1]) + 1;
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let best = replaced.min(shifted);
                if swapped { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_swaps_and_synonyms_find_their_word() {
        let known = ["fabric", "friction", "position", "color"];
        assert_eq!(did_you_mean("fabirc", &known), Some("fabric"));
        assert_eq!(did_you_mean("Posotion", &known), Some("position"));
        assert_eq!(did_you_mean("colour", &known), Some("color"));
        assert_eq!(did_you_mean("mu", &known), Some("friction"));
        assert_eq!(did_you_mean("posi", &known), Some("position"));
        assert_eq!(did_you_mean("zebra", &known), None);
        assert_eq!(did_you_mean("fabric", &[]), None);
    }

    #[test]
    fn distance_counts_edits() {
        for (a, b, edits) in
            [("", "", 0), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3)]
        {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }
}
