// Package tournament plays the runs of the arena.
//
// A [House] knows what there is to play with: the rules and bots of board games,
// how strategies are trained. It makes a plan of settings (see package plan), and
// has the kind of job, [Kind], that plays a shard of any plan, on any machine:
//
//	house := &tournament.House{Rules: …, Bot: …}
//	plan, err := house.Plan(settings)
//	run, err := db.Begin(ctx, plan, version, resume)
//	t := tournament.Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: house.Kinds()}}
//	err = t.Play(ctx)
//
// [Tournament.Play] gives a grid the shards whose results are not stored yet. A
// result is stored before the next is taken, whole or not at all, and a shard
// that is played twice gives the same bytes. So a run that is killed at any
// moment and gone on with comes to the results of one that nobody disturbed, if
// its players depend on nothing but their seeds.
//
// # Poker
//
// Players are strategies, plain opponents and programs. Without programs a table
// plays in process. With one, all sit at a dealer's over TCP: a match for each
// order of the seats, for which the program is started anew with host and port as
// last arguments, as competitions do.
//
// # Boards
//
// The shards are those of an arena.Series. A player that fails loses the game.
//
// # Stopping early
//
// Where the plan has a test, the results of a table count shard by shard in their
// order, whatever the order in which they come, up to the one that decides it.
package tournament
