package brgpu

import (
	"embed"
	"errors"
	"math"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

const (
	opWords   = 16
	passWords = 24
	tileWords = 12
	lanes     = 32
)

// A Valuer values units on a device. It is used by one goroutine at a time.
type Valuer struct {
	gpu     *launch.Launcher
	game    Game
	players [2]playerBuffers
	gameBuffers
	batch batch // the last Upload
	batchBuffers
	kernels
}

type gameBuffers struct {
	cards, renamed, counter driver.Buffer[uint32]
	orders                  driver.Buffer[uint64]
	scratch                 driver.Buffer[float32]
}

// batchBuffers grow with the batches.
type batchBuffers struct {
	units, rivers, hands, buckets, classes, members, starts, counts driver.Buffer[uint32]
	order                                                           driver.Buffer[uint64]
	reach, reachBefore, values, riverValues                         driver.Buffer[float32]
	after, sums, roundScratch                                       driver.Buffer[float64]
}

type kernels struct {
	orderKernel *launch.Kernel[orderParams]
	reachKernel *launch.Kernel[reachParams]
	riverKernel *launch.Kernel[riverParams]
	sumKernel   *launch.Kernel[sumParams]
	meanKernel  *launch.Kernel[meanParams]
	roundKernel *launch.Kernel[roundParams]
	partKernel  *launch.Kernel[partParams]
	blocks      int // blocks of riverKernel that run at the same time
}

// batch describes the boards that were uploaded last.
type batch struct {
	unitsArgs
	parts, rivers int
}

type playerBuffers struct {
	tables driver.Buffer[float32]
	last   *roundBuffers
	before *roundBuffers // nil where units are of the last round
}

// roundBuffers are a round, part by part. Operations are passes in the last one.
type roundBuffers struct {
	*Round
	factors, starts  driver.Buffer[uint32]  // the factors of the opponent's reach at its start
	table, one, pays driver.Buffer[float32] // one is a probability of 1
	tiles, ops, next driver.Buffer[uint32]
	numTiles         int
}

type (
	unitsArgs struct {
		Units, Rivers              driver.Buffer[uint32]
		Order                      driver.Buffer[uint64]
		Hands, Buckets             driver.Buffer[uint32]
		Classes, Members, Cards    driver.Buffer[uint32]
		NumUnits, Rounds, NumHands uint32
		RiverHands                 uint32
		TwoCards                   bool
	}
	roundArgs struct {
		Tiles           driver.Buffer[uint32]
		Table, Pays     driver.Buffer[float32]
		NumTiles, Width uint32
	}
	orderParams struct {
		Rivers                          driver.Buffer[uint32]
		Canonical                       driver.Buffer[uint64]
		Renamed, Cards                  driver.Buffer[uint32]
		Order                           driver.Buffer[uint64]
		NumRivers, NumHands, RiverHands uint32
	}
	reachParams struct {
		Factors, Starts                   driver.Buffer[uint32]
		Tables                            driver.Buffer[float32]
		Buckets                           driver.Buffer[uint32]
		Reach                             driver.Buffer[float32]
		NumUnits, Rounds, NumHands, Width uint32
	}
	riverParams struct {
		Units                          unitsArgs
		Round                          roundArgs
		Passes                         driver.Buffer[uint32]
		One, Reach, Values, Scratch    driver.Buffer[float32]
		Counter                        driver.Buffer[uint32]
		Number, NumRivers, Slots, Deck uint32
	}
	sumParams struct {
		Units  unitsArgs
		Round  roundArgs
		Values driver.Buffer[float32]
		After  driver.Buffer[float64]
		Number uint32
	}
	meanParams struct {
		Units unitsArgs
		After driver.Buffer[float64]
		Width uint32
	}
	roundParams struct {
		Units       unitsArgs
		Round       roundArgs
		Ops, Next   driver.Buffer[uint32]
		Number      uint32
		Reach       driver.Buffer[float32]
		After       driver.Buffer[float64]
		AfterWidth  uint32
		Scale       uint64
		Scratch     driver.Buffer[float64]
		Values      driver.Buffer[float32]
		Slots, Deck uint32
	}
	partParams struct {
		Units           unitsArgs
		Starts, Counts  driver.Buffer[uint32]
		Values          driver.Buffer[float32]
		Sums            driver.Buffer[float64]
		NumParts, Width uint32
	}
)

// New puts a game on a device.
func New(d *driver.Device, g Game) (*Valuer, error) {
	b := &Valuer{game: g}
	b.gpu = launch.New(d, Modules, "boards")
	b.orderKernel = launch.Find[orderParams](b.gpu, "br_order")
	b.reachKernel = launch.Find[reachParams](b.gpu, "br_reach")
	b.riverKernel = launch.Find[riverParams](b.gpu, "br_rivers")
	b.sumKernel = launch.Find[sumParams](b.gpu, "br_sum")
	b.meanKernel = launch.Find[meanParams](b.gpu, "br_mean")
	b.roundKernel = launch.Find[roundParams](b.gpu, "br_round")
	b.partKernel = launch.Find[partParams](b.gpu, "br_parts")
	b.blocks = launch.Blocks(b.gpu, b.riverKernel, lanes, b.riverShared())
	slots := 0
	for p := range g.Players {
		player := &g.Players[p]
		b.players[p] = playerBuffers{tables: launch.Upload(b.gpu, player.Tables), last: b.round(&player.Last, true)}
		slots = max(slots, player.Last.slots())
		if player.Before != nil {
			b.players[p].before = b.round(player.Before, false)
		}
	}
	cards := make([]uint32, g.Hands)
	for h, pair := range g.Cards {
		second := uint32(pair[1])
		if !g.TwoCards {
			second = uint32(g.Deck) // a card that nobody has
		}
		cards[h] = uint32(pair[0]) | second<<16
	}
	b.cards = launch.Upload(b.gpu, cards)
	b.renamed = launch.Upload(b.gpu, g.Renamed)
	b.orders = launch.Upload(b.gpu, g.Orders)
	b.counter = launch.Alloc[uint32](b.gpu, 1)
	b.scratch = launch.Alloc[float32](b.gpu, max(1, b.blocks*slots*g.RiverHands*lanes))
	return launch.Finish(b.gpu, b)
}

// riverShared returns the shared memory of a block of riverKernel: the sums of a pass, and the reach of a rank's hands.
func (b *Valuer) riverShared() int { return (b.game.Deck + 1 + stashed) * passSums * lanes * 4 }

// roundShared returns the shared memory of a block of roundKernel.
func (b *Valuer) roundShared() int { return b.game.Deck * lanes * 8 }

func (b *Valuer) round(r *Round, last bool) *roundBuffers {
	x, one := &roundBuffers{Round: r}, []float32{1}
	var table, pays []float32
	var tiles, ops, next, factors, starts []uint32
	for i := range r.Parts {
		p := &r.Parts[i]
		words, size := b.opWords(p), opWords
		if last {
			words, size = passesWords(p.Ops), passWords
		}
		for lane := 0; lane < p.Width; lane += lanes {
			for _, at := range []int{len(table), len(pays), len(next)} {
				at += lane
				tiles = append(tiles, uint32(at), uint32(at>>32))
			}
			tiles = append(tiles, uint32(len(ops)/size), uint32(len(words)/size), uint32(p.Columns), uint32(p.Width),
				uint32(p.First+lane), 0)
		}
		table, pays, ops, next = append(table, p.Table...), append(pays, p.Pays...), append(ops, words...),
			append(next, p.Next...)
	}
	for lane := range r.Width {
		starts = append(starts, uint32(len(factors)/3))
		if lane < len(r.Reach) {
			for _, f := range r.Reach[lane] {
				factors = append(factors, f.Round, f.Index, f.Stride)
			}
		}
	}
	starts = append(starts, uint32(len(factors)/3))
	x.table, x.one, x.pays = launch.Upload(b.gpu, table), launch.Upload(b.gpu, one), launch.Upload(b.gpu, pays)
	x.numTiles = len(tiles) / tileWords
	x.tiles, x.ops, x.next = launch.Upload(b.gpu, tiles), launch.Upload(b.gpu, ops), launch.Upload(b.gpu, next)
	x.factors, x.starts = launch.Upload(b.gpu, factors), launch.Upload(b.gpu, starts)
	return x
}

// opWords returns the operations of a part as the kernel's structs Op.
func (b *Valuer) opWords(p *Part) (list []uint32) {
	for _, o := range p.Ops {
		words := [opWords]uint32{o.Kind, o.Mode, o.Slot, o.Arg, o.Fold, o.Way, uint32(len(o.Path))}
		if copy(words[7:7+maxPath], o.Path) < len(o.Path) && b.gpu.Err == nil {
			b.gpu.Err = ErrPath
		}
		list = append(list, words[:]...)
	}
	return list
}

// UnitBytes returns how much memory of the device a unit takes, about.
func (b *Valuer) UnitBytes() (bytes int64) {
	hands := int64(b.game.Hands)
	for _, p := range b.players {
		n := hands * int64(12*p.last.Width+4*lanes)
		if p.before != nil { // as many boards of the last round
			n += hands * int64(4*lanes*(b.game.Deck-1))
			n += hands * int64((8+8*p.before.slots())*p.before.Width)
		}
		bytes = max(bytes, n)
	}
	return bytes + hands*int64(4*b.game.Rounds+8*b.game.Deck)
}

// Value returns sums for a player: the values of each unit of the parts of the last Upload
// as often as it counts, by part, hand and lane of the units' round.
func (b *Valuer) Value(player int) ([]float64, error) {
	g, p, n := &b.game, &b.players[player], int(b.batch.NumUnits)
	size := n * g.Hands * p.last.Width
	if err := errors.Join(launch.Grow(b.gpu, &b.reach, size), launch.Grow(b.gpu, &b.after, size)); err != nil {
		return nil, err
	}
	if err := errors.Join(b.runReach(p, p.last, b.reach), b.valueRivers(p)); err != nil {
		return nil, err
	}
	if p.before != nil {
		return b.valueBefore(p)
	}
	sums := make([]float64, size)
	err := b.after.Slice(0, size).Download(b.gpu.Stream, sums)
	for i, x := range sums {
		sums[i] = float64(float32(x))
	}
	return sums, err
}

// valueRivers values the last round, a tile at a time, and sums over the boards of each unit.
func (b *Valuer) valueRivers(p *playerBuffers) error {
	g, r := &b.game, p.last.args()
	if err := launch.Grow(b.gpu, &b.riverValues, b.batch.rivers*g.Hands*lanes); err != nil {
		return err
	}
	for tile := range r.NumTiles {
		err := errors.Join(b.counter.Zero(b.gpu.Stream),
			b.riverKernel.Launch(b.gpu.Stream, driver.Grid{
				Blocks: min(b.batch.rivers, b.blocks), Threads: lanes, Shared: b.riverShared(),
			}, riverParams{
				Units: b.batch.unitsArgs, Round: r, Passes: p.last.ops, One: p.last.one, Reach: b.reach,
				Values: b.riverValues, Scratch: b.scratch, Counter: b.counter,
				Number: tile, NumRivers: uint32(b.batch.rivers), Slots: uint32(p.last.slots()),
				Deck: uint32(g.Deck),
			}),
			b.sumKernel.Launch(b.gpu.Stream, launch.Loop(int(b.batch.NumUnits)*g.Hands*lanes), sumParams{
				Units: b.batch.unitsArgs, Round: r, Values: b.riverValues, After: b.after, Number: tile,
			}))
		if err != nil {
			return err
		}
	}
	return nil
}

// valueBefore values the round before the last.
func (b *Valuer) valueBefore(p *playerBuffers) ([]float64, error) {
	g, n := &b.game, int(b.batch.NumUnits)
	size, blocks := n*g.Hands*p.before.Width, n*p.before.numTiles
	sums := make([]float64, b.batch.parts*g.Hands*p.before.Width)
	err := errors.Join(
		launch.Grow(b.gpu, &b.reachBefore, size), launch.Grow(b.gpu, &b.values, size),
		launch.Grow(b.gpu, &b.sums, len(sums)),
		launch.Grow(b.gpu, &b.roundScratch, blocks*p.before.slots()*g.Hands*lanes))
	if err != nil {
		return nil, err
	}
	return sums, errors.Join(b.runReach(p, p.before, b.reachBefore),
		b.meanKernel.Launch(b.gpu.Stream, launch.Loop(n*p.last.Width),
			meanParams{b.batch.unitsArgs, b.after, uint32(p.last.Width)}),
		b.roundKernel.Launch(b.gpu.Stream, driver.Grid{
			Blocks: blocks, Threads: lanes, Shared: b.roundShared(),
		}, roundParams{
			Units: b.batch.unitsArgs, Round: p.before.args(), Ops: p.before.ops, Next: p.before.next,
			Number: uint32(g.Rounds - 1), Reach: b.reachBefore,
			After: b.after, AfterWidth: uint32(p.last.Width), Scale: math.Float64bits(g.Scale), Scratch: b.roundScratch,
			Values: b.values, Slots: uint32(p.before.slots()), Deck: uint32(g.Deck),
		}),
		b.partKernel.Launch(b.gpu.Stream, launch.Loop(len(sums)), partParams{
			Units: b.batch.unitsArgs, Starts: b.starts, Counts: b.counts, Values: b.values, Sums: b.sums,
			NumParts: uint32(b.batch.parts), Width: uint32(p.before.Width),
		}),
		b.sums.Slice(0, len(sums)).Download(b.gpu.Stream, sums))
}

// runReach computes the reach at the start of a round.
func (b *Valuer) runReach(p *playerBuffers, r *roundBuffers, reach driver.Buffer[float32]) error {
	return b.reachKernel.Launch(b.gpu.Stream, launch.Loop(int(b.batch.NumUnits)*b.game.Hands*r.Width), reachParams{
		Factors: r.factors, Starts: r.starts, Tables: p.tables, Buckets: b.buckets, Reach: reach,
		NumUnits: b.batch.NumUnits, Rounds: uint32(b.game.Rounds), NumHands: uint32(b.game.Hands),
		Width: uint32(r.Width),
	})
}

func (r *roundBuffers) args() roundArgs {
	return roundArgs{r.tiles, r.table, r.pays, uint32(r.numTiles), uint32(r.Width)}
}

// Upload writes a batch, the units of at least one part, to the device.
func (b *Valuer) Upload(parts [][]Unit) error {
	g := &b.game
	var units, rivers, hands, buckets, members, counts []uint32
	starts, classes := []uint32{0}, []uint32{0}
	for _, part := range parts {
		for i := range part {
			u := &part[i]
			counts = append(counts, u.Count)
			units = append(units, uint32(len(rivers)/4), uint32(len(u.Rivers)), uint32(len(hands)),
				uint32(len(u.Hands)), uint32(len(classes)-1), uint32(len(u.Classes)))
			for _, r := range u.Rivers {
				rivers = append(rivers, r[0], r[1], r[2], uint32(len(counts)-1))
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
		starts = append(starts, uint32(len(counts)))
	}
	var errs []error
	put := func(to *driver.Buffer[uint32], words []uint32) driver.Buffer[uint32] {
		if len(words) == 0 {
			words = []uint32{0}
		}
		errs = append(errs, launch.Grow(b.gpu, to, len(words)))
		if errs[len(errs)-1] == nil {
			errs = append(errs, to.Slice(0, len(words)).Upload(b.gpu.Stream, words))
		}
		return *to
	}
	put(&b.starts, starts)
	put(&b.counts, counts)
	args := unitsArgs{
		Units: put(&b.units, units), Rivers: put(&b.rivers, rivers), Hands: put(&b.hands, hands),
		Buckets: put(&b.buckets, buckets), Classes: put(&b.classes, classes), Members: put(&b.members, members),
		Cards: b.cards, NumUnits: uint32(len(counts)), Rounds: uint32(g.Rounds), NumHands: uint32(g.Hands),
		RiverHands: uint32(g.RiverHands), TwoCards: g.TwoCards,
	}
	size := len(rivers) / 4 * g.RiverHands
	errs = append(errs, launch.Grow(b.gpu, &b.order, size))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	args.Order = b.order
	b.batch = batch{args, len(parts), len(rivers) / 4}
	return b.orderKernel.Launch(b.gpu.Stream, launch.Loop(size), orderParams{
		Rivers: args.Rivers, Canonical: b.orders, Renamed: b.renamed, Cards: b.cards, Order: b.order,
		NumRivers: uint32(len(rivers) / 4), NumHands: args.NumHands, RiverHands: args.RiverHands,
	})
}

// Close frees the device memory.
func (b *Valuer) Close() error { return b.gpu.Close() }

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
