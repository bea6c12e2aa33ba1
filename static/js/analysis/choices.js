// @ts-check
/** The choices of a rollout: what it will take is said before it begins, and each fault beside its field. */

import { byId, write } from "../table/dom.js";
import { sayCount } from "../say.js";

/** @typedef {import("./ask.js").Asker} Asker */

/** The estimate is asked for once nothing has changed for so long. */
const REST_MS = 400;

export class RolloutChoices {
  /**
   * Without an account there is no form, and nothing to choose.
   * @param {Asker} asker @param {string} url  where estimates are
   * @param {() => string} xgid  the position on the board
   */
  constructor(asker, url, xgid) {
    this.asker = asker;
    this.url = url;
    this.xgid = xgid;
    this.form = /** @type {HTMLFormElement|null} */ (document.getElementById("rollout-choices"));
    this.timer = 0;
    this.form?.addEventListener("input", () => this.soon());
    this.form?.addEventListener("submit", (event) => event.preventDefault());
    this.details?.addEventListener("toggle", () => this.soon());
  }

  get details() {
    return /** @type {HTMLDetailsElement|null|undefined} */ (this.form?.closest("details"));
  }

  /** The fields, if they are open; a rollout goes as usual if they are not. @returns {Record<string, string>} */
  fields() {
    if (!this.form || !this.details?.open) return {};
    return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.form)));
  }

  /** The play that the opened decision had. @param {string} text */
  suggest(text) {
    if (!this.form) return;
    /** @type {HTMLInputElement} */ (byId("rollout-play")).value = text;
  }

  /** Say anew what the rollout will take. */
  soon() {
    clearTimeout(this.timer);
    if (this.details?.open) this.timer = window.setTimeout(() => void this.estimate(), REST_MS);
  }

  async estimate() {
    const asked = this.xgid();
    const { body } = await this.asker.send(this.url, { ...this.fields(), xgid: asked });
    if (asked !== this.xgid()) return;
    this.faults(body.error?.fields ?? {});
    write(byId("rollout-estimate"), body.error ? (body.error.fields ? "" : body.error.message) : estimateOf(body));
  }

  /** Show each fault beside its field. @param {Record<string, string>} fields */
  faults(fields) {
    for (const place of this.form?.querySelectorAll(".field-error") ?? []) {
      const name = place.id.replace(/^rollout-|-error$/g, "");
      write(/** @type {HTMLElement} */ (place), fields[name] ?? "");
      /** @type {HTMLElement} */ (place).hidden = !fields[name];
      byId(`rollout-${name}`).toggleAttribute("aria-invalid", false);
      if (fields[name]) byId(`rollout-${name}`).setAttribute("aria-invalid", "true");
    }
  }
}

/** @param {{seconds: number, seconds_left: number}} estimate @returns {string} */
function estimateOf({ seconds, seconds_left: left }) {
  const takes = sayCount("At most about one minute of engine.", "At most about {count} minutes of engine.", { count: Math.max(1, Math.ceil(seconds / 60)) });
  return `${takes} ${sayCount("You have one minute for a rollout now.", "You have {count} minutes for a rollout now.", { count: Math.floor(left / 60) })}`;
}
