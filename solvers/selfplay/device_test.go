//go:build linux

package selfplay

import (
	"bytes"
	"encoding/gob"
	"errors"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
)

// indifferent answers as a network that has learned nothing.
func indifferent(s *driver.Stream, _ driver.Buffer[uint8], logits, outputs driver.Buffer[float32]) error {
	return errors.Join(logits.Zero(s), outputs.Zero(s))
}

// Games on a device, with any number of threads, are those of the CPU.
func TestDevice(t *testing.T) {
	gpu := cudatest.Open(t, "capability=80", "gumbel", "hexnet")
	settings := Settings{Config: hexnet.Config{Blocks: 1, Channels: 32}, Sides: []int{3}, Seed: 5, Games: 7}
	net := hexnet.New(settings.Config, settings.Seed)
	g, err := havannah.GridOf(3)
	if err != nil {
		t.Fatal(err)
	}
	play := func(threads int, onDevice bool) []byte {
		p, err := newPool(g, net, &settings, Options{Threads: threads}, minWindow)
		if err != nil {
			t.Fatal(err)
		}
		if onDevice {
			n, err := hexnet.NewDevice(net, gpu, encoding.ShapeOf(g), 1, threads)
			if err != nil {
				t.Fatal(err)
			}
			d := &devicePlayer{net: n, threads: threads}
			if err := d.addSearches(gpu, g, settings.Games, indifferent); err != nil {
				t.Fatal(err)
			}
			p.player = d
		}
		defer p.player.close()
		for range 12 {
			if _, err := p.round(); err != nil {
				t.Fatal(err)
			}
		}
		if p.finished == 0 || p.window.size() == 0 {
			t.Errorf("%d games with %d positions", p.finished, p.window.size())
		}
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(p.window); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	want := play(2, false)
	for threads := 1; threads <= 3; threads += 2 {
		if !bytes.Equal(play(threads, true), want) {
			t.Errorf("games on a device with %d threads are others", threads)
		}
	}
}
