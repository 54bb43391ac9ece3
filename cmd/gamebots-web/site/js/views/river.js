// Solving a river: a form, the solver's progress, and the decisions of the solution.

import { button, el, field, put } from "../dom.js";
import { number } from "../words.js";
import { start } from "../program.js";
import { settings } from "../settings.js";
import { Progress } from "../progress.js";
import { decision } from "./strategy.js";

// FIELDS are the settings of a spot, with labels and first values. docs/solve-poker.md explains them.
const FIELDS = [
  ["spot.board", "Board", "Ks 9d 7h 4c 2s", "Five cards."],
  ["spot.pot", "Pot", "200", "Chips in the middle."],
  ["spot.stack", "Stack", "1800", "Chips that each player has left."],
  ["ranges.oop", "Range out of position", "random", "As in 22+,A2s+,KTo+,QJs:0.5; random is all hands."],
  ["ranges.ip", "Range in position", "random", "The player who acts last."],
  ["bets.bets", "Bets", "33,75,150", "Percent of the pot; a is all-in."],
  ["bets.raises", "Raises", "75", "Percent of the pot; 2.5x is two and a half times the bet."],
  ["bets.raise_cap", "Most bets and raises", "3", "0 for any number."],
  ["solve.target", "Exploitability to reach", "0.3", "Percent of the pot."],
];

// inWords names the field that an error is about.
const inWords = (text) => text.replace(/^(?:command line: )?([a-z]+\.[a-z_]+)/, (_, key) => FIELDS.find(([name]) => name === key)?.[1] ?? key);

// What was solved last stays when the view is left: its program, and what it said.
let solver = null;
let solved = null;
const values = new Map(FIELDS.map(([key, , value]) => [key, value]));
const { fields = {}, was = false } = settings.get("river") ?? {}; // before the page was loaded again
Object.entries(fields).forEach(([key, value]) => values.has(key) && values.set(key, value));
const remember = () => settings.set("river", { fields: Object.fromEntries(values), was: Boolean(solved) });

// heed keeps what the solver says of the solution, also while the view is not open.
function heed(message) {
  if (message.kind === "solved") solved = message;
  if (message.kind === "failed") solved = null; // it goes with its program
  if (message.kind === "solved" || message.kind === "failed") remember();
  if (message.kind === "failed" || (message.kind === "refused" && !solved)) {
    solver?.end();
    solver = null;
  }
  hear?.(message);
}

export const river = {
  path: "river",
  title: "Solve a river",
  nav: "River",

  open(app, place, [line = ""]) {
    const problem = el("div", { "aria-live": "assertive" });
    const progress = new Progress();
    const answer = el("div", { class: "stack" });
    const inputs = FIELDS.map(([key, label, , note]) => {
      const input = el("input", { name: key, value: values.get(key), required: !key.startsWith("bets."), autocomplete: "off", spellcheck: "false" });
      input.addEventListener("input", () => { values.set(key, input.value); remember(); });
      return field(label, input, note);
    });
    const solveButton = el("button", { class: "primary" }, "Solve");
    const stop = button("Stop", () => end(), { hidden: true });

    const busy = (on) => { solveButton.hidden = on; stop.hidden = !on; };
    const end = () => {
      solver?.end();
      solver = null;
      busy(false);
      progress.clear();
    };
    const heard = {
      progress: (news) => progress.show(news),
      failed({ text }) {
        end();
        again = false;
        put(problem, el("div", { class: "notice bad" }, el("strong", {}, text)));
      },
      refused({ text, hint }) {
        if (!solved) end();
        again = false;
        put(problem, el("div", { class: "notice bad" }, el("strong", {}, inWords(text)), hint && el("p", {}, hint)));
      },
      solved() {
        busy(false);
        progress.clear();
        spot.open = false;
        app.announce("The river is solved.");
        if (again || location.hash === "#/river") solver.send("show", { line: again ? line : "" });
        else app.go("river");
        again = false;
      },
      decision({ node }) {
        const { exploitability, values: [out, within], pot } = solved;
        put(
          answer,
          el("p", {}, `Exploitability ${exploitability}. Of the pot of ${number(pot)}, ${number(out, 2)} is won out of position and ${number(within, 2)} in position.`),
          decision(JSON.parse(node), (betting) => `#/river/${encodeURIComponent(betting)}`),
        );
      },
    };
    const begin = (event) => {
      event?.preventDefault();
      again &&= !event;
      end();
      solved = null;
      put(problem);
      put(answer);
      busy(true);
      solver = start("solve", heed);
      const settings = [...values].map(([key, value]) => `${key}=${value.trim()}`);
      solver.send("solve", { settings });
    };
    hear = (message) => heard[message.kind]?.(message);
    const form = el("form", { class: "stack", onsubmit: begin }, el("div", { class: "pair" }, inputs), el("div", { class: "row" }, solveButton, stop));
    const spot = el("details", { open: !solved }, el("summary", {}, "The spot"), form);
    put(place, el(
      "div",
      { class: "stack" },
      el("h1", {}, "Solve a river"),
      el("p", { class: "lead" }, "No-limit hold'em for two players, with exact cards: what both should do with every hand once the last card is dealt."),
      el("section", { class: "panel", "aria-label": "spot" }, spot), problem, progress.element, answer,
    ));
    if (solved) solver.send("show", { line });
    else if (solver) busy(true);
    else if (again) begin(); // the solution of the same fields, to the bit
    return () => { hear = null; };
  },
};

let hear = null; // the view that is open, if one is
let again = was; // the river was solved, and is solved again at first
