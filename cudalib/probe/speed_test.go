//go:build linux

package probe_test

import (
	"testing"

	"gamebots/cudalib/probe"
)

func TestMeasure(t *testing.T) {
	speed, err := probe.Measure(openDevice(t, "memory=65536"))
	if err != nil || speed.Copy <= 0 || speed.Launch <= 0 || speed.GraphLaunch <= 0 {
		t.Errorf("measured %+v: %v", speed, err)
	}
}
