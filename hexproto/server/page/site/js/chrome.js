// The bar at the top: navigation, and how the connection is.

import { button, el, put } from "./dom.js";

export function showNav(nav, views, session) {
  const links = Object.values(views).filter((v) => v.nav).map((view) => [view, el("a", { href: `#/${view.path}` }, view.nav)]);
  put(nav, links.map(([, link]) => link));
  const draw = () => { nav.hidden = !session.welcome; };
  session.on("status", draw);
  draw();
  document.addEventListener("view", ({ detail }) => {
    for (const [view, link] of links) {
      if (view === detail) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  });
}

export function showConnection(place, { session }) {
  let shown = "";
  const draw = () => {
    const { status, you } = session;
    if (status === shown) return;
    shown = status;
    place.dataset.status = status;
    put(place, {
      open: () => [el("span", { class: "dot" }), el("span", { class: "unseen" }, "connected as "), el("a", { href: "#/account" }, you.name)],
      connecting: () => [el("span", { class: "dot" }), "connecting…"],
      lost: () => [el("span", { class: "dot" }), "no connection, trying again", button("Now", () => session.retry(), { class: "quiet" })],
      refused: () => [],
      out: () => [],
    }[status]());
  };
  session.on("status", draw);
  session.on("latency", (ms) => { place.title = `${ms} ms to the server and back`; });
  draw();
}
