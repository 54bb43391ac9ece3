package main

import (
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
)

// jobKinds are the kinds of jobs that gamebots work does, and every command that
// spreads its work.
func jobKinds() grid.Kinds {
	return grid.Kinds{
		"wait":             jobs.Wait,
		jobs.NashKind:      jobs.NashJob(),
		jobs.SnakeRunsKind: jobs.SnakeRunsJob,
		jobs.SnakeBeamKind: jobs.SnakeBeamJob,
		valueKind:          valueJob(),
		// Sessions stay open, with the strategies of the latest runs.
		tournament.Kind: arenaPlayers().Play,
	}
}
