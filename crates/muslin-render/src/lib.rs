//! A CPU renderer for cloth: camera, soft light, shadows, PNG and movies; no driver needed.
