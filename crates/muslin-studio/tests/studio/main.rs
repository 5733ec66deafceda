//! The studio from outside: raw sockets against its doors, and a real browser on its page.

#![expect(
    clippy::unwrap_used,
    reason = "functions of an integration test that are not tests themselves"
)]

mod browser;
mod browser_real_time;
mod browser_touch;
mod chromium;
mod client;
mod doors;
mod figures;
mod firefox;
mod played;
mod scenes;
mod tunnel;
mod watching;
