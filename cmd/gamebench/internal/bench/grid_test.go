package bench

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// A worker that does not start says why, unless the benchmark was interrupted.
func TestWorkerThatEnds(t *testing.T) {
	var workers gridProcesses
	defer workers.end()
	line := []string{os.Args[0], "-test.nosuchflag"}
	if err := workers.add(t.Context(), line...); err == nil || !strings.Contains(err.Error(), "exit status 2") ||
		!strings.Contains(err.Error(), "nosuchflag") {
		t.Errorf("error %v", err)
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := workers.add(interrupted, line...); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
}
