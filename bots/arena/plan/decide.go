package plan

import (
	"gamebots/bots/arena"
	"gamebots/internal/stats"
)

// Decided returns the decision of a plan's sequential test about a table's first player:
// +1 for the second of the two differences, -1 for the first, 0 while there is none or
// without a test.
//
// At board games the differences are in Elo and the test is arena.SPRT, by openings. At poker they
// are in mb a hand; the means of deals are taken as normal, with the variance of the
// sample. That test begins after some deals, since few tell little of the variance.
func Decided(p *Plan, sum *Tally) int {
	if !p.Stop.Test() {
		return 0
	}
	score := &sum.Scores[0]
	if p.Kind == Board {
		test := arena.SPRT{Elo0: p.Stop.First, Elo1: p.Stop.Second}
		variance := float64(sum.Units) * score.Uncertainty(sum.Units).Variance
		return test.Decided(sum.Units, score.Mean(sum.Units), variance)
	}
	game, err := p.Acpc()
	if err != nil || sum.Units < minDeals {
		return 0
	}
	chips := float64(game.MaxBlind()) / 1000
	low, high := p.Stop.First*chips, p.Stop.Second*chips
	ratio := (high - low) * (2*score.Mean(sum.Units) - high - low) / (2 * score.Uncertainty(sum.Units).Variance)
	return stats.SPRT(ratio)
}

// minDeals is the number of deals after which a test begins.
const minDeals = 100
