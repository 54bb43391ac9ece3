package train

import "context"

// Response is what a learned response wins from a strategy that cannot be
// evaluated exactly, ± half of its 95% interval: a lower bound of exploitability
// in the abstract game.
type Response struct {
	Iterations int     `json:"iterations"` // of learning it
	Value      float64 `json:"value"`
	Interval   float64 `json:"interval95"`
}

// A response is learned in as many iterations as the strategy, up to a number
// that takes hold'em about a minute, and valued on so many deals.
const (
	responseIterations = 10_000_000
	responseDeals      = 100_000
)

// NewResponse learns a response and values it. It returns nil when ctx is
// cancelled first: the work then goes on until the program ends.
func NewResponse(ctx context.Context, a *Training) *Response {
	done := make(chan *Response, 1)
	go func() {
		r := &Response{Iterations: int(min(a.Iterations(), responseIterations))}
		r.Value, r.Interval = a.Respond(r.Iterations).Value(responseDeals, 1)
		done <- r
	}()
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
		return nil
	}
}
