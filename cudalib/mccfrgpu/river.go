package mccfrgpu

import (
	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
)

// What kernels/boards_last.cu can do: threads of a block, buckets of a board, and
// trees that a block does one after the other.
const (
	boardsLastThreads = 288
	boardsLastWide    = 64
	boardsLastTrees   = 9
)

// wide is how many buckets of the last round there is room for, and columns how
// many cards with a sum over all.
func (g *PublicGame) wide() int {
	most := 0
	for i := range g.Nodes {
		if n := &g.Nodes[i]; n.Round == g.Rounds-1 {
			most = max(most, min(n.Buckets, g.Hands))
		}
	}
	return fours(most)
}

func (g *PublicGame) columns() int { return fours(g.Cards + 1) }

func fours(n int) int { return (n + 3) / 4 * 4 }

// splits says whether the last round can be done by buckets.
func (t *PublicChance) splits(d *driver.Device) bool {
	g := &t.game
	return t.threads() <= boardsLastThreads && g.wide() <= boardsLastWide && g.wide()/4*g.columns()/4 <= t.threads() &&
		t.lastShared() <= d.Info().SharedPerBlock
}

// lastShared is how many bytes of shared memory a block has, see the kernel.
func (t *PublicChance) lastShared() int {
	g := &t.game
	width, wide, columns := g.width(), g.wide(), g.columns()
	hands, sequences := width+boardsSpan, t.sequences*wide
	floats := hands + max(width, sequences) + max(hands, sequences) + launch.Warp + max((g.Cards+1)*boardsRow, wide*wide) +
		max(columns*wide, 2*sequences) + columns*wide + max(wide, columns)*wide + 2*sequences + 7*wide +
		fours(wide+1) + fours((g.Cards+1)*(wide+1)/2+1) + fours(2*t.treeWords)
	return 4 * floats
}

// last does the trees of the last round on all boards, whose reach and values are
// at the roots.
func (t *PublicChance) last(player int) error {
	n := func(x int) driver.Arg { return driver.U32(uint32(x)) }
	g := &t.game
	trees := len(g.Splits[player].Trees)
	if trees == 0 {
		return nil // all hands end before
	}
	groups := (trees + boardsLastTrees - 1) / boardsLastTrees
	return t.lasts.Launch(t.gpu.Stream, driver.Grid{Blocks: t.batch * groups, Threads: t.threads(), Shared: t.lastShared()},
		t.trees[player].Arg(), t.treeAt[player].Arg(), t.feed.Arg(), t.strategy.Arg(), t.sums.Arg(), t.values.Arg(),
		n(trees), n(groups), n(t.roots()), n(g.Rounds), n(g.Cards), n(g.twoCards()), n(g.Words()), n(t.foundWords), n(g.wide()), n(t.sequences), n(t.treeWords))
}

func (g *PublicGame) twoCards() int {
	if g.TwoCards {
		return 1
	}
	return 0
}
