// @ts-check
/** The line of ratings: shows the day and the rating under the pointer, or step by step with the arrow keys. */

import { day } from "./dates.js";

const DAY = 86_400_000;
const SVG = "http://www.w3.org/2000/svg";
const GAP = 8;

const chart = /** @type {SVGSVGElement|null} */ (document.querySelector("#rating-chart"));
if (chart) follow(chart);

/** @param {SVGSVGElement} svg */
function follow(svg) {
  const places = placesOf(/** @type {SVGPolylineElement} */ (svg.querySelector("polyline")));
  const end = svg.viewBox.baseVal.width;
  const bottom = Number(svg.dataset.bottom);
  const group = add(svg, "g", "chart-tip");
  const line = add(group, "line", "chart-tip-line");
  const dot = add(group, "circle", "chart-tip-dot");
  const box = add(group, "rect", "chart-tip-box");
  const text = /** @type {SVGTextElement} */ (add(group, "text", "chart-tip-text"));
  let at = places.length - 1;

  /** @param {number} number */
  const show = (number) => {
    at = Math.max(0, Math.min(places.length - 1, number));
    const { x, y, label } = places[at];
    group.removeAttribute("hidden");
    set(line, { x1: x, x2: x, y1: 0, y2: bottom });
    set(dot, { cx: x, cy: y, r: 4.5 });
    text.textContent = label;
    const width = text.getComputedTextLength() + 2 * GAP;
    const left = x + width + GAP > end ? x - width - GAP : x + GAP;
    set(box, { x: left, y: 2, width, height: 26, rx: 6 });
    set(text, { x: left + GAP, y: 20 });
    set(svg, { "aria-valuenow": at, "aria-valuetext": label });
  };
  const hide = () => group.setAttribute("hidden", "");
  hide();

  set(svg, { role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": places.length - 1, "aria-valuenow": at });
  svg.setAttribute("aria-valuetext", places[at].label);
  svg.addEventListener("pointermove", (event) => {
    const matrix = svg.getScreenCTM();
    if (!matrix) return;
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const far = places.map((place) => Math.abs(place.x - x));
    show(far.indexOf(Math.min(...far)));
  });
  svg.addEventListener("pointerleave", hide);
  svg.addEventListener("focus", () => show(at));
  svg.addEventListener("blur", hide);
  /** @type {Record<string, () => number>} */
  const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => places.length - 1 };
  svg.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    show(keys[event.key]());
  });
}

/** The places of the line with their labels. @param {SVGPolylineElement} line */
function placesOf(line) {
  const { start = "", days = "", elos = "" } = line.dataset;
  const first = Date.parse(start);
  const ratings = elos.split(" ");
  return days.split(" ").map((after, number) => {
    const { x, y } = line.points.getItem(number);
    return { x, y, label: `${day(first + Number(after) * DAY)}: ${ratings[number]}` };
  });
}

/** @param {Element} parent @param {string} name @param {string} kind @returns {Element} */
function add(parent, name, kind) {
  const made = document.createElementNS(SVG, name);
  made.setAttribute("class", kind);
  return parent.appendChild(made);
}

/** @param {Element} element @param {Record<string, string|number>} values */
function set(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
}
