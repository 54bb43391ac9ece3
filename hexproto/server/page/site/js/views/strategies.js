// The strategies for poker: those that are there lead to their decisions, others can be loaded.

import { strategyList } from "../archive.js";
import { button, el, put } from "../dom.js";
import { Progress } from "../progress.js";
import { store } from "../server.js";

export const strategies = {
  path: "strategies",
  title: "Strategies",
  nav: "Strategies",

  open({ session, settings, notices, announce }, place) {
    const progress = new Progress();
    const list = el("ul", { class: "list" });
    const titleOf = (game) => session.rules(game)?.title ?? game;
    let busy = false;

    const megabytes = (game) => `Load ${(store.sizes.get(game) / 1e6).toFixed(1)} MB`;
    const loadFile = async (game) => {
      busy = true;
      draw();
      try {
        await store.load([game]);
        store.keep();
        announce(`The strategy for ${titleOf(game)} is loaded.`);
      } catch (error) {
        notices.show({ title: "The strategy could not be loaded", text: error.message, kind: "bad" });
      }
      busy = false;
      progress.clear();
    };
    const row = (game, ...controls) => el("li", { class: "row spread choices" }, el("span", {}, titleOf(game)), el("span", { class: "row" }, controls));
    const draw = async () => {
      const there = await strategyList(settings).catch((error) => (notices.error(error), []));
      put(list, there.map(({ game, bot }) => row(
        game,
        el("a", { class: "button", href: `#/strategy/${encodeURIComponent(game)}/${encodeURIComponent(bot)}`, "aria-label": `Look at it: ${titleOf(game)}` }, "Look at it"),
        el("a", { class: "button", href: `#/challenge/${encodeURIComponent(bot)}/${encodeURIComponent(game)}`, "aria-label": `Play against it: ${titleOf(game)}` }, "Play against it"),
      )), store && [...store.sizes.keys()].filter((game) => !store.loaded.has(game)).map((game) => row(
        game, button(megabytes(game), () => loadFile(game), { disabled: busy, "aria-label": `${megabytes(game)}: ${titleOf(game)}` }),
      )));
    };
    put(place, el(
      "div",
      { class: "narrow stack" },
      el("h1", {}, "Strategies"),
      el("p", { class: "lead" }, "Solved poker: look at what a strategy does with each hand, or play against it and have your decisions judged.", store && " The large ones are loaded when you ask for them, and stay in this browser."),
      el("section", { class: "panel stack", "aria-label": "strategies" }, list, progress.element),
    ));
    draw();
    const ends = [store?.program.on("progress", (news) => progress.show(news)) ?? (() => {}), session.on("welcome", draw)];
    return () => ends.forEach((end) => end());
  },
};
