package spot

import "gamebots/acpc/card"

// Ends of the betting are valued lanes at a time: a tile has one end a lane, and a row for
// each hand. Hands are taken in the order of their ranks. Sums of the reach of the other
// player's hands so far, and of those with each card, give the reach of the hands that
// a hand beats, without those that share a card with it: a pair with a card of the hand is
// in the sum of that card. (Johanson, Waugh, Bowling and Zinkevich, "Accelerating best
// response calculation in large extensive games", IJCAI 2011.) With the hands that tie added,
// the same sums give the reach of those that a hand does not lose to. One walk over the hands is
// enough for wins, ties and losses.

// lanes is the number of ends of a tile.
const lanes = 16

// tileRow is a row of a tile.
type tileRow [lanes]float32

// sums are of the reach of hands: of all, and of those with each card.
type sums struct {
	all tileRow
	by  [card.DeckSize]tileRow
}

// payoff is what an end pays for the reach of the other player's hands: for all of them what a
// loss costs, and beyond that for those that are not better and for those that are worse. If a
// player has folded, only all of them count.
type payoff struct{ worse, notBetter, all float32 }

// tiles is the memory for the ends of a batch.
type tiles struct {
	sums   sums      // first, for rows that begin where a line of the cache does
	reach  []tileRow // of the other player's hands, with a row of zeros after them
	values []tileRow
	unused []float32 // what lanes without an end write
}

func newTiles(width int) *tiles {
	return &tiles{reach: make([]tileRow, width+1), values: make([]tileRow, width), unused: make([]float32, width)}
}

// An end has a vector of the other player's reach, and one for the values of the hands. If
// the player may fold instead of calling, there is one for the values of that, too.
type end struct {
	reach, value, folded []float32
	payoff               payoff
	loss                 float32 // what a fold pays for all hands
}

// ends values at most lanes ends, those with a fold first. Own are the hands that are valued.
// Without showdowns the ranks of the hands do not matter.
func (t *tiles) ends(b *board, player int, ends []end, showdowns bool) {
	own, other := &b.hands[player], &b.hands[1-player]
	var worse, notBetter, all, loss tileRow
	var values, folded [lanes]*float32
	folds := 0
	for l := range ends {
		e := &ends[l]
		worse[l], notBetter[l], all[l], loss[l] = e.payoff.worse, e.payoff.notBetter, e.payoff.all, e.loss
		values[l] = &e.value[0]
		if e.folded != nil {
			folded[l] = &e.folded[0]
			folds++
		}
	}
	t.load(other, ends)
	t.sums = sums{}
	if showdowns {
		t.ascend(b.groups[player], own, other.holes, &worse, &notBetter)
	} else {
		t.add(other.holes)
	}
	t.total(own, &all, showdowns)
	t.store(own, &values, len(ends))
	if folds > 0 {
		t.total(own, &loss, false)
		t.store(own, &folded, folds)
	}
}

// load fills the rows of the other player's hands. Lanes without an end have any numbers.
func (t *tiles) load(other *hands, ends []end) {
	var from [lanes]*float32
	for l := range from {
		from[l] = &ends[min(l, len(ends)-1)].reach[0]
	}
	transposeIn(t.reach, &from, other.width, len(ends))
	t.reach[len(other.holes)] = tileRow{}
}

// store copies the first lanes of the rows of values to vectors.
func (t *tiles) store(own *hands, to *[lanes]*float32, used int) {
	n := len(own.holes)
	for i, first := range own.canonical {
		t.values[i] = t.values[first]
	}
	clear(t.values[n:own.width])
	for l := used; l < lanes; l++ {
		to[l] = &t.unused[0]
	}
	transposeOut(t.values, to, own.width, used)
}
