package abstraction

import (
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
	ehs      *EHS
	deck     []card.Card
	threads  int
	progress func(part float64)
	// flop and turn are by suit index. river is how often each strength occurs on
	// the river, over all boards and hands.
	flop, turn []uint32
	river      []uint64
}

// boards lists the boards of n cards up to the names of suits, and the multiplicity
// of each.
func (s *strengths) boards(n int) (boards []card.Set, counts []uint64) {
	index := newSuitIndex(s.ehs.ranks, 0, n)
	boards, counts = make([]card.Set, index.size), make([]uint64, index.size)
	card.Subsets(s.deck, n, func(b card.Set) {
		i := index.of(0, b)
		if counts[i] == 0 {
			boards[i] = b
		}
		counts[i]++
	})
	return boards, counts
}

// each calls work for all boards on all threads. Workers have a state of their own,
// and each returns these states. Progress goes from one part of all work to
// another.
func each[W any](s *strengths, boards []card.Set, from, to float64, worker func() W, work func(w W, i int)) []W {
	workers := make([]W, s.threads)
	for k := range workers {
		workers[k] = worker()
	}
	parallel.For(s.threads, len(boards), func(k, i int) {
		work(workers[k], i)
		if k == 0 && s.progress != nil {
			s.progress(from + (to-from)*float64(i)/float64(len(boards)))
		}
	})
	return workers
}

// showdown ranks the hands of one full board.
type showdown struct {
	rest  []card.Card // cards that are not on the board, ascending
	order []uint64    // hands by rank: the rank and, in the bits below, two indices in rest
	river []uint64    // how often each strength occurred
}

// deal ranks the hands of a board.
func (d *showdown) deal(deck []card.Card, board card.Set) {
	d.rest, d.order = d.rest[:0], d.order[:0]
	for _, c := range deck {
		if !board.Has(c) {
			d.rest = append(d.rest, c)
		}
	}
	for i, a := range d.rest {
		for j, b := range d.rest[:i] {
			rank := hand.ACPC.Rank(board | a.Bit() | b.Bit())
			d.order = append(d.order, uint64(rank)<<16|uint64(i)<<8|uint64(j))
		}
	}
	slices.Sort(d.order)
}

// groups calls f with the hands of each rank, in ascending order, and their
// strength.
func (d *showdown) groups(f func(rank int32, strength int, hands []uint64)) {
	for i := 0; i < len(d.order); {
		same := i
		for same < len(d.order) && d.order[same]>>16 == d.order[i]>>16 {
			same++
		}
		f(int32(d.order[i]>>16), i+same, d.order[i:same])
		i = same
	}
}

// turnStrengths sums strengths over all river cards, board by board.
func (s *strengths) turnStrengths() {
	s.turn = make([]uint32, s.ehs.turn.size)
	s.river = make([]uint64, s.maxRiver()+1)
	boards, counts := s.boards(4)
	worker := func() *showdown { return &showdown{river: make([]uint64, len(s.river))} }
	for _, d := range each(s, boards, 0, 0.85, worker, func(d *showdown, i int) {
		var sums [card.DeckSize][card.DeckSize]uint32 // by the larger card and the smaller
		for _, c := range s.deck {
			if boards[i].Has(c) {
				continue
			}
			d.deal(s.deck, boards[i]|c.Bit())
			d.groups(func(_ int32, strength int, hands []uint64) {
				d.river[strength] += counts[i] * uint64(len(hands))
				for _, h := range hands {
					sums[d.rest[h>>8&0xff]][d.rest[h&0xff]] += uint32(strength)
				}
			})
		}
		s.hands(boards[i], func(a, b card.Card) {
			s.turn[s.ehs.turn.of(a.Bit()|b.Bit(), boards[i])] = sums[a][b]
		})
	}) {
		for strength, n := range d.river {
			s.river[strength] += n
		}
	}
}

// flopStrengths sums strengths over all turn cards.
func (s *strengths) flopStrengths() {
	s.flop = make([]uint32, s.ehs.flop.size)
	boards, _ := s.boards(3)
	none := func() struct{} { return struct{}{} }
	each(s, boards, 0.85, 0.9, none, func(_ struct{}, i int) {
		s.hands(boards[i], func(a, b card.Card) {
			hole, sum := a.Bit()|b.Bit(), uint32(0)
			for _, c := range s.deck {
				if !(boards[i] | hole).Has(c) {
					sum += s.turn[s.ehs.turn.of(hole, boards[i]|c.Bit())]
				}
			}
			s.flop[s.ehs.flop.of(hole, boards[i])] = sum
		})
	})
}

// hands calls f with the hands that are possible on a board, the larger card first.
func (s *strengths) hands(board card.Set, f func(a, b card.Card)) {
	for i, a := range s.deck {
		for _, b := range s.deck[:i] {
			if board&(a.Bit()|b.Bit()) == 0 {
				f(max(a, b), min(a, b))
			}
		}
	}
}

// maxRiver returns an upper bound of the strength of a hand on the river.
func (s *strengths) maxRiver() int { return 2 * int(choose(len(s.deck)-5, 2)) }
