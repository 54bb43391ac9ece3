package bestresponse

import (
	"cmp"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/internal/pokertest"
)

// answerer answers a strategy that translates raises, by a walk through all boards and all betting with the player
// whom local best responses meet.
type answerer struct {
	*testing.T
	s         *Strategy
	player    *belief.Strategy
	menu      betting.Actions
	responder int
	holes     []card.Set
	ranks     map[card.Set][]int
}

func newAnswerer(t *testing.T, s *Strategy, menu betting.Actions, responder int) *answerer {
	return &answerer{t, s, belief.NewStrategy(s.Index, func(dst []float64, node int32, bucket int) ([]float64, error) {
		for a := range int(s.Tree.Nodes[node].NumActions) {
			dst = append(dst, float64(s.of(node, a)[bucket]))
		}
		return dst, nil
	}), menu, responder, belief.Holes(s.Tree.Game), map[card.Set][]int{}}
}

// wins returns what the responder wins in chips a hand.
func (w *answerer) wins() float64 {
	state, all := w.s.Tree.Game.NewState(0), make([]float64, len(w.holes))
	for i := range all {
		all[i] = 1
	}
	sum, deals := 0.0, 0
	for _, x := range w.value(&state, 0, all) {
		sum += x
	}
	for _, hole := range w.holes {
		for _, other := range w.holes {
			if hole&other == 0 {
				deals++
			}
		}
	}
	return sum / float64(deals)
}

// value returns what the responder wins by hand, in a state with the reach of the strategy's hands, summed over these
// and in the mean over the boards that come. shown is how many cards of the board are dealt.
func (w *answerer) value(s *acpc.State, shown int, reach []float64) []float64 {
	g, out := s.Game(), make([]float64, len(w.holes))
	round := s.Round()
	if s.Finished() {
		round = g.NumRounds - 1
	}
	board, pot := card.SetOf(s.Board[:shown]...), s.Pot()
	if need := g.BoardCards(round); shown < need && (!s.Finished() || pot.Showdown()) {
		var boards []float64
		w.deal(s, shown, reach, func(v []float64) {
			if boards == nil {
				boards = make([]float64, len(v))
			}
			for i, x := range v {
				boards[i] += x
			}
		})
		left := len(g.Deck()) - 2*g.NumHoleCards - shown
		for i, x := range boards {
			out[i] = x / float64(left)
		}
		return out
	}
	if s.Finished() {
		return w.end(s, board, reach)
	}
	if s.Actor() == w.responder {
		actions := slices.AppendSeq(slices.Collect(w.menu.Legal(s)), w.s.Tree.Shape.Betting.Legal(s))
		for i, a := range actions {
			if slices.Contains(actions[:i], a) {
				continue
			}
			next := *s
			next.Apply(a)
			v := w.value(&next, shown, reach)
			for k, x := range v {
				if i == 0 {
					out[k] = x
				}
				out[k] = max(out[k], x)
			}
		}
		return out
	}
	choices, err := w.player.Choices(context.Background(), s)
	if err != nil {
		w.Fatal(err)
	}
	for i, a := range choices.Actions {
		then, some := make([]float64, len(reach)), false
		for h, x := range choices.Probability[i] {
			then[h] = reach[h] * x
			some = some || then[h] > 0
		}
		if !some {
			continue
		}
		next := *s
		next.Apply(a)
		for k, x := range w.value(&next, shown, then) {
			out[k] += x
		}
	}
	return out
}

// deal calls f with the values for each next card of the board.
func (w *answerer) deal(s *acpc.State, shown int, reach []float64, f func([]float64)) {
	for _, c := range s.Game().Deck() {
		if card.SetOf(s.Board[:shown]...).Has(c) {
			continue
		}
		next, then := *s, slices.Clone(reach)
		next.Board[shown] = c
		for h, hole := range w.holes {
			if hole.Has(c) {
				then[h] = 0
			}
		}
		v := w.value(&next, shown+1, then)
		for h, hole := range w.holes {
			if hole.Has(c) {
				v[h] = 0
			}
		}
		f(v)
	}
}

// end returns what hands win where the hand is over.
func (w *answerer) end(s *acpc.State, board card.Set, reach []float64) []float64 {
	g, pot, out := s.Game(), s.Pot(), make([]float64, len(w.holes))
	ranks, ok := w.ranks[board]
	if !ok && pot.Showdown() {
		for _, hole := range w.holes {
			rank := 0
			if hole&board == 0 {
				rank = int(g.HandRanking.Rank(hole | board))
			}
			ranks = append(ranks, rank)
		}
		w.ranks[board] = ranks
	}
	var pays [3]float64
	for i := range pays {
		var r [acpc.MaxPlayers]int
		r[w.responder] = i - 1
		pays[i] = pot.Value(w.responder, &r)
	}
	for i, hole := range w.holes {
		if hole&board != 0 {
			continue
		}
		for k, other := range w.holes {
			if other&(board|hole) == 0 && reach[k] > 0 {
				outcome := 1
				if pot.Showdown() {
					outcome += cmp.Compare(ranks[i], ranks[k])
				}
				out[i] += reach[k] * pays[outcome]
			}
		}
	}
	return out
}

// unions are games with the raises of a strategy, and further ones of the response: some are between two of the
// strategy's, some above its largest but for all-in.
func unions(t *testing.T) map[*acpc.Game][2]string {
	return map[*acpc.Game][2]string{
		pokertest.Game(t, "leduc-nolimit"):   {"0.5,1,a/a", "0.4,0.8/2"},
		pokertest.NoLimit(t, 20, 4, 2, 1, 1): {"0.5,1,a/a", "preflop: 2; flop turn: 0.75,3"},
	}
}

// What best responses win by other raises is what a walk through the hands finds, against the strategy as it is played.
func TestAnswers(t *testing.T) {
	for g, raises := range unions(t) {
		t.Run(g.Name, func(t *testing.T) { equalsAnswerer(t, g, raises) })
	}
}

func TestAnswersLarger(t *testing.T) {
	testkit.SlowOnly(t)
	twelve := pokertest.NoLimit(t, 40, 4, 3, 1, 1)
	equalsAnswerer(t, twelve, [2]string{"preflop: 1,a/a; flop turn: 0.5,2,a/a", "1.5/-"})
	equalsAnswerer(t, pokertest.NoLimit(t, 30, 4, 5, 1), [2]string{"0.5,1,a/a", "0.3,0.75,1.5"})
}

func equalsAnswerer(t *testing.T, g *acpc.Game, raises [2]string) {
	t.Helper()
	l := layoutWith(t, g, parse(t, raises[0]), abstraction.Lossless)
	s, err := FromWeights(l.Index, randomWeights(l, 6), nil)
	if err != nil {
		t.Fatal(err)
	}
	menu := parse(t, raises[1])
	r, err := NewWith(s, menu)
	if err != nil {
		t.Fatal(err)
	}
	best, err := r.Exact(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	own := exact(t, s, 2)
	ways := 0
	for p, x := range best {
		want := newAnswerer(t, s, menu, p).wins()
		if math.Abs(x-want) > 1e-6*max(float64(g.MaxBlind()), want) {
			t.Errorf("position %d: %v, want %v", p+1, x, want)
		}
		if x < own[p]-1e-6*own[p] {
			t.Errorf("position %d: %v, less than %v without the further raises", p+1, x, own[p])
		}
		for _, round := range r.rounds[p] {
			for _, part := range round.parts {
				ways = max(ways, part.Ways)
			}
		}
	}
	if ways < 2 {
		t.Error("no raise is translated in two ways")
	}
}

// With the strategy's own raises the tree of answers is that of the strategy, to the bit.
func TestAnswersOwn(t *testing.T) {
	g := pokertest.NoLimit(t, 20, 4, 2, 1, 1)
	menu := parse(t, "0.5,1,a/1,a")
	l := layoutWith(t, g, menu, abstraction.Lossless)
	s := fromWeights(t, l.Index, randomWeights(l, 2))
	r, err := NewWith(s, menu)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Exact(t.Context(), 2)
	if want := exact(t, s, 2); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
}

// Games without lists of raises are refused, trees that are too large, and strategies that would play by their cards.
func TestAnswersRefused(t *testing.T) {
	limit := layoutOf(t, pokertest.Game(t, "leduc"), abstraction.None)
	if _, err := NewWith(fromWeights(t, limit.Index, randomWeights(limit, 1)), betting.FCPA); err == nil {
		t.Error("a limit game is not refused")
	}
	few := layoutWith(t, pokertest.NoLimit(t, 20, 4, 2, 1, 1), parse(t, "1/-"), abstraction.Lossless)
	_, err := NewWith(fromWeights(t, few.Index, randomWeights(few, 1)), betting.FCA)
	if !errors.Is(err, betting.ErrCards) {
		t.Errorf("a strategy without all-in: %v", err)
	}
}
