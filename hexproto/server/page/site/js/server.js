// The server of the page, which is the one that it came from. The page of "make web" has other
// files in place of this one and of views/more.js: its server is in the page itself.

// STORE is the name of what the browser stores for the page.
export const STORE = "gamebots";

// alone is the hello of a page whose server has one player and no accounts, else null.
export const alone = null;

// SILENCE is how long no message may come, in ms, until a connection counts as lost.
export const SILENCE = 25_000;

// keeps reports whether the account will be there when the page is loaded again.
export const keeps = () => true;

// connect opens a websocket.
export function connect() {
  const url = new URL("ws", location.href);
  url.protocol = url.protocol.replace("http", "ws");
  url.hash = "";
  return new WebSocket(url);
}

// request asks for a path, with the token of an account or "", until a signal ends that, and sends a file if there is one.
export const request = (path, token, signal, body) => fetch(path, { method: body ? "POST" : "GET", body, headers: token ? { Authorization: `Bearer ${token}` } : {}, signal });

// store loads more strategies: the page of "make web" has one.
export const store = null;
