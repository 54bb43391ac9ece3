package betting

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gamebots/acpc"
)

// Answers is the tree of the hands that a player can have with a strategy: the player's raises are those of a menu
// beside the strategy's own ones, and the strategy translates them as it plays. Ways are by node.
type Answers struct {
	*Tree
	Ways [][]Way
}

// A Way is one of the ways in which a strategy may have translated a betting sequence. The draws by which it maps
// raises are independent of each other, so the probability of a way is a product.
type Way struct {
	Before int32   // number of the way that the sequence had before its last action
	Part   float64 // probability of mapping the last action in this way
	// Node is the strategy's decision, or -1 where it has none: it calls to the end then.
	Node int32
	// From and To are where the strategy's nodes start and end, children of Node before its last action, that it
	// plays as this action. They are the same where it had no decision, or did not act.
	From, To int32
}

// ErrCards is the error for a strategy that would play by its cards where its tree has no decision, as it lacks raises
// that come near to the player's.
var ErrCards = errors.New("the strategy has no raise like this")

// ErrManyNodes is the error for a tree with too many nodes.
var ErrManyNodes = errors.New("too many betting sequences")

// Answers returns the tree of the player in a position, with at most so many nodes. The errors are [ErrCards] and
// [ErrManyNodes]. It needs a tree of a no-limit game that remembers all betting.
func (t *Tree) Answers(position int, menu Actions, most int) (*Answers, error) {
	b := answerBuilder{strategy: t, menu: menu, position: position, left: most}
	state := t.Game.NewState(0)
	root, err := b.visit(&state, 0, acpc.Action{}, []answerWay{{at: t.NewTranslation(0)}})
	if err != nil {
		return nil, err
	}
	return b.list(root), nil
}

// answerBuilder lists the hands of a player with a strategy.
type answerBuilder struct {
	strategy *Tree
	menu     Actions
	position int
	left     int // nodes that there is room for
	nodes    [acpc.MaxRounds]int
	segments [acpc.MaxRounds]int
}

// answerNode is a node before all have their places in the tree.
type answerNode struct {
	Node
	ways     []Way
	pot      acpc.Pot
	children []*answerNode // the root of the next segment, where this is a deal
}

// answerWay is a way with the hand as the strategy has it.
type answerWay struct {
	Way
	at   *Translation
	lost bool // the strategy has no decision for the rest of the hand
}

// visit returns the node of a state to which an action leads, and all that follow, in a segment of a round.
func (b *answerBuilder) visit(s *acpc.State, round int, by acpc.Action, ways []answerWay) (*answerNode, error) {
	if b.left--; b.left < 0 {
		return nil, ErrManyNodes
	}
	b.nodes[round]++
	n := &answerNode{Node: Node{raise: by.Size, last: by.Type, Round: uint8(round), Kind: Decision}}
	for i := range ways {
		w := &ways[i]
		w.Node = -1
		if s.Round() == round && !s.Finished() && !w.lost {
			if node, err := w.at.Decision(); err == nil {
				w.Node = node
			} else {
				w.lost = true
			}
		}
		n.ways = append(n.ways, w.Way)
	}
	switch {
	case s.Round() > round:
		n.Kind = Deal
		for i := range ways {
			ways[i].Way = Way{Before: int32(i), Part: 1}
		}
		b.segments[round+1]++
		next, err := b.visit(s, round+1, by, ways)
		n.children = []*answerNode{next}
		return n, err
	case s.Finished():
		n.Kind, n.pot = Terminal, s.Pot()
		return n, nil
	}
	n.Actor = int8(s.Actor())
	actions, err := b.actions(s, ways)
	if err != nil {
		return nil, err
	}
	for _, a := range actions {
		next := *s
		next.Apply(a)
		child, err := b.visit(&next, round, a, b.after(s, ways, a))
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	return n, nil
}

// actions returns the actions at a decision in the order fold, call, raises upwards.
func (b *answerBuilder) actions(s *acpc.State, ways []answerWay) (list []acpc.Action, err error) {
	if s.Actor() == b.position {
		list = slices.AppendSeq(slices.Collect(b.menu.Legal(s)), b.strategy.Shape.Betting.Legal(s))
	} else {
		for _, w := range ways {
			if w.Node < 0 {
				if to := min(s.MaxSpent(), s.Game().Stack[s.Actor()]); to > max(w.at.Hand().Spent(s.Actor()),
					s.Spent(s.Actor())) {
					return nil, fmt.Errorf("%w: after %q", ErrCards, s.AppendBetting(nil))
				}
				list = append(list, acpc.Action{Type: acpc.Call})
				continue
			}
			for from, to := b.strategy.children(w.Node); from < to; from++ {
				list = append(list, w.at.Real(b.strategy.Nodes[from].Action()))
			}
		}
	}
	order := func(a acpc.Action) int32 {
		return map[acpc.ActionType]int32{acpc.Fold: -2, acpc.Call: -1}[a.Type] + a.Size
	}
	slices.SortFunc(list, func(x, y acpc.Action) int { return cmp.Compare(order(x), order(y)) })
	return slices.Compact(list), nil
}

// children returns where the children of a decision start and end.
func (t *Tree) children(node int32) (from, to int32) {
	n := &t.Nodes[node]
	return n.First, n.First + int32(n.NumActions)
}

// after returns the ways after an action.
func (b *answerBuilder) after(s *acpc.State, ways []answerWay, a acpc.Action) (next []answerWay) {
	for i, w := range ways {
		x := answerWay{Way: Way{Before: int32(i), Part: 1}, at: w.at, lost: w.lost}
		if s.Actor() != b.position {
			if w.Node < 0 && a.Type != acpc.Call {
				continue
			}
			if w.Node >= 0 {
				from, to := b.strategy.children(w.Node)
				plays := func(node int32) bool { return w.at.Real(b.strategy.Nodes[node].Action()) == a }
				for x.From = from; x.From < to && !plays(x.From); x.From++ {
				}
				for x.To = x.From; x.To < to && plays(x.To); x.To++ {
				}
				if x.From == x.To {
					continue
				}
			}
		}
		if x.lost {
			next = append(next, x)
			continue
		}
		mappings := w.at.After(a, 1-b.position)
		for _, m := range mappings {
			x.at, x.Part = m.Translation, m.Probability
			next = append(next, x)
		}
		if len(mappings) == 0 {
			x.lost = true
			next = append(next, x)
		}
	}
	return next
}

// list puts the nodes into their places.
func (b *answerBuilder) list(root *answerNode) *Answers {
	shape := Shape{Betting: b.strategy.Shape.Betting, Complete: true}
	b.segments[0] = 1
	shape.Segments = b.segments
	node, segment := [acpc.MaxRounds]int{}, [acpc.MaxRounds]int{}
	segments := 0
	for r := range node {
		node[r], segment[r] = shape.Nodes, segments
		shape.Nodes += b.nodes[r]
		segments += b.segments[r]
	}
	x := &Answers{&Tree{Game: b.strategy.Game, Shape: shape, Nodes: make([]Node, shape.Nodes),
		Segments: make([]Segment, segments)}, make([][]Way, shape.Nodes)}
	terminals := map[acpc.Pot]int32{}
	var deal func(root *answerNode, from int32)
	deal = func(root *answerNode, from int32) {
		r := root.Round
		number, first := segment[r], node[r]
		segment[r]++
		level := []*answerNode{root}
		for i := 0; i < len(level); i++ { // grows by the children
			n := level[i]
			switch n.Kind {
			case Decision:
				n.First, n.NumActions = int32(first+len(level)), uint16(len(n.children))
				level = append(level, n.children...)
			case Terminal:
				n.First = x.terminal(n.pot, terminals)
			}
		}
		node[r] += len(level)
		x.Segments[number] = Segment{Round: int(r), First: int32(first), Last: int32(node[r]), From: from}
		for i, n := range level {
			if n.Kind == Deal {
				n.First = int32(segment[r+1])
				deal(n.children[0], int32(first+i))
			}
			x.Nodes[first+i], x.Ways[first+i] = n.Node, n.ways
		}
	}
	deal(root, -1)
	return x
}
