package spot

import "gamebots/acpc/card"

// Ends of the betting are valued lanes at a time: a tile has one end a lane, and a row for
// each hand. Hands are taken in the order of their ranks. Sums of the reach of the other
// player's hands so far, and of those with each card, give the reach of the hands that
// a hand beats, without those that share a card with it: a pair with a card of the hand is
// in the sum of that card. (Johanson, Waugh, Bowling and Zinkevich, "Accelerating best
// response calculation in large extensive games", IJCAI 2011.)

// lanes is the number of ends of a tile.
const lanes = 16

// tileRow is a row of a tile.
type tileRow [lanes]float32

// sums are of the reach of hands: of all, and of those with each card.
type sums struct {
	all tileRow
	by  [card.DeckSize]tileRow
}

// payoff is what an end wins for each of the three results, of a pot that both players own
// half of.
type payoff struct{ win, lose, tie float32 }

// tiles is the memory for the ends of a batch.
type tiles struct {
	reach  []tileRow // of the other player's hands, with a row of zeros after them
	values []tileRow
	sums   sums
	unused []float32 // what lanes without an end write
}

func newTiles(width int) *tiles {
	return &tiles{reach: make([]tileRow, width+1), values: make([]tileRow, width), unused: make([]float32, width)}
}

// An end has a vector of the other player's reach and one for the values of the hands.
type end struct {
	reach, value []float32
	payoff       payoff
}

// showdowns values at most lanes ends at a river. Own are the hands that are valued.
func (t *tiles) showdowns(b *board, player int, ends []end) {
	own, other := &b.hands[player], &b.hands[1-player]
	var win, lose, tie tileRow
	raked := false
	for l := range ends {
		p := ends[l].payoff
		win[l], lose[l], tie[l] = p.win-p.tie, p.lose-p.tie, p.tie
		raked = raked || p.tie != 0
	}
	t.load(other, ends)
	t.sums = sums{}
	t.ascend(b.groups[player], own.holes, other.holes, &win)
	t.sums = sums{}
	t.descend(b.groups[player], own.holes, other.holes, &lose)
	if raked {
		t.total(own, &tie, true)
	}
	t.store(own, ends)
}

// folds values at most lanes ends at which a player has folded: every result is the tie.
func (t *tiles) folds(b *board, player int, ends []end) {
	own, other := &b.hands[player], &b.hands[1-player]
	var pays tileRow
	for l := range ends {
		pays[l] = ends[l].payoff.tie
	}
	t.load(other, ends)
	t.sums = sums{}
	t.add(other.holes)
	t.total(own, &pays, false)
	t.store(own, ends)
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

// store copies the rows of values to the ends.
func (t *tiles) store(own *hands, ends []end) {
	n := len(own.holes)
	for i, first := range own.canonical {
		t.values[i] = t.values[first]
	}
	clear(t.values[n:own.width])
	var to [lanes]*float32
	for l := range to {
		to[l] = &t.unused[0]
		if l < len(ends) {
			to[l] = &ends[l].value[0]
		}
	}
	transposeOut(t.values, &to, own.width, len(ends))
}
