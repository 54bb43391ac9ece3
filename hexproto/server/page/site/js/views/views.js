// The views of the page. A view is
//
//   path     the first part of its address after #/
//   title    for the window
//   nav      its name in the navigation, if it is there
//   of       the path of the view that it belongs to, for the navigation
//   free     shown to whoever has not signed in, too
//   open(app, place, params)
//            shows it in an element and returns a function that ends it, if there
//            is something to end; params are the other parts of the address
//
// A new one is a file here and a line below.

import { account } from "./account.js";
import { arena } from "./arena.js";
import { enter } from "./enter.js";
import { game } from "./game.js";
import { lobby } from "./lobby.js";
import { records } from "./records.js";
import { replay } from "./replay.js";
import { run } from "./run.js";

export const views = { lobby, game, records, arena, run, replay, account, enter };
