package resolve

import (
	"flag"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// trained returns a strategy with five buckets a round after the first and these raises, in a game of three rounds.
func trained(t *testing.T, g *acpc.Game, raises betting.Actions) *policy.Policy {
	t.Helper()
	folder, must := t.TempDir(), func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	table, err := cluster.Build(t.Context(), g, buckets.Recipe{
		Seed: 1, Iterations: 50, Sample: 500_000, Bins: 50, Clusters: 8, Rounds: []buckets.Round{
			{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: 5}, {Feature: buckets.OCHS, Buckets: 5},
		},
	}, cluster.Options{Threads: 2})
	must(err)
	spec := policy.GameSpec{Game: g, Actions: raises, Cards: filepath.Join(folder, "clustered.buckets")}
	must(table.Write(spec.Cards))
	training, err := train.Open(train.Spec{GameSpec: spec, Seed: 1}, train.Options{Threads: 2})
	must(err)
	for training.Iterations() < 1_000_000 {
		training.Step()
	}
	file := filepath.Join(folder, "trained.strategy")
	must(training.Save(file, strategy.Meta{}))
	p, err := policy.Open(file, 1<<32, nil)
	must(err)
	t.Cleanup(func() { p.Close() })
	must(p.FillBuckets(t.Context(), 2, func(float64) {}))
	must(p.Load(1 << 32))
	return p
}

// translated is a strategy as it plays against an opponent with further raises, in the tree of the hands that the two
// can have. The opponent's own weights are those of the strategy where the hand has most probably been mapped.
type translated struct {
	*publictree.Layout
	policy  *policy.Policy
	answers *betting.Answers
	player  int
	buckets [][]int // the strategy's buckets, by round and hand
	weights []float32
	// raise is by node the one after the first raise before it that the strategy lacks, or -1.
	raise []int32
}

func newTranslated(t *testing.T, p *policy.Policy, player int, further betting.Actions) *translated {
	t.Helper()
	answers, err := p.Tree.Answers(1-player, further, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for i := range answers.Nodes {
		if n := &answers.Nodes[i]; n.Kind == betting.Decision {
			answers.Shape.Actions[n.Round] += int(n.NumActions)
			answers.Shape.Decisions[n.Round]++
		}
	}
	s := &translated{Layout: publictree.NewLayout(answers.Tree, abstraction.New(p.Tree.Game, abstraction.None)),
		policy: p, answers: answers, player: player}
	s.weights, s.raise = make([]float32, s.Entries), make([]int32, len(answers.Nodes))
	for r := range s.Cards.Rounds {
		of := slices.Repeat([]int{-1}, s.Cards.Rounds[r].Stride)
		for h := range of {
			if d, ok := s.Cards.Deal(r, h); ok {
				of[h] = p.Buckets.Bucket(r, d)
			}
		}
		s.buckets = append(s.buckets, of)
	}
	s.raise[0] = -1
	s.visit(t, 0, [][]float64{slices.Repeat([]float64{1}, s.Cards.Rounds[0].Stride)})
	return s
}

// choices returns the probabilities of the strategy at one of its decisions, by action and hand.
func (s *translated) choices(t *testing.T, node int32) [][]float64 {
	t.Helper()
	n := &s.policy.Tree.Nodes[node]
	out, known := make([][]float64, n.NumActions), map[int][]policy.Choice{}
	for a := range out {
		out[a] = make([]float64, len(s.buckets[n.Round]))
	}
	for h, b := range s.buckets[n.Round] {
		if b < 0 {
			continue
		}
		if known[b] == nil {
			var err error
			if known[b], err = s.policy.ChoicesAt(nil, node, b); err != nil {
				t.Fatal(err)
			}
		}
		for a, c := range known[b] {
			out[a][h] = float64(c.Probability)
		}
	}
	return out
}

// visit sets the weights from a node on, to which the strategy comes in these ways: its probability of each with each
// hand.
func (s *translated) visit(t *testing.T, node int32, ways [][]float64) {
	n := &s.Tree.Nodes[node]
	round := &s.Cards.Rounds[n.Round]
	switch n.Kind {
	case betting.Terminal:
		return
	case betting.Deal:
		next := s.Tree.Segments[n.First].First
		s.raise[next] = s.raise[node]
		below := &s.Cards.Rounds[n.Round+1]
		after := make([][]float64, len(ways))
		for i, w := range ways {
			after[i] = make([]float64, below.Stride)
			for h := range below.Buckets {
				after[i][h] = w[below.Up[h]]
			}
		}
		s.visit(t, next, after)
		return
	}
	at, total := s.answers.Ways[node], make([]float64, round.Stride)
	own, played := int(n.Actor) == s.player, make([][][]float64, len(at))
	for i, w := range at {
		if w.Node >= 0 {
			played[i] = s.choices(t, w.Node)
		}
		for h := range total {
			total[h] += ways[i][h]
		}
	}
	if !own {
		s.mapped(node, at, played)
	}
	for a := range int(n.NumActions) {
		child := n.First + int32(a)
		var after [][]float64
		taken := make([]float64, round.Stride)
		for _, w := range s.answers.Ways[child] {
			reach := make([]float64, round.Stride)
			for h := range reach {
				x := w.Part * ways[w.Before][h]
				if own && w.From < w.To {
					sum := 0.
					for k := w.From; k < w.To; k++ {
						sum += played[w.Before][k-s.policy.Tree.Nodes[at[w.Before].Node].First][h]
					}
					x *= sum
				}
				reach[h] = x
				taken[h] += x
			}
			after = append(after, reach)
		}
		for h := range taken {
			if own && total[h] > 0 {
				s.weights[s.Entry(node)+a*round.Stride+h] = float32(taken[h] / total[h])
			} else if own {
				s.weights[s.Entry(node)+a*round.Stride+h] = 1
			}
		}
		s.raise[child] = s.raise[node]
		if !own && s.raise[node] < 0 && s.lacks(at[0].Node, s.Tree.Nodes[child].Action()) {
			s.raise[child] = child
		}
		s.visit(t, child, after)
	}
}

// lacks reports whether a decision of the strategy has no action like one of the opponent.
func (s *translated) lacks(node int32, by acpc.Action) bool {
	n := &s.policy.Tree.Nodes[node]
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		if s.policy.Tree.Nodes[child].Action() == by {
			return false
		}
	}
	return true
}

// mapped sets the opponent's weights at a decision: each action of the strategy is the most similar one.
func (s *translated) mapped(node int32, at []betting.Way, played [][][]float64) {
	n, way := &s.Tree.Nodes[node], max(0, slices.IndexFunc(at, func(w betting.Way) bool { return w.Node >= 0 }))
	stride, call := s.Cards.Rounds[n.Round].Stride, 0
	for a := range int(n.NumActions) {
		if s.Tree.Nodes[int(n.First)+a].Action().Type == acpc.Call {
			call = a
		}
	}
	if at[way].Node < 0 {
		for h := range stride {
			s.weights[s.Entry(node)+call*stride+h] = 1
		}
		return
	}
	m := &s.policy.Tree.Nodes[at[way].Node]
	for k := range int(m.NumActions) {
		action, nearest, least := s.policy.Tree.Nodes[int(m.First)+k].Action(), call, math.Inf(1)
		for a := range int(n.NumActions) {
			real := s.Tree.Nodes[int(n.First)+a].Action()
			far := math.Abs(math.Log(float64(real.Size+1) / float64(action.Size+1)))
			if k == int(m.NumActions)-1 {
				far = -float64(a) // the largest stays the largest
			}
			if real.Type == action.Type && far < least {
				nearest, least = a, far
			}
		}
		for h := range stride {
			s.weights[s.Entry(node)+nearest*stride+h] += float32(played[way][k][h])
		}
	}
}

// loses returns what a best response wins from weights, in thousandths of a big blind.
func (s *translated) loses(weights []float32) float64 {
	_, best := publictree.NewEvaluator(s.Layout, 2).Values(weights, 1-s.player)
	return 1000 * s.RootMean(best) / float64(s.Tree.Game.MaxBlind())
}

// firstRound solves the first round of a translated strategy. With a raise that the strategy lacks it solves what
// follows it: the player's decisions before are the strategy's, and the opponent has no other such raise.
type firstRound struct {
	*limited
	of    *translated
	raise int32 // -1 to solve the whole round
	// Where known is more than 0, the raise comes in such a part of the deals with the hands that make those to which
	// it is mapped.
	known float64
	hands []float64
}

// points returns the points from a node on. Their ends are shared.
func (s *firstRound) points(node int32, ends map[int32]*point) *point {
	n := &s.Tree.Nodes[node]
	if n.Kind != betting.Decision {
		if ends[node] == nil {
			ends[node] = s.point(node)
		}
		end := *ends[node]
		end.clear(s.limited.hands)
		return &end
	}
	p := &point{node: node, actor: int(n.Actor)}
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		if s.raise >= 0 && s.of.raise[child] == child && child != s.raise {
			continue
		}
		p.children = append(p.children, s.points(child, ends))
	}
	p.clear(s.limited.hands)
	return p
}

// clear forgets regrets and sums.
func (p *point) clear(hands int) {
	p.regrets, p.sums = nil, nil
	for range p.children {
		p.regrets, p.sums = append(p.regrets, make([]float64, hands)), append(p.sums, make([]float64, hands))
	}
}

// fixed reports whether a point is a decision of the player that the strategy makes.
func (s *firstRound) fixed(p *point) bool {
	own := s.Tree.Nodes[p.node].Kind == betting.Decision && p.actor == s.player
	return own && s.raise >= 0 && s.of.raise[p.node] < 0
}

// improve improves the strategy of a player from a point on by CFR+, and returns the counterfactual values of its
// hands. The reach is that of both players, and weight that of the iteration.
func (s *firstRound) improve(p *point, player int, reach [2][]float64, weight float64) []float64 {
	if p.values != nil {
		won := make([]float64, s.limited.hands)
		for i, x := range reach[s.player] {
			for j, y := range reach[1-s.player] {
				if v := p.values[i*s.limited.hands+j]; player == s.player {
					won[i] += v * y
				} else {
					won[j] -= v * x
				}
			}
		}
		return won
	}
	hands, strategy := s.limited.hands, proportions(p.regrets)
	if s.fixed(p) {
		for a := range strategy {
			for h := range strategy[a] {
				strategy[a][h] = float64(s.played[s.Entry(p.node)+a*hands+h])
			}
		}
	}
	won, each := make([]float64, hands), make([][]float64, len(p.children))
	for a, child := range p.children {
		next := reach
		next[p.actor] = make([]float64, hands)
		for h, x := range reach[p.actor] {
			next[p.actor][h] = x * strategy[a][h]
			if s.known > 0 && child.node == s.raise {
				next[p.actor][h] = x * ((1-s.known)*strategy[a][h] + s.known*s.hands[h])
			}
		}
		each[a] = s.improve(child, player, next, weight)
		for h, x := range each[a] {
			if p.actor == player {
				x *= strategy[a][h]
				p.sums[a][h] += weight * next[player][h]
			}
			won[h] += x
		}
	}
	if p.actor == player {
		for a := range each {
			for h, x := range each[a] {
				p.regrets[a][h] = max(0, p.regrets[a][h]+x-won[h])
			}
		}
	}
	return won
}

// solve puts the player's solution into weights.
func (s *firstRound) solve(iterations int, ends map[int32]*point, weights []float32) {
	root, full := s.points(0, ends), policy.FullRange(s.Cards.Rounds[0].Hole)
	for i := range iterations {
		for p := range 2 {
			s.improve(root, p, [2][]float64{full, full}, float64(i+1))
		}
	}
	var put func(p *point)
	put = func(p *point) {
		if s.Tree.Nodes[p.node].Kind != betting.Decision {
			return
		}
		if p.actor == s.player && !s.fixed(p) {
			for a, row := range proportions(p.sums) {
				for h, x := range row {
					weights[s.Entry(p.node)+a*s.limited.hands+h] = float32(x)
				}
			}
		}
		for _, child := range p.children {
			put(child)
		}
	}
	put(root)
}

// rangeOf returns how often each hand of the opponent makes the raises of the strategy to which one is mapped.
func (s *translated) rangeOf(t *testing.T, raise int32) []float64 {
	t.Helper()
	parent := s.Tree.Parent(raise)
	at := s.answers.Ways[parent][0].Node
	n, played, size := &s.policy.Tree.Nodes[at], s.choices(t, at), s.Tree.Nodes[raise].Action().Size
	below, above := -1, -1
	for k := range int(n.NumActions) {
		switch a := s.policy.Tree.Nodes[int(n.First)+k].Action(); {
		case a.Type != acpc.Raise:
		case a.Size <= size:
			below = k
		case above < 0:
			above = k
		}
	}
	part, out := s.answers.Ways[raise][0].Part, make([]float64, s.Cards.Rounds[0].Stride)
	for h := range out {
		switch {
		case below < 0:
			out[h] = played[above][h]
		case above < 0:
			out[h] = played[below][h]
		default:
			out[h] = part*played[below][h] + (1-part)*played[above][h]
		}
	}
	return out
}

var (
	firstBlinds  = flag.Int("first-blinds", 12, "stacks of the game whose first round is solved")
	firstRaises  = flag.String("first-raises", "1,a/1,a", "raises of its strategy in the first round")
	firstFurther = flag.String("first-further", "0.5,2/0.5", "those that its opponent has beside")
	firstWays    = flag.Int("first-ways", len(continuations), "ways to go on after it")
	firstLater   = flag.String("first-later", "1,a/a", "raises of its later rounds")
)

// A first round that is solved with all raises of the opponent, before the strategy's own later rounds, loses less than
// the strategy that translates them; and so does what follows each of them if it is solved alone.
func TestSolveFirstRound(t *testing.T) {
	testkit.SlowOnly(t)
	defer func(all []func(acpc.ActionType) float64) { continuations = all }(continuations)
	continuations = continuations[:*firstWays]
	parse := func(text string) betting.Actions {
		a, err := betting.ParseActions(text)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	own := parse("preflop: " + *firstRaises + "; flop turn: " + *firstLater)
	p := trained(t, pokertest.NoLimit(t, int32(*firstBlinds), 4, 3, 1, 1), own)
	const iterations = 200
	var plain, plainSolved, table, whole, free, half float64 // means of both positions
	for player := range 2 {
		s := newTranslated(t, p, player, own)
		plain += s.loses(s.weights) / 2
		solved := slices.Clone(s.weights)
		(&firstRound{limited: newLimited(s.Layout, player, s.weights), of: s, raise: -1}).
			solve(iterations, map[int32]*point{}, solved)
		plainSolved += s.loses(solved) / 2

		s = newTranslated(t, p, player, parse("preflop: "+*firstFurther))
		table += s.loses(s.weights) / 2
		l, ends := newLimited(s.Layout, player, s.weights), map[int32]*point{}
		for _, way := range []struct {
			known float64
			sum   *float64
		}{{-1, &whole}, {0, &free}, {.5, &half}} {
			solved := slices.Clone(s.weights)
			for raise, of := range s.raise {
				switch {
				case way.known < 0 && raise == 0:
					(&firstRound{limited: l, of: s, raise: -1}).solve(iterations, ends, solved)
				case way.known >= 0 && of == int32(raise) && s.Tree.Nodes[raise].Round == 0:
					(&firstRound{limited: l, of: s, raise: of, known: way.known, hands: s.rangeOf(t, of)}).
						solve(iterations, ends, solved)
				}
			}
			*way.sum += s.loses(solved) / 2
		}
	}
	t.Logf("mb a hand: %.1f without further raises, %.1f if the first round is solved; with them %.1f translated, "+
		"%.1f solved, %.1f after each raise, %.1f of half known hands", plain, plainSolved, table, whole, free, half)
	if whole > table || free > table || half > table {
		t.Error("solutions lose more than the strategy")
	}
}
