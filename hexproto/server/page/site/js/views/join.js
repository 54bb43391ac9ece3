// An invitation: a link to a challenge that is not in the lobby. Its maker sees the link
// here, everybody else the terms.

import { copyButton } from "../copy.js";
import { button, el, put } from "../dom.js";
import { howTo } from "../help.js";
import { ENDED, playersOf, termsOf, titleOf, WHY_ENDED } from "../invitations.js";
import { person } from "../people.js";

export const join = {
  path: "join",
  title: "Invitation",

  open(app, place, [challenge]) {
    const { session } = app;
    const show = (title, ...parts) => put(place, el("div", { class: "enter" }, el("h1", {}, title), parts));
    const draw = (invitation) => show(...(invitation.from.name === session.you.name ? own : others)(app, invitation));
    const load = () => session.ask("view_challenge", { challenge }).then(
      draw,
      (error) => {
        if (error.code === "disconnected") return; // welcome comes again
        const gone = error.code === "not_found";
        show(gone ? ENDED : error.message, el("p", {}, gone ? WHY_ENDED : error.advice), toLobby());
      },
    );
    load();
    const ends = [session.on("welcome", load), session.on("challenged", (changed) => changed.challenge === challenge && changed.players > 2 && draw(changed)), session.on("closed", (closed) => closed.challenge === challenge && closed.why !== "accepted" && load())];
    return () => ends.forEach((end) => end());
  },
};

const toLobby = () => el("div", { class: "row" }, el("a", { class: "button", href: "#/" }, "To the lobby"));

const gameOf = ({ session }, rules) => session.rules(rules)?.title ?? rules;

// own shows the link. Invitations opens the game when it is accepted.
function own(app, invitation) {
  const { session, notices } = app;
  const { challenge, rules } = invitation;
  const players = playersOf(invitation);
  const link = new URL(`#/join/${encodeURIComponent(challenge)}`, location.href).href;
  return [`Invite ${players ? "friends" : "a friend"} to ${gameOf(app, rules)}`, el(
    "section",
    { class: "panel stack", "aria-label": "link" },
    el("p", {}, players
      ? `Send this link to your friends, who need no account yet, unless this server asks for a token. The game opens here when all have accepted: ${players}.`
      : "Send this link to your friend, who needs no account yet, unless this server asks for a token. The game opens here when it is accepted."),
    el("code", { class: "token" }, link),
    el(
      "div",
      { class: "row" },
      copyButton(notices, "The link", () => link),
      button("Withdraw", () => session.ask("cancel", { challenge }).catch((error) => notices.error(error))),
    ),
  ), toLobby()];
}

function others(app, invitation) {
  const { session, notices, go } = app;
  const { challenge, from, rules } = invitation;
  const accepted = invitation.joined?.some(({ name }) => name === session.you.name);
  const answer = button(accepted ? "Leave" : "Play", () => {
    answer.disabled = true;
    session.ask(accepted ? "cancel" : "accept", { challenge }).then(
      ({ game }) => (game ? go("game", game) : accepted && go("")), // without a game it waits for others
      (error) => { answer.disabled = false; notices.error(error); },
    );
  }, { class: accepted ? null : "primary" });
  return [
    titleOf(invitation, gameOf(app, rules)),
    el("section", { class: "panel stack", "aria-label": "invitation" }, person(from), el("p", {}, termsOf(invitation, session.rules(rules))), accepted && el("p", {}, "The game opens here when all have accepted."), answer, howTo(session.rules(rules) ?? {})),
    toLobby(),
  ];
}
