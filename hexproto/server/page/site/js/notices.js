// Notices on the screen, and announcements for screen readers.

import { button, el, put } from "./dom.js";

const DURATION = 8000; // ms that a notice without buttons stays

// announce has screen readers say something.
export function announce(text) {
  const announcer = document.getElementById("announcer");
  put(announcer, el("p", {}, text));
}

export class Notices {
  constructor(place) {
    this.place = place;
  }

  // show shows a notice and returns a function that removes it. kind is "", "good",
  // "warn" or "bad"; actions are buttons. A notice with buttons stays until it is
  // removed; one with a key replaces the one with the same key.
  show({ title, text, kind = "", actions = [], key }) {
    const previous = key && [...this.place.children].find((n) => n.dataset.key === key);
    previous?.remove();
    const notice = el(
      "div",
      { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status", "data-key": key },
      title && el("strong", {}, title),
      text && el("p", {}, text),
      el("div", { class: "row" }, actions, button("Close", () => notice.remove(), { class: "quiet" })),
    );
    this.place.append(notice);
    if (actions.length === 0) setTimeout(() => notice.remove(), DURATION);
    return () => notice.remove();
  }

  // error shows an error with its advice.
  error(error) {
    if (error.code === "disconnected") return; // the connection is shown at the top
    this.show({ title: error.message, text: error.advice, kind: "bad", key: error.code });
  }
}
