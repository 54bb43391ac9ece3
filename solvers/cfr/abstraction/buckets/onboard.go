package buckets

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/internal/strength"
)

// OnBoard returns the buckets of some hole cards on a board, which has no cards of later rounds.
// On a full board whose buckets are computed when they are asked for, Bucket ranks the hands of
// all opponents; OnBoard ranks them once for all hole cards.
func (t *Table) OnBoard(round int, board [acpc.MaxRounds]card.Set, holes []card.Set) []int {
	x := &t.rounds[round]
	var own map[card.Set]int // buckets by hole cards
	if x.table() == nil && x.Centres != nil && t.deck.Board[round] == t.deck.Full() {
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
		if board |= c; board.Len() != t.deck.Board[r] || board&^t.hands.Set != 0 {
			return nil
		}
	}
	if own, ok := t.onBoards.Get(fullBoard{x, board}); ok {
		return own
	}
	own := make(map[card.Set]int, len(t.hands.All))
	t.onFullBoards(x, func(feature []uint16) int {
		centre, _ := x.Centres.Nearest(feature)
		return centre
	})(board, func(hole card.Set, bucket int) { own[hole] = bucket })
	t.onBoards.Add(fullBoard{x, board}, own)
	return own
}

// onFullBoards returns a function that takes the buckets, by a round alone, of all hole cards on a full
// board. near finds the centre that is nearest to a feature. It is for one goroutine.
func (t *Table) onFullBoards(
	x *round, near func(feature []uint16) int,
) func(board card.Set, take func(hole card.Set, bucket int)) {
	cluster, groups := t.Opponents(x.Feature)
	showdown, feature := strength.NewShowdown(t.hands, cluster, groups), make([]uint16, x.Centres.Dim)
	return func(board card.Set, take func(hole card.Set, bucket int)) {
		showdown.Board(board, func(number int, s *strength.Strengths) {
			t.hands.Feature(feature, x.Feature == OCHS, s)
			take(t.hands.All[number].Hole, x.BucketOf(near(feature)))
		})
	}
}
