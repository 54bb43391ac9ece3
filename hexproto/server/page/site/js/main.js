// The start of the page: what all views share, and the router.

import { Alerts } from "./alerts.js";
import { appear } from "./appearance.js";
import { showConnection, showNav } from "./chrome.js";
import { Games } from "./games.js";
import { Invitations } from "./invitations.js";
import { announce, Notices } from "./notices.js";
import { route } from "./router.js";
import { alone } from "./server.js";
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

// A link with #/enter/TOKEN signs in; the token does not stay in the address.
const [, invited] = /^#\/enter\/(.+)$/.exec(location.hash) ?? [];
if (invited) {
  settings.set("token", decodeURIComponent(invited));
  history.replaceState(null, "", "#/");
}

session.on("welcome", ({ token }) => token && settings.set("token", token));
session.on("problem", (error) => app.notices.error(error));

app.invitations = new Invitations(app);
app.alerts = new Alerts(app);
showNav(document.getElementById("nav"), views, app);
showConnection(document.getElementById("connection"), app);
route(app, document.getElementById("place"), views);

const token = settings.get("token");
if (alone) session.enter(alone);
else if (token) session.enter({ token });
