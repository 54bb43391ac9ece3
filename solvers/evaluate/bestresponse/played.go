package bestresponse

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
)

// Players are how the strategy plays from the second round on, with search and all else. In the first round it is the
// strategy that the response was made for.
type Players struct {
	// New returns a player, and Count is how many there are.
	New   func() (belief.Player, error)
	Count int
	// From is the first round that they solve, 0 for none: the positions where it begins are valued side by side, by a
	// player each.
	From int
	// Runouts is how many times the cards of each later round are drawn, an even number: half of them decide for the
	// others. More of them find better responses.
	Runouts int
	Seed    uint64
	// Done, if not nil, is called with the number of boards that are done, and parts of boards, one call at a time.
	Done func(boards float64)
}

// boardsAtOnce is how many boards are valued at a time: while the last positions of one are, others wait.
const boardsAtOnce = 2

// ValuePlayed values some draws of a sample against players, and calls take with the values of each in any order, one
// at a time. From the second round on the response has all betting sequences of its menu. The cards of later rounds
// are drawn; decisions before them are those that are best with half of the draws, and are valued with the other half,
// so that a response does not know what will come and its value is estimated without bias. In the last round it plays
// exactly. When ctx is done it stops, and returns the cause.
func (s *Sample) ValuePlayed(
	ctx context.Context, players Players, draws []int, take func(draw int, values PartValues) error,
) error {
	r := s.r
	idle := make(chan belief.Player, max(1, players.Count))
	for range cap(idle) {
		player, err := players.New()
		if err != nil {
			return err
		}
		idle <- player
	}
	var one sync.Mutex
	boards := 0.0
	done := func(part float64) {
		one.Lock()
		defer one.Unlock()
		if boards += part; players.Done != nil {
			players.Done(boards)
		}
	}
	return parallel.Try(boardsAtOnce, len(draws), func(i int) error {
		draw := draws[i]
		w := &sampler{Response: r, idle: idle, from: players.From, draws: players.Runouts, hand: uint32(draw),
			seed: rng.At(players.Seed, uint64(draw)), ranks: &sync.Map{}, done: done}
		w.none = w.zero()
		var values PartValues
		for p := range values {
			var err error
			if values[p], err = w.part(ctx, p, s.drawn[draw]); err != nil {
				return err
			}
		}
		one.Lock()
		defer one.Unlock()
		return take(draw, values)
	})
}

// sampler walks through the betting of a board, and through boards of later rounds that are drawn.
type sampler struct {
	*Response
	idle      chan belief.Player
	player    belief.Player
	responder int
	from      int // the round whose positions are valued side by side
	draws     int
	hand      uint32 // number of the hand for the player
	seed      uint64
	ranks     *sync.Map // hands in order, by whole boards
	done      func(part float64)
	none      estimate

	// positions are those of the round from, in their order. They are found by a first walk, and taken by a second.
	positions []position
	next      int
	valued    bool
}

// position is a point of a hand that the strategy reaches with some of its hands.
type position struct {
	state acpc.State
	shown int // cards of the board that are dealt
	reach []float64
	value estimate
}

// ranked is a hand with its rank on a board.
type ranked struct {
	rank int
	hand int32
}

// estimate is what the responder wins by hand, summed over the strategy's hands with their reach, from each half of
// the draws: with the decisions that are best there, and with those that are best in the other half. Only the former
// know the draws that they are valued with.
type estimate struct{ known, fair [2][]float64 }

// exactly is the estimate of values that need no draws.
func exactly(v []float64) estimate {
	return estimate{[2][]float64{v, v}, [2][]float64{v, v}}
}

// part returns the values of a part for a responder, as [Response.Value] orders them.
func (w *sampler) part(ctx context.Context, responder, part int) ([]float64, error) {
	w.responder, w.positions, w.next, w.valued = responder, nil, 0, false
	if _, err := w.walk(ctx, part); err != nil {
		return nil, err
	}
	share := .5 / float64(max(1, len(w.positions)))
	err := parallel.Try(cap(w.idle), len(w.positions), func(i int) error {
		at, p := *w, &w.positions[i]
		at.player = <-w.idle
		defer func() { w.idle <- at.player }()
		defer w.done(share)
		var err error
		p.value, err = at.value(ctx, &p.state, p.shown, p.reach)
		return err
	})
	if err != nil {
		return nil, err
	}
	if w.valued = true; len(w.positions) == 0 {
		w.done(share)
	}
	values, err := w.walk(ctx, part)
	return w.byClass(responder, part, values), err
}

// walk returns the values of a part by hand and lane, as far as those of the positions are known.
func (w *sampler) walk(ctx context.Context, part int) ([]float64, error) {
	w.player = <-w.idle
	defer func() { w.idle <- w.player }()
	b, to := &w.boards[part], w.second(w.responder)
	first := [][]uint32{w.bucketsOf(b, 0)}
	reach := w.reach(w.responder, 1, first)
	states := w.states(to.parts[0].tree, w.hand)
	values := make([]float64, len(w.holes)*to.width)
	for _, p := range to.parts {
		for lane, segment := range p.nodes.Lanes {
			state, at := states[segment.First], make([]float64, len(w.holes))
			i := 0
			for _, c := range w.cards {
				if b.all.Has(c) {
					state.Board[i] = c
					i++
				}
			}
			for h, hole := range w.holes {
				for way := range p.Ways {
					if hole&b.all == 0 {
						at[h] += float64(reach[h*to.width+p.First+way*p.Width+lane])
					}
				}
			}
			v, err := w.begin(ctx, &state, i, at)
			if err != nil {
				return nil, err
			}
			for h := range w.holes {
				values[h*to.width+p.First+lane] = (v.fair[0][h] + v.fair[1][h]) / 2
			}
		}
	}
	return values, nil
}

// states returns the hands with which the segments of the second round begin, by their first nodes.
func (r *Response) states(tree *answers, hand uint32) map[int32]acpc.State {
	states := map[int32]acpc.State{}
	var visit func(node int32, s acpc.State)
	visit = func(node int32, s acpc.State) {
		n := &tree.Nodes[node]
		if n.Kind == betting.Deal {
			states[tree.Segments[n.First].First] = s
		}
		for a := range int32(n.NumActions) {
			next := s
			next.Apply(tree.Nodes[n.First+a].Action())
			visit(n.First+a, next)
		}
	}
	visit(0, r.game.NewState(hand))
	return states
}

// begin is value where a round begins.
func (w *sampler) begin(ctx context.Context, s *acpc.State, shown int, reach []float64) (estimate, error) {
	switch {
	case !slices.ContainsFunc(reach, func(x float64) bool { return x > 0 }):
		return w.none, nil
	case s.Finished() || s.Round() != w.from:
		return w.value(ctx, s, shown, reach)
	case !w.valued:
		w.positions = append(w.positions, position{state: *s, shown: shown, reach: reach})
		return w.none, nil
	}
	w.next++
	return w.positions[w.next-1].value, nil
}

// value estimates what the responder wins from a state on, of which so many cards of the board are dealt.
func (w *sampler) value(ctx context.Context, s *acpc.State, shown int, reach []float64) (estimate, error) {
	pot := s.Pot()
	round := s.Round()
	if s.Finished() {
		round = w.last
	}
	switch {
	case shown < w.game.BoardCards(round) && (!s.Finished() || pot.Showdown()):
		return w.deal(ctx, s, shown, reach)
	case s.Finished():
		return exactly(w.end(s, &pot, shown, reach)), nil
	case s.Actor() == w.responder:
		return w.decide(ctx, s, shown, reach)
	}
	if err := context.Cause(ctx); err != nil {
		return estimate{}, err
	}
	choices, err := w.player.Choices(ctx, s)
	if err != nil {
		return estimate{}, err
	}
	sum := w.zero()
	// A player may return the same slices again.
	actions, probability := slices.Clone(choices.Actions), make([][]float64, len(choices.Actions))
	for i, p := range choices.Probability {
		probability[i] = make([]float64, len(reach))
		for h, x := range reach {
			if x > 0 {
				probability[i][h] = x * p[h]
			}
		}
	}
	for i, a := range actions {
		if !slices.ContainsFunc(probability[i], func(x float64) bool { return x > 0 }) {
			continue
		}
		v, err := w.value(ctx, belief.After(s, a), shown, probability[i])
		if err != nil {
			return estimate{}, err
		}
		sum.add(&v, 1)
	}
	return sum, nil
}

// zero returns the estimate 0.
func (w *sampler) zero() (sum estimate) {
	for half := range 2 {
		sum.known[half], sum.fair[half] = make([]float64, len(w.holes)), make([]float64, len(w.holes))
	}
	return sum
}

func (e *estimate) add(o *estimate, times float64) {
	for half := range 2 {
		for h := range e.known[half] {
			e.known[half][h] += float64(times * o.known[half][h])
			e.fair[half][h] += float64(times * o.fair[half][h])
		}
	}
}

// decide takes, for each hand, the action that is best in a half of the draws.
func (w *sampler) decide(ctx context.Context, s *acpc.State, shown int, reach []float64) (best estimate, err error) {
	own := w.strategy.Tree.Shape.Betting
	actions := slices.Collect(own.Legal(s))
	if !w.menu.All() {
		actions = slices.AppendSeq(actions, w.menu.Legal(s))
	}
	for i, a := range actions {
		if slices.Contains(actions[:i], a) {
			continue
		}
		v, err := w.value(ctx, belief.After(s, a), shown, reach)
		if err != nil {
			return best, err
		}
		if i == 0 {
			best = w.zero()
			best.add(&v, 1)
			continue
		}
		for half := range 2 {
			for h, x := range v.known[half] {
				if x > best.known[half][h] {
					best.known[half][h], best.fair[1-half][h] = x, v.fair[1-half][h]
				}
			}
		}
	}
	return best, nil
}

// deal draws the cards of the next round. The draws follow from the board.
func (w *sampler) deal(ctx context.Context, s *acpc.State, shown int, reach []float64) (estimate, error) {
	round := 0
	for w.game.BoardCards(round) <= shown {
		round++
	}
	board := card.SetOf(s.Board[:shown]...)
	rest := slices.DeleteFunc(slices.Clone(w.cards), board.Has)
	n, sum := w.game.BoardCards(round)-shown, w.zero()
	hidden := len(rest) - 2*w.game.NumHoleCards
	// How often a board is drawn, of those that leave a pair of hands.
	often := float64(card.Combinations(len(rest), n)) / float64(card.Combinations(hidden, n))
	for i := range w.draws {
		stream := rng.Stream(rng.At(w.seed^rng.Mix(uint64(board)), uint64(i)))
		for k := range n {
			j := k + stream.IntN(len(rest)-k)
			rest[k], rest[j] = rest[j], rest[k]
		}
		next, dealt := *s, card.SetOf(rest[:n]...)
		copy(next.Board[shown:], rest[:n])
		then := slices.Clone(reach)
		for h, hole := range w.holes {
			if hole&dealt != 0 {
				then[h] = 0
			}
		}
		v, err := w.begin(ctx, &next, shown+n, then)
		if err != nil {
			return sum, err
		}
		half := i % 2
		for h, hole := range w.holes {
			if hole&dealt == 0 {
				x := often * (v.fair[0][h] + v.fair[1][h]) / float64(w.draws)
				sum.known[half][h] += x
				sum.fair[half][h] += x
			}
		}
	}
	return sum, nil
}

// end returns what the responder wins by hand where the hand is over.
func (w *sampler) end(s *acpc.State, pot *acpc.Pot, shown int, reach []float64) []float64 {
	board, out := card.SetOf(s.Board[:shown]...), make([]float64, len(w.holes))
	var pays [3]float64 // lost, tied and won
	for i := range pays {
		var ranks [acpc.MaxPlayers]int
		ranks[w.responder] = i - 1
		pays[i] = pot.Value(w.responder, &ranks)
	}
	all, below := newReachSums(len(w.cards)), newReachSums(len(w.cards))
	for h, x := range reach {
		all.add(w.pair[h], x)
	}
	if !pot.Showdown() {
		for h, hole := range w.holes {
			if hole&board == 0 {
				out[h] = pays[1] * (all.without(w.pair[h]) + w.twice(reach[h]))
			}
		}
		return out
	}
	order := w.ranking(board)
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && order[to].rank == order[from].rank {
			to++
		}
		upTo := below.clone()
		for _, x := range order[from:to] {
			upTo.add(w.pair[x.hand], reach[x.hand])
		}
		for _, x := range order[from:to] {
			// Its own hand ties, and is subtracted twice.
			pair, own := w.pair[x.hand], w.twice(reach[x.hand])
			lower, notHigher, total := below.without(pair), upTo.without(pair)+own, all.without(pair)+own
			out[x.hand] = pays[2]*lower + pays[1]*(notHigher-lower) + pays[0]*(total-notHigher)
		}
		below, from = upTo, to
	}
	return out
}

// twice returns what sums without a hand's cards miss of its own reach: with two cards it is subtracted twice.
func (w *sampler) twice(reach float64) float64 {
	if w.game.NumHoleCards == 2 {
		return reach
	}
	return 0
}

// ranking returns the hands on a whole board from the worst to the best.
func (w *sampler) ranking(board card.Set) (order []ranked) {
	if known, ok := w.ranks.Load(board); ok {
		return known.([]ranked)
	}
	for h, hole := range w.holes {
		if hole&board == 0 {
			order = append(order, ranked{int(w.game.HandRanking.Rank(hole | board)), int32(h)})
		}
	}
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	w.ranks.Store(board, order)
	return order
}

// reachSums are sums of reach, of all hands and by card.
type reachSums struct {
	all float64
	by  []float64
}

func newReachSums(cards int) reachSums { return reachSums{by: make([]float64, cards)} }

func (s *reachSums) clone() reachSums { return reachSums{s.all, slices.Clone(s.by)} }

func (s *reachSums) add(pair [2]uint8, x float64) {
	s.all += x
	s.by[pair[0]] += x
	if pair[0] != pair[1] {
		s.by[pair[1]] += x
	}
}

// without returns the sum less the hands with a card of a pair.
func (s *reachSums) without(pair [2]uint8) float64 {
	if pair[0] == pair[1] {
		return s.all - s.by[pair[0]]
	}
	return s.all - s.by[pair[0]] - s.by[pair[1]]
}
