//! The native part of the Python package `setrograde`.
//!
//! `Desk` answers questions in JSON; functions on arrays, streams or objects stand beside it.
//! Everything here takes and gives plain values; `setrograde/__init__.py` has the classes around
//! them. No thread is alive between calls, and the interpreter lock is released while anything is
//! searched, read or built.

mod ask;
mod build;
mod database;
mod deals;
mod input;
mod parallel;
mod players;
mod records;
mod solve;
mod views;

#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::ask::Desk;
    #[pymodule_export]
    use crate::build::build;
    #[pymodule_export]
    use crate::database::{Database, in_use, usual_directory};
    #[pymodule_export]
    use crate::deals::{deals, imps, score};
    #[pymodule_export]
    use crate::input::{deal_text, hand_text, holdings};
    #[pymodule_export]
    use crate::players::{choose, tournament};
    #[pymodule_export]
    use crate::records::{RecordReader, board_text};
    #[pymodule_export]
    use crate::solve::{
        KeptSolver, analyse_many, line, matter_many, matter_tables, par, par_scores, solve,
        solve_cards, solve_many, tables,
    };
    #[pymodule_export]
    use crate::views::{Layouts, View};
}
