package main

import (
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
)

// jobKinds returns the kinds of jobs that commands share with workers.
func jobKinds() grid.Kinds {
	kinds := jobs.Kinds()
	kinds[tournament.Kind] = arenaPlayers().Play
	return kinds
}
