package buckets

import (
	"math"
	"slices"

	"gamebots/acpc/card"
)

// The strength of a hand on a full board is twice the number of the opponent's hole cards
// that it beats, plus the number of those that it ties with. Hole cards that share a card
// with the hand or the board do not count. Strengths are integers, so all features are the
// same on every machine.

// Bin returns the bin of a strength among those from 0 to 2*others.
func Bin(strength, others, bins int) int { return min(strength*bins/(2*others), bins-1) }

// Cumulative sets dst to the cumulative frequencies of all bins but the last, from counts
// and their sum.
func Cumulative(dst []uint16, counts []uint32, total uint32) {
	sum := uint64(0)
	for i := range dst {
		sum += uint64(counts[i])
		dst[i] = part(sum, uint64(total))
	}
}

// part returns a part of a whole in 1/65535, rounded.
func part(x, whole uint64) uint16 { return uint16((x*65535 + whole/2) / whole) }

// maxClusters is the largest number of clusters of the opponent's hole cards.
const maxClusters = 64

// Strengths has, by cluster of the opponent's hole cards, the strength of a hand against it
// and the number of hole cards in it.
type Strengths [maxClusters][2]int32

// Clusters has the number of the cluster of hole cards, by the bits of the lowest and the
// highest card.
type Clusters [64][64]uint8

// Of returns the cluster of hole cards.
func (c *Clusters) Of(h *Holding) uint8 { return c[h.Lo][h.Hi] }

// Showdown ranks the hands on one full board after another.
type Showdown struct {
	*Holdings
	cluster *Clusters // clusters of the opponent's hole cards
	groups  int       // number of clusters
	order   []uint64  // hands on the board by rank: the rank and, in the low bits, the number
	// Numbers of hands by cluster: of all on the board, of those that are worse, and of those
	// that are not better.
	all, worse, level tally
	hand              Strengths
}

const numberBits = 16

// tally counts hands by cluster, and those with each card by bit and cluster.
type tally struct {
	hands [maxClusters]int32
	with  [64][maxClusters]int32
}

// NewShowdown returns a showdown against groups clusters. With one, its cluster 0 is
// all hands.
func NewShowdown(h *Holdings, c *Clusters, groups int) *Showdown {
	return &Showdown{Holdings: h, cluster: c, groups: groups}
}

func (t *tally) add(h *Holding, cluster uint8) {
	t.hands[cluster]++
	t.with[h.Lo][cluster]++
	if h.Lo != h.Hi {
		t.with[h.Hi][cluster]++
	}
}

// without returns the number of hands of a cluster that share no card with one that is
// counted itself if counted is 1.
func (t *tally) without(h *Holding, cluster int, counted int32) int32 {
	n := t.hands[cluster] - t.with[h.Lo][cluster]
	if h.Lo != h.Hi {
		n += counted - t.with[h.Hi][cluster] // itself was subtracted twice
	}
	return n
}

// Board calls f with the number of every hand on a full board.
func (s *Showdown) Board(board card.Set, f func(number int, strength *Strengths)) {
	s.order = s.order[:0]
	s.all, s.worse, s.level = tally{}, tally{}, tally{}
	for i := range s.Holdings.All {
		if h := &s.Holdings.All[i]; h.Hole&board == 0 {
			s.order = append(s.order, uint64(s.ranking.Rank(h.Hole|board))<<numberBits|uint64(i))
			s.all.add(h, s.cluster.Of(h))
		}
	}
	slices.Sort(s.order)
	for from := 0; from < len(s.order); {
		to := from
		for ; to < len(s.order) && s.order[to]>>numberBits == s.order[from]>>numberBits; to++ {
			h := s.holding(to)
			s.level.add(h, s.cluster.Of(h))
		}
		for i := from; i < to; i++ {
			h := s.holding(i)
			own := int(s.cluster.Of(h))
			for c := range s.groups {
				itself := int32(0)
				if c == own {
					itself = 1
				}
				s.hand[c] = [2]int32{s.worse.without(h, c, 0) + s.level.without(h, c, itself),
					s.all.without(h, c, itself)}
			}
			f(int(s.order[i]&(1<<numberBits-1)), &s.hand)
		}
		for ; from < to; from++ {
			h := s.holding(from)
			s.worse.add(h, s.cluster.Of(h))
		}
	}
}

func (s *Showdown) holding(i int) *Holding { return &s.Holdings.All[s.order[i]&(1<<numberBits-1)] }

// Against returns the strength of one hand on a full board, as Showdown.Board does for all.
func (h *Holdings) Against(hole, board card.Set, c *Clusters) (s Strengths) {
	own := h.ranking.Rank(hole | board)
	for i := range h.All {
		other := &h.All[i]
		if other.Hole&(hole|board) != 0 {
			continue
		}
		x := &s[c.Of(other)]
		x[1]++
		switch rank := h.ranking.Rank(other.Hole | board); {
		case rank < own:
			x[0] += 2
		case rank == own:
			x[0]++
		}
	}
	return s
}

// parts sets dst to the parts that a hand wins against each cluster. Against a cluster that
// no opponent can be in, it is the part against all.
func parts(dst []uint16, strength *Strengths) {
	all := [2]uint64{}
	for c := range dst {
		all[0] += uint64(strength[c][0])
		all[1] += uint64(strength[c][1])
	}
	for c := range dst {
		won, others := uint64(strength[c][0]), uint64(strength[c][1])
		if others == 0 {
			won, others = all[0], all[1]
		}
		dst[c] = part(won, 2*others)
	}
}

// Feature sets dst to what a hand is compared by on a full board: strengths against clusters for ochs, or
// else the cumulative frequencies of its strength.
func (h *Holdings) Feature(dst []uint16, ochs bool, strength *Strengths) {
	if ochs {
		parts(dst, strength)
		return
	}
	clear(dst) // cumulative frequencies of one bin
	for i := Bin(int(strength[0][0]), h.Others, len(dst)+1); i < len(dst); i++ {
		dst[i] = math.MaxUint16
	}
}

// Histogram returns the histogram of one hand, by going through all runouts, and their
// number.
func (h *Holdings) Histogram(hole, board card.Set, bins int) (counts []uint32, total uint32) {
	counts = make([]uint32, bins)
	everyone := new(Clusters)
	card.Subsets(h.Rest(hole|board), h.full-board.Len(), func(rest card.Set) {
		s := h.Against(hole, board|rest, everyone)
		counts[Bin(int(s[0][0]), h.Others, bins)]++
		total++
	})
	return counts, total
}

// Runouts returns the number of ways to fill a board, given hole cards.
func Runouts(d *Deck, board int) uint32 {
	return uint32(card.Combinations(d.Suits*d.Ranks-d.Hole-board, d.Full()-board))
}
