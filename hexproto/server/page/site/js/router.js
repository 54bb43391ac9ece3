// Which view is shown: the one whose path is in the address after #/.

import { el, put } from "./dom.js";

// route shows views in a place as the address and the session change.
export function route(app, place, views) {
  let close = null;
  let shown = null;

  function show() {
    const { view, params, path } = find(app, views);
    if (shown === path) return;
    shown = path;
    close?.();
    document.title = `${view.title} · gamebots`;
    put(place, el("p", { class: "empty" }, "…"));
    close = view.open(app, place, params) ?? null;
    document.dispatchEvent(new CustomEvent("view", { detail: view }));
  }

  addEventListener("hashchange", () => {
    show();
    scrollTo(0, 0);
    place.focus({ preventScroll: true });
  });
  app.session.on("status", show);
  show();
}

// find returns the view of the address. Whoever is not signed in is asked to,
// unless the view is free.
function find({ session }, views) {
  const path = location.hash.replace(/^#\/?/, "");
  const [name, ...params] = path.split("/").map(decode);
  const view = Object.values(views).find((v) => v.path === name) ?? views.lobby;
  const signedIn = session.welcome !== null;
  if (!signedIn && !view.free) return { view: views.enter, params: [], path: "enter" };
  return { view, params, path };
}

// decode reads a part of an address; one that cannot be read is as it is.
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
