package parallel

import (
	"context"
	"errors"
	"testing"
)

func TestAwait(t *testing.T) {
	if n, err := Await(t.Context(), func() (int, error) { return 3, nil }); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	because := errors.New("tired of waiting")
	cancel(because)
	ended := make(chan struct{})
	defer close(ended)
	if n, err := Await(ctx, func() (int, error) { <-ended; return 3, nil }); n != 0 || err != because {
		t.Errorf("%d, %v, want the cause of the end", n, err)
	}
}
