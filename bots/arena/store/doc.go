// Package store keeps the runs of the arena in one SQLite file: what is played,
// and the result of every shard of it.
//
// A [Run] has a plan (see package plan), from which every shard's cards,
// openings and seats follow. The result of a shard is one row, a blob of packed
// games with its tally, for a row a hand would take longer than the hand. It is
// stored whole or not at all, and once. The file is in WAL mode: any number of
// programs may read while one writes.
//
// # Reading
//
//	s, err := store.View(ctx, "arena.db")
//	run, err := s.Run(ctx, "five") // or s.Runs(ctx)
//	fmt.Println(run.Plan.Names(0), run.Stored, "of", run.Shards())
//
// Standings are made of tallies, each a sum over the units (deals, openings) of a
// shard. [Store.Tallies] returns them, and later only what is new since; [Sum] adds
// them up by table, in an order that does not depend on that of the playing:
//
//	for table, tally := range store.Sum(run, tallies) { … }
//
// [Store.Hands] plays every hand of a poker run again, with all cards, who had
// which position, and what everybody won; a deal (table, number) appears once for
// each order of the seats. [Store.BoardGames] returns the games of a board run, in
// pairs of an opening. Both are complete for what is stored and need nothing else,
// and are the same, byte for byte, however often a run was interrupted.
//
// # Errors
//
// An [Error] names the file, and has a Hint for who sees it: a full disk, a
// damaged file, a file of something else. Each result has a checksum.
package store
