// @ts-check
// Unpacks the engine, which is packed by LZMA: its files are a quarter smaller than those of gzip, the only format that
// all browsers unpack. A file has a byte for `lc`, `lp` and `pb`, the size of the window (4 bytes), that of the text (8
// bytes), and the code of a range coder; nothing ends it but its size.

/** Probabilities of one half, in 2048 parts. @param {number} count */
const halves = (count) => new Uint16Array(count).fill(1024);

/** The lengths of matches: a choice of three trees. */
const lengths = () => ({ choice: halves(2), low: halves(16 << 3), middle: halves(16 << 3), high: halves(256) });

/** @param {Uint8Array} packed @returns {Uint8Array} */
export function unpackLzma(packed) {
  const size = new DataView(packed.buffer, packed.byteOffset, packed.length).getUint32(5, true);
  const text = new Uint8Array(size);
  const [lc, lp, pb] = [packed[0] % 9, Math.floor(packed[0] / 9) % 5, Math.floor(packed[0] / 45)];
  let [at, range, code, filled] = [18, 0xffffffff, 0, 0];
  for (let n = 14; n < 18; n += 1) code = ((code << 8) | packed[n]) >>> 0;

  /** @param {Uint16Array} odds @param {number} of */
  const bit = (odds, of) => {
    const bound = (range >>> 11) * odds[of];
    const one = code >= bound ? 1 : 0;
    if (one) {
      range -= bound;
      code -= bound;
      odds[of] -= odds[of] >>> 5;
    } else {
      range = bound;
      odds[of] += (2048 - odds[of]) >>> 5;
    }
    if (range < 0x1000000) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | packed[at]) >>> 0;
      at += 1;
    }
    return one;
  };
  /** Bits of a tree from its root. @param {Uint16Array} odds @param {number} first @param {number} count */
  const tree = (odds, first, count) => {
    let node = 1;
    for (let n = 0; n < count; n += 1) node = (node << 1) | bit(odds, first + node);
    return node - (1 << count);
  };
  /** The same, the lowest bit first. @param {Uint16Array} odds @param {number} first @param {number} count */
  const reversed = (odds, first, count) => {
    let [node, value] = [1, 0];
    for (let n = 0; n < count; n += 1) {
      const one = bit(odds, first + node);
      node = (node << 1) | one;
      value |= one << n;
    }
    return value;
  };
  /** Bits of even odds. @param {number} count */
  const direct = (count) => {
    let value = 0;
    for (let n = 0; n < count; n += 1) {
      range >>>= 1;
      const one = code >= range ? 1 : 0;
      if (one) code -= range;
      value = value * 2 + one;
      if (range < 0x1000000) {
        range = (range << 8) >>> 0;
        code = ((code << 8) | packed[at]) >>> 0;
        at += 1;
      }
    }
    return value;
  };
  /** @param {ReturnType<typeof lengths>} of @param {number} place */
  const length = (of, place) => {
    if (!bit(of.choice, 0)) return 2 + tree(of.low, place << 3, 3);
    if (!bit(of.choice, 1)) return 10 + tree(of.middle, place << 3, 3);
    return 18 + tree(of.high, 0, 8);
  };

  const literals = halves(0x300 << (lc + lp));
  const [isMatch, isRep, isRep0, isRep1, isRep2, isLong] = [192, 12, 12, 12, 12, 192].map(halves);
  const [slots, near, aligned] = [halves(4 << 6), halves(128), halves(16)];
  const [fresh, again] = [lengths(), lengths()];
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  let state = 0;
  while (filled < size) {
    const place = filled & ((1 << pb) - 1);
    if (!bit(isMatch, (state << 4) + place)) {
      const before = filled ? text[filled - 1] : 0;
      const base = 0x300 * (((filled & ((1 << lp) - 1)) << lc) + (before >>> (8 - lc)));
      let node = 1;
      if (state >= 7) {
        // After a match a literal differs from the byte that would continue it.
        let guess = text[filled - rep0 - 1];
        while (node < 0x100) {
          const guessed = guess >>> 7;
          guess = (guess << 1) & 0xff;
          const one = bit(literals, base + ((1 + guessed) << 8) + node);
          node = (node << 1) | one;
          if (one !== guessed) break;
        }
      }
      while (node < 0x100) node = (node << 1) | bit(literals, base + node);
      text[filled] = node;
      filled += 1;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let long;
    if (bit(isRep, state)) {
      if (!bit(isRep0, state)) {
        if (!bit(isLong, (state << 4) + place)) {
          text[filled] = text[filled - rep0 - 1];
          filled += 1;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else if (!bit(isRep1, state)) [rep0, rep1] = [rep1, rep0];
      else if (!bit(isRep2, state)) [rep0, rep1, rep2] = [rep2, rep0, rep1];
      else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
      long = length(again, place);
      state = state < 7 ? 8 : 11;
    } else {
      [rep1, rep2, rep3] = [rep0, rep1, rep2];
      long = length(fresh, place);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots, Math.min(long - 2, 3) << 6, 6);
      const bits = (slot >>> 1) - 1;
      if (slot < 4) rep0 = slot;
      else if (slot < 14) {
        rep0 = (2 | (slot & 1)) << bits;
        rep0 += reversed(near, rep0 - slot, bits);
      } else {
        rep0 = ((2 | (slot & 1)) * 2 ** (bits - 4) + direct(bits - 4)) * 16;
        rep0 += reversed(aligned, 0, 4);
      }
    }
    // A match may run into what it writes.
    for (let end = Math.min(filled + long, size); filled < end; filled += 1) text[filled] = text[filled - rep0 - 1];
  }
  return text;
}
