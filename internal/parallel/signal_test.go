package parallel

import (
	"context"
	"testing"
	"time"
)

// Signals that wait are one.
func TestSignal(t *testing.T) {
	c := make(chan struct{}, 1)
	Signal(c)
	Signal(c)
	<-c
	select {
	case <-c:
		t.Error("two signals wait")
	default:
	}
}

// The loop ends with the context, also while it waits, or when it breaks.
func TestEvery(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range Every(ctx.Done(), time.Millisecond) {
		if n++; n == 3 {
			cancel()
		}
	}
	if n < 3 {
		t.Errorf("%d ticks", n)
	}
	for range Every(ctx.Done(), time.Hour) {
		t.Error("a tick after the end")
	}
	for range Every(t.Context().Done(), time.Millisecond) {
		break
	}
}
