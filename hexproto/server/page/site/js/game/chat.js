// Chat. Messages are shown as plain text.

import { el } from "../dom.js";
import { profileOf } from "../people.js";

const MAX_LENGTH = 300; // characters of a line, the limit of the server

// withLinks makes the addresses of a text links, which open elsewhere and learn nothing of this page.
const withLinks = (text) => text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((part, i) => (i % 2 ? el("a", { href: part, target: "_blank", rel: "noopener noreferrer nofollow" }, part) : part));

export class Chat {
  // game is the id of a game, or "" for the lobby.
  constructor({ session, notices }, game, title) {
    this.list = el("ol");
    this.lines = el("div", { class: "lines", role: "log", "aria-label": title, tabindex: 0 }, this.list);
    this.input = el("input", { name: "text", maxlength: MAX_LENGTH, placeholder: "Say something", "aria-label": "Say something", autocomplete: "off" });
    this.shown = [];
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

  // draw appends the lines that are not shown yet. After a game others may come between. Apart is
  // set if the players do not read what the reader says.
  draw(lines, apart = false) {
    const { lines: log, list } = this;
    this.input.placeholder = apart ? "Say something: the players read it after the game" : "Say something";
    const below = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
    const same = (a, b) => a.at === b?.at && a.from === b.from && a.text === b.text;
    if (!this.shown.every((line, i) => same(line, lines[i]))) {
      list.replaceChildren();
      this.shown = [];
    }
    for (const { from, text, at, spectator } of lines.slice(this.shown.length)) {
      const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      const who = el("b", {}, el("a", { class: "person-name", href: profileOf(from) }, from), spectator && el("small", {}, " spectator"));
      list.append(el("li", {}, el("time", {}, time), who, el("span", {}, withLinks(text))));
    }
    this.shown = [...lines];
    if (below) log.scrollTop = log.scrollHeight;
  }
}
