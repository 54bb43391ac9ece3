package bench

import (
	"context"
	"errors"
	"testing"
)

// slow is a learner whose first iteration does not end before the test.
type slow struct{ began, end chan struct{} }

func (s slow) Step()              { close(s.began); <-s.end }
func (s slow) Iterations() uint64 { return 0 }

// Nobody waits for the iteration of a bench that is interrupted.
func TestIterateStops(t *testing.T) {
	s := slow{make(chan struct{}), make(chan struct{})}
	defer close(s.end)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-s.began; cancel() }()
	if err := iterate(ctx, s, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
