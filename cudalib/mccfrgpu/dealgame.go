package mccfrgpu

import "slices"

// A DealGame is a betting tree of any number of players in level order, in flat
// arrays as solvers/cfr/mccfr lays it out.
type DealGame struct {
	Players, Rounds int
	Levels          []int32 // where the decisions of each level start, and the end of the last
	Nodes           []DealNode
	Children        []int32 // child by action: a decision of the next level, or ^e for the terminal node e
	MaxActions      int     // most actions of a decision
	Entries         int     // the length of the arrays of regrets and of averages

	Spent  []float32 // chips by terminal node and player
	Pots   []uint32  // first pot by terminal node; and the end of the last
	In     []uint32  // players who play for each pot, a bit each
	Amount []float32 // chips by pot
}

// A DealNode is a decision. Its entries are in the row of the player's bucket, from
// Row on.
type DealNode struct {
	Row, Action           uint32 // index of the first action in a row, and among all
	Actions, Round, Actor uint32
}

// pieceDeals is how many deals are added up one after the other.
const pieceDeals = 16

// A BatchShape is the size of a batch of deals. A batch is a slice of Words words:
// each player's view of the cards in each round, and the winners.
type BatchShape struct{ Players, Rounds, Batch int }

// Words returns the length of a batch.
func (s BatchShape) Words() int { return s.views() + s.Batch<<s.Players }

func (s BatchShape) views() int { return s.Rounds * s.Players * s.viewWords() }

func (s BatchShape) viewWords() int { return 4*s.Batch + 4 }

// Best returns the players with the best hand among each set of players, in all
// deals: those of the set p in deal k are at p*Batch+k.
func (s BatchShape) Best(batch []uint32) []uint32 { return batch[s.views():] }

// View returns a player's view of the cards in a round.
func (s BatchShape) View(batch []uint32, round, player int) View {
	words := batch[(round*s.Players+player)*s.viewWords():][:s.viewWords()]
	next := func(n int) []uint32 {
		part := words[:n:n]
		words = words[n:]
		return part
	}
	return View{next(s.Batch), next(s.Batch), next(s.Batch + 1), next(s.Batch + 1), next(2)}
}

// A View is a player's bucket in each deal, as the first entry of its row, Base.
// Order has the deals with the same bucket next to each other, to be added up in
// pieces: piece i is Order[Pieces[i]:Pieces[i+1]], and bucket k has the pieces from
// Segments[k] to Segments[k+1]. Counts are the numbers of pieces and of buckets.
type View struct{ Base, Order, Pieces, Segments, Counts []uint32 }

// Group fills in the rest from Base. It uses scratch memory and returns it.
func (v View) Group(scratch []uint64) []uint64 {
	scratch = scratch[:0]
	for deal, base := range v.Base {
		scratch = append(scratch, uint64(base)<<32|uint64(deal))
	}
	slices.Sort(scratch)
	pieces, segments, start := uint32(0), uint32(0), 0
	for i, x := range scratch {
		v.Order[i] = uint32(x)
		if i == 0 || x>>32 != scratch[i-1]>>32 {
			v.Segments[segments] = pieces
			segments++
			start = i
		}
		if (i-start)%pieceDeals == 0 {
			v.Pieces[pieces] = uint32(i)
			pieces++
		}
	}
	v.Pieces[pieces], v.Segments[segments] = uint32(len(scratch)), pieces
	v.Counts[0], v.Counts[1] = pieces, segments
	return scratch
}

// states returns where each level has the states of its decisions, and how many
// decisions have room: even levels share one buffer, odd levels another.
func (g *DealGame) states() (at []uint32, decisions int) {
	var widest [2]uint32
	for level := range len(g.Levels) - 1 {
		widest[level%2] = max(widest[level%2], uint32(g.Levels[level+1]-g.Levels[level]))
	}
	for level := range g.Levels {
		at = append(at, widest[0]*uint32(level%2))
	}
	return at, int(widest[0] + widest[1])
}
