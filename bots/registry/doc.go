// Package registry has the games of a server and the bots of gamebots by name.
//
// A bot's settings have the same keys wherever they come from. [Bot] takes those of a
// TOML file or of flags (configs.Engine), [Parse] reads them from a line such as
// "mcts,simulations=1000", and [NewPlayers] makes the players of an arena's entries.
// A new bot is one entry of the table makers.
//
// [Builtin] are the bots of a server for board games. [OpenPoker] opens the strategies of
// its bots for poker, and [Poker] makes these bots. An [Advisor] judges decisions by a
// strategy for the players: how often it would take each action, what each action wins on
// average if all go on by the strategy, and what a match would have been won or lost by
// without luck.
package registry
