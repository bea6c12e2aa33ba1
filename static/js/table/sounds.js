// @ts-check
/**
 * The sounds of a table, made of generated tones: wood for dice and checkers, a bell for one's turn.
 *
 * Browsers allow sound only after a first gesture; before it, and while muted, nothing is made.
 */

/** @typedef {"roll"|"checker"|"hit"|"cube"|"turn"|"low"|"win"|"lose"} SoundName */
/** @typedef {{at_ms: number, hertz: number, length_ms: number, loud: number, wave: OscillatorType}} Tone */

/** @param {number} at_ms @param {number} hertz @param {number} length_ms @param {number} loud @param {OscillatorType} [wave] @returns {Tone} */
const tone = (at_ms, hertz, length_ms, loud, wave = "triangle") => ({ at_ms, hertz, length_ms, loud, wave });

/** @type {Record<SoundName, Tone[]>} */
const SCORES = {
  roll: [0, 55, 95, 150].map((at_ms, i) => tone(at_ms, 420 - 45 * i, 45, 0.5)),
  checker: [tone(0, 240, 60, 0.6)],
  hit: [tone(0, 240, 60, 0.6), tone(45, 130, 140, 0.8)],
  cube: [tone(0, 180, 90, 0.7), tone(90, 270, 160, 0.5)],
  turn: [tone(0, 660, 220, 0.35, "sine"), tone(120, 880, 300, 0.3, "sine")],
  low: [tone(0, 980, 90, 0.4, "sine"), tone(160, 980, 90, 0.4, "sine")],
  win: [523, 659, 784].map((hertz, i) => tone(140 * i, hertz, 320, 0.35, "sine")),
  lose: [392, 330, 262].map((hertz, i) => tone(160 * i, hertz, 320, 0.3, "sine")),
};

export class Sounds {
  constructor() {
    this.on = false;
    /** From 0 to 1. */
    this.volume = 0.7;
    /** @type {(name: SoundName) => boolean} */
    this.wanted = () => true;
    /** @type {AudioContext|null} */
    this.context = null;
    for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, () => this.allow(), { once: true });
  }

  /** The first gesture has come. */
  allow() {
    this.context ??= new AudioContext();
  }

  /** @param {SoundName} name */
  play(name) {
    const { context } = this;
    if (!this.on || !context || !this.volume || !this.wanted(name)) return;
    for (const { at_ms, hertz, length_ms, loud, wave } of SCORES[name]) {
      const start = context.currentTime + at_ms / 1000;
      const end = start + length_ms / 1000;
      const source = new OscillatorNode(context, { type: wave, frequency: hertz });
      const volume = new GainNode(context, { gain: 0 });
      volume.gain.setValueAtTime(0.0001, start);
      volume.gain.exponentialRampToValueAtTime(loud * 0.57 * this.volume, start + 0.006);
      volume.gain.exponentialRampToValueAtTime(0.0001, end);
      source.connect(volume).connect(context.destination);
      source.start(start);
      source.stop(end);
    }
  }
}

/**
 * The sound of what has happened, loudest first; null for what is silent.
 * @param {import("./session.js").TableEvent[]} events @param {0|1|null} seat @param {boolean} myTurn  it has just become mine
 * @returns {SoundName|null}
 */
export function soundOf(events, seat, myTurn) {
  const types = new Set(events.map((event) => event.type));
  const ended = events.find((event) => event.type === "match_ended" || event.type === "game_ended");
  if (ended && ended.winner !== null) return seat === null || ended.winner === seat ? "win" : "lose";
  if (["double_offered", "double_taken", "beavered", "raccooned"].some((type) => types.has(type))) return "cube";
  const made = events.find((event) => event.type === "play_made" && event.seat !== seat && event.moves.length);
  if (made) return made.text.includes("*") ? "hit" : "checker";
  if (types.has("dice_rolled")) return "roll";
  return myTurn ? "turn" : null;
}
