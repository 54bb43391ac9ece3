package havannah

import (
	"cmp"
	"math"
	"slices"

	"gamebots/hexproto/wire"
	search "gamebots/solvers/havannah"
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
func rate(search *mcts.Search, game *search.Game) []wire.Rated {
	var rated []wire.Rated
	stats := search.Stats()
	simulations := max(minRated, stats[0].Simulations/minRatedShare)
	name := func(m mcts.Move) string { return game.Board().Grid().Format(game.Move(m)) }
	for i, s := range stats {
		if i > 0 && s.Proof == mcts.Unknown && s.Simulations < simulations {
			continue
		}
		r := wire.Rated{Move: name(s.Move), Work: int64(s.Simulations), Proof: proofs[s.Proof+1]}
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
	rated = append(rated, decidedAtOnce(search, game, name)...)
	slices.SortStableFunc(rated, byProof)
	for i := range rated[min(len(rated), maxLines):] {
		rated[maxLines+i].Line = nil
	}
	return slices.Clip(rated)
}

// decidedAtOnce returns the moves that a search leaves out because they, or a reply to
// them, end the game.
func decidedAtOnce(search *mcts.Search, game *search.Game, name func(mcts.Move) string) (rated []wire.Rated) {
	mine, theirs := game.DecidedAtOnce()
	if len(mine)+len(theirs) == 0 {
		return nil // the search has them all
	}
	searched := map[mcts.Move]bool{}
	for _, s := range search.Stats() {
		searched[s.Move] = true
	}
	for _, move := range game.Board().AppendMoves(nil) {
		m := game.Number(move)
		if searched[m] {
			continue
		}
		if slices.Contains(mine, m) {
			rated = append(rated, wire.Rated{
				Move: name(m), Value: 1, Proof: wire.ProvedWin, Plies: 1, Line: []string{name(m)},
			})
			continue
		}
		for _, reply := range theirs {
			if reply != m {
				rated = append(rated, wire.Rated{
					Move: name(m), Proof: wire.ProvedLoss, Plies: 2, Line: []string{name(m), name(reply)},
				})
				break
			}
		}
	}
	return rated
}

// proofs are the names of proofs, by the proof plus one.
var proofs = [...]string{
	mcts.Loss + 1: wire.ProvedLoss, mcts.Unknown + 1: "", mcts.Win + 1: wire.ProvedWin, mcts.Draw + 1: wire.ProvedDraw,
}

// byProof orders wins before other moves and losses after them; quick wins before slow
// ones and slow losses before quick ones. Those of unknown length count as slow.
func byProof(a, b wire.Rated) int {
	rank := map[string]int{wire.ProvedWin: -1, wire.ProvedLoss: 1}
	slow := func(r wire.Rated) uint { return uint(r.Plies) - 1 } // 0, for unknown, becomes the largest
	switch d := cmp.Compare(rank[a.Proof], rank[b.Proof]); {
	case d != 0:
		return d
	case a.Proof == wire.ProvedWin && b.Proof == wire.ProvedWin:
		return cmp.Compare(slow(a), slow(b))
	case a.Proof == wire.ProvedLoss && b.Proof == wire.ProvedLoss:
		return cmp.Compare(slow(b), slow(a))
	}
	return 0
}
