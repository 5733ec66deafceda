//! `muslin view` and the player: the link, the warning, the file.

use crate::support::{DRAPE, command, json, says, scene};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

/// A running studio, ended when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Starts the studio and waits for its link.
fn start(folder: &Path, arguments: &str) -> (Running, String) {
    let mut child = command(folder, &format!("view {arguments} --no-open"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut link = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
    (Running(child), link.trim().to_owned())
}

/// The status line of a GET.
fn get(link: &str) -> String {
    let (host, path) = link.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn view_prints_a_link_that_opens_and_listens_to_this_machine_alone() {
    let folder = scene("view", DRAPE);
    let (_running, link) = start(&folder, "scene.toml --quiet");
    assert!(link.starts_with("http://127.0.0.1:"), "{link}");
    assert_eq!(get(&link), "HTTP/1.1 200 OK");
    let (root, _) = link.trim_end_matches('/').rsplit_once('/').unwrap();
    assert_eq!(get(&format!("{root}/")), "HTTP/1.1 403 Forbidden");
}

#[test]
fn an_address_for_others_is_warned_about() {
    let folder = scene("view-bind", DRAPE);
    let (mut running, link) = start(&folder, "scene.toml --bind 0.0.0.0 --quiet");
    assert_eq!(get(&link), "HTTP/1.1 200 OK");
    drop(running.0.kill());
    let mut warning = String::new();
    running.0.stderr.take().unwrap().read_to_string(&mut warning).unwrap();
    assert!(warning.starts_with("warning: the studio listens on 0.0.0.0"), "{warning}");
}

#[test]
fn what_can_not_be_shown_is_said() {
    let folder = scene("view-wrong", DRAPE);
    let (_, error) = says(&folder, "view nothing.toml", 2);
    assert!(error.contains("nothing.toml"), "{error}");
    let (_, error) = says(&folder, "view @nothing", 2);
    assert!(error.contains("@nothing"), "{error}");
    let (_, error) = says(&folder, "view scene.toml --set solver.tolerance=-1", 2);
    assert!(error.contains("tolerance"), "{error}");
}

#[test]
fn a_cache_becomes_a_player_and_can_be_viewed() {
    let folder = scene("player", DRAPE);
    says(&folder, "run scene.toml -o a.muslin --quiet", 0);
    let result = json(&folder, "export a.muslin -o a.html", 0);
    let html = fs::read_to_string(folder.join("a.html")).unwrap();
    assert_eq!(result["bytes"].as_u64(), Some(html.len() as u64));
    assert_eq!(result["frames"].as_u64(), Some(13));
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    let (_, error) = says(&folder, "export a.muslin -o a.html", 2);
    assert!(error.contains("--overwrite"), "{error}");
    let (_running, link) = start(&folder, "a.muslin");
    assert_eq!(get(&link), "HTTP/1.1 200 OK");
}
