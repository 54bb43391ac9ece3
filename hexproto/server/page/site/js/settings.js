// What this browser stores: the token of the account, and preferences.

import { STORE } from "./server.js";

const defaults = {
  token: "",
  confirm: matchMedia("(pointer: coarse)").matches, // fingers are wider than cells
  values: true, // values of an analysis, on the board
  sound: false,
  notify: false, // while the page is hidden
  theme: "", // "light", "dark", or the system's
  coordinates: true,
  blinds: false, // amounts at poker tables in big blinds
  sizes: "50%, 100%", // of raises, on buttons: as sizesOf reads them
};

class Settings {
  #kept = read();

  constructor() {
    addEventListener("storage", () => { this.#kept = read(); }); // another tab has changed them
  }

  get(name) {
    return this.#kept[name] ?? defaults[name];
  }

  set(name, value) {
    this.#kept = { ...this.#kept, ...read(), [name]: value };
    try {
      localStorage.setItem(STORE, JSON.stringify(this.#kept));
    } catch {
      // Without storage the settings last until the page is closed.
    }
  }
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

export const settings = new Settings();
