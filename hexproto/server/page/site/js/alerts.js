// Sounds and notifications about the player's games. Both are off until the account page
// turns them on.

import { pictureOf } from "./boards/boards.js";
import { narrate } from "./game/narrator.js";

// SOUNDS are notes as [frequency in Hz, start in s].
const SOUNDS = {
  moved: [[660, 0]],
  offered: [[587, 0], [587, 0.15]],
  accepted: [[523, 0], [784, 0.12]],
  over: [[784, 0], [523, 0.15]],
};
const NOTE = 0.3; // s
const VOLUME = 0.2;

export class Alerts {
  #audio = null;

  constructor({ session, settings, games, go }) {
    Object.assign(this, { session, settings, go });
    games.on("change", (change) => this.#changed(games.get(change.id), change));
    session.on("closed", ({ why, by, game }) => {
      if (why === "accepted" && by !== session.you.name) this.#alert("accepted", game, `${by} has accepted`, "The game has begun.");
    });
  }

  #changed(game, { type, message, before }) {
    if (game.you < 0 || !(type in SOUNDS)) return;
    const text = narrate(game, type, message, pictureOf(game.board).say ?? ((move) => move), before);
    const theirs = type !== "moved" || message.moves.some(({ seat }) => seat !== game.you);
    if (text && theirs) this.#alert(type, game.game, game.seats.map(({ name }) => name).join(" – "), text);
  }

  #alert(sound, game, title, body) {
    if (this.settings.get("sound")) this.play(sound);
    if (document.hidden && this.settings.get("notify")) {
      const shown = notify(title, { body, tag: game, icon: "icon.svg" });
      shown?.addEventListener("click", () => { focus(); shown.close(); this.go("game", game); });
    }
  }

  // play plays a sound. Browsers allow that only after the first click or key.
  play(sound) {
    if (!navigator.userActivation.hasBeenActive) return;
    this.#audio ??= new AudioContext();
    this.#audio.resume();
    const now = this.#audio.currentTime;
    for (const [frequency, start] of SOUNDS[sound]) {
      const note = new OscillatorNode(this.#audio, { type: "triangle", frequency });
      const gain = new GainNode(this.#audio);
      gain.gain.setValueAtTime(VOLUME, now + start);
      gain.gain.exponentialRampToValueAtTime(0.001, now + start + NOTE);
      note.connect(gain).connect(this.#audio.destination);
      note.start(now + start);
      note.stop(now + start + NOTE);
    }
  }
}

// allowNotifications asks the player to allow notifications. It returns why there are
// none, "" if there are.
export async function allowNotifications() {
  if (!("Notification" in window)) return "This browser has no notifications for pages.";
  if ((await Notification.requestPermission()) !== "granted") return "The browser does not allow this page to notify you: see its settings for this site.";
  return notify("Notifications are on", { tag: "on" }) ? "" : "This browser notifies for installed programs only.";
}

// notify shows a notification and returns it, or null where the browser has them for
// workers only.
function notify(title, options) {
  try {
    return new Notification(title, options);
  } catch {
    return null;
  }
}
