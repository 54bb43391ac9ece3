package ondevice

import (
	"errors"
	"fmt"
	"sort"

	"gamebots/cudalib/cfrgpu"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
)

// newGame lays a game out for a GPU. For games that the kernels do not support the
// error is an errors.ErrUnsupported.
func newGame(l *publictree.Layout) (cfrgpu.Game, error) {
	game := l.Tree.Game
	if game.NumPlayers != 2 || game.NumHoleCards > 2 {
		return cfrgpu.Game{}, fmt.Errorf("%s: a GPU trains games of two players with one hole card or two: %w",
			game.Name, errors.ErrUnsupported)
	}
	g := cfrgpu.Game{HoleCards: game.NumHoleCards, Entries: l.Entries, Scales: l.NumScales()}
	for r := range l.Cards.Rounds {
		g.Rounds = append(g.Rounds, newRound(l, r))
	}
	for k, s := range l.Tree.Segments {
		g.Segments = append(g.Segments, cfrgpu.Segment{
			Round: s.Round, First: int(s.First), Last: int(s.Last),
			From: int(s.From), Before: int(l.ParentSegment(k)),
		})
	}
	payoffs := publictree.Payoffs[float32](l.Tree.Terminals)
	for i := range l.Tree.Nodes {
		g.Nodes = append(g.Nodes, newNode(l, int32(i), payoffs))
	}
	return g, nil
}

func newRound(l *publictree.Layout, r int) cfrgpu.Round {
	round := &l.Cards.Rounds[r]
	firstSegment, segments := l.Segments(r)
	x := cfrgpu.Round{
		Stride: round.Stride, FirstSegment: int(firstSegment), Segments: int(segments),
		Ties: make([]uint32, round.Stride),
	}
	for h := range round.Stride {
		x.Up = append(x.Up, uint32(round.Up[h]))
		x.Size = append(x.Size, float32(round.Size[h]))
		x.Weight = append(x.Weight, round.Weight[h])
	}
	boards := round.Cut(1)
	columns := cfrgpu.MaxColumns
	if lists := l.CardLists(r); lists != nil {
		columns = 1 // a board
		addHands(&x, lists, round)
	} else {
		for _, board := range boards {
			for range board.Width() {
				x.Board = append(x.Board, uint32(board.First))
				x.Groups = append(x.Groups, uint32(board.Width()/abstraction.Lanes))
			}
		}
	}
	for _, in := range round.Cut(columns) {
		x.Parts = append(x.Parts, uint32(in.First), uint32(in.Last))
	}
	if r < len(l.Cards.Rounds)-1 {
		x.ChildStart, x.Children = children(round, &l.Cards.Rounds[r+1])
		x.PartialStart, x.Partials = partialRanges(x.ChildStart, x.Children, l.PartialSums(r+1))
		return x
	}
	lower, higher := publictree.Ties(round)
	for h := range x.Ties {
		x.Ties[h] = cfrgpu.Pair(uint32(lower[h]), uint32(higher[h]))
	}
	return x
}

// addHands adds the card lists of games of two hole cards.
func addHands(x *cfrgpu.Round, h *publictree.CardLists, round *abstraction.Round) {
	x.Hands, x.Lists = h.PerCard, h.Lists
	for _, b := range h.Boards {
		x.BoardLists = append(x.BoardLists, cfrgpu.BoardLists{First: b.First, Cards: b.Cards})
	}
	for i := range round.Stride {
		var positions [2]cfrgpu.CardPosition
		for c, ties := range h.Ties[i] {
			positions[c] = cfrgpu.CardPosition{
				List:  uint16(int(h.Card[i][c]) * (h.PerCard + 1)),
				Worse: uint16(ties.Lower), NotBetter: uint16(ties.Higher),
			}
		}
		x.Cards = append(x.Cards, positions)
	}
}

// partialRanges cuts the children of each bucket at the boundaries of the partial sums:
// bucket h has the partial sums [start[h], start[h+1]), and partial sum i starts at child
// first[i].
func partialRanges(childStart, children []uint32, of []abstraction.BoardRange) (start, first []uint32) {
	for h := range len(childStart) - 1 {
		start = append(start, uint32(len(first)))
		last := 0 // end of the current partial sum
		for i := childStart[h]; i < childStart[h+1]; i++ {
			if child := int(children[i]); child >= last {
				first = append(first, i)
				last = of[sort.Search(len(of), func(k int) bool { return of[k].Last > child })].Last
			}
		}
	}
	start = append(start, uint32(len(first)))
	return start, append(first, uint32(len(children)))
}

// children returns the buckets of the next round that refine each bucket, in
// ascending order: those of bucket h are list[start[h]:start[h+1]].
func children(round, next *abstraction.Round) (start, list []uint32) {
	start = make([]uint32, round.Stride+1)
	for c, up := range next.Up {
		if next.Size[c] > 0 { // no padding
			start[up+1]++
		}
	}
	for h := range round.Stride {
		start[h+1] += start[h]
	}
	list = make([]uint32, start[round.Stride])
	free := append([]uint32(nil), start...)
	for c, up := range next.Up {
		if next.Size[c] > 0 {
			list[free[up]] = uint32(c)
			free[up]++
		}
	}
	return start, list
}

func newNode(l *publictree.Layout, i int32, payoffs []publictree.Payoff[float32]) cfrgpu.Node {
	n := &l.Tree.Nodes[i]
	x := cfrgpu.Node{
		Actor: int(n.Actor), Actions: int(n.NumActions), First: int(n.First),
		Slot: [2]int{int(l.ReachVector(i, 0)), int(l.ReachVector(i, 1))}, Entry: l.Entry(i), Scale: l.Scale(i),
	}
	switch n.Kind {
	case betting.Deal:
		x.Kind = cfrgpu.Deal
	case betting.Terminal:
		p := payoffs[n.First]
		x.Kind, x.Amount, x.Showdown = cfrgpu.Terminal, p.Amount, p.Showdown
	}
	return x
}
