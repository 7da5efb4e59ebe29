// @ts-check
// The engine: bytes in, JSON out.

/**
 * @typedef {{ ask(what: string, text?: string): any, addLevel(bytes: Uint8Array): void, memory(): number }} Engine
 */

/**
 * An engine of a compiled module.
 * @param {WebAssembly.Module} module
 * @returns {Promise<Engine>}
 */
export async function engine(module) {
  const instance = await WebAssembly.instantiate(module, {});
  const exports = /** @type {any} */ (instance.exports);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  /** @param {Uint8Array} bytes */
  const give = (bytes) => {
    const at = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  };
  return {
    ask(what, text = "") {
      const bytes = encoder.encode(`${what}\n${text}`);
      const at = exports.ask(give(bytes), bytes.length);
      return JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, at, exports.length())));
    },
    addLevel(bytes) {
      exports.add_level(give(bytes), bytes.length);
    },
    memory: () => exports.memory.buffer.byteLength,
  };
}
