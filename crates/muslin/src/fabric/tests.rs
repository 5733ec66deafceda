use super::{Fabric, FabricError, Relaxation, Source, UnitMistake, UnknownFabric, lab, library};

/// The page the tests below hold to the library.
const PAGE: &str = include_str!("../../../../docs/fabrics.md");

#[test]
fn every_fabric_is_valid_and_within_its_published_ranges() {
    for entry in library() {
        let (fabric, published) = (&entry.fabric, &entry.published);
        fabric.validate().unwrap();
        let values = [
            (published.density, fabric.density),
            (published.thickness, fabric.thickness),
            (published.stretch, fabric.stretch[0]),
            (published.stretch, fabric.stretch[1]),
            (published.shear, fabric.shear),
            (published.bending, fabric.bending[0]),
            (published.bending, fabric.bending[1]),
            (published.friction, fabric.friction_static),
            (published.friction, fabric.friction_kinetic),
        ];
        for (range, value) in values {
            assert!(range.contains(value), "{}: {value} outside {range:?}", entry.name);
        }
    }
}

#[test]
fn weight_over_thickness_is_a_plausible_bulk_density() {
    // Loft lowers it to 100 kg/m³, and no fibre packs beyond 1200.
    for entry in library() {
        let bulk = entry.fabric.density / entry.fabric.thickness;
        assert!((100.0..=1200.0).contains(&bulk), "{}: {bulk} kg/m³", entry.name);
    }
}

#[test]
fn ranges_agree_with_the_numbers_their_sources_print() {
    let published =
        |name: &str| library().iter().find(|entry| entry.name == name).unwrap().published.clone();
    let near = |range: super::Range, low: f64, high: f64| {
        let off = ((range.low - low) / low).abs().max(((range.high - high) / high).abs());
        assert!(off < 0.01, "{range:?} against {low} to {high}");
    };
    near(published("organza").density, 4.0 * lab::MOMME, 6.0 * lab::MOMME);
    near(published("chiffon").density, 6.0 * lab::MOMME, 8.0 * lab::MOMME);
    near(published("silk charmeuse").density, 12.0 * lab::MOMME, 30.0 * lab::MOMME);
    let denim = published("denim");
    near(denim.stretch, lab::KES_TENSION / 0.05735, lab::KES_TENSION / 0.04695);
    near(denim.shear, 1.500 * lab::KES_SHEAR, 3.398 * lab::KES_SHEAR);
    let ripstop = published("ripstop nylon");
    let ounce = lab::OUNCE_PER_SQUARE_YARD;
    near(ripstop.density, 1.10 * ounce, 1.60 * ounce);
    near(ripstop.thickness, 0.003 * 0.0254, 0.004 * 0.0254);
    let felt = published("felt");
    near(felt.density, 0.95 * 16.0 * ounce, 1.05 * 16.0 * ounce);
    near(felt.thickness, 0.050 * 0.0254, 0.075 * 0.0254);
}

#[test]
fn damping_of_the_library_is_the_standard_relaxation_time_times_stiffness() {
    for Fabric { stretch, shear, bending, stretch_damping, shear_damping, bend_damping, .. } in
        library().iter().map(|entry| entry.fabric.clone())
    {
        assert!((stretch_damping / (stretch[0] + stretch[1]) - 0.001).abs() < 1e-15);
        assert!((shear_damping / shear - 0.01).abs() < 1e-15);
        assert!((bend_damping / (bending[0] + bending[1]) - 0.005).abs() < 1e-15);
    }
}

#[test]
fn relaxation_round_trips_and_survives_zero_stiffness() {
    let times = Relaxation { stretch: 0.25, shear: 0.5, bend: 2.0 };
    let fabric = Fabric { shear: 0.0, ..library()[0].fabric.clone() }.with_relaxation(times);
    assert_eq!(fabric.shear_damping, 0.0);
    let back = fabric.relaxation();
    assert!((back.stretch - 0.25).abs() < 1e-15 && (back.bend - 2.0).abs() < 1e-14);
    assert_eq!(back.shear, 0.0);
}

#[test]
fn bending_length_inverts_peirce() {
    let fabric = Fabric {
        density: 0.2,
        bending: [0.2 * 9.80665 * 8e-6, 0.0],
        ..library()[0].fabric.clone()
    };
    let [warp, weft] = fabric.bending_length();
    assert!((warp - 0.02).abs() < 1e-15);
    assert_eq!(weft, 0.0);
}

#[test]
fn names_are_found_however_they_are_written() {
    for entry in library() {
        let shouted = entry.name.to_uppercase();
        for written in
            [entry.name, &shouted, &shouted.replace(' ', "_"), &entry.name.replace(' ', "-")]
        {
            assert_eq!(Fabric::named(written), Ok(entry.fabric.clone()), "{written}");
        }
    }
    assert_eq!(Fabric::named(" Cotton__Poplin "), Fabric::named("cottonpoplin"));
}

#[test]
fn names_differ_and_there_are_sixteen_at_least() {
    let mut names: Vec<_> = library().iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), library().len());
    assert!(names.len() >= 16);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let suggested = |name: &str| Fabric::named(name).unwrap_err().did_you_mean;
    assert_eq!(suggested("demin"), Some("denim"));
    assert_eq!(suggested("denin"), Some("denim"));
    assert_eq!(suggested("coton poplim"), Some("cotton poplin"));
    assert_eq!(suggested("poplin"), Some("cotton poplin"));
    assert_eq!(suggested("steel"), None);
    assert_eq!(suggested(""), None);
    assert_eq!(suggested("-_ "), None);
}

#[test]
fn an_unknown_name_reads_as_one_sentence() {
    let message = |name: &str| Fabric::named(name).unwrap_err().to_string();
    assert_eq!(message("velvt"), "no fabric is called \"velvt\": did you mean \"velvet\"?");
    assert!(message("steel").ends_with("leather, felt"), "{}", message("steel"));
    let long = Fabric::named(&"é".repeat(100_000)).unwrap_err();
    assert_eq!(long.name.chars().count(), UnknownFabric::LONGEST_NAME);
}

/// The error of a muslin with one number changed.
fn refused(change: impl FnOnce(&mut Fabric)) -> FabricError {
    let mut fabric = Fabric::named("muslin").unwrap();
    change(&mut fabric);
    fabric.validate().unwrap_err()
}

#[test]
fn a_wrong_unit_is_named() {
    let cases: [(FabricError, &str, &str, f64); 8] = [
        (refused(|f| f.density = 145.0), "density", "g/m²", 0.145),
        (refused(|f| f.density = 11.0), "density", "oz/yd²", 11.0 * 0.028349523125 / 0.83612736),
        (refused(|f| f.thickness = 0.32), "thickness", "mm", 0.32e-3),
        (refused(|f| f.thickness = 320.0), "thickness", "µm", 0.32e-3),
        (refused(|f| f.stretch[1] = 0.9), "stretch[1]", "kN/m", 900.0),
        (refused(|f| f.bending[0] = 0.08), "bending[0]", "gf·cm²/cm", 0.08 * 9.80665e-5),
        (refused(|f| f.bending[1] = 8.0), "bending[1]", "µN·m", 8e-6),
        (refused(|f| f.strain_limit = 10.0), "strain_limit", "percent", 0.1),
    ];
    for (error, expected_key, unit, expected) in cases {
        let FabricError::OutOfRange { key, mistake: Some(UnitMistake { seems, instead }), .. } =
            &error
        else {
            panic!("{error:?}");
        };
        assert_eq!((*key, *seems), (expected_key, unit));
        assert!((instead / expected - 1.0).abs() < 1e-12, "{error}");
    }
}

#[test]
fn only_the_limits_may_be_infinite() {
    let muslin = Fabric::named("muslin").unwrap();
    let free =
        Fabric { strain_limit: f64::INFINITY, compression_limit: f64::INFINITY, ..muslin.clone() };
    assert_eq!(free.validate(), Ok(()));
    let error = refused(|f| f.shear = f64::INFINITY);
    assert!(matches!(error, FabricError::NotFinite { key: "shear", .. }));
    let error = refused(|f| f.strain_limit = f64::NEG_INFINITY);
    assert!(matches!(error, FabricError::NotFinite { key: "strain_limit", .. }));
}

#[test]
fn messages_of_refusal_read_as_one_sentence() {
    assert_eq!(
        refused(|f| f.density = 145.0).to_string(),
        "fabric density = 145 kg/m² is outside 0.001 to 10 kg/m²: \
         the value looks like g/m², so write 0.145"
    );
    assert_eq!(
        refused(|f| f.shear = -1.0).to_string(),
        "fabric shear = -1 N/m is outside 0 to 10000000 N/m: check the value and its unit"
    );
    assert_eq!(
        refused(|f| f.bend_damping = f64::NAN).to_string(),
        "fabric bend_damping is NaN: write a finite number of N·m·s"
    );
    assert_eq!(
        refused(|f| f.friction_kinetic = 0.7).to_string(),
        "fabric friction_kinetic = 0.7 is above friction_static = 0.5: \
         lower the kinetic value or raise the static one"
    );
}

#[test]
fn every_field_is_checked() {
    let spoil: [fn(&mut Fabric); 14] = [
        |f| f.density = -1.0,
        |f| f.thickness = -1.0,
        |f| f.stretch[0] = -1.0,
        |f| f.stretch[1] = -1.0,
        |f| f.shear = -1.0,
        |f| f.bending[0] = -1.0,
        |f| f.bending[1] = -1.0,
        |f| f.stretch_damping = -1.0,
        |f| f.shear_damping = -1.0,
        |f| f.bend_damping = -1.0,
        |f| f.friction_static = -1.0,
        |f| f.friction_kinetic = -1.0,
        |f| f.strain_limit = -1.0,
        |f| f.compression_limit = -1.0,
    ];
    let keys = [
        "density",
        "thickness",
        "stretch[0]",
        "stretch[1]",
        "shear",
        "bending[0]",
        "bending[1]",
        "stretch_damping",
        "shear_damping",
        "bend_damping",
        "friction_static",
        "friction_kinetic",
        "strain_limit",
        "compression_limit",
    ];
    for (change, expected) in spoil.into_iter().zip(keys) {
        let FabricError::OutOfRange { key, .. } = refused(change) else { panic!("{expected}") };
        assert_eq!(key, expected);
    }
}

/// A number without the tail of binary rounding.
fn short(value: f64) -> String {
    format!("{}", (value * 1e4).round() / 1e4)
}

/// The rows the page must hold for one fabric: values, then ranges with their sources' letters.
fn page_rows(entry: &super::Entry) -> [String; 2] {
    let (f, p) = (&entry.fabric, &entry.published);
    let pair = |[u, v]: [f64; 2], unit: f64| format!("{} / {}", short(u / unit), short(v / unit));
    let span = |range: super::Range, unit: f64| {
        let (low, high) = (short(range.low / unit), short(range.high / unit));
        format!("{low}–{high} {}", range.source.letter())
    };
    let values = [
        short(f.density / 1e-3),
        short(f.thickness / 1e-3),
        pair(f.stretch, 1.0),
        short(f.shear),
        pair(f.bending, 1e-6),
        pair([f.friction_static, f.friction_kinetic], 1.0),
        short(f.strain_limit),
    ];
    let ranges = [
        span(p.density, 1e-3),
        span(p.thickness, 1e-3),
        span(p.stretch, 1.0),
        span(p.shear, 1.0),
        span(p.bending, 1e-6),
        span(p.friction, 1.0),
    ];
    [values.join(" | "), ranges.join(" | ")].map(|cells| format!("| {} | {cells} |", entry.name))
}

#[test]
fn the_page_shows_every_fabric_with_its_values_ranges_and_sources() {
    for entry in library() {
        for row in page_rows(entry) {
            assert!(PAGE.contains(&row), "docs/fabrics.md lacks the row\n{row}");
        }
        let described = format!("- **{}**: {}.", entry.name, entry.description);
        assert!(PAGE.contains(&described), "docs/fabrics.md lacks\n{described}");
    }
    for source in Source::ALL {
        let line = format!("| {} | {} |", source.letter(), source.citation());
        assert!(PAGE.contains(&line), "docs/fabrics.md lacks\n{line}");
    }
}

#[test]
fn every_source_is_used_and_has_its_own_letter() {
    let used = |source: Source| {
        library().iter().any(|entry| {
            let p = &entry.published;
            [p.density, p.thickness, p.stretch, p.shear, p.bending, p.friction]
                .iter()
                .any(|range| range.source == source)
        })
    };
    for (i, source) in Source::ALL.into_iter().enumerate() {
        assert!(used(source), "{source:?}");
        assert!(Source::ALL[..i].iter().all(|other| other.letter() != source.letter()));
    }
}
