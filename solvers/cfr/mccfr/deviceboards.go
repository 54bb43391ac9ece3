package mccfr

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/solvers/strategy"
)

// DeviceBoards does on a GPU what a [Sampler] does by public chance sampling in
// batches: the same boards, and the same strategies but for rounding. Checkpoints
// go from one to the other. The boards are dealt by the CPU, while the device
// works on those before. A DeviceBoards is used by one goroutine at a time.
//
// A device may fail. From then on nothing is trained any more, and Err and all
// that needs the device's results return the failure.
type DeviceBoards struct {
	table  // its regrets and averages are those of the last download
	layout cudalib.BoardsGame
	device *cudalib.Boards
	method Method
	batch  int
	err    error
	stale  bool // the device has trained since the last download

	dealers []*boardDealer // by worker
	feed    int            // the next to train on
	ahead   uint64         // the iteration that it starts with,
	merge   [2][]uint32    // by feed, how what is found in it is added up
	ordered [2]bool        // by feed, see cudalib.BoardsOrdered
	dealt   chan struct{}  // and what is closed when it is filled
}

// boardDealer deals boards for one worker.
type boardDealer struct {
	*vectors
	hands         []cudalib.BoardsHand
	bucket, place []int32 // of the hands, by hand and round
}

// NewDeviceBoards returns a trainer by public sampling on a device that has done
// no iteration. Games of more than two players, or with more than two hole cards,
// are errors.ErrUnsupported, and the error is a [*cudalib.MemoryError] where the
// device has too little memory free.
func NewDeviceBoards(d *cudalib.Device, g *Game, m Method, seed uint64, threads int) (*DeviceBoards, error) {
	if m.Sampling != Public {
		return nil, fmt.Errorf("a GPU does public sampling, not %v: %w", m, errors.ErrUnsupported)
	}
	if g.Rules.NumPlayers != 2 || g.Rules.NumHoleCards > 2 {
		return nil, fmt.Errorf("%s: a GPU samples boards of games of two players with one or two hole cards: %w", g.Rules.Name, errors.ErrUnsupported)
	}
	board := 0
	for r := range g.Rules.NumRounds {
		board += int(g.Rules.NumBoardCards[r])
	}
	t := &DeviceBoards{
		table: newTable(g, m.String(), seed), method: m, batch: m.Batch,
		layout: g.boardsGame(len(g.views.deck) - board),
	}
	for range max(1, threads) {
		t.dealers = append(t.dealers, &boardDealer{vectors: newVectors(&worker{table: &t.table}, true, true)})
	}
	device, err := cudalib.NewBoards(d, t.layout, m.Batch)
	if err != nil {
		return nil, err
	}
	t.device = device
	return t, nil
}

// boardsGain is how many hands at decisions the walks of a batch must have for a
// GPU to gain: see docs/benchmarks/reis-gpu.md.
const boardsGain = 1 << 20

// BoardsGain says whether a GPU is likely to train by batches of boards faster
// than a CPU, and why.
func (g *Game) BoardsGain(batch int) (gains bool, why string) {
	n := batch * len(g.nodes) * choose[len(g.views.deck)][g.Rules.NumHoleCards]
	return n >= boardsGain, fmt.Sprintf("%d hands at decisions a batch, and a GPU gains from %d on", n, boardsGain)
}

// fill deals a batch from an iteration on into a feed.
func (t *DeviceBoards) fill(feed int, first uint64) {
	buckets, ordered := t.deal(feed, t.seed, first)
	t.merge[feed], t.ordered[feed] = t.layout.Merge(buckets), ordered
}

// deal deals the boards of iterations into a feed. It returns their buckets, by
// round and board, and whether all are ordered.
func (t *DeviceBoards) deal(feed int, seed, first uint64) (buckets [][][]int32, ordered bool) {
	words := t.layout.Words()
	buckets = make([][][]int32, t.Rules.NumRounds)
	for r := range buckets {
		buckets[r] = make([][]int32, t.batch)
	}
	var unordered atomic.Bool
	var next atomic.Int64
	work := func(d *boardDealer) {
		for k := int(next.Add(1)) - 1; k < t.batch; k = int(next.Add(1)) - 1 {
			d.random = newStream(seed, first+uint64(k), 0)
			if !d.write(&t.layout, t.device.Feed(feed)[k*words:][:words]) {
				unordered.Store(true)
			}
			for r := range buckets {
				buckets[r][k] = slices.Clone(d.buckets[r])
			}
		}
	}
	var group sync.WaitGroup
	for _, d := range t.dealers[1:] {
		group.Go(func() { work(d) })
	}
	work(t.dealers[0])
	group.Wait()
	return buckets, !unordered.Load()
}

// write deals a board, and writes it for the device. It says whether the hands
// are in the order of their buckets.
func (d *boardDealer) write(layout *cudalib.BoardsGame, words []uint32) (ordered bool) {
	d.deal()
	var left [64]int8 // by bit of a card.Set, its place among those that the board leaves
	n := int8(0)
	for _, c := range d.views.deck {
		if left[bits.TrailingZeros64(uint64(c.Bit()))] = n; !d.pool[0].onBoard(c) {
			n++
		}
	}
	rounds := d.Rules.NumRounds
	d.hands = slices.Grow(d.hands[:0], d.all)[:d.all]
	d.bucket, d.place = slices.Grow(d.bucket[:0], rounds*d.all)[:rounds*d.all], slices.Grow(d.place[:0], rounds*d.all)[:rounds*d.all]
	for h := range d.hands {
		x := &d.hands[h]
		hole := d.pool[h].cards.Hole
		*x = cudalib.BoardsHand{Rank: d.pool[h].rank, Bucket: d.bucket[h*rounds:][:rounds], Place: d.place[h*rounds:][:rounds]}
		for k := range x.Cards {
			x.Cards[k] = -1
			if hole != 0 {
				x.Cards[k] = int(left[bits.TrailingZeros64(uint64(hole))])
				hole &= hole - 1
			}
		}
		for r := range rounds {
			x.Place[r] = d.vectors.place[r][h]
			x.Bucket[r] = d.buckets[r][x.Place[r]]
		}
	}
	var places [4]int
	for r := range rounds {
		places[r] = len(d.buckets[r])
	}
	layout.Write(words, d.hands, places[:])
	return cudalib.BoardsOrdered(d.hands)
}

// onBoard says whether a card is on the board.
func (h *held) onBoard(c card.Card) bool {
	for _, cards := range h.cards.Board {
		if cards&c.Bit() != 0 {
			return true
		}
	}
	return false
}

// Close frees what the trainer has on its device.
func (t *DeviceBoards) Close() error {
	t.wait()
	return t.device.Close()
}

func (t *DeviceBoards) wait() {
	if t.dealt != nil {
		<-t.dealt
	}
}

// Err returns why the device does not train any more, or nil.
func (t *DeviceBoards) Err() error { return t.err }

// Bytes returns how much of the device's memory the training takes.
func (t *DeviceBoards) Bytes() int64 { return t.device.Bytes() }

// Step does a batch of iterations.
func (t *DeviceBoards) Step() { t.StepUpTo(1) }

// StepUpTo does a batch of iterations.
func (t *DeviceBoards) StepUpTo(uint64) {
	if t.err != nil {
		return
	}
	if t.wait(); t.dealt == nil || t.ahead != t.iterations {
		t.fill(t.feed, t.iterations)
	}
	feed := t.feed
	t.feed, t.ahead, t.dealt = 1-feed, t.iterations+uint64(t.batch), make(chan struct{})
	go func(feed int, first uint64, done chan struct{}) {
		t.fill(feed, first)
		close(done)
	}(t.feed, t.ahead, t.dealt)
	if t.err = t.device.Run(cudalib.BoardsRun{Feed: feed, Merge: t.merge[feed], Ordered: t.ordered[feed], Weight: t.method.weight(t.iterations)}, 0, 1); t.err == nil {
		t.iterations += uint64(t.batch)
		t.stale = true
	}
}

// download brings what was learnt from the device.
func (t *DeviceBoards) download() error {
	if t.err == nil && t.stale {
		t.err = t.device.Download(t.regret, t.average)
		t.stale = t.err != nil
	}
	return t.err
}

// Weights returns the average strategy, see Sampler.
func (t *DeviceBoards) Weights() []float32 {
	t.download() // an error is Err's
	return t.table.Weights()
}

// Respond learns a response to the average strategy, see Sampler.
func (t *DeviceBoards) Respond(iterations int, seed uint64) *Response {
	t.download() // an error is Err's
	return t.table.Respond(iterations, seed)
}

// Save writes the average strategy to a file.
func (t *DeviceBoards) Save(path string, m strategy.Meta) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.table.Save(path, m)
}

// WriteState writes what a Sampler writes.
func (t *DeviceBoards) WriteState(w io.Writer) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.table.WriteState(w)
}

// ReadState goes on where the trainer was that wrote the state, of the same game,
// method and seed, on whatever device.
func (t *DeviceBoards) ReadState(r io.Reader) error {
	if err := t.table.ReadState(r); err != nil {
		return err
	}
	t.stale = false
	return t.device.Upload(t.regret, t.average)
}
