package tournament

import (
	"fmt"
	"path/filepath"
	"testing"

	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/bots/grid"
	"gamebots/configs"
)

// BenchmarkShard plays shards of 1000 deals of Leduc between two strategies.
func BenchmarkShard(b *testing.B) {
	h := testPlayers()
	defer h.Close()
	a := configs.DefaultArena()
	a.Run = configs.Run{Name: "bench", Game: "leduc", Format: configs.OneMatch}
	a.Players = []configs.Entry{
		{Name: "a", Kind: kindTrained, Cards: "lossless", Iterations: 100},
		{Name: "b", Kind: kindTrained, Cards: "lossless", Iterations: 50},
	}
	p, err := h.Plan(&a)
	if err != nil {
		b.Fatal(err)
	}
	l, err := h.newSession(b.Context(), p, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer l.close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.play(b.Context(), p.At(0)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*2000)/b.Elapsed().Seconds(), "hands/s")
}

// BenchmarkRun plays and stores runs of limit hold'em between two strategies of
// quick cards, whose buckets take a minute where they are not kept. An operation
// is a run of 100,000 hands.
func BenchmarkRun(b *testing.B) {
	h := testPlayers()
	defer h.Close()
	a := configs.DefaultArena()
	a.Run = configs.Run{Name: "bench", Game: "holdem-limit-2p", Format: configs.OneMatch}
	a.Poker.Deals = 50_000
	a.Players = []configs.Entry{
		{Name: "a", Kind: kindTrained, Cards: "quick", Iterations: 300_000},
		{Name: "b", Kind: kindTrained, Cards: "quick", Iterations: 200_000},
	}
	p, err := h.Plan(&a)
	if err != nil {
		b.Fatal(err)
	}
	shared, err := bundle(p, false)
	if err != nil {
		b.Fatal(err)
	}
	l, err := h.acquire(b.Context(), shared) // trained before the time is taken
	if err != nil {
		b.Fatal(err)
	}
	defer h.sessions.release(l)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprint(threads, "-threads"), func(b *testing.B) { benchmarkRun(b, h, p, threads) })
	}
}

func benchmarkRun(b *testing.B, h *Players, p *arena.Plan, threads int) {
	for b.Loop() {
		db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "arena.db"))
		if err != nil {
			b.Fatal(err)
		}
		run, err := db.Begin(b.Context(), p, "bench", false)
		if err != nil {
			b.Fatal(err)
		}
		t := Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: h.Kinds(), Threads: threads}}
		if err := t.Play(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*p.Games())/b.Elapsed().Seconds(), "hands/s")
}
