// Package configs loads the files that users write: settings in TOML, and poker game
// definitions.
//
// # Settings
//
// Each family of commands has a struct of settings: [Poker] for poker bots, [BoardBot] for
// board-game bots, [AbstractPlay] for a bot at that site, [Arena] for runs of the arena, [Abstraction] for card
// abstractions, [Menu] for raises, [Spot] for what to solve. Its values start as the defaults; [Load] sets those of a
// file, and then the overrides of a command line, in the form "table.key=value":
//
//	c := configs.DefaultPoker()
//	err := configs.Load("configs/poker.toml", &c, []string{"bot.seed=7"})
//
// Loading is strict. An unknown key, a value of the wrong type and a value out of range
// are each an [Error] with file, line and key, and all errors of a file are reported
// together. The example files in this folder are the manual: they explain every key, and
// a commented-out value is the default.
//
// # Game definitions
//
// The common poker games are embedded. [Game] reads one by its name, or any other by its
// path; [GameText] returns the text, and [Games] the names. Package acpc parses
// definitions.
//
// # Strategies and networks
//
// [Network] has the network of Havannah, which is embedded. Strategies are too large for that:
// [Strategy] finds the file of the one that comes with the program for a game.
package configs
