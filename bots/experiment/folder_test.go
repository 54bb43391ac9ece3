package experiment

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/bots/grid"
	"gamebots/internal/atomicfile"
	"gamebots/solvers/nash/extensive/games"
)

// What is missing in a folder is done, and nothing twice.
func TestFolder(t *testing.T) {
	_, plan := small(t)
	missing, done, ended := -1, 0, 0
	f := Folder{
		Path: filepath.Join(t.TempDir(), "small"), Version: "1",
		Open: func(context.Context) (grid.Grid, func() error, error) {
			return &grid.Local{Kinds: grid.Kinds{Kind: Job}, Threads: 2}, func() error { ended++; return nil }, nil
		},
		OnBegin: func(n, _ int) { missing = n },
		OnDone:  func() { done++ },
	}
	rows, err := f.Complete(t.Context(), plan)
	if err != nil || missing != 5 || done != 5 || ended != 1 || len(rows) == 0 {
		t.Fatalf("%d of %d runs done, %d rows, %d times ended: %v", done, missing, len(rows), ended, err)
	}
	means, err := os.ReadFile(filepath.Join(f.Path, MeansFile))
	if err != nil || bytes.Count(means, []byte("\n")) != 1+len(rows) {
		t.Errorf("%d rows are in %q: %v", len(rows), means, err)
	}
	if again, err := f.Complete(t.Context(), plan); err != nil || missing != 0 || ended != 1 ||
		len(again) != len(rows) {
		t.Errorf("again: %d missing, %d rows: %v", missing, len(again), err)
	}
	release, err := atomicfile.Hold(filepath.Join(f.Path, RunsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := f.Complete(t.Context(), plan); !errors.As(err, new(*FolderError)) {
		t.Errorf("a folder in use: %v", err)
	}
	f.Path = t.TempDir()
	if err := os.WriteFile(filepath.Join(f.Path, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Complete(t.Context(), plan); !errors.As(err, new(*FolderError)) {
		t.Errorf("a folder of something else: %v", err)
	}
}

// Extensive games are compared as those of poker, in payoffs, also with them.
func TestExtensiveGames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own_mb.efg")
	g, err := games.Named("goofspiel-3")
	if err != nil || os.WriteFile(file, g.EFG(), 0o666) != nil {
		t.Fatal(err)
	}
	c, _ := small(t)
	c.Experiment.Games = []string{"liars-dice-2", file, "kuhn"}
	c.Experiment.Seeds = 2
	for i := range c.Trainings {
		c.Trainings[i].Algorithms = []string{[]string{"external", "pdcfr+"}[i%2]}
	}
	plan, err := NewPlan(&c)
	if err != nil {
		t.Fatal(err)
	}
	f := Folder{
		Path: filepath.Join(t.TempDir(), "mixed"), Version: "1",
		Open: func(context.Context) (grid.Grid, func() error, error) {
			return &grid.Local{Kinds: grid.Kinds{Kind: Job}, Threads: 2}, func() error { return nil }, nil
		},
	}
	rows, err := f.Complete(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, r := range rows {
		names[r.Game] = true
		if r.Unit != "" || r.Average.Mean < 0 || r.Average.Mean > 2 || r.Current == nil {
			t.Errorf("%+v", r)
		}
	}
	if len(names) != 3 || !names["own_mb"] {
		t.Errorf("games %v", names)
	}
	means, err := os.ReadFile(filepath.Join(f.Path, MeansFile))
	if err != nil || bytes.Contains(means, []byte("exploitability_mb")) {
		t.Errorf("%s: %v", means, err)
	}
	runs, err := os.ReadFile(filepath.Join(f.Path, RunsFile))
	if err != nil || !bytes.Contains(runs, []byte(`"unit":"payoffs"`)) || !bytes.Contains(runs, []byte(`"chips"`)) {
		t.Errorf("%s: %v", runs, err)
	}
	own := rows[slices.IndexFunc(rows, func(r Row) bool { return r.Game == "own_mb" })]
	line, err := own.MarshalJSON()
	if err != nil || bytes.Contains(line, []byte("exploitability_mb")) || !bytes.Contains(line, []byte(`"own_mb"`)) {
		t.Errorf("%s: %v", line, err)
	}
	c.Experiment.Actions = "fcpa"
	if _, err := NewPlan(&c); err == nil {
		t.Error("raises of an extensive game")
	}
}
