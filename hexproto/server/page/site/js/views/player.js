// The profile of a player: ratings and results by kind of game, and the last games.

import { profile } from "../archive.js";
import { when } from "../dates.js";
import { button, el, put, svg } from "../dom.js";
import { GameList } from "../lobby/gamelist.js";
import { kindOf, rangeOf, ratingOf } from "../people.js";

export const player = {
  path: "player",
  title: "Player",

  open(app, place, [name = app.session.you.name]) {
    profile(app.settings, name).then((known) => show(app, place, known), (error) => {
      const unknown = error.code === "not_found";
      put(place, el(
        "div", { class: "narrow stack" }, el("h1", {}, name),
        el("div", { class: "notice bad" }, el("strong", {}, unknown ? `Nobody is called ${name}` : error.message), el("p", {}, error.advice)),
      ));
    });
  },
};

function show(app, place, { name, bot, since, online, kinds, games }) {
  const { session } = app;
  const address = encodeURIComponent(name);
  const about = session.welcome.rules.flatMap((rules) => (rules.about_bots ?? []).filter((b) => b.name === name).map((b) => ({ rules, ...b })));
  const last = new GameList(app, "Last games", "No finished games yet.");
  put(place, el(
    "div",
    { class: "narrow stack" },
    el("h1", { class: "row" }, name, bot && el("span", { class: "tag" }, "bot")),
    el("p", { class: "lead" }, [name === session.you.name ? "you" : online && "connected", since > 0 && `since ${when(since)}`].filter(Boolean).join(" · ")),
    about.length > 0 && el(
      "section", { class: "panel", "aria-label": "the bot" }, el("h2", {}, "The bot"),
      el("dl", { class: "plays" }, Object.entries(Object.groupBy(about, ({ about: words }) => words)).map(([words, same]) => [
        same.map(({ rules, rating }) => el("dt", {}, rules.title, rating ? el("small", {}, ` ${rating} in an arena`) : null)), el("dd", {}, words),
      ])),
    ),
    kinds.length > 0 && el(
      "section", { class: "panel" }, el("h2", {}, "Ratings"),
      el("div", { class: "scrolls", role: "group", "aria-label": "ratings", tabindex: 0 }, ratings(session, kinds)),
    ),
    last.element,
    el(
      "div",
      { class: "row" },
      name !== session.you.name && online && el("a", { class: "button", href: `#/challenge/${address}` }, "Challenge"),
      games.length > 0 && el("a", { class: "button", href: `#/records/${address}` }, "All games"),
      name !== session.you.name && !session.serves(name) && ignoring(app, name),
    ),
  ));
  last.draw(games, name);
}

// ignoring has buttons by which a player is muted or blocked, and not any more.
function ignoring({ session, notices }, name) {
  const row = el("span", { class: "row" });
  const draw = () => {
    const how = session.howIgnored(name);
    const toggle = (kind, label, undo, title) => button(how === kind ? undo : label, () => {
      session.ask("ignore", { name, how: how === kind ? "" : kind }).then(draw, (error) => notices.error(error));
    }, { title });
    put(
      row,
      how !== "block" && toggle("mute", "Mute", "Read again", `Show what ${name} says in no chat`),
      toggle("block", "Block", "Unblock", `Show what ${name} says in no chat, and refuse challenges`),
    );
  };
  draw();
  return row;
}

function ratings(session, kinds) {
  return el(
    "table",
    { class: "cross ratings" },
    el("thead", {}, el("tr", {}, ["Game", "Rating", "Won", "Lost", "Drawn", "Course"].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, kinds.map((k) => el(
      "tr",
      {},
      el("th", { scope: "row" }, kindOf(session, k.kind)),
      el("td", { title: rangeOf(k) }, ratingOf(k)),
      [k.won, k.lost, k.drawn].map((n) => el("td", {}, n)),
      el("td", {}, course(k.history)),
    ))),
  );
}

// course draws the course of a rating over its days.
function course(history) {
  if (history.length < 2) return "–";
  const [width, height] = [96, 24];
  const values = history.map(({ rating }) => rating);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [begin, end] = [history[0].at, history.at(-1).at];
  const points = history.map(({ at, rating }) =>
    `${(((at - begin) / (end - begin)) * width).toFixed(1)},${(((high - rating) / (high - low || 1)) * height).toFixed(1)}`);
  return svg(
    "svg",
    { class: "course", viewBox: `-2 -2 ${width + 4} ${height + 4}`, width, height, role: "img", "aria-label": `from ${values[0]} to ${values.at(-1)}, ${low} to ${high}` },
    svg("polyline", { points: points.join(" ") }),
  );
}
