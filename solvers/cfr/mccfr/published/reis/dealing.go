package reis

import (
	"gamebots/cudalib/mccfrgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/mccfr"
)

// dealer deals batches in the form that DealBatch and kernels read.
type dealer struct {
	shape   mccfrgpu.BatchShape
	seed    uint64
	workers []*dealWorker
}

// dealWorker is the memory of one worker, apart from that of the others.
type dealWorker struct {
	deal  mccfr.Deal
	views []mccfrgpu.View
	sort  []uint64
	_     [128]byte
}

func newDealer(g *mccfr.Game, batch int, seed uint64, workers int) *dealer {
	d := &dealer{shape: mccfrgpu.BatchShape{Players: g.Rules.NumPlayers, Rounds: g.Rules.NumRounds, Batch: batch},
		seed: seed}
	for range max(1, workers) {
		d.workers = append(d.workers, &dealWorker{deal: mccfr.NewDeal(g)})
	}
	return d
}

// fill deals batches into a buffer, by all workers. first is the number of the first deal.
func (d *dealer) fill(buffer []uint32, first uint64, batches int) {
	words := d.shape.Words()
	parallel.For(len(d.workers), batches, func(worker, k int) {
		d.batch(d.workers[worker], buffer[k*words:][:words], first+uint64(k*d.shape.Batch))
	})
}

// batch deals one batch. Each deal has the cards that DepthFirst deals in the step
// of the same number.
func (d *dealer) batch(w *dealWorker, buffer []uint32, first uint64) {
	w.views = w.views[:0]
	for r := range d.shape.Rounds {
		for p := range d.shape.Players {
			w.views = append(w.views, d.shape.View(buffer, r, p))
		}
	}
	best := d.shape.Best(buffer)
	for k := range d.shape.Batch {
		random := mccfr.NewStream(d.seed, first+uint64(k), 0)
		w.deal.Draw(&random)
		for i := range w.views {
			w.views[i].Base[k] = uint32(w.deal.Rows[i%d.shape.Players][i/d.shape.Players])
		}
		for in, won := range w.deal.Best {
			best[in*d.shape.Batch+k] = uint32(won)
		}
	}
	for _, v := range w.views {
		w.sort = v.Group(w.sort)
	}
}
