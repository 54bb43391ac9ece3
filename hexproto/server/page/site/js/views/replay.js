// A hand or a game of the arena, step by step.

import { request } from "../arena/api.js";
import { number, replayOf } from "../arena/words.js";
import { pictureOf } from "../boards/boards.js";
import { button, el, put, set } from "../dom.js";
import { nameAt, resultOf } from "../people.js";
import { Felt } from "../poker/felt.js";
import { stepsOf } from "../poker/steps.js";

export const replay = {
  path: "replay",
  title: "Replay",
  of: "arena",
  free: true,

  open(app, place, [run, shard, index]) {
    let closed = false;
    let close = () => {};
    request(app.settings, "game", { run, shard, index }).then((game) => {
      if (!closed) close = show(place, game);
    }, (error) => {
      if (!closed) put(place, el("div", { class: "narrow notice bad" }, el("strong", {}, error.message), el("a", { class: "button", href: `#/run/${encodeURIComponent(run)}` }, "To the run")));
    });
    return () => { closed = true; close(); };
  },
};

// show shows a game and returns a function that ends the view.
function show(place, game) {
  const part = game.hand ? handParts(game.hand) : boardParts(game);
  const list = el("ol", { class: "moves replay-moves", "aria-label": "steps" });
  const where = el("small", { class: "where" });
  const last = part.steps.length - 1;
  const step = (text, label, to) => button(text, () => go(to()), { "aria-label": label, title: label });
  const back = [step("«", "to the start (Home)", () => 0), step("‹", "one step back (left arrow)", () => shown - 1)];
  const on = [step("›", "one step forward (right arrow)", () => shown + 1), step("»", "to the end (End)", () => last)];
  const buttons = part.steps.map((words, i) => button(words, () => go(i), { class: "move" }));
  let shown = -1;

  function go(to) {
    const i = Math.max(0, Math.min(to, last));
    if (i === shown) return;
    shown = i;
    part.draw(i);
    where.textContent = `${i} of ${last}`;
    back.forEach((b) => set(b, { disabled: i === 0 }));
    on.forEach((b) => set(b, { disabled: i === last }));
    buttons.forEach((b, k) => set(b, { "aria-current": k === i ? "step" : null }));
    const current = buttons[i];
    const top = current.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  function keys(event) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, textarea")) return;
    const to = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last }[key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  }

  put(list, buttons.map((b) => el("li", {}, b)));
  put(
    place,
    el(
      "div",
      { class: "stack" },
      el("div", {}, el("a", { href: `#/run/${encodeURIComponent(game.run)}` }, game.run), el("h1", {}, title(game))),
      el("div", { class: "game" }, el("div", { class: "table" }, part.element), el(
        "div",
        { class: "side stack" },
        el("section", { class: "panel", "aria-label": "steps" }, el("div", { class: "steps" }, back, where, on), list),
        neighbours(game),
        part.note && el("p", { class: "about" }, part.note),
      )),
    ),
  );
  addEventListener("keydown", keys);
  go(game.hand ? 0 : last);
  return () => removeEventListener("keydown", keys);
}

function title({ hand, deal, index, board }) {
  return hand ? `Deal ${number((deal ?? 0) + 1)}` : `${board.title}, game ${number(index + 1)}`;
}

// neighbours links to the games before and after this one, and to those with the same
// cards or opening.
function neighbours({ run, shard, index, total, same, hand }) {
  const link = (to, text, current) => el("a", { class: "button", href: replayOf(run, shard, to), "aria-current": current && "page" }, text);
  return el(
    "nav",
    { class: "panel stack", "aria-label": "other games" },
    el("div", { class: "row" }, index > 0 && link(index - 1, hand ? "Previous hand" : "Previous game"), index + 1 < total && link(index + 1, hand ? "Next hand" : "Next game")),
    same.length > 1 && el("div", {}, el("small", {}, hand ? "The same cards, in other orders of the seats" : "The same opening, with the seats exchanged"),
      el("div", { class: "row" }, same.map((at, i) => link(at, String(i + 1), at === index)))),
  );
}

function handParts(hand) {
  const seats = hand.players.map((name) => ({ name }));
  const named = { ...hand, players: seats.map((_, p) => nameAt(seats, p)) };
  const steps = stepsOf(named);
  const table = new Felt(named);
  return { element: table.element, steps: steps.map(({ words }) => words), draw: (i) => table.draw(steps[i]) };
}

function boardParts({ board: game, players }) {
  const Picture = pictureOf(game.board);
  const say = Picture.say ?? ((move) => move);
  const picture = new Picture(game.board, game.names, { play: () => {}, browse: () => {} });
  const seats = players.map((name, seat) => ({ name, seat }));
  const end = resultOf({ result: game.result, seats, names: game.names, board: game.board });
  const turn = el("p", { class: "turn", role: "status" });
  const people = seats.map(({ name, seat }) => el(
    "div",
    { class: "seat", "data-seat": seat, "data-kind": game.board?.kind, "data-won": game.result.winner === seat },
    el("span", { class: "stone-icon" }), el("div", { class: "who" }, el("span", { class: "person-name" }, name), el("small", {}, game.names[seat])),
  ));
  const steps = ["Start", ...game.moves.map(({ turn: t, seat, move }) => `${t + 1}. ${players[seat]}: ${say(move)}${t < game.book ? " (given)" : ""}`)];
  return {
    element: [people[1], el("div", { class: "board-frame", "data-kind": game.board?.kind }, picture.element), people[0], turn],
    steps,
    note: game.fault && `The loser failed: ${game.fault}`,
    draw(i) {
      const over = i === steps.length - 1;
      const view = over || !Picture.replay ? game.view : Picture.replay(game.board, game.moves.slice(0, i));
      const words = over ? end : steps[i];
      picture.draw({ view, seat: null, chosen: "", values: null, label: `board: ${words}` });
      turn.textContent = words;
    },
  };
}
