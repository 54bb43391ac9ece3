package plan

import (
	"math"

	"gamebots/bots/arena"
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
		return test.Decided(arena.Standing{Wins: score.Wins, Draws: score.Draws, Losses: score.Losses})
	}
	game, err := p.Acpc()
	if err != nil || sum.Units < fewest {
		return 0
	}
	chips := float64(game.MaxBlind()) / 1000
	low, high := p.Stop.First*chips, p.Stop.Second*chips
	error := score.StandardError(sum.Units)
	// (high-low)·(2·mean-high-low)/(2·variance of the mean)
	ratio := (high - low) * (2*score.Mean(sum.Units) - high - low) / (2 * error * error)
	switch {
	case math.IsNaN(ratio):
		return 0
	case ratio >= bound:
		return 1
	case ratio <= -bound:
		return -1
	}
	return 0
}

// fewest is how many deals a test begins after.
const fewest = 100

// bound is where the logarithm of the likelihoods' ratio decides, with one error of
// each kind in twenty.
var bound = math.Log(0.95 / 0.05)
