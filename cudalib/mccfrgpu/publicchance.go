package mccfrgpu

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/mccfr"
)

// PublicChance trains a game of two players on a device by batches of sampled boards.
// The boards of a batch are written into one of two feeds on the host, so that
// one can be filled while the other is trained on. Run is used by one goroutine at
// a time.
type PublicChance struct {
	gpu   *launch.Launcher
	game  PublicGame
	batch int

	nodes, feed, merge             driver.Buffer[uint32]
	whole, down, up                [2]boardsProgram // by player
	trees, treeAt                  [2]driver.Buffer[uint32]
	regret, average                driver.Buffer[float32]
	strategy, stacks, sums, values driver.Buffer[float32]
	feeds                          [2]driver.Pinned[uint32]
	walks, lasts, matches, folds   *driver.Kernel
	split                          bool // whether the last round can be done by buckets
	bytes                          int64
	depth, mostParts, foundWords   int
	mergeBy, sequences, treeWords  int // sequences are the most of a player in a tree, the empty one too
}

// boardsProgram is a program on the device.
type boardsProgram struct {
	ops, parts driver.Buffer[uint32]
	ends       driver.Buffer[float32]
	starts     []int
}

const (
	boardsMostHands = 1344 // four a thread, see boards_walk
	boardsLists     = 128  // threads of blocks that go over buckets
	boardsMost      = 1 << 16
)

// NewPublicChance puts a game on a device, with regrets and averages of zero, to be
// trained by batches of so many boards.
//
// The error is a [*driver.MemoryError] where the device has too little memory free, and
// errors.ErrUnsupported where the kernels cannot train the game.
func NewPublicChance(d *driver.Device, g PublicGame, batch int) (*PublicChance, error) {
	t := &PublicChance{game: g, batch: batch}
	for player, p := range g.Programs {
		s := &g.Splits[player]
		t.depth, t.mostParts, t.foundWords = max(t.depth, p.Depth, s.Up.Depth), max(t.mostParts, len(p.Parts)-1), max(t.foundWords, p.Sums)
		for _, tree := range s.Trees {
			t.sequences = max(t.sequences, len(tree.Own)+1, len(tree.Others)+1)
			t.treeWords = max(t.treeWords, len(tree.words()))
		}
	}
	t.sequences = (t.sequences + 3) / 4 * 4
	t.split = t.splits(d)
	for _, n := range g.Nodes {
		t.mergeBy = max(t.mergeBy, n.Buckets)
	}
	t.mergeBy = 2*g.Rounds + g.Rounds*(2*min(t.mergeBy, batch*g.Hands)+1+batch*min(t.mergeBy, g.Hands))
	err := t.fits(d)
	if t.split && errors.As(err, new(*driver.MemoryError)) {
		t.split = false // which takes less
		err = t.fits(d)
	}
	if err != nil {
		return nil, err
	}
	t.gpu = launch.New(d, ptx.Modules, "public", "river")
	t.walks, _ = t.gpu.Kernel("boards_walk", launch.Warp)
	t.lasts, _ = t.gpu.Kernel("boards_last", launch.Warp)
	t.matches, _ = t.gpu.Kernel("boards_match", boardsLists)
	t.folds, _ = t.gpu.Kernel("boards_fold", boardsLists)
	var nodes []uint32
	for _, n := range g.Nodes {
		for _, word := range []int{n.First, n.Width, n.Actions, n.Actor, n.Round, n.Strategy, n.Buckets, n.Sums[0], n.Sums[1], n.Places} {
			nodes = append(nodes, uint32(word))
		}
	}
	t.nodes, t.feed = launch.Alloc[uint32](t.gpu, len(nodes)), launch.Alloc[uint32](t.gpu, batch*g.Words())
	t.merge = launch.Alloc[uint32](t.gpu, t.mergeBy)
	t.regret, t.average = launch.Alloc[float32](t.gpu, g.Entries), launch.Alloc[float32](t.gpu, g.Entries)
	t.strategy = launch.Alloc[float32](t.gpu, g.Strategies)
	t.stacks, t.sums, t.values = launch.Alloc[float32](t.gpu, t.stackFloats()), launch.Alloc[float32](t.gpu, batch*t.foundWords), launch.Alloc[float32](t.gpu, t.rootFloats())
	for k := range t.feeds {
		t.feeds[k] = launch.AllocPinned[uint32](t.gpu, batch*g.Words())
	}
	for p := range g.Programs {
		t.whole[p] = t.program(&g.Programs[p])
		if t.split {
			t.down[p], t.up[p] = t.program(&g.Splits[p].Down), t.program(&g.Splits[p].Up)
			var trees, at []uint32
			for i := range g.Splits[p].Trees {
				at = append(at, uint32(len(trees)))
				trees = append(trees, g.Splits[p].Trees[i].words()...)
			}
			t.trees[p], t.treeAt[p] = launch.Upload(t.gpu, trees), launch.Upload(t.gpu, append(at, uint32(len(trees))))
		}
	}
	if t.gpu.Err == nil {
		t.gpu.Err = errors.Join(t.nodes.Upload(t.gpu.Stream, nodes), t.regret.Zero(t.gpu.Stream), t.average.Zero(t.gpu.Stream))
	}
	if t.gpu.Err != nil {
		return nil, errors.Join(t.gpu.Err, t.Close())
	}
	return t, nil
}

// Close frees what is on the device.
func (t *PublicChance) Close() error { return t.gpu.Close() }

// program puts a program on the device.
func (t *PublicChance) program(p *Program) boardsProgram {
	ops, parts := p.words()
	ops = append(ops, 0, 0, 0, 0) // walks look at an operation ahead, also in a part that has none
	return boardsProgram{launch.Upload(t.gpu, ops), launch.Upload(t.gpu, parts), launch.Upload(t.gpu, append(slices.Clone(p.Ends), 0)), p.Parts}
}

// words writes a program for the kernel.
func (p *Program) words() (ops, parts []uint32) {
	for _, op := range p.Ops {
		first := uint32(0)
		if op.First {
			first = 1
		}
		ops = append(ops, uint32(op.Kind)|uint32(op.Depth)<<8|uint32(op.Round)<<16|first<<24, uint32(op.Strategy), uint32(op.To), 0)
	}
	for _, part := range p.Parts {
		parts = append(parts, uint32(part))
	}
	return ops, parts
}

func (t *PublicChance) threads() int { return boardsThreads(t.game.Hands) }

func (t *PublicChance) stackFloats() int {
	return t.batch * max(1, t.mostParts-1) * 2 * t.depth * t.game.width()
}

func (t *PublicChance) rootFloats() int { return t.batch * t.roots() * t.game.width() }

// roots is how many parts of the tree have values for the rest, or trees of the
// last round.
func (t *PublicChance) roots() int {
	most := t.mostParts
	for i := range t.game.Splits {
		if s := &t.game.Splits[i]; t.split {
			most = max(most, len(s.Trees)+len(s.Up.Parts)-2)
		}
	}
	return most
}

// shared is how many bytes of shared memory a block has.
func (t *PublicChance) shared() int {
	return 4 * (2*(t.game.width()+boardsSpan) + launch.Warp + (t.game.Cards+1)*boardsRow + 2*t.game.width())
}

func (t *PublicChance) fits(d *driver.Device) error {
	g := &t.game
	t.bytes = 4 * (int64(g.Strategies) + 2*int64(g.Entries) + int64(t.stackFloats()) + int64(t.rootFloats()) + int64(t.mergeBy) +
		int64(t.batch)*int64(t.foundWords+g.Words()) + int64(10*len(g.Nodes)))
	switch {
	case max(g.Entries, g.Strategies) > math.MaxUint32 || t.foundWords > math.MaxUint32:
		return fmt.Errorf("%d entries are too many for a GPU: %w", g.Entries, errors.ErrUnsupported)
	case g.Hands > boardsMostHands || t.batch > boardsMost || t.depth > math.MaxUint8:
		return fmt.Errorf("%d boards of %d hands are too many for a GPU: %w", t.batch, g.Hands, errors.ErrUnsupported)
	}
	return d.RequireMemory(t.bytes)
}

// Bytes returns how much of the device's memory the training takes.
func (t *PublicChance) Bytes() int64 { return t.bytes }

// Feed returns the boards of one of two feeds, one after the other. It must not be
// written to while Run trains on it.
func (t *PublicChance) Feed(i int) []uint32 { return t.feeds[i].Data() }

// PublicRun is what boards of a feed are walked over for.
type PublicRun struct {
	Feed    int
	Merge   []uint32 // how what is found is added up
	Ordered bool     // whether the hands of all boards are BucketsFollowRanks
	Weight  float32  // how often what is found counts
}

// Run walks over all boards for some players in turn, and adds up what was found.
// It waits until that is done.
func (t *PublicChance) Run(r PublicRun, players ...int) error {
	return t.gpu.Device.Do(func() error {
		err := errors.Join(t.feed.Upload(t.gpu.Stream, t.feeds[r.Feed].Data()), t.merge.Slice(0, len(r.Merge)).Upload(t.gpu.Stream, r.Merge))
		for _, player := range players {
			if err == nil {
				err = t.train(player, r.Ordered, r.Weight)
			}
		}
		return errors.Join(err, t.gpu.Stream.Sync())
	})
}

// train does the walks for a player.
func (t *PublicChance) train(player int, ordered bool, weight float32) error {
	nodes := len(t.game.Nodes)
	lists := driver.Grid{Blocks: nodes, Threads: boardsLists}
	if t.mergeBy < 1000 {
		lists.Threads = launch.Warp
	}
	if err := t.matches.Launch(t.gpu.Stream, lists, t.nodes.Arg(), t.regret.Arg(), t.strategy.Arg()); err != nil {
		return err
	}
	if err := t.through(player, ordered); err != nil {
		return err
	}
	return t.folds.Launch(t.gpu.Stream, lists, t.nodes.Arg(), t.merge.Arg(), t.strategy.Arg(), t.sums.Arg(), t.regret.Arg(), t.average.Arg(),
		driver.U32(uint32(t.foundWords)), driver.U32(uint32(player)), driver.F32(weight))
}

// through goes through the tree for a player on all boards.
func (t *PublicChance) through(player int, ordered bool) error {
	if t.split && ordered {
		return errors.Join(t.walk(&t.down[player]), t.last(player), t.walk(&t.up[player]))
	}
	return t.walk(&t.whole[player])
}

// Play walks over the boards of a feed for the one who acts at the root, by a
// strategy as the nodes say: for each action of a decision by bucket. It sets
// values, by board, action and place, to what the hands of a bucket win at the
// root.
func (t *PublicChance) Play(feed int, ordered bool, strategy, values []float32) error {
	root := &t.game.Nodes[0]
	n := root.Actions * root.Places
	return t.gpu.Device.Do(func() error {
		err := errors.Join(t.feed.Upload(t.gpu.Stream, t.feeds[feed].Data()), t.strategy.Upload(t.gpu.Stream, strategy))
		if err == nil {
			err = t.through(root.Actor, ordered)
		}
		for k := range t.batch {
			if err == nil {
				at := k*t.foundWords + root.Sums[root.Actor]
				err = t.sums.Slice(at, at+n).Download(t.gpu.Stream, values[k*n:][:n])
			}
		}
		return err
	})
}

// walk does a program on all boards.
func (t *PublicChance) walk(p *boardsProgram) error {
	last := len(p.starts) - 2
	for _, parts := range [][2]int{{0, last}, {last, last + 1}} {
		if p.starts[parts[0]] == p.starts[parts[1]] {
			continue
		}
		if err := t.walkParts(p, parts[0], parts[1]-parts[0]); err != nil {
			return err
		}
	}
	return nil
}

// walkParts does some parts of a program on all boards.
func (t *PublicChance) walkParts(p *boardsProgram, first, parts int) error {
	n := func(x int) driver.Arg { return driver.U32(uint32(x)) }
	return t.walks.Launch(t.gpu.Stream, driver.Grid{Blocks: t.batch * parts, Threads: t.threads(), Shared: t.shared()},
		p.ops.Arg(), p.parts.Arg(), t.feed.Arg(), t.strategy.Arg(), p.ends.Arg(), t.stacks.Arg(), t.sums.Arg(), t.values.Arg(),
		n(first), n(parts), n(t.roots()), n(t.game.Rounds), n(t.game.Cards), n(t.game.twoCards()), n(t.game.Words()), n(t.foundWords), n(t.depth))
}

// Download copies the regrets and the averages.
func (t *PublicChance) Download(regret, average []float32) error {
	return errors.Join(t.regret.Download(t.gpu.Stream, regret), t.average.Download(t.gpu.Stream, average))
}

// Upload sets the regrets and the averages.
func (t *PublicChance) Upload(regret, average []float32) error {
	return errors.Join(t.regret.Upload(t.gpu.Stream, regret), t.average.Upload(t.gpu.Stream, average))
}
