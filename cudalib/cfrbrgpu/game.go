package cfrbrgpu

import (
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/pcsgpu"
)

// Game is what the kernels of cfrbr.cu need of a game. The board of all rounds but
// the last is a unit, those of the last round that follow are its rivers.
type Game struct {
	*pcsgpu.Game         // its Boards do not matter, its Hands are those that a river leaves
	UnitHands    int     // hands that a unit leaves
	Rivers       int     // rivers of a unit
	Scale        float32 // makes the mean of the last round's values of their sum over rivers
	Trunk        []Trunk // a round each
}

// Trunk is a round of the trunk: the hands that the opponent tells apart, and the lanes without
// padding.
type Trunk struct{ Sets, Lanes int }

// Unit is a unit with its rivers. Hands of the unit are numbered.
type Unit struct {
	// Orders are by round before the last, and hand; Rivers by river, and place in the order of
	// ranks; Down by river, and place in that order from the best rank to the worst, with the hands
	// of a rank as they are in the other. An entry is a hand's number (11 bits), the positions of its
	// two cards (6 bits each), in rivers its place (11 bits), and its bucket.
	Orders       [][]uint64
	Rivers, Down []uint64
	Places       []uint32   // place of each hand in each river's order, or segments.None
	Sets         [][]uint32 // sets by round of the trunk, and hand
	// Hits are the places in the orders by bucket, by round; TrunkHits those of the opponent's hands
	// by set, by round of the trunk; CardHits those of the hands that have a card, in the rounds
	// before the last.
	Hits, TrunkHits []pcsgpu.Hits
	CardHits        pcsgpu.Hits
}

// MaxDecisions is how many decisions a player may have in a round: the kernels have two bits for
// each.
const MaxDecisions = 16

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

// values returns the number of values at ends of a round.
func (g *Game) values(r int) int {
	boards, hands := g.boards(r)
	return boards * hands * g.Parts[r].Width * g.Parts[r].Values
}

// table returns the number of probabilities of a player that responds, in a round before the last.
func (g *Game) table(r, player int) int {
	return g.UnitHands * g.Parts[r].Width * g.Parts[r].Columns[player]
}

// ends returns the most ends that a round before the last has for a player, in all tiles of lanes.
func (g *Game) ends() (ends int) {
	for r := range g.last() {
		for p := range 2 {
			ends = max(ends, len(g.Parts[r].Programs[p].Ends)*g.Parts[r].Width/launch.Warp)
		}
	}
	return ends
}

// Bytes returns the memory that the training of a player takes, about.
func (g *Game) Bytes(player int) int64 {
	floats, values := g.ends()*g.UnitHands*launch.Warp, 0
	for r := range g.Parts {
		boards, hands := g.boards(r)
		lanes := boards * hands * g.Parts[r].Width
		values = max(values, g.values(r))
		floats += 3*g.Entries(r, player) + 2*g.UnitHands*g.Parts[r].Width + lanes // tables, reach, values at the start
		if r < len(g.Trunk) {
			floats += g.TrunkEntries(r, 1-player)
		}
		if r < g.last() {
			floats += g.table(r, 1-player)
		} else {
			floats += lanes // choices
		}
	}
	return 4 * int64(floats+values)
}
