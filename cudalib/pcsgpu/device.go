package pcsgpu

import (
	"embed"
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/segmentgpu"
)

// device has a share of a game on a device, with its tables.
type device struct {
	gpu  *launch.Launcher
	game *share

	order    driver.Buffer[uint32]
	cards    []cardBuffers // see Batch
	rounds   []roundBuffers
	parts    []PartBuffers
	players  [2]playerBuffers
	values   driver.Buffer[float32]
	valuesAt []int // the first of each part
	// The values at the start of the first divided round, for other devices: by player, as they may
	// still be read when the next ones are written.
	given [2]driver.Pinned[float32]

	strategy *launch.Kernel[strategyParams]
	reach    *launch.Kernel[reachParams]
	start    *launch.Kernel[startParams]
	orders   *launch.Kernel[ordersParams]
	ends     *launch.Kernel[endsParams]
	updates  []*launch.Kernel[updateParams] // kernels in the order of ActionKernels
}

// cardBuffers are [Cards], and the entries of hands by round, board and place, from the worst hand up
// and from the best rank down.
type cardBuffers struct {
	buckets  driver.Buffer[uint32]
	up, down driver.Buffer[uint64]
	rounds   []hitBuffers
}

type roundBuffers struct {
	from  driver.Buffer[uint32]    // lane before, of each lane
	deals [2]driver.Buffer[uint32] // a player each
	roots driver.Buffer[float32]   // the values at the start, by board, hand and lane
}

// PartBuffers are the programs of a part on a device.
type PartBuffers struct {
	Next               driver.Buffer[uint32]
	Sources, Decisions [2]driver.Buffer[uint32] // a player each
}

// playerBuffers are of all rounds; at says where each part, or round, starts.
type playerBuffers struct {
	regrets, sums, strategy, reach driver.Buffer[float32]
	tableAt, reachAt               []int
	// What this player's values are computed from: the opponent's ends.
	parts, passes driver.Buffer[uint32]
	pays          driver.Buffer[float32]
	tasks         int // blocks of the kernel for ends
}

// The parameters of the kernels of pcs.cu.
type (
	strategyParams struct {
		Decisions                             driver.Buffer[uint32]
		Regrets, Strategy                     driver.Buffer[float32]
		NumDecisions, Buckets, Columns, Width uint32
	}
	reachParams struct {
		From, Deals             driver.Buffer[uint32]
		Strategy                driver.Buffer[float32]
		Buckets                 driver.Buffer[uint32]
		Before, Reach           driver.Buffer[float32]
		Hands, Width, NextWidth uint32
	}
	startParams struct {
		Reach        driver.Buffer[float32]
		Hands, Width uint32
	}
	ordersParams struct {
		Order, Buckets       driver.Buffer[uint32]
		Up, Down             driver.Buffer[uint64]
		Hands, Batch, Rounds uint32
	}
	endsParams struct {
		Parts, Passes           driver.Buffer[uint32]
		Pays                    driver.Buffer[float32]
		Up, Down                driver.Buffer[uint64]
		Reach, Strategy, Values driver.Buffer[float32]
		Boards, Hands, Deck     uint32
		TwoCards                bool
	}
	updateParams struct {
		Program programArgs
		State   stateArgs
		Sizes   sizeArgs
		Weights Update
	}
	programArgs struct{ Sources, Decisions, Rows, Starts, Hits, NextLane driver.Buffer[uint32] }
	stateArgs   struct{ OwnReach, NextRoots, Values, Roots, Regrets, Sums, Strategy driver.Buffer[float32] }
	sizeArgs    struct {
		Boards, Hands, Columns, NumDecisions, NumEnds, NumDeals, Width, RoundWidth, NextWidth uint32
	}
)

// perBlock is how many threads a block has at most in loops over arrays.
const perBlock = 256

// SizeError is the error for a game with a betting round that needs more of something than the kernels have.
type SizeError struct {
	What        string
	Need, Limit int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("a betting round needs %d %s, and the kernels for GPUs have room for %d: one with fewer raises "+
		"needs fewer", e.Need, e.What, e.Limit)
}

// CheckPart returns a [*SizeError] for a part whose columns or values have more numbers than a byte, or whose
// kernels need more than some bytes of shared memory a block for a player.
func CheckPart(p *segmentgpu.Part, player, need, shared int) error {
	for _, limit := range []SizeError{
		{"actions of a player", p.Columns[player], maxNumber},
		{"values of a player", p.Numbers(player), maxNumber},
		{"bytes of shared memory", need, shared},
	} {
		if limit.Need > limit.Limit {
			return &limit
		}
	}
	return nil
}

// checkSize returns a [*SizeError] for a game whose parts are too large for a device with some
// bytes of shared memory a block.
func (g *Game) checkSize(shared int) error {
	for i := range g.Parts {
		p := &g.Parts[i]
		for player := range p.Programs {
			if err := CheckPart(p, player, updateBytes(p, player, 1), shared); err != nil {
				return err
			}
		}
	}
	return nil
}

// newDevice puts a share of a game on a device, with tables of zero.
func newDevice(d *driver.Device, g *share) (*device, error) {
	if err := errors.Join(g.checkSize(d.Info().SharedPerBlock), d.RequireMemory(g.Bytes())); err != nil {
		return nil, err
	}
	s := &device{game: g, gpu: launch.New(d, Modules, "pcs")}
	s.strategy = launch.Find[strategyParams](s.gpu, "pcs_strategy")
	s.reach = launch.Find[reachParams](s.gpu, "pcs_reach")
	s.start = launch.Find[startParams](s.gpu, "pcs_start")
	s.orders = launch.Find[ordersParams](s.gpu, "pcs_orders")
	s.ends = launch.Find[endsParams](s.gpu, "pcs_ends")
	for _, k := range ActionKernels {
		s.updates = append(s.updates, launch.Find[updateParams](s.gpu, "pcs_update_"+k.Name))
	}
	size := g.Boards * g.Hands
	s.order = launch.Alloc[uint32](s.gpu, size)
	for player := range g.abstractions() {
		s.cards = append(s.cards, s.cardsFor(player))
	}
	total := 0
	for i := range g.Parts {
		s.parts = append(s.parts, NewPartBuffers(s.gpu, &g.Parts[i]))
		s.valuesAt = append(s.valuesAt, total)
		total += g.Values(i)
	}
	s.values = launch.Alloc[float32](s.gpu, total)
	for p := range s.players {
		s.players[p] = s.player(p)
	}
	for r := range g.Widths {
		s.rounds = append(s.rounds, s.round(r))
	}
	for p := range s.given {
		s.given[p] = launch.AllocPinned[float32](s.gpu, g.givenLen())
	}
	s.gpu.Try(s.Match)
	return launch.Finish(s.gpu, s)
}

func (s *device) Close() error { return s.gpu.Close() }

// NewPartBuffers puts the programs of a part on a device.
func NewPartBuffers(l *launch.Launcher, p *segmentgpu.Part) (b PartBuffers) {
	b.Next = launch.Upload(l, p.Next)
	for player := range p.Programs {
		program := &p.Programs[player]
		b.Sources[player] = launch.Upload(l, packed(program.Sums()))
		b.Decisions[player] = launch.Upload(l, program.DecisionWords())
	}
	return b
}

// cardsFor makes the buffers of a player's card abstraction.
func (s *device) cardsFor(player int) (b cardBuffers) {
	size := s.game.Boards * s.game.Hands
	b.buckets, b.rounds = launch.Alloc[uint32](s.gpu, size*len(s.game.Widths)), make([]hitBuffers, len(s.game.Widths))
	b.up, b.down = launch.Alloc[uint64](s.gpu, b.buckets.Len()), launch.Alloc[uint64](s.gpu, b.buckets.Len())
	for r := range b.rounds {
		if s.game.Widths[r] > 0 {
			b.rounds[r] = newHitBuffers(s.gpu, s.game.Buckets[r][player], size)
		}
	}
	return b
}

// cardsOf returns the card abstraction of a player.
func (s *device) cardsOf(player int) *cardBuffers { return &s.cards[player%len(s.cards)] }

// round makes the buffers of a round, after those of the players.
func (s *device) round(r int) (b roundBuffers) {
	b.from = launch.Upload(s.gpu, segmentgpu.From(s.game.Parts, r))
	b.roots = launch.Alloc[float32](s.gpu, s.game.roots(r))
	for player := range b.deals {
		b.deals[player] = launch.Upload(s.gpu, Deals(s.game.Parts, r, player, s.players[player].tableAt))
	}
	return b
}

func (s *device) player(p int) (b playerBuffers) {
	var parts []PartWords
	var passes []Pass
	var pays []float32
	reach := 0
	for r := range s.game.Widths {
		b.reachAt = append(b.reachAt, reach)
		reach += s.game.Reach(r)
	}
	entries, opponents := 0, 0
	for i := range s.game.Parts {
		part := &s.game.Parts[i]
		program := &part.Programs[p]
		some := PassesOf(program.Ends, part.Programs[1-p].Decisions)
		words := PartWords{
			Reach: uint64(b.reachAt[part.Round] + part.First), Strategy: uint64(opponents),
			Values: uint64(s.valuesAt[i]), Tasks: uint32(len(some) * s.game.Boards * part.Width / launch.Warp),
			Pass: uint32(len(passes)), Passes: uint32(len(some)), Pays: uint32(len(pays)),
			Columns: uint32(part.Columns[1-p]), Width: uint32(part.Width), NumValues: uint32(part.Values),
			Round: uint32(part.Round), RoundWidth: uint32(s.game.Widths[part.Round]),
		}
		parts, passes, pays = append(parts, words), append(passes, some...), append(pays, program.Pays...)
		b.tasks += int(words.Tasks)
		b.tableAt = append(b.tableAt, entries)
		entries += s.game.Entries(i, p)
		opponents += s.game.Entries(i, 1-p)
	}
	b.parts, b.passes, b.pays = launch.Upload(s.gpu, launch.Words(parts)), launch.Upload(s.gpu, launch.Words(passes)),
		launch.Upload(s.gpu, pays)
	b.regrets, b.sums = launch.Zeros[float32](s.gpu, entries), launch.Zeros[float32](s.gpu, entries)
	b.strategy, b.reach = launch.Alloc[float32](s.gpu, entries), launch.Alloc[float32](s.gpu, reach)
	hands, width := s.game.Boards*s.game.Hands, s.game.Widths[0]
	s.gpu.Try(func() error {
		return s.start.Launch(s.gpu.Stream, driver.Grid{Blocks: hands, Threads: min(width, perBlock)},
			startParams{b.reach, uint32(hands), uint32(width)})
	})
	return b
}

// table returns where the regrets of a player in a part are, or the sums of its strategies.
func (s *device) table(sums bool, player, part int) driver.Buffer[float32] {
	b := &s.players[player]
	from, to := b.tableAt[part], b.tableAt[part]+s.game.Entries(part, player)
	if sums {
		return b.sums.Slice(from, to)
	}
	return b.regrets.Slice(from, to)
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
