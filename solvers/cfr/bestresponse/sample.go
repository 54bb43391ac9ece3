package bestresponse

import (
	"slices"

	"gamebots/internal/rng"
	"gamebots/internal/stats"
)

// Sample draws boards of the second round at random, each as often as it occurs and
// independently of the others. It is used by one goroutine at a time.
type Sample struct {
	r      *Response
	random rng.Stream
	until  []float64 // by part: the number of boards up to it
	drawn  []int     // parts
}

// MinSample is how many boards a [Bound] needs: three in each half. Two are the same board
// too often.
const MinSample = 6

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

// Bound is an estimate of what certain responses win. Best responses win at least as much,
// so that the mean is a lower bound of exploitability.
type Bound struct {
	Responses [2]Estimate // by responder
	Mean      Estimate    // of both
}

// Estimate is a number of chips a hand, and half of its 95% confidence interval.
type Estimate struct{ Value, Interval95 float64 }

// Bound estimates a lower bound from the values of all parts that were drawn, at least
// [MinSample]. A response does not know which board will come: its decisions in the first
// round are the best on average over one half of the sample, and they are valued on the
// other half; in later rounds it plays exactly. Both halves take turns, and the bound is the
// mean of the two.
//
// Given one half, the values on the boards of the other are independent, but the two means
// are not: both are large where the halves are alike. So the interval is Student's for one
// half alone.
func (s *Sample) Bound(parts []PartValues) Bound {
	var halves [2][]int // even and odd draws
	for i, part := range s.drawn {
		halves[i%2] = append(halves[i%2], part)
	}
	var won [2][3]stats.Sample // by half: of both responders, and of their mean
	for i, half := range halves {
		other := halves[1-i]
		var values [2][]float64
		for p := range values {
			values[p] = s.value(p, parts, s.decide(p, parts, other), half)
			for _, x := range values[p] {
				won[i][p].Add(x)
			}
		}
		for k := range half {
			won[i][2].Add((values[0][k] + values[1][k]) / 2)
		}
	}
	var estimates [3]Estimate
	for k := range estimates {
		a, b := won[0][k], won[1][k]
		estimates[k] = Estimate{
			Value:      (a.Mean() + b.Mean()) / 2,
			Interval95: stats.Student95(b.N-1) * (a.StandardError() + b.StandardError()) / 2,
		}
	}
	return Bound{Responses: [2]Estimate(estimates[:2]), Mean: estimates[2]}
}

// decide returns a responder's decisions in the first round that are best on average over
// boards.
func (s *Sample) decide(p int, parts []PartValues, boards []int) *decisions {
	each := s.all() / float64(len(boards))
	var sum []weighted
	for _, part := range boards {
		sum = append(sum, weighted{part, each})
	}
	d := &decisions{}
	s.r.first(p, s.r.after(p, parts, sum), d)
	return d
}

// value returns what a responder's decisions in the first round win if each of some boards
// always came.
func (s *Sample) value(p int, parts []PartValues, d *decisions, boards []int) []float64 {
	known := map[int]float64{}
	values := make([]float64, len(boards))
	for i, board := range boards {
		if _, ok := known[board]; !ok {
			known[board] = s.r.first(p, s.r.after(p, parts, []weighted{{board, s.all()}}), d.again())
		}
		values[i] = known[board]
	}
	return values
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
