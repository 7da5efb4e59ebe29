// @ts-check
// Elements as values, and the change of what is shown into them: what stays keeps its
// element, with its focus, its text under way and its press.

/**
 * @typedef {{ tag: string, key: string, properties: Properties, children: Piece[] }} Drawn
 * @typedef {Drawn | string} Piece
 * @typedef {Piece | number | boolean | null | undefined | Inside[]} Inside
 * @typedef {string | number | boolean | null | undefined} Plain
 * @typedef {Plain | Record<string, string> | ((event: never) => unknown)} Property
 * @typedef {{ onclick?: () => unknown, onchange?: (event: Event) => unknown, ontoggle?: (event: Event) => unknown,
 *             onkeydown?: (event: KeyboardEvent) => unknown, [name: string]: Property }} Properties
 */

/** The source of each drawn element. @type {WeakMap<Node, Drawn>} */
const drawnFrom = new WeakMap();

/** The state of an element, from its properties, where the reader may have changed it. */
const LIVE = new Set(["selected", "checked"]);

/** Marks of the direction of writing, and other characters that act on the text around them. */
const ACTS = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text in which these characters are shown, as `\u{202e}`. @param {string} text */
const shown = (text) => text.replace(ACTS, (mark) => `\\u{${mark.charCodeAt(0).toString(16)}}`);

/** @param {Inside[]} inside @param {Piece[]} [pieces] */
function flat(inside, pieces = []) {
  for (const one of inside) {
    if (Array.isArray(one)) flat(one, pieces);
    else if (typeof one === "number") pieces.push(String(one));
    else if (typeof one === "string" && one) pieces.push(shown(one));
    else if (one && typeof one !== "boolean") pieces.push(one);
  }
  return pieces;
}

/**
 * An element. Properties that begin with `on` are listeners; those that are false or
 * undefined are left out; `data-key` distinguishes it from its siblings.
 * @param {string} tag @param {Properties} [properties] @param {...Inside} inside
 * @returns {Drawn}
 */
export const h = (tag, properties = {}, ...inside) => ({
  tag,
  key: String(properties["data-key"] ?? ""),
  properties,
  children: flat(inside),
});

/** The listener of an element's property: what it was made for, and what listens. A browser takes `false` from a
 * property's listener for "prevent the usual": what is returned here is ignored.
 * @type {WeakMap<Function, (event: never) => void>} */
const listeners = new WeakMap();

/** @param {Property} value */
function listener(value) {
  if (typeof value !== "function") return null;
  const made = listeners.get(value) ?? ((/** @type {never} */ event) => {
    value(event);
  });
  listeners.set(value, made);
  return made;
}

/** @param {Element} element @param {string} name @param {Property} value @param {Property} before */
function set(element, name, value, before) {
  if (name.startsWith("on")) {
    const wanted = listener(value);
    if (Reflect.get(element, name) !== wanted) Reflect.set(element, name, wanted);
  } else if (LIVE.has(name)) {
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

/** Changes an element into the one drawn. @param {Element} element @param {Drawn} drawn */
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

/** @param {Node | null} node */
const keyOf = (node) => (node && drawnFrom.get(node)?.key) ?? "";

/** Changes the content of an element into the content drawn. @param {Element} parent @param {Inside[]} inside */
export function patch(parent, inside) {
  const pieces = flat(inside);
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

/** An element of the page that is always there. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** A button.
 * @param {string} key @param {Inside} text @param {(() => unknown) | undefined} press @param {Properties} [more] */
export const button = (key, text, press, more = {}) =>
  h("button", { type: "button", "data-key": key, onclick: press, ...more }, text);

/** A value, its text, and whether it cannot be chosen.
 * @typedef {[string | number, string | number, boolean?]} Option */

/** The text of a field that was changed. @param {Event} event */
function valueOf({ currentTarget: field }) {
  return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field.value : "";
}

/**
 * A list to choose from.
 * @param {string} key @param {Option[]} options @param {string | number | null} now
 * @param {(value: string) => unknown} take @param {Properties} [more]
 */
export const select = (key, options, now, take, more = {}) =>
  h("select", { "data-key": key, onchange: (event) => take(valueOf(event)), ...more },
    options.map(([value, text, off = false]) =>
      h("option", { value, selected: String(value) === String(now), disabled: off }, text)
    ));

/**
 * A list with its label.
 * @param {string} key @param {string} label @param {Option[]} options
 * @param {string | number | null} now @param {(value: string) => unknown} take @param {Properties} [more]
 */
export const choice = (key, label, options, now, take, more) =>
  h("label", { class: more?.class === "no-print" ? "choice no-print" : "choice" }, h("span", {}, label),
    select(key, options, now, take, more),
    onPaper(options.find(([value]) => String(value) === String(now))?.[1] ?? ""));

/** The value of a list or a field as text, which is printed instead of it: all of it, over several lines.
 * @param {string | number} text */
const onPaper = (text) => text !== "" && h("b", { class: "paper", "aria-hidden": "true" }, text);

/** A field with its label. @param {string} key @param {string} label @param {string} value
 * @param {(value: string) => unknown} take @param {Properties} [more] */
export const field = (key, label, value, take, more = {}) =>
  h("label", { class: "choice long" }, h("span", {}, label),
    h("input", {
      type: "text",
      "data-key": key,
      value,
      spellcheck: "false",
      onchange: (event) => take(valueOf(event).trim()),
      ...more,
    }), onPaper(value));

/** What is folded away, and whether it is open. @param {Event} event */
export const isOpen = ({ currentTarget: fold }) => fold instanceof HTMLDetailsElement && fold.open;

/** The heads of columns. @param {Inside[]} heads @param {(n: number) => string} [kind] */
export const headRow = (heads, kind) =>
  h("thead", {},
    h("tr", {},
      heads.map((head, n) => (head === null ? h("td", {}) : h("th", { scope: "col", class: kind?.(n) }, head)))));

/**
 * A table: its caption, the heads of its columns, and in each row a head and cells.
 * @param {Properties} properties @param {Inside} caption @param {Inside[] | null} heads @param {Inside[][]} rows
 */
export const table = (properties, caption, heads, rows) =>
  h("table", properties, caption ? h("caption", {}, caption) : null, heads && headRow(heads),
    h("tbody", {}, rows.map(([head, ...cells]) => row(head, cells))));

/** A row of a table. @param {Inside} head @param {Inside[]} cells @param {Properties} [properties] */
export const row = (head, cells, properties = {}) =>
  h("tr", properties, h("th", { scope: "row" }, head), cells.map((cell) => h("td", {}, cell)));

/** Text for those who do not see the page, and for all others. @param {string} text */
export const unseen = (text) => h("span", { class: "unseen" }, text);
/** @param {...Inside} inside */
export const seenOnly = (...inside) => h("span", { "aria-hidden": "true" }, ...inside);
/** A hint. @param {...Inside} inside */
export const hint = (...inside) => h("p", { class: "hint" }, ...inside);
/** Instructions, which are not printed. @param {...Inside} inside */
export const cue = (...inside) => h("p", { class: "hint no-print" }, ...inside);
/** The same within a line. @param {...Inside} inside */
export const seenCue = (...inside) => h("span", { class: "hint no-print" }, ...inside);
/** A paragraph of the result. @param {...Inside} inside */
export const remark = (...inside) => h("p", { class: "remark" }, ...inside);
/** The text instead of an answer. @param {...Inside} inside */
export const empty = (...inside) => h("div", { class: "empty" }, ...inside);
/** A view in two columns. @param {Inside} wide @param {Inside} side */
export const columns = (wide, side) =>
  h("div", { class: "columns" }, h("div", { class: "wide" }, wide), h("div", { class: "side" }, side));
/** The line above a diagram. @param {Inside} contract @param {...Inside} text */
export const headlineOf = (contract, ...text) =>
  h("p", { class: "headline" }, contract && h("span", { class: "contract" }, contract), h("strong", {}, ...text));
