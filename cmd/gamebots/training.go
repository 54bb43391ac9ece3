package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"gamebots/acpc"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"

	"github.com/rs/zerolog"
)

// session is a training with a clock: it keeps checkpoints beside the strategy,
// and goes on from them.
type session struct {
	*train.Training
	game     *acpc.Game
	meta     checkpoint.Meta
	strategy string // file
	schedule checkpoint.Schedule
	limit    time.Duration // 0: none
	goal     cfr.Goal
	log      *zerolog.Logger

	// start is when the training began, had all runs been one.
	start time.Time
	due   time.Duration // of the next checkpoint, since start
}

func (s *session) file() string { return s.strategy + ".checkpoint" }

// resume goes on from a checkpoint, if there is one. That of another training is
// refused, but for one too short to have been saved on its way, here or by default.
func (s *session) resume() error {
	want := s.meta
	want.Iterations = s.goal.Iterations
	if batch := s.Batch; batch > 1 { // batches are whole
		want.Iterations = (want.Iterations + batch - 1) / batch * batch
	}
	m, err := checkpoint.Read(s.file(), want, s.Learner)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, checkpoint.ErrOther) && m.Seconds < min(s.schedule.Start, checkpoint.DefaultSchedule.Start).Seconds():
		s.log.Info().Str("file", s.file()).Str("algorithm", m.Algorithm).Uint64("iterations", m.Iterations).Msg("replacing another training")
		return nil
	case err != nil:
		return usererr.WithHint(err, "--fresh begins anew and replaces it, -o FILE goes somewhere else")
	}
	s.meta = m
	s.log.Info().Str("file", s.file()).Uint64("iterations", s.Learner.Iterations()).Str("spent", s.spent().Round(time.Second).String()).Msg("resumed")
	return nil
}

// spent returns how long the training has taken in all runs before this one.
func (s *session) spent() time.Duration { return time.Duration(s.meta.Seconds * float64(time.Second)) }

// run trains, and saves the training and its strategy. When ctx is cancelled it
// saves what there is. Progress is shown on w.
func (s *session) run(ctx context.Context, w io.Writer) (cfr.Progress, error) {
	s.start = time.Now().Add(-s.spent())
	bar := newTrainingBar(w, s)
	s.due = s.schedule.After(s.spent())
	goal := s.goal
	if s.limit > 0 && s.spent() >= s.limit && s.Learner.Iterations() > 0 {
		goal.Iterations = s.Learner.Iterations() // the time was over before this run
	}
	p := cfr.Run(s.Learner, s.Evaluate, goal, func(p cfr.Progress) bool {
		now := time.Now()
		spent := now.Sub(s.start)
		s.note(p, spent)
		bar.update(p)
		if spent >= s.due {
			// A disk that is full now may not be at the end; the checkpoint
			// before is still there.
			if err := s.save(); err != nil {
				s.log.Error().Err(err).Msg("no checkpoint")
			}
			s.due = s.schedule.After(spent)
		}
		return ctx.Err() == nil && (s.limit == 0 || spent < s.limit)
	})
	s.note(p, time.Since(s.start))
	bar.bar.Close()
	if d, ok := s.Learner.(interface{ Err() error }); ok && d.Err() != nil {
		return p, d.Err() // the last checkpoint is all there is
	}
	// The checkpoint goes first: the strategy can be made of it. Where there is no
	// room for it there may be for the strategy.
	err := s.save()
	if err == nil && ctx.Err() != nil {
		s.log.Warn().Uint64("iterations", p.Iterations).Msg("interrupted; the same command goes on")
	}
	err = errors.Join(err, s.Learner.Save(s.strategy, s.described(p)))
	if err != nil {
		err = usererr.WithHint(err, "make room there: the same command goes on from the last checkpoint")
	}
	return p, err
}

// described returns what the strategy's file says of the training.
func (s *session) described(p cfr.Progress) strategy.Meta {
	m := s.meta.Meta
	if p.Evaluated > 0 {
		x := p.Evaluation.Exploitability()
		m.Exploitability = &x
	}
	return m
}

// note keeps how far the training is, and a new evaluation for the curve.
func (s *session) note(p cfr.Progress, spent time.Duration) {
	s.meta.Iterations, s.meta.Seconds = p.Iterations, spent.Seconds()
	n := len(s.meta.Curve)
	if p.Evaluated == p.Iterations && (n == 0 || s.meta.Curve[n-1].Iterations < p.Evaluated) {
		s.meta.Curve = append(s.meta.Curve, checkpoint.Point{
			Iterations: p.Evaluated, Seconds: s.meta.Seconds, Exploitability: p.Evaluation.Exploitability(),
		})
	}
}

func (s *session) save() error { return checkpoint.Write(s.file(), s.meta, s.Learner) }
