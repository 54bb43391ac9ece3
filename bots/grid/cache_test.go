package grid_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"gamebots/bots/grid"
)

// A value is made once while it is among the last used, however many ask.
func TestMemo(t *testing.T) {
	var made atomic.Int32
	var m grid.Cache[string, string]
	get := func(key string) {
		t.Helper()
		got, err := m.Get(key, func() (string, error) { made.Add(1); return "of " + key, nil })
		if err != nil || got != "of "+key {
			t.Errorf("%q made of %q: %v", got, key, err)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { get("first") })
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	for _, other := range []string{"b", "c", "d"} {
		get(other)
	}
	get("first")
	if made.Load() != 5 {
		t.Errorf("made %d times, want 5: the first is forgotten after three others", made.Load())
	}
	broken := errors.New("broken")
	for range 2 {
		if _, err := m.Get("", func() (string, error) { made.Add(1); return "", broken }); !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	if made.Load() != 7 {
		t.Errorf("made %d times: an error was kept", made.Load())
	}
}
