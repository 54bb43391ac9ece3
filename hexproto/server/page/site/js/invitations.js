// Challenges to the player, whichever view is open, and the answers to its own.

import { describe } from "./clock.js";
import { button } from "./dom.js";
import { sentence } from "./words.js";
import { optionsOf } from "./people.js";

const REASONS = {
  later: "not now", busy: "busy", too_fast: "the clock is too fast", too_slow: "the clock is too slow",
  rules: "not this game", options: "not with these settings", rated: "not rated", casual: "only rated",
  no_bots: "no bots", only_bots: "only bots", rating: "the ratings are too far apart", blocked: "blocked", generic: "no reason given",
};

// playersOf says for how many players a challenge is and who has accepted it, if it is for more
// than two, and which bots have the other seats.
export function playersOf({ players, joined = [], fill, bots = [fill] }) {
  const names = joined.map(({ name }) => name).join(", ");
  return [
    players > 2 && `${joined.length + 1} of ${players} players${names && `, with ${names}`}`,
    bots[0] && `bots in the other seats: ${bots.join(", ")}`,
  ].filter(Boolean).join(" · ");
}

// orderOf says who moves first in a challenge, in poker who begins in which position; "" if that is
// random.
export function orderOf({ seat }, { positions } = {}) {
  const at = ["first", "second"].indexOf(seat);
  if (at < 0) return "";
  if (positions?.length > 2) return `they begin as ${positions[at] || `seat ${at + 1}`}`;
  if (positions) return `${positions[at] === "BTN" ? "they" : "you"} have the button first`;
  return at === 0 ? "they move first" : "you move first";
}

// termsOf formats the terms of a challenge for whom it is made to.
export function termsOf(challenge, rules) {
  const { options, clock, rated } = challenge;
  const order = orderOf(challenge, rules) || (rules?.hidden ? "positions are random" : "who moves first is random");
  return `${[optionsOf(options), describe(clock), rated ? "rated" : "not rated", playersOf(challenge)].filter(Boolean).join(" · ")}. ${sentence(order)}.`;
}

// titleOf is the heading of an invitation to a game.
export const titleOf = ({ from }, game) => `${from.name} invites you to ${game}`;

export const ENDED = "This invitation has ended";
export const WHY_ENDED = "It was accepted or withdrawn, or whoever made it has left.";

export class Invitations {
  #shown = new Map(); // functions that remove what is shown of challenges, by id

  constructor(app) {
    this.app = app;
    app.session.on("challenged", (challenge) => this.#ask(challenge));
    app.session.on("closed", (closed) => this.#closed(closed));
    app.session.on("welcome", () => [...this.#shown.keys()].forEach((id) => this.#takeDown(id)));
  }

  #ask(received) {
    const { challenge, from, to, rules } = received;
    const { session, notices, announce } = this.app;
    if (to !== session.you.name) return; // the answer to a view of an invitation
    const answer = (type, fields) => () => {
      this.#takeDown(challenge);
      session.ask(type, { challenge, ...fields }).then(
        ({ game }) => game && this.app.go("game", game),
        (error) => notices.error(error),
      );
    };
    const title = `${from.name}${from.bot ? " (bot)" : ""}, rated ${from.rating}, wants to play ${session.rules(rules)?.title ?? rules}`;
    this.#takeDown(challenge);
    this.#shown.set(challenge, notices.show({
      title,
      text: termsOf(received, session.rules(rules)),
      actions: [
        button("Accept", answer("accept"), { class: "primary" }),
        button("Decline", answer("decline", { reason: "later" })),
      ],
    }));
    announce(title);
  }

  // sent shows a challenge that was made to a player, with a button to cancel it.
  sent(challenge, to) {
    const { session, notices } = this.app;
    this.#shown.set(challenge, notices.show({
      title: `${to} is asked`,
      text: `The game opens when ${to} accepts.`,
      actions: [button("Withdraw", () => session.ask("cancel", { challenge }).catch((error) => notices.error(error)))],
    }));
  }

  #closed({ challenge, why, by, reason, text, game }) {
    this.#takeDown(challenge);
    if (why === "accepted" && game) this.#begins(game, by);
    if (why === "declined" && by !== this.app.session.you.name) {
      this.app.notices.show({ title: `${by} declined: ${REASONS[reason] ?? reason}`, text, kind: "warn" });
    }
  }

  // begins opens a game, unless another game is being played in this view.
  #begins(game, by) {
    const { go, notices, games } = this.app;
    if (!games.mine().some(({ game: other }) => other !== game && location.hash.split("/")[2] === other)) return go("game", game);
    const close = notices.show({
      title: by === this.app.session.you.name ? "Your game has begun" : `${by} has accepted`,
      actions: [button("Open the game", () => { close(); go("game", game); }, { class: "primary" })],
    });
  }

  #takeDown(challenge) {
    this.#shown.get(challenge)?.();
    this.#shown.delete(challenge);
  }
}
