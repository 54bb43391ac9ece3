// Package export writes what a run of the arena has played for other programs: hands
// as ACPC logs, PHH, tables and JSON lines, board games as HGF, text, tables and
// JSON lines. A log is one that a dealer writes, header, cards, values and score,
// and gamebots replay finds it right.
//
//	n, err := export.Write(ctx, w, db, run, rules, convert.ACPC)
package export
