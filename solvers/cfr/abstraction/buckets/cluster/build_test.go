package cluster_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
)

var tens, coarse = bucketstest.Tens, bucketstest.Coarse

// The threads of a build do not change its buckets, and a seed does.
func TestBuildIsReproducible(t *testing.T) {
	r := coarse
	r.Sample = 3000
	one := bucketstest.Build(t, tens, r, cluster.Options{Threads: 1})
	if three := bucketstest.Build(t, tens, r, cluster.Options{Threads: 3}); !bucketstest.Equal(t, one, three) {
		t.Error("three threads make other buckets")
	}
	r.Seed++
	other := bucketstest.Build(t, tens, r, cluster.Options{Threads: 3})
	if bucketstest.Equal(t, one, other) || one.Name() == other.Name() {
		t.Error("another seed makes the same buckets")
	}
}

func TestBuildRefuses(t *testing.T) {
	for want, change := range map[string]func(*buckets.Recipe){
		"it has 3 rounds":                  func(r *buckets.Recipe) { r.Rounds = r.Rounds[:3] },
		"a sample of 1 hands is too small": func(r *buckets.Recipe) { r.Sample = 1 },
		"round 2: 1 bins":                  func(r *buckets.Recipe) { r.Bins = 1 },
		"round 4: 0 clusters":              func(r *buckets.Recipe) { r.Clusters = 0 },
		"round 3: 0 buckets":               func(r *buckets.Recipe) { r.Rounds[2].Buckets = 0 },
		"round 3: ochs compares":           func(r *buckets.Recipe) { r.Rounds[2].Feature = buckets.OCHS },
		"round 1: unknown feature":         func(r *buckets.Recipe) { r.Rounds[0].Feature = buckets.Given },
		"round 4: 72000000 buckets": func(r *buckets.Recipe) {
			r.PerfectRecall = true
			r.Rounds[3].Buckets = 16000
		},
	} {
		r := coarse
		r.Rounds = slices.Clone(coarse.Rounds)
		change(&r)
		_, err := cluster.Build(t.Context(), tens, r, cluster.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	three := bucketstest.Game(4, 13, 3, 0, 3)
	_, err := cluster.Build(t.Context(), three, buckets.Recipe{Rounds: coarse.Rounds[:2]}, cluster.Options{})
	if err == nil || !strings.Contains(err.Error(), "3 hole cards") {
		t.Errorf("three hole cards: %v", err)
	}
}

// A build that is interrupted goes on after the last round, with the same result.
func TestResume(t *testing.T) {
	want := bucketstest.Build(t, tens, coarse, cluster.Options{})
	path := filepath.Join(t.TempDir(), "x.partial")
	stop := errors.New("stop")
	for rounds := 1; rounds < 4; rounds++ {
		_, err := cluster.Build(t.Context(), tens, coarse, cluster.Options{OnRound: func(done *buckets.Table) error {
			if done.Rounds() < rounds {
				return nil
			}
			return errors.Join(done.Write(path), stop)
		}})
		if !errors.Is(err, stop) {
			t.Fatalf("after %d rounds: %v", rounds, err)
		}
		if _, err := buckets.Open(path); !errors.Is(err, buckets.ErrUnfinished) {
			t.Errorf("a file with %d rounds is opened: %v", rounds, err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := buckets.FromCompact(data); !errors.Is(err, buckets.ErrUnfinished) {
			t.Errorf("a strategy may have buckets of %d rounds: %v", rounds, err)
		}
		from, err := buckets.OpenUnfinished(path, tens, coarse)
		if err != nil || from.Rounds() != rounds {
			t.Fatalf("%d rounds are read: %v", rounds, err)
		}
		if got := bucketstest.Build(t, tens, coarse, cluster.Options{From: from}); !bucketstest.Equal(t, got, want) {
			t.Errorf("resumed after %d rounds, other buckets are made", rounds)
		}
		other := coarse
		other.Seed++
		if from, err := buckets.OpenUnfinished(path, tens, other); from != nil || err != nil {
			t.Errorf("the rounds of another recipe are taken: %v", err)
		}
	}
}

func TestBuildStops(t *testing.T) {
	for _, phase := range []string{"histograms with 4 board cards", "clusters of hole cards", "round 3: k-means",
		"round 4: buckets"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := cluster.Build(ctx, tens, coarse, cluster.Options{OnProgress: func(p string, part float64) {
			if p == phase {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", phase, err)
		}
		cancel()
	}
}
