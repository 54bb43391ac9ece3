// A game that was played elsewhere: a form for its record, and the game, whose address has all of it.

import { el, field, put } from "../dom.js";
import { Table } from "./game.js";
import { records } from "./records.js";

export const record = {
  path: "record",
  title: "A game from elsewhere",
  of: records.path,

  // As the address of a game with the record in place of the id, #/record/TEXT/17/e5; without a record it has the form.
  open(app, place, [text = "", turns, ...line]) {
    if (!text) return form(app, place, text);
    let table = null;
    let closed = false;
    game(app, text).then(
      ({ game: id }) => { if (!closed) table = new Table(app, place, id, { turns, line }, text); },
      (error) => closed || form(app, place, text, error),
    );
    return () => { closed = true; table?.close(); };
  },
};

// game asks for the game of a record. The server closes the connection on longer messages.
async function game(app, text) {
  const most = app.session.welcome?.limits.message - 1000;
  if (new Blob([JSON.stringify(text)]).size > most) throw new Error(`A record has at most ${most} bytes here: leave out other games and comments.`);
  return app.session.ask("import", { text });
}

function form(app, place, text, error) {
  const problem = el("div", { "aria-live": "assertive" });
  const fail = ({ message }) => put(problem, el("div", { class: "notice bad" }, el("strong", {}, message)));
  const input = el("textarea", { name: "record", rows: 8, required: true, spellcheck: "false", autocomplete: "off" }, text);
  const read = () => game(app, input.value).then(({ record: line }) => app.go("record", line), fail);
  const take = async (file) => {
    if (file) input.value = (await file.slice(0, 1 << 20).text());
    if (file) read();
  };
  put(place, el(
    "form",
    {
      class: "narrow stack",
      onsubmit: (event) => { event.preventDefault(); read(); },
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => { event.preventDefault(); take(event.dataTransfer.files[0]); },
    },
    el("h1", {}, "A game from elsewhere"),
    el("p", { class: "lead" }, "Paste a record, or drop its file here, to have its moves judged. Of Havannah: HGF, SGF of Little Golem, GTP, or a line of text. Of poker: a dealer's log (ACPC) or PHH, with the players, blinds and stacks of a game that is played here."),
    problem,
    el(
      "section", { class: "panel stack", "aria-label": "record" }, field("Record", input),
      el("div", { class: "row" }, el("button", { class: "primary" }, "Study it"), field("or a file", el("input", { type: "file", name: "file", onchange: (event) => take(event.target.files[0]) }))),
    ),
  ));
  if (error) fail(error);
}
