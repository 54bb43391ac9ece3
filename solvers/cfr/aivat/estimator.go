package aivat

import (
	"errors"
	"fmt"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
)

// ErrNotPlayed is a hand in which a player did what its strategy never does.
var ErrNotPlayed = errors.New("not what the strategy plays")

// Estimator estimates what a player of a known strategy has won. It may be used by
// several goroutines at once.
type Estimator struct {
	*sides
	hands  *hands
	values valuer
	// otherKnown says that model is what the other player plays, not just a guess.
	otherKnown bool
	tables     sync.Pool // of *[acpc.MaxRounds]*table
}

// valuer is a value function: a guess of what the hands of the known player will
// win. The better it is, the less luck is left in an estimate; the mean of the
// estimates is right with any.
type valuer interface {
	// begin returns the guess before any card is dealt, and that when the other
	// player's hand and the first board are, the known player's hand being unknown.
	begin(t *table) (before, after float64)
	// open returns the guesses of a betting round.
	open(t *table) view
}

// view is a value function in one betting round. What it returns is by hand, for
// the live ones, and good until the table is set anew.
type view interface {
	// at values a node of the round; the ends of hands are as they are.
	at(node int32) []float64
	// deal values a node where the round ends: before is the mean, over all that
	// can be dealt, of what after is for what is on the next table's board.
	deal(node int32, next *table) (before, after []float64)
}

// New returns an estimator for a player of a strategy. other is the other
// player's strategy: where otherKnown says that it is so, its luck in choosing
// actions is taken out too; else it is a guess, used for values only. Values are
// prepared on so many threads, which takes a few seconds for hold'em; tell, if not
// nil, is told of the part that is done.
func New(known, other *Strategy, otherKnown bool, threads int, tell func(part float64)) (*Estimator, error) {
	g := known.Tree.Game
	if g.NumPlayers != 2 || other.Tree.Game.String() != g.String() {
		return nil, fmt.Errorf("%s and %s: an estimate is for two strategies of one game of two players", g.Name, other.Tree.Game.Name)
	}
	e := &Estimator{sides: newSides(known, other), hands: handsOf(g), otherKnown: otherKnown}
	e.tables.New = func() any { return new([acpc.MaxRounds]*table) }
	var err error
	if holdemFits(e) {
		e.values, err = newHoldem(e, threads, tell)
	} else {
		e.values, err = newExact(e)
	}
	return e, err
}

// Terms are the luck of a hand in parts, each of which is zero in the mean: added to
// what the player won they make the estimate.
type Terms [NumTerms]float64

// The terms.
const (
	// Private is the mean over what the player may have held less what it won.
	Private = iota
	// Holes is the luck of the hole cards of the other player.
	Holes
	// Deal is that of the cards of the second round, followed by those of further ones.
	Deal
	// Own is the luck of the player's choices in the first round, followed by those
	// of further ones.
	Own = Deal + acpc.MaxRounds - 1
	// Other is the luck of the other player's choices, if its strategy is known.
	Other    = Own + acpc.MaxRounds
	NumTerms = Other + 1
)

// Sum returns the sum of all terms.
func (t *Terms) Sum() float64 {
	sum := 0.0
	for _, x := range t {
		sum += x
	}
	return sum
}

// Estimate returns what the player in a seat, which is a position at the table,
// has won in a finished hand, in chips, without the luck that can be told apart. All
// hole cards have to be known.
func (e *Estimator) Estimate(s *acpc.State, seat int) (float64, error) {
	terms, err := e.Terms(s, seat)
	if err != nil {
		return 0, err
	}
	return s.Value(seat) + terms.Sum(), nil
}

// Terms returns the parts of an estimate.
func (e *Estimator) Terms(s *acpc.State, seat int) (Terms, error) {
	h, err := e.observe(s, seat)
	if err != nil {
		return Terms{}, fmt.Errorf("hand %d: %w", s.HandID, err)
	}
	defer e.tables.Put(h.tables)
	if err := h.play(); err != nil {
		return Terms{}, fmt.Errorf("hand %d: %w", s.HandID, err)
	}
	return h.terms, nil
}

// observed is a hand on its way through the tree.
type observed struct {
	*Estimator
	state  *acpc.State
	tables *[acpc.MaxRounds]*table
	table  *table // of the round
	view   view
	node   int32
	mine   int // the hand that the known player holds
	// belief is the probability of each live hand of the known player's, given the
	// other's hand and all that everybody has seen.
	belief []float64
	terms  Terms
}

// observe begins a hand.
func (e *Estimator) observe(s *acpc.State, seat int) (*observed, error) {
	g := e.tree.Game
	if !s.Finished() || seat < 0 || seat > 1 {
		return nil, errors.New("the hand is not finished, or nobody is in that seat")
	}
	hole := func(p int) (int, error) {
		i, ok := e.hands.number[card.SetOf(s.Holes[p][:g.NumHoleCards]...)]
		if !ok {
			return 0, fmt.Errorf("the hole cards of position %d are not known", p+1)
		}
		return i, nil
	}
	mine, err := hole(seat)
	if err != nil {
		return nil, err
	}
	other, err := hole(1 - seat)
	if err != nil {
		return nil, err
	}
	if e.hands.holes[mine]&e.hands.holes[other] != 0 {
		return nil, errors.New("a card was dealt twice")
	}
	h := &observed{Estimator: e, state: s, tables: e.tables.Get().(*[acpc.MaxRounds]*table), mine: mine, belief: make([]float64, len(e.hands.holes))}
	h.table = e.set(&h.tables[0], seat, 0, h.board(0), other)
	for _, x := range h.table.live {
		h.belief[x] = 1 / float64(len(h.table.live))
	}
	h.view = e.values.open(h.table)
	h.node = e.tree.Segments[0].First
	before, after := e.values.begin(h.table)
	h.terms[Holes] = before - after
	return h, nil
}

// board returns the board of a round.
func (h *observed) board(round int) (board [acpc.MaxRounds]card.Set) {
	from := 0
	for r := range round + 1 {
		to := from + int(h.tree.Game.NumBoardCards[r])
		board[r] = card.SetOf(h.state.Board[from:to]...)
		from = to
	}
	return board
}

// play goes through the hand, and notes what each stroke of luck was expected to
// bring less what it brought.
func (h *observed) play() error {
	last := h.tree.Game.NumRounds - 1
	for r := range last + 1 {
		for _, a := range h.state.Actions(r) {
			if h.table.round < r && h.tree.Nodes[h.node].Kind == betting.Deal {
				first := h.tree.Segments[h.tree.Nodes[h.node].First].First
				h.deal(r)
				h.node = first
			}
			if err := h.act(a); err != nil {
				return err
			}
		}
	}
	n := &h.tree.Nodes[h.node]
	if n.Kind != betting.Terminal {
		return errors.New("the hand's betting is not in the strategy's tree")
	}
	won := 0.0
	if h.earlyShowdown(n) {
		won = h.deal(last)
	} else {
		won = h.mean(h.view.at(h.node))
	}
	h.terms[Private] = won - h.state.Value(h.table.seat)
	return nil
}

// deal puts the cards of a round on the table, and those of the rounds before it, and
// returns what they brought.
func (h *observed) deal(round int) (brought float64) {
	next := h.set(&h.tables[round], h.table.seat, round, h.board(round), h.table.other)
	before, after := h.view.deal(h.node, next)
	expected := h.mean(before)
	// The cards rule hands out, and of those that are left none is likelier than
	// it was beside the others.
	left := make([]float64, len(h.belief))
	total := 0.0
	for _, x := range next.live {
		left[x] = h.belief[x]
		total += left[x]
	}
	for _, x := range next.live {
		left[x] /= total
	}
	h.belief, h.table, h.view = left, next, h.values.open(next)
	brought = h.mean(after)
	h.terms[Deal+round-1] += expected - brought
	return brought
}

// act goes on by an action.
func (h *observed) act(a acpc.Action) error {
	n := &h.tree.Nodes[h.node]
	chosen := -1
	if n.Kind == betting.Decision {
		for i := range int(n.NumActions) {
			if h.tree.Nodes[int(n.First)+i].Action == a {
				chosen = i
			}
		}
	}
	if chosen < 0 {
		return fmt.Errorf("betting %w", cfr.ErrOffTree)
	}
	if int(n.Actor) == h.table.seat {
		if err := h.own(n, chosen); err != nil {
			return err
		}
	} else if h.otherKnown {
		if err := h.others(n, chosen); err != nil {
			return err
		}
	}
	h.node = n.First + int32(chosen)
	return nil
}

// own takes out the known player's luck in choosing an action, and learns from the
// action which hands it has.
func (h *observed) own(n *betting.Node, chosen int) error {
	expected := 0.0
	for a := range int(n.NumActions) {
		v, p := h.view.at(n.First+int32(a)), h.known.of(h.node, a)
		for _, x := range h.table.live {
			expected += h.belief[x] * p[h.table.own[x]] * v[x]
		}
	}
	p, total := h.known.of(h.node, chosen), 0.0
	for _, x := range h.table.live {
		h.belief[x] *= p[h.table.own[x]]
		total += h.belief[x]
	}
	if h.belief[h.mine] == 0 {
		return fmt.Errorf("%w: %v in round %d", ErrNotPlayed, h.tree.Nodes[int(n.First)+chosen].Action, h.table.round+1)
	}
	for _, x := range h.table.live {
		h.belief[x] /= total
	}
	h.terms[Own+h.table.round] += expected - h.mean(h.view.at(n.First+int32(chosen)))
	return nil
}

// others takes out the other player's luck, whose strategy is known.
func (h *observed) others(n *betting.Node, chosen int) error {
	for a := range int(n.NumActions) {
		p := h.model.of(h.node, a)[h.table.otherBucket]
		if a == chosen {
			if p == 0 {
				return fmt.Errorf("%w: %v of the other player in round %d", ErrNotPlayed, h.tree.Nodes[int(n.First)+a].Action, h.table.round+1)
			}
			p--
		}
		if p != 0 {
			h.terms[Other] += p * h.mean(h.view.at(n.First+int32(a)))
		}
	}
	return nil
}

// mean returns the mean of values over what the known player may hold.
func (h *observed) mean(values []float64) float64 {
	sum := 0.0
	for _, x := range h.table.live {
		sum += h.belief[x] * values[x]
	}
	return sum
}

// set lays a table, in place of one of an earlier hand if there is one.
func (e *Estimator) set(at **table, seat, round int, board [acpc.MaxRounds]card.Set, other int) *table {
	if *at == nil {
		*at = &table{sides: e.sides, own: make([]int32, len(e.hands.holes))}
	}
	t := *at
	t.seat, t.round, t.board, t.other = seat, round, board, other
	cards := union(board)
	t.live = e.hands.without(t.live[:0], cards|e.hands.holes[other])
	for _, x := range t.live {
		t.own[x] = int32(e.known.bucket(round, board, e.hands.holes[x]))
	}
	t.otherBucket = int32(e.model.bucket(round, board, e.hands.holes[other]))
	if round == e.tree.Game.NumRounds-1 {
		if t.outcome == nil {
			t.outcome = make([]uint8, len(e.hands.holes))
		}
		rank := e.tree.Game.HandRanking.Rank(cards | e.hands.holes[other])
		for _, x := range t.live {
			t.outcome[x] = outcome(e.tree.Game.HandRanking.Rank(cards|e.hands.holes[x]), rank)
		}
	}
	return t
}

// outcome compares the known player's rank with the other's.
func outcome(own, other int) uint8 {
	switch {
	case own < other:
		return loses
	case own > other:
		return wins
	}
	return ties
}
