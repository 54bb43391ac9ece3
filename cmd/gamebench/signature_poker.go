package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/internal/memory"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/evaluate/lbr"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/strategy"
)

// arbitrary is a card abstraction with some numbers of buckets by round, into which hands are
// put regardless of their strength. It takes no time to make.
type arbitrary []int

func (a arbitrary) Name() string             { return "arbitrary" }
func (a arbitrary) NumBuckets(round int) int { return a[round] }

func (a arbitrary) Bucket(round int, d abstraction.Deal) int {
	x := rng.Mix(uint64(d.Hole))
	for _, cards := range d.Board {
		x = rng.Mix(x ^ uint64(cards))
	}
	return int(x % uint64(a[round]))
}

// signPCS trains by batches of boards, with the same buckets for both players and with more for
// the opponent.
func signPCS(_ context.Context, method methods) {
	const batch = 8
	for name, plus := range map[string]bool{"": false, "plus": true} {
		for _, work := range []struct {
			game     string
			opponent arbitrary
		}{{"leduc", nil}, {"leduc", arbitrary{6, 9}}, {"holdem-limit-12", nil}, {"leduc-nolimit", nil}} {
			rules := shipped(work.game)
			x := policy.NewIndex(betting.NewTree(rules, betting.FCPA1.ShapeOf(rules, 1<<20)), arbitrary{3, 9, 9, 9})
			line := method(name)
			g := must(pcs.New(x, batch))
			if work.opponent != nil {
				line = method(path.Join(name, "opponent"))
				g = must(pcs.NewAgainst(x, 0, work.opponent, batch))
			}
			t := pcs.NewTrainer(g, pcs.Method{Batch: batch, Plus: plus}, 1, runtime.NumCPU())
			signState(line, t, 5*batch)
		}
	}
}

// signCFRBR trains against an opponent that sees all cards.
func signCFRBR(_ context.Context, method methods) {
	h := method("")
	for _, name := range []string{"leduc", "holdem-limit-12"} {
		rules := shipped(name)
		tree := betting.NewTree(rules, betting.Actions{}.ShapeOf(rules, 1<<20))
		g := must(cfrbr.New(policy.NewIndex(tree, arbitrary{3, 9, 9, 9})))
		signState(h, cfrbr.NewTrainer(g, 1, runtime.NumCPU()), 20)
	}
}

// signState does some iterations of a training, and signs all that it has learned.
func signState(h io.Writer, t interface {
	Step()
	Iterations() uint64
	Err() error
	Close() error
	WriteState(io.Writer) error
}, iterations uint64) {
	for t.Err() == nil && t.Iterations() < iterations {
		t.Step()
	}
	check(errors.Join(t.Err(), t.WriteState(h), t.Close()))
}

// respond prepares the best responses to a simple strategy in a game that comes with the
// program.
func respond(game string, bot policy.Plain) *bestresponse.Response {
	g := shipped(game)
	return bestresponse.New(must(
		bestresponse.PlainStrategy(bot, betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20)))))
}

// signResponses answers simple strategies in small games, on all boards and on a sample of
// them.
func signResponses(ctx context.Context, method methods) {
	h := method("")
	for _, game := range []string{"kuhn", "leduc", "rhode-island"} {
		for _, bot := range policy.Plains {
			r := respond(game, bot)
			parts := make([]bestresponse.PartValues, r.Parts())
			check(r.Value(ctx, r.Missing(parts), runtime.NumCPU(),
				func(part int, values bestresponse.PartValues) error {
					parts[part] = values
					return nil
				}))
			sample := r.NewSample(1)
			sample.Draw(8)
			best, bound := r.Total(parts), sample.Bound(sample.Of(parts))
			// An interval is computed by functions of the machine.
			sign(h, []float64{best[0], best[1], bound.Responses[0].Value, bound.Responses[1].Value})
		}
	}
}

// signBuckets clusters the hands of a small game by every feature.
func signBuckets(ctx context.Context, method methods) {
	h := method("")
	game := shipped("holdem-limit-12")
	for _, perfectRecall := range []bool{false, true} {
		r := buckets.Recipe{
			Seed: 1, Restarts: 2, Iterations: 10, Sample: 2000, Bins: 20, Clusters: 4, PerfectRecall: perfectRecall,
			Rounds: []buckets.Round{
				{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: 5},
				{Feature: buckets.Histogram, Buckets: 4}, {Feature: buckets.OCHS, Buckets: 3},
			},
		}
		table := must(cluster.Build(ctx, game, r, cluster.Options{Threads: runtime.NumCPU()}))
		digest := table.Digest()
		h.Write(digest[:])
	}
}

// signSpots solves a flop, a turn and a river by every algorithm, the turn with 16 bits.
func signSpots(_ context.Context, method methods) {
	bets, raises := must(spot.ParseBets("50,a", false)), must(spot.ParseBets("60,a", true))
	for _, work := range []struct {
		board, first, second string
		iterations           int
	}{
		{"2c 3d 7h 8s Tc", "22+,A2s+,KTo+", "55+,QJs,T9s", 20},
		{"Kc Kd 7h 8h", "QQ+,AKs,JTs", "99+,AQs", 5},
		{"Qs Jh 2h", "AA,KTs", "QJs,98s", 2},
	} {
		board := must(spot.ParseBoard(work.board))
		s := &spot.Spot{Board: board, Pot: 100, Stack: 200, Menu: spot.Menu{Bets: bets, Raises: raises}}
		for i, text := range []string{work.first, work.second} {
			s.Ranges[i] = must(ranges.Parse(text))
		}
		for _, name := range spot.Algorithms() {
			h := method(name)
			a, _ := cfr.AlgorithmByName(name)
			a.Quantized = len(board) == 4
			solver := must(spot.New(s,
				spot.Options{Algorithm: a, Threads: runtime.NumCPU(), Memory: memory.Available()}))
			for range work.iterations {
				solver.Step()
			}
			root := must(solver.Solution().At(""))
			sign(h, solver.Solution().Evaluate())
			fmt.Fprintln(h, root.Actions, root.Hands)
		}
	}
}

// signSubgames solves a river and a turn of a small game, alone and safely.
func signSubgames(_ context.Context, method methods) {
	rules := oneRaise("holdem-limit-12")
	tree := betting.NewTree(rules, betting.Actions{}.ShapeOf(rules, 1<<20))
	for _, text := range []string{"QsQhKsKdAc", "QsQhKsKd"} {
		board := must(card.ParseSet(text))
		last := len(tree.Segments) - 1
		for tree.Segments[last].Round > board.Len()-2 {
			last--
		}
		rest := tree.From(last)
		cards := abstraction.NewOnBoard(rest.Game, board)
		var reach [2][]float64
		for i, size := range cards.Rounds[0].Size {
			reach[0] = append(reach[0], min(size, 1)*float64(i%3)/2)
			reach[1] = append(reach[1], min(size, 1)*float64(i%5)/4)
		}
		s := publictree.NewSubgame(rest, cards, reach)
		played := resolve.Solve(s, 20)
		solutions := map[string][][]float32{"": {played}}
		for player := range 2 {
			_, offers := publictree.NewEvaluator(s, 1).Values(played, 1-player)
			for _, o := range []resolve.Offer{{Values: offers}, {Values: offers, Known: .5}} {
				solutions["safe"] = append(solutions["safe"], resolve.SolveSafe(s, player, o, 20))
			}
		}
		for way, all := range solutions {
			for _, weights := range all {
				sign(method(way), weights)
			}
		}
	}
}

// signAIVAT estimates hands of a trained strategy, against a player whose strategy is known and
// one whose is not.
func signAIVAT(ctx context.Context, method methods) {
	h := method("")
	folder := must(os.MkdirTemp("", "gamebots-bench-"))
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "trained.strategy")
	trainer := cfr.NewTrainer(layoutOf("leduc"), cfr.Algorithms[0], 1)
	for range 3 { // after so few, all actions are played
		trainer.Step()
	}
	check(trainer.Save(file, strategy.Meta{}))
	p := must(policy.Open(file, memory.Available(), nil))
	defer p.Close()
	known := must(aivat.ReadStrategy(p, nil))
	for _, both := range []bool{false, true} {
		estimator := must(aivat.New(known, known, both))
		m, players := inProcess("leduc", "random", 300)
		must(m.Play(ctx, players, func(s *acpc.State) error {
			sign(h, must(estimator.Estimate(s, 0)))
			return nil
		}))
	}
}

// plainBlueprint is a strategy of no-limit hold'em that calls with a probability for each bucket,
// and otherwise folds or raises.
func plainBlueprint() (*policy.Index, belief.Probabilities) {
	rules := shipped("holdem-nolimit-2p")
	tree := betting.NewTree(rules, betting.FCPA1.ShapeOf(rules, 1<<20))
	play := func(dst []float64, node int32, bucket int) ([]float64, error) {
		n := &tree.Nodes[node]
		call := .4 + float64(bucket)/32
		for a := range int(n.NumActions) {
			if tree.Nodes[int(n.First)+a].Action().Type == acpc.Call {
				dst = append(dst, call)
			} else {
				dst = append(dst, (1-call)/float64(n.NumActions-1))
			}
		}
		return dst, nil
	}
	return policy.NewIndex(tree, arbitrary{13, 13, 13, 13}), play
}

// signLBR plays local best responses to a strategy.
func signLBR(ctx context.Context, method methods) {
	h := method("")
	index, play := plainBlueprint()
	for _, text := range []string{"fc", "fcpa"} {
		menu := must(lbr.ParseMenu(text))
		judge := must(lbr.New(index.Tree.Game, lbr.Options{Menu: menu}))
		player := belief.NewStrategy(index, play)
		for deal := range 3 {
			sign(h, must(judge.Deal(ctx, player, 1, deal)))
		}
	}
}

// signResolving solves a river and a turn in play.
func signResolving(ctx context.Context, method methods) {
	index, play := plainBlueprint()
	for round, work := range map[string]struct {
		from       int
		iterations uint64
		hand       string
	}{
		"river": {resolve.River, 20, "r300c/cc/cr900c/r1500:|AhKh/Qh7d2c/5s/9h"},
		"turn":  {resolve.Turn, 2, "cc/cc/:|AhKh/Qh7d2c/5s"},
	} {
		player := must(resolve.NewNoLimit(
			resolve.Blueprint{Index: index, Rounds: acpc.MaxRounds, Played: play, Expected: play},
			resolve.Options{From: work.from, Iterations: work.iterations, Threads: runtime.NumCPU(), Memory: 1 << 30},
		))
		m, _, err := index.Tree.Game.ParseMatchState("MATCHSTATE:0:0:" + work.hand)
		check(err)
		a := must(player.Answer(ctx, &m.State))
		h := method(round)
		fmt.Fprintln(h, a.Actions, a.Solved, a.Late, a.Iterations, a.Added)
		for _, row := range a.Probability {
			sign(h, row)
		}
	}
}

// oneRaise returns a game of hold'em with one raise a round, so that exact best responses
// take seconds.
func oneRaise(name string) *acpc.Game {
	game := shipped(name)
	game.Name += ", one raise a round"
	for r := range game.NumRounds {
		game.MaxRaises[r] = 1
	}
	return game
}
