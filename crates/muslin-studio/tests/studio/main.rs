//! The studio from outside: raw sockets against its doors, and a real browser on its page.

mod browser;
mod chromium;
mod client;
mod doors;
mod figures;
mod scenes;
mod watching;
