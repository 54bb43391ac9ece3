package buckets

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// OnBoard returns the buckets of some hole cards on a board, which has no cards of later rounds.
// On a full board whose buckets are computed when they are asked for, Bucket ranks the hands of
// all opponents; OnBoard ranks them once for all hole cards.
func (t *Table) OnBoard(round int, board [acpc.MaxRounds]card.Set, holes []card.Set) []int {
	x := &t.rounds[round]
	var own map[card.Set]int // buckets by hole cards
	if x.table() == nil && x.centres != nil && t.deck.Board[round] == t.deck.full() {
		own = t.ownOnBoard(x, board[:round+1])
	}
	list, d := make([]int, len(holes)), abstraction.Deal{Board: board}
	for i, hole := range holes {
		d.Hole = hole
		bucket, ok := own[hole]
		switch {
		case !ok:
			list[i] = t.Bucket(round, d)
		case t.recipe.PerfectRecall && round > 0:
			list[i] = t.Bucket(round-1, d)*x.buckets + bucket
		default:
			list[i] = bucket
		}
	}
	return list
}

// ownOnBoard returns the buckets of hole cards on a full board by their round alone. It has none
// for cards that are no such board.
func (t *Table) ownOnBoard(x *round, cards []card.Set) map[card.Set]int {
	board := card.Set(0)
	for r, c := range cards {
		if board |= c; board.Len() != t.deck.Board[r] || board&^t.hands.set != 0 {
			return nil
		}
	}
	own := make(map[card.Set]int, len(t.hands.all))
	cluster, groups := t.opponents(x.Feature)
	feature := make([]uint16, x.centres.Dim)
	newShowdown(t.hands, cluster, groups).board(board, func(number int, s *strengths) {
		t.hands.showdownFeature(feature, x.Feature, s)
		centre, _ := x.centres.Nearest(feature)
		own[t.hands.all[number].hole] = x.bucketOf(centre)
	})
	return own
}
