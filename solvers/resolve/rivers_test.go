//go:build linux

package resolve

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"gamebots/solvers/resolve/spot"
)

// Rivers of several resolvers that share a device are solved there with the bits of the CPU, as many at a time as fit,
// and on the CPU where not even one does.
func TestRiversOnDevice(t *testing.T) {
	states := []string{"cc/cc/cc/:2s2c|/Ks9s7s/4c/5d", "cc/cc/cc/:2s2c|/Ks9s7s/4c/6d", "cc/cc/cc/c:|2s2c/Ks9s7s/4c/5d"}
	want := make([]Answer, len(states))
	for i, text := range states {
		p, s := narrow(t, nil, Options{Iterations: 3}, text)
		want[i] = answer(t, p, s)
	}
	for settings, most := range map[string]int32{
		"memory=200000000;shared=200000": 3, "memory=400000;shared=200000": 5, "memory=1000": 5,
	} {
		var batches atomic.Int32
		d, answers := fake(t, settings), make([]Answer, len(states))
		place := d.spots
		d.spots = func(turn sync.Locker) spot.Device {
			batches.Add(1)
			return place(turn)
		}
		var group sync.WaitGroup
		for i, text := range states {
			p, s := narrow(t, d, Options{Iterations: 3, Rivers: 2}, text)
			group.Go(func() { answers[i] = answer(t, p, s) })
		}
		group.Wait()
		for i := range states {
			if !answers[i].Solved || !reflect.DeepEqual(answers[i], want[i]) {
				t.Errorf("%s: river %d is %+v, on the CPU %+v", settings, i, answers[i], want[i])
			}
		}
		if n := batches.Load(); n < 1 || n > most {
			t.Errorf("%s: %d batches", settings, n)
		}
	}
}
