package spot

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/internal/gate"
)

// A Solver improves the strategies of both players of a spot. It is used by one goroutine at
// a time.
type Solver struct {
	spot      *Spot
	algorithm cfr.Algorithm
	threads   int

	first   int // street
	streets [numStreets]street
	boards  [numStreets][]*board
	// base is where the entries of a board begin, and their scales: by street, player and
	// board.
	base    [numStreets][2][]decisionEntries
	size    decisionEntries       // of all
	payoffs [numStreets][]payoffs // of the ends, by node

	locks      map[lockKey]locked
	iterations uint64
	regrets    entries
	sums       entries // of strategies

	reach   [2][]float32 // of the ranges, over the hands of the first board
	pairs   float64      // the weight of all pairs of hands
	gate    *gate.Gate   // of the player who has an offer, or nil
	offers  []float64    // to its hands, times the other player's reach
	ones    []float32    // as many as the widest vector has
	workers []*worker
	results [][]float32 // of the deals that end the first street, by card
	gpu     *gpu        // that does the passes, or nil
	leaves  *leaves     // that end the first street, or nil
}

// Options are settings of a Solver.
type Options struct {
	// Algorithm is one of Algorithms. If it is Quantized, entries have 16 bits.
	Algorithm cfr.Algorithm
	Threads   int   // at least 1
	Memory    int64 // the most bytes to allocate
}

// New returns a solver of a spot.
func New(spot *Spot, o Options) (*Solver, error) {
	s, err := plan(spot, o)
	if err != nil {
		return nil, err
	}
	if need := s.Bytes(); need > o.Memory {
		return nil, &MemoryError{need, o.Memory}
	}
	s.allocate()
	if err := s.lock(); err != nil {
		return nil, err
	}
	s.start()
	if s.pairs = s.weigh(); s.pairs == 0 {
		return nil, s.noHands()
	}
	if spot.Offer != nil {
		s.gate = s.newGate()
		s.enter()
	}
	return s, nil
}

// noHands is ErrNoHands, with the player to blame if there is one.
func (s *Solver) noHands() error {
	for p := range s.spot.Ranges {
		if len(s.boards[s.first][0].hands[p].holes) == 0 {
			return fmt.Errorf("%w: the player %s has none", ErrNoHands, PlayerNames[p])
		}
	}
	return ErrNoHands
}

// Measure returns the memory that the solver of a spot would take, in bytes.
func Measure(spot *Spot, o Options) (int64, error) {
	s, err := plan(spot, o)
	if err != nil {
		return 0, err
	}
	return s.Bytes(), nil
}

// plan returns a solver that has no memory for its entries yet.
func plan(spot *Spot, o Options) (*Solver, error) {
	if err := spot.Check(); err != nil {
		return nil, err
	}
	s := &Solver{spot: spot, algorithm: o.Algorithm, threads: max(1, o.Threads), first: spot.first()}
	if s.first == river {
		s.threads = 1 // threads share the cards that come next
	}
	var err error
	if s.streets, err = newTree(spot); err != nil {
		return nil, err
	}
	set := card.SetOf(spot.Board...)
	s.boards = newBoards(spot, set, spot.symmetries(set), s.threads)
	s.layOut()
	if spot.Leaves != nil {
		s.leaves = s.newLeaves()
	}
	return s, nil
}

// Algorithms returns the names of the algorithms of package cfr that a Solver has.
func Algorithms() (names []string) {
	for _, a := range cfr.Algorithms {
		if !a.Predictive && !a.BestResponse {
			names = append(names, a.Name)
		}
	}
	return names
}

// A MemoryError is the error for a spot that needs more memory than there may be, in bytes.
type MemoryError struct{ Need, Limit int64 }

func (e *MemoryError) Error() string { return memory.Enough("the spot", e.Need, e.Limit).Error() }

// layOut places the entries of all decisions, and computes the payoffs of all ends.
func (s *Solver) layOut() {
	root := s.boards[s.first][0]
	s.ones = slices.Repeat([]float32{1}, max(root.hands[0].width, root.hands[1].width))
	for k := s.first; k < numStreets; k++ {
		st := &s.streets[k]
		for _, b := range s.boards[k] {
			for p := range b.hands {
				width := int64(b.hands[p].width)
				s.base[k][p] = append(s.base[k][p], s.size)
				s.size.at += int64(st.rows[p]) * width
				s.size.scale += int64(st.decisions[p]) * width / block
			}
		}
		s.payoffs[k] = make([]payoffs, len(st.nodes))
		for i := range st.nodes {
			if n := &st.nodes[i]; n.kind == fold || n.kind == showdown {
				s.payoffs[k][i] = s.spot.payoffs(n, s.chance(k))
			}
		}
	}
}

// decision returns where the entries of a decision on a board are.
func (s *Solver) decision(k, on int, n *node) decisionEntries {
	base, width := s.base[k][n.actor][on], s.boards[k][on].hands[n.actor].width
	return decisionEntries{
		at: base.at + int64(n.row)*int64(width), scale: base.scale + int64(n.order)*int64(width/block),
		actions: int(n.actions), width: width,
	}
}

// chance returns the probability of the cards from the root to a street, if two hands are
// known.
func (s *Solver) chance(k int) float64 {
	x := 1.0
	for street := s.first; street < k; street++ {
		x /= float64(card.DeckSize - 3 - street - 4)
	}
	return x
}

// payoffs are those of both players at an end.
type payoffs [2]payoff

// payoffs returns what the players win at an end beyond half of the pot at the root, times
// the probability of the cards.
func (s *Spot) payoffs(n *node, chance float64) (both payoffs) {
	stake := float64(s.Pot)/2 + float64(n.put)
	rake := s.Rake.of(s.Pot + 2*int(n.put))
	win, tie, lose := stake-rake, -rake/2, -stake
	if n.kind == showdown {
		pays := payoff{worse: float32((win - tie) * chance), notBetter: float32((tie - lose) * chance), all: float32(lose * chance)}
		return payoffs{pays, pays}
	}
	both[n.actor].all, both[1-n.actor].all = float32(lose*chance), float32(win*chance)
	return both
}

// Bytes returns the memory that the solver takes, in bytes.
func (s *Solver) Bytes() int64 {
	entries := 8 * float64(s.size.at)
	if s.algorithm.Quantized {
		entries = 4*float64(s.size.at) + 8*float64(s.size.scale)
	}
	tree, hands, vectors := 0, 0, 0
	for k := s.first; k < numStreets; k++ {
		st := &s.streets[k]
		tree += len(st.nodes) * int(unsafe.Sizeof(node{})+unsafe.Sizeof(payoffs{})+2*unsafe.Sizeof(ending{}))
		slots, nodes := st.largestBatch()
		vectors += s.threads * (slots[0] + slots[1] + max(slots[0], slots[1]) + nodes)
		for _, b := range s.boards[k] {
			for p := range b.hands {
				h := &b.hands[p]
				hands += len(h.holes)*(4+2*len(h.from)) + 4*len(b.groups[p]) + 2*len(h.canonical)
			}
		}
	}
	if s.leaves != nil {
		tree += s.leaves.bytes()
	}
	root := s.boards[s.first][0]
	vectors += len(root.deals) * len(s.streets[s.first].batches[0].deals)
	return memory.Saturate(entries + float64(tree+hands) + 4*float64(vectors)*float64(len(s.ones)))
}

// Entries returns the number of entries: actions of hands at decisions.
func (s *Solver) Entries() int64 { return s.size.at }

// Decisions returns the number of decisions of the betting, without the cards.
func (s *Solver) Decisions() (n int) {
	for k := range s.streets {
		for i := range s.streets[k].nodes {
			if s.streets[k].nodes[i].kind == decision {
				n++
			}
		}
	}
	return n
}

// allocate allocates the entries and the memory of the workers.
func (s *Solver) allocate() {
	s.regrets = newEntries(s.size.at, s.size.scale, s.algorithm.Quantized)
	s.sums = newEntries(s.size.at, s.size.scale, s.algorithm.Quantized)
	root := s.boards[s.first][0]
	for p := range s.reach {
		s.reach[p] = make([]float32, root.hands[p].width)
		for i, h := range root.hands[p].holes {
			s.reach[p][i] = float32(s.spot.Ranges[p].Weight(h.set()))
		}
	}
	for range s.threads {
		s.workers = append(s.workers, newWorker(s))
	}
	if s.leaves != nil {
		s.leaves.allocate()
	}
}

// weigh returns the sum of the products of the weights of all pairs of hands that share no
// card.
func (s *Solver) weigh() (sum float64) {
	for i, x := range s.opposing(s.boards[s.first][0], 0, s.reach[1]) {
		sum += float64(x) * float64(s.reach[0][i])
	}
	return sum
}

// Iterations returns the number of iterations so far.
func (s *Solver) Iterations() uint64 { return s.iterations }

// Step does an iteration, which improves the strategy of one player and then that of the
// other.
func (s *Solver) Step() { s.StepUntil(context.Background()) }

// StepUntil is Step, unless the context is done before. It reports whether it was not. An
// iteration that ends early does not count: it has improved a part of the decisions, and the
// next one improves them again.
func (s *Solver) StepUntil(ctx context.Context) bool {
	discounts := s.algorithm.Discounts(s.iterations + 1)
	if s.leaves != nil {
		s.leaves.deal(s.iterations)
	}
	for p := range 2 {
		if ctx.Err() != nil {
			return false
		}
		values := s.traverse(&pass{mode: improve, player: p, discounts: discounts, ctx: ctx})
		if values == nil {
			return false
		}
		if s.chooses(p) {
			s.gate.Choose(values)
			s.enter()
		}
	}
	s.iterations++
	return true
}
