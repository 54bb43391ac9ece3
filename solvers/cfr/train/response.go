package train

import "context"

// Response has the winnings of a learned response against a strategy that cannot be
// evaluated exactly, ± half of the 95% interval: a lower bound of exploitability in the
// abstract game.
type Response struct {
	Iterations int     `json:"iterations"` // of learning it
	Value      float64 `json:"value"`      // chips a hand
	Interval   float64 `json:"interval95"`
}

// A response is learned in as many iterations as the strategy, up to a number that
// takes about a minute in hold'em, and valued on a sample of deals.
const (
	maxResponseIterations = 10_000_000
	responseDeals         = 100_000
)

// CanRespond reports whether Respond is possible: for algorithms that sample, in games
// of two players, with enough memory.
func (t *Training) CanRespond() bool { return t.responds }

// Respond learns a response to the average strategy and values it. progress, if not nil,
// is called with the part that is done. When ctx is done it stops, and returns the cause.
func (t *Training) Respond(ctx context.Context, progress func(part float64)) (*Response, error) {
	r := &Response{Iterations: int(min(t.Iterations(), maxResponseIterations))}
	learned, err := t.sampler.Respond(ctx, r.Iterations, t.Spec.Seed+1, progress)
	if err != nil {
		return nil, err
	}
	if r.Value, r.Interval, err = learned.Value(ctx, responseDeals, 1); err != nil {
		return nil, err
	}
	return r, nil
}
