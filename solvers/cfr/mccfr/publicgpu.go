package mccfr

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync/atomic"

	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/cudalib/mccfrgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/mccfr/internal/tree"
	"gamebots/solvers/strategy"
)

// PublicChanceGPU trains on a GPU as a [Sampler] does by public chance sampling in
// batches: on the same boards, to the same strategies but for rounding.
// Checkpoints go from one to the other. The CPU deals the boards of the next batch
// while the device works on the last. A PublicChanceGPU is used by one goroutine at
// a time.
//
// After a failure of the device it trains no more, and Err and every method that
// needs the device's results return the failure.
type PublicChanceGPU struct {
	Table  // tables of the last download
	layout mccfrgpu.PublicGame
	device *mccfrgpu.PublicChance
	method Method
	batch  int
	err    error
	stale  bool // the device has trained since the last download

	dealers []*boardDealer // one dealer a worker
	// The boards of a batch lie in one of two buffers.
	buffer  int           // buffer of the next batch
	ahead   uint64        // its first iteration
	merge   [2][]uint32   // how the sums of the boards of a buffer are added up
	ordered [2]bool       // see mccfrgpu.BucketsFollowRanks; one a buffer
	dealt   chan struct{} // closed when the next batch is dealt; nil before the first
}

// boardDealer deals boards for one worker.
type boardDealer struct {
	*vectors
	hands         []mccfrgpu.BoardHand
	bucket, index []int32 // see vectors.bucketIndex; for each hand and round
}

// NewPublicChanceGPU returns a trainer by public chance sampling on a device that
// has done no iteration. The error is errors.ErrUnsupported for other samplings
// and for games of more than two players or two hole cards, and a
// [*cudalib.MemoryError] where the device has too little memory free.
func NewPublicChanceGPU(d *cudalib.Device, g *Game, m Method, seed uint64, threads int) (*PublicChanceGPU, error) {
	if m.Sampling != Public {
		return nil, fmt.Errorf("a GPU does public sampling, not %v: %w", m, errors.ErrUnsupported)
	}
	if g.Rules.NumPlayers != 2 || g.Rules.NumHoleCards > 2 {
		return nil, fmt.Errorf("%s: a GPU samples boards of games of two players with one or two hole cards: %w",
			g.Rules.Name, errors.ErrUnsupported)
	}
	board := 0
	for r := range g.Rules.NumRounds {
		board += int(g.Rules.NumBoardCards[r])
	}
	t := &PublicChanceGPU{
		Table: NewTable(g, m.String(), seed), method: m, batch: m.Batch,
		layout: deviceLayout(g, len(g.Cards.Deck)-board),
	}
	for range max(1, threads) {
		t.dealers = append(t.dealers, &boardDealer{vectors: newVectors(&worker{Table: &t.Table}, Public)})
	}
	device, err := mccfrgpu.NewPublicChance(d, t.layout, m.Batch)
	if err != nil {
		return nil, err
	}
	t.device = device
	return t, nil
}

// minGPUHands is the number of (hand, decision) pairs that a batch must have for a
// GPU to be faster: see docs/benchmarks/reis-gpu.md.
const minGPUHands = 1 << 20

// PublicChanceGPUWorthwhile reports whether a GPU is likely to train by public chance
// sampling in batches of a size faster than a CPU, and why.
func PublicChanceGPUWorthwhile(g *Game, batch int) (worthwhile bool, reason string) {
	n := batch * len(g.Nodes) * tree.Binomial[len(g.Cards.Deck)][g.Rules.NumHoleCards]
	return n >= minGPUHands, fmt.Sprintf("%d hands at decisions a batch, and a GPU gains from %d on", n, minGPUHands)
}

// fill deals the batch that starts at an iteration into a buffer.
func (t *PublicChanceGPU) fill(buffer int, first uint64) {
	buckets, ordered := t.deal(buffer, t.Seed, first)
	t.merge[buffer], t.ordered[buffer] = t.layout.Merge(buckets), ordered
}

// deal deals the boards of a batch of iterations into a buffer. It returns their
// buckets, by round and board, and whether all are ordered.
func (t *PublicChanceGPU) deal(buffer int, seed, first uint64) (buckets [][][]int32, ordered bool) {
	words := t.layout.Words()
	buckets = make([][][]int32, t.Rules.NumRounds)
	for r := range buckets {
		buckets[r] = make([][]int32, t.batch)
	}
	var unordered atomic.Bool
	parallel.For(len(t.dealers), t.batch, func(worker, k int) {
		d := t.dealers[worker]
		d.random = tree.NewStream(seed, first+uint64(k), 0)
		if !d.write(&t.layout, t.device.Buffer(buffer)[k*words:][:words]) {
			unordered.Store(true)
		}
		for r := range buckets {
			buckets[r][k] = slices.Clone(d.buckets[r])
		}
	})
	return buckets, !unordered.Load()
}

// write deals a board and writes it for the device. It reports whether the hands
// are in the order of their buckets.
func (d *boardDealer) write(layout *mccfrgpu.PublicGame, words []uint32) (ordered bool) {
	d.deal()
	var left [64]int8 // place of a card, by its bit in a card.Set, among those that the board leaves
	n := int8(0)
	for _, c := range d.Cards.Deck {
		if left[bits.TrailingZeros64(uint64(c.Bit()))] = n; !d.pool[0].onBoard(c) {
			n++
		}
	}
	rounds := d.Rules.NumRounds
	d.hands = slices.Grow(d.hands[:0], d.all)[:d.all]
	d.bucket, d.index = slices.Grow(d.bucket[:0], rounds*d.all)[:rounds*d.all],
		slices.Grow(d.index[:0], rounds*d.all)[:rounds*d.all]
	for h := range d.hands {
		x := &d.hands[h]
		hole := d.pool[h].Cards.Hole
		*x = mccfrgpu.BoardHand{Rank: d.pool[h].rank, Bucket: d.bucket[h*rounds:][:rounds],
			BucketIndex: d.index[h*rounds:][:rounds]}
		for k := range x.Cards {
			x.Cards[k] = -1
			if hole != 0 {
				x.Cards[k] = int(left[bits.TrailingZeros64(uint64(hole))])
				hole &= hole - 1
			}
		}
		for r := range rounds {
			x.BucketIndex[r] = d.bucketIndex[r][h]
			x.Bucket[r] = d.buckets[r][x.BucketIndex[r]]
		}
	}
	var counts [4]int // number of buckets in each round
	for r := range rounds {
		counts[r] = len(d.buckets[r])
	}
	layout.Write(words, d.hands, counts[:])
	return mccfrgpu.BucketsFollowRanks(d.hands)
}

// onBoard reports whether a card is on the board.
func (h *holding) onBoard(c card.Card) bool {
	for _, cards := range h.Cards.Board {
		if cards&c.Bit() != 0 {
			return true
		}
	}
	return false
}

// Close frees the device memory of the trainer.
func (t *PublicChanceGPU) Close() error {
	t.wait()
	return t.device.Close()
}

// wait waits for the next batch to be dealt.
func (t *PublicChanceGPU) wait() {
	if t.dealt != nil {
		<-t.dealt
	}
}

// Err returns the failure that ended the training, or nil.
func (t *PublicChanceGPU) Err() error { return t.err }

// Bytes returns the device memory that the training takes.
func (t *PublicChanceGPU) Bytes() int64 { return t.device.Bytes() }

// Step does a batch of iterations.
func (t *PublicChanceGPU) Step() { t.StepUpTo(1) }

// StepUpTo does a batch of iterations.
func (t *PublicChanceGPU) StepUpTo(uint64) {
	if t.err != nil {
		return
	}
	if t.wait(); t.dealt == nil || t.ahead != t.Done {
		t.fill(t.buffer, t.Done)
	}
	buffer := t.buffer
	t.buffer, t.ahead, t.dealt = 1-buffer, t.Done+uint64(t.batch), make(chan struct{})
	go func(buffer int, first uint64, done chan struct{}) {
		t.fill(buffer, first)
		close(done)
	}(t.buffer, t.ahead, t.dealt)
	run := mccfrgpu.PublicRun{Buffer: buffer, Merge: t.merge[buffer], Ordered: t.ordered[buffer],
		Weight: t.method.weight(t.Done)}
	if t.err = t.device.Run(run, 0, 1); t.err == nil {
		t.Done += uint64(t.batch)
		t.stale = true
	}
}

// download copies the regrets and strategy sums from the device.
func (t *PublicChanceGPU) download() error {
	if t.err == nil && t.stale {
		t.err = t.device.Download(t.Regret, t.StrategySum)
		t.stale = t.err != nil
	}
	return t.err
}

// Weights returns the average strategy, see [Table.Weights].
func (t *PublicChanceGPU) Weights() []float32 {
	_ = t.download() // Err returns the error
	return t.Table.Weights()
}

// CurrentWeights returns the current strategy, see [Table.CurrentWeights].
func (t *PublicChanceGPU) CurrentWeights() []float32 {
	_ = t.download() // Err returns the error
	return t.Table.CurrentWeights()
}

// NewResponse returns a response to the average strategy, see [Table.NewResponse].
func (t *PublicChanceGPU) NewResponse(seed uint64) (*Response, error) {
	_ = t.download()
	if err := t.Err(); err != nil {
		return nil, err
	}
	return t.Table.NewResponse(seed)
}

// Save writes the average strategy to a file, see [Table.Save].
func (t *PublicChanceGPU) Save(path string, m strategy.Meta) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.Table.Save(path, m)
}

// WriteState writes the state as a Sampler does.
func (t *PublicChanceGPU) WriteState(w io.Writer) error {
	if err := t.download(); err != nil {
		return err
	}
	return t.Table.WriteState(w)
}

// ReadState restores the state that a trainer of the same game, method and seed
// wrote, on whatever device.
func (t *PublicChanceGPU) ReadState(r io.Reader) error {
	if err := t.Table.ReadState(r); err != nil {
		return err
	}
	t.stale = false
	return t.device.Upload(t.Regret, t.StrategySum)
}
