package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// menusWork is the work of bench menus: to train with few raises, against opponents with the same
// raises and with more, and to answer the strategies with all of these.
type menusWork struct {
	cases     []menusCase
	algorithm string
	boards    uint64 // boards of a training
}

type menusCase struct {
	game      string
	stack     int32  // stack of a no-limit game with the same cards and blinds
	few, many string // raises, the latter with all of the former
}

var fullMenus = menusWork{algorithm: "pcs+(16)", boards: 16_000, cases: []menusCase{
	{"leduc", 12, "1,a", "0.5,1,2,a"},
	{"holdem-limit-12", 60, "1,a/a", "0.5,1,2,a/a"},
}}

// run emits the exploitability of the strategies by opponents with many raises.
func (w menusWork) run(ctx context.Context, emit func(Row)) error {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "trained.strategy")
	algorithm, err := train.ParseAlgorithm(w.algorithm)
	if err != nil {
		return err
	}
	for _, c := range w.cases {
		game, err := noLimit(c.game, c.stack)
		if err != nil {
			return err
		}
		few, err := train.Actions(game, c.few)
		if err != nil {
			return err
		}
		many, err := train.Actions(game, c.many)
		if err != nil {
			return err
		}
		against, err := few.Against(many)
		if err != nil {
			return err
		}
		layout, err := publictree.Prepare(game, many, abstraction.Lossless, memory.Available())
		if err != nil {
			return err
		}
		for _, actions := range []betting.Actions{few, against, many} {
			spec := train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: abstraction.Lossless.String(),
				Actions: actions}, Algorithm: algorithm, Seed: 1}
			if err := trainTo(ctx, spec, w.boards, file); err != nil {
				return err
			}
			x, err := exploitabilityAsPlayed(ctx, layout, file)
			if err != nil {
				return err
			}
			emit(Row{Case: fmt.Sprintf("%s, %v", game.Name, actions), Threads: runtime.NumCPU(),
				Metric: "exploitability", Value: x, Unit: "mb a hand"})
		}
	}
	return nil
}

// exploitabilityAsPlayed returns the exploitability of a strategy in mb a hand, by opponents with the
// raises of a layout, which it may have to translate.
func exploitabilityAsPlayed(ctx context.Context, l *publictree.Layout, file string) (float64, error) {
	trained, err := policy.Open(file, memory.Available(), nil)
	if err != nil {
		return 0, err
	}
	defer trained.Close()
	if err := trained.Load(memory.Available()); err != nil {
		return 0, err
	}
	p := asPlayed{layout: l, policy: trained, weights: make([]float32, l.Entries), number: map[card.Set]int{}}
	for i, hole := range belief.Holes(l.Tree.Game) {
		p.number[hole] = i
	}
	for round := range l.Cards.Rounds {
		boards := l.Cards.Rounds[round].Boards
		if err := parallel.Try(runtime.NumCPU(), len(boards), func(i int) error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			hand := l.Tree.Game.NewState(0)
			board := hand.Board[:0]
			for _, cards := range boards[i].Cards {
				board = slices.AppendSeq(board, cards.All())
			}
			return p.visit(belief.NewStrategy(trained.Index, belief.Played(trained, nil)), round, &boards[i], hand)
		}); err != nil {
			return 0, err
		}
	}
	e := publictree.NewEvaluator(l, runtime.NumCPU()).Evaluate(p.weights)
	return 1000 / float64(l.Tree.Game.MaxBlind()) * e.Exploitability(), nil
}

// asPlayed computes the weights of a layout with which a policy is played.
type asPlayed struct {
	layout  *publictree.Layout
	policy  *policy.Policy
	weights []float32
	number  map[card.Set]int // index of hole cards in [belief.Holes]
}

// visit sets the weights of all decisions of a round on a board that follow on a hand.
func (p *asPlayed) visit(player *belief.Strategy, round int, b *abstraction.Board, s acpc.State) error {
	if s.Finished() || s.Round() > round {
		return nil
	}
	tree := p.layout.Tree
	node := tree.Find(&s)
	n := &tree.Nodes[node]
	if s.Round() == round {
		c, err := player.Choices(context.Background(), &s)
		switch {
		case errors.Is(err, policy.ErrOffTree): // it has made a raise itself that it does not know
		case err != nil:
			return err
		default:
			if err := p.set(node, round, b, c); err != nil {
				return err
			}
		}
	}
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		next := s
		next.Apply(tree.Nodes[child].Action())
		if err := p.visit(player, round, b, next); err != nil {
			return err
		}
	}
	return nil
}

// set sets the weights of a decision on a board. It fails for a raise that translation has rounded
// to one that opponents do not have: what follows on it is not known.
func (p *asPlayed) set(node int32, round int, b *abstraction.Board, c belief.Choices) error {
	tree, cards := p.layout.Tree, &p.layout.Cards.Rounds[round]
	first := tree.Nodes[node].First
	children := tree.Nodes[first : first+int32(tree.Nodes[node].NumActions)]
	for k, action := range c.Actions {
		a := slices.IndexFunc(children, func(n betting.Node) bool { return n.Action() == action })
		if a < 0 {
			return fmt.Errorf("%s: no %v at a decision", tree.Game.Name, action)
		}
		to := p.weights[p.layout.Entry(node)+a*cards.Stride:]
		for h := int(b.First); h < int(b.First+b.Num); h++ {
			to[h] = float32(c.Probability[k][p.number[cards.Hole[h]]])
		}
	}
	return nil
}
