// @ts-check
/* Dates and times in the reader's language and time zone: the only place where scripts write them. */

const { lang, dataset } = document.documentElement;

/** The zone of the reader's settings; undefined: the device's own. */
const timeZone = dataset.zone || undefined;
const locale = lang === "en" ? "en-GB" : lang;
const clock = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });

/** A moment as a date and a time. @param {Date|number} when @returns {string} */
export const moment = (when) => clock.format(when);

const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone });

/** A moment with its seconds. @param {Date|number} when @returns {string} */
export const second = (when) => exact.format(when);

const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });

/** A day of the server, which counts days in UTC. @param {Date|number} when @returns {string} */
export const day = (when) => days.format(when);
