//go:build linux

package buckets

import (
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/solvers/cfr/abstraction/kmeans/ondevice"
)

// A device makes the buckets, and the report, that the CPU makes. On the fake one the game is
// small; on a GPU there are hands for many searches.
func TestBuildOnDevice(t *testing.T) {
	d := cudatest.Open(t, "", "kmeans")
	g, r := small, smallRecipe
	if cudatest.OnGPU() {
		g, r = tens, coarse
	}
	want := build(t, g, r, Options{})
	got := build(t, g, r, Options{Threads: 2, Device: ondevice.Search(d)})
	if !equal(got, want) || !slices.Equal(got.Reports(), want.Reports()) {
		t.Errorf("other buckets than on the CPU: %+v, want %+v", got.Reports(), want.Reports())
	}
}
