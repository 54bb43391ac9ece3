package havannahbot

import "gamebots/hexproto"

// EvenMargin is how far from 1/2 an even opening's value may be: from openings between 40% and 60%, the player to move
// wins most games of Havannah on side 5.
const EvenMargin = 0.03

// MinEven is the least number of simulations that can tell an even opening: with fewer, the standard error of a share
// is more than half of the margin.
const MinEven = 1200

// EvenJudge returns a judge of openings for a series with EvenMargin, which searches with at least MinEven simulations.
func EvenJudge(simulations uint64) hexproto.Bot {
	return Bot(MCTS{Simulations: int(min(simulations, 1<<30)), Memory: 64 << 20})
}
