package cfrbrgpu

import "gamebots/cudalib/pcsgpu"

// Game is what the kernels of kernels/cfrbr/cfrbr.cu need of a game. The board of all rounds but
// the last is a unit, those of the last round that follow are its rivers.
type Game struct {
	*pcsgpu.Game         // its Boards do not matter, its Hands are those that a river leaves
	UnitHands    int     // that a unit leaves
	Rivers       int     // of a unit
	Scale        float32 // makes the mean of the last round's values of their sum over rivers
	Trunk        []Trunk // by round
}

// Trunk is a round of the trunk: the hands that the opponent tells apart, and the lanes without
// padding.
type Trunk struct{ Sets, Lanes int }

// Unit is a unit with its rivers. Hands of the unit are numbered.
type Unit struct {
	// Orders are by round before the last, and hand; Rivers by river, and place in the order of
	// ranks. An entry is a hand's number (11 bits), the positions of its two cards (6 bits each), in
	// the first of the hands of a rank how many there are (11 bits), and its bucket.
	Orders [][]uint64
	Rivers []uint64
	Places []uint32   // by river and hand: the place in the river's order, or pcsgpu.None
	Sets   [][]uint32 // by round of the trunk, and hand
	// Hits are the places in the orders by bucket, by round; TrunkHits those of the opponent's hands
	// by set, by round of the trunk.
	Hits, TrunkHits []pcsgpu.Hits
}

// last is the last round.
func (g *Game) last() int { return len(g.Parts) - 1 }

// boards returns how many boards a round has in a unit, and how many hands each leaves.
func (g *Game) boards(r int) (boards, hands int) {
	if r == g.last() {
		return g.Rivers, g.Hands
	}
	return 1, g.UnitHands
}

// TrunkEntries returns the number of entries of a player that responds, in a round of the trunk.
func (g *Game) TrunkEntries(r, player int) int {
	return g.Trunk[r].Sets * g.Parts[r].Columns[player] * g.Trunk[r].Lanes
}

// most returns the larger number of what the two players have.
func most(n func(player int) int) int { return max(n(0), n(1)) }

// values returns the number of values at ends of a round.
func (g *Game) values(r int) int {
	boards, hands := g.boards(r)
	return boards * hands * g.Parts[r].Width * most(func(p int) int { return g.Parts[r].Programs[p].Values })
}

// table returns the number of probabilities of a player that responds, in a round.
func (g *Game) table(r int) int {
	boards, hands := g.boards(r)
	return boards * hands * g.Parts[r].Width * most(func(p int) int { return g.Parts[r].Columns[p] })
}

// Bytes returns the memory that the training takes, about.
func (g *Game) Bytes() (bytes int64) {
	values := 0
	for r := range g.Parts {
		boards, hands := g.boards(r)
		values = max(values, g.values(r))
		for p := range 2 {
			bytes += 3 * int64(g.Entries(r, p)) // regrets, sums and strategies
			bytes += int64(g.UnitHands * g.Parts[r].Width)
			if r < len(g.Trunk) {
				bytes += int64(g.TrunkEntries(r, p))
			}
		}
		bytes += int64(g.table(r) + boards*hands*g.Parts[r].Width)
	}
	return 4 * (bytes + int64(values))
}
