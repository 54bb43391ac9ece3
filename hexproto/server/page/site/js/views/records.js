// Finished games: a search, and downloads of what it finds.

import { downloadAll, listRecords } from "../archive.js";
import { button, choice, el, field, put } from "../dom.js";
import { GameList } from "../lobby/gamelist.js";

const PAGE = 50;

export const records = {
  path: "records",
  title: "Records",
  nav: "Records",

  // The address may name a player: #/records/NAME.
  open(app, place, [name = ""]) {
    const { session, settings, notices } = app;
    const input = (attributes) => el("input", { autocomplete: "off", spellcheck: "false", ...attributes });
    const player = input({ name: "player", value: name, placeholder: session.you.name });
    const fields = {
      player,
      opponent: input({ name: "opponent" }),
      rules: choice("rules", [["", "all games"], ...session.welcome.rules.map((r) => [r.name, r.title])], ""),
      side: input({ name: "side", type: "number", min: 2, max: 13, placeholder: "any" }),
      result: choice("result", [["", "any"], ["won", "won"], ["lost", "lost"], ["drawn", "drawn"], ["aborted", "aborted"]], ""),
      since: input({ name: "since", type: "date" }),
      until: input({ name: "until", type: "date" }),
    };
    const list = new GameList(app, "Games", "No games.");
    const more = button("Older games", () => load(games.at(-1)?.game));
    const downloads = el("div", { class: "row" }, el("small", {}, "Download all of these"), ["txt", "hgf", "jsonl"].map((format) =>
      button(format.toUpperCase(), () => downloadAll(settings, wanted(), format).catch((error) => notices.error(error)), {
        "aria-label": `Download all of these games as ${format}`,
      })));
    let games = [];
    let asked = 0; // answers may come in another order

    // wanted is the query. Days are those of the player's time zone. Games are won, lost and
    // played against somebody by the player of this page, if no other is named.
    const wanted = () => {
      const { side, ...query } = Object.fromEntries(Object.entries(fields).map(([key, { value }]) => [key, value.trim()]));
      if (query.opponent || ["won", "lost"].includes(query.result)) query.player ||= session.you.name;
      return { ...query, kind: side && `havannah-${side}`, since: midnight(query.since, 0), until: midnight(query.until, 1) };
    };

    async function load(before) {
      const number = ++asked;
      try {
        const page = await listRecords(settings, { ...wanted(), before, limit: PAGE });
        if (number < asked) return;
        games = before ? [...games, ...page] : page;
        more.hidden = page.length < PAGE;
        downloads.hidden = games.length === 0;
        list.draw(games, player.value.trim() || session.you.name);
      } catch (error) {
        notices.error(error);
      }
    }

    put(
      place,
      el(
        "div",
        { class: "narrow stack" },
        el("div", { class: "row spread" }, el("h1", {}, "Records"), el("a", { class: "button", href: "#/record" }, "A game from elsewhere")),
        el(
          "form",
          { class: "panel stack", onsubmit: (event) => { event.preventDefault(); load(); } },
          el(
            "div",
            { class: "search" },
            field("Player", player), field("Opponent", fields.opponent), field("Game", fields.rules), field("Side of the board", fields.side),
            field("Result for the player", fields.result), field("From", fields.since), field("To", fields.until),
          ),
          el(
            "div",
            { class: "row" },
            el("button", { class: "primary" }, "Find"),
            button("Mine", () => { player.value = session.you.name; load(); }),
            button("All", () => { Object.values(fields).forEach((f) => { f.value = ""; }); load(); }),
          ),
        ),
        downloads,
        list.element,
        more,
      ),
    );
    load();
  },
};

// midnight returns when a day begins that is some days after another, in Unix
// milliseconds, "" for no day.
function midnight(day, later) {
  if (!day) return "";
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + later);
  return at.getTime();
}
