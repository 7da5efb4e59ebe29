//! Deals and strains in the form that all versions of DDS take.

use std::ffi::c_char;

use setrograde_cards::Deal;

/// A deal's PBN in DDS's buffer, which ends in zero bytes.
pub fn pbn(deal: &Deal) -> [c_char; 80] {
    let mut text = [0; 80];
    for (slot, byte) in text.iter_mut().zip(deal.to_string().bytes()) {
        *slot = byte as c_char;
    }
    text
}
