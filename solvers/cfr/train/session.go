package train

import (
	"cmp"
	"context"
	"math"
	"time"

	"gamebots/internal/atomicfile"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/strategy"
)

// SessionOptions are the goals and the files of a session.
type SessionOptions struct {
	// File is the strategy file. The training itself is saved beside it, in
	// FILE.checkpoint.
	File string
	Goal Goal
	// Limit is the time after which all runs together end, or 0.
	Limit    time.Duration
	Schedule checkpoint.Schedule // when to save checkpoints; checkpoint.DefaultSchedule if not set
	// Current asks for evaluations of the current strategy, too, where they are possible.
	Current bool
	// OnProgress, if not nil, is called after every iteration, or after several that
	// a device does at once.
	OnProgress func(Progress)
	// OnCheckpoint, if not nil, is called after a checkpoint during the training, with
	// an error if it could not be written. Training goes on then: the checkpoint before is
	// still there, and a disk that is full now may not be at the end.
	OnCheckpoint func(error)
}

// Session is a training with a clock. It saves checkpoints beside the strategy, and
// can go on from them. It is used by one goroutine at a time.
type Session struct {
	*Training
	options SessionOptions
	meta    checkpoint.Meta

	// start is when the training would have begun, had all runs been one. It is
	// zero before Run.
	start time.Time
	due   time.Duration // time of the next checkpoint, since start

	saved uint64 // iterations of the checkpoint in the file, 0 for none
}

// NewSession returns a session for a training that has done no iteration.
func NewSession(t *Training, o SessionOptions) *Session {
	o.Schedule = cmp.Or(o.Schedule, checkpoint.DefaultSchedule)
	return &Session{Training: t, options: o, meta: checkpoint.Meta{Meta: t.meta()}}
}

// CheckpointFile returns the file of the session's checkpoint.
func (s *Session) CheckpointFile() string { return s.options.File + checkpoint.Suffix }

// Spent returns the time that the training has taken in all runs together.
func (s *Session) Spent() time.Duration {
	if s.start.IsZero() {
		return time.Duration(s.meta.Seconds * float64(time.Second))
	}
	return time.Since(s.start)
}

// Resume reads the session's checkpoint, if there is one, and reports whether training
// goes on from it. A checkpoint of another training is refused.
func (s *Session) Resume() (resumed bool, err error) {
	if !s.CanSave() {
		return false, nil
	}
	want := s.meta
	want.Iterations = s.options.Goal.Iterations
	if batch := uint64(s.Spec.Algorithm.Batch()); batch > 1 { // batches are whole
		want.Iterations = (want.Iterations + batch - 1) / batch * batch
	}
	m, resumed, err := checkpoint.Resume(s.options.File, want, s.Trainer)
	if !resumed {
		return false, err
	}
	s.meta, s.saved = m, m.Iterations
	return true, nil
}

// minInterrupted is the number of iterations from which on an interrupted training
// leaves a strategy. After fewer, players still act almost at random.
const minInterrupted = 100

// Run trains until the goal or the limit is reached, and saves the training and its
// strategy. When ctx is done it ends after the iteration at work, and saves the same; but
// before the first iteration it saves nothing and returns the cause, and after too few for
// a strategy it returns [ErrTooShort]. Errors of saving are of type [*SaveError].
func (s *Session) Run(ctx context.Context) (Progress, error) {
	// A run that was killed may have left what it was writing.
	atomicfile.RemoveAbandoned(s.CheckpointFile())
	atomicfile.RemoveAbandoned(s.options.File)
	before := s.Spent()
	s.start = time.Now().Add(-before)
	s.due = s.options.Schedule.After(before)
	goal, limit := s.options.Goal, s.options.Limit
	switch timeOver := limit > 0 && before >= limit; {
	case s.Iterations() > 0 && (timeOver || ctx.Err() != nil):
		goal.Iterations = s.Iterations() // this run does none
	case ctx.Err() != nil:
		return Progress{}, context.Cause(ctx)
	}
	p := s.cadence.run(s.Trainer, s.evaluate, goal, func(p Progress) bool {
		spent := time.Since(s.start)
		s.note(p, spent)
		if s.options.OnProgress != nil {
			s.options.OnProgress(p)
		}
		if spent >= s.due && s.CanSave() {
			if err := s.save(); s.options.OnCheckpoint != nil {
				s.options.OnCheckpoint(err)
			}
			s.due = s.options.Schedule.After(spent)
		}
		return ctx.Err() == nil && (limit == 0 || spent < limit)
	})
	s.note(p, time.Since(s.start))
	if d, ok := s.Trainer.(interface{ Err() error }); ok && d.Err() != nil {
		return p, d.Err() // the last checkpoint is all there is
	}
	if !s.CanSave() {
		return p, nil
	}
	// The checkpoint goes first: the strategy can be made of it. Where there is no
	// room for it, there may be for the strategy.
	failed := &SaveError{Checkpoint: s.save(), Strategy: ErrTooShort}
	if ctx.Err() == nil || p.Iterations >= minInterrupted || s.options.Goal.met(p) {
		failed.Strategy = s.Save(s.options.File, s.StrategyMeta(p))
	}
	failed.Resumable = s.saved
	switch {
	case failed.Checkpoint == nil && failed.Strategy == nil:
		return p, nil
	case failed.Checkpoint == nil && failed.Strategy == ErrTooShort:
		return p, ErrTooShort
	}
	return p, failed
}

// StrategyMeta returns the description of the training in the strategy's file.
func (s *Session) StrategyMeta(p Progress) strategy.Meta {
	m := s.meta.Meta
	if p.Evaluated > 0 && p.Evaluated == p.Iterations {
		x := p.Evaluation.Exploitability()
		m.Exploitability = &x
	}
	return m
}

// Done estimates the part of the training that is done, by the goal that is nearest.
// An exploitability counts by orders of magnitude, from the largest blind down.
func (s *Session) Done(p Progress) float64 {
	done, goal := 0.0, s.options.Goal
	if goal.Iterations > 0 {
		done = float64(p.Iterations) / float64(goal.Iterations)
	}
	if s.options.Limit > 0 {
		done = max(done, s.Spent().Seconds()/s.options.Limit.Seconds())
	}
	blind := float64(s.Spec.Game.MaxBlind())
	if x := p.Evaluation.Exploitability(); goal.Exploitability > 0 && x < blind {
		done = max(done, math.Log(x/blind)/math.Log(goal.Exploitability/blind))
	}
	return min(done, 1)
}

// note records how far the training is, and a new evaluation for the curve.
func (s *Session) note(p Progress, spent time.Duration) {
	s.meta.Iterations, s.meta.Seconds = p.Iterations, spent.Seconds()
	n := len(s.meta.Curve)
	if p.Evaluated != p.Iterations || n > 0 && s.meta.Curve[n-1].Iterations >= p.Evaluated {
		return
	}
	point := checkpoint.Point{Iterations: p.Evaluated, Seconds: s.meta.Seconds,
		Exploitability: p.Evaluation.Exploitability()}
	if !s.inGame {
		point.Values = p.Evaluation.Value
	}
	if s.options.Current {
		if e, ok := s.EvaluateCurrent(); ok {
			x := e.Exploitability()
			point.Current = &x
		}
	}
	s.meta.Curve = append(s.meta.Curve, point)
}

func (s *Session) save() error {
	err := checkpoint.Write(s.CheckpointFile(), s.meta, s.Trainer)
	if err == nil {
		s.saved = s.meta.Iterations
	}
	return err
}
