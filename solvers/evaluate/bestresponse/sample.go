package bestresponse

import (
	"slices"

	"gamebots/acpc/card"
	"gamebots/internal/rng"
	"gamebots/internal/stats"
)

// Sample draws boards of the second round at random, each as often as it occurs and
// independently of the others. It is used by one goroutine at a time.
type Sample struct {
	r      *Response
	random rng.Stream
	until  []float64 // boards up to each part
	drawn  []int     // parts
}

// MinSample is how many boards a [Bound] needs. With fewer, the decisions that they lead to
// are poor, and the interval is wide.
const MinSample = 8

// NewSample returns an empty sample. The seed determines which boards it draws.
func (r *Response) NewSample(seed uint64) *Sample {
	s := &Sample{r: r, random: rng.Stream(seed)}
	sum := 0.0
	for i := range r.boards {
		sum += r.boards[i].count
		s.until = append(s.until, sum)
	}
	return s
}

// all returns the number of boards, all names of suits counted.
func (s *Sample) all() float64 { return s.until[len(s.until)-1] }

// Draw draws n boards and returns the parts that stand for them. It needs [Response.Parts].
func (s *Sample) Draw(n int) []int {
	for range n {
		part, _ := slices.BinarySearch(s.until, float64(s.random.IntN(int(s.all())))+.5)
		s.drawn = append(s.drawn, part)
	}
	return s.drawn[len(s.drawn)-n:]
}

// Len returns the number of boards drawn.
func (s *Sample) Len() int { return len(s.drawn) }

// Of returns the values of each draw, given those of all parts.
func (s *Sample) Of(parts []PartValues) []PartValues {
	values := make([]PartValues, s.Len())
	for i, part := range s.drawn {
		values[i] = parts[part]
	}
	return values
}

// Cut takes back the draws from the first one on that has no values, as after an interruption, and returns how many are
// left. To leave out only the draws without values would favour those that take little time.
func (s *Sample) Cut(values []PartValues) int {
	if i := slices.IndexFunc(values, func(v PartValues) bool { return v[0] == nil }); i >= 0 {
		s.drawn = s.drawn[:i]
	}
	return s.Len()
}

// Bound is an estimate of what certain responses win. Best responses win at least as much,
// so that the mean is a lower bound of exploitability.
type Bound struct {
	Responses [2]Estimate // estimates by responder
	Mean      Estimate    // mean of both responders
}

// Estimate is a value in chips a hand, and half of its 95% confidence interval.
type Estimate struct{ Value, Interval95 float64 }

// Bound estimates a lower bound from the values of each draw, at least [MinSample].
// A response does not know which board will come: each board is valued with the
// decisions in the first round that are best on average over the others. In later rounds the
// response plays exactly. The bound is the mean over the boards. Its interval is Student's,
// with the variance that Nadeau and Bengio correct for values that depend on each other
// because their decisions do ("Inference for the generalization error", Machine Learning,
// 2003).
func (s *Sample) Bound(drawn []PartValues) Bound {
	values := [2][]float64{s.values(0, drawn), s.values(1, drawn)}
	var won [3]stats.Sample // what both responders won, and their mean
	for i := range s.drawn {
		first, second := values[0][i], values[1][i]
		won[0].Add(first)
		won[1].Add(second)
		won[2].Add((first + second) / 2)
	}
	var estimates [3]Estimate
	n := float64(s.Len())
	for k := range won {
		corrected := stats.Uncertainty{Variance: won[k].Variance() * (1/n + 1/(n-1)), Freedom: n - 1}
		estimates[k] = Estimate{won[k].Mean(), corrected.Interval95()}
	}
	return Bound{Responses: [2]Estimate(estimates[:2]), Mean: estimates[2]}
}

// values returns, by board of the sample, what a responder would win if that board always
// came, with the decisions in the first round that are best on average over the others. A
// hand of which the board takes a card wins there what it wins on the others. Its share is 0
// on such a board and more than 1 on the rest, so that this does not change the expectation,
// but which hands the sample happens to leave matters less.
func (s *Sample) values(p int, drawn []PartValues) []float64 {
	sums, shares := make([]float64, s.r.size(p)), make([]float64, len(s.r.classes))
	for i, part := range s.drawn {
		for k, v := range drawn[i][p] {
			sums[k] += v
		}
		for c, share := range s.shares(part) {
			shares[c] += share
		}
	}
	lanes, opening, values := len(s.r.second(p).at), s.r.opening(p), make([]float64, len(s.drawn))
	others, this := make([]float64, len(sums)), make([]float64, len(sums))
	for i, part := range s.drawn {
		won := drawn[i][p]
		for c, share := range s.shares(part) {
			for k := c * lanes; k < (c+1)*lanes; k++ {
				others[k] = 0
				if shares[c] > share {
					others[k] = (sums[k] - won[k]) * s.all() / (shares[c] - share)
				}
				this[k] = won[k]*s.all() + (1-share)*others[k]
			}
		}
		d := &decisions{}
		opening.value(others, d)
		values[i] = opening.value(this, d.again())
	}
	return values
}

// shares returns, by class, how many of its hands a board leaves, compared with the mean over
// all boards.
func (s *Sample) shares(part int) []float64 {
	cards, dealt := len(s.r.cards), int(s.r.game.NumBoardCards[1])
	mean := float64(card.Combinations(cards-s.r.game.NumHoleCards, dealt)) / float64(card.Combinations(cards, dealt))
	shares := make([]float64, len(s.r.classes))
	for c, class := range s.r.classes {
		left := 0
		for _, h := range class {
			if s.r.holes[h]&s.r.boards[part].all == 0 {
				left++
			}
		}
		shares[c] = float64(left) / float64(len(class)) / mean
	}
	return shares
}

// decisions are those of a responder in a round, in the order in which a rounder comes to
// them. A rounder makes the best ones if there are none yet, and follows them otherwise.
type decisions struct {
	better []bool // whether the later value is taken
	next   int
	made   bool
}

// again returns the decisions to be followed from the start.
func (d *decisions) again() *decisions { return &decisions{better: d.better, made: true} }

func (d *decisions) join(to, value []float64) {
	for l, v := range value {
		if !d.made {
			d.better = append(d.better, v > to[l])
		}
		if d.better[d.next] {
			to[l] = v
		}
		d.next++
	}
}
