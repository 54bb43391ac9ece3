package cfr

import (
	"errors"
	"fmt"
	"sort"

	"gamebots/cudalib/cfrgpu"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// deviceGame lays a game out for a GPU. What the kernels are not made for is
// errors.ErrUnsupported.
func deviceGame(l *Layout) (cfrgpu.Game, error) {
	game := l.Tree.Game
	if game.NumPlayers != 2 || game.NumHoleCards > 2 {
		return cfrgpu.Game{}, fmt.Errorf("%s: a GPU trains games of two players with one hole card or two: %w", game.Name, errors.ErrUnsupported)
	}
	g := cfrgpu.Game{HoleCards: game.NumHoleCards, Entries: l.Entries, Scales: l.numScales()}
	for r := range l.Cards.Rounds {
		g.Rounds = append(g.Rounds, deviceRound(l, r))
	}
	for k, s := range l.Tree.Segments {
		g.Segments = append(g.Segments, cfrgpu.Segment{
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

func deviceRound(l *Layout, r int) cfrgpu.Round {
	round := &l.Cards.Rounds[r]
	x := cfrgpu.Round{
		Stride: round.Stride, FirstSegment: int(l.rounds[r]), Segments: int(l.rounds[r+1] - l.rounds[r]),
		Ties: make([]uint32, round.Stride),
	}
	for h := range round.Stride {
		x.Up = append(x.Up, uint32(round.Up[h]))
		x.Size = append(x.Size, float32(round.Size[h]))
		x.Weight = append(x.Weight, round.Weight[h])
	}
	boards := cut(round, 1)
	columns := cfrgpu.MaxColumns
	if l.hands != nil {
		columns = 1 // a board
		deviceHands(&x, l.hands[r], round)
	} else {
		for _, board := range boards {
			for range board.width() {
				x.Board = append(x.Board, uint32(board.first))
				x.Groups = append(x.Groups, uint32(board.width()/abstraction.Lanes))
			}
		}
	}
	for _, in := range cut(round, columns) {
		x.Parts = append(x.Parts, uint32(in.first), uint32(in.last))
	}
	if r < len(l.Cards.Rounds)-1 {
		x.ChildStart, x.Children = children(round, &l.Cards.Rounds[r+1])
		x.ShareStart, x.Shares = shares(x.ChildStart, x.Children, l.shares[r+1])
		return x
	}
	lower, higher := ties(round)
	for h := range x.Ties {
		x.Ties[h] = uint32(lower[h]) | uint32(higher[h])<<16
	}
	return x
}

// deviceHands adds the hands of two cards.
func deviceHands(x *cfrgpu.Round, h *hands, round *abstraction.Round) {
	x.Hands, x.Lists = h.each, h.lists
	for _, b := range h.boards {
		x.BoardLists = append(x.BoardLists, cfrgpu.BoardLists{First: b.first, Cards: b.cards})
	}
	for i := range round.Stride {
		c, p := h.card[i], h.places[i]
		sums := uint32(h.each + 1)
		x.Card = append(x.Card, uint32(c[0])*sums|uint32(c[1])*sums<<16)
		x.Places = append(x.Places, uint32(p[0].lower)|uint32(p[0].higher)<<8|uint32(p[1].lower)<<16|uint32(p[1].higher)<<24)
	}
}

// shares cuts the children of each bucket where their boards are cut: those of
// bucket h are the shares from start[h] to start[h+1], and share i starts at
// child first[i].
func shares(childStart, children []uint32, of []part) (start, first []uint32) {
	for h := range len(childStart) - 1 {
		start = append(start, uint32(len(first)))
		last := 0 // of the share that is being filled
		for i := childStart[h]; i < childStart[h+1]; i++ {
			if child := int(children[i]); child >= last {
				first = append(first, i)
				last = of[sort.Search(len(of), func(k int) bool { return of[k].last > child })].last
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

func deviceNode(l *Layout, i int32, stakes []stake[float32]) cfrgpu.Node {
	n := &l.Tree.Nodes[i]
	x := cfrgpu.Node{
		Actor: int(n.Actor), Actions: int(n.NumActions), First: int(n.First),
		Slot: [2]int{int(l.slot(i, 0)), int(l.slot(i, 1))}, Entry: l.Entry[i], Scale: l.scales[i],
	}
	switch n.Kind {
	case betting.Deal:
		x.Kind = cfrgpu.Deal
	case betting.Terminal:
		s := stakes[n.First]
		x.Kind, x.Amount, x.Showdown = cfrgpu.Terminal, s.amount, s.showdown
	}
	return x
}
