// Chat. Messages are shown as plain text.

import { el } from "../dom.js";

const MAX_LENGTH = 300; // characters of a line, the limit of the server

export class Chat {
  // game is the id of a game, or "" for the lobby.
  constructor({ session, notices }, game, title) {
    this.list = el("ol");
    this.lines = el("div", { class: "lines", role: "log", "aria-label": title, tabindex: 0 }, this.list);
    this.input = el("input", { name: "text", maxlength: MAX_LENGTH, placeholder: "Say something", "aria-label": "Say something", autocomplete: "off" });
    this.shown = 0;
    this.element = el(
      "section",
      { class: "panel chat", "aria-label": title },
      el("h2", {}, title),
      this.lines,
      el(
        "form",
        {
          class: "row",
          onsubmit: (event) => {
            event.preventDefault();
            const text = this.input.value.trim();
            if (!text) return;
            session.ask("chat", { game: game || undefined, text }).then(
              () => { this.input.value = ""; },
              (error) => notices.error(error),
            );
          },
        },
        this.input,
        el("button", {}, "Send"),
      ),
    );
  }

  // draw appends the lines that are not shown yet.
  draw(lines) {
    const { lines: log, list } = this;
    const below = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
    if (lines.length < this.shown) {
      list.replaceChildren();
      this.shown = 0;
    }
    for (const { from, text, at } of lines.slice(this.shown)) {
      const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      list.append(el("li", {}, el("time", {}, time), el("b", {}, from), el("span", {}, text)));
    }
    this.shown = lines.length;
    if (below) log.scrollTop = log.scrollHeight;
  }
}
