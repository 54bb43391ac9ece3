package havannahbot

import (
	"cmp"
	"math"
	"slices"

	"gamebots/hexproto/game"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// The limits of rated moves: how many have a line, and the length of a line.
const (
	maxLines = 10
	maxLine  = 16
)

// A rated move has minRated simulations at least, and 1/minRatedShare of those of the best
// move, or a proof. The score of fewer simulations means nothing.
const minRated, minRatedShare = 10, 100

// rate returns the moves of a search that have enough simulations or a proof, best first.
// The quickest proved win comes first, the proved loss that delays the end most before
// other losses.
func rate(search *mcts.Search, g *hexsearch.Game) []game.Rated {
	var rated []game.Rated
	stats := search.Stats()
	simulations := max(minRated, stats[0].Simulations/minRatedShare)
	name := func(m mcts.Move) string { return g.Board().Grid().Format(g.Move(m)) }
	for i, s := range stats {
		if i > 0 && s.Proof == mcts.Unknown && s.Simulations < simulations {
			continue
		}
		r := game.Rated{Move: name(s.Move), Work: int64(s.Simulations), Proof: proofs[s.Proof+1]}
		if v := value(s); !math.IsNaN(v) {
			r.Value = v
		}
		var line []mcts.Move
		line, r.Plies = search.Variation(s.Move)
		for _, m := range line[:min(len(line), maxLine)] {
			r.Line = append(r.Line, name(m))
		}
		rated = append(rated, r)
	}
	rated = append(rated, decidedAtOnce(search, g, name)...)
	slices.SortStableFunc(rated, byProof)
	for i := range rated[min(len(rated), maxLines):] {
		rated[maxLines+i].Line = nil
	}
	return slices.Clip(rated)
}

// decidedAtOnce returns the moves that a search leaves out because they, or a reply to
// them, end the game.
func decidedAtOnce(search *mcts.Search, g *hexsearch.Game, name func(mcts.Move) string) (rated []game.Rated) {
	mine, theirs := g.DecidedAtOnce()
	if len(mine)+len(theirs) == 0 {
		return nil // the search has them all
	}
	searched := map[mcts.Move]bool{}
	for _, s := range search.Stats() {
		searched[s.Move] = true
	}
	for _, move := range g.Board().AppendMoves(nil) {
		m := g.Number(move)
		if searched[m] {
			continue
		}
		if slices.Contains(mine, m) {
			rated = append(rated, game.Rated{
				Move: name(m), Value: 1, Proof: game.ProvedWin, Plies: 1, Line: []string{name(m)},
			})
			continue
		}
		for _, reply := range theirs {
			if reply != m {
				rated = append(rated, game.Rated{
					Move: name(m), Proof: game.ProvedLoss, Plies: 2, Line: []string{name(m), name(reply)},
				})
				break
			}
		}
	}
	return rated
}

// proofs are the names of proofs, by the proof plus one.
var proofs = [...]string{
	mcts.Loss + 1: game.ProvedLoss, mcts.Unknown + 1: "", mcts.Win + 1: game.ProvedWin, mcts.Draw + 1: game.ProvedDraw,
}

// byProof orders wins before other moves and losses after them; quick wins before slow
// ones and slow losses before quick ones. Those of unknown length count as slow.
func byProof(a, b game.Rated) int {
	rank := map[string]int{game.ProvedWin: -1, game.ProvedLoss: 1}
	slow := func(r game.Rated) uint { return uint(r.Plies) - 1 } // 0, for unknown, becomes the largest
	switch d := cmp.Compare(rank[a.Proof], rank[b.Proof]); {
	case d != 0:
		return d
	case a.Proof == game.ProvedWin && b.Proof == game.ProvedWin:
		return cmp.Compare(slow(a), slow(b))
	case a.Proof == game.ProvedLoss && b.Proof == game.ProvedLoss:
		return cmp.Compare(slow(b), slow(a))
	}
	return 0
}
