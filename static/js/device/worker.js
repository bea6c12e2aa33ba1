// @ts-check
/** The net in a worker: it loads the two files once and then answers without a connection. */

import { answerTo } from "./answer.js";
import { DeviceNet } from "./net.js";

/** The addresses of the two files. @typedef {{contact: string, race: string}} Files */

/** @type {Promise<DeviceNet>|null} */
let loading = null;

/** @param {Files} files @returns {Promise<DeviceNet>} */
async function loaded({ contact, race }) {
  const read = async (/** @type {string} */ url) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return response.arrayBuffer();
  };
  const [one, other] = await Promise.all([read(contact), read(race)]);
  return DeviceNet.read(one, other);
}

addEventListener("message", async ({ data }) => {
  const { number, setup, files } = data;
  try {
    loading ??= loaded(files);
    const net = await loading;
    const began = performance.now();
    const answer = answerTo(net, setup);
    postMessage({ number, answer, seconds: (performance.now() - began) / 1000 });
  } catch {
    loading = null; // the files may be there the next time
    postMessage({ number, answer: null });
  }
});
