// Signing in: with a name for a new account, or with the token of an old one.

import { button, el, field, put } from "../dom.js";
import { invitation } from "../archive.js";
import { aboutGame, howTo } from "../help.js";
import { ENDED, titleOf, termsOf, WHY_ENDED } from "../invitations.js";
import { ratingOf } from "../people.js";

// GAMES are those of which the page tells the rules before the server lists its own.
const GAMES = [
  { name: "havannah", title: "Havannah" }, { name: "poker", title: "Poker" },
  { name: "nim", title: "Nim" }, { name: "matrix", title: "Matrix games" },
];

// invites shows an invitation to somebody without an account.
function invites({ title, hidden, positions, challenge }) {
  const game = { name: challenge.rules, title, hidden, positions };
  return [
    el("h1", {}, titleOf(challenge, game.title)),
    el(
      "section", { class: "panel stack", "aria-label": "invitation" },
      el("p", {}, `${challenge.from.name}${challenge.from.bot ? ", a bot" : ""}, rated ${ratingOf(challenge.from)}`), el("p", {}, termsOf(challenge, game)), el("p", {}, aboutGame(game)), howTo(game),
    ),
    el("p", { class: "lead" }, "Choose a name to play, or enter with a token if this server asks for one."),
  ];
}

export const enter = {
  path: "enter",
  title: "Welcome",

  // The address that needs an account may be that of an invitation.
  open({ session, settings }, place, [wanted, challenge]) {
    const name = el("input", {
      name: "name", required: true, minlength: 2, maxlength: 24, pattern: "[A-Za-z0-9_\\-]+",
      autocomplete: "nickname", spellcheck: "false", placeholder: "ada", title: "2 to 24 letters, digits, - and _",
    });
    const token = el("input", { name: "token", required: true, autocomplete: "off", spellcheck: "false", placeholder: "gb_…" });
    const problem = el("div", { "aria-live": "assertive" });
    const form = (submit, ...fields) => el("form", { class: "stack", onsubmit: submit }, fields);

    const byName = el("section", { class: "panel" }, form(
      (event) => { event.preventDefault(); session.enter({ name: name.value.trim() }); },
      field("Your name", name, "2 to 24 letters, digits, - and _"),
      el("button", { class: "primary" }, "Enter"),
    ));
    const byToken = form(
      (event) => { event.preventDefault(); session.enter({ token: token.value.trim() }); },
      field("Your token", token, "From your account page, or from whoever runs the server."),
      el("button", { class: "primary" }, "Enter with the token"),
    );
    const withToken = el("details", {}, el("summary", {}, "I have a token"), byToken);

    const draw = () => {
      const { status, problem: error } = session;
      const busy = status === "connecting" || status === "lost";
      put(problem, error && status === "refused" && el(
        "div", { class: "notice bad" }, el("strong", {}, error.message), el("p", {}, error.advice),
        settings.get("token") && error.code === "token" && button("Forget the stored token", () => { settings.set("token", ""); session.leave(); }),
      ), busy && el("p", { class: "empty" }, status === "lost" ? "The server does not answer. Trying again…" : "Connecting…"));
      if (error?.code === "token") withToken.open = true;
      // A new account would take the place of the stored one, which may only wait for the server.
      byName.hidden = Boolean(settings.get("token")) && error?.code !== "token";
    };
    const off = session.on("status", draw);
    draw();

    const head = el(
      "div", { class: "stack" },
      el("h1", {}, "Havannah, poker, Nim, and bots to play them with"),
      el("p", { class: "lead" }, "Choose a name and play: against other people, against the bots of this server, or watch."),
    );
    if (wanted === "join") {
      invitation(settings, challenge).then((invited) => put(head, invites(invited)), (error) => {
        if (error.code === "not_found") put(head, el("h1", {}, ENDED), el("p", { class: "lead" }, `${WHY_ENDED} Choose a name to play others.`));
      });
    }
    put(
      place,
      el(
        "div",
        { class: "enter" },
        head,
        problem,
        byName,
        withToken,
      ),
      el(
        "div",
        { class: "games-here" },
        GAMES.map((game) => el("section", { class: "panel stack", "aria-label": game.title }, el("h2", {}, game.title), el("p", {}, aboutGame(game)), howTo(game))),
      ),
    );
    if (!matchMedia("(pointer: coarse)").matches) name.focus(); // a keyboard on the screen would hide the page
    return off;
  },
};
