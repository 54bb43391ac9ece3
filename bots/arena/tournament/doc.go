// Package tournament plays the runs of the arena.
//
// [Players] makes the players: it knows the rules and bots of board games and how
// strategies are trained. It also makes the plan of a run (an [arena.Plan]), and has the
// kind of grid job, [Kind], that plays a shard of any plan on any machine:
//
//	players := &tournament.Players{Rules: …, Bot: …}
//	p, err := players.Plan(settings)
//	run, err := db.Begin(ctx, p, version, resume)
//	t := tournament.Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: players.Kinds()}}
//	err = t.Play(ctx)
//
// [Tournament.Play] gives a grid the shards that are not stored yet. A result is
// stored before the next one is taken, whole or not at all, and a shard that is
// played twice gives the same bytes. So a run that is killed at any moment and then
// resumed has the same results as an undisturbed one, if its players depend on
// nothing but their seeds.
//
// # Poker
//
// Players are strategies, plain opponents and programs. Without programs a table plays
// in this process. With one, all players sit at a dealer over TCP. Every order of the
// seats is a match, for which the program is started with host and port as last
// arguments, as in competitions.
//
// # Board games
//
// Shards are parts of an arena.Series. A player that fails loses the game.
//
// # Stopping early
//
// Where the plan has a sequential test, the results of a table count in the order of
// its shards, whatever the order in which they arrive, up to the shard that decides
// the test.
package tournament
