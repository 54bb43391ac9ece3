package cfr

import (
	"sort"

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
	// Entry is, by node, the first of its entries; only decisions have any.
	// In a strategy file entry a of bucket b is at Entry[node] + b*actions + a,
	// in a Trainer's arrays at Entry[node] + a*buckets + b.
	Entry []int
	// Entries is the number of all entries.
	Entries int
}

// NewIndex joins a betting tree with a card abstraction.
func NewIndex(tree *betting.Tree, buckets Buckets) *Index {
	x := &Index{Tree: tree, Buckets: buckets, Entry: make([]int, len(tree.Nodes))}
	for i := range tree.Nodes {
		x.Entry[i] = x.Entries
		if n := &tree.Nodes[i]; n.Kind == betting.Decision {
			x.Entries += int(n.NumActions) * buckets.NumBuckets(int(n.Round))
		}
	}
	return x
}

// Save writes a strategy to a file. weigh sets the weights of the actions in an
// information set, in proportion to which they are played. Save fills in the metadata of
// the game; the caller fills in that of the training.
func (x *Index) Save(path string, m strategy.Meta, weigh func(node int32, bucket int, weights []float32)) error {
	m.Game, m.GameText, m.Abstraction = x.Tree.Game.Name, x.Tree.Game.String(), x.Buckets.Name()
	m.Actions = x.Tree.Shape.Betting.Meta()
	if b, ok := x.Buckets.(compact); ok {
		var err error
		if m.Buckets, err = b.Compact(); err != nil {
			return err
		}
	}
	var weights []float32
	return strategy.Write(path, m, uint64(x.Entries), func(dst []float32, at uint64) error {
		// The decision that has entry at is the last to start there or before.
		i := sort.Search(len(x.Entry), func(i int) bool { return x.Entry[i] > int(at) }) - 1
		for ; len(dst) > 0; i++ {
			n := &x.Tree.Nodes[i]
			if n.Kind != betting.Decision {
				continue
			}
			actions := int(n.NumActions)
			weights = append(weights[:0], make([]float32, actions)...)
			buckets := x.Buckets.NumBuckets(int(n.Round))
			from := int(at) - x.Entry[i]
			for bucket := from / actions; bucket < buckets && len(dst) > 0; bucket++ {
				weigh(int32(i), bucket, weights)
				scale, base := proportions(weights, actions, 1)
				for a := from - bucket*actions; a < actions && len(dst) > 0; a++ {
					dst[0] = float32(float64(weights[a])*scale + base)
					dst, from, at = dst[1:], from+1, at+1
				}
			}
		}
		return nil
	})
}
