package train

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
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
	Schedule checkpoint.Schedule // of checkpoints, by default checkpoint.DefaultSchedule
	// OnProgress, if not nil, is called after every iteration, or after several that
	// a device does at once.
	OnProgress func(Progress)
	// OnCheckpointError, if not nil, is called when a checkpoint could not be
	// written. Training goes on: the checkpoint before is still there, and a disk
	// that is full now may not be at the end.
	OnCheckpointError func(error)
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
	due   time.Duration // of the next checkpoint, since start
}

// NewSession returns a session for a training that has done no iteration.
func NewSession(t *Training, o SessionOptions) *Session {
	o.Schedule = cmp.Or(o.Schedule, checkpoint.DefaultSchedule)
	return &Session{Training: t, options: o, meta: checkpoint.Meta{Meta: strategy.Meta{
		Game: t.Spec.Game.Name, GameText: t.Spec.Game.String(), Abstraction: t.Cards, Actions: t.Spec.Actions.Meta(),
		Algorithm: t.Algorithm(), Seed: t.Spec.Seed,
	}}}
}

// CheckpointFile returns the file of the session's checkpoint.
func (s *Session) CheckpointFile() string { return s.options.File + ".checkpoint" }

// Meta returns how far the training is, with the evaluations so far.
func (s *Session) Meta() checkpoint.Meta { return s.meta }

// Spent returns the time that the training has taken in all runs together.
func (s *Session) Spent() time.Duration {
	if s.start.IsZero() {
		return time.Duration(s.meta.Seconds * float64(time.Second))
	}
	return time.Since(s.start)
}

// Resumption is the result of Resume.
type Resumption struct {
	// Resumed reports whether training goes on from a checkpoint.
	Resumed bool
	// Replaced is the short training whose checkpoint will be overwritten, or nil.
	Replaced *checkpoint.Meta
}

// Resume reads the session's checkpoint, if there is one. That of another training is
// refused, unless it is so short that it was saved at its end only, by this session's
// schedule or by the default one: the session will overwrite it.
func (s *Session) Resume() (Resumption, error) {
	want := s.meta
	want.Iterations = s.options.Goal.Iterations
	if batch := uint64(s.Spec.Algorithm.Batch()); batch > 1 { // batches are whole
		want.Iterations = (want.Iterations + batch - 1) / batch * batch
	}
	m, err := checkpoint.Read(s.CheckpointFile(), want, s.Trainer)
	short := min(s.options.Schedule.Start, checkpoint.DefaultSchedule.Start)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Resumption{}, nil
	case errors.Is(err, checkpoint.ErrOtherTraining) && m.Seconds < short.Seconds():
		return Resumption{Replaced: &m}, nil
	case err != nil:
		return Resumption{}, err
	}
	s.meta = m
	return Resumption{Resumed: true}, nil
}

// Run trains until the goal or the limit is reached, and saves the training and its
// strategy. When ctx is done it saves the state and returns no error. Errors of
// saving are of type [*SaveError].
func (s *Session) Run(ctx context.Context) (Progress, error) {
	// A run that was killed may have left what it was writing.
	atomicfile.RemoveAbandoned(s.CheckpointFile())
	atomicfile.RemoveAbandoned(s.options.File)
	before := s.Spent()
	s.start = time.Now().Add(-before)
	s.due = s.options.Schedule.After(before)
	goal, limit := s.options.Goal, s.options.Limit
	if limit > 0 && before >= limit && s.Iterations() > 0 {
		goal.Iterations = s.Iterations() // the time was over before this run
	}
	p := Run(s.Trainer, s.evaluate, goal, func(p Progress) bool {
		spent := time.Since(s.start)
		s.note(p, spent)
		if s.options.OnProgress != nil {
			s.options.OnProgress(p)
		}
		if spent >= s.due {
			if err := s.save(); err != nil && s.options.OnCheckpointError != nil {
				s.options.OnCheckpointError(err)
			}
			s.due = s.options.Schedule.After(spent)
		}
		return ctx.Err() == nil && (limit == 0 || spent < limit)
	})
	s.note(p, time.Since(s.start))
	if d, ok := s.Trainer.(interface{ Err() error }); ok && d.Err() != nil {
		return p, d.Err() // the last checkpoint is all there is
	}
	// The checkpoint goes first: the strategy can be made of it. Where there is no
	// room for it, there may be for the strategy.
	if err := errors.Join(s.save(), s.Save(s.options.File, s.StrategyMeta(p))); err != nil {
		return p, &SaveError{err}
	}
	return p, nil
}

// StrategyMeta returns the description of the training in the strategy's file.
func (s *Session) StrategyMeta(p Progress) strategy.Meta {
	m := s.meta.Meta
	if p.Evaluated > 0 {
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
	if p.Evaluated == p.Iterations && (n == 0 || s.meta.Curve[n-1].Iterations < p.Evaluated) {
		s.meta.Curve = append(s.meta.Curve, checkpoint.Point{
			Iterations: p.Evaluated, Seconds: s.meta.Seconds, Exploitability: p.Evaluation.Exploitability(),
		})
	}
}

func (s *Session) save() error { return checkpoint.Write(s.CheckpointFile(), s.meta, s.Trainer) }
