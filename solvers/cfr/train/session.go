package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"gamebots/internal/atomicfile"
	"gamebots/internal/shutdown"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/strategy"
)

// Session is a training with a clock. It saves checkpoints beside the strategy, and
// can go on from them. It is used by one goroutine at a time.
type Session struct {
	*Training
	job  *Job
	meta checkpoint.Meta

	// start is when the training would have begun, had all runs been one. It is
	// zero before run.
	start time.Time
	due   time.Duration // time of the next checkpoint, since start

	saved uint64 // iterations of the checkpoint in the file, 0 for none

}

// newSession returns a session for a training that has done no iteration.
func newSession(t *Training, j *Job) *Session {
	return &Session{Training: t, job: j, meta: checkpoint.Meta{Meta: t.meta()}}
}

// begin returns the session of a training, and whether it goes on from its checkpoint.
func (j *Job) begin(t *Training) (s *Session, resumed bool, err error) {
	s = newSession(t, j)
	if !s.CanEvaluate() && (j.Curve != "" || j.Plotted) {
		return nil, false, &Error{FieldPlot, fmt.Errorf("there is no curve, as strategies of %s with %s cards are not "+
			"evaluated", j.Name(), t.Cards)}
	}
	if !j.Fresh {
		resumed, err = s.resume()
	}
	if !resumed && err == nil && j.Start != "" {
		err = t.startFrom(j.Start)
	}
	return s, resumed, err
}

// CheckpointFile returns the file of the session's checkpoint.
func (s *Session) CheckpointFile() string { return s.job.File + checkpoint.Suffix }

// Spent returns the time that the training has taken in all runs together.
func (s *Session) Spent() time.Duration {
	if s.start.IsZero() {
		return time.Duration(s.meta.Seconds * float64(time.Second))
	}
	return time.Since(s.start)
}

// resume reads the session's checkpoint, if there is one, and reports whether training
// goes on from it. A checkpoint of another training is refused.
func (s *Session) resume() (resumed bool, err error) {
	want := s.meta
	want.Iterations = s.job.Goal.Iterations
	if batch := uint64(s.Spec.Algorithm.Batch()); batch > 1 { // batches are whole
		want.Iterations = (want.Iterations + batch - 1) / batch * batch
	}
	m, resumed, err := checkpoint.Resume(s.job.File, want, s.Trainer)
	if !resumed {
		return false, err
	}
	s.meta, s.saved = m, m.Iterations
	return true, nil
}

// minInterrupted is the number of iterations from which on an interrupted training
// leaves a strategy. After fewer, players still act almost at random.
const minInterrupted = 100

// run trains until the goal or the limit is reached, and saves the training and its
// strategy. When ctx is done it ends after the iteration at work, and saves the same; but
// before the first iteration it saves nothing and returns the cause, and after too few for
// a strategy it returns [ErrTooShort]. Errors of saving are of type [*SaveError].
func (s *Session) run(ctx context.Context) (Progress, error) {
	defer shutdown.Inhibit("finishing an iteration")()
	// A run that was killed may have left what it was writing.
	atomicfile.RemoveAbandoned(s.CheckpointFile())
	atomicfile.RemoveAbandoned(s.job.File)
	before := s.Spent()
	s.start = time.Now().Add(-before)
	s.due = checkpoint.After(before)
	goal, limit := s.job.Goal, s.job.Limit
	switch timeOver := limit > 0 && before >= limit; {
	case s.Iterations() > 0 && (timeOver || ctx.Err() != nil):
		goal.Iterations = s.Iterations() // this run does none
	case ctx.Err() != nil:
		return Progress{}, context.Cause(ctx)
	}
	p := Iterate(s.Trainer, s.Evaluate, goal, func(p Progress) bool {
		spent := time.Since(s.start)
		s.note(p, spent)
		if s.job.OnProgress != nil {
			s.job.OnProgress(p)
		}
		if spent >= s.due {
			if err := s.save(); s.job.OnCheckpoint != nil {
				s.job.OnCheckpoint(err)
			}
			s.due = checkpoint.After(spent)
		}
		return ctx.Err() == nil && (limit == 0 || spent < limit)
	})
	s.note(p, time.Since(s.start))
	if err := failure(s.Trainer); err != nil {
		return p, err // the last checkpoint is all there is
	}
	// The checkpoint goes first: the strategy can be made of it. Where there is no
	// room for it, there may be for the strategy.
	failed := &SaveError{Checkpoint: s.save(), Strategy: ErrTooShort}
	if ctx.Err() == nil || p.Iterations >= minInterrupted || s.job.Goal.met(p) {
		failed.Strategy = s.Save(s.job.File, s.strategyMeta(p))
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

// strategyMeta returns the description of the training in the strategy's file.
func (s *Session) strategyMeta(p Progress) strategy.Meta {
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
	done, goal := 0.0, s.job.Goal
	if goal.Iterations > 0 {
		done = float64(p.Iterations) / float64(goal.Iterations)
	}
	if s.job.Limit > 0 {
		done = max(done, s.Spent().Seconds()/s.job.Limit.Seconds())
	}
	blind := s.Spec.largest()
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
		Exploitability: p.Evaluation.Exploitability(), Values: p.Evaluation.Value}
	if s.job.Curve != "" {
		if e := s.EvaluateCurrent(); e.Value != nil {
			x := e.Exploitability()
			point.Current = &x
		}
	}
	s.meta.Curve = append(s.meta.Curve, point)
	if err := s.writeCurve(); err != nil && s.job.OnCurve != nil {
		s.job.OnCurve(err)
	}
}

func (s *Session) save() error {
	err := checkpoint.Write(s.CheckpointFile(), s.meta, s.Trainer)
	if err == nil {
		s.saved = s.meta.Iterations
	}
	return err
}

// startIterations is how many iterations the regrets count as with which a training begins: the fewer, the sooner they
// are forgotten.
const startIterations = 1000

// startFrom lets a training of CFR-BR that has done no iteration begin with the average strategy
// of a checkpoint of public chance sampling, of any seed, in the same game with the same cards.
// Other trainings have an error of type [*Error].
func (t *Training) startFrom(path string) error {
	if !t.Spec.Algorithm.is(bestResponse) {
		return &Error{FieldStart, fmt.Errorf("%v begins with no other strategy: want %s", t.Algorithm(), cfrbr.Name)}
	}
	want := checkpoint.Meta{Meta: t.meta()}
	found, err := checkpoint.Read(path, want, t.Trainer) // its training is another one
	if err != nil && !errors.Is(err, checkpoint.ErrOtherTraining) {
		return err
	}
	a, err := parseAlgorithm(found.Algorithm)
	if err != nil || !a.is(publicChance) {
		return &Error{FieldStart, fmt.Errorf("%s is of %s: want a checkpoint of %s or %s", path, found.Algorithm,
			pcs.LinearName, pcs.PlusName)}
	}
	want.Algorithm, want.Seed = found.Algorithm, found.Seed
	_, err = checkpoint.Read(path, want, start{t.Trainer, func(r io.Reader) error {
		return t.Trainer.(pcs.Starter).ReadStart(r, a.boards(), startIterations)
	}})
	return err
}

// start is a trainer that reads the state with which it begins.
type start struct {
	Trainer
	read func(io.Reader) error
}

func (s start) ReadState(r io.Reader) error { return s.read(r) }

// meta describes the training in files.
func (t *Training) meta() strategy.Meta {
	if tree := t.Spec.Tree; tree != nil {
		return strategy.Meta{Game: tree.Name(), GameText: tree.sum(), Algorithm: t.Algorithm(), Seed: t.Spec.Seed}
	}
	return strategy.Meta{
		Game: t.Spec.Game.Name, GameText: t.Spec.Game.String(), Abstraction: t.Cards, Actions: t.Spec.Actions.Meta(),
		Algorithm: t.Algorithm(), Seed: t.Spec.Seed,
	}
}
