// Package store keeps the runs of the arena in one SQLite file: the plan of each run, and
// the results of its shards.
//
// The result of a shard is one row: a blob of packed games with its tally. A row for
// each hand would take longer than playing the hand. A result is stored whole or not at
// all, and once. The file is in WAL mode: any number of programs may read while one
// writes.
//
// # Reading
//
//	s, err := store.OpenReadOnly(ctx, "arena.db")
//	run, err := s.Run(ctx, "five") // or s.Runs(ctx)
//	fmt.Println(run.Plan.Names(0), run.Stored, "of", run.Shards())
//
// [Store.Tallies] returns the tallies of the stored shards. plan.Sum adds them by table:
//
//	for table, tally := range plan.Sum(run, results) { … }
//
// [Store.Hands] plays every stored hand of a poker run again, with all cards, positions
// and winnings; a deal appears once for each seat order. [Store.BoardGames] returns the
// games of a board run, in pairs of an opening. Both return the same, byte for byte,
// however often the run was interrupted.
//
// # Errors
//
// An [Error] names the file, and has advice about a full disk or a damaged file.
// Each result has a checksum.
package store
