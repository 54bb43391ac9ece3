// The router shows the view whose path is in the address after #/.

import { el, put } from "./dom.js";

// route shows views in an element, and follows the address and the session.
export function route(app, place, views) {
  let close = null;
  let shown = null;

  function show() {
    const { view, params, path } = find(app, views);
    if (shown === path) return;
    shown = path;
    const focused = place.contains(document.activeElement);
    close?.();
    document.title = `${view.title} · gamebots`;
    put(place, el("p", { class: "empty" }, "…"));
    close = view.open(app, place, params) ?? null;
    if (focused && !place.contains(document.activeElement)) place.focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("view", { detail: view }));
  }

  // stay changes the address, so that the view is as it is now when the page is loaded again.
  app.stay = (hash) => {
    history.replaceState(null, "", hash);
    shown = find(app, views).path;
  };

  addEventListener("hashchange", () => {
    show();
    scrollTo(0, 0);
    place.focus({ preventScroll: true });
  });
  app.session.on("status", show);
  show();
}

// find returns the view of the address. Without an account it is the one for signing
// in; its parameters are then the address. With one it never is: a new name would cost the account its token.
function find({ session }, { enter, ...views }) {
  const path = location.hash.replace(/^#\/?/, "");
  const [name, ...params] = path.split("/").map(decode);
  const view = Object.values(views).find((v) => v.path === name) ?? views.lobby;
  if (session.welcome === null) return { view: enter, params: [name, ...params], path: `enter/${path}` };
  return { view, params, path };
}

// decode decodes a part of an address, if it can be decoded.
export function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
