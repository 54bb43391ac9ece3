package labels

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/verify"
)

// A Subtree is a part of a search that can be done independently, also on another
// machine, by [Searcher.Search].
type Subtree struct {
	Order Order  `json:"order"`
	Path  []byte `json:"path"` // the decisions from the root
}

// A SubtreeResult depends only on the game and the subtree.
type SubtreeResult struct {
	Candidates [][2]uint64 `json:"leaves"` // supports at the leaves, of rows and columns
	Nodes      uint64      `json:"nodes"`
	Pivots     uint64      `json:"pivots"`
	Ambiguous  uint64      `json:"doubts"`
	Cycling    bool        `json:"stuck,omitempty"` // the search failed with ErrCycling
}

// A Distributor has subtrees searched, in any order and anywhere, and passes the
// result of each to onResult by its place in the list, one at a time. If onResult
// returns an error, the distributor stops and returns that error.
type Distributor func(ctx context.Context, subtrees []Subtree, onResult func(i int, r SubtreeResult) error) error

// numSubtrees is how many subtrees a search is cut into, approximately. It is far
// more than the machines have cores, as subtrees differ in size.
const numSubtrees = 1024

// Distribute searches the top of the tree here and the subtrees below it by d.
// Threads are not used: OnCandidate and Progress are never called concurrently.
func (s *Space) Distribute(ctx context.Context, d Distributor, o Options) (Stats, error) {
	paths, stats, err := s.cut(numSubtrees, o.OnCandidate)
	if err != nil {
		return stats, err
	}
	subtrees := make([]Subtree, len(paths))
	top := 1.0
	for i, path := range paths {
		subtrees[i].Order = s.order
		for _, step := range path {
			subtrees[i].Path = append(subtrees[i].Path, byte(step))
		}
		top -= share(path)
	}
	o.Progress(top)
	err = d(ctx, subtrees, func(i int, r SubtreeResult) error {
		stats.add(Stats{Nodes: r.Nodes, Pivots: r.Pivots, Ambiguous: r.Ambiguous})
		o.Progress(share(paths[i]))
		for _, c := range r.Candidates {
			o.OnCandidate(c[0], c[1])
		}
		if r.Cycling {
			return ErrCycling
		}
		return ctx.Err()
	})
	return stats, err
}

// cut searches the top of the tree, down to at least the wanted number of subtrees,
// and returns the paths to these.
func (s *Space) cut(wanted int, onCandidate func(rows, cols uint64)) (paths [][]decision, stats Stats, err error) {
	tr := newTraversal(s)
	tr.candidate, tr.done = onCandidate, func(int) {}
	var second []decision
	tr.handOver = func(path []decision) bool {
		second = append([]decision(nil), path...)
		tr.failed = true // end the visit at the first branching
		return true
	}
	paths = [][]decision{nil}
	for len(paths) > 0 && len(paths) < wanted {
		path := paths[0]
		paths, second = paths[1:], nil
		tr.visit(path)
		switch {
		case second != nil:
			last := len(second) - 1
			first := append(append([]decision(nil), second[:last]...), second[last]&^decisionQ)
			paths = append(paths, second, first)
		case tr.failed:
			return nil, tr.stats, ErrCycling
		}
		tr.failed = false
	}
	return paths, tr.stats, nil
}

// share is the part of the whole search that a subtree counts as.
func share(path []decision) float64 { return math.Ldexp(1, -len(path)) }

// A Searcher searches subtrees of a game. It is safe for concurrent use.
type Searcher struct {
	spaces [2]*Space // the game with each order of its players
}

// NewSearcher returns a searcher of a game. The error is that of [game.Game.Check].
func NewSearcher(g *game.Game) (*Searcher, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	v := verify.New(g)
	return &Searcher{[2]*Space{NewSpace(v, BySum), NewSpace(v, ByProduct)}}, nil
}

// Search searches a subtree. It returns the error of ctx if that ends first, or an
// error for a subtree of another game.
func (s *Searcher) Search(ctx context.Context, t Subtree) (SubtreeResult, error) {
	if t.Order != BySum && t.Order != ByProduct {
		return SubtreeResult{}, fmt.Errorf("unknown order of branching %d", t.Order)
	}
	space := s.spaces[t.Order]
	path := make([]decision, len(t.Path))
	for i, d := range t.Path {
		path[i] = decision(d)
		if int(path[i].label()) >= space.labels {
			return SubtreeResult{}, errors.New("a subtree of another game")
		}
	}
	var r SubtreeResult
	tr := newTraversal(space)
	tr.done = func(int) {}
	tr.candidate = func(rows, cols uint64) { r.Candidates = append(r.Candidates, [2]uint64{rows, cols}) }
	stopped := false
	tr.handOver = func([]decision) bool {
		if ctx.Err() != nil {
			stopped, tr.failed = true, true
		}
		return false
	}
	tr.visit(path)
	if stopped {
		return SubtreeResult{}, ctx.Err()
	}
	r.Nodes, r.Pivots, r.Ambiguous, r.Cycling = tr.stats.Nodes, tr.stats.Pivots, tr.stats.Ambiguous, tr.failed
	return r, nil
}
