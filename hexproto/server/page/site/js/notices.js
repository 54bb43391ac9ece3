// What the page says unasked: notices on the screen, and words for screen
// readers.

import { button, el, put } from "./dom.js";

const STAYS = 8000; // ms

// announce has screen readers say something.
export function announce(text) {
  const announcer = document.getElementById("announcer");
  put(announcer, el("p", {}, text));
}

export class Notices {
  constructor(place) {
    this.place = place;
  }

  // show puts up a notice and returns a function that takes it down. kind is
  // "", "good", "warn" or "bad"; actions are buttons. A notice with buttons
  // stays until it is taken down.
  show({ title, text, kind = "", actions = [], key }) {
    const twin = key && [...this.place.children].find((n) => n.dataset.key === key);
    twin?.remove();
    const notice = el(
      "div",
      { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status", "data-key": key },
      title && el("strong", {}, title),
      text && el("p", {}, text),
      el("div", { class: "row" }, actions, button("Close", () => notice.remove(), { class: "quiet" })),
    );
    this.place.append(notice);
    if (actions.length === 0) setTimeout(() => notice.remove(), STAYS);
    return () => notice.remove();
  }

  // error shows an error and what to do about it.
  error(error) {
    if (error.code === "disconnected") return; // the connection is shown at the top
    this.show({ title: error.message, text: error.advice, kind: "bad", key: error.code });
  }
}
