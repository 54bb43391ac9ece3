// Package web lets programs and the page of gamebots serve look at the runs of
// the arena, while they are played and after, over HTTP.
//
// [New] takes the database of the arena, which other programs write to. Its
// Handler answers GET requests with JSON:
//
//	/arena/runs                    all runs, the latest first ([Runs])
//	/arena/run?run=NAME            standings, tables and charts of one ([Run])
//	/arena/games?run=NAME&…        a list of its hands or games ([Games])
//	/arena/game?run=NAME&shard=N&index=I   one of them, to be replayed ([Game])
//
// A request to the first two with seen=VERSION, where VERSION is that of the last
// answer, waits until there is something new and is answered with 204 where that
// takes longer than twenty seconds; so whoever looks is up to date.
//
// Nothing is written, but for DELETE /arena/run?run=NAME: it removes a run, for
// whom [Config] lets.
//
// Errors are {"error": …, "hint": …} with a status from 400 on. The Handler may be
// used by any number of goroutines.
package web
