package mccfrgpu

import (
	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// The limits of river.cu.
const (
	maxRiverThreads = 288 // most threads of a block
	maxRiverBuckets = 64  // most buckets of a board
	treesPerBlock   = 9   // one after the other
)

// riverParams are the parameters of public_river in river.cu.
type riverParams struct {
	Trees, TreeAt, Boards              driver.Buffer[uint32]
	Strategy, Sums, Values             driver.Buffer[float32]
	NumTrees, Groups, NumRoots         uint32
	Rounds, Cards, TwoCards            uint32
	BoardWords, NumSums                uint32
	Stride, MaxSequences, MaxTreeWords uint32
}

// riverStride returns how many buckets of the last round a block has room for, and columns
// for how many cards and a sum over all of them.
func (g *PublicGame) riverStride() int {
	n := 0
	for i := range g.Nodes {
		if node := &g.Nodes[i]; node.Round == g.Rounds-1 {
			n = max(n, min(node.Buckets, g.Hands))
		}
	}
	return fours(n)
}

func (g *PublicGame) columns() int { return fours(g.Cards + 1) }

func fours(n int) int { return (n + 3) / 4 * 4 }

// canGoByBucket reports whether the last round can be done by buckets.
func (t *PublicChance) canGoByBucket(d *driver.Device) bool {
	g := &t.game
	return t.threads() <= maxRiverThreads && g.riverStride() <= maxRiverBuckets &&
		g.riverStride()/4*g.columns()/4 <= t.threads() &&
		t.riverShared() <= d.Info().SharedPerBlock
}

// riverShared returns how many bytes of shared memory a block has, see the kernel.
func (t *PublicChance) riverShared() int {
	g := &t.game
	width, wide, columns := g.width(), g.riverStride(), g.columns()
	hands, sequences := width+handsPerThread, t.maxSequences*wide
	floats := hands + max(width, sequences) + max(hands, sequences) + launch.Warp +
		max((g.Cards+1)*handsPerCard, wide*wide) +
		max(columns*wide, 2*sequences) + columns*wide + max(wide, columns)*wide + 2*sequences + 7*wide +
		fours(wide+1) + fours((g.Cards+1)*(wide+1)/2+1) + fours(2*t.treeWords)
	return 4 * floats
}

// runRiver values the trees of the last round on all boards, from the reach at
// their roots.
func (t *PublicChance) runRiver(player int) error {
	g := &t.game
	trees := len(g.Splits[player].Trees)
	if trees == 0 {
		return nil // all hands end before
	}
	groups := (trees + treesPerBlock - 1) / treesPerBlock
	return t.river.Launch(t.gpu.Stream, driver.Grid{
		Blocks: t.batch * groups, Threads: t.threads(), Shared: t.riverShared(),
	}, riverParams{
		Trees: t.trees[player], TreeAt: t.treeAt[player], Boards: t.boards, Strategy: t.strategy, Sums: t.sums,
		Values: t.values, NumTrees: uint32(trees), Groups: uint32(groups), NumRoots: uint32(t.roots()),
		Rounds: uint32(g.Rounds), Cards: uint32(g.Cards), TwoCards: g.twoCards(),
		BoardWords: uint32(g.Words()), NumSums: uint32(t.numSums),
		Stride: uint32(g.riverStride()), MaxSequences: uint32(t.maxSequences), MaxTreeWords: uint32(t.treeWords),
	})
}

func (g *PublicGame) twoCards() uint32 {
	if g.TwoCards {
		return 1
	}
	return 0
}
