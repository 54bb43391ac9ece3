// The bar at the top: navigation, and the state of the connection.

import { button, el, put, set } from "./dom.js";

export function showNav(nav, views, { session }) {
  const links = Object.values(views).filter((v) => v.nav).map((view) => [view, el("a", { href: `#/${view.path}` }, view.nav)]);
  put(nav, links.map(([, link]) => link));
  let shown = null; // the view
  const draw = () => {
    nav.hidden = !session.welcome;
    for (const [view, link] of links) set(link, { "aria-current": view === shown ? "page" : null });
  };
  session.on("status", draw);
  draw();
  document.addEventListener("view", ({ detail }) => { shown = detail; draw(); });
}

export function showConnection(place, { session }) {
  let shown = "";
  const draw = () => {
    const { status, you, connections } = session;
    if (`${status} ${connections}` === shown) return;
    shown = `${status} ${connections}`;
    place.dataset.status = status;
    put(place, {
      open: () => [el("span", { class: "dot" }), el("span", { class: "unseen" }, "connected as "), el("a", { href: "#/account" }, you.name), connections > 1 && shared(connections)],
      connecting: () => [el("span", { class: "dot" }), el("span", { class: "wordy" }, "connecting…")],
      lost: () => [el("span", { class: "dot" }), el("span", {}, "offline", el("span", { class: "wordy" }, ", trying again")), button("Now", () => session.retry(), { class: "quiet" })],
      refused: () => [],
      out: () => [],
    }[status]());
  };
  for (const type of ["status", "connections"]) session.on(type, draw);
  session.on("latency", (ms) => { place.title = `${ms} ms to the server and back`; });
  draw();
}

// shared says that the account has other connections than this page's.
function shared(connections) {
  const words = `${connections} connections of this account: other tabs, devices or bots have its token`;
  return el("small", { class: "tag", title: words }, el("span", { "aria-hidden": "true" }, `${connections}×`), el("span", { class: "unseen" }, words));
}
