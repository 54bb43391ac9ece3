// Package page is the page of a game server: HTML, CSS and ES modules, embedded in the
// program. The program sends all modules as one file, and all sheets as another, of the
// text that is written: there is no build step, and nothing is loaded from elsewhere.
//
// [Handler] serves it. The page speaks hexproto over the websocket /ws beside it, like
// any other client (docs/hexproto.md). Its other requests are for records.
//
// # Structure
//
//   - site/js/session.js is the connection, games.js the state of games, clock.js the
//     display of clocks.
//   - site/js/views has the views; views.js lists them and defines what a view is, so a
//     new one is a file and a line.
//   - site/js/boards has the drawings of games by the kind of their board; boards.js
//     lists them and defines what a drawing is.
//   - site/js/lobby and site/js/game have the parts of the large views; site/js/poker has
//     the table of a hand, its actions and its texts.
//   - site/css/theme.css has all colours, for light and dark.
//
// # Untrusted text
//
// Names and chat are untrusted. dom.js makes elements from text, never from markup. The
// headers of the page forbid the rest: scripts of other origins, inline scripts and
// styles, and, in browsers with trusted types, innerHTML and the like.
package page
