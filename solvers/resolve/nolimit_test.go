package resolve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// highest are buckets by the highest of all cards that a player sees.
type highest struct{}

func (highest) Name() string       { return "highest" }
func (highest) NumBuckets(int) int { return card.NumRanks }
func (highest) Bucket(_ int, d abstraction.Deal) int {
	top := 0
	for c := range (d.Hole | d.Board[0] | d.Board[1] | d.Board[2] | d.Board[3]).All() {
		top = max(top, c.Rank())
	}
	return top
}

// newPlayer returns a player whose blueprint calls with a probability for each bucket, and
// otherwise folds or raises.
func newPlayer(t testing.TB, o Options, calls func(bucket int) float64) *NoLimit {
	t.Helper()
	return newPlayerOf(t, holdem(t), o, calls)
}

func holdem(t testing.TB) *acpc.Game {
	t.Helper()
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newPlayerOf(t testing.TB, g *acpc.Game, o Options, calls func(bucket int) float64) *NoLimit {
	t.Helper()
	return newPlayerIn(t, betting.NewTree(g, betting.FCPA1.ShapeOf(g, 1<<20)), o, calls)
}

func newPlayerIn(t testing.TB, tree *betting.Tree, o Options, calls func(bucket int) float64) *NoLimit {
	t.Helper()
	play := func(dst []float64, node int32, bucket int) ([]float64, error) {
		n := int(tree.Nodes[node].NumActions)
		for a := range n {
			p := calls(bucket)
			if tree.Nodes[int(tree.Nodes[node].First)+a].Action().Type != acpc.Call {
				p = (1 - p) / float64(n-1)
			}
			dst = append(dst, p)
		}
		return dst, nil
	}
	p, err := NewNoLimit(Blueprint{Index: policy.NewIndex(tree, highest{}), Rounds: 4, Played: play, Expected: play}, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// higher calls the more often the higher the cards are.
func higher(bucket int) float64 { return .4 + .4*float64(bucket)/card.NumRanks }

// state returns the hand of a dealer's text, as in "c/r250c/".
func state(t testing.TB, text, cards string) *acpc.State {
	t.Helper()
	m, _, err := holdem(t).ParseMatchState(fmt.Sprintf("MATCHSTATE:0:0:%s:%s", text, cards))
	if err != nil {
		t.Fatal(err)
	}
	return &m.State
}

func answer(t testing.TB, p *NoLimit, s *acpc.State) Answer {
	t.Helper()
	a, err := p.Answer(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// sameChoices reports whether two choices are the same, to the bit.
func sameChoices(a, b belief.Choices) bool {
	return slices.Equal(a.Actions, b.Actions) && slices.EqualFunc(a.Probability, b.Probability, slices.Equal)
}

// The player acts legally wherever random play of the opponent leads, and its probabilities sum
// to one for the hand that it has. Only decisions from the first solved round on are solved.
func TestLegal(t *testing.T) {
	for from, hands := range map[int]uint32{Turn: 5, River: 30} {
		p := newPlayer(t, Options{From: from, Iterations: 2}, higher)
		random := rand.New(rand.NewPCG(uint64(from), 0))
		solved, added := 0, 0
		for hand := range hands {
			s := p.game.NewState(hand)
			acpc.NewShufflerFrom(random).Deal(&s)
			a := playHand(t, p, &s, random)
			solved += a.solved
			added += a.added
		}
		if solved == 0 || added == 0 {
			t.Errorf("%d decisions solved, %d bets added", solved, added)
		}
	}
}

// A game whose pots may be too large for a spot is refused before it is played.
func TestLargeStacks(t *testing.T) {
	g := holdem(t)
	for stack, good := range map[int32]bool{spot.MaxChips / 2: true, spot.MaxChips/2 + 1: false,
		acpc.NoStackLimit: false} {
		g.Stack[0], g.Stack[1] = stack, acpc.NoStackLimit
		g.Blind[0], g.Blind[1] = stack/10, stack/20
		tree := betting.NewTree(g, betting.FCPA1.ShapeOf(g, 1<<20))
		_, err := NewNoLimit(Blueprint{Index: policy.NewIndex(tree, highest{}), Rounds: 4}, Options{From: River})
		if refused := (*GameError)(nil); errors.As(err, &refused) == good || err != nil == good {
			t.Errorf("stacks of %d chips: %v", stack, err)
		}
	}
}

// Among three it solves what two are left for, with any stacks: what the longer one has more goes back, and somebody
// who is all-in is left, too.
func TestLegalAmongThree(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-3p")
	if err != nil {
		t.Fatal(err)
	}
	solved := 0
	for _, stacks := range [][]int32{{20_000, 20_000, 20_000}, {900, 20_000, 3_001}, {101, 7_777, 640}} {
		copy(g.Stack[:], stacks)
		p := newPlayerOf(t, g, Options{From: Turn, Iterations: 1, Memory: 1 << 20}, higher)
		random := rand.New(rand.NewPCG(uint64(stacks[0]), 0))
		for hand := range uint32(60) {
			s := g.NewState(hand)
			acpc.NewShufflerFrom(random).Deal(&s)
			solved += playHand(t, p, &s, random).solved
		}
	}
	if solved < 5 {
		t.Errorf("%d decisions solved", solved)
	}
}

// So it does with any stacks and blinds.
func FuzzLegal(f *testing.F) {
	f.Add(uint64(1), uint16(20_000), uint16(20_000), uint16(100))
	f.Add(uint64(2), uint16(150), uint16(20_000), uint16(100))
	f.Add(uint64(3), uint16(101), uint16(103), uint16(100))
	f.Add(uint64(4), uint16(7), uint16(9), uint16(2))
	f.Add(uint64(5), uint16(20_000), uint16(20_000), uint16(2))
	f.Add(uint64(6), uint16(700), uint16(700), uint16(6))
	f.Fuzz(func(t *testing.T, seed uint64, first, second, blind uint16) {
		g := holdem(t)
		g.Blind[0], g.Blind[1] = max(2, int32(blind)), max(2, int32(blind))/2
		g.Stack[0], g.Stack[1] = max(g.Blind[0]+1, int32(first)), max(g.Blind[0]+1, int32(second))
		p := newPlayerOf(t, g, Options{From: River, Iterations: 1}, higher)
		random := rand.New(rand.NewPCG(seed, 0))
		for hand := range uint32(4) {
			s := g.NewState(hand)
			acpc.NewShufflerFrom(random).Deal(&s)
			playHand(t, p, &s, random)
		}
	})
}

// count counts decisions of the player that were solved, and bets that were added to their trees.
type count struct{ solved, added int }

// playHand plays a hand of the player against random actions, and checks its answers.
func playHand(t *testing.T, p *NoLimit, s *acpc.State, random *rand.Rand) (n count) {
	t.Helper()
	own := random.IntN(p.game.NumPlayers)
	for !s.Finished() {
		if s.Actor() != own {
			s.Apply(randomAction(s, random))
			continue
		}
		a := answer(t, p, s)
		left := 0 // at the start of the round
		for q := range p.game.NumPlayers {
			if !startOf(s, s.Round()).Folded(q) {
				left++
			}
		}
		solved := left == 2 && s.Round() >= p.options.From
		if s.Round() == 0 {
			solved = p.openable() && p.blueprint.Index.Tree.Find(s) < 0
		}
		if a.Solved != solved {
			t.Fatalf("solved in round %d: %v", s.Round(), a.Solved)
		}
		if a.Solved {
			n.solved++
			n.added += a.Added
		}
		row, sum := a.Of(p.Hand(card.SetOf(s.Holes[own][:2]...))), 0.0
		for k, x := range row {
			sum += x
			if err := s.Check(a.Actions[k]); err != nil && x > 0 {
				t.Fatalf("%s: %v", s.AppendBetting(nil), err)
			}
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Fatalf("%s: probabilities %v", s.AppendBetting(nil), row)
		}
		drawn := slices.Index(row, slices.Max(row))
		x := random.Float64()
		for k, p := range row {
			if x -= p; x < 0 {
				drawn = k
				break
			}
		}
		s.Apply(a.Actions[drawn])
	}
	return n
}

// randomAction returns an action that rarely folds, and raises by any amount.
func randomAction(s *acpc.State, random *rand.Rand) acpc.Action {
	low, high, raises := s.RaiseBounds()
	switch x := random.Float64(); {
	case raises && x < .3:
		size := float64(low) * math.Pow(float64(high)/float64(low), random.Float64()*random.Float64())
		return acpc.Action{Type: acpc.Raise, Size: min(max(int32(size), low), high)}
	case s.CanFold() && x > .95:
		return acpc.Action{Type: acpc.Fold}
	}
	return call
}

const board = "|/Ks9d7h/4c/2s"

// An opponent who comes with hands that cannot be, as the player has their cards, may have any hand.
func TestImpossible(t *testing.T) {
	p := newPlayer(t, Options{From: River, Iterations: 3}, higher)
	hand := func(text string) card.Set {
		s, err := card.ParseSet(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for weight, left := range map[float64]float64{0: 1, 1e-8: 1, .01: 0} {
		reach := [2][]float64{make([]float64, len(p.holes)), make([]float64, len(p.holes))}
		reach[0][p.number[hand("AsAh")]], reach[1][p.number[hand("AsKs")]] = 1, 1
		reach[1][p.number[hand("QdQc")]] = weight
		all := p.ranges(reach, 0, hand("7h6h5h4d2c"))
		own, other := all[0], all[1]
		jacks := hand("JdJc")
		if x := other.Weight(jacks); x != left || other.Weight(hand("AsKs")) != 1 || own.Weight(jacks) != 0 {
			t.Errorf("beside a hand with a weight of %g, another one has %g, want %g", weight, x, left)
		}
	}
}

// A round is solved once for the bets of its menu, also between questions about others.
func TestPlainestOnce(t *testing.T) {
	p := newPlayer(t, Options{From: River, Iterations: 3}, higher)
	solved := func(text string) *solution {
		answer(t, p, state(t, text, "AsAc"+board))
		return p.rounds[River].path[0]
	}
	plain, other := solved("r300c/cc/cc/c"), solved("r300c/cc/cc/r456")
	if again := solved("r300c/cc/cc/c"); again != plain || other == plain {
		t.Error("the round was solved again")
	}
}

// Decisions follow from what is public: neither the player's cards nor questions about bets
// that were not made change them.
func TestPublic(t *testing.T) {
	o := Options{From: River, Iterations: 3}
	text := "r300c/cc/cc/cr456"
	want := answer(t, newPlayer(t, o, higher), state(t, text, "AsAc"+board))
	if !want.Solved || want.Added != 1 {
		t.Fatalf("%+v", want)
	}
	p := newPlayer(t, o, higher)
	for _, considered := range []string{"r300c/cc/cc/cr700", "r300c/cc/cc/", "r300c/cc/cc/cr457",
		"cc/cc/cc/", "r300c/cc/cc/"} {
		answer(t, p, state(t, considered, "QhJd"+board))
	}
	if got := answer(t, p, state(t, text, "7c7d"+board)); !sameChoices(got.Choices, want.Choices) {
		t.Error("other questions and cards changed the decision")
	}
}

// So do those of a river after a turn, on which a bet was considered that was not made.
func TestPublicAfterTurn(t *testing.T) {
	o := Options{From: Turn, Iterations: 2}
	text := "r300c/cc/cc/"
	want := answer(t, newPlayer(t, o, higher), state(t, text, "AsAc"+board))
	p := newPlayer(t, o, higher)
	for _, considered := range []string{"r300c/cc/", "r300c/cc/cr456"} {
		answer(t, p, state(t, considered, "QhJd|/Ks9d7h/4c"))
	}
	if got := answer(t, p, state(t, text, "7c7d"+board)); !sameChoices(got.Choices, want.Choices) {
		t.Error("a bet that was not made changed the decision")
	}
}

// After a bet that the tree lacks the player's earlier decision of the round is what it was, and
// its range follows from it; a bet that the tree has is answered by the same solution.
func TestNested(t *testing.T) {
	p := newPlayer(t, Options{From: River, Iterations: 5}, higher)
	first := answer(t, p, state(t, "r300c/cc/cc/", "AsAc"+board))
	same := answer(t, p, state(t, "r300c/cc/cc/cr900", "AsAc"+board)) // the pot
	if first.Added != 0 || same.Added != 0 {
		t.Errorf("added %d and %d bets", first.Added, same.Added)
	}
	s := state(t, "r300c/cc/cc/cr456", "AsAc"+board)
	if nested := answer(t, p, s); nested.Added != 1 {
		t.Errorf("added %d bets", nested.Added)
	}
	r := p.rounds[River]
	again, err := r.play(r.path[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	for a, row := range again.Probabilities {
		k := slices.Index(first.Actions, r.played(again.Actions[a]))
		for i, hole := range again.Hands {
			if got, want := row[i], first.Probability[k][p.number[hole]]; math.Abs(got-want) > 1e-4 {
				t.Fatalf("%v plays %v with %g, and with %g before", hole, again.Actions[a], got, want)
			}
		}
	}
}

// The ranges of the river are those of the turn times what is played there.
func TestLeave(t *testing.T) {
	p := newPlayer(t, Options{From: Turn, Iterations: 2}, higher)
	s := state(t, "r300c/cc/cr600c/", "AsAc"+board)
	before := answer(t, p, state(t, "r300c/cc/", "AsAc"+board))
	after := answer(t, p, state(t, "r300c/cc/cr600", "AsAc"+board))
	answer(t, p, s)
	turn, river := p.rounds[Turn], p.rounds[River]
	for i, hole := range p.holes {
		want := turn.reach[0][i]
		for _, c := range []belief.Choices{before.Choices, after.Choices} {
			want *= c.Probability[slices.Index(c.Actions, call)][i]
		}
		if math.Abs(river.reach[0][i]-want) > 1e-12 {
			t.Fatalf("%v comes to the river with %g, want %g", hole, river.reach[0][i], want)
		}
	}
	bets := 0
	for i := range p.holes {
		if x := river.reach[1][i]; x > 0 {
			bets++
		} else if x < 0 || x > turn.reach[1][i] {
			t.Fatalf("%v comes with %g after %g", p.holes[i], x, turn.reach[1][i])
		}
	}
	if bets == 0 {
		t.Error("nobody bets")
	}
}

// countdown is a context that is done when it was asked so many times whether it is.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// A solution ends when the context is done, in the middle of an iteration too. With few iterations
// it is late, but there; the hand goes on from it.
func TestLate(t *testing.T) {
	for _, tt := range []struct {
		from       int
		text       string
		left       int // how often the context is not done
		iterations uint64
		late       bool
	}{
		{River, "r300c/cc/cc/", 0, 0, true},
		{River, "r300c/cc/cc/", 36, 4, true},
		{River, "r300c/cc/cc/", 266, 62, false},
		{Turn, "r300c/cc/", 0, 0, true},
		{Turn, "r300c/cc/", 30, 0, true},
		{Turn, "r300c/cc/", 1800, 2, true},
	} {
		p := newPlayer(t, Options{From: tt.from, Iterations: 1000}, higher)
		s := state(t, tt.text, "AsAc|/Ks9d7h/4c/2s")
		a, err := p.Answer(&countdown{t.Context(), tt.left}, s)
		if err != nil || !a.Solved || a.Iterations != tt.iterations || a.Late != tt.late {
			t.Errorf("%s, done after %d: %d iterations, late %v, error %v", tt.text, tt.left, a.Iterations, a.Late, err)
		}
		hand := p.Hand(card.SetOf(s.Holes[s.Actor()][:2]...))
		sum := 0.0
		for _, x := range a.Of(hand) {
			sum += x
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("%s, done after %d: probabilities %v", tt.text, tt.left, a.Of(hand))
		}
	}
}

// After a late turn, which the blueprint played, the river has the ranges of the blueprint.
func TestRiverAfterLateTurn(t *testing.T) {
	late, plain := newPlayer(t, Options{From: Turn, Iterations: 2}, higher),
		newPlayer(t, Options{From: River, Iterations: 2}, higher)
	if a, err := late.Answer(&countdown{t.Context(), 0}, state(t, "r300c/cc/", "AsAc"+board)); err != nil || !a.Late {
		t.Fatalf("late %v, error %v", a.Late, err)
	}
	s := state(t, "r300c/cc/r900c/", "AsAc"+board)
	if got, want := answer(t, late, s), answer(t, plain, s); !sameChoices(got.Choices, want.Choices) {
		t.Error("the river is not that of a player who solves no turn")
	}
}

// A player whose solutions are late takes smaller trees, and larger ones again when there is time.
func TestLateTreesAreSmaller(t *testing.T) {
	p := newPlayer(t, Options{From: River, Iterations: 2 * minIterations, Memory: 8 << 20}, higher)
	entries := func(hand uint32, iterations int) int64 {
		t.Helper()
		s := state(t, "r300c/cc/cc/", "AsAc|/Ks9d7h/4c/2s")
		s.HandID = hand
		if _, err := p.Answer(&countdown{t.Context(), 4*iterations + 20}, s); err != nil {
			t.Fatal(err)
		}
		return p.rounds[River].path[0].solver.Entries()
	}
	first := entries(0, 10)
	small, hand := first, uint32(1)
	for ; small == first && hand < 20; hand++ {
		small = entries(hand, 10)
	}
	if small >= first {
		t.Fatalf("%d entries after %d late solutions, %d before", small, hand, first)
	}
	large := small
	for ; large < first && hand < 40; hand++ {
		large = entries(hand, 2*minIterations)
	}
	if large != first {
		t.Errorf("%d entries with time again, %d at first", large, first)
	}
}

func TestNoLimitHoldem(t *testing.T) {
	for name, want := range map[string]bool{"holdem-nolimit-2p": true, "holdem-limit-2p": false,
		"holdem-nolimit-3p": true, "leduc-nolimit": false} {
		g, err := configs.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		if NoLimitHoldem(g) != want {
			t.Errorf("%s is no-limit hold'em: %v", name, !want)
		}
	}
}

// An opponent is offered what a best response wins from the blueprint: if that always calls, all-in
// on the rivers on which the hand is ahead.
func TestOfferOfBlueprint(t *testing.T) {
	for from, text := range map[int]string{Turn: "r300c/cc/", River: "r300c/cc/cc/"} {
		p := newPlayer(t, Options{From: from, Iterations: 1}, func(int) float64 { return 1 })
		s := state(t, text, "AsAc"+board)
		answer(t, p, s)
		x := p.rounds[from].spot
		if x.Offer == nil || x.Offer.Player != 1 {
			t.Fatalf("%+v", x.Offer)
		}
		for _, text := range []string{"KhKd", "AsAc", "Kc3c", "QhTs", "6s5s"} {
			hole, err := card.ParseSet(text)
			if err != nil {
				t.Fatal(err)
			}
			equity, ahead := rivers(p, hole, card.SetOf(x.Board...))
			want := float64(x.Pot)/2*(1+equity) + ahead*float64(x.Stack)
			if got := x.Offer.Values[hole]; math.Abs(got-want) > .5 {
				t.Errorf("round %d: %s is offered %g, want %g", from, text, got, want)
			}
		}
	}
}

// Of six players two come to the turn. It is solved for the chips in the pot, those of folded players too, for the
// smaller of their two stacks and for the hands with which these two come there, whatever the others did, without an
// offer. With three the blueprint plays on, and if one of them folds then, the river is solved.
func TestTwoOfSix(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-6p")
	if err != nil {
		t.Fatal(err)
	}
	g.Stack[1] = 9_000
	tree := betting.NewTree(g, betting.FCA.DeadMoney().ShapeOf(g, 1<<20))
	p := newPlayerIn(t, tree, Options{From: Turn, Iterations: 2}, higher)
	for _, test := range []struct {
		text       string
		pot, stack int // 0 where nothing is solved
		players    [2]int
		own        int
		exact      bool // the blueprint has these bets
	}{
		{"cffffc/cc/", 250, 8_900, [2]int{1, 2}, 0, true},
		{"cffffc/cc/c", 250, 8_900, [2]int{1, 2}, 1, true},
		{"cfcffc/ccc/", 0, 0, [2]int{}, 0, false},
		{"cfffcc/ccc/ccr300f", 0, 0, [2]int{}, 0, false},
		{"cfffcc/ccc/ccr300fc/", 700, 8_700, [2]int{1, 2}, 0, false},
		{"r300ffffc/cc/", 650, 8_700, [2]int{1, 2}, 0, false},
	} {
		m, _, err := g.ParseMatchState("MATCHSTATE:1:0:" + test.text + ":|AsAc|||" + board)
		if err != nil {
			t.Fatal(err)
		}
		a := answer(t, p, &m.State)
		if a.Solved != (test.pot > 0) {
			t.Fatalf("%s: solved %v", test.text, a.Solved)
		}
		if !a.Solved {
			continue
		}
		r := p.rounds[m.Round()]
		if r.spot.Pot != test.pot || r.spot.Stack != test.stack || r.players != test.players || r.own != test.own ||
			r.spot.Offer != nil {
			t.Errorf("%s: player %d of %v in %+v", test.text, r.own, r.players, r.spot)
		}
		for i, hole := range p.holes {
			if hole&card.SetOf(r.spot.Board...) != 0 || !test.exact {
				continue
			}
			ace := higher(12) * higher(12) // the weight of the hands with one
			want := higher(highest{}.Bucket(0, abstraction.Deal{Hole: hole})) * higher(highest{}.Bucket(1,
				abstraction.Deal{Hole: hole, Board: [acpc.MaxRounds]card.Set{1: card.SetOf(r.spot.Board[:3]...)}}))
			for q := range r.spot.Ranges {
				if got := float64(r.spot.Ranges[q].Weight(p.holes[i])); math.Abs(got-want/ace) > 1e-5 {
					t.Errorf("%s: player %d has %v with weight %g, want %g", test.text, q, hole, got, want/ace)
				}
			}
		}
	}
}

// rivers returns the equity of a hand against any other, from -1 to 1, on a turn or river, and that
// with 0 for the rivers on which it is behind.
func rivers(p *NoLimit, hole, seen card.Set) (equity, ahead float64) {
	boards := []card.Set{seen}
	if seen.Len() == 4 {
		boards = nil
		for _, c := range p.game.Deck() {
			if !(hole | seen).Has(c) {
				boards = append(boards, seen|c.Bit())
			}
		}
	}
	equities, pairs := belief.NewEquities(p.game), 0.0
	for _, board := range boards {
		sum := 0.0
		for i, e := range equities.Of([]card.Set{hole}, hole, board, River) {
			if p.holes[i]&(hole|board) == 0 {
				sum += e
				pairs++
			}
		}
		equity += sum
		ahead += max(0, sum)
	}
	return equity / pairs, ahead / pairs
}

// A blueprint without all rounds has no offers.
func TestNoOffer(t *testing.T) {
	p := newPlayer(t, Options{From: Turn, Iterations: 1}, higher)
	p.blueprint.Rounds = River
	answer(t, p, state(t, "r300c/cc/", "AsAc"+board))
	if o := p.rounds[Turn].spot.Offer; o != nil {
		t.Errorf("%d hands are offered something", len(o.Values))
	}
}

// After a solved turn the opponent is offered what its hands won from that solution.
func TestOfferOfSolution(t *testing.T) {
	p := newPlayer(t, Options{From: Turn, Iterations: 2}, higher)
	answer(t, p, state(t, "r300c/cc/cc/", "AsAc"+board))
	node, err := p.rounds[Turn].path[0].solver.Solution().At("x-x-2s")
	if err != nil {
		t.Fatal(err)
	}
	offer := p.rounds[River].spot.Offer
	if offer == nil || len(offer.Values) != len(node.Hands[1]) {
		t.Fatal("no offer for all hands")
	}
	for _, h := range node.Hands[1] {
		if offer.Values[h.Hole] != h.Value {
			t.Errorf("%v is offered %g, want %g", h.Hole, offer.Values[h.Hole], h.Value)
		}
	}
}

// Without blinds the pot may be empty, and there is nothing to solve for.
func TestNoBlinds(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	if !NoLimitHoldem(g) {
		t.Error("no-limit hold'em is not solved")
	}
	if g.Blind = [acpc.MaxPlayers]int32{}; NoLimitHoldem(g) {
		t.Error("a pot of nothing is solved")
	}
}
