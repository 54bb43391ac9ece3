// Package configs reads what a user writes: settings in TOML files and game
// definitions.
//
// # Settings
//
// Each family of commands has a struct of settings; [Poker] is the one of
// poker bots. A value starts as its default, [Load] puts a file over it and
// then the overrides of a command line, in the form "table.key=value":
//
//	c := configs.DefaultPoker()
//	err := configs.Load("configs/poker.toml", &c, []string{"bot.seed=7"})
//
// Loading is strict. An unknown key, a value of the wrong type and a value
// out of its range are each an [Error] that names file, line and key, and all
// of those in a file are reported together. The example files in this folder
// are the manual: they explain every key, and a commented-out value is the
// default.
//
// # Game definitions
//
// The usual poker games are part of the program. [GameText] finds one by its
// name, and any other by its path; [Games] lists the names. What a definition
// means is the business of package acpc.
package configs
