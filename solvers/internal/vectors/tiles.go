package vectors

// TileLanes is how many lanes a tile has.
const TileLanes = 32

// MaxActions is how many actions a decision has at most.
const MaxActions = 15

// Tile is a value of each of its lanes.
type Tile [TileLanes]float32

// Negate sets a tile to the negatives of another.
func (t *Tile) Negate(x *Tile) {
	for l, v := range x {
		t[l] = -v
	}
}

// The order of a board has its hands in the order of their ranks. An entry is a hand's number,
// the positions of its two cards in the deck, in the first of the hands of a rank how many
// there are, and its bucket. For [Sums.Below] and [Sums.Showdown] it has, instead of how many
// there are, the hand's place in the order from the worst hands up.
const (
	HandBits, CardBits, TiesBits = 11, 6, 11

	SecondBit = HandBits + CardBits
	TiesBit   = SecondBit + CardBits
	PlaceBit  = TiesBit
	BucketBit = TiesBit + TiesBits
	HandMask  = 1<<HandBits - 1
	CardMask  = 1<<CardBits - 1
	TiesMask  = 1<<TiesBits - 1
	PlaceMask = TiesMask
)

// Ties returns how many hands have the rank of an entry, the first of them.
func Ties(entry uint64) int { return int(entry >> TiesBit & TiesMask) }

// Mode is what is done with values where others may be.
type Mode uint32

const (
	Set Mode = iota
	Max
	Sum
)

// Sums are sums of reach.
type Sums struct {
	TwoCards bool // whether hands have two cards
	All      Tile
	By       []Tile // over the hands with a card
}

// NewSums returns sums of nothing, for a deck of cards.
func NewSums(cards int, twoCards bool) Sums { return Sums{TwoCards: twoCards, By: make([]Tile, cards)} }

// Clear makes them sums of nothing.
func (s *Sums) Clear() {
	s.All = Tile{}
	clear(s.By)
}

// Negate sets sums to the negatives of others.
func (s *Sums) Negate(x *Sums) {
	s.All.Negate(&x.All)
	for c := range x.By {
		s.By[c].Negate(&x.By[c])
	}
}

// Below adds the reach x of hands, which is by place, one after another. Before it adds a hand, it
// sets the tile of to at the hand's place to the sum over the hands so far that share no card with
// it. The order goes from the worst hands up.
func (s *Sums) Below(to []Tile, order []uint64, x []Tile) { s.sweep(to, order, x, nil) }

// Showdown does so from the best hands down, with those of a rank in the same order as before. It
// sets the tile at a hand's place to pays times the difference: the sum that Below left there less
// the new one. Of two hands of a rank the second comes after the first in both orders, so that they
// do not count.
func (s *Sums) Showdown(to []Tile, down []uint64, x []Tile, pays *Tile) { s.sweep(to, down, x, pays) }
