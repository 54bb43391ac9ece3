// The start of the page: what all views share, and the router.

import { Alerts } from "./alerts.js";
import { appear } from "./appearance.js";
import { showConnection, showNav } from "./chrome.js";
import { Games } from "./games.js";
import { Invitations } from "./invitations.js";
import { followLinks } from "./links.js";
import { announce, Notices } from "./notices.js";
import { route } from "./router.js";
import { alone, keeps } from "./server.js";
import { Session } from "./session.js";
import { settings } from "./settings.js";
import { views } from "./views/views.js";

appear(settings);

const session = new Session();

// app is what every view is given.
const app = {
  session,
  settings,
  games: new Games(session),
  notices: new Notices(document.getElementById("notices")),
  announce,
  // go shows another view: go("game", id).
  go: (...path) => { location.hash = "/" + path.map(encodeURIComponent).join("/"); },
};

// A token is stored once the server knows it.
session.on("welcome", () => {
  const { token } = session;
  if (token && keeps() && token !== settings.get("token")) settings.set("token", token);
});
session.on("problem", (error) => app.notices.error(error));

app.invitations = new Invitations(app);
app.alerts = new Alerts(app);

const token = settings.get("token");
if (token) session.enter({ token });
else if (alone) session.enter(alone);
if (alone && token) session.on("status", (status) => status === "refused" && session.token && session.enter(alone)); // its games are gone
if (!alone) followLinks(app); // before the router sees the address

document.addEventListener("view", () => announce("")); // what was said of another view is over

showNav(document.getElementById("nav"), views, app);
showConnection(document.getElementById("connection"), app);
route(app, document.getElementById("place"), views);
