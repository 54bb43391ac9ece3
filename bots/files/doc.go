// Package files recognizes the files of this program, checks each as the program reads it, and converts records of
// games.
//
// [Check] tries the kinds of files in turn: settings, snakes, strategies, networks, checkpoints, buckets, games of
// Gambit and lrsnash, records of Havannah, and game definitions. What it finds is a [Finding]: a line about the file,
// what the program understood, and warnings. It writes itself for people or as JSON.
//
// A [Job] converts records between formats, hands of poker (see package history) and games of Havannah and Nim, one
// record at a time except for files of HGF, which it reads whole. [Export] writes the games of a run of the arena.
//
//	acpc    a poker dealer's log
//	phh     poker hand histories, which are TOML
//	hgf     games of Havannah, a kind of SGF
//	text    games of Havannah and Nim, one a line
//	csv     a table, for other programs
//	jsonl   one JSON object a line, for other programs
//
// Tables and JSON lines are only written.
package files
