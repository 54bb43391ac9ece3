// The views of the page. A view is
//
//   path     the first part of its address after #/
//   title    for the window
//   nav      its name in the navigation, if it is there
//   open(app, place, params)
//            shows it in an element and returns a function that ends it, if there
//            is something to end; params are the other parts of the address
//
// A new one is a file here and a line below.

import { account } from "./account.js";
import { enter } from "./enter.js";
import { game } from "./game.js";
import { lobby } from "./lobby.js";
import { records } from "./records.js";

export const views = { lobby, game, records, account, enter };
