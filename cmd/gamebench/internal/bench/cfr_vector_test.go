package bench

import (
	"context"
	"errors"
	"testing"
)

// slowLearner is a learner whose first iteration ends with the test.
type slowLearner struct{ began, end chan struct{} }

func (s slowLearner) Step()              { close(s.began); <-s.end }
func (s slowLearner) Iterations() uint64 { return 0 }

// An interrupted bench does not wait for the iteration under way.
func TestIterateStops(t *testing.T) {
	s := slowLearner{make(chan struct{}), make(chan struct{})}
	defer close(s.end)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-s.began; cancel() }()
	if err := iterate(ctx, s, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
