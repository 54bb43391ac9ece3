package bestresponse

import (
	"strings"

	"gamebots/acpc"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/betting"
)

// A Line is what responses win after a betting sequence of the first round, in the mean of both positions.
type Line struct {
	Betting    string  `json:"betting"` // as in "r300c"
	Won        float64 `json:"won"`
	Interval95 float64 `json:"interval95,omitempty"` // half of the interval of an estimate
}

// Lines divides what responses win by the betting in the first round, if they follow the strategy there, given the sum
// of all parts. Who follows it in later rounds, too, wins nothing after any betting.
func (r *Response) Lines(s Sum) []Line { return r.lines([]PartValues{s.Values}, 1) }

// Lines is [Response.Lines] estimated from the values of each draw.
func (s *Sample) Lines(drawn []PartValues) []Line { return s.r.lines(drawn, s.all()) }

// lines estimates lines from values, each of which stands for the sum over all boards when it is scaled.
func (r *Response) lines(values []PartValues, scale float64) (lines []Line) {
	if r.last == 0 || !r.follow[0] {
		return nil
	}
	root := r.root()
	bucket, tree := r.bucketsOf(&root, 0), r.rounds[0][0].parts[0].tree
	states := r.states(tree)
	won := make([]stats.Sample, len(r.rounds[0][0].parts[0].nodes.Deals))
	for _, v := range values {
		for deal := range won {
			won[deal].Add((r.after(0, deal, v[0], bucket) + r.after(1, deal, v[1], bucket)) / 2 * scale)
		}
	}
	for deal, node := range r.rounds[0][0].parts[0].nodes.Deals {
		state := states[tree.Segments[tree.Nodes[node].First].First]
		line := Line{Betting: strings.TrimSuffix(string(state.AppendBetting(nil)), "/"), Won: won[deal].Mean()}
		if len(values) > 1 {
			line.Interval95 = won[deal].Interval95()
		}
		lines = append(lines, line)
	}
	return lines
}

// after returns what a responder that follows the strategy in the first round wins in chips a hand after one of its
// deals, from the sums over all boards.
func (r *Response) after(p, deal int, sums []float64, bucket []uint32) (won float64) {
	first, at := r.rounds[p][0].parts[0], r.second(p).at
	for k, lane := range at {
		if uint32(lane) != first.Next[deal*first.Width] {
			continue
		}
		for c, class := range r.classes { // its hands have the same bucket
			x := sums[c*len(at)+k]
			for _, column := range first.Paths[p][deal] {
				x *= float64(first.probabilities(bucket[class[0]], first.own[column])[0])
			}
			won += x
		}
	}
	return won / r.extensions(1) / r.deals()
}

// states returns the hands with which the segments of the second round begin, by their first nodes.
func (r *Response) states(tree *answers) map[int32]acpc.State {
	states := map[int32]acpc.State{}
	var visit func(node int32, s acpc.State)
	visit = func(node int32, s acpc.State) {
		n := &tree.Nodes[node]
		if n.Kind == betting.Deal {
			states[tree.Segments[n.First].First] = s
		}
		for a := range int32(n.NumActions) {
			next := s
			next.Apply(tree.Nodes[n.First+a].Action())
			visit(n.First+a, next)
		}
	}
	visit(0, r.game.NewState(0))
	return states
}
