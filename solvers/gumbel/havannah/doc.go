// Package havannah searches positions of Havannah by a network of package hexnet.
//
// A [Search] is a gumbel.Search with the proofs of mcts/havannah, which sees wins and
// threats two plies deep. It encodes the positions that the network must evaluate, and
// reads the answers:
//
//	s.Start(board, 32, random)
//	for s.Next() {
//		planes = append(planes, s.Planes()...)
//		… // many searches share a batch
//		s.Set(&outputs, i)
//	}
//
// A search alone makes batches of its own: [Search.NextBatch] goes to several positions, and
// describes them on threads.
//
// With a random stream, the network sees each position under one of the twelve symmetries
// of the board.
//
// # The swap
//
// The network knows no swap: it says who wins if all stones stay as they are. Exchanging
// the colours of the only stone exchanges the players. So the value of a position with a
// swap is the absolute value of what the network says, and its policy is to swap if the
// player to move would rather lose. [FirstStone] chooses the first stone of such a game.
package havannah
