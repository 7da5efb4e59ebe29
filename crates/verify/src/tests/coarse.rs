//! Coarse levels: intervals that hold pass, and others are found.

use std::error::Error;

use setrograde_endgame::diagram::{Bounds, Edge, Node};
use setrograde_lookup::format::level_header::{COARSE, Header};
use setrograde_lookup::{Database, Grain};

use super::rewrite::rewrite;
use super::{GO_ON, golden};
use crate::{Check, SilentCheck, Verify, VerifyError};

fn make_coarse(header: &mut Header) {
    header.payload = COARSE;
    header.grain = Grain::new(1_000);
}

/// Cuts a diagram below the children of its root: each node there becomes its bounds, as
/// `change` leaves them.
fn cut(nodes: &mut [Node], root: &mut Edge, change: &mut impl FnMut(&[Edge; 4], usize) -> Bounds) {
    if !root.is_node() {
        return;
    }
    let children = nodes[root.slot()].children;
    let mut cut = children;
    for (owner, child) in children.iter().enumerate() {
        if child.is_node() {
            cut[owner] = Edge::interval(change(&children, owner));
        }
    }
    match Edge::joined(cut) {
        Ok(edge) => *root = edge,
        Err(_) => nodes[root.slot()].children = cut,
    }
}

fn verify(directory: &std::path::Path) -> Result<Vec<(Check, u64)>, VerifyError> {
    let database = Database::open(directory).expect("it opens");
    let verify = Verify {
        sample: 300,
        exhaustive: true,
        levels: Some(2..=2),
        ..Verify::default()
    };
    let report = verify.run(&database, &SilentCheck, &GO_ON)?;
    let checks = report.checks.iter().filter(|check| check.cards == 8);
    Ok(checks.map(|check| (check.check, check.units)).collect())
}

#[test]
fn intervals_that_hold_pass() -> Result<(), Box<dyn Error>> {
    let directory = golden()?;
    let mut intervals = 0;
    rewrite(
        directory.path(),
        2,
        |_, _, nodes, root| {
            cut(nodes, root, &mut |children, owner| {
                intervals += 1;
                children[owner].bounds()
            });
        },
        make_coarse,
    )?;
    assert!(intervals > 1_000, "{intervals}");
    let checks = verify(directory.path())?;
    let expected = [
        (Check::Checksums, 9),
        (Check::Sets, 2_054),
        (Check::Sample, 300),
        (Check::Exhaustive, 87_921),
    ];
    assert_eq!(checks, expected);
    Ok(())
}

/// An interval, moved by one up or down; the bounds of the node above stay as they are.
#[test]
fn a_planted_interval_is_found() -> Result<(), Box<dyn Error>> {
    for low_end in [true, false] {
        let directory = golden()?;
        let mut planted = None;
        rewrite(
            directory.path(),
            2,
            |number, _, nodes, root| {
                cut(nodes, root, &mut |children, owner| {
                    let Bounds { lo, hi } = children[owner].bounds();
                    let others = (0..4).filter(|&other| other != owner);
                    let others: Bounds = others.map(|other| children[other].bounds()).collect();
                    let moved = if low_end {
                        Bounds {
                            lo: lo + 1,
                            hi: hi + 1,
                        }
                    } else {
                        Bounds {
                            lo: lo.wrapping_sub(1),
                            hi: hi - 1,
                        }
                    };
                    let fits =
                        hi - lo == 1 && others.contain(moved) && others.contain(Bounds { lo, hi });
                    if fits && planted.is_none() {
                        planted = Some(number);
                        moved
                    } else {
                        Bounds { lo, hi }
                    }
                });
            },
            make_coarse,
        )?;
        let planted = planted.ok_or("nowhere to plant it")?;
        match verify(directory.path()) {
            Err(VerifyError::WrongSet { partition, .. }) => {
                assert_eq!(partition.number, planted);
            }
            other => return Err(format!("{other:?}").into()),
        }
    }
    Ok(())
}
