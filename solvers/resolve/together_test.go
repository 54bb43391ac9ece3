//go:build linux

package resolve

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"gamebots/solvers/resolve/spot"
)

// Turns and rivers of several resolvers that share a device are solved there with the bits of the CPU, as many at a
// time as fit, and on the CPU where not even one does.
func TestTogether(t *testing.T) {
	rivers := []string{"cc/cc/cc/:2s2c|/Ks9s7s/4c/5d", "cc/cc/cc/:2s2c|/Ks9s7s/4c/6d", "cc/cc/cc/c:|2s2c/Ks9s7s/4c/5d"}
	for _, c := range []struct {
		from     int
		settings string
		states   []string
	}{
		{Turn, "memory=200000000;shared=200000", []string{"cc/cc/:2s2c|/Ks9s7s/4c", rivers[0]}},
		{River, "memory=200000000;shared=200000", rivers},
		{River, "memory=400000;shared=200000", rivers},
		{River, "memory=1000", rivers},
	} {
		var batches atomic.Int32
		d, answers := fake(t, c.settings), make([]Answer, len(c.states))
		place := d.spots
		d.spots = func(turn sync.Locker) spot.Device {
			batches.Add(1)
			return place(turn)
		}
		var group sync.WaitGroup
		for i, text := range c.states {
			p, s := narrow(t, d, Options{From: c.from, Iterations: 1, Together: 2}, text)
			group.Go(func() { answers[i] = answer(t, p, s) })
		}
		group.Wait()
		for i, text := range c.states {
			p, s := narrow(t, nil, Options{From: c.from, Iterations: 1}, text)
			if want := answer(t, p, s); !reflect.DeepEqual(answers[i], want) || !want.Solved {
				t.Errorf("%s: %q is %+v, on the CPU %+v", c.settings, text, answers[i], want)
			}
		}
		if batches.Load() == 0 {
			t.Errorf("%s: the device is not used", c.settings)
		}
	}
}
