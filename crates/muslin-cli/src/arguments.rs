//! The words of the command line.

use crate::commands::{bench, check, dress, export, fabrics, finish, gallery, render, run, view};
use clap::{Parser, Subcommand};

/// Muslin, an open cloth simulator.
#[derive(Debug, Parser)]
#[command(
    name = "muslin",
    version,
    about = "Muslin, an open cloth simulator: cloth that never passes through itself",
    after_help = "Start here:
  muslin gallery                          what is built in
  muslin run @drape-sphere                simulate one of them, here
  muslin view @drape-sphere               the same in the browser, live
  muslin render drape-sphere.muslin -o drape.gif
  muslin export drape-sphere.muslin -o drape.usda

`muslin help COMMAND` explains a command.
Exit codes: 0 all that was asked is done, 1 `check` found problems, 2 error.",
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = false,
    max_term_width = 100
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print one JSON object on standard output when the command ends, errors included
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress, notes or summary
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scene into a cache, frame by frame
    Run(run::RunArguments),
    /// Sew and settle the garments of a scene, and save them as its start
    Dress(dress::DressArguments),
    /// List the scenes built into this program
    Gallery(gallery::GalleryArguments),
    /// Draw frames of a cache: PNG, numbered PNGs, GIF or MP4
    Render(render::RenderArguments),
    /// Write a cache as USD, PC2, MDD, OBJ, PLY or NPZ for other programs, or as an HTML player
    Export(export::ExportArguments),
    /// Smooth and clean the frames of a cache, or of another program's animation
    Finish(finish::FinishArguments),
    /// Watch, tug and tune a scene in the browser, or play a cache
    View(view::ViewArguments),
    /// Look for problems in a scene, a mesh or a cache
    Check(check::CheckArguments),
    /// List the fabrics, or make one from laboratory numbers
    Fabrics(fabrics::FabricsArguments),
    /// Measure how fast the benchmark scenes run here
    Bench(bench::BenchArguments),
    /// Print the JSON Schema of scene files, for editors
    #[command(after_help = "Save it and name it at the top of a scene file, and editors complete \
        and check the keys:
  muslin schema > muslin.schema.json
  #:schema ./muslin.schema.json")]
    Schema,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_hold_together() {
        Arguments::command().debug_assert();
    }
}
