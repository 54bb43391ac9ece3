package publictree

import (
	"runtime"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Prepare lays out a game with an action abstraction if training it, with as many
// threads as there are processors, fits in budget bytes of memory. A game
// that does not fit is refused with a [*policy.SizeError] before anything large is
// allocated.
func Prepare(g *acpc.Game, actions betting.Actions, kind abstraction.Kind, budget int64) (*Layout, error) {
	size := Measure(g, actions.ShapeOf(g, betting.CountLimit), kind)
	if !size.Fits(budget) {
		return nil, sizeError(g, kind, actions, size, budget)
	}
	return NewLayout(betting.NewTree(g, size.Shape), abstraction.New(g, kind)), nil
}

// SizeError returns the error for work on a layout that needs more bytes than there are.
func (l *Layout) SizeError(need, budget int64) *policy.SizeError {
	size := Measure(l.Tree.Game, l.Tree.Shape, l.Cards.Kind)
	size.Bytes = need
	return sizeError(l.Tree.Game, l.Cards.Kind, l.Tree.Shape.Betting, size, budget)
}

func sizeError(
	g *acpc.Game, kind abstraction.Kind, actions betting.Actions, size policy.Size, budget int64,
) *policy.SizeError {
	spec := policy.GameSpec{Game: g, Cards: kind.String(), Actions: actions}
	return &policy.SizeError{Spec: spec, Size: size, Budget: budget}
}

// nodeBytes is the size of a node in a layout.
const nodeBytes = 60

// Measure returns the size of the arrays of a layout, a trainer and an evaluator.
func Measure(g *acpc.Game, shape betting.Shape, kind abstraction.Kind) policy.Size {
	s := policy.Size{Shape: shape}
	buckets, boards := abstraction.Count(g, kind)
	s.Buckets = buckets
	index, all := float64(shape.Bytes()), 0.
	before := index + nodeBytes*float64(shape.Nodes)
	for r := range g.NumRounds {
		decisions, actions := float64(shape.Decisions[r]), float64(shape.Actions[r])
		s.InfoSets += decisions * buckets[r]
		s.Entries += actions * buckets[r]

		stride := policy.Stride(buckets[r], boards[r])
		index += stride * policy.BucketBytes
		before += stride*(actions*(4+4)+policy.BucketBytes) + dealBytes(g, boards[r], shape.Terminals)
		// A last round keeps the values at the roots of its segments (at most one
		// a decision), an earlier one all its vectors.
		roots := stride * min(decisions, float64(shape.Segments[r])) * (4 + 8 + 8)
		all = before + roots + workerBytes(g, r, shape.Widest[r], stride)
		before += stride * (decisions + actions) * frameVectors * (4 + 8)
	}
	s.IndexBytes, s.Bytes = memory.Saturate(index), memory.Saturate(all)
	return s
}

// workerBytes returns the size of all threads' frames if a round with stride
// buckets is the last.
func workerBytes(g *acpc.Game, round, nodes int, stride float64) float64 {
	vectors := float64(frameVectors * (nodes + g.NumPlayers))
	hands := card.Combinations(g.NumSuits*g.NumRanks-g.BoardCards(round), g.NumHoleCards) // on one board, at most
	width := min(stride, max(frameFloats/vectors, float64(hands+abstraction.Lanes)))
	return float64(runtime.GOMAXPROCS(0)) * vectors * width * (4 + 8)
}

// dealBytes returns the size of the tables for terminal values on the boards of one
// round.
func dealBytes(g *acpc.Game, boards float64, ends int) float64 {
	deals, left := boards, g.NumSuits*g.NumRanks-g.BoardCards(g.NumRounds-1)
	for p := range g.NumPlayers {
		if p > 0 && g.NumPlayers == 2 && g.NumHoleCards <= 2 {
			return deals * 4 // only the hands of one player are listed
		}
		deals *= float64(card.Combinations(left-p*g.NumHoleCards, g.NumHoleCards))
	}
	return deals * float64(g.NumPlayers) * float64(8+12*ends)
}
