use super::*;
use crate::{Color, Image};
use std::fs;
use std::path::Path;

/// An empty folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("muslin-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn gradient(width: u32, height: u32) -> Image {
    let pixels =
        (0..width * height).flat_map(|i| [i as u8, (i / width) as u8, (i * 7 % 251) as u8]);
    Image::from_pixels(width, height, pixels.collect()).unwrap()
}

/// A white square on black, `x` from the left.
fn square_at(x: i64) -> Image {
    let mut image = Image::new(40, 24, Color::BLACK);
    image.fill_rectangle((x, 8), (6, 6), Color::WHITE);
    image
}

#[test]
fn png_files_decode_to_the_same_pixels_and_leave_nothing_else() {
    let folder = Folder::new("png");
    let image = gradient(37, 19);
    image.write_png(&folder.file("a.png")).unwrap();
    let decoded = Image::decode_png(&fs::read(folder.file("a.png")).unwrap()).unwrap();
    assert_eq!(decoded, image);
    assert_eq!(folder.names(), ["a.png"]);
    let missing = folder.file("no/such/folder.png");
    let message = image.write_png(&missing).unwrap_err().to_string();
    assert!(
        message.contains("folder.png") && message.contains("check that"),
        "{message}"
    );
    assert_eq!(folder.names(), ["a.png"]);
}

#[test]
fn damaged_png_bytes_are_errors() {
    let bytes = gradient(16, 16).encode_png().unwrap();
    for length in 0..bytes.len() - 12 {
        assert!(
            Image::decode_png(&bytes[..length]).is_err(),
            "cut at {length}"
        );
    }
    for position in 8..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[position] ^= 0x55;
        // Any answer but a panic; a checksum is there to make most of them errors.
        let _ = Image::decode_png(&damaged);
    }
}

/// Plays a GIF: the full picture after every frame, and the frames' delays.
fn play(bytes: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let width = usize::from(decoder.width());
    let mut canvas = vec![[9; 3]; width * usize::from(decoder.height())];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, p) in frame
            .buffer
            .chunks(4)
            .enumerate()
            .filter(|(_, p)| p[3] == 255)
        {
            let x = i % usize::from(frame.width) + usize::from(frame.left);
            let y = i / usize::from(frame.width) + usize::from(frame.top);
            canvas[y * width + x] = [p[0], p[1], p[2]];
        }
        shown.push((canvas.clone(), frame.delay));
    }
    shown
}

#[test]
fn a_gif_plays_the_frames_it_was_given() {
    let folder = Folder::new("gif");
    let path = folder.file("a.gif");
    let mut writer = GifWriter::create(&path, 24.0).unwrap();
    let frames: Vec<Image> = [0, 0, 5, 11, 30].map(square_at).into();
    for frame in &frames {
        writer.push(frame).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(folder.names(), ["a.gif"]);
    let shown = play(&fs::read(&path).unwrap());
    assert_eq!(shown.len(), frames.len());
    for (frame, (canvas, _)) in frames.iter().zip(&shown) {
        for (expected, pixel) in frame.pixels().chunks(3).zip(canvas) {
            // Black and white are within half a cell of the palette's grid.
            assert!((0..3).all(|i| expected[i].abs_diff(pixel[i]) <= 2));
        }
    }
    // 5/24 s is 20.83 hundredths; rounding happens once, on the clock.
    assert_eq!(shown.iter().map(|(_, delay)| delay).sum::<u16>(), 21);
}

#[test]
fn a_gif_faster_than_viewers_keeps_its_speed_by_leaving_frames_out() {
    let folder = Folder::new("fast-gif");
    let mut writer = GifWriter::create(&folder.file("a.gif"), 100.0).unwrap();
    for x in 0..10 {
        writer.push(&square_at(x)).unwrap();
    }
    writer.finish().unwrap();
    let shown = play(&fs::read(folder.file("a.gif")).unwrap());
    assert_eq!(shown.len(), 5);
    assert!(shown.iter().all(|(_, delay)| *delay == 2));
}

#[test]
fn wrong_movies_are_one_clear_sentence() {
    let path = Path::new("movie.gif");
    let mut writer = GifWriter::create(path, 24.0).unwrap();
    writer.push(&gradient(8, 8)).unwrap();
    let message = writer.push(&gradient(9, 8)).unwrap_err().to_string();
    assert!(
        message.contains("frame 1 of movie.gif is 9 x 8"),
        "{message}"
    );
    assert!(matches!(
        GifWriter::create(path, 0.0),
        Err(OutputError::FrameRate { .. })
    ));
    let empty = GifWriter::create(path, 24.0).unwrap().finish();
    assert!(matches!(empty, Err(OutputError::NoFrames { .. })));
    assert!(!path.exists());
}

#[test]
fn a_missing_ffmpeg_is_named_with_the_way_out() {
    let path = Path::new("movie.mp4");
    let error = Mp4Writer::create_with("muslin-test-no-such-program", path, (8, 8), 24.0);
    let message = error.unwrap_err().to_string();
    assert!(
        message.contains("movie.mp4") && message.contains("not on the PATH"),
        "{message}"
    );
    assert!(message.contains(".gif instead"), "{message}");
}

/// A stand-in for ffmpeg: a script that runs `body` with the output file as `$out`.
#[cfg(unix)]
fn fake_ffmpeg(folder: &Folder, body: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.file("ffmpeg");
    fs::write(&path, format!("#!/bin/sh\nfor out; do :; done\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn ffmpeg_gets_every_byte_and_the_movie_appears_at_the_end() {
    let folder = Folder::new("mp4");
    let program = fake_ffmpeg(&folder, "cat > \"$out\"");
    let path = folder.file("a.mp4");
    let mut writer = Mp4Writer::create_with(&program, &path, (40, 24), 30.0).unwrap();
    writer.push(&square_at(3)).unwrap();
    writer.push(&square_at(9)).unwrap();
    assert!(writer.push(&gradient(8, 8)).is_err());
    assert!(!path.exists());
    writer.finish().unwrap();
    let expected = [square_at(3).pixels(), square_at(9).pixels()].concat();
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(folder.names(), ["a.mp4", "ffmpeg"]);
}

#[cfg(unix)]
#[test]
fn a_failing_ffmpeg_gives_its_last_words_and_no_file() {
    let folder = Folder::new("bad-mp4");
    let body = "cat > \"$out\"\necho 'Unknown encoder libx264' >&2\nexit 1";
    let program = fake_ffmpeg(&folder, body);
    let path = folder.file("a.mp4");
    let mut writer = Mp4Writer::create_with(&program, &path, (40, 24), 30.0).unwrap();
    writer.push(&square_at(3)).unwrap();
    let message = writer.finish().unwrap_err().to_string();
    assert!(message.contains("Unknown encoder libx264"), "{message}");
    assert_eq!(folder.names(), ["ffmpeg"]);
}
