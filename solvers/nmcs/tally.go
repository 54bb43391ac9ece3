package nmcs

import (
	"context"
	"math"
	"sync"
	"time"
)

// A Tally is what runs have come to. Runs are counted in their order, so that a
// tally, and the number of the next run, say all that is needed to go on.
type Tally struct {
	Runs    uint64         `json:"runs"`   // that came to their end: those from 0 up
	Scores  map[int]uint64 `json:"scores"` // how many of them reached each
	Work    Work           `json:"work"`
	Best    Line           `json:"best"` // of the best the first run's; a run that was stopped counts too
	FoundBy uint64         `json:"by"`   // the run that found it
	Time    time.Duration  `json:"time"` // kept by whoever looks at clocks
}

// Count adds a run that came to its end.
func (t *Tally) Count(l Line, w Work) {
	t.Runs++
	if t.Scores == nil {
		t.Scores = map[int]uint64{}
	}
	t.Scores[l.Score]++
	t.Work.Add(w)
	t.UpdateBest(l, t.Runs-1)
}

// UpdateBest makes a run's line the best if it is better, or as good and of an
// earlier run: threads come to lines in any order.
func (t *Tally) UpdateBest(l Line, run uint64) bool {
	if t.Best.Moves != nil && (l.Score < t.Best.Score || l.Score == t.Best.Score && run >= t.FoundBy) {
		return false
	}
	t.Best.set(l)
	t.FoundBy = run
	return true
}

// Merge adds the runs that follow on this tally's, counted elsewhere: there the
// tally began with nothing but its number of runs.
func (t *Tally) Merge(next Tally) {
	t.Runs = next.Runs
	for score, runs := range next.Scores {
		if t.Scores == nil {
			t.Scores = map[int]uint64{}
		}
		t.Scores[score] += runs
	}
	t.Work.Add(next.Work)
	t.UpdateBest(next.Best, next.FoundBy)
}

// Mean returns the mean score of the runs and its standard error.
func (t *Tally) Mean() (mean, stderr float64) {
	n, sum := float64(t.Runs), 0.0
	if n == 0 {
		return 0, 0
	}
	for score, runs := range t.Scores {
		sum += float64(uint64(score) * runs)
	}
	mean = sum / n
	if n == 1 {
		return mean, 0
	}
	squares := 0.0
	for _, score := range sortedScores(t.Scores) {
		d := float64(score) - mean
		squares += float64(t.Scores[score]) * d * d
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// A Worker does runs of a search, one at a time.
type Worker interface {
	// Run does a run with a key. The line is valid until the next. It is whole
	// unless the context was done before the end. Better lines on the way are told
	// to improved.
	Run(ctx context.Context, key Key, improved func(Line)) (l Line, whole bool)
	// Work returns the work of all runs so far.
	Work() Work
}

// Options say how many runs there are to be, and with what.
type Options struct {
	Seed    uint64
	MaxRuns uint64 // 0 is as many as there is time for
	Threads int
}

// Run adds runs to a tally, from the next one up to a number, or until the
// context is done, which is no error. A tally of the same seed, options and
// worker is the same for any number of threads. With each run and each better
// line progress is called, if it is not nil; it may look at the tally.
func Run(ctx context.Context, t *Tally, o Options, fresh func() Worker, progress func()) {
	var mu sync.Mutex // of all below, and of the tally
	next := t.Runs
	ended := map[uint64]run{} // before runs with a lower number
	tell := func() {
		if progress != nil {
			progress()
		}
	}
	var threads sync.WaitGroup
	for range o.Threads {
		threads.Go(func() {
			w := fresh()
			var before Work
			for {
				mu.Lock()
				number := next
				next++
				mu.Unlock()
				if o.MaxRuns > 0 && number >= o.MaxRuns || ctx.Err() != nil {
					return
				}
				l, whole := w.Run(ctx, RunKey(o.Seed, number), func(l Line) {
					mu.Lock()
					defer mu.Unlock()
					if t.UpdateBest(l, number) {
						tell()
					}
				})
				work := w.Work()
				r := run{work: Work{work.Playouts - before.Playouts, work.Steps - before.Steps}}
				before = work
				r.line.set(l)
				mu.Lock()
				if !whole {
					t.UpdateBest(r.line, number)
					t.Work.Add(r.work)
					mu.Unlock()
					return
				}
				ended[number] = r
				for r, ok := ended[t.Runs]; ok; r, ok = ended[t.Runs] {
					delete(ended, t.Runs)
					t.Count(r.line, r.work)
				}
				tell()
				mu.Unlock()
			}
		})
	}
	threads.Wait()
	// Runs that ended after one that was stopped are done again later, but what
	// they found is not forgotten.
	for number, r := range ended {
		t.UpdateBest(r.line, number)
		t.Work.Add(r.work)
	}
}

type run struct {
	line Line
	work Work
}
