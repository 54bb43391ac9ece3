package lbr

import (
	"fmt"
	"math/rand/v2"

	"gamebots/acpc"
	"gamebots/internal/rng"
)

// Options are what the response may do.
type Options struct {
	Menu Menu
	// CallOnly are the rounds in which it only checks and calls.
	CallOnly [acpc.MaxRounds]bool
}

// Judge plays a local best response against players of a game. It may be used by several
// goroutines at once.
type Judge struct {
	options  Options
	equities *equities
}

// New returns a judge of players of a game of two.
func New(g *acpc.Game, o Options) (*Judge, error) {
	if g.NumPlayers != 2 {
		return nil, fmt.Errorf("%s has %d players: a local best response is for two", g.Name, g.NumPlayers)
	}
	return &Judge{o, newEquities(g)}, nil
}

// Outcome is what the response won in a deal, in chips a hand: the mean over both positions.
type Outcome struct {
	Won       float64 // chips
	Estimated float64 // the same without much of the luck, and with the same mean
}

// Deal plays one of the deals of a seed against a player, once from each position.
func (j *Judge) Deal(p Player, seed uint64, deal int) (Outcome, error) {
	stream := rng.Stream(rng.At(seed, uint64(deal)))
	state := j.equities.game.NewState(uint32(deal))
	acpc.NewShufflerFrom(rand.New(&stream)).Deal(&state)
	var out Outcome
	for position := range 2 {
		h := j.begin(p, state, position, func(probability []float64) int { return draw(probability, stream.Float64()) })
		if err := h.play(); err != nil {
			return Outcome{}, fmt.Errorf("deal %d: %w", deal, err)
		}
		out.Won += h.state.Value(position) / 2
		out.Estimated += h.estimate() / 2
	}
	return out, nil
}

// draw returns the number at x, in [0, 1), of a cumulative distribution.
func draw(probability []float64, x float64) int {
	last := -1
	for i, p := range probability {
		if p > 0 {
			last = i
			if x -= p; x < 0 {
				break
			}
		}
	}
	return last // the last possible one if rounding leaves a remainder
}
