package remote_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
)

// While a run is going on, its state and that of its worker are told; before the first there is none.
func TestStatus(t *testing.T) {
	f := serve(t)
	o := f.Owner()
	look := func(write func(f *remote.Farm, to io.Writer) error) string {
		var text strings.Builder
		farm, err := remote.Look(t.Context(), o.Conn)
		if err == nil {
			err = write(farm, &text)
		}
		if err != nil {
			t.Error(err)
		}
		return text.String()
	}
	if text := look((*remote.Farm).WriteText); !strings.HasPrefix(text, "run ") || strings.Count(text, "\n") != 3 {
		t.Errorf("before a run: %q", text)
	}

	f.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 3, Device: "cpu\n\x1b[2J"})
	told := false
	err := f.Run(o, gridtest.Jobs("the run", 0, 5), func(grid.Job, []byte) error {
		for end := time.Now().Add(time.Minute); !told && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			text := look((*remote.Farm).WriteText)
			told = strings.Contains(text, "\nthe run ") && strings.Contains(text, "cpu??[2J")
		}
		return nil
	})
	if err != nil || !told {
		t.Fatalf("error %v, told %t", err, told)
	}
	if text := look((*remote.Farm).WriteJSON); !strings.Contains(text, `"slots":3`) {
		t.Errorf("JSON %q", text)
	}
}
