package remote_test

import (
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
	look := func() *remote.Farm {
		farm, err := remote.Look(t.Context(), o.Conn)
		if err != nil {
			t.Fatal(err)
		}
		return farm
	}
	if farm := look(); len(farm.Runs)+len(farm.Workers) > 0 || farm.Runs == nil || farm.Workers == nil {
		t.Errorf("before a run: %+v", farm)
	}

	f.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 3, Device: "cpu"})
	told := false
	err := f.Run(o, gridtest.Jobs("the run", 0, 5), func(grid.Job, []byte) error {
		for end := time.Now().Add(time.Minute); !told && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			farm := look()
			told = len(farm.Runs) == 1 && farm.Runs[0].Run == "the run" && len(farm.Workers) == 1 &&
				farm.Workers[0].Slots == 3 && farm.Workers[0].Device == "cpu"
		}
		return nil
	})
	if err != nil || !told {
		t.Fatalf("error %v, told %t", err, told)
	}
}
