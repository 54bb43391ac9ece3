// The account, and what this browser stores.

import { allowNotifications } from "../alerts.js";
import { appear } from "../appearance.js";
import { copyButton } from "../copy.js";
import { button, choice, el, field, put } from "../dom.js";
import { profileOf } from "../people.js";
import { sizesOf } from "../poker/sizes.js";
import { alone } from "../server.js";

export const account = {
  path: "account",
  title: "Account",

  open({ session, settings, notices, alerts }, place) {
    const { you } = session;
    const token = settings.get("token");
    const shown = el("code", { hidden: true, class: "token" }, token);
    // toggle is the switch of a setting, which calls changed.
    const toggle = (name, label, changed = () => {}) => {
      const box = el("input", {
        type: "checkbox", name, checked: settings.get(name),
        onchange: () => { settings.set(name, box.checked); changed(box); },
      });
      return el("label", { class: "check" }, box, label);
    };
    const theme = choice("theme", [["", "as the system"], ["light", "light"], ["dark", "dark"]], settings.get("theme"));
    theme.addEventListener("change", () => { settings.set("theme", theme.value); appear(settings); });
    const sizes = el("input", {
      name: "sizes", value: settings.get("sizes"), autocomplete: "off", maxlength: 60,
      oninput: () => {
        const right = sizesOf(sizes.value);
        sizes.setCustomValidity(right ? "" : "Write sizes such as 33%, 75%, 2.5x");
        if (right) settings.set("sizes", sizes.value);
      },
    });
    const askToNotify = async (box) => {
      if (!box.checked) return;
      const why = await allowNotifications();
      if (!why) return;
      box.checked = false;
      settings.set("notify", false);
      notices.show({ text: why, kind: "warn" });
    };
    const others = el("p", {}, "Other tabs, devices or bots are connected as you now. If they are not yours, ask whoever runs the server for a new token.");
    const drawOthers = () => { others.hidden = session.connections < 2; };
    drawOthers();
    put(
      place,
      el(
        "div",
        { class: "narrow stack" },
        el("h1", {}, you.name),
        el("p", {}, el("a", { href: profileOf(you.name) }, "Your profile"), `. Connected to ${session.welcome.server}.`),
        el(
          "section",
          { class: "panel stack" },
          el("h2", {}, "Playing"),
          field("Sizes of bets on buttons at poker tables", sizes, "% of the pot, or times the bet: 33%, 75%, 2.5x"),
          toggle("blinds", "Amounts at poker tables in big blinds"),
          toggle("confirm", "Confirm moves: choose a move twice to play it"),
          toggle("sound", "Sounds: when it is your move, and when a game begins or ends", (box) => box.checked && alerts.play("accepted")),
          toggle("notify", "Notifications, while this page is in the background", askToNotify),
        ),
        el(
          "section",
          { class: "panel stack" },
          el("h2", {}, "Appearance"),
          field("Colours", theme),
          toggle("coordinates", "Coordinates at the boards", () => appear(settings)),
        ),
        token && !alone && el(
          "section",
          { class: "panel stack" },
          el("h2", {}, "Token"),
          el("p", {}, "Whoever has it can play as you. Use it to sign in on another device, or for your bot."),
          others,
          el(
            "div",
            { class: "row" },
            button("Show", (event) => { shown.hidden = !shown.hidden; event.target.textContent = shown.hidden ? "Show" : "Hide"; }),
            copyButton(notices, "The token", () => token),
          ),
          shown,
        ),
        !alone && button("Sign out of this browser", () => {
          const lost = "Without its token this account is lost. Have you saved the token?";
          if (token && !window.confirm(lost)) return;
          settings.set("token", "");
          session.leave();
        }, { class: "danger" }),
      ),
    );
    const ends = ["connections", "status"].map((type) => session.on(type, drawOthers));
    return () => ends.forEach((end) => end());
  },
};
