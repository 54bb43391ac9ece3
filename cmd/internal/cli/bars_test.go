package cli

import (
	"context"
	"errors"
	"testing"
)

// Work that does not end by itself is given up when the command is interrupted.
func TestInterruptible(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	stuck := make(chan bool)
	defer close(stuck)
	_, err := Interruptible(ctx, func() (int, error) { interrupt(); <-stuck; return 1, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	failed := errors.New("failed")
	if n, err := Interruptible(t.Context(), func() (int, error) { return 3, failed }); n != 3 || err != failed {
		t.Errorf("left alone: %d, %v", n, err)
	}
}
