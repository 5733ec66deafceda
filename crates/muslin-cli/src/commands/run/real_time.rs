//! What real-time dynamics did in a run, and what its bounded passes left undone.

use crate::text::{count, number, percent};
use serde_json::{Map, Value, json};

/// Numbers that are added up over the frames.
const SUMS: [&str; 8] = [
    "contacts",
    "contacts_left",
    "contacts_dropped",
    "body_contacts",
    "inside",
    "edges_inside",
    "corners_inside",
    "zones",
];

/// Numbers of which the largest counts.
const LARGEST: [&str; 5] = ["substeps", "width_excess", "deepest", "rod_error", "displaced"];

/// The whole run, from the reports of its frames; `Null` for other dynamics.
pub fn summary(frames: &[Value]) -> Value {
    let reports: Vec<&Value> = frames.iter().filter_map(|f| f.get("real_time")).collect();
    if reports.is_empty() {
        return Value::Null;
    }
    let mut object = Map::new();
    for key in SUMS {
        let sum: u64 = reports.iter().filter_map(|report| report[key].as_u64()).sum();
        object.insert(key.to_owned(), json!(sum));
    }
    for key in LARGEST {
        let largest = reports.iter().filter_map(|report| report[key].as_f64()).fold(0.0, f64::max);
        object.insert(key.to_owned(), json!(largest));
    }
    Value::Object(object)
}

/// The summary in one line; `None` for other dynamics.
pub fn in_words(summary: &Value) -> Option<String> {
    summary.as_object()?;
    let whole = |key: &str| count(summary[key].as_u64().unwrap_or(0));
    let real = |key: &str| summary[key].as_f64().unwrap_or(0.0);
    Some(format!(
        "  real time: {} steps a frame, {} contacts ({} left), {} with bodies ({} vertices, {} edges and \
         {} corners left inside, at most {} mm deep), width excess at most {}, rods wrong by at most {}",
        number(real("substeps")),
        whole("contacts"),
        whole("contacts_left"),
        whole("body_contacts"),
        whole("inside"),
        whole("edges_inside"),
        whole("corners_inside"),
        number(1e3 * real("deepest")),
        percent(real("width_excess")),
        percent(real("rod_error")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_the_deepest_counts() {
        let frame = |left: u64, deepest: f64| json!({ "real_time": { "contacts_left": left, "deepest": deepest, "substeps": 2 } });
        let all = summary(&[json!({}), frame(2, 0.001), frame(3, 0.0005)]);
        assert_eq!(all["contacts_left"], 5);
        assert_eq!((all["deepest"].as_f64(), all["substeps"].as_f64()), (Some(0.001), Some(2.0)));
        let words = in_words(&all).unwrap();
        assert!(words.contains("(5 left)") && words.contains("at most 1 mm deep"), "{words}");
        assert_eq!(summary(&[json!({})]), Value::Null);
        assert_eq!(in_words(&Value::Null), None);
    }
}
