package subgame

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Fill sets the weights of all entries to what a strategy plays in the subgame, which is that of
// a segment of the strategy's tree. The board has the cards of each round up to the segment's.
// play appends the weights of the actions of a decision of that tree for a bucket; if it appends
// none, they are left as they are.
func (s *Subgame) Fill(weights []float32, x *policy.Index, segment int, board [acpc.MaxRounds]card.Set, play func(dst []float64, node int32, bucket int) ([]float64, error)) error {
	start := x.Tree.Segments[segment].Round
	buckets := make([][]int, len(s.Cards.Rounds))
	for r := range buckets {
		buckets[r] = s.buckets(x, start, r, board)
	}
	from := []int32{int32(segment)} // by segment: that of the strategy's tree
	for k := range s.Tree.Segments {
		in := &s.Tree.Segments[k]
		offset := x.Tree.Segments[from[k]].First - in.First
		for node := in.First; node < in.Last; node++ {
			switch s.Tree.Nodes[node].Kind {
			case betting.Deal: // they lead to the segments in their order
				from = append(from, x.Tree.Nodes[node+offset].First)
			case betting.Decision:
				err := s.fillDecision(weights, node, buckets[in.Round], func(bucket int) ([]float64, error) { return play(nil, node+offset, bucket) })
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// buckets returns the buckets of a strategy, by hand of a round of the subgame, which starts with
// another one of the strategy's game; -1 is padding.
func (s *Subgame) buckets(x *policy.Index, start, round int, board [acpc.MaxRounds]card.Set) (buckets []int) {
	in := &s.Cards.Rounds[round]
	for i := range in.Boards {
		b := &in.Boards[i]
		copy(board[start+1:], b.Cards[1:round+1])
		buckets = append(buckets, x.OnBoard(start+round, board, in.Hole[b.First:][:b.Width()])...)
	}
	return buckets
}

// fillDecision sets the weights of a decision, given those of its actions for a bucket.
func (s *Subgame) fillDecision(weights []float32, node int32, buckets []int, play func(bucket int) ([]float64, error)) error {
	rows, to := map[int][]float64{}, weights[s.Entry(node):]
	for hand, bucket := range buckets {
		if bucket < 0 {
			continue
		}
		row, known := rows[bucket]
		if !known {
			var err error
			if row, err = play(bucket); err != nil {
				return err
			}
			rows[bucket] = row
		}
		for a, x := range row {
			to[a*len(buckets)+hand] = float32(x)
		}
	}
	return nil
}
