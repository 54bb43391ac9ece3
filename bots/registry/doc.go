// Package registry has the games of a server and the bots of gamebots by name.
//
// A bot's settings have the same keys wherever they come from. [Bot] takes those of a
// TOML file or of flags (configs.Engine), [Parse] reads them from a line such as
// "mcts,simulations=1000", and [NewPlayers] makes the players of an arena's entries.
// A new bot is one entry of the table makers.
//
// [Builtin] are the bots of a server for board games. [OpenPoker] opens the strategies of
// its bots for poker, and [Poker] makes these bots.
package registry
