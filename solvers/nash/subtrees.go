package nash

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// A Subtree is a part of a search by labels that can be done by itself, also on
// another machine: by [Searcher.Search].
type Subtree struct {
	Order Order  `json:"order"`
	Path  []byte `json:"path"` // the decisions that lead there
}

// A Finding is what is in a subtree. It depends on nothing but the game and the
// subtree.
type Finding struct {
	Leaves [][2]uint64 `json:"leaves"` // supports at the leaves, of rows and columns
	Nodes  uint64      `json:"nodes"`
	Pivots uint64      `json:"pivots"`
	Doubts uint64      `json:"doubts"`
	Stuck  bool        `json:"stuck,omitempty"` // a simplex search did not end
}

// Spread has subtrees searched, in any order, and calls take with the finding of
// each, never twice at a time. Where take returns an error it wants no more, and
// Spread returns that error.
type Spread func(ctx context.Context, all []Subtree, take func(number int, f Finding) error) error

// subtreesWanted is how many parts a search is cut into. They differ in size, and
// so there are many more than machines have cores.
const subtreesWanted = 1024

// cut goes through the top of the tree, down to about so many subtrees. What it
// finds there is part of the search.
func (s *space) cut(wanted int, leaf func(rows, cols uint64)) (paths [][]decision, stats labelStats, err error) {
	w := newWalker(s)
	w.leaf, w.done = leaf, func(int) {}
	var second []decision
	w.branch = func(path []decision) bool {
		second = append([]decision(nil), path...)
		w.failed = true // this far and no further
		return true
	}
	paths = [][]decision{nil}
	for len(paths) > 0 && len(paths) < wanted {
		path := paths[0]
		paths, second = paths[1:], nil
		w.walk(path)
		switch {
		case second != nil:
			last := len(second) - 1
			first := append(append([]decision(nil), second[:last]...), second[last]&^decisionQ)
			paths = append(paths, second, first)
		case w.failed:
			return nil, w.stats, errStuck
		}
		w.failed = false
	}
	return paths, w.stats, nil
}

// spread searches by labels through somebody else's hands.
func (p *prover) spread(ctx context.Context, o Options, c *collector) (labelStats, error) {
	s := newSpace(p, o.Order)
	paths, stats, err := s.cut(subtreesWanted, c.leaf)
	if err != nil {
		return stats, err
	}
	all := make([]Subtree, len(paths))
	left := uint64(progressUnits)
	for i, path := range paths {
		all[i].Order = o.Order
		for _, d := range path {
			all[i].Path = append(all[i].Path, byte(d))
		}
		left -= share(path)
	}
	o.Watch.part.Add(left) // what was seen at the top
	err = o.Spread(ctx, all, func(number int, f Finding) error {
		stats.add(labelStats{Nodes: f.Nodes, Pivots: f.Pivots, Doubts: f.Doubts})
		o.Watch.part.Add(share(paths[number]))
		for _, leaf := range f.Leaves {
			c.leaf(leaf[0], leaf[1])
		}
		if f.Stuck {
			return errStuck
		}
		return c.ctx.Err()
	})
	return stats, err
}

// share is how much of a search a subtree counts as.
func share(path []decision) uint64 { return uint64(math.Ldexp(progressUnits, -len(path))) }

// A Searcher searches subtrees of a game. Any number of goroutines may use it.
type Searcher struct {
	spaces [2]*space // by order
}

// NewSearcher returns a searcher of a game.
func NewSearcher(g *Game) (*Searcher, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	p := newProver(g)
	return &Searcher{[2]*space{newSpace(p, BySum), newSpace(p, ByProduct)}}, nil
}

// Search searches a subtree, until it is done or the context is.
func (s *Searcher) Search(ctx context.Context, t Subtree) (Finding, error) {
	if t.Order != BySum && t.Order != ByProduct {
		return Finding{}, fmt.Errorf("there is no order of branching %d", t.Order)
	}
	space := s.spaces[t.Order]
	path := make([]decision, len(t.Path))
	for i, d := range t.Path {
		path[i] = decision(d)
		if int(path[i].label()) >= space.labels {
			return Finding{}, errors.New("a subtree of another game")
		}
	}
	var f Finding
	w := newWalker(space)
	w.done = func(int) {}
	w.leaf = func(rows, cols uint64) { f.Leaves = append(f.Leaves, [2]uint64{rows, cols}) }
	stopped := false
	w.branch = func([]decision) bool {
		if ctx.Err() != nil {
			stopped, w.failed = true, true
		}
		return false
	}
	w.walk(path)
	if stopped {
		return Finding{}, ctx.Err()
	}
	f.Nodes, f.Pivots, f.Doubts, f.Stuck = w.stats.Nodes, w.stats.Pivots, w.stats.Doubts, w.failed
	return f, nil
}
