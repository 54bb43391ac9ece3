// Signing in by a link with #/enter/TOKEN.

import { button } from "./dom.js";
import { decode } from "./router.js";

const LONGEST = 100; // letters of a token: the server ends the connection of a hello that is too long

// followLinks follows the link of the address, and later ones. The token does not stay in the
// address. Who is signed in already is asked, and keeps that account unless the server knows the token.
export function followLinks({ session, settings, notices }) {
  let token = ""; // of the link, until it is known who is signed in

  const take = () => {
    const [, link] = /^#\/enter\/(.+)$/.exec(location.hash) ?? [];
    if (!link) return;
    history.replaceState(null, "", "#/");
    token = decode(link).slice(0, LONGEST);
    follow();
  };

  const follow = () => {
    const { status } = session;
    if (!token || status === "connecting" || status === "lost") return;
    const wanted = token;
    token = "";
    const kept = settings.get("token");
    if (kept && wanted !== kept) ask(wanted);
    else if (status !== "open") signIn(wanted);
  };

  const ask = (wanted) => {
    const name = session.you?.name ?? "another";
    const close = notices.show({
      title: `You are signed in as ${name}. Sign in as another?`, key: "enter",
      text: `You have followed a link that does. Without its token, which the account page shows, ${name} is lost.`,
      actions: [button("Sign in as another", () => { close(); signIn(wanted); })],
    });
  };

  const signIn = (wanted) => {
    const kept = settings.get("token");
    session.enter({ token: wanted });
    const off = session.on("status", (status) => {
      if (status !== "open" && status !== "refused") return;
      off();
      if (!kept || kept === wanted) return;
      if (status === "open") return setTimeout(() => location.reload()); // without the games of the other account
      notices.error(session.problem);
      session.enter({ token: kept });
    });
  };

  session.on("status", follow);
  addEventListener("hashchange", take);
  take();
}
