// An invitation: a link to a challenge that is not in the lobby.

import { button, el, put } from "../dom.js";
import { howTo } from "../help.js";
import { termsOf } from "../invitations.js";
import { person } from "../people.js";

export const join = {
  path: "join",
  title: "Invitation",

  open({ session, notices, invitations, go }, place, [challenge]) {
    const show = (title, ...parts) => put(place, el("div", { class: "enter" }, el("h1", {}, title), parts));
    const toLobby = el("a", { class: "button", href: "#/" }, "To the lobby");
    session.ask("view_challenge", { challenge }).then((invitation) => {
      const { from, rules } = invitation;
      const known = session.rules(rules) ?? { title: rules };
      if (from.name === session.you.name) {
        invitations.invite(challenge);
        return show("Your invitation", el("p", {}, "This is your own link: send it to the other player, and stay on this page."), el("div", { class: "row" }, toLobby));
      }
      const accept = button("Play", () => {
        accept.disabled = true;
        session.ask("accept", { challenge }).then(({ game }) => go("game", game), (error) => {
          accept.disabled = false;
          notices.error(error);
        });
      }, { class: "primary" });
      show(
        `${from.name} invites you to ${known.title}`,
        el("section", { class: "panel stack", "aria-label": "invitation" }, person(from), el("p", {}, termsOf(invitation)), el("div", { class: "row" }, accept, toLobby), howTo(known)),
      );
    }, (error) => {
      if (error.code === "disconnected") return;
      const gone = error.code === "not_found";
      show(gone ? "This invitation has ended" : error.message, el("p", {}, gone ? "It was accepted or taken back, or whoever made it has left." : error.advice), el("div", { class: "row" }, toLobby));
    });
  },
};
