// @ts-check
/** The parts a board is drawn with: elements, gradients, checkers, dice, the cube. */

/** @typedef {import("./geometry.js").Side} Side */

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An SVG element. Attributes that are null are left out.
 * @param {string} name
 * @param {Record<string, string|number|null|undefined>} [attributes]
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(NAMESPACE, name));
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** @param {string} id @param {string[]} stops @param {Record<string, string|number>} [at] */
const linear = (id, stops, at = { x1: 0, y1: 0, x2: 0, y2: 1 }) => gradient("linearGradient", id, stops, at);

/** @param {string} id @param {string[]} stops @param {Record<string, string|number>} at */
const radial = (id, stops, at) => gradient("radialGradient", id, stops, at);

/** @param {string} kind @param {string} id @param {string[]} stops @param {Record<string, string|number>} at */
function gradient(kind, id, stops, at) {
  const last = Math.max(stops.length - 1, 1);
  return element(kind, { id, ...at }, ...stops.map((name, i) => element("stop", { class: `bg-${name}`, offset: i / last })));
}

/** The gradients every part below refers to; colours come from the theme. @returns {SVGElement} */
export function definitions() {
  return element(
    "defs", {},
    linear("bg-wood", ["wood-1", "wood-2", "wood-3"]),
    linear("bg-bar", ["wood-2", "wood-1", "wood-2"], { x1: 0, y1: 0, x2: 1, y2: 0 }),
    radial("bg-field", ["field-1", "field-2"], { cx: "50%", cy: "50%", r: "75%" }),
    linear("bg-tray", ["tray-2", "tray-1", "tray-2"], { x1: 0, y1: 0, x2: 1, y2: 0 }),
    radial("bg-me", ["me-1", "me-2", "me-3"], { cx: "38%", cy: "30%", r: "80%" }),
    radial("bg-op", ["op-1", "op-2", "op-3"], { cx: "38%", cy: "28%", r: "80%" }),
    linear("bg-me-slab", ["me-3", "me-1", "me-3"]),
    linear("bg-op-slab", ["op-3", "op-1", "op-3"]),
    linear("bg-point-a", ["point-a", "point-a2"]),
    linear("bg-point-b", ["point-b", "point-b2"]),
    linear("bg-cube", ["cube-1", "cube-2", "cube-3"], { x1: 0, y1: 0, x2: 0.6, y2: 1 }),
  );
}

/** Where the grooves of a checker run, as shares of its radius. */
const GROOVES = [0.74, 0.36];

/** Circles around the origin as one path. @param {number[]} radii @returns {string} */
const rings = (radii) => radii.map((r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`).join("");

/** A checker around the origin. There are thirty, so each has few parts. @param {Side} side @param {number} r @returns {SVGElement} */
export function checker(side, r) {
  return element(
    "g", { class: `bg-checker bg-${side}` },
    element("circle", { class: "bg-shade", cx: 2.5, cy: 5, r: r + 1 }),
    element("circle", { class: "bg-body", r }),
    element("path", { class: "bg-groove", d: rings(GROOVES.map((share) => r * share)) }),
    element("path", { class: "bg-glint", d: rings(GROOVES.map((share) => r * share - 2.2)) }),
  );
}

/** Show how many checkers a stack has, or nothing. @param {SVGElement} drawn @param {number|null} count @param {number} r  of a checker */
export function setCount(drawn, count, r) {
  const label = drawn.querySelector(".bg-count");
  if (label?.textContent === (count === null ? undefined : String(count))) return;
  label?.remove();
  if (count === null) return;
  drawn.append(element("g", { class: "bg-count" }, element("circle", { r: r * 0.52 }), element("text", { y: 13 }, String(count))));
}

/** Where the pips of a face lie, in thirds from the middle. @type {Record<number, [number, number][]>} */
const FACES = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/**
 * A die around the origin.
 * @param {number} value  1–6
 * @param {Side} side  whose colour it has
 * @param {number} size
 * @param {{used?: boolean, faint?: boolean, bars?: number}} look  bars: how often a tap can still play it
 * @returns {SVGElement}
 */
export function die(value, side, size, look) {
  const half = size / 2;
  const names = ["bg-die", `bg-${side}`, look.used && "bg-used", look.faint && "bg-faint"].filter(Boolean);
  const square = { x: -half, y: -half, width: size, height: size, rx: size * 0.2 };
  const drawn = element(
    "g", { class: names.join(" ") },
    element("rect", { ...square, class: "bg-shade", x: -half + 3, y: -half + 6 }),
    element("rect", { ...square, class: "bg-face" }),
    ...(FACES[value] ?? []).map(([x, y]) =>
      element("circle", { cx: x * size * 0.265, cy: y * size * 0.265, r: size * (look.used ? 0.075 : 0.092) })),
  );
  const bars = look.bars ?? 0;
  for (let i = 0; i < bars; i += 1) {
    const width = bars > 1 ? half * 0.55 : half;
    const x = bars > 1 ? (i ? 4 : -4 - width) : -half / 2;
    drawn.append(element("rect", { class: "bg-active", x, y: half + 6, width, height: 7, rx: 3.5 }));
  }
  return drawn;
}

/** The doubling cube around the origin. @param {number} size @returns {SVGElement} */
export function cube(size) {
  const half = size / 2;
  const square = { x: -half, y: -half, width: size, height: size, rx: size * 0.16 };
  return element(
    "g", { class: "bg-cube" },
    element("rect", { ...square, class: "bg-glow", x: -half - 8, y: -half - 8, width: size + 16, height: size + 16, rx: size * 0.2 }),
    element("rect", { ...square, class: "bg-shade", x: -half + 3, y: -half + 6 }),
    element("rect", { ...square, class: "bg-face" }),
    element("text", { y: size * 0.19, "font-size": size * 0.52 }),
  );
}
