package brgpu

import (
	"errors"
	"fmt"
	"math"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/br"
)

// Game is what the kernels of kernels/br/boards.cu need of a game and of the strategy that
// is answered.
type Game struct {
	Hands    int
	Cards    [][2]uint8 // by hand: the positions of its cards in the deck
	Deck     int        // cards
	TwoCards bool       // a hand
	// Rounds is how many rounds come before the last.
	Rounds int
	// Scale makes the mean of the last round's values of their sum over boards.
	Scale   float64
	Players [2]Player
}

// Player is what the kernels need to answer the strategy as one player.
type Player struct {
	// Tables are the opponent's probabilities in the rounds before the last, one table
	// after the other.
	Tables []float32
	Last   Round
	// Before is the round before the last, in games of three rounds and more. Otherwise
	// units are boards of the last round, and their values are those at its start.
	Before *Round
}

// Round is a betting round, see package bestresponse.
type Round struct {
	Width, Columns, Slots int
	Table, Pays           []float32
	Ops                   []Op
	Next                  []int32 // by deal and lane
	// Reach has the factors of the opponent's reach at the start of the round, by lane.
	Reach [][]Factor
}

// Op is an operation. Its kind and mode are those of the kernel's enumerations.
type Op struct {
	Kind, Mode, Slot, Arg, Fold uint32
	Path                        []uint32
}

// Factor is a probability: Index is its place in Player.Tables for bucket 0 of the round,
// Stride the distance to the next bucket's.
type Factor struct{ Round, Index, Stride uint32 }

// Unit is a board, with those of the last round after it.
type Unit struct {
	Buckets [][]uint32 // by round before the last, and hand
	Hands   []uint32
	Classes [][]int32 // hands that are joined
	Rivers  []River
}

// River is a board of the last round: how many boards it stands for, and its hands in the
// order of their ranks. A hand is its number (11 bits), the positions of its two cards (6
// bits each), bit 31 where its rank is above that of the hand before, and its bucket (the
// upper 32 bits).
type River struct {
	Count uint32
	Order []uint64
}

// MaxPath is how many actions of an opponent in a betting round the kernels follow.
const MaxPath = 8

const (
	opWords  = 16
	lanes    = 32
	perBlock = 256 // threads of blocks without shared memory
)

// Boards values units on a device. It is used by one goroutine at a time.
type Boards struct {
	gpu     *launch.Launcher
	game    Game
	players [2]playerBuffers
	cards   driver.Buffer[uint32]
	count   driver.Buffer[uint32]
	batch   unitsArgs // that was uploaded last

	// These grow with the batches.
	units, rivers, hands, buckets, classes, members driver.Buffer[uint32]
	order                                           driver.Buffer[uint64]
	reach, reachBefore, values                      driver.Buffer[float32]
	after, roundScratch                             driver.Buffer[float64]
	scratch                                         driver.Buffer[float32]

	reachKernel *launch.Kernel[reachParams]
	riverKernel *launch.Kernel[riverParams]
	meanKernel  *launch.Kernel[meanParams]
	roundKernel *launch.Kernel[roundParams]
	blocks      int // of riverKernel at the same time
}

type playerBuffers struct {
	tables driver.Buffer[float32]
	last   roundBuffers
	before *roundBuffers // nil where units are of the last round
}

type roundBuffers struct {
	table, pays     driver.Buffer[float32]
	ops, next       driver.Buffer[uint32]
	factors, starts driver.Buffer[uint32]
	numOps          int
	columns, width  int
	slots           int
}

type (
	unitsArgs struct {
		Units, Rivers              driver.Buffer[uint32]
		Order                      driver.Buffer[uint64]
		Hands, Buckets             driver.Buffer[uint32]
		Classes, Members, Cards    driver.Buffer[uint32]
		NumUnits, Rounds, NumHands uint32
		TwoCards                   uint32
	}
	roundArgs struct {
		Ops                    driver.Buffer[uint32]
		Table, Pays            driver.Buffer[float32]
		Next                   driver.Buffer[uint32]
		NumOps, Columns, Width uint32
	}
	reachParams struct {
		Factors, Starts                   driver.Buffer[uint32]
		Tables                            driver.Buffer[float32]
		Buckets                           driver.Buffer[uint32]
		Reach                             driver.Buffer[float32]
		NumUnits, Rounds, NumHands, Width uint32
	}
	riverParams struct {
		Units       unitsArgs
		Round       roundArgs
		Reach       driver.Buffer[float32]
		After       driver.Buffer[float64]
		Scratch     driver.Buffer[float32]
		Counter     driver.Buffer[uint32]
		Slots, Deck uint32
	}
	meanParams struct {
		Units unitsArgs
		After driver.Buffer[float64]
		Width uint32
	}
	roundParams struct {
		Units       unitsArgs
		Round       roundArgs
		Number      uint32
		Reach       driver.Buffer[float32]
		After       driver.Buffer[float64]
		AfterWidth  uint32
		Scale       uint64
		Scratch     driver.Buffer[float64]
		Values      driver.Buffer[float32]
		Slots, Deck uint32
	}
)

// ErrPath is the error for a game with more actions in a row than the kernels follow.
var ErrPath = fmt.Errorf("over %d actions of a player in a betting round", MaxPath)

// New puts a game on a device.
func New(d *driver.Device, g Game) (*Boards, error) {
	b := &Boards{game: g}
	b.gpu = launch.New(d, ptx.Modules, "boards")
	b.reachKernel = launch.Find[reachParams](b.gpu, "br_reach")
	b.riverKernel = launch.Find[riverParams](b.gpu, "br_rivers")
	b.meanKernel = launch.Find[meanParams](b.gpu, "br_mean")
	b.roundKernel = launch.Find[roundParams](b.gpu, "br_round")
	b.blocks = launch.Blocks(b.gpu, b.riverKernel, lanes, b.shared(4))
	slots := 0
	for p := range g.Players {
		player := &g.Players[p]
		last := b.round(&player.Last)
		b.players[p] = playerBuffers{tables: launch.Upload(b.gpu, atLeastOne(player.Tables)), last: last}
		slots = max(slots, last.slots)
		if player.Before != nil {
			before := b.round(player.Before)
			b.players[p].before = &before
		}
	}
	cards := make([]uint32, g.Hands)
	for h, pair := range g.Cards {
		cards[h] = uint32(pair[0]) | uint32(pair[1])<<16
	}
	b.cards = launch.Upload(b.gpu, cards)
	b.count = launch.Alloc[uint32](b.gpu, 1)
	b.scratch = launch.Alloc[float32](b.gpu, max(1, b.blocks*(slots+1)*g.Hands*lanes))
	if b.gpu.Err != nil {
		return nil, errors.Join(b.gpu.Err, b.gpu.Close())
	}
	return b, nil
}

// shared returns the shared memory of a block, for sums of a number of bytes.
func (b *Boards) shared(bytes int) int { return b.game.Deck * lanes * bytes }

// atLeastOne returns an array that can be uploaded.
func atLeastOne[T any](x []T) []T {
	if len(x) == 0 {
		return make([]T, 1)
	}
	return x
}

func (b *Boards) round(r *Round) roundBuffers {
	var ops, factors, starts []uint32
	for _, o := range r.Ops {
		if len(o.Path) > MaxPath && b.gpu.Err == nil {
			b.gpu.Err = ErrPath
		}
		words := [opWords]uint32{o.Kind, o.Mode, o.Slot, o.Arg, o.Fold, uint32(len(o.Path))}
		copy(words[6:], o.Path)
		ops = append(ops, words[:]...)
	}
	numFactors := 0
	for lane := range r.Width {
		starts = append(starts, uint32(numFactors))
		if lane < len(r.Reach) {
			for _, f := range r.Reach[lane] {
				factors = append(factors, f.Round, f.Index, f.Stride)
				numFactors++
			}
		}
	}
	starts = append(starts, uint32(numFactors))
	next := make([]uint32, len(r.Next))
	for i, n := range r.Next {
		next[i] = uint32(n)
	}
	return roundBuffers{
		table: launch.Upload(b.gpu, atLeastOne(r.Table)), pays: launch.Upload(b.gpu, atLeastOne(r.Pays)),
		ops: launch.Upload(b.gpu, atLeastOne(ops)), next: launch.Upload(b.gpu, atLeastOne(next)),
		factors: launch.Upload(b.gpu, atLeastOne(factors)), starts: launch.Upload(b.gpu, starts),
		numOps: len(r.Ops), columns: r.Columns, width: r.Width, slots: r.Slots,
	}
}

// UnitBytes returns how much memory of the device a unit takes, about.
func (b *Boards) UnitBytes() (bytes int64) {
	hands := int64(b.game.Hands)
	for _, p := range b.players {
		n := hands * int64(12*p.last.width)
		if p.before != nil {
			n += hands * int64((8+8*p.before.slots)*p.before.width)
		}
		bytes = max(bytes, n)
	}
	return bytes + hands*int64(4*b.game.Rounds+8*b.game.Deck)
}

// Value returns the values of the units of the last Upload for a player, by unit, hand and
// lane.
func (b *Boards) Value(player int) ([]float32, error) {
	g, p, n := &b.game, &b.players[player], int(b.batch.NumUnits)
	size := n * g.Hands * p.last.width
	if err := errors.Join(launch.Grow(b.gpu, &b.reach, size), launch.Grow(b.gpu, &b.after, size)); err != nil {
		return nil, err
	}
	blocks := min(n*p.last.width/lanes, b.blocks)
	err := errors.Join(b.runReach(p, &p.last, b.reach), b.count.Zero(b.gpu.Stream),
		b.riverKernel.Launch(b.gpu.Stream, driver.Grid{Blocks: blocks, Threads: lanes, Shared: b.shared(4)}, riverParams{
			Units: b.batch, Round: p.last.args(), Reach: b.reach, After: b.after, Scratch: b.scratch, Counter: b.count,
			Slots: uint32(p.last.slots), Deck: uint32(g.Deck),
		}))
	if err != nil {
		return nil, err
	}
	if p.before != nil {
		return b.valueBefore(p)
	}
	sums, values := make([]float64, size), make([]float32, size)
	err = b.after.Slice(0, size).Download(b.gpu.Stream, sums)
	for i, x := range sums {
		values[i] = float32(x)
	}
	return values, err
}

// valueBefore values the round before the last.
func (b *Boards) valueBefore(p *playerBuffers) ([]float32, error) {
	g, n := &b.game, int(b.batch.NumUnits)
	size, blocks := n*g.Hands*p.before.width, n*p.before.width/lanes
	err := errors.Join(
		launch.Grow(b.gpu, &b.reachBefore, size), launch.Grow(b.gpu, &b.values, size),
		launch.Grow(b.gpu, &b.roundScratch, blocks*p.before.slots*g.Hands*lanes))
	if err != nil {
		return nil, err
	}
	values := make([]float32, size)
	return values, errors.Join(b.runReach(p, p.before, b.reachBefore),
		b.meanKernel.Launch(b.gpu.Stream, driver.Grid{Blocks: (n*p.last.width + perBlock - 1) / perBlock, Threads: perBlock},
			meanParams{b.batch, b.after, uint32(p.last.width)}),
		b.roundKernel.Launch(b.gpu.Stream, driver.Grid{Blocks: blocks, Threads: lanes, Shared: b.shared(8)}, roundParams{
			Units: b.batch, Round: p.before.args(), Number: uint32(g.Rounds - 1), Reach: b.reachBefore, After: b.after,
			AfterWidth: uint32(p.last.width), Scale: math.Float64bits(g.Scale), Scratch: b.roundScratch, Values: b.values,
			Slots: uint32(p.before.slots), Deck: uint32(g.Deck),
		}),
		b.values.Slice(0, size).Download(b.gpu.Stream, values))
}

// runReach computes the reach at the start of a round.
func (b *Boards) runReach(p *playerBuffers, r *roundBuffers, reach driver.Buffer[float32]) error {
	size := int(b.batch.NumUnits) * b.game.Hands * r.width
	return b.reachKernel.Launch(b.gpu.Stream, driver.Grid{Blocks: min((size+perBlock-1)/perBlock, 1<<14), Threads: perBlock}, reachParams{
		Factors: r.factors, Starts: r.starts, Tables: p.tables, Buckets: b.buckets, Reach: reach,
		NumUnits: b.batch.NumUnits, Rounds: uint32(b.game.Rounds), NumHands: uint32(b.game.Hands), Width: uint32(r.width),
	})
}

func (r *roundBuffers) args() roundArgs {
	return roundArgs{r.ops, r.table, r.pays, r.next, uint32(r.numOps), uint32(r.columns), uint32(r.width)}
}

// Upload writes a batch of units, of at least one, to the device.
func (b *Boards) Upload(units []Unit) error {
	g := &b.game
	var words, rivers, hands, buckets, members []uint32
	var order []uint64
	classes := []uint32{0}
	for i := range units {
		u := &units[i]
		words = append(words, uint32(len(rivers)/3), uint32(len(u.Rivers)), uint32(len(hands)), uint32(len(u.Hands)), uint32(len(classes)-1), uint32(len(u.Classes)))
		for _, r := range u.Rivers {
			rivers = append(rivers, uint32(len(order)), uint32(len(r.Order)), r.Count)
			order = append(order, r.Order...)
		}
		hands = append(hands, u.Hands...)
		for r := range g.Rounds {
			buckets = append(buckets, u.Buckets[r]...)
		}
		for _, class := range u.Classes {
			for _, h := range class {
				members = append(members, uint32(h))
			}
			classes = append(classes, uint32(len(members)))
		}
	}
	var errs []error
	put := func(to *driver.Buffer[uint32], words []uint32) driver.Buffer[uint32] {
		words = atLeastOne(words)
		errs = append(errs, launch.Grow(b.gpu, to, len(words)))
		if errs[len(errs)-1] == nil {
			errs = append(errs, to.Slice(0, len(words)).Upload(b.gpu.Stream, words))
		}
		return *to
	}
	args := unitsArgs{
		Units: put(&b.units, words), Rivers: put(&b.rivers, rivers), Hands: put(&b.hands, hands), Buckets: put(&b.buckets, buckets),
		Classes: put(&b.classes, classes), Members: put(&b.members, members), Cards: b.cards,
		NumUnits: uint32(len(units)), Rounds: uint32(g.Rounds), NumHands: uint32(g.Hands),
	}
	if g.TwoCards {
		args.TwoCards = 1
	}
	errs = append(errs, launch.Grow(b.gpu, &b.order, len(order)))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	args.Order = b.order
	b.batch = args
	return b.order.Slice(0, len(order)).Upload(b.gpu.Stream, order)
}

// Close frees the device memory.
func (b *Boards) Close() error { return b.gpu.Close() }
