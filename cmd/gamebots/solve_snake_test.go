package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/solvers/nmcs/snake"
)

// snakeFlagsOf returns flags with the defaults of the command line, changed.
func snakeFlagsOf(change func(*snakeFlags)) *snakeFlags {
	f := &snakeFlags{}
	f.Settings = snake.Settings{Dimension: 8, Level: 2, Leaf: 1}
	if change != nil {
		change(f)
	}
	return f
}

// Flags make a search.
func TestSnakeSpec(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.snake")
	if err := os.WriteFile(file, []byte("snake 3 4 0120\nsnake 8 3 012\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	prime := func(f *snakeFlags) { f.prime = file }
	for _, c := range []struct {
		name   string
		change func(*snakeFlags)
		check  func(snake.SearchOptions) bool
	}{
		{"the default", nil, func(o snake.SearchOptions) bool {
			return o.MaxRuns == defaultRuns
		}},
		{"a time", func(f *snakeFlags) { f.time = time.Minute },
			func(o snake.SearchOptions) bool { return o.MaxRuns == 0 }},
		{"a prime", prime, func(o snake.SearchOptions) bool { return o.Prime.String() == "0120" }},
		{"some of it", func(f *snakeFlags) { prime(f); f.primeEdges = 2 }, func(o snake.SearchOptions) bool {
			return o.Prime.String() == "01"
		}},
	} {
		o, err := snakeFlagsOf(c.change).spec()
		if err != nil || !c.check(o) {
			t.Errorf("%s: %+v: %v", c.name, o, err)
		}
	}
}

// Flags that contradict each other are refused.
func TestSnakeSpecRefuses(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(*snakeFlags)
	}{
		{"--time:", func(f *snakeFlags) { f.time = -1 }},
		{"--prime-edges:", func(f *snakeFlags) { f.primeEdges = -1 }},
		{"--prime is needed", func(f *snakeFlags) { f.primeEdges = 1 }},
		{"dimension 17", func(f *snakeFlags) { f.Dimension = 17 }},
		{"level 7", func(f *snakeFlags) { f.Level = 7 }},
	} {
		o, err := snakeFlagsOf(c.change).spec()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", o, err, c.want)
		}
	}
}
