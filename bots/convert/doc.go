// Package convert converts records of games between formats: hands of poker (see
// package history) and games of Havannah and Nim.
//
//	acpc    a poker dealer's log
//	phh     poker hand histories, which are TOML
//	hgf     games of Havannah, a kind of SGF
//	text    games of Havannah and Nim, one a line
//	csv     a table, for other programs
//	jsonl   one JSON object a line, for other programs
//
// A [Job] reads and writes one record at a time, except for files of HGF, which it reads
// whole. Tables and JSON lines are only written.
package convert
