package abstraction

import (
	"math/bits"
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/internal/parallel"
)

// The strength of a hand on a full board is twice the number of hands that it beats
// plus the number of hands that tie with it, itself included. All hands that the
// board leaves count (1,081 with a full deck), even those that share a card with
// it: a strength then depends on the rank only. In earlier rounds it is the sum
// over the cards to come, which is the expected hand strength as an exact number.
// All strengths are integers, so buckets are the same on every machine.

// strengths computes the strength of all hands of a game.
type strengths struct {
	deck     []card.Card // ascending
	threads  int
	progress func(part float64)

	flop, turn *boardStrengths
	// river is how often each strength occurs on the river, over all boards and hands.
	river []uint64
}

// boards are all boards of n cards, up to the names of suits.
type boards struct {
	index  *SuitIndex
	boards []card.Set // boards in the order of the index
	counts []uint64   // how many boards the names of suits make of each
}

func newBoards(deck []card.Card, n int) boards {
	b := boards{index: mustSuitIndex(len(deck)/card.NumSuits, 0, n)}
	for i := range b.index.Size() {
		_, board, count := b.index.At(i)
		b.boards, b.counts = append(b.boards, board), append(b.counts, uint64(count))
	}
	return b
}

// boardStrengths are the strengths of all hands on boards.
type boardStrengths struct {
	boards
	pairs    int
	strength []uint32 // strength of a pair on a board; 0 for pairs that the board excludes
}

func newBoardStrengths(deck []card.Card, board int) *boardStrengths {
	s := &boardStrengths{boards: newBoards(deck, board), pairs: pair(len(deck), 0)}
	s.strength = make([]uint32, s.index.size*s.pairs)
	return s
}

// on returns the strengths on a board, by pair.
func (s *boardStrengths) on(board int) []uint32 { return s.strength[board*s.pairs:][:s.pairs] }

// pair numbers two positions in a deck, i > j.
func pair(i, j int) int { return i*(i-1)/2 + j }

// frequencies counts how often each strength occurs.
func (s *boardStrengths) frequencies() []uint64 {
	frequency := make([]uint64, slices.Max(s.strength)+1)
	for i, count := range s.counts {
		for _, x := range s.on(i) {
			frequency[x] += count
		}
	}
	frequency[0] = 0 // every hand ties with itself
	return frequency
}

// each calls work for n tasks on all threads. Workers have a state of their own, and
// each returns these states. Progress goes from one part of all work to another.
func each[W any](s *strengths, n int, from, to float64, worker func() W, work func(w W, i int)) []W {
	workers := make([]W, s.threads)
	for k := range workers {
		workers[k] = worker()
	}
	parallel.For(s.threads, n, func(k, i int) {
		work(workers[k], i)
		if k == 0 && s.progress != nil {
			s.progress(from + (to-from)*float64(i)/float64(n))
		}
	})
	return workers
}

// rivers sums strengths on a turn over all river cards.
type rivers struct {
	*showdown
	rest     []int     // positions of the cards that are not on the board, ascending
	pairs    []int     // pair of the deck of each pair of rest
	classes  [][]class // class of a pair of rest, for each river card
	strength []uint32  // strength of a class
	river    []uint64  // how often each strength occurred
}

func (s *strengths) newRivers() *rivers {
	rest := len(s.deck) - 4
	r := &rivers{showdown: newShowdown(), strength: make([]uint32, numClasses), river: make([]uint64, len(s.river))}
	for range rest {
		r.classes = append(r.classes, make([]class, pair(rest, 0))) // those of a hand with the river card stay 0
	}
	return r
}

// turnStrengths sums strengths over all river cards, board by board.
func (s *strengths) turnStrengths() {
	s.turn = newBoardStrengths(s.deck, 4)
	s.river = make([]uint64, s.maxRiver()+1)
	for _, r := range each(s, s.turn.index.size, 0, 0.75, s.newRivers, func(r *rivers, i int) {
		r.rank(s.deck, s.turn.boards.boards[i])
		r.sum(s.turn.on(i), s.turn.counts[i])
	}) {
		for strength, n := range r.river {
			s.river[strength] += n
		}
	}
}

// rank ranks all hands on all rivers of a turn. It ranks three cards once: each of
// them may be the river, with the other two in hand.
func (r *rivers) rank(deck []card.Card, board card.Set) {
	r.rest, r.pairs = r.rest[:0], r.pairs[:0]
	for i, c := range deck {
		if !board.Has(c) {
			for _, j := range r.rest {
				r.pairs = append(r.pairs, pair(i, j))
			}
			r.rest = append(r.rest, i)
		}
	}
	for i, a := range r.rest {
		for j, b := range r.rest[:i] {
			two := board | deck[a].Bit() | deck[b].Bit()
			for k, c := range r.rest[:j] {
				x := classOf(hand.ACPC.Rank(two | deck[c].Bit()))
				r.classes[k][pair(i, j)], r.classes[j][pair(i, k)], r.classes[i][pair(j, k)] = x, x, x
			}
		}
	}
}

// sum adds the strengths on all rivers to those of a turn, which stands for count
// turns.
func (r *rivers) sum(sums []uint32, count uint64) {
	for _, classes := range r.classes {
		for _, c := range classes {
			r.add(c)
		}
		r.discard(0)
		r.settle(func(c class, strength, hands int) {
			r.strength[c] = uint32(strength)
			r.river[strength] += count * uint64(hands)
		})
		for p, c := range classes {
			sums[r.pairs[p]] += r.strength[c]
		}
	}
}

// flopStrengths sums strengths over all turn cards.
func (s *strengths) flopStrengths() {
	s.flop = newBoardStrengths(s.deck, 3)
	none := func() struct{} { return struct{}{} }
	each(s, s.flop.index.size, 0.75, 0.78, none, func(_ struct{}, i int) {
		board, sums := s.flop.boards.boards[i], s.flop.on(i)
		for _, c := range s.deck {
			if board.Has(c) {
				continue
			}
			turn := s.turn.index.Of(0, board|c.Bit())
			strength, renamed := s.turn.on(turn), s.renaming(board|c.Bit(), s.turn.boards.boards[turn])
			for a, p := range renamed {
				for b, q := range renamed[:a] {
					sums[pair(a, b)] += strength[pair(max(p, q), min(p, q))]
				}
			}
		}
	})
}

// renaming returns, for each position in the deck, that of the card which it becomes
// when the suits are renamed so that one set of cards becomes another.
func (s *strengths) renaming(from, to card.Set) []int {
	suits := RenamingOf(from, to)
	positions := make([]int, len(s.deck))
	for i, c := range s.deck {
		positions[i] = i - c.Suit() + int(suits[c.Suit()]) // the suits of a rank are neighbours
	}
	return positions
}

// maxRiver returns an upper bound of the strength of a hand on the river.
func (s *strengths) maxRiver() int { return 2 * card.Combinations(len(s.deck)-5, 2) }

// class numbers the ranks of hand.ACPC for seven cards, from 1 and in their order. With so few
// classes hands are ordered by counting. 0 is no hand.
type class uint16

// rankSizes has the numbers of cards in the two sets of a rank (see hand.Ranking.Rank), by
// category.
var rankSizes = [...]struct{ first, second int }{
	{0, 5}, // high card
	{1, 3}, // pair
	{2, 1}, // two pair
	{1, 2}, // three of a kind
	{1, 0}, // straight
	{0, 5}, // flush
	{1, 1}, // full house
	{1, 1}, // four of a kind
	{1, 0}, // straight flush
}

// firstClass has the lowest class of each category and first set, the upper bits of a rank.
// numClasses is the number of classes: some are not the class of any hand.
var firstClass, numClasses = func() (first [len(rankSizes) << card.NumRanks]class, n class) {
	n = 1
	for upper := range first {
		sizes := rankSizes[upper>>card.NumRanks]
		if bits.OnesCount(uint(upper)&(1<<card.NumRanks-1)) == sizes.first {
			first[upper] = n
			n += class(combinations[card.NumRanks][sizes.second])
		}
	}
	return first, n
}()

// classOf returns the class of a rank.
func classOf(rank int) class {
	return firstClass[rank>>card.NumRanks] + class(setNumber[rank&(1<<card.NumRanks-1)])
}

// showdown finds the strengths of the hands on one full board.
type showdown struct {
	hands []uint16 // hands of a class
	met   []uint64 // a bit for each class with hands
}

func newShowdown() *showdown {
	return &showdown{hands: make([]uint16, numClasses), met: make([]uint64, numClasses/64+1)}
}

// add adds a hand.
func (d *showdown) add(c class) {
	d.hands[c]++
	d.met[c/64] |= 1 << (c % 64)
}

// discard takes the hands of a class away.
func (d *showdown) discard(c class) {
	d.hands[c] = 0
	d.met[c/64] &^= 1 << (c % 64)
}

// settle calls f with each class that has hands, in ascending order, its strength and its
// number of hands. It leaves no hands.
func (d *showdown) settle(f func(c class, strength, hands int)) {
	below := 0
	for i, met := range d.met {
		for d.met[i] = 0; met != 0; met &= met - 1 {
			c := class(64*i + bits.TrailingZeros64(met))
			n := int(d.hands[c])
			d.hands[c] = 0
			f(c, 2*below+n, n)
			below += n
		}
	}
}
