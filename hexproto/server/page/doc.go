// Package page is what people see of a game server: one page of HTML, CSS and
// ES modules, embedded in the program and served as it is written. Nothing is
// built, and nothing is loaded from elsewhere.
//
// [Handler] serves it. The page speaks hexproto over the websocket /ws beside
// it, as any other client does (docs/hexproto.md), and has no other way to the
// server but the records.
//
// # Where things are
//
//   - site/js/session.js is the connection, games.js the games as the server
//     tells them, clock.js what clocks show.
//   - site/js/views has the pages within the page; views.js lists them and says
//     what a view is, so that another one is a file and a line.
//   - site/js/boards has the pictures of games by the kind of their board;
//     boards.js lists them and says what a picture is.
//   - site/js/lobby and site/js/game have the parts of the two large views.
//   - site/css/theme.css has all colours, for light and dark.
//
// # Strangers
//
// Names and chat are written by strangers. Elements are made by dom.js, which
// knows text but no markup, and the headers of the page forbid the rest:
// scripts of other origins, inline scripts and styles, and, where the browser
// has trusted types, innerHTML and its relatives.
package page
