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

// bin returns the bin of a strength among those from 0 to 2*others.
func bin(strength, others, bins int) int { return min(strength*bins/(2*others), bins-1) }

// cumulative sets dst to the cumulative frequencies of all bins but the last, from counts
// and their sum.
func cumulative(dst []uint16, counts []uint32, total uint32) {
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

// strengths has, by cluster of the opponent's hole cards, the strength of a hand against it
// and the number of hole cards in it.
type strengths [maxClusters][2]int32

// clusters has the number of the cluster of hole cards, by the bits of the lowest and the
// highest card.
type clusters [64][64]uint8

func (c *clusters) of(h *holding) uint8 { return c[h.lo][h.hi] }

// showdown ranks the hands on one full board after another.
type showdown struct {
	*hands
	cluster *clusters // clusters of the opponent's hole cards
	groups  int       // number of clusters
	order   []uint64  // hands on the board by rank: the rank and, in the low bits, the number
	// Numbers of hands by cluster: of all on the board, of those that are worse, and of those
	// that are not better.
	all, worse, level tally
	hand              strengths
}

const numberBits = 16

// tally counts hands by cluster, and those with each card by bit and cluster.
type tally struct {
	hands [maxClusters]int32
	with  [64][maxClusters]int32
}

// newShowdown returns a showdown against groups clusters. With one, its cluster 0 is
// all hands.
func newShowdown(h *hands, c *clusters, groups int) *showdown {
	return &showdown{hands: h, cluster: c, groups: groups}
}

func (t *tally) add(h *holding, cluster uint8) {
	t.hands[cluster]++
	t.with[h.lo][cluster]++
	if h.lo != h.hi {
		t.with[h.hi][cluster]++
	}
}

// without returns the number of hands of a cluster that share no card with one that is
// counted itself if counted is 1.
func (t *tally) without(h *holding, cluster int, counted int32) int32 {
	n := t.hands[cluster] - t.with[h.lo][cluster]
	if h.lo != h.hi {
		n += counted - t.with[h.hi][cluster] // itself was subtracted twice
	}
	return n
}

// board calls f with the number of every hand on a full board.
func (s *showdown) board(board card.Set, f func(number int, strength *strengths)) {
	s.order = s.order[:0]
	s.all, s.worse, s.level = tally{}, tally{}, tally{}
	for i := range s.hands.all {
		if h := &s.hands.all[i]; h.hole&board == 0 {
			s.order = append(s.order, uint64(s.ranking.Rank(h.hole|board))<<numberBits|uint64(i))
			s.all.add(h, s.cluster.of(h))
		}
	}
	slices.Sort(s.order)
	for from := 0; from < len(s.order); {
		to := from
		for ; to < len(s.order) && s.order[to]>>numberBits == s.order[from]>>numberBits; to++ {
			h := s.holding(to)
			s.level.add(h, s.cluster.of(h))
		}
		for i := from; i < to; i++ {
			h := s.holding(i)
			own := int(s.cluster.of(h))
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
			s.worse.add(h, s.cluster.of(h))
		}
	}
}

func (s *showdown) holding(i int) *holding { return &s.hands.all[s.order[i]&(1<<numberBits-1)] }

// against returns the strength of one hand on a full board, as showdown.board does for all.
func (h *hands) against(hole, board card.Set, c *clusters) (s strengths) {
	own := h.ranking.Rank(hole | board)
	for i := range h.all {
		other := &h.all[i]
		if other.hole&(hole|board) != 0 {
			continue
		}
		x := &s[c.of(other)]
		x[1]++
		switch rank := h.ranking.Rank(other.hole | board); {
		case rank < own:
			x[0] += 2
		case rank == own:
			x[0]++
		}
	}
	return s
}

// ochs sets dst to the parts that a hand wins against each cluster. Against a cluster that
// no opponent can be in, it is the part against all.
func ochs(dst []uint16, strength *strengths) {
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

// showdownFeature sets dst to the feature of a hand on a full board.
func (h *hands) showdownFeature(dst []uint16, f Feature, strength *strengths) {
	if f == OCHS {
		ochs(dst, strength)
		return
	}
	clear(dst) // cumulative frequencies of one bin
	for i := bin(int(strength[0][0]), h.others, len(dst)+1); i < len(dst); i++ {
		dst[i] = math.MaxUint16
	}
}

// opponents returns the clusters of the opponent's hole cards that a feature tells apart, and
// their number.
func (t *Table) opponents(f Feature) (c *clusters, groups int) {
	if f == OCHS {
		return t.cluster, t.recipe.Clusters
	}
	return new(clusters), 1
}
