//! What the Python package `muslin` is made of: scenes, simulations and caches as Python sees them.
//!
//! The package's Python files check shapes and types and give names and documentation; here is what
//! needs the engine. No code here is unsafe; what the macros of pyo3 generate is their own affair.

mod arrays;
mod cache;
mod commands;
mod fault;
mod given;
mod scene;
mod simulation;
mod watch;

use pyo3::prelude::*;

/// The native half of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<scene::Spec>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<cache::Cache>()?;
    module.add_function(wrap_pyfunction!(scene::load, module)?)?;
    module.add_function(wrap_pyfunction!(scene::parse, module)?)?;
    module.add_function(wrap_pyfunction!(scene::toml_of, module)?)?;
    module.add_function(wrap_pyfunction!(commands::ask, module)?)?;
    module.add_function(wrap_pyfunction!(commands::main, module)?)?;
    module.add_function(wrap_pyfunction!(commands::draw, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
