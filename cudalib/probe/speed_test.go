//go:build linux

package probe_test

import (
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/probe"
)

func TestMeasure(t *testing.T) {
	speed, err := probe.Measure(cudatest.Open(t, "memory=65536", "probe"))
	if err != nil || speed.Copy <= 0 || speed.Launch <= 0 || speed.GraphLaunch <= 0 {
		t.Errorf("measured %+v: %v", speed, err)
	}
}
