// Package bridge plays a bot at a server of board games, all night: it answers
// challenges and makes its own, plays any number of games at a time, and takes
// them up again after a connection, the server or the bridge itself was lost.
//
// # What is promised
//
//   - A place is reserved before a challenge is accepted or made, so that there
//     are never more games than the settings allow.
//   - An engine is opened once for each game and lives as long as the game; it
//     is started again only after it failed, and so often as the settings say.
//     States that come twice, or in the middle of thinking, disturb it only if
//     the position has changed.
//   - A move is decided on once. It is sent again only after a new state has
//     shown the same position, in which the server did not have it.
//   - All waiting is bounded: a connection by pings, an engine by the clock.
//
// # Goroutines
//
// The Client's reading goroutine calls Welcome, Message and Lost, which only note
// what was said. Each game has a goroutine that decides what to do, and while its
// engine works another one for that. The lock guards the Bridge; a game has one
// of its own, taken second.
package bridge
