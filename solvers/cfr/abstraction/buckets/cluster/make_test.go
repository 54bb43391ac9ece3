package cluster_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
)

// An interrupted job keeps its finished rounds, and goes on from them to the same table.
func TestMake(t *testing.T) {
	where, begun := "", -1
	j := cluster.Job{
		Game: tens, Recipe: coarse, File: filepath.Join(t.TempDir(), "tens.buckets"), Threads: 2, Memory: 1 << 40,
		OnBegin: func(on string, _ int64, finished int) { where, begun = on, finished },
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	j.OnProgress = func(phase string, _ float64) {
		if strings.HasPrefix(phase, "round 4") {
			interrupt()
		}
	}
	if _, err := cluster.Make(ctx, j); !errors.Is(err, context.Canceled) || begun != 0 {
		t.Fatalf("interrupted: %v, after %d rounds", err, begun)
	}
	j.OnProgress = nil
	table, err := cluster.Make(t.Context(), j)
	if err != nil || begun != 3 || where != "the CPU: there is little to compare" {
		t.Fatalf("resumed after %d rounds on %s: %v", begun, where, err)
	}
	if want := bucketstest.Build(t, tens, coarse, cluster.Options{}); !bucketstest.Equal(t, table, want) {
		t.Error("other buckets than without an interruption")
	}
	if written, err := buckets.Open(j.File); err != nil || !bucketstest.Equal(t, written, table) {
		t.Errorf("other buckets in the file: %v", err)
	}
	if _, err := os.Stat(j.File + ".partial"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("finished rounds are left beside the table: %v", err)
	}
}

func TestMakeRefuses(t *testing.T) {
	j := cluster.Job{Game: tens, Recipe: coarse, File: filepath.Join(t.TempDir(), "tens.buckets"), Memory: 1000}
	if _, err := cluster.Make(t.Context(), j); err == nil || !strings.Contains(err.Error(), "would take") {
		t.Errorf("little memory: %v", err)
	}
	j.Memory = 1 << 40
	if err := os.WriteFile(j.File+".partial", []byte("notes"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := cluster.Make(t.Context(), j); !errors.As(err, new(*cluster.UnreadableError)) {
		t.Errorf("finished rounds that are none: %v", err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	j.Fresh = true
	if _, err := cluster.Make(ctx, j); !errors.Is(err, context.Canceled) {
		t.Errorf("begun afresh: %v", err)
	}
}
