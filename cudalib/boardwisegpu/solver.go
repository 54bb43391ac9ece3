package boardwisegpu

import (
	"errors"
	"fmt"
	"unsafe"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// Purpose is the purpose of a traversal.
type Purpose int

const (
	Train   Purpose = iota // update a player
	Respond                // value a player's best response to the average strategy
	Average                // value the average strategy for a player
)

// Work is what a traversal does.
type Work struct {
	Purpose
	Player int
	Update // Train only
}

// Update is how regrets and sums of strategies change: see kernels.Discounts of the solvers. Salt
// is of the iteration, for the bits of rounding.
type Update struct {
	Positive, Negative, Floor, Sum float32
	Salt                           uint32
}

// Solver has a game and its regrets and strategies on a device. It is used by one goroutine
// at a time.
type Solver struct {
	gpu    *launch.Launcher
	game   Game
	rounds []roundBuffers

	descend  *launch.Kernel[descendParams]
	mean     *launch.Kernel[meanParams]
	segments [3]*launch.Kernel[segmentParams] // a kernel for each purpose
	values   []float32                        // values of the first round
}

// Threads of blocks.
const (
	segmentThreads = 1024 // at most, of a block for a board and a tile
	perBlock       = 256
	maxBlocks      = 1 << 16 // blocks at most, where threads go on
)

// entries are regrets or sums of strategies.
type entries struct {
	packed driver.Buffer[uint16]
	floats driver.Buffer[float32] // or these
}

func (e *entries) arg() driver.Arg {
	if e.packed.Len() > 0 {
		return e.packed.Arg()
	}
	return e.floats.Arg()
}

type roundBuffers struct {
	boards, hands, lists, positions, up, boardOf driver.Buffer[uint32]
	follow, refined, next, from                  driver.Buffer[uint32]
	weight                                       driver.Buffer[float32]
	paths, pathLengths                           [2]driver.Buffer[uint32]
	programs                                     [2]driver.Buffer[uint32]
	pays                                         [2]driver.Buffer[float32]
	regret, sums                                 [2]entries
	reach                                        [2]driver.Buffer[float32] // at the start
	values, means                                driver.Buffer[float32]
}

type (
	descendParams struct {
		Boards, BoardOf, Up, From, Paths, PathLengths driver.Buffer[uint32]
		Entries                                       driver.Arg
		Reach, NextReach                              driver.Buffer[float32]
		Rows                                          uint64
		Width, NextWidth, Columns                     uint32
	}
	meanParams struct {
		Follow, Refined       driver.Buffer[uint32]
		Weight, Values, Means driver.Buffer[float32]
		Rows                  uint64
		Width                 uint32
	}
	segmentParams struct {
		Round  roundArgs
		State  stateArgs
		Sizes  sizeArgs
		Update Update
	}
	roundArgs struct {
		Program                         driver.Buffer[uint32]
		Pays                            driver.Buffer[float32]
		Boards, Hands, Lists, Positions driver.Buffer[uint32]
		Up, Next                        driver.Buffer[uint32]
	}
	stateArgs struct {
		OwnReach, OtherReach, Means, Values driver.Buffer[float32]
		Own, Other, Sums                    driver.Arg
	}
	sizeArgs struct {
		NumPasses, Width, NextWidth, OwnColumns, OtherColumns, NumPays, Slots, NumSums, Most, Cards, List uint32
	}
)

// New puts a game on a device, with regrets and strategies of zero. The error is a
// [*driver.MemoryError] where less than need bytes are free, and errors.ErrUnsupported where
// the vectors of a board do not fit into a multiprocessor.
func New(d *driver.Device, g Game, need int64) (*Solver, error) {
	for r := range g.Rounds {
		for p := range 2 {
			if need, has := g.Rounds[r].shared(p), d.Info().SharedPerBlock; need > has {
				return nil, fmt.Errorf("a board of round %d needs %d bytes of a multiprocessor, which has %d: %w", r+1,
					need, has, errors.ErrUnsupported)
			}
		}
	}
	if err := d.RequireMemory(need); err != nil {
		return nil, err
	}
	s := &Solver{gpu: launch.New(d, Modules, "boardwise"), game: g}
	bits := 32
	if g.Packed {
		bits = 16
	}
	s.descend = launch.Find[descendParams](s.gpu, fmt.Sprintf("boardwise_descend%d", bits))
	s.mean = launch.Find[meanParams](s.gpu, "boardwise_mean")
	for purpose, name := range []string{Train: "train", Respond: "respond", Average: "average"} {
		s.segments[purpose] = launch.Find[segmentParams](s.gpu, fmt.Sprintf("boardwise_%s%d", name, bits))
	}
	for r := range g.Rounds {
		s.rounds = append(s.rounds, s.round(r))
	}
	if s.gpu.Err == nil {
		first := make([]float32, g.Rounds[0].Width)
		first[0] = 1
		for p := range 2 {
			s.gpu.Err = errors.Join(s.gpu.Err, s.rounds[0].reach[p].Upload(s.gpu.Stream, first))
		}
	}
	if s.gpu.Err != nil {
		return nil, errors.Join(s.gpu.Err, s.gpu.Close())
	}
	s.values = make([]float32, s.rounds[0].values.Len())
	return s, nil
}

// round uploads a round and makes room for its state.
func (s *Solver) round(r int) roundBuffers {
	g, l := &s.game.Rounds[r], s.gpu
	above := 1
	if r > 0 {
		above = len(s.game.Rounds[r-1].Up)
	}
	b := roundBuffers{
		boards: launch.Upload(l, launch.Words(g.Boards)), hands: launch.Upload(l, g.Hands),
		lists: launch.Upload(l, g.Lists), positions: launch.Upload(l, launch.Words(g.Positions)),
		up: launch.Upload(l, g.Up), boardOf: launch.Upload(l, g.BoardOf), follow: launch.Upload(l, g.Follow),
		refined: launch.Upload(l, g.Refined), next: launch.Upload(l, g.Next), from: launch.Upload(l, g.From),
		weight: launch.Upload(l, g.Weight), values: launch.Alloc[float32](l, len(g.Up)*g.Width),
		means: launch.Alloc[float32](l, above*g.Width),
	}
	for p := range 2 {
		var paths []Choice
		var lengths []uint32
		for _, path := range g.Choices[p] {
			var padded [MaxPath]Choice
			lengths = append(lengths, uint32(copy(padded[:], path)))
			paths = append(paths, padded[:]...)
		}
		b.paths[p], b.pathLengths[p] = launch.Upload(l, launch.Words(paths)), launch.Upload(l, lengths)
		b.programs[p], b.pays[p] = launch.Upload(l, launch.Words(g.Passes[p].List)),
			launch.Upload(l, g.Programs[p].Pays)
		n := len(g.Up) * g.Width * g.Columns[p]
		b.regret[p], b.sums[p] = s.entries(n), s.entries(n)
		b.reach[p] = launch.Alloc[float32](l, above*g.Width)
	}
	return b
}

func (s *Solver) entries(n int) (e entries) {
	if s.game.Packed {
		e.packed = launch.Alloc[uint16](s.gpu, n)
	} else {
		e.floats = launch.Alloc[float32](s.gpu, n)
	}
	if s.gpu.Err == nil {
		if s.game.Packed {
			s.gpu.Err = e.packed.Zero(s.gpu.Stream)
		} else {
			s.gpu.Err = e.floats.Zero(s.gpu.Stream)
		}
	}
	return e
}

// Traverse does work, and returns the values at the root by bucket and lane of the first
// round. They are valid until the next call.
func (s *Solver) Traverse(w Work) ([]float32, error) {
	last := len(s.rounds) - 1
	for r := range last {
		for p := range 2 {
			if err := s.launchDescend(w, r, p); err != nil {
				return nil, err
			}
		}
	}
	for r := last; r >= 0; r-- {
		if r < last {
			if err := s.launchMean(r + 1); err != nil {
				return nil, err
			}
		}
		if err := s.launchSegments(w, r); err != nil {
			return nil, err
		}
	}
	return s.values, s.rounds[0].values.Download(s.gpu.Stream, s.values)
}

// from returns the entries that a player's strategy comes from.
func (s *Solver) from(w Work, r, player int) *entries {
	if w.Purpose == Train {
		return &s.rounds[r].regret[player]
	}
	return &s.rounds[r].sums[player]
}

func (s *Solver) launchDescend(w Work, r, player int) error {
	g, next, b := &s.game.Rounds[r], &s.game.Rounds[r+1], &s.rounds[r]
	return s.descend.Launch(s.gpu.Stream, covering(len(g.Up)*next.Width), descendParams{
		Boards: b.boards, BoardOf: b.boardOf, Up: b.up, From: s.rounds[r+1].from, Paths: b.paths[player],
		PathLengths: b.pathLengths[player], Entries: s.from(w, r, player).arg(), Reach: b.reach[player],
		NextReach: s.rounds[r+1].reach[player], Rows: uint64(len(g.Up)), Width: uint32(g.Width),
		NextWidth: uint32(next.Width), Columns: uint32(g.Columns[player]),
	})
}

func (s *Solver) launchMean(r int) error {
	g, b := &s.game.Rounds[r], &s.rounds[r]
	rows := len(s.game.Rounds[r-1].Up)
	return s.mean.Launch(s.gpu.Stream, covering(rows*g.Width), meanParams{
		Follow: b.follow, Refined: b.refined, Weight: b.weight, Values: b.values, Means: b.means, Rows: uint64(rows),
		Width: uint32(g.Width),
	})
}

func (s *Solver) launchSegments(w Work, r int) error {
	g, b, own, other := &s.game.Rounds[r], &s.rounds[r], w.Player, 1-w.Player
	passes := &g.Passes[own]
	p := segmentParams{
		Round: roundArgs{
			Program: b.programs[own], Pays: b.pays[own], Boards: b.boards, Hands: b.hands, Lists: b.lists,
			Positions: b.positions, Up: b.up, Next: b.next,
		},
		State: stateArgs{
			OwnReach: b.reach[own], OtherReach: b.reach[other], Values: b.values,
			Own: s.from(w, r, own).arg(), Other: s.from(w, r, other).arg(), Sums: b.sums[own].arg(),
		},
		Sizes: sizeArgs{
			NumPasses: uint32(len(passes.List)), Width: uint32(g.Width),
			OwnColumns: uint32(g.Columns[own]), OtherColumns: uint32(g.Columns[other]),
			NumPays: uint32(g.Values), Slots: uint32(passes.Slots), NumSums: uint32(passes.Sums),
			Most: uint32(g.Most), Cards: uint32(g.Cards), List: uint32(g.List),
		},
		Update: w.Update,
	}
	if r+1 < len(s.rounds) {
		p.State.Means, p.Sizes.NextWidth = s.rounds[r+1].means, uint32(s.game.Rounds[r+1].Width)
	}
	return s.segments[w.Purpose].Launch(s.gpu.Stream, driver.Grid{
		Blocks:  len(g.Boards) * g.Width / launch.Warp,
		Threads: min(segmentThreads, launch.Warp*max(g.Most, MaxVectors)), Shared: g.shared(own),
	}, p)
}

// shared returns the shared memory of a block of segments.
func (r *Round) shared(player int) int {
	hands := 0
	for _, b := range r.Boards {
		hands = max(hands, int(b.Hands))
	}
	p := &r.Passes[player]
	columns := p.Slots*r.Most + p.Sums + r.Values
	return 4*launch.Warp*columns + len(p.List)*int(unsafe.Sizeof(Pass{})) + int(unsafe.Sizeof(Position{}))*r.Most +
		4*(hands+r.Cards*r.List)
}

// covering returns a grid for n threads, which go on if there are more.
func covering(n int) driver.Grid {
	return driver.Grid{Blocks: min((n+perBlock-1)/perBlock, maxBlocks), Threads: perBlock}
}

// Download copies a player's sums of strategies, or its regrets, in a round: to the slice that
// the game's entries have the type of.
func (s *Solver) Download(sums bool, player, r int, packed []uint16, floats []float32) error {
	e := &s.rounds[r].regret[player]
	if sums {
		e = &s.rounds[r].sums[player]
	}
	if s.game.Packed {
		return e.packed.Download(s.gpu.Stream, packed)
	}
	return e.floats.Download(s.gpu.Stream, floats)
}

// Close frees the device memory.
func (s *Solver) Close() error { return s.gpu.Close() }
