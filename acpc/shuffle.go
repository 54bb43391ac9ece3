package acpc

import "gamebots/acpc/card"

// Shuffler deals the hands of a match as the original dealer does from the same seed. One
// stream of random numbers serves all hands, so the cards of a hand depend on the seed and
// the number of hands before it, and not on the players' actions.
type Shuffler struct {
	random interface{ Uint32() uint32 }
	game   *Game
	deck   []card.Card
}

// NewShuffler returns the shuffler of a match.
func NewShuffler(seed uint32) *Shuffler { return NewShufflerFrom(NewMT19937(seed)) }

// NewShufflerFrom returns a shuffler that deals from other random numbers than the
// original dealer, which a player who has seen a few cards can foresee.
func NewShufflerFrom(random interface{ Uint32() uint32 }) *Shuffler {
	return &Shuffler{random: random}
}

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

// The size and the middle offset of the twister's state.
const (
	mtSize   = 624
	mtMiddle = 397
)

// MT19937 is the Mersenne Twister with 32-bit outputs (Matsumoto and Nishimura 1998), the
// only random number generator of the original server and its example player. It gives
// the numbers of C++'s std::mt19937. It is not safe for concurrent use.
type MT19937 struct {
	state [mtSize]uint32
	next  int
}

// NewMT19937 returns a generator that starts from a seed.
func NewMT19937(seed uint32) *MT19937 {
	r := &MT19937{next: mtSize}
	r.state[0] = seed
	for i := 1; i < mtSize; i++ {
		prev := r.state[i-1]
		r.state[i] = 1812433253*(prev^prev>>30) + uint32(i)
	}
	return r
}

// Uint32 returns the next number.
func (r *MT19937) Uint32() uint32 {
	if r.next == mtSize {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// twist makes the next mtSize states.
func (r *MT19937) twist() {
	for i := range mtSize {
		y := r.state[i]&0x80000000 | r.state[(i+1)%mtSize]&0x7fffffff
		r.state[i] = r.state[(i+mtMiddle)%mtSize] ^ y>>1 ^ y&1*0x9908b0df
	}
	r.next = 0
}
