package cfrbrgpu

import (
	"slices"

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
	Trunk        []int   // how many hands the opponent tells apart, by round of the trunk
}

// Unit is a unit with its rivers. Hands of the unit are numbered.
type Unit struct {
	// Orders are by round before the last, and hand; Rivers by river, and place in the order of
	// ranks; Down by river, and place in that order from the best rank to the worst, with the hands
	// of a rank as they are in the other. An entry is a hand's number (11 bits), the positions of its
	// two cards (6 bits each), in rivers its place (11 bits), and its bucket.
	Orders       [][]uint64
	Rivers, Down []uint64
	Places       []uint32   // place of each hand in each river's order, or segmentgpu.None
	Sets         [][]uint32 // sets by round of the trunk, and hand
	// Hits are the places in the orders by bucket, by round; TrunkHits those of the opponent's hands
	// by set, by round of the trunk; CardHits those of the hands that have a card, in the rounds
	// before the last.
	Hits, TrunkHits []pcsgpu.Hits
	CardHits        pcsgpu.Hits
}

// last is the last round.
func (g *Game) last() int { return len(g.Widths) - 1 }

// boards returns how many boards a round has in a unit, and how many hands each leaves.
func (g *Game) boards(r int) (boards, hands int) {
	if r == g.last() {
		return g.Rivers, g.Hands
	}
	return 1, g.UnitHands
}

// inTrunk reports whether a part is in the trunk.
func (g *Game) inTrunk(part int) bool { return g.Parts[part].Round < len(g.Trunk) }

// TrunkEntries returns the number of entries of a player that responds, in a part of the trunk.
func (g *Game) TrunkEntries(part, player int) int {
	p := &g.Parts[part]
	return g.Trunk[p.Round] * p.Columns[player] * p.Lanes
}

// values returns the number of values at ends of a part.
func (g *Game) values(part int) int {
	p := &g.Parts[part]
	boards, hands := g.boards(p.Round)
	return boards * hands * p.Width * p.Values
}

// table returns the number of probabilities of a player that responds, in a part before the last round.
func (g *Game) table(part, player int) int {
	p := &g.Parts[part]
	return g.UnitHands * p.Width * p.Columns[player]
}

// starts returns where what each part has begins in an array of all, and the length of that.
func (g *Game) starts(size func(part int) int) (at []int, total int) {
	for i := range g.Parts {
		at = append(at, total)
		total += size(i)
	}
	return at, total
}

// ends returns the most ends that a round before the last has for a player, in all tiles of lanes.
func (g *Game) ends() (most int) {
	for player := range 2 {
		ends := make([]int, g.last())
		for i := range g.Parts {
			if p := &g.Parts[i]; p.Round < g.last() {
				ends[p.Round] += len(p.Programs[player].Ends) * p.Width / launch.Warp
			}
		}
		most = max(most, slices.Max(ends))
	}
	return most
}

// Bytes returns the memory that the training of a player takes, about.
func (g *Game) Bytes(player int) int64 {
	_, values := g.starts(g.values)
	floats := values + g.ends()*g.UnitHands*launch.Warp
	for i := range g.Parts {
		floats += 3 * g.Entries(i, player) // regrets, sums and strategies
		if g.inTrunk(i) {
			floats += g.TrunkEntries(i, 1-player)
		}
		if g.Parts[i].Round < g.last() {
			floats += g.table(i, 1-player)
		}
	}
	for r, width := range g.Widths {
		boards, hands := g.boards(r)
		floats += (boards*hands + 2*g.UnitHands) * width // values at the start, and reach
	}
	floats += (g.Rivers*g.Hands + g.UnitHands) * g.Widths[g.last()] // choices, mean values
	return 4 * int64(floats+g.unitWords())
}

// choiceBits is how many bits the kernels have for a player's choices in the last round.
const choiceBits = 32

// check returns a [*pcsgpu.SizeError] for a game whose parts are too large for a device with some bytes
// of shared memory a block, or have more choices in the last round than a word has bits for.
func (g *Game) check(shared int) error {
	for i := range g.Parts {
		p := &g.Parts[i]
		for player := range p.Programs {
			need := max(learnBytes(p, player, 1), respondBytes(p, player, 1))
			if err := pcsgpu.CheckPart(p, player, need, shared); err != nil {
				return err
			}
			if n := pcsgpu.ChoiceBits(p.Programs[player].Decisions); p.Round == g.last() && n > choiceBits {
				return &pcsgpu.SizeError{What: "bits for the choices of a player", Need: n, Limit: choiceBits}
			}
		}
	}
	return nil
}
