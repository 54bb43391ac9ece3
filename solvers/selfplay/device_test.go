//go:build linux

package selfplay

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
)

// indifferent answers as a network that has learned nothing.
func indifferent(s *driver.Stream, _ driver.Buffer[uint8], logits, outputs driver.Buffer[float32]) error {
	return errors.Join(logits.Zero(s), outputs.Zero(s))
}

// A device may play games in parts, with room for more, as the CPU plays them together.
func TestDeviceParts(t *testing.T) {
	gpu := cudatest.Open(t, "capability=80", "havannah", "hexnet")
	net := hexnet.New(hexnet.Config{Blocks: 1, Channels: 32}, 5)
	clear(net.Parameters) // as indifferent answers
	here, err := NewPlayer(3, net, 7, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	n, err := hexnet.NewDevice(net, gpu, hexsearch.ShapeOf(here.grid), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := &devicePlayer{net: n, threads: 1}
	if err := d.addSearches(gpu, here.grid, 8, indifferent); err != nil {
		t.Fatal(err)
	}
	there := &Player{grid: here.grid, player: d, most: 8}
	defer there.Close()
	games := make([]GameState, 7)
	for i := range games {
		games[i].Random = uint64(i)
	}
	for range 2 {
		want, err := here.Play(t.Context(), net, &Rounds{3, 8, games})
		if err != nil {
			t.Fatal(err)
		}
		var got []Progress
		for part := range slices.Chunk(games, 4) {
			p, err := there.Play(t.Context(), net, &Rounds{3, 8, part})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, p...)
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("game %d: %+v, want %+v", i, got[i], want[i])
			}
			games[i] = want[i].GameState
		}
	}
	if _, err := there.Play(t.Context(), net, &Rounds{3, 1, make([]GameState, 9)}); err == nil {
		t.Error("more games than there is room for")
	}
}

// Games on a device, with any number of threads, are those of the CPU.
func TestDevice(t *testing.T) {
	gpu := cudatest.Open(t, "capability=80", "havannah", "hexnet")
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
			n, err := hexnet.NewDevice(net, gpu, hexsearch.ShapeOf(g), 1, threads)
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
		if p.played.Games == 0 || p.window.size() == 0 {
			t.Errorf("%d games with %d positions", p.played.Games, p.window.size())
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

// BenchmarkDevice plays on a GPU without learning, with a network that has learned nothing: with the network, and with
// answers that take no time. What the first takes longer is the network's.
func BenchmarkDevice(b *testing.B) {
	if !cudatest.OnGPU() {
		b.Skip("the fake device is for tests")
	}
	gpu := cudatest.Open(b, "", "havannah", "hexnet")
	for _, side := range []int{8, 10} {
		for _, games := range []int{4096, 8192} {
			for _, answers := range []string{"network", "indifferent"} {
				b.Run(fmt.Sprintf("side=%d/games=%d/%s", side, games, answers), func(b *testing.B) {
					benchmarkGames(b, gpu, side, games, answers == "indifferent")
				})
			}
		}
	}
}

func benchmarkGames(b *testing.B, gpu *cudalib.Device, side, games int, withoutNetwork bool) {
	const threads, unmeasured = 16, 12
	settings := Settings{Config: hexnet.Config{Blocks: 6, Channels: 64}, Sides: []int{side}, Seed: 1, Games: games}
	net := hexnet.New(settings.Config, settings.Seed)
	g, err := havannah.GridOf(side)
	if err != nil {
		b.Fatal(err)
	}
	p, err := newPool(g, net, &settings, Options{Threads: threads, Device: gpu}, minWindow)
	if err != nil {
		b.Fatal(err)
	}
	defer p.player.close()
	if withoutNetwork {
		d := p.player.(*devicePlayer)
		for _, search := range d.halves {
			if err := search.Close(); err != nil {
				b.Fatal(err)
			}
		}
		if err := d.addSearches(gpu, g, games, indifferent); err != nil {
			b.Fatal(err)
		}
	}
	play := func() {
		if _, err := p.round(); err != nil {
			b.Fatal(err)
		}
	}
	for range unmeasured { // until the games are at different moves
		play()
	}
	before := p.played.Evaluations
	for b.Loop() {
		play()
	}
	b.ReportMetric(float64(p.played.Evaluations-before)/b.Elapsed().Seconds(), "evaluations/s")
}
