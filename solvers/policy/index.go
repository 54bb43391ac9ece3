package policy

import (
	"iter"
	"sort"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/strategy"
)

// Buckets is a card abstraction. It may be used by several goroutines at once.
type Buckets interface {
	// Name returns the name of the abstraction in strategy files.
	Name() string
	// NumBuckets returns the number of buckets of a round.
	NumBuckets(round int) int
	// Bucket returns the bucket of a deal in a round, or -1 for cards that the game
	// cannot deal.
	Bucket(round int, d abstraction.Deal) int
}

// boardBuckets is a card abstraction that finds the buckets of many hole cards on a board faster
// than one by one.
type boardBuckets interface {
	// OnBoard returns what Bucket does for each hole cards.
	OnBoard(round int, board [acpc.MaxRounds]card.Set, holes []card.Set) []int
}

// compact is a card abstraction that a strategy's file carries.
type compact interface {
	// Compact returns what GameSpec opens.
	Compact() ([]byte, error)
}

// Index numbers the information sets of a game, which are pairs of a decision node and a
// bucket of its round, and their entries, one an action. It does not change after it is
// made and may be shared.
type Index struct {
	Tree    *betting.Tree
	Buckets Buckets
	// Entries is the number of all entries.
	Entries int

	rounds [acpc.MaxRounds]indexRound
}

// indexRound is where a round begins: its first entry, node and segment.
type indexRound struct{ entry, node, segment int }

// NewIndex joins a betting tree with a card abstraction.
func NewIndex(tree *betting.Tree, buckets Buckets) *Index {
	x := &Index{Tree: tree, Buckets: buckets}
	segment := 0
	for r := range tree.Game.NumRounds {
		x.rounds[r] = indexRound{entry: x.Entries, node: int(tree.Segments[segment].First), segment: segment}
		x.Entries += tree.Shape.Actions[r] * buckets.NumBuckets(r)
		segment += tree.Shape.Segments[r]
	}
	return x
}

// OnBoard returns the buckets of some hole cards in a round, on the cards of a board up to it;
// -1 for cards that the game cannot deal.
func (x *Index) OnBoard(round int, board [acpc.MaxRounds]card.Set, holes []card.Set) []int {
	clear(board[round+1:])
	return onBoard(x.Buckets, round, board, holes)
}

func onBoard(b Buckets, round int, board [acpc.MaxRounds]card.Set, holes []card.Set) []int {
	if b, ok := b.(boardBuckets); ok {
		return b.OnBoard(round, board, holes)
	}
	list := make([]int, len(holes))
	for i, hole := range holes {
		list[i] = b.Bucket(round, abstraction.Deal{Board: board, Hole: hole})
	}
	return list
}

// Entry returns the first entry of a decision. In a strategy file entry a of bucket b is
// at Entry(node) + b*actions + a, in a Trainer's arrays at Entry(node) + a*buckets + b.
func (x *Index) Entry(node int32) int {
	n := &x.Tree.Nodes[node]
	// The nodes of a round before the decision's first child are the roots of segments and
	// one for each action of the decisions before this one, as segments are in level order.
	r := &x.rounds[n.Round]
	roots := x.Tree.SegmentOf(node) + 1 - r.segment
	actions := int(n.First) - r.node - roots
	return r.entry + actions*x.Buckets.NumBuckets(int(n.Round))
}

// entriesOf returns the number of entries of the first rounds of the game; 0 is all rounds.
func (x *Index) entriesOf(rounds int) int {
	if rounds == 0 || rounds == x.Tree.Game.NumRounds {
		return x.Entries
	}
	return x.rounds[rounds].entry
}

// Save writes a strategy to a file. weigh sets the weights of the actions of a bucket at a
// decision, in proportion to which they are played; first is the [Index.Entry] of the decision.
// It is called from several goroutines at once. Save fills in the metadata of the game; the
// caller fills in that of the training, the bits of a probability and the rounds to write.
func (x *Index) Save(path string, m strategy.Meta, weigh func(node int32, first, bucket int, weights []float32)) error {
	return x.save(path, m, func(node int32, first, bucket int, weights []float32) error {
		weigh(node, first, bucket, weights)
		return nil
	})
}

// SaveWeights is [Index.Save] of weights of all entries, by decision, action and bucket.
func (x *Index) SaveWeights(path string, m strategy.Meta, weights []float32) error {
	return x.Save(path, m, func(node int32, first, bucket int, to []float32) {
		stride := x.Buckets.NumBuckets(int(x.Tree.Nodes[node].Round))
		for a := range to {
			to[a] = weights[first+a*stride+bucket]
		}
	})
}

// save is Save. It ends with the first error of weigh.
func (x *Index) save(
	path string, m strategy.Meta, weigh func(node int32, first, bucket int, weights []float32) error,
) error {
	m.Game, m.GameText, m.Abstraction = x.Tree.Game.Name, x.Tree.Game.String(), x.Buckets.Name()
	m.Actions = x.Tree.Shape.Betting.Meta()
	if b, ok := x.Buckets.(compact); ok {
		var err error
		if m.Buckets, err = b.Compact(); err != nil {
			return err
		}
	}
	var decisions []int32 // their entries ascend
	for i := range x.Tree.Nodes {
		if x.Tree.Nodes[i].Kind == betting.Decision {
			decisions = append(decisions, int32(i))
		}
	}
	fill := func(dst []float32, at uint64) error { return x.fill(dst, int(at), decisions, weigh) }
	if m.Bits != 0 {
		return strategy.WriteRounded(path, m, x.sets(m.Rounds), fill)
	}
	return strategy.Write(path, m, uint64(x.entriesOf(m.Rounds)), fill)
}

// fill sets dst to the probabilities from an entry on.
func (x *Index) fill(
	dst []float32, at int, decisions []int32, weigh func(node int32, first, bucket int, weights []float32) error,
) error {
	next := sort.Search(len(decisions), func(i int) bool { return x.Entry(decisions[i]) > at })
	var set []float32
	for _, node := range decisions[next-1:] {
		n := &x.Tree.Nodes[node]
		first, actions := x.Entry(node), int(n.NumActions)
		for bucket := (at - first) / actions; bucket < x.Buckets.NumBuckets(int(n.Round)); bucket++ {
			if len(dst) == 0 {
				return nil
			}
			set = append(set[:0], make([]float32, actions)...)
			if err := weigh(node, first, bucket, set); err != nil {
				return err
			}
			scale, base := Proportions(set, len(set), 1)
			for a, w := range set {
				set[a] = float32(float64(w)*scale + base)
			}
			filled := copy(dst, set[at-first-bucket*actions:])
			dst, at = dst[filled:], at+filled
		}
	}
	return nil
}

// sets returns the numbers of actions of the information sets of the first rounds, in the order
// of a file; 0 is all rounds.
func (x *Index) sets(rounds int) (sets []strategy.Sets) {
	for i := range x.Tree.Nodes {
		n := &x.Tree.Nodes[i]
		if n.Kind != betting.Decision || rounds != 0 && int(n.Round) >= rounds {
			continue
		}
		if len(sets) == 0 || sets[len(sets)-1].Actions != int(n.NumActions) {
			sets = append(sets, strategy.Sets{Actions: int(n.NumActions)})
		}
		sets[len(sets)-1].Count += x.Buckets.NumBuckets(int(n.Round))
	}
	return sets
}

// InfoSet is an information set of a strategy: the hands of a player that the strategy
// plays alike after the same betting.
type InfoSet struct {
	// Betting is the betting before it, as in "crc/r": see [acpc.State.AppendBetting].
	Betting string
	// Node is the decision in the betting tree, whose round and actor it names.
	Node   int32
	Bucket int // bucket of the decision's round
	// Deal is one of the deals in the bucket, if the abstraction is one of
	// [abstraction.Cards]; else it has no cards.
	Deal abstraction.Deal
	// Choices are the actions of the player to act, valid until the next iteration.
	Choices []Choice
}

// All returns an iterator over the information sets of the strategy. It yields a decision
// before those that follow it, and the buckets of a decision in ascending order. An error
// in reading the file is the last pair.
func (p *Policy) All() iter.Seq2[InfoSet, error] {
	return func(yield func(InfoSet, error) bool) {
		start := p.Tree.Game.NewState(0)
		p.decisions(&start, p.Tree.Segments[0].First, yield)
	}
}

// decisions yields the information sets from a node on, which s has come to, and reports
// whether to go on.
func (p *Policy) decisions(s *acpc.State, node int32, yield func(InfoSet, error) bool) bool {
	node = p.Tree.AfterDeal(node)
	n := &p.Tree.Nodes[node]
	if n.Kind != betting.Decision {
		return true
	}
	set := InfoSet{Betting: string(s.AppendBetting(nil)), Node: node}
	cards, listed := p.Buckets.(*abstraction.Cards)
	for set.Bucket = range p.Buckets.NumBuckets(int(n.Round)) {
		if listed {
			var ok bool
			if set.Deal, ok = cards.Deal(int(n.Round), set.Bucket); !ok {
				continue
			}
		}
		var err error
		if set.Choices, err = p.ChoicesAt(set.Choices[:0], node, set.Bucket); err != nil {
			yield(InfoSet{}, err)
			return false
		}
		if !yield(set, nil) {
			return false
		}
	}
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		next := *s
		next.Apply(p.Tree.Nodes[child].Action())
		if !p.decisions(&next, child, yield) {
			return false
		}
	}
	return true
}
