package cfr

import (
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/abstraction"
)

// deviceGame lays a game out for a GPU. What the kernels are not made for is
// errors.ErrUnsupported.
func deviceGame(l *Layout) (cudalib.CFRGame, error) {
	if l.Tree.Game.NumPlayers != 2 || l.Tree.Game.NumHoleCards != 1 {
		return cudalib.CFRGame{}, fmt.Errorf("%s: a GPU trains games of two players with one hole card: %w", l.Tree.Game.Name, errors.ErrUnsupported)
	}
	g := cudalib.CFRGame{Entries: l.Entries}
	for r := range l.Cards.Rounds {
		g.Rounds = append(g.Rounds, deviceRound(l, r))
	}
	for k, s := range l.Tree.Segments {
		g.Segments = append(g.Segments, cudalib.CFRSegment{
			Round: s.Round, First: int(s.First), Last: int(s.Last),
			From: int(l.Tree.Nodes[s.First].Parent), Before: int(l.before[k]),
		})
	}
	stakes := newStakes[float32](l.Tree)
	for i := range l.Tree.Nodes {
		g.Nodes = append(g.Nodes, deviceNode(l, int32(i), stakes))
	}
	return g, nil
}

func deviceRound(l *Layout, r int) cudalib.CFRRound {
	round := &l.Cards.Rounds[r]
	x := cudalib.CFRRound{
		Stride: round.Stride, FirstSegment: int(l.rounds[r]), Segments: int(l.rounds[r+1] - l.rounds[r]),
		Ties: make([]uint32, round.Stride),
	}
	for h := range round.Stride {
		x.Up = append(x.Up, uint32(round.Up[h]))
		x.Size = append(x.Size, float32(round.Size[h]))
		x.Weight = append(x.Weight, float32(round.Weight[h]))
	}
	for _, board := range cut(round, 1) {
		for range board.width() {
			x.Board = append(x.Board, uint32(board.first))
			x.Groups = append(x.Groups, uint32(board.width()/abstraction.Lanes))
		}
	}
	for _, in := range cut(round, cudalib.CFRColumns) {
		x.Parts = append(x.Parts, uint32(in.first), uint32(in.last))
	}
	if r < len(l.Cards.Rounds)-1 {
		x.ChildStart, x.Children = children(round, &l.Cards.Rounds[r+1])
		return x
	}
	lower, higher := ties(round)
	for h := range x.Ties {
		x.Ties[h] = uint32(lower[h]) | uint32(higher[h])<<16
		if x.Size[h] == 0 { // padding ties with everything, and so has the value 0
			x.Ties[h] = x.Groups[h] * abstraction.Lanes << 16
		}
	}
	return x
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

func deviceNode(l *Layout, i int32, stakes []stake[float32]) cudalib.CFRNode {
	n := &l.Tree.Nodes[i]
	x := cudalib.CFRNode{
		Actor: int(n.Actor), Actions: int(n.NumActions), First: int(n.First),
		Slot: [2]int{int(l.slot(i, 0)), int(l.slot(i, 1))}, Entry: l.Entry[i],
	}
	switch n.Kind {
	case Deal:
		x.Kind = cudalib.CFRDeal
	case Terminal:
		s := stakes[n.First]
		x.Kind, x.Amount, x.Showdown = cudalib.CFREnd, s.amount, s.showdown
	}
	return x
}
