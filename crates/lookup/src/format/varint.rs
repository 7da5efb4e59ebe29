//! Numbers in base 128, the lowest digit first; all digits but the last have
//! the top bit set.

/// The most digits that are read: numbers have 28 bits.
const DIGITS: u32 = 4;

/// Appends a number.
pub(crate) fn write(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number from the bytes that `next` gives; `too_long` names the error
/// of one that does not end, from what its first digits say.
pub(crate) fn read<E>(
    mut next: impl FnMut() -> Result<u8, E>,
    too_long: impl FnOnce(usize) -> E,
) -> Result<usize, E> {
    let mut number = 0;
    for place in 0..DIGITS {
        let digit = next()?;
        number |= usize::from(digit & 127) << (7 * place);
        if digit < 128 {
            return Ok(number);
        }
    }
    Err(too_long(number))
}
