package plan

import (
	"gamebots/bots/arena"
	"gamebots/internal/stats"
)

// Decided says what the test of a plan has decided of a table's first player: +1
// for the second of the two differences, -1 for the first, 0 for none yet or where
// there is no test.
//
// Of boards the differences are Elo and the test is arena.SPRT. Of poker they are
// mb a hand, and the means of deals are taken as normal, with the variance of the
// sample: a test that begins after some deals, for few say little of the variance.
func Decided(p *Plan, sum *Tally) int {
	if !p.Stop.Test() {
		return 0
	}
	score := &sum.Scores[0]
	if p.Kind == Board {
		test := arena.SPRT{Elo0: p.Stop.First, Elo1: p.Stop.Second}
		return test.Decided(arena.WinDrawLoss{Wins: score.Wins, Draws: score.Draws, Losses: score.Losses})
	}
	game, err := p.Acpc()
	if err != nil || sum.Units < fewest {
		return 0
	}
	chips := float64(game.MaxBlind()) / 1000
	low, high := p.Stop.First*chips, p.Stop.Second*chips
	sigma := score.StandardError(sum.Units)
	// (high-low)·(2·mean-high-low)/(2·variance of the mean)
	ratio := (high - low) * (2*score.Mean(sum.Units) - high - low) / (2 * sigma * sigma)
	return stats.SPRT(ratio)
}

// fewest is how many deals a test begins after.
const fewest = 100
