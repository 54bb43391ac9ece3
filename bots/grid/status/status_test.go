package status_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gamebots/bots/grid"
	"gamebots/bots/grid/internal/farmtest"
	"gamebots/bots/grid/internal/gridtest"
	"gamebots/bots/grid/remote"
	"gamebots/bots/grid/status"
)

// While a run is going on, its state and that of its worker are served; before the first there is none.
func TestStatus(t *testing.T) {
	f := farmtest.Serve(t)
	o := f.Owner()
	site := httptest.NewServer(status.Handler(o.Conn))
	defer site.Close()
	get := func(path string) string {
		r, err := http.Get(site.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v", path, r.Status, err)
		}
		return string(text)
	}
	if text := get("/"); !strings.HasPrefix(text, "run ") || strings.Count(text, "\n") != 3 {
		t.Errorf("before a run: %q", text)
	}

	f.Work(&remote.Worker{Kinds: gridtest.Kinds, Slots: 3, Device: "cpu\n\x1b[2J"})
	told := false
	err := f.Run(o, gridtest.Jobs("the run", 0, 5), func(grid.Job, []byte) error {
		for end := time.Now().Add(time.Minute); !told && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			told = strings.Contains(get("/metrics"), "gamebots_grid_worker_slots{worker=") &&
				strings.Contains(get("/metrics"), `gamebots_grid_run_jobs_open{run="the run"}`)
		}
		return nil
	})
	if err != nil || !told {
		t.Fatalf("error %v, told %t", err, told)
	}
	if text := get("/"); !strings.Contains(text, "cpu??[2J") {
		t.Errorf("text %q", text)
	}
	if text := get("/status.json"); !strings.Contains(text, `"slots":3`) {
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
