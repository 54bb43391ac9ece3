package spot

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/acpc/ranges"
	"gamebots/internal/parallel"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Equity is what a range has of the pot if nobody bets any more: numbers from 0 to 1.
type Equity struct {
	Range    string  `json:"range,omitempty"` // its text, where a caller has named it
	Win      float64 `json:"win"`             // probability of the whole pot
	Tie      float64 `json:"tie"`             // probability of a part of it
	Equity   float64 `json:"equity"`          // mean part of it
	Interval float64 `json:"interval95"`      // Equity is right to within this; 0 if it is exact
}

// MaxRanges is the most ranges that Equities takes.
const MaxRanges = 10

// What Equities does in about a second of a core: so many hands on boards, and pairs of them, or deals. Where hands
// that are drawn often have a card in common, it tries for seconds, and takes the deals that it has then. If they are
// few, it computes what takes a minute at most.
const (
	exactWork = 2e7
	mostWork  = 1e9
	deals     = 1 << 20
	tries     = 1 << 2 // a deal, on average
	fewDeals  = 1 << 12
)

// Equities returns the equities of two to [MaxRanges] ranges against each other, over all hands that can be held at
// the same time and all boards that may follow the cards of a board, of which there may be none to five. Where that
// takes long, and exact is not set, they are those of deals that are drawn at random, the same ones each time, unless
// hands of the ranges can hardly ever be held at the same time: an error where exact ones would take long, too.
// progress gets the part that is done, on several goroutines at once. The error is ErrNoHands, a [*FieldError] or the
// context's.
func Equities(
	ctx context.Context, of []*ranges.Range, board []card.Card, exact bool, threads int, progress func(part float64),
) ([]Equity, error) {
	dealt := card.SetOf(board...)
	if dealt.Len() != len(board) || len(board) > 5 {
		return nil, &FieldError{"board", "it has a card twice, or more than five"}
	}
	hands, alike := make([][]held, len(of)), abstraction.Renamings()
	work, pairs := 0., 1.
	for p, r := range of {
		sum := 0.
		weightOf := func(hole card.Set) float64 { return float64(float32(r.Weight(hole))) }
		for _, h := range layout.Held(dealt, func(hole card.Set) bool { return weightOf(hole) > 0 }) {
			weight := weightOf(h.Set())
			sum += weight
			hands[p] = append(hands[p], held{h, weight, sum, 0})
		}
		work += float64(len(hands[p]))
		pairs *= float64(len(hands[p]))
		same := (&Spot{Ranges: [2]*ranges.Range{r, r}}).symmetries(dealt)
		alike = slices.DeleteFunc(alike, func(r abstraction.Renaming) bool { return !slices.Contains(same, r) })
	}
	if pairs == 0 {
		return nil, ErrNoHands
	}
	wide := len(of) == 2 && pairs > fewPairs
	if !wide {
		work += pairs
	}
	for i := range 5 - dealt.Len() {
		work *= float64(card.DeckSize-dealt.Len()-i) / float64(i+1)
	}
	const parts = 512
	var sums [parts]equitySum
	add := func(s *equitySum, part int) {
		random := rand.New(rand.NewPCG(0, uint64(part)))
		for try := 0; s.all < deals/parts && try < tries*deals/parts && ctx.Err() == nil; try++ {
			s.draw(random, hands, dealt)
		}
	}
	if exact = exact || work/float64(len(alike)) < exactWork; exact {
		boards, counts := completions(dealt, alike)
		add = func(s *equitySum, part int) {
			for i := part; i < len(boards) && ctx.Err() == nil; i += parts {
				if wide {
					s.addShowdowns(dealt, boards[i], counts[i], hands)
				} else {
					s.addDeals(ctx, ranked(hands, boards[i]), 0, counts[i])
				}
			}
		}
	}
	parallel.For(threads, parts, func(_, part int) {
		if sums[part].of = make([]Equity, len(of)); ctx.Err() == nil {
			add(&sums[part], part)
		}
		progress(float64(part+1) / parts)
	})
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	switch all := total(sums[:]); {
	case all.all == 0 && exact:
		return nil, ErrNoHands
	case exact || all.all >= fewDeals:
		return all.means(exact), nil
	case work/float64(len(alike)) > mostWork:
		return nil, fmt.Errorf("%w, or so rarely that %d tries dealt them %.0f times", ErrNoHands, tries*deals, all.all)
	}
	return Equities(ctx, of, board, true, threads, progress)
}

// held is a hand of a range.
type held struct {
	layout.Hole
	weight, sum float64 // sum is that of the weights up to this hand
	rank        int     // on a board
}

// ranked returns the hands that a board leaves, with their ranks.
func ranked(hands [][]held, board card.Set) [][]held {
	left := make([][]held, len(hands))
	for p := range hands {
		for _, h := range hands[p] {
			if hole := h.Set(); hole&board == 0 {
				h.rank = hand.ACPC.Rank(board | hole)
				left[p] = append(left[p], h)
			}
		}
	}
	return left
}

// An equitySum has weighted sums of what ranges win, with squares of the parts as intervals.
type equitySum struct {
	all    float64
	of     []Equity
	ranks  [MaxRanges]int // ranks of the hands of a deal
	placed int            // number of ranks
}

// add adds a showdown of the placed hands.
func (s *equitySum) add(weight float64) {
	ranks := s.ranks[:s.placed]
	best, winners := slices.Max(ranks), 0.
	for _, rank := range ranks {
		if rank == best {
			winners++
		}
	}
	s.all += weight
	for p, rank := range ranks {
		if rank < best {
			continue
		}
		if e := &s.of[p]; winners == 1 {
			e.Win += weight
		} else {
			e.Tie += weight
		}
		s.of[p].Equity += weight / winners
		s.of[p].Interval += weight / (winners * winners)
	}
}

// addDeals adds all showdowns of ranked hands, after those that are placed, until the context is done.
func (s *equitySum) addDeals(ctx context.Context, hands [][]held, used card.Set, weight float64) {
	if s.placed == len(hands) {
		s.add(weight)
		return
	}
	if len(hands)-s.placed > 1 && ctx.Err() != nil {
		return
	}
	for _, h := range hands[s.placed] {
		if hole := h.Set(); hole&used == 0 {
			s.ranks[s.placed] = h.rank
			s.placed++
			s.addDeals(ctx, hands, used|hole, weight*h.weight)
			s.placed--
		}
	}
}

// draw adds the showdown of a deal after some cards, unless two hands that it draws have a card in common: a hand that
// is drawn in place of the second one would make the first ones too probable.
func (s *equitySum) draw(random *rand.Rand, hands [][]held, dealt card.Set) {
	var holes [MaxRanges]card.Set
	used := dealt
	for p, all := range hands {
		x := random.Float64() * all[len(all)-1].sum
		i, _ := slices.BinarySearchFunc(all, x, func(h held, x float64) int { return cmp.Compare(h.sum, x) })
		holes[p] = all[min(i, len(all)-1)].Set()
		if used&holes[p] != 0 {
			return
		}
		used |= holes[p]
	}
	board := dealt
	for board.Len() < 5 {
		if c := card.Card(random.IntN(card.DeckSize)); !used.Has(c) {
			used, board = used|c.Bit(), board|c.Bit()
		}
	}
	for p := range hands {
		s.ranks[p] = hand.ACPC.Rank(board | holes[p])
	}
	s.placed = len(hands)
	s.add(1)
}

// total returns the sum of sums.
func total(sums []equitySum) equitySum {
	total := sums[0]
	for _, s := range sums[1:] {
		total.all += s.all
		for p, e := range s.of {
			to := &total.of[p]
			to.Win, to.Tie = to.Win+e.Win, to.Tie+e.Tie
			to.Equity, to.Interval = to.Equity+e.Equity, to.Interval+e.Interval
		}
	}
	return total
}

// means returns the equities of a sum. An interval is that of a deal that went the other way at least, so that one of
// deals which all went the same way covers, too.
func (s *equitySum) means(exact bool) (means []Equity) {
	for _, e := range s.of {
		mean, interval := e.Equity/s.all, 0.
		if !exact {
			interval = stats.Z95 * math.Sqrt(max(e.Interval/s.all-mean*mean, 1/s.all)/s.all)
		}
		means = append(means, Equity{"", e.Win / s.all, e.Tie / s.all, mean, interval})
	}
	return means
}

// completions returns the boards of five cards after some, of those that a renaming makes equal one, and how many these
// are.
func completions(dealt card.Set, symmetries []abstraction.Renaming) (boards []card.Set, counts []float64) {
	var rest []card.Card
	for c := range card.Card(card.DeckSize) {
		if !dealt.Has(c) {
			rest = append(rest, c)
		}
	}
	card.Subsets(rest, 5-dealt.Len(), func(dealt card.Set) {
		var same []card.Set
		for _, r := range symmetries {
			to := r.Of(dealt)
			if to < dealt {
				return
			}
			if !slices.Contains(same, to) {
				same = append(same, to)
			}
		}
		boards, counts = append(boards, dealt), append(counts, float64(len(same)))
	})
	for i := range boards {
		boards[i] |= dealt
	}
	return boards, counts
}

// fewPairs is how many pairs of hands are compared one by one. For more it takes less time to sort the hands.
const fewPairs = 300

// addShowdowns adds all showdowns of two ranges on a board that begins with the cards dealt.
func (s *equitySum) addShowdowns(dealt, board card.Set, weight float64, hands [][]held) {
	root := &layout.Board{Cards: dealt}
	var weights [2][]float32
	for p := range weights {
		for _, h := range hands[p] {
			root.Hands[p].Holes = append(root.Hands[p].Holes, h.Hole)
			weights[p] = append(weights[p], float32(h.weight))
		}
	}
	b := root.After(board&^dealt, abstraction.Renamings()[:1])
	var reach [2][]float32
	for p := range reach {
		reach[p] = make([]float32, b.Hands[p].Width)
		b.Hands[p].Gather(reach[p], weights[p])
	}
	width := b.Hands[0].Width
	worse, notBetter, all := make([]float32, width), make([]float32, width), make([]float32, width)
	tiles := layout.NewTiles(max(width, b.Hands[1].Width))
	tiles.Ends(b, 0, []layout.End{
		{Reach: reach[1], Value: worse, Payoff: layout.Payoff{Worse: 1}},
		{Reach: reach[1], Value: notBetter, Payoff: layout.Payoff{NotBetter: 1}},
	}, true)
	tiles.Ends(b, 0, []layout.End{{Reach: reach[1], Value: all, Payoff: layout.Payoff{All: 1}}}, false)
	for i, x := range reach[0] {
		won, tied, pairs := worse[i], notBetter[i]-worse[i], all[i]
		for p, won := range [2]float32{won, pairs - notBetter[i]} {
			e, weight := &s.of[p], weight*float64(x)
			e.Win += weight * float64(won)
			e.Tie += weight * float64(tied)
			e.Equity += weight * (float64(won) + float64(tied)/2)
		}
		s.all += weight * float64(x) * float64(pairs)
	}
}
