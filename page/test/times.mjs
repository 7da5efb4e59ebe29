// Times as they are printed.
const at = (times, part) => times.sort((a, b) => a - b)[Math.ceil(times.length * part) - 1].toFixed(1);
/** Prints the spread of times in ms. */
export const print = (what, times) =>
  console.log(
    `${what.padEnd(44)} p50 ${at(times, 0.5)}  p90 ${at(times, 0.9)}  p99 ${at(times, 0.99)}  max ${at(times, 1)} ms`
  );
