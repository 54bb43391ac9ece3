package pcs

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
)

// Sequence goes through all boards of the first rounds of a game in a random order, and then
// again in another one. A board is one for each order in which its rounds can be dealt. A
// Sequence does not change and may be shared.
type Sequence struct {
	game   *acpc.Game
	rounds int
	cards  []card.Card
	seed   uint64
	n      uint64 // boards
	bits   int    // half of the bits of a board's number
}

// NewSequence returns the sequence of the boards of the first rounds.
func NewSequence(g *acpc.Game, rounds int, seed uint64) *Sequence {
	s := &Sequence{game: g, rounds: rounds, cards: g.Deck(), seed: seed, n: 1}
	left := len(s.cards)
	for r := range rounds {
		s.n *= uint64(card.Combinations(left, int(g.NumBoardCards[r])))
		left -= int(g.NumBoardCards[r])
	}
	for s.n > 1<<(2*s.bits) {
		s.bits++
	}
	return s
}

// number returns which board comes at a place: a permutation of all boards for each time
// that they are gone through. It is a Feistel network with the numbers beyond the boards
// left out (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
func (s *Sequence) number(at uint64) uint64 {
	const turns = 4
	key := rng.At(s.seed, at/s.n)
	mask := uint64(1)<<s.bits - 1
	x := at % s.n
	for {
		left, right := x>>s.bits, x&mask
		for turn := range uint64(turns) {
			left, right = right, (left^rng.Mix(key+turn<<32+right))&mask
		}
		if x = left<<s.bits | right; x < s.n {
			return x
		}
	}
}

// Board returns the board at a place, by round.
func (s *Sequence) Board(at uint64) (board [acpc.MaxRounds]card.Set) {
	x := s.number(at)
	var left card.Set
	for _, c := range s.cards {
		left |= c.Bit()
	}
	n := len(s.cards)
	for r := range s.rounds {
		k := int(s.game.NumBoardCards[r])
		sets := uint64(card.Combinations(n, k))
		board[r] = s.choose(left, n, k, int(x%sets))
		x /= sets
		left &^= board[r]
		n -= k
	}
	return board
}

// choose returns the set of k out of n cards with a number, in the order of their highest
// cards.
func (s *Sequence) choose(from card.Set, n, k, number int) (set card.Set) {
	for i := len(s.cards) - 1; k > 0; i-- {
		c := s.cards[i].Bit()
		if from&c == 0 {
			continue
		}
		n--
		if below := card.Combinations(n, k); number >= below {
			number -= below
			set |= c
			k--
		}
	}
	return set
}
