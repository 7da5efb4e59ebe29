// @ts-check
// Elements as values, and the change of what is shown into them: what stays keeps its
// element, with its focus, its text under way and its press.

/**
 * @typedef {{ tag: string, key: string, properties: Properties, children: Piece[] }} Drawn
 * @typedef {Drawn | string} Piece
 * @typedef {Piece | number | boolean | null | undefined | Inside[]} Inside
 * @typedef {string | number | boolean | null | undefined | Record<string, string> | ((event: never) => unknown)} Property
 * @typedef {Record<string, Property>} Properties
 */

/** What each element was drawn from. @type {WeakMap<Node, Drawn>} */
const drawnFrom = new WeakMap();

/** What is told of an element, as its properties say, where the reader may have changed it. */
const LIVE = new Set(["selected", "checked"]);

/** @param {Inside[]} inside @param {Piece[]} [pieces] */
function flat(inside, pieces = []) {
  for (const one of inside) {
    if (Array.isArray(one)) flat(one, pieces);
    else if (typeof one === "number") pieces.push(String(one));
    else if (one && typeof one !== "boolean") pieces.push(one);
  }
  return pieces;
}

/**
 * An element. Properties that begin with `on` are listeners; those that are false or
 * undefined are left out; `data-key` tells it from its siblings.
 * @param {string} tag @param {Properties} [properties] @param {...Inside} inside
 * @returns {Drawn}
 */
export const h = (tag, properties = {}, ...inside) =>
  ({ tag, key: String(properties["data-key"] ?? ""), properties, children: flat(inside) });

/** @param {Element} element @param {string} name @param {Property} value @param {Property} before */
function set(element, name, value, before) {
  if (name.startsWith("on") || LIVE.has(name)) {
    if (Reflect.get(element, name) !== (value ?? null)) Reflect.set(element, name, value ?? null);
  } else if (value === before) return;
  else if (name === "value") Reflect.set(element, name, value);
  else if (name === "style" && element instanceof HTMLElement) Object.assign(element.style, value);
  else if (value === undefined || value === false || value === null) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** @param {Piece} piece @returns {Node} */
function made(piece) {
  if (typeof piece === "string") return document.createTextNode(piece);
  return become(document.createElement(piece.tag), piece);
}

/** Makes an element what is drawn. @param {Element} element @param {Drawn} drawn */
function become(element, drawn) {
  const before = drawnFrom.get(element);
  if (before === drawn) return element;
  drawnFrom.set(element, drawn);
  for (const name of Object.keys(before?.properties ?? {})) {
    if (!(name in drawn.properties)) set(element, name, undefined, before?.properties[name]);
  }
  patch(element, drawn.children);
  for (const [name, value] of Object.entries(drawn.properties)) set(element, name, value, before?.properties[name]);
  return element;
}

/** Makes what is inside an element what is drawn. @param {Element} parent @param {Inside[]} inside */
export function patch(parent, inside) {
  const pieces = flat(inside);
  const keyOf = (/** @type {Node} */ node) => drawnFrom.get(node)?.key ?? "";
  const wanted = new Set(pieces.map((piece) => (typeof piece === "string" ? "" : piece.key)));
  /** @type {Map<string, Node>} */
  const keyed = new Map();
  for (const node of parent.childNodes) if (keyOf(node)) keyed.set(keyOf(node), node);
  let at = parent.firstChild;
  const drop = () => {
    const next = at?.nextSibling ?? null;
    at?.remove();
    at = next;
  };
  for (const piece of pieces) {
    while (at && keyOf(at) && !wanted.has(keyOf(at))) drop();
    if (typeof piece === "string") {
      if (at instanceof Text) {
        if (at.data !== piece) at.data = piece;
        at = at.nextSibling;
      } else parent.insertBefore(made(piece), at);
      continue;
    }
    const same = piece.key ? keyed.get(piece.key) : at && !keyOf(at) ? at : undefined;
    if (same instanceof Element && drawnFrom.get(same)?.tag === piece.tag) {
      become(same, piece);
      if (same === at) at = at.nextSibling;
      else parent.insertBefore(same, at);
    } else parent.insertBefore(made(piece), at);
  }
  while (at) drop();
}
