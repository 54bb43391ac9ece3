package mccfr

import (
	"sync"
	"sync/atomic"

	"gamebots/cudalib"
)

// feeder deals batches, as Deals and kernels read them.
type feeder struct {
	game  *Game
	shape cudalib.DealsShape
	seed  uint64
	hands []*hands // by worker
}

// hands is what one worker deals with, apart from that of others.
type hands struct {
	deal  deal
	views []cudalib.DealsView
	sort  []uint64
	_     [128]byte
}

func newFeeder(g *Game, batch int, seed uint64, workers int) *feeder {
	f := &feeder{game: g, shape: cudalib.DealsShape{Players: g.Rules.NumPlayers, Rounds: g.Rules.NumRounds, Batch: batch}, seed: seed}
	for range max(1, workers) {
		f.hands = append(f.hands, &hands{deal: newDeal(g)})
	}
	return f
}

// fill deals so many batches from a deal on, by all workers.
func (f *feeder) fill(feed []uint32, first uint64, batches int) {
	var next atomic.Int64
	work := func(h *hands) {
		for k := int(next.Add(1)) - 1; k < batches; k = int(next.Add(1)) - 1 {
			words := f.shape.Words()
			f.batch(h, feed[k*words:][:words], first+uint64(k*f.shape.Batch))
		}
	}
	var group sync.WaitGroup
	for i := 1; i < min(len(f.hands), batches); i++ {
		group.Go(func() { work(f.hands[i]) })
	}
	work(f.hands[0])
	group.Wait()
}

// batch deals one batch. Each deal has the cards that a Recursive deals in the
// step of the same number.
func (f *feeder) batch(h *hands, feed []uint32, first uint64) {
	h.views = h.views[:0]
	for r := range f.shape.Rounds {
		for p := range f.shape.Players {
			h.views = append(h.views, f.shape.View(feed, r, p))
		}
	}
	best := f.shape.Best(feed)
	for k := range f.shape.Batch {
		random := newStream(f.seed, first+uint64(k), 0)
		h.deal.draw(&random)
		for i := range h.views {
			h.views[i].Base[k] = uint32(h.deal.rows[i%f.shape.Players][i/f.shape.Players])
		}
		for in, won := range h.deal.best {
			best[in*f.shape.Batch+k] = uint32(won)
		}
	}
	for _, v := range h.views {
		h.sort = v.Group(h.sort)
	}
}
