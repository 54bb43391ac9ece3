// The views of the page. A view is
//
//   path     the first part of its address after #/
//   title    for the window
//   nav      its name in the navigation, if it is there
//   open(app, place, params)
//            shows it in an element and may return a function that ends it;
//            params are the other parts of the address
//
// A new one is a file here and a line below.

import { account } from "./account.js";
import { enter } from "./enter.js";
import { game } from "./game.js";
import { join } from "./join.js";
import { challenge, lobby } from "./lobby.js";
import { more } from "./more.js";
import { player } from "./player.js";
import { record } from "./record.js";
import { records } from "./records.js";
import { spot } from "./spot.js";
import { strategies } from "./strategies.js";
import { strategy } from "./strategy.js";

export const views = { lobby, challenge, game, join, player, record, records, strategies, spot, strategy, account, enter, ...more };
