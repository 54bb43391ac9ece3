// Package history reads and writes hands of poker that were played: the logs of
// an ACPC dealer, and the poker hand history format PHH
// (https://phh.readthedocs.io), which is TOML. It also writes tables (CSV) and
// JSON lines for other programs.
//
// A [Hand] is a finished hand with the names and results of its players. A
// [LogReader] and a [PHHReader] return one after the other, with file and line
// in their errors; [Hand.AppendLog], [Hand.AppendPHH], [Hand.AppendCSV] and
// [Hand.AppendJSON] write one.
//
//	in := history.NewLogReader(file, "demo.log", game)
//	for {
//		h, err := in.Next() // io.EOF after the last
//		…
//		out, err = h.AppendPHH(out[:0], number)
//	}
//
// # What survives
//
// A log that becomes PHH and a log again is the same to the byte, comments and
// scores included, but for blanks at the end of a file that does not end with a
// line. What PHH has no field for is in fields of users, which begin with an
// underscore:
//
//	_acpc_before, _acpc_after   lines of the log before and after the hand
//	_acpc_line                  the hand's line, where a dealer would write another
//	_acpc_first_position        the position of p1 where it is not 0
//	_acpc_game                  the game definition, for variant "ACPC"
//
// PHH's variants FT and NT are limit and no-limit hold'em; hands of such a game
// are written so that any reader of PHH can play them. Every other game is of
// the variant "ACPC", which is ours: the definition is in the first hand of a
// file that has it, and is that of the hands after it. So is a limit hand in
// which the original dealer let a short stack lower the bet.
//
// Of the files of others FT and NT are read, with straddles, unknown cards and
// stacks that differ from hand to hand. What a log cannot say is an error: a
// hand that is not over, antes beside blinds, chips in fractions (see
// [PHHReader.Scale]), cards that were mucked at a showdown without
// finishing_stacks.
//
// A reader and a writer belong to one goroutine at a time.
package history
