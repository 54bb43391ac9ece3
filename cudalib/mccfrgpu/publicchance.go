package mccfrgpu

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// PublicChance trains a game of two players on a device by batches of sampled
// boards: public chance sampling. The boards of a batch are written into one of two
// buffers on the host, so that one can be filled while the device trains on the
// other. Run is used by one goroutine at a time.
type PublicChance struct {
	gpu   *launch.Launcher
	game  PublicGame
	batch int // boards
	publicKernels
	publicBuffers
	publicSizes
	byBucket bool // whether the last round can be done by buckets
}

type publicKernels struct {
	match    *launch.Kernel[matchParams]
	traverse *launch.Kernel[traverseParams]
	river    *launch.Kernel[riverParams]
	update   *launch.Kernel[updateParams]
}

type publicBuffers struct {
	nodes, boards, merge           driver.Buffer[uint32]
	whole, down, up                [2]programBuffers // programs by player
	trees, treeAt                  [2]driver.Buffer[uint32]
	regret, average                driver.Buffer[float32]
	strategy, stacks, sums, values driver.Buffer[float32]
	buffers                        [2]driver.Pinned[uint32] // buffers of boards
}

type publicSizes struct {
	bytes        int64
	depth        int // depth of the stacks
	maxParts     int // most parts of a program
	numSums      int // sums of a traversal
	mergeWords   int // at most
	maxSequences int // most sequences of a player in a tree of the last round, with the empty one
	treeWords    int // words of the longest tree
}

// programBuffers are a [Program] on the device.
type programBuffers struct {
	ops, parts driver.Buffer[uint32]
	terminals  driver.Buffer[float32]
	starts     []int
}

// The parameters of the kernels of public.cu.
type (
	matchParams struct {
		Nodes            driver.Buffer[uint32]
		Regret, Strategy driver.Buffer[float32]
	}
	traverseParams struct {
		Ops, Parts, Boards            driver.Buffer[uint32]
		Strategy, Terminals           driver.Buffer[float32]
		Stacks, Sums, Values          driver.Buffer[float32]
		FirstPart, NumParts, NumRoots uint32
		Rounds, Cards, TwoCards       uint32
		BoardWords, NumSums, Depth    uint32
	}
	updateParams struct {
		Nodes, Merge    driver.Buffer[uint32]
		Strategy, Sums  driver.Buffer[float32]
		Regret, Average driver.Buffer[float32]
		NumSums, Player uint32
		Weight          float32
	}
)

const (
	maxHands      = 1344 // most hands of a board: four a thread, see public_traverse
	bucketThreads = 128  // threads of blocks that go over buckets
	maxBatch      = 1 << 16
)

// NewPublicChance puts a game on a device, with regrets and averages of zero, and
// makes room for a batch of boards.
//
// The error is a [*driver.MemoryError] where the device has too little memory free,
// and errors.ErrUnsupported where the kernels cannot train the game.
func NewPublicChance(d *driver.Device, g PublicGame, batch int) (*PublicChance, error) {
	t := &PublicChance{game: g, batch: batch}
	for player, p := range g.Programs {
		s := &g.Splits[player]
		t.depth, t.maxParts, t.numSums = max(t.depth, p.Depth, s.Up.Depth), max(t.maxParts, len(p.Parts)-1),
			max(t.numSums, p.Sums)
		for _, tree := range s.Trees {
			t.maxSequences = max(t.maxSequences, len(tree.Own)+1, len(tree.Others)+1)
			t.treeWords = max(t.treeWords, len(tree.words()))
		}
	}
	t.maxSequences = (t.maxSequences + 3) / 4 * 4
	t.byBucket = t.canGoByBucket(d)
	for _, n := range g.Nodes {
		t.mergeWords = max(t.mergeWords, n.Buckets)
	}
	t.mergeWords = 2*g.Rounds + g.Rounds*(2*min(t.mergeWords, batch*g.Hands)+1+batch*min(t.mergeWords, g.Hands))
	err := t.fits(d)
	if t.byBucket && errors.As(err, new(*driver.MemoryError)) {
		t.byBucket = false // takes less
		err = t.fits(d)
	}
	if err != nil {
		return nil, err
	}
	t.gpu = launch.New(d, Modules, "public", "river")
	t.traverse = launch.Find[traverseParams](t.gpu, "public_traverse")
	t.river = launch.Find[riverParams](t.gpu, "public_river")
	t.match = launch.Find[matchParams](t.gpu, "public_match")
	t.update = launch.Find[updateParams](t.gpu, "public_update")
	var nodes []uint32
	for _, n := range g.Nodes {
		for _, word := range []int{n.First, n.Width, n.Actions, n.Actor, n.Round, n.Strategy, n.Buckets, n.Sums[0],
			n.Sums[1], n.NumSums} {
			nodes = append(nodes, uint32(word))
		}
	}
	t.nodes, t.boards = launch.Alloc[uint32](t.gpu, len(nodes)), launch.Alloc[uint32](t.gpu, batch*g.Words())
	t.merge = launch.Alloc[uint32](t.gpu, t.mergeWords)
	t.regret, t.average = launch.Alloc[float32](t.gpu, g.Entries), launch.Alloc[float32](t.gpu, g.Entries)
	t.strategy = launch.Alloc[float32](t.gpu, g.Strategies)
	t.stacks, t.sums, t.values = launch.Alloc[float32](t.gpu, t.stackFloats()),
		launch.Alloc[float32](t.gpu, batch*t.numSums), launch.Alloc[float32](t.gpu, t.rootFloats())
	for k := range t.buffers {
		t.buffers[k] = launch.AllocPinned[uint32](t.gpu, batch*g.Words())
	}
	for p := range g.Programs {
		t.whole[p] = t.program(&g.Programs[p])
		if t.byBucket {
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
		t.gpu.Err = errors.Join(t.nodes.Upload(t.gpu.Stream, nodes), t.regret.Zero(t.gpu.Stream),
			t.average.Zero(t.gpu.Stream))
	}
	if t.gpu.Err != nil {
		return nil, errors.Join(t.gpu.Err, t.Close())
	}
	return t, nil
}

// Close frees the memory on the device.
func (t *PublicChance) Close() error { return t.gpu.Close() }

// program puts a program on the device.
func (t *PublicChance) program(p *Program) programBuffers {
	ops, parts := p.words()
	ops = append(ops, 0, 0, 0, 0) // the kernel reads one operation ahead, also in a part that has none
	return programBuffers{launch.Upload(t.gpu, ops), launch.Upload(t.gpu, parts),
		launch.Upload(t.gpu, append(slices.Clone(p.Terminals), 0)), p.Parts}
}

// words writes a program for the kernel.
func (p *Program) words() (ops, parts []uint32) {
	for _, op := range p.Ops {
		first := uint32(0)
		if op.First {
			first = 1
		}
		ops = append(ops, uint32(op.Kind)|uint32(op.Depth)<<8|uint32(op.Round)<<16|first<<24, uint32(op.Strategy),
			uint32(op.To), 0)
	}
	for _, part := range p.Parts {
		parts = append(parts, uint32(part))
	}
	return ops, parts
}

func (t *PublicChance) threads() int { return blockThreads(t.game.Hands) }

func (t *PublicChance) stackFloats() int {
	return t.batch * max(1, t.maxParts-1) * 2 * t.depth * t.game.width()
}

func (t *PublicChance) rootFloats() int { return t.batch * t.roots() * t.game.width() }

// roots returns how many subtrees have their values in memory: those of parts, or
// also those of the last round.
func (t *PublicChance) roots() int {
	n := t.maxParts
	for i := range t.game.Splits {
		if s := &t.game.Splits[i]; t.byBucket {
			n = max(n, len(s.Trees)+len(s.Up.Parts)-2)
		}
	}
	return n
}

// shared returns how many bytes of shared memory a block has.
func (t *PublicChance) shared() int {
	return 4 * (2*(t.game.width()+handsPerThread) + launch.Warp + (t.game.Cards+1)*handsPerCard + 2*t.game.width())
}

func (t *PublicChance) fits(d *driver.Device) error {
	g := &t.game
	t.bytes = 4 * (int64(g.Strategies) + 2*int64(g.Entries) + int64(t.stackFloats()) + int64(t.rootFloats()) +
		int64(t.mergeWords) +
		int64(t.batch)*int64(t.numSums+g.Words()) + int64(10*len(g.Nodes)))
	switch {
	case max(g.Entries, g.Strategies) > math.MaxUint32 || t.numSums > math.MaxUint32:
		return fmt.Errorf("%d entries are too many for a GPU: %w", g.Entries, errors.ErrUnsupported)
	case g.Hands > maxHands || t.batch > maxBatch || t.depth > math.MaxUint8:
		return fmt.Errorf("%d boards of %d hands are too many for a GPU: %w", t.batch, g.Hands, errors.ErrUnsupported)
	}
	return d.RequireMemory(t.bytes)
}

// Bytes returns how much of the device's memory the training takes.
func (t *PublicChance) Bytes() int64 { return t.bytes }

// Buffer returns one of the two buffers, 0 or 1, as boards one after the other. It
// must not be written to while Run trains on it.
func (t *PublicChance) Buffer(i int) []uint32 { return t.buffers[i].Data() }

// A PublicRun is a traversal of the tree on the boards of a buffer.
type PublicRun struct {
	Buffer  int
	Merge   []uint32 // how the sums of the boards are added up, see [PublicGame.Merge]
	Ordered bool     // whether [BucketsFollowRanks] is true for all boards
	Weight  float32  // factor on the changes of regrets and averages
}

// Run traverses the tree on all boards for some players in turn, and updates
// regrets and averages after each. It waits for the result.
func (t *PublicChance) Run(r PublicRun, players ...int) error {
	return t.gpu.Device.Do(func() error {
		err := errors.Join(t.boards.Upload(t.gpu.Stream, t.buffers[r.Buffer].Data()),
			t.merge.Slice(0, len(r.Merge)).Upload(t.gpu.Stream, r.Merge))
		for _, player := range players {
			if err == nil {
				err = t.train(player, r.Ordered, r.Weight)
			}
		}
		return errors.Join(err, t.gpu.Stream.Sync())
	})
}

// train puts the launches of a run for a player on the stream.
func (t *PublicChance) train(player int, ordered bool, weight float32) error {
	grid := driver.Grid{Blocks: len(t.game.Nodes), Threads: bucketThreads}
	if t.mergeWords < 1000 {
		grid.Threads = launch.Warp
	}
	if err := t.match.Launch(t.gpu.Stream, grid, matchParams{t.nodes, t.regret, t.strategy}); err != nil {
		return err
	}
	if err := t.traverseTree(player, ordered); err != nil {
		return err
	}
	return t.update.Launch(t.gpu.Stream, grid, updateParams{
		Nodes: t.nodes, Merge: t.merge, Strategy: t.strategy, Sums: t.sums, Regret: t.regret, Average: t.average,
		NumSums: uint32(t.numSums), Player: uint32(player), Weight: weight,
	})
}

// traverseTree traverses the whole tree for a player on all boards.
func (t *PublicChance) traverseTree(player int, ordered bool) error {
	if t.byBucket && ordered {
		return errors.Join(t.run(&t.down[player]), t.runRiver(player), t.run(&t.up[player]))
	}
	return t.run(&t.whole[player])
}

// Play evaluates a strategy for the player who acts at the root, on the boards of a
// buffer. The strategy has the probability of each action of a decision by bucket,
// as the nodes lay it out. Play sets values, by board, action and bucket of
// the board, to the winnings of the hands of a bucket at the root.
func (t *PublicChance) Play(buffer int, ordered bool, strategy, values []float32) error {
	root := &t.game.Nodes[0]
	n := root.Actions * root.NumSums
	return t.gpu.Device.Do(func() error {
		err := errors.Join(t.boards.Upload(t.gpu.Stream, t.buffers[buffer].Data()),
			t.strategy.Upload(t.gpu.Stream, strategy))
		if err == nil {
			err = t.traverseTree(root.Actor, ordered)
		}
		for k := range t.batch {
			if err == nil {
				at := k*t.numSums + root.Sums[root.Actor]
				err = t.sums.Slice(at, at+n).Download(t.gpu.Stream, values[k*n:][:n])
			}
		}
		return err
	})
}

// run runs a program on all boards: all parts but the last at once, then the last.
func (t *PublicChance) run(p *programBuffers) error {
	last := len(p.starts) - 2
	for _, parts := range [][2]int{{0, last}, {last, last + 1}} {
		if p.starts[parts[0]] == p.starts[parts[1]] {
			continue
		}
		if err := t.runParts(p, parts[0], parts[1]-parts[0]); err != nil {
			return err
		}
	}
	return nil
}

// runParts runs some parts of a program on all boards.
func (t *PublicChance) runParts(p *programBuffers, first, parts int) error {
	g := &t.game
	return t.traverse.Launch(t.gpu.Stream, driver.Grid{
		Blocks: t.batch * parts, Threads: t.threads(), Shared: t.shared(),
	}, traverseParams{
		Ops: p.ops, Parts: p.parts, Boards: t.boards, Strategy: t.strategy, Terminals: p.terminals, Stacks: t.stacks,
		Sums: t.sums, Values: t.values, FirstPart: uint32(first), NumParts: uint32(parts), NumRoots: uint32(t.roots()),
		Rounds: uint32(g.Rounds), Cards: uint32(g.Cards), TwoCards: g.twoCards(),
		BoardWords: uint32(g.Words()), NumSums: uint32(t.numSums), Depth: uint32(t.depth),
	})
}

// Download copies the regrets and the averages.
func (t *PublicChance) Download(regret, average []float32) error {
	return errors.Join(t.regret.Download(t.gpu.Stream, regret), t.average.Download(t.gpu.Stream, average))
}

// Upload sets the regrets and the averages.
func (t *PublicChance) Upload(regret, average []float32) error {
	return errors.Join(t.regret.Upload(t.gpu.Stream, regret), t.average.Upload(t.gpu.Stream, average))
}
