package acpc

import "gamebots/acpc/card"

// Shuffler deals the hands of a match as the original dealer deals them from
// the same seed. One stream of random numbers runs on from hand to hand, so a
// hand is fixed by the seed and by the number of hands before it, not by what
// the players do.
type Shuffler struct {
	random *MT19937
	game   *Game
	deck   []card.Card
}

// NewShuffler returns the shuffler of a match.
func NewShuffler(seed uint32) *Shuffler { return &Shuffler{random: NewMT19937(seed)} }

// Deal deals the next hand into s: the hole cards of every position and then
// the board of all rounds.
func (r *Shuffler) Deal(s *State) {
	g := s.game
	if r.game != g {
		r.game, r.deck = g, g.Deck()
	}
	var cards [card.DeckSize]card.Card
	deck := cards[:copy(cards[:], r.deck)]
	draw := func(dst []card.Card) {
		for i := range dst {
			k, last := int(r.random.Uint32()%uint32(len(deck))), len(deck)-1
			dst[i], deck[k] = deck[k], deck[last]
			deck = deck[:last]
		}
	}
	for p := range g.NumPlayers {
		draw(s.Holes[p][:g.NumHoleCards])
	}
	draw(s.Board[:g.BoardCards(g.NumRounds-1)])
}
