// Package convert takes records of games from one format to another: hands of
// poker (see package history) and games of Havannah and Nim.
//
//	acpc    a poker dealer's log
//	phh     poker hand histories, which are TOML
//	hgf     games of Havannah, a kind of SGF
//	text    games of Havannah and Nim, one a line
//	csv     a table, for other programs
//	jsonl   one JSON object a line, for other programs
//
// Convert reads and writes a game at a time but for HGF, which is read whole.
// Tables and JSON lines are only written: they are for looking at, not to come
// back from.
package convert
