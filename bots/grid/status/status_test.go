package status_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/farmtest"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
	"gamebots/bots/grid/status"
)

// While a run is going on, its state and that of its worker are told; before the first there is none.
func TestStatus(t *testing.T) {
	f := farmtest.Serve(t)
	o := f.Owner()
	look := func(write func(f *status.Farm, to io.Writer) error) string {
		var text strings.Builder
		farm, err := status.Look(t.Context(), o.Conn)
		if err == nil {
			err = write(farm, &text)
		}
		if err != nil {
			t.Error(err)
		}
		return text.String()
	}
	if text := look((*status.Farm).WriteText); !strings.HasPrefix(text, "run ") || strings.Count(text, "\n") != 3 {
		t.Errorf("before a run: %q", text)
	}

	f.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 3, Device: "cpu\n\x1b[2J"})
	told := false
	err := f.Run(o, gridtest.Jobs("the run", 0, 5), func(grid.Job, []byte) error {
		for end := time.Now().Add(time.Minute); !told && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			text := look((*status.Farm).WriteText)
			told = strings.Contains(text, "\nthe run ") && strings.Contains(text, "cpu??[2J")
		}
		return nil
	})
	if err != nil || !told {
		t.Fatalf("error %v, told %t", err, told)
	}
	if text := look((*status.Farm).WriteJSON); !strings.Contains(text, `"slots":3`) {
		t.Errorf("JSON %q", text)
	}
}

// A run that says how many jobs it has says how long the rest takes.
func TestLeft(t *testing.T) {
	now := time.Now()
	r := status.Run{Began: now.Add(-10 * time.Second), Done: 20, Failed: 2, Total: 62}
	if left, ok := r.Left(now); !ok || left != 20*time.Second || r.Rate(now) != 2 {
		t.Errorf("%v, %t at %g/s", left, ok, r.Rate(now))
	}
	if _, ok := (&status.Run{Began: now, Done: 1}).Left(now); ok {
		t.Error("a time for an unknown number of jobs")
	}
}
