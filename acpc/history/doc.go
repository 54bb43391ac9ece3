// Package history reads and writes poker hand histories: the logs of an ACPC
// dealer, and the TOML-based poker hand history format PHH
// (https://phh.readthedocs.io). It also writes CSV tables and JSON lines for other
// programs.
//
// A [Hand] is a finished hand with the names and results of its players. A
// [LogReader] and a [PHHReader] return the hands of a file one by one, with file and
// line in their errors; [Hand.AppendLog], [Hand.AppendPHH], [Hand.AppendCSV] and
// [Hand.AppendJSON] write one. [Hands] returns those of several files, as hands of one game.
//
//	in := history.NewLogReader(file, "demo.log", game)
//	for {
//		h, err := in.Next() // io.EOF after the last
//		…
//		out, err = h.AppendPHH(out[:0], number)
//	}
//
// # Round trips
//
// A log converted to PHH and back is the same to the byte, comments and scores
// included; only blanks after the last end of line are lost. What PHH has no field
// for is kept in user-defined fields, which begin with an underscore:
//
//	_acpc_before, _acpc_after   lines of the log before and after the hand
//	_acpc_line                  the hand's line, where it differs from a dealer's
//	_acpc_first_position        the position of p1 where it is not 0
//	_acpc_game                  the game definition, for variant "ACPC"
//
// PHH's variants FT and NT are limit and no-limit hold'em; hands of such a game
// are written so that any reader of PHH can play them. Every other game gets the
// variant "ACPC" of this program: the first hand of a game has its definition, which
// also holds for the hands after it. A limit hand in which the original dealer let a
// short stack lower the bet has this variant too.
//
// Files of other programs may be of the variants FT and NT, with straddles, unknown
// cards and stacks that differ from hand to hand. What a log cannot express is an
// error: an unfinished hand, antes beside blinds, fractions of chips (see
// [PHHReader.Scale]), and cards mucked at a showdown without finishing_stacks.
//
// Readers and writers are not safe for concurrent use.
package history
