// Package bridge plays a bot at a server of board games: it answers challenges and
// makes its own, plays any number of games at a time, and resumes them after the
// connection, the server or the bridge itself failed.
//
// # Guarantees
//
//   - A slot is reserved before a challenge is accepted or made, so there are never
//     more games than the settings allow.
//   - An engine is opened once for each game and lives as long as the game. It is
//     started again only after a failure, as often as the settings allow. A state
//     that comes twice, or while the engine thinks, disturbs it only if the position
//     has changed.
//   - A move is decided once. It is sent again only after a new state has shown the
//     same position without it.
//   - Every wait is bounded: for a connection by pings, for an engine by the clock.
//
// # Goroutines
//
// The client's reading goroutine calls Welcome, Message and Lost, which only update
// the state of games. Each game has a goroutine that decides its next step, and a second
// one while its engine works. One lock guards the Bridge; the state of each game has
// a lock of its own, which is taken second.
package bridge
