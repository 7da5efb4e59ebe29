//! The native part of the Python package `setrograde`.
//!
//! `ask` answers questions in JSON, as all doors do; what works on arrays, streams or objects has
//! its own functions. Everything here takes and gives plain values; `setrograde/__init__.py` and
//! `setrograde/dds3.py` put the classes around them. No thread is alive between calls, and the
//! interpreter lock is released while anything is searched, read or built.

mod ask;
mod build;
mod database;
mod dds;
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
    use crate::ask::ask;
    #[pymodule_export]
    use crate::build::build;
    #[pymodule_export]
    use crate::database::{Database, in_use, usual_directory};
    #[pymodule_export]
    use crate::dds::{dds_analyse, dds_dealer_par, dds_par, dds_solve, dds_tables};
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
