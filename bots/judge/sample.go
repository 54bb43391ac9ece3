package judge

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"gamebots/solvers/evaluate/bestresponse"
)

// DefaultSampleTime is the time of a sample for which neither boards nor a time are given.
const DefaultSampleTime = 10 * time.Minute

// Sampling are the settings of a sample of boards. The same Seed and Boards give the same sample anywhere.
type Sampling struct {
	Boards int           // at least [bestresponse.MinSample], or 0 for as many as the time allows
	Time   time.Duration // 0 for as long as it takes; if both are 0, [DefaultSampleTime]
	Seed   uint64
}

// deviceBatch is how many boards are drawn at once for a device: enough that it is busy for most of the time.
const deviceBatch = 64

// Sample draws boards and values them, until there are enough or the time is over. Boards that are begun are finished.
// done, if not nil, is called with the part that is done. If in the end no board is missing, it returns nil and
// [Answer.Exact] has no work left. When ctx ends it stops, and returns the boards drawn before the first that is not
// finished, or the cause if they are too few.
func (a *Answer) Sample(ctx context.Context, s Sampling, done func(part float64)) (*bestresponse.Sample, error) {
	if missing := a.missing(); len(missing) == 0 || a.Parts() <= max(s.Boards, bestresponse.MinSample) {
		return nil, a.value(ctx, missing, nil)
	}
	drawn, start, limit, boards, batch := a.NewSample(s.Seed), time.Now(), s.Time, s.Boards, a.means.Threads
	if len(a.devices) > 0 {
		batch = deviceBatch
	}
	switch {
	case boards == 0:
		limit, boards = cmp.Or(limit, DefaultSampleTime), math.MaxInt
	case limit == 0:
		limit, batch = math.MaxInt64, boards
	}
	for drawn.Len() < bestresponse.MinSample ||
		drawn.Len() < boards && time.Since(start) < limit && len(a.missing()) > 0 {
		var list []int
		for _, part := range drawn.Draw(min(batch, boards-drawn.Len())) {
			if a.parts[part][0] == nil && !slices.Contains(list, part) {
				list = append(list, part)
			}
		}
		valued := drawn.Len() - len(list)
		err := a.value(ctx, list, func() {
			valued++
			if done != nil {
				part := max(float64(valued)/float64(boards), float64(time.Since(start))/float64(limit))
				done(min(1, part, float64(valued)/bestresponse.MinSample))
			}
		})
		if err != nil {
			if drawn.Cut(drawn.Of(a.parts)); ctx.Err() != nil && drawn.Len() >= bestresponse.MinSample {
				return drawn, nil
			}
			return nil, err
		}
	}
	if len(a.missing()) == 0 {
		return nil, nil
	}
	return drawn, nil
}

// Bound returns the lower bound of a sample.
func (a *Answer) Bound(s *bestresponse.Sample) bestresponse.Bound { return s.Bound(s.Of(a.parts)) }

// DrawnLines returns what the responses to a sample win by line.
func (a *Answer) DrawnLines(s *bestresponse.Sample) []bestresponse.Line {
	return s.Lines(s.Of(a.parts))
}
