// Package export writes the games of a run for other programs: hands as ACPC logs, PHH,
// tables and JSON lines, board games as HGF, text, tables and JSON lines. A log is what
// a dealer writes, with header, cards, values and score.
//
//	n, err := export.Write(ctx, w, db, run, rules, convert.ACPC)
package export
