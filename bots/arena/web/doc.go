// Package web serves the runs of the arena over HTTP, while they are played and after,
// to the page of gamebots serve and to programs.
//
// [New] opens the database of the arena, to which other programs write. The Handler
// answers GET requests with JSON:
//
//	/arena/runs                    all runs, the latest first ([Runs])
//	/arena/run?run=NAME            standings, tables and charts of one ([Run])
//	/arena/games?run=NAME&…        a list of its hands or games ([Games])
//	/arena/game?run=NAME&shard=N&index=I   one of them, to be replayed ([Game])
//
// A request to the first two with seen=VERSION, the version of the last answer, waits for
// a newer one. After twenty seconds without news the answer is 204.
//
// Only DELETE /arena/run?run=NAME writes: it removes a run, if [Config] allows that.
//
// Errors are {"error": …, "hint": …} with a status from 400 on. The Handler may be
// used by any number of goroutines.
package web
