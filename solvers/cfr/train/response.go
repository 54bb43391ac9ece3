package train

import (
	"cmp"
	"context"
	"math"
	"time"

	"gamebots/internal/rng"
	"gamebots/solvers/cfr/mccfr"
)

// Response has the winnings of a learned response against a strategy that cannot be
// evaluated exactly, ± half of the 95% interval, in the mean over the positions: a lower
// bound of exploitability in the abstract game, which for more than two players is NashConv
// divided by their number.
type Response struct {
	Iterations int     `json:"iterations"` // iterations in which it was learned
	Value      float64 `json:"value"`      // chips a hand
	Interval   float64 `json:"interval95"`
}

// A response is learned in as many iterations as the strategy, up to a number that
// takes about a minute in hold'em, and valued on a sample of deals.
const (
	maxResponseIterations = 10_000_000
	responseDeals         = 100_000
)

// ResponseIterations returns in how many iterations a response to a strategy is learned, by the
// iterations in which the strategy was trained.
func ResponseIterations(trained uint64) int { return int(min(trained, maxResponseIterations)) }

// Effort bounds how long a response learns. It ends with what comes first; 0 is no bound.
type Effort struct {
	Iterations uint64 // n in each position
	Time       time.Duration
}

// learn lets a response learn. progress, if not nil, is called with the part that is done. When ctx is done it stops,
// and returns the cause.
func (e Effort) learn(ctx context.Context, r *mccfr.Response, progress func(part float64)) error {
	const between = 1 << 10 // iterations between two looks at the clock
	most := cmp.Or(e.Iterations, math.MaxUint64)
	for start := time.Now(); r.Done < most && ctx.Err() == nil; {
		part := float64(r.Done) / float64(most)
		if e.Time > 0 {
			part = max(part, time.Since(start).Seconds()/e.Time.Seconds())
		}
		if part >= 1 {
			return nil
		}
		if progress != nil {
			progress(part)
		}
		r.Learn(min(r.Done+between, most))
	}
	return context.Cause(ctx)
}

// Answer has the responses that were learned to a strategy, and the best of them.
type Answer struct {
	// Learned are the responses, each with a seed of its own, valued on the same deals.
	Learned []Response
	// Best is the one that won most, valued again on other deals, so that the choice does
	// not favour it.
	Best Response
}

// LearnAnswer learns responses to the strategy of a table, each with the same effort, and
// values them. progress, if not nil, is called with the part that is done. When ctx is done it stops,
// and returns the cause.
func LearnAnswer(ctx context.Context, to *mccfr.Table, responses int, e Effort, seed uint64,
	progress func(part float64)) (*Answer, error) {
	a := &Answer{}
	var best *mccfr.Response
	for i := range responses {
		learned, err := to.NewResponse(seed + uint64(i))
		if err != nil {
			return nil, err
		}
		err = e.learn(ctx, learned, func(part float64) {
			if progress != nil {
				progress((float64(i) + part) / float64(responses))
			}
		})
		if err != nil {
			return nil, err
		}
		r, err := valued(ctx, learned, rng.At(seed, choiceDeals))
		if err != nil {
			return nil, err
		}
		if best == nil || r.Value > a.Best.Value {
			best, a.Best = learned, *r
		}
		a.Learned = append(a.Learned, *r)
	}
	r, err := valued(ctx, best, rng.At(seed, valueDeals))
	if err != nil {
		return nil, err
	}
	a.Best = *r
	return a, nil
}

// Each seed has deals of its own on which responses are chosen and valued, far from those of learning: the best
// response is valued on deals that it has neither met nor been chosen by.
const (
	valueDeals = iota
	choiceDeals
)

// valued values a response on deals of a seed.
func valued(ctx context.Context, r *mccfr.Response, seed uint64) (*Response, error) {
	value, interval, err := r.Value(ctx, responseDeals, seed)
	if err != nil {
		return nil, err
	}
	return &Response{Iterations: int(r.Done), Value: value, Interval: interval}, nil
}
