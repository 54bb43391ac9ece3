// The account, and what this browser stores.

import { button, el, put } from "../dom.js";

export const account = {
  path: "account",
  title: "Account",

  open({ session, settings, notices }, place) {
    const { you } = session;
    const token = settings.get("token");
    const shown = el("code", { hidden: true, class: "token" }, token);
    const confirm = el("input", {
      type: "checkbox", name: "confirm", checked: settings.get("confirm"),
      onchange: () => settings.set("confirm", confirm.checked),
    });
    put(
      place,
      el(
        "div",
        { class: "narrow stack" },
        el("h1", {}, you.name),
        el("p", {}, `Rating ${you.rating}. Connected to ${session.welcome.server}.`),
        el(
          "section",
          { class: "panel stack" },
          el("h2", {}, "Playing"),
          el("label", { class: "check" }, confirm, "Confirm moves: choose a move twice to play it"),
        ),
        token && el(
          "section",
          { class: "panel stack" },
          el("h2", {}, "Token"),
          el("p", {}, "Whoever has it can play as you. Use it to sign in on another device, or for your bot."),
          el(
            "div",
            { class: "row" },
            button("Show", (event) => { shown.hidden = !shown.hidden; event.target.textContent = shown.hidden ? "Show" : "Hide"; }),
            button("Copy", () => navigator.clipboard.writeText(token).then(
              () => notices.show({ text: "The token is copied.", kind: "good" }),
              () => notices.show({ text: "This browser does not allow pages to copy. Show the token and copy it by hand.", kind: "warn" }),
            )),
          ),
          shown,
        ),
        button("Sign out of this browser", () => {
          const lost = "Without its token this account is lost. Have you saved the token?";
          if (token && !window.confirm(lost)) return;
          settings.set("token", "");
          session.leave();
        }, { class: "danger" }),
      ),
    );
  },
};
