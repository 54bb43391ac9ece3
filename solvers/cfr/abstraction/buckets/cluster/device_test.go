//go:build linux

package cluster_test

import (
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
)

// A device makes the buckets, and the report, that the CPU makes. On the fake one the game is
// small; on a GPU there are hands for many searches.
func TestBuildOnDevice(t *testing.T) {
	d := cudatest.Open(t, "", "kmeans")
	g, r := bucketstest.Small, bucketstest.SmallRecipe
	if cudatest.OnGPU() {
		g, r = tens, coarse
	}
	want := bucketstest.Build(t, g, r, cluster.Options{})
	got := bucketstest.Build(t, g, r, cluster.Options{Threads: 2, Device: d})
	if !bucketstest.Equal(t, got, want) || !slices.Equal(got.Reports(), want.Reports()) {
		t.Errorf("other buckets than on the CPU: %+v, want %+v", got.Reports(), want.Reports())
	}
}
