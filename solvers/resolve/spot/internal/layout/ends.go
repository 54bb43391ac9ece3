package layout

import (
	"slices"

	"gamebots/acpc/card"
)

// Ends of the betting are valued lanes at a time: a tile has one end a lane, and a row for
// each hand. Hands are taken in the order of their ranks. Sums of the reach of the other
// player's hands so far, and of those with each card, give the reach of the hands that
// a hand beats, without those that share a card with it: a pair with a card of the hand is
// in the sum of that card. (Johanson, Waugh, Bowling and Zinkevich, "Accelerating best
// response calculation in large extensive games", IJCAI 2011.) With the hands that tie added,
// the same sums give the reach of those that a hand does not lose to. One walk over the hands is
// enough for wins, ties and losses.

// tileRow is a row of a tile.
type tileRow [Lanes]float32

// sums are of the reach of hands: of all, and of those with each card.
type sums struct {
	all tileRow
	by  [card.DeckSize]tileRow
}

// Tiles is the memory for the ends of a batch.
type Tiles struct {
	sums   sums      // first, for rows that begin where a line of the cache does
	reach  []tileRow // reach of the other player's hands, then a row of zeros
	values []tileRow
	unused []float32 // what lanes without an end write
	ends   [Lanes]End
}

// NewTiles returns the memory for vectors of up to a width.
func NewTiles(width int) *Tiles {
	return &Tiles{reach: make([]tileRow, width+1), values: make([]tileRow, width), unused: make([]float32, width)}
}

// An End has a vector of the other player's reach, and one for the values of the hands. If
// the player may fold instead of calling, there is one for the values of that, too.
type End struct {
	Reach, Value, Folded []float32
	Payoff               Payoff
	Loss                 float32 // what a fold pays for all hands
}

// Batch values the ends of a batch of a street for a player on a board, by their payoffs and the vectors of the other
// player's reach.
func (t *Tiles) Batch(
	st *Street, batch *Batch, on *Board, player int, payoffs []Payoffs, reach, values []float32,
) {
	own, other := on.Hands[player].Width, on.Hands[1-player].Width
	value := func(node int32) []float32 { return values[int(node-batch.First)*own:][:own] }
	for list := range slices.Chunk(batch.Ends[player], Lanes) {
		ends := t.ends[:len(list)]
		for i, x := range list {
			e := &ends[i] // set field by field: a copy of the whole waits for its parts to be stored
			e.Reach = reach[int(st.Nodes[x.Node].Slot[1-player])*other:][:other]
			e.Value, e.Payoff = value(x.Node), payoffs[x.Node][player]
			if e.Folded, e.Loss = nil, 0; x.Fold != NoFold {
				e.Folded, e.Loss = value(x.Fold), payoffs[x.Fold][player].All
			}
		}
		t.Ends(on, player, ends, st.Nodes[list[0].Node].Kind == Showdown)
	}
}

// Ends values at most Lanes ends, those with a fold first, for the hands of a player on a
// board. Without showdowns the ranks of the hands do not matter.
func (t *Tiles) Ends(b *Board, player int, ends []End, showdowns bool) {
	own, other := &b.Hands[player], &b.Hands[1-player]
	var worse, notBetter, all, loss tileRow
	var values, folded [Lanes]*float32
	folds := 0
	for l := range ends {
		e := &ends[l]
		worse[l], notBetter[l], all[l], loss[l] = e.Payoff.Worse, e.Payoff.NotBetter, e.Payoff.All, e.Loss
		values[l] = &e.Value[0]
		if e.Folded != nil {
			folded[l] = &e.Folded[0]
			folds++
		}
	}
	t.load(other, ends)
	t.sums = sums{}
	if showdowns {
		t.ascend(b.Groups[player], own, other.Holes, &worse, &notBetter)
	} else {
		t.add(other.Holes)
	}
	t.total(own, &all, showdowns)
	t.store(own, &values, len(ends))
	if folds > 0 {
		t.total(own, &loss, false)
		t.store(own, &folded, folds)
	}
}

// load fills the rows of the other player's hands. Lanes without an end have any numbers.
func (t *Tiles) load(other *Hands, ends []End) {
	var from [Lanes]*float32
	for l := range from {
		from[l] = &ends[min(l, len(ends)-1)].Reach[0]
	}
	transposeIn(t.reach, &from, other.Width, len(ends))
	t.reach[len(other.Holes)] = tileRow{}
}

// store copies the first lanes of the rows of values to vectors.
func (t *Tiles) store(own *Hands, to *[Lanes]*float32, used int) {
	n := len(own.Holes)
	for i, first := range own.Canonical {
		t.values[i] = t.values[first]
	}
	clear(t.values[n:own.Width])
	for l := used; l < Lanes; l++ {
		to[l] = &t.unused[0]
	}
	transposeOut(t.values, to, own.Width, used)
}
